//! What the rows of a study say: speedups, solutions, the price of a technique. Pure functions over measured searches.

use std::collections::BTreeMap;

use super::positions::MateClaim;
use super::rows::Measured;
use stats::amdahl;
use stats::bootstrap::{self, Interval};
use stats::proportion::wilson;
use stats::regression::{self, Line, Shape};
use stats::summary::{Summary, geometric_mean, median};

/// Resamples for intervals; their seed is fixed, so that a report can be redrawn identically.
const ROUNDS: usize = 2000;
const SEED: u64 = 1;

/// One series at one number of threads, against itself, or the series all are measured by, at the smallest number.
#[derive(Clone, Debug)]
pub struct Speedup {
    pub threads: u32,
    /// Over positions; each is the ratio of medians over repetitions.
    pub ratios: Summary,
    pub median: Interval,
    pub geometric: f64,
    /// Sum of all times at one thread by the sum at this many.
    pub total: f64,
    pub efficiency: f64,
    /// Nodes by nodes at one thread: search overhead.
    pub node_ratio: f64,
    /// Nodes a second by nodes a second at one thread.
    pub speed_ratio: f64,
    /// Mean share of the workers' time without work, where it was counted.
    pub idle: Option<f64>,
    /// Mean share of nodes searched for nodes that were decided meanwhile, where it was counted.
    pub wasted: Option<f64>,
    /// The spread of repetitions of one position, over positions, in milliseconds.
    pub deviation: Option<Summary>,
    pub parallel_fraction: Option<f64>,
}

/// A series over all numbers of threads.
#[derive(Clone, Debug)]
pub struct Scaling {
    pub series: String,
    pub speedups: Vec<Speedup>,
    pub linear: Option<Line>,
    pub logarithmic: Option<Line>,
    /// Amdahl's fraction fitted to all medians, and the limit it sets.
    pub fraction: Option<f64>,
    pub limit: Option<f64>,
}

fn usable(rows: &[Measured]) -> impl Iterator<Item = &Measured> {
    rows.iter().filter(|row| row.fault.is_none() && row.milliseconds.is_finite())
}

/// Medians over repetitions, by position.
fn medians(
    rows: &[Measured],
    series: &str,
    threads: u32,
    value: fn(&Measured) -> f64,
) -> BTreeMap<String, f64> {
    let mut by_position: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for row in usable(rows).filter(|row| row.series == series && row.threads == threads) {
        by_position.entry(row.position.clone()).or_default().push(value(row));
    }
    by_position.into_iter().filter_map(|(position, values)| Some((position, median(&values)?))).collect()
}

/// The mean over all searches that counted it.
fn mean(rows: &[Measured], series: &str, threads: u32, value: fn(&Measured) -> Option<f64>) -> Option<f64> {
    let own = usable(rows).filter(|row| row.series == series && row.threads == threads);
    Summary::of(&own.filter_map(value).collect::<Vec<_>>()).map(|summary| summary.mean)
}

/// Pairs of values of the same position, both positive.
fn paired(one: &BTreeMap<String, f64>, other: &BTreeMap<String, f64>) -> Vec<(f64, f64)> {
    one.iter()
        .filter_map(|(position, first)| Some((*first, *other.get(position)?)))
        .filter(|(first, second)| *first > 0.0 && *second > 0.0)
        .collect()
}

/// Numbers of threads a series was measured with, ascending.
fn thread_counts(rows: &[Measured], series: &str) -> Vec<u32> {
    let mut counts: Vec<u32> =
        usable(rows).filter(|row| row.series == series).map(|row| row.threads).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// How a series scales, measured by its own times at the smallest number of threads, or where it has none by those of
/// `alone`.
pub fn scaling(rows: &[Measured], series: &str, alone: Option<&str>) -> Option<Scaling> {
    let counts = thread_counts(rows, series);
    let fewest = |series: &str| thread_counts(rows, series).first().copied();
    let alone = alone.filter(|name| fewest(name) < fewest(series)).unwrap_or(series);
    let base = fewest(alone)?;
    let base_times = medians(rows, alone, base, |row| row.milliseconds);
    let base_nodes = medians(rows, alone, base, |row| row.nodes);
    let speedups: Vec<Speedup> = counts
        .iter()
        .filter_map(|&threads| {
            let times = medians(rows, series, threads, |row| row.milliseconds);
            let nodes = medians(rows, series, threads, |row| row.nodes);
            let pairs = paired(&base_times, &times);
            let ratios: Vec<f64> = pairs.iter().map(|(alone, together)| alone / together).collect();
            let node_pairs = paired(&base_nodes, &nodes);
            let node_ratio =
                geometric_mean(&node_pairs.iter().map(|(alone, all)| all / alone).collect::<Vec<_>>());
            let summary = Summary::of(&ratios)?;
            let node_ratio = node_ratio.unwrap_or(f64::NAN);
            let geometric = geometric_mean(&ratios)?;
            Some(Speedup {
                threads,
                ratios: summary,
                median: bootstrap::interval(&ratios, ROUNDS, 0.95, SEED, median)?,
                geometric,
                total: pairs.iter().map(|pair| pair.0).sum::<f64>()
                    / pairs.iter().map(|pair| pair.1).sum::<f64>(),
                efficiency: amdahl::efficiency(summary.median, f64::from(threads) / f64::from(base)),
                node_ratio,
                speed_ratio: node_ratio * geometric,
                idle: mean(rows, series, threads, |row| row.idle),
                wasted: mean(rows, series, threads, |row| row.wasted),
                deviation: deviations(rows, series, threads),
                parallel_fraction: amdahl::parallel_fraction(
                    summary.median,
                    f64::from(threads) / f64::from(base),
                ),
            })
        })
        .collect();
    let mut points: Vec<(f64, f64)> =
        speedups.iter().map(|speedup| (f64::from(speedup.threads), speedup.ratios.median)).collect();
    if !counts.contains(&base) {
        points.insert(0, (f64::from(base), 1.0));
    }
    let relative: Vec<(f64, f64)> =
        points.iter().map(|(threads, ratio)| (threads / f64::from(base), *ratio)).collect();
    let fraction = amdahl::fit_fraction(&relative);
    Some(Scaling {
        series: series.to_owned(),
        linear: regression::fit(Shape::Linear, &points),
        logarithmic: regression::fit(Shape::Logarithmic, &points),
        limit: fraction.and_then(amdahl::limit),
        fraction,
        speedups,
    })
}

fn deviations(rows: &[Measured], series: &str, threads: u32) -> Option<Summary> {
    let mut by_position: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in usable(rows).filter(|row| row.series == series && row.threads == threads) {
        by_position.entry(&row.position).or_default().push(row.milliseconds);
    }
    let spreads: Vec<f64> = by_position
        .values()
        .filter(|values| values.len() > 1)
        .filter_map(|values| Summary::of(values).map(|summary| summary.standard_deviation))
        .collect();
    Summary::of(&spreads)
}

/// What a variant costs compared with the whole engine.
#[derive(Clone, Debug)]
pub struct Price {
    pub series: String,
    pub mean_ms: f64,
    /// Geometric mean of time by the whole engine's time, position by position.
    pub time_ratio: Interval,
    pub node_ratio: Interval,
    pub nodes_per_second: f64,
    pub positions: usize,
}

/// The price of every variant against `base`; the base itself comes first.
pub fn prices(rows: &[Measured], base: &str, series: &[String]) -> Vec<Price> {
    let threads = rows.first().map_or(1, |row| row.threads);
    let base_times = medians(rows, base, threads, |row| row.milliseconds);
    let base_nodes = medians(rows, base, threads, |row| row.nodes);
    series
        .iter()
        .filter_map(|name| {
            let times = medians(rows, name, threads, |row| row.milliseconds);
            let nodes = medians(rows, name, threads, |row| row.nodes);
            let ratio = |pairs: Vec<(f64, f64)>| {
                let ratios: Vec<f64> = pairs.into_iter().map(|(whole, without)| without / whole).collect();
                bootstrap::interval(&ratios, ROUNDS, 0.95, SEED, geometric_mean)
            };
            let total_ms: f64 = times.values().sum();
            Some(Price {
                series: name.clone(),
                mean_ms: Summary::of(&times.values().copied().collect::<Vec<_>>())?.mean,
                time_ratio: ratio(paired(&base_times, &times))?,
                node_ratio: ratio(paired(&base_nodes, &nodes))?,
                nodes_per_second: nodes.values().sum::<f64>() / (total_ms / 1000.0).max(1e-9),
                positions: times.len(),
            })
        })
        .collect()
}

/// The mean Good Move Index of a series at each distance from the root, over the searches that have one there.
pub fn good_move_index(rows: &[Measured], series: &str) -> Vec<Option<f64>> {
    let own: Vec<&Measured> = usable(rows).filter(|row| row.series == series).collect();
    let plies = own.iter().map(|row| row.good_move_index.len()).max().unwrap_or(0);
    (0..plies)
        .map(|ply| {
            let here = own.iter().filter_map(|row| row.good_move_index.get(ply).copied().flatten());
            Summary::of(&here.collect::<Vec<_>>()).map(|summary| summary.mean)
        })
        .collect()
}

/// The mean number of table hits of a series at each distance from the root: exact, lower and upper bounds.
pub fn table_hits(rows: &[Measured], series: &str) -> Vec<[f64; 3]> {
    let own: Vec<&Measured> = usable(rows).filter(|row| row.series == series).collect();
    let plies = own.iter().map(|row| row.hits.len()).max().unwrap_or(0);
    (0..plies)
        .map(|ply| {
            [0, 1, 2].map(|kind| {
                let sum: f64 = own.iter().filter_map(|row| row.hits.get(ply)).map(|hits| hits[kind]).sum();
                sum / own.len() as f64
            })
        })
        .collect()
}

/// The mean use of the table of a series after the iteration of this depth, in thousandths.
pub fn table_used(rows: &[Measured], series: &str, depth: u32) -> Option<f64> {
    let used: Vec<f64> = usable(rows)
        .filter(|row| row.series == series)
        .filter_map(|row| row.table_used.iter().find(|(reached, _)| *reached == depth).map(|(_, used)| *used))
        .collect();
    Some(Summary::of(&used)?.mean)
}

/// For each search of a series its mean Good Move Index over all distances, and its time.
pub fn index_against_time(rows: &[Measured], series: &str) -> Vec<(f64, f64)> {
    usable(rows)
        .filter(|row| row.series == series)
        .filter_map(|row| {
            let known: Vec<f64> = row.good_move_index.iter().copied().flatten().collect();
            Some((Summary::of(&known)?.mean, row.milliseconds))
        })
        .collect()
}

/// What a series solved.
#[derive(Clone, Debug)]
pub struct Solved {
    pub series: String,
    pub asked: usize,
    pub solved: usize,
    /// 95 % interval of the share (Wilson).
    pub interval: (f64, f64),
    pub points: f64,
    pub faults: usize,
    /// Times to the solutions found, in milliseconds.
    pub times: Vec<f64>,
    /// What was claimed where mates were asked for.
    pub mates: Option<Mates>,
}

/// Claims about mates of known length.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mates {
    pub known: usize,
    pub longer: usize,
    /// Positions where the claim contradicts what is known.
    pub contradicted: Vec<String>,
    pub none: usize,
}

fn mates(rows: &[&Measured]) -> Option<Mates> {
    let mut mates = Mates::default();
    let mut asked = false;
    for row in rows {
        match row.mate {
            Some(MateClaim::Known) => mates.known += 1,
            Some(MateClaim::Longer) => mates.longer += 1,
            Some(MateClaim::Contradicted) => mates.contradicted.push(row.position.clone()),
            Some(MateClaim::None) => mates.none += 1,
            None => continue,
        }
        asked = true;
    }
    asked.then_some(mates)
}

/// Solutions of a series.
pub fn solved(rows: &[Measured], series: &str) -> Solved {
    let own: Vec<&Measured> = rows.iter().filter(|row| row.series == series).collect();
    let solved = own.iter().filter(|row| row.solved).count();
    let mut times: Vec<f64> = own.iter().filter_map(|row| row.solved_ms).collect();
    times.sort_by(f64::total_cmp);
    Solved {
        series: series.to_owned(),
        asked: own.len(),
        solved,
        interval: wilson(solved, own.len()),
        points: own.iter().map(|row| row.points).sum(),
        faults: own.iter().filter(|row| row.fault.is_some()).count(),
        times,
        mates: mates(&own),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(series: &str, threads: u32, position: &str, milliseconds: f64, nodes: f64) -> Measured {
        Measured {
            series: series.to_owned(),
            threads,
            position: position.to_owned(),
            milliseconds,
            nodes,
            depth: 10.0,
            best: "e2e4".to_owned(),
            solved: milliseconds < 100.0,
            points: 0.0,
            solved_ms: (milliseconds < 100.0).then_some(milliseconds),
            mate: (milliseconds >= 1000.0).then_some(MateClaim::Contradicted),
            fault: None,
            idle: (threads > 1).then_some(f64::from(threads) / 100.0),
            wasted: None,
            good_move_index: vec![Some(milliseconds / 100.0), None],
            hits: vec![[1.0, 2.0, 3.0]],
            table_used: vec![(2, milliseconds / 10.0)],
        }
    }

    #[test]
    fn the_use_of_the_table_is_a_mean_over_the_searches_that_reached_a_depth() {
        let rows = [measured("x", 1, "a", 100.0, 1.0), measured("x", 1, "b", 300.0, 1.0)];
        assert_eq!(table_used(&rows, "x", 2), Some(20.0));
        assert_eq!(table_used(&rows, "x", 4), None);
    }

    #[test]
    fn a_program_that_obeys_amdahl_is_recognised() {
        let mut rows = Vec::new();
        for threads in [1_u32, 2, 4, 8] {
            for (place, base) in [1000.0, 400.0, 90.0, 2500.0].iter().enumerate() {
                let time = base / amdahl::speedup(0.8, f64::from(threads));
                for jitter in [0.99, 1.0, 1.01] {
                    rows.push(measured(
                        "x",
                        threads,
                        &place.to_string(),
                        time * jitter,
                        1000.0 * f64::from(threads),
                    ));
                }
            }
        }
        let scaling = scaling(&rows, "x", None).unwrap();
        assert!((scaling.fraction.unwrap() - 0.8).abs() < 1e-9);
        assert!((scaling.limit.unwrap() - 5.0).abs() < 1e-6);
        let four = &scaling.speedups[2];
        assert!((four.ratios.median - 2.5).abs() < 1e-9 && (four.efficiency - 0.625).abs() < 1e-9);
        assert!((four.total - 2.5).abs() < 1e-9 && (four.node_ratio - 4.0).abs() < 1e-9);
        assert!((four.idle.unwrap() - 0.04).abs() < 1e-9 && four.wasted.is_none());
        assert!(four.deviation.is_some());
        assert_eq!(scaling.speedups[0].ratios.median, 1.0);
    }

    #[test]
    fn a_series_may_be_measured_by_the_times_alone_of_another() {
        let rows = [
            measured("alone", 1, "a", 100.0, 1000.0),
            measured("together", 2, "a", 50.0, 1500.0),
            measured("together", 4, "a", 25.0, 2000.0),
        ];
        let found = scaling(&rows, "together", Some("alone")).unwrap();
        let medians: Vec<f64> = found.speedups.iter().map(|speedup| speedup.ratios.median).collect();
        assert_eq!(medians, [2.0, 4.0]);
        assert!(
            (found.speedups[1].efficiency - 1.0).abs() < 1e-12
                && (found.speedups[0].node_ratio - 1.5).abs() < 1e-9
        );
        assert!((found.fraction.unwrap() - 1.0).abs() < 1e-9);
        assert!(scaling(&rows, "together", Some("nobody")).is_none());
    }

    #[test]
    fn a_missing_technique_shows_its_price() {
        let mut rows = Vec::new();
        for (place, base) in [100.0, 200.0, 50.0].iter().enumerate() {
            rows.push(measured("all on", 1, &place.to_string(), *base, base * 10.0));
            rows.push(measured("without x", 1, &place.to_string(), base * 3.0, base * 40.0));
        }
        let prices = prices(&rows, "all on", &["all on".to_owned(), "without x".to_owned()]);
        assert!((prices[0].time_ratio.estimate - 1.0).abs() < 1e-12);
        assert!((prices[1].time_ratio.estimate - 3.0).abs() < 1e-9);
        assert!((prices[1].node_ratio.estimate - 4.0).abs() < 1e-9);
    }

    #[test]
    fn the_measures_of_klas_are_means_over_searches() {
        let rows = [measured("x", 1, "a", 100.0, 1.0), measured("x", 1, "b", 300.0, 1.0)];
        assert_eq!(good_move_index(&rows, "x"), [Some(2.0), None]);
        assert_eq!(table_hits(&rows, "x"), [[1.0, 2.0, 3.0]]);
        assert_eq!(index_against_time(&rows, "x"), [(1.0, 100.0), (3.0, 300.0)]);
        assert!(good_move_index(&rows, "y").is_empty());
    }

    #[test]
    fn solutions_are_counted_with_their_interval() {
        let rows: Vec<Measured> = (0..10)
            .map(|n| measured("x", 1, &n.to_string(), if n < 7 { 50.0 } else { 500.0 }, 1.0))
            .collect();
        let solved = solved(&rows, "x");
        assert_eq!((solved.asked, solved.solved, solved.times.len()), (10, 7, 7));
        assert!((solved.interval.0 - 0.3968).abs() < 1e-3 && (solved.interval.1 - 0.8922).abs() < 1e-3);
    }

    #[test]
    fn claimed_mates_are_told_apart() {
        let mut rows: Vec<Measured> =
            ["a", "b", "c"].iter().map(|id| measured("x", 1, id, 1000.0, 1.0)).collect();
        rows[0].mate = Some(MateClaim::Known);
        rows[1].mate = Some(MateClaim::None);
        let expected = Mates { known: 1, longer: 0, contradicted: vec!["c".to_owned()], none: 1 };
        assert_eq!(solved(&rows, "x").mates, Some(expected));
        assert_eq!(solved(&[measured("x", 1, "a", 10.0, 1.0)], "x").mates, None);
    }

    #[test]
    fn rows_with_faults_are_no_times() {
        let mut row = measured("x", 1, "a", 10.0, 1.0);
        row.fault = Some("crash".to_owned());
        assert!(scaling(&[row], "x", None).is_none());
    }
}

//! From rows to shares.

use std::collections::BTreeMap;

use search::Phase;
use serde_json::Value;

use experiment::store::Row;
use stats::normal::Z95;

/// A phase's part.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    pub phase: Phase,
    pub samples: f64,
    /// Of all samples, 0 to 1, with half the width of its 95 % interval.
    pub share: f64,
    pub error: f64,
    /// How often it was entered; for nodes, how many there were.
    pub times: f64,
    /// Nanoseconds each time, by the processor's clock.
    pub each: Option<f64>,
}

/// What was seen with one evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Watch {
    pub series: String,
    pub searches: usize,
    pub nodes: f64,
    pub cpu: f64,
    pub wall: f64,
    pub samples: f64,
    /// The largest first.
    pub parts: Vec<Part>,
}

/// Sums the rows of a series; `None` without any.
pub fn watch(rows: &[Row], series: &str) -> Option<Watch> {
    let own: Vec<&Row> = rows
        .iter()
        .filter(|row| row.text("series") == Some(series) && row.data.contains_key("entered"))
        .collect();
    let sum = |name: &str| -> f64 { own.iter().filter_map(|row| row.number(name)).sum() };
    let of_phase = |table: &str, phase: Phase| -> f64 {
        let value = |row: &&&Row| row.data.get(table)?.get(phase.name()).and_then(Value::as_f64);
        own.iter().filter_map(|row| value(&row)).sum()
    };
    let (nodes, quiescence, cpu) = (sum("nodes"), sum("quiescence"), sum("cpu_ns"));
    let samples: f64 = Phase::ALL.iter().map(|phase| of_phase("samples", *phase)).sum();
    if own.is_empty() || samples == 0.0 {
        return None;
    }
    let mut parts: Vec<Part> = Phase::ALL
        .iter()
        .map(|&phase| {
            let seen = of_phase("samples", phase);
            let share = seen / samples;
            let times = match phase {
                Phase::Outside => own.len() as f64,
                Phase::Node => nodes - quiescence,
                Phase::Quiescence => quiescence,
                _ => of_phase("entered", phase),
            };
            Part {
                phase,
                samples: seen,
                share,
                error: Z95 * (share * (1.0 - share) / samples).sqrt(),
                times,
                each: (times > 0.0).then(|| share * cpu / times),
            }
        })
        .collect();
    parts.sort_by(|one, other| other.samples.total_cmp(&one.samples));
    Some(Watch {
        series: series.to_owned(),
        searches: own.len(),
        nodes,
        cpu,
        wall: sum("wall_ns"),
        samples,
        parts,
    })
}

/// Functions of one series, as perf saw them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Paths from the outermost function inwards, joined by `;`, and how often each was seen.
    pub paths: BTreeMap<String, f64>,
    pub samples: f64,
}

/// The functions of a series, if they were recorded.
pub fn seen(rows: &[Row], series: &str) -> Option<Seen> {
    let row = rows.iter().find(|row| row.text("series") == Some(series) && row.data.contains_key("paths"))?;
    let Some(Value::Object(paths)) = row.data.get("paths") else { return None };
    let paths: BTreeMap<String, f64> =
        paths.iter().filter_map(|(path, count)| Some((path.clone(), count.as_f64()?))).collect();
    Some(Seen { samples: paths.values().sum(), paths })
}

/// How often a function was at work itself, and how often it or something below it.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub own: f64,
    pub total: f64,
}

impl Seen {
    /// Functions by their own work, the busiest first.
    pub fn functions(&self) -> Vec<Function> {
        let mut found: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
        for (path, count) in &self.paths {
            let mut names: Vec<&str> = path.split(';').collect();
            if let Some(last) = names.last() {
                found.entry(last).or_default().0 += count;
            }
            names.sort_unstable();
            names.dedup();
            for name in names {
                found.entry(name).or_default().1 += count;
            }
        }
        let function =
            |(name, (own, total)): (&str, (f64, f64))| Function { name: name.to_owned(), own, total };
        let mut functions: Vec<Function> = found.into_iter().map(function).collect();
        functions.sort_by(|one, other| other.own.total_cmp(&one.own).then(one.name.cmp(&other.name)));
        functions
    }

    /// Own work by module: the first two names of a path, as in `search::picker`.
    pub fn modules(&self) -> Vec<(String, f64)> {
        let mut found: BTreeMap<String, f64> = BTreeMap::new();
        for function in self.functions() {
            let mut words = function.name.split("::");
            let module = match (words.next(), words.next(), words.next()) {
                (Some(first), Some(second), Some(_)) => format!("{first}::{second}"),
                (Some(first), Some(_), None) => first.to_owned(),
                _ => "other".to_owned(),
            };
            *found.entry(module).or_default() += function.own;
        }
        let mut modules: Vec<(String, f64)> = found.into_iter().collect();
        modules.sort_by(|one, other| other.1.total_cmp(&one.1));
        modules
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn shares_and_costs_come_from_samples_and_counts() {
        let data = json!({
            "series": "hce", "nodes": 1000, "quiescence": 400, "cpu_ns": 2_000_000.0, "wall_ns": 2_500_000.0,
            "samples": { "evaluation": 30, "nodes themselves": 10 },
            "entered": { "evaluation": 500, "nodes themselves": 1 },
        });
        let Value::Object(data) = data else { panic!() };
        let found = watch(&[Row { task: "x".to_owned(), data }], "hce").unwrap();
        let evaluation = &found.parts[0];
        assert_eq!((evaluation.phase, evaluation.share, evaluation.times), (Phase::Evaluation, 0.75, 500.0));
        // Three quarters of two milliseconds, five hundred times.
        assert_eq!(evaluation.each, Some(3000.0));
        assert_eq!(
            found.parts.iter().find(|part| part.phase == Phase::Node).map(|part| part.times),
            Some(600.0)
        );
        assert!(watch(&[], "hce").is_none());
    }

    #[test]
    fn functions_have_their_own_and_their_total() {
        let paths = BTreeMap::from([
            ("search::node::node".to_owned(), 2.0),
            ("search::node::node;eval::hce::sum::total".to_owned(), 6.0),
            ("search::node::node;eval::hce::sum::total;eval::hce::pawns::structure".to_owned(), 1.0),
        ]);
        let seen = Seen { paths, samples: 9.0 };
        let functions = seen.functions();
        assert_eq!(
            (functions[0].name.as_str(), functions[0].own, functions[0].total),
            ("eval::hce::sum::total", 6.0, 7.0)
        );
        assert_eq!(functions.iter().find(|f| f.name == "search::node::node").map(|f| f.total), Some(9.0));
        assert_eq!(seen.modules()[0], ("eval::hce".to_owned(), 7.0));
    }
}

//! How varied the human-like player opens: its games from the start beside the counts of real games.
//!
//! For each level, games of 6 plies from the start position, each with a seed of its own. The first moves of White and
//! the replies to the commonest first move are compared with the shares of the opening table by Pearson's chi-square
//! test; moves expected fewer than 5 times are pooled.

use chess::{Game, Move, Position};
use common::Random;
use eval::Evaluation;
use human_model::openings::{OpeningMove, Openings, RatingBand};
use human_model::oracle::PoolOracle;
use human_model::reply::{ReplyModel, Scale};
use kernel::clock::ManualClock;
use opponent::human_like::{HumanLikePlayer, Level};
use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::sync::Arc;

const LEVELS: [i64; 5] = [800, 1200, 1500, 2000, 2400];
const PLIES: usize = 6;
/// Below this expected count a chi-square cell says little.
const LEAST_EXPECTED: f64 = 5.0;

pub fn study(games: usize, seed: u64) -> Result<(), Box<dyn Error>> {
    let openings = Openings::shared()?;
    let player = HumanLikePlayer { model: ReplyModel::shared()?, openings, character: None };
    let mut oracle = PoolOracle::new(4, Arc::new(ManualClock::new()), &Evaluation::shipped())?;
    println!("level\tdifferent games\tposition\tmove: played, expected\tchi-square\tdegrees\tp");
    for points in LEVELS {
        let level = Level::new(points)?;
        let band = RatingBand::of(level.rating(), Scale::Lichess);
        let mut random = Random::new(seed ^ points as u64);
        let mut different = HashSet::new();
        let mut played: BTreeMap<Vec<u16>, BTreeMap<u16, usize>> = BTreeMap::new();
        for _ in 0..games {
            let mut game = Game::default();
            for _ in 0..PLIES {
                let choice = player.choose(&game, level, &[], &mut oracle, u64::MAX, &mut random);
                let mv = choice.ok_or("no move")?.mv;
                let before: Vec<u16> = game.moves().iter().map(|mv| mv.bits()).collect();
                *played.entry(before).or_default().entry(mv.bits()).or_default() += 1;
                game.play(mv)?;
            }
            different.insert(game.moves().to_vec());
        }
        let start = Position::default();
        let known = openings.moves(&start, band);
        report(points, different.len(), "start", &start, &known, played.get(&Vec::new()));
        if let Some(first) = known.first() {
            let after = start.after(first.mv);
            let name = format!("after {}", start.san(first.mv));
            let replies = openings.moves(&after, band);
            report(points, different.len(), &name, &after, &replies, played.get(&vec![first.mv.bits()]));
        }
    }
    Ok(())
}

fn report(
    level: i64,
    different: usize,
    name: &str,
    position: &Position,
    known: &[OpeningMove],
    played: Option<&BTreeMap<u16, usize>>,
) {
    let Some(played) = played else { return };
    let total: usize = played.values().sum();
    let count = |mv: Move| played.get(&mv.bits()).copied().unwrap_or(0);
    let cells: Vec<(f64, f64)> = known
        .iter()
        .map(|entry| (count(entry.mv) as f64, total as f64 * f64::from(entry.probability)))
        .collect();
    let (chi_square, degrees) = chi_square(&cells);
    let shown: Vec<String> = known
        .iter()
        .zip(&cells)
        .take(5)
        .map(|(entry, (seen, expected))| format!("{} {seen}, {expected:.1}", position.san(entry.mv)))
        .collect();
    let p = p_value(chi_square, degrees);
    println!("{level}\t{different}\t{name}\t{}\t{chi_square:.2}\t{degrees}\t{p:.3}", shown.join("; "));
}

/// Pearson's statistic and its degrees of freedom; rare cells are one.
fn chi_square(cells: &[(f64, f64)]) -> (f64, usize) {
    let (common, rare): (Vec<_>, Vec<_>) =
        cells.iter().copied().partition(|(_, expected)| *expected >= LEAST_EXPECTED);
    let pooled =
        rare.iter().fold((0.0, 0.0), |sum: (f64, f64), cell: &(f64, f64)| (sum.0 + cell.0, sum.1 + cell.1));
    let cells: Vec<(f64, f64)> = common.into_iter().chain((pooled.1 > 0.0).then_some(pooled)).collect();
    let sum = cells.iter().map(|(seen, expected)| (seen - expected).powi(2) / expected).sum();
    (sum, cells.len().saturating_sub(1))
}

/// The chance of a larger statistic, by the normal approximation of Wilson and Hilferty (1931).
fn p_value(chi_square: f64, degrees: usize) -> f64 {
    if degrees == 0 {
        return 1.0;
    }
    let k = degrees as f64;
    let z = ((chi_square / k).cbrt() - (1.0 - 2.0 / (9.0 * k))) / (2.0 / (9.0 * k)).sqrt();
    // The upper tail of the normal distribution (Abramowitz and Stegun 26.2.17).
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let series = t
        * (0.319_381_530
            + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let tail = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * series;
    if z >= 0.0 { tail } else { 1.0 - tail }
}

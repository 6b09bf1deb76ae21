//! What a file of games holds, and how its scores relate to its results.

use crate::filter::{Exclusion, exclusion};
use crate::game::{Ending, GameRecord, GameResult};
use std::fmt;

/// Width of a bar of the histogram, in centipawns, and how many on each side of nought.
const BAR: i32 = 50;
const BARS: usize = 20;
const WIDEST: usize = 50;

/// Counts of scores and results by score.
#[derive(Clone, Copy, Default)]
struct Bar {
    positions: u64,
    /// Of the side to move.
    half_points: u64,
    wins: u64,
}

pub struct Stats {
    games: u64,
    plies: u64,
    results: [u64; 3],
    endings: [u64; 4],
    kept: u64,
    excluded: [u64; 5],
    by_pieces: [u64; 33],
    bars: [Bar; 2 * BARS],
    /// Sums for the fit of the scale, in bins of one centipawn: positions and half points.
    fine: Vec<(u64, u64)>,
}

/// Scores beyond this do not take part in the fit.
const FITTED: i32 = 1000;

impl Default for Stats {
    fn default() -> Stats {
        Stats {
            games: 0,
            plies: 0,
            results: [0; 3],
            endings: [0; 4],
            kept: 0,
            excluded: [0; 5],
            by_pieces: [0; 33],
            bars: [Bar::default(); 2 * BARS],
            fine: vec![(0, 0); 2 * FITTED as usize + 1],
        }
    }
}

impl Stats {
    pub fn take(&mut self, game: &GameRecord) {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        self.results[game.result as usize] += 1;
        self.endings[game.ending as usize] += 1;
        game.walk(|position, ply| {
            if let Some(reason) = exclusion(position, ply) {
                self.excluded[reason as usize] += 1;
                return;
            }
            self.kept += 1;
            self.by_pieces[position.board().occupied().count().min(32) as usize] += 1;
            let half_points = u64::from(game.result.half_points(position.turn()));
            let score = i32::from(ply.score);
            let bar = (score.div_euclid(BAR) + BARS as i32).clamp(0, 2 * BARS as i32 - 1);
            let bar = &mut self.bars[bar as usize];
            bar.positions += 1;
            bar.half_points += half_points;
            bar.wins += u64::from(half_points == 2);
            if score.abs() <= FITTED {
                let bin = &mut self.fine[(score + FITTED) as usize];
                bin.0 += 1;
                bin.1 += half_points;
            }
        });
    }

    /// The centipawns that multiply the odds by e, by maximum likelihood: the root of the likelihood's slope, which
    /// falls in the scale's inverse, by bisection.
    pub fn scale(&self) -> Option<f64> {
        let slope = |inverse: f64| -> f64 {
            let bins = self.fine.iter().enumerate();
            bins.map(|(i, &(positions, half_points))| {
                let score = f64::from(i as i32 - FITTED);
                let expected = 1.0 / (1.0 + (-score * inverse).exp());
                score * (half_points as f64 / 2.0 - positions as f64 * expected)
            })
            .sum()
        };
        let (mut low, mut high) = (1e-5, 0.1);
        if self.kept == 0 || slope(low) <= 0.0 || slope(high) >= 0.0 {
            return None;
        }
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if slope(middle) > 0.0 { low = middle } else { high = middle }
        }
        Some(1.0 / low)
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |count: u64, of: u64| 100.0 * count as f64 / of.max(1) as f64;
        writeln!(
            f,
            "{} games, {} plies ({:.1} a game)",
            self.games,
            self.plies,
            self.plies as f64 / self.games.max(1) as f64
        )?;
        for result in [GameResult::WhiteWon, GameResult::Draw, GameResult::BlackWon] {
            let count = self.results[result as usize];
            writeln!(f, "  {result:?}: {count} ({:.1} %)", share(count, self.games))?;
        }
        for ending in Ending::ALL {
            let count = self.endings[ending as usize];
            writeln!(f, "  ended by {ending:?}: {count} ({:.1} %)", share(count, self.games))?;
        }
        writeln!(f, "{} positions kept ({:.1} %)", self.kept, share(self.kept, self.plies))?;
        for reason in Exclusion::ALL {
            let count = self.excluded[reason as usize];
            writeln!(f, "  excluded, {reason:?}: {count} ({:.1} %)", share(count, self.plies))?;
        }
        write!(f, "pieces on the board:")?;
        for (pieces, count) in self.by_pieces.iter().enumerate().filter(|(_, count)| **count > 0) {
            write!(f, " {pieces}: {:.1} %", share(*count, self.kept))?;
        }
        writeln!(f)?;
        match self.scale() {
            Some(scale) => writeln!(f, "scale: {scale:.1} centipawns multiply the odds by e")?,
            None => writeln!(f, "scale: too little to fit it")?,
        }
        writeln!(f, "score: positions, points and wins of the side to move")?;
        let most = self.bars.iter().map(|bar| bar.positions).max().unwrap_or(0).max(1);
        for (i, bar) in self.bars.iter().enumerate() {
            let low = (i as i32 - BARS as i32) * BAR;
            let points = share(bar.half_points, 2 * bar.positions);
            let length = (bar.positions as usize * WIDEST).div_ceil(most as usize);
            let wins = share(bar.wins, bar.positions);
            writeln!(f, "{low:6} {:9} {points:5.1} % {wins:5.1} % {}", bar.positions, "#".repeat(length))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Ply;
    use chess::{Color, Move, Position, Square};

    /// Games of one ply whose results follow a scale of 150 exactly.
    #[test]
    fn the_scale_of_made_up_results_is_found() {
        let mut stats = Stats::default();
        let mv = Move::normal(Square::wrapping(12), Square::wrapping(28));
        for score in (-600..=600).step_by(50) {
            let expected = 1.0 / (1.0 + (-f64::from(score) / 150.0).exp());
            for i in 0..1000 {
                let won = f64::from(i) < 1000.0 * expected;
                let result = if won { GameResult::won_by(Color::White) } else { GameResult::BlackWon };
                let plies = vec![Ply { mv, score: score as i16 }];
                stats.take(&GameRecord { start: Position::default(), plies, result, ending: Ending::Rules });
            }
        }
        let scale = stats.scale().unwrap();
        assert!((scale - 150.0).abs() < 1.0, "{scale}");
        assert!(stats.to_string().contains("25000 positions kept (100.0 %)"), "{stats}");
    }

    #[test]
    fn an_empty_file_is_no_disaster() {
        assert!(Stats::default().to_string().contains("too little to fit"));
    }
}

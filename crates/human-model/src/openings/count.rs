//! Counts games into an opening table.

use super::rating_band::RatingBand;
use super::table::{self, Line, Results, squares};
use crate::dataset::GameRecord;
use crate::reply::Rating;
use chess::{Position, polyglot};
use std::collections::BTreeMap;

/// Plies of each game that are counted.
const DEPTH: usize = 16;
/// Games that must have passed for a position to be kept, and times a move must have been played.
const FEWEST_GAMES: u32 = 80;
const FEWEST_MOVES: u32 = 3;

/// Games of one level with a move, and how they ended.
#[derive(Clone, Copy, Default)]
struct Games {
    all: u32,
    /// Those whose result is known.
    ended: u32,
    white: u32,
    drawn: u32,
}

impl Games {
    fn add(&mut self, result: &str) {
        self.all += 1;
        self.ended += u32::from(["1-0", "0-1", "1/2-1/2"].contains(&result));
        self.white += u32::from(result == "1-0");
        self.drawn += u32::from(result == "1/2-1/2");
    }

    fn results(self) -> Option<Results> {
        let share =
            |games: u32| (200 * games + self.ended).checked_div(2 * self.ended).map(|share| share as u8);
        Some(Results { white: share(self.white)?, drawn: share(self.drawn)? })
    }
}

type Levels = [Games; RatingBand::COUNT];

#[derive(Default)]
pub struct Counter {
    counts: BTreeMap<u64, BTreeMap<(usize, usize), Levels>>,
}

impl Counter {
    /// Counts one game as far as its moves are legal. A side without a rating counts for nothing.
    pub fn add(&mut self, record: &GameRecord<'_>) {
        let mut position = Position::default();
        for (ply, text) in record.moves.split_whitespace().take(DEPTH).enumerate() {
            let Ok(mv) = position.parse_uci(text) else { return };
            if let Ok(rating) = Rating::new(record.ratings[ply % 2]) {
                let level = RatingBand::of(rating, record.source.scale());
                let moves = self.counts.entry(polyglot::key(&position)).or_default();
                moves.entry(squares(mv)).or_default()[level as usize].add(record.result);
            }
            position.play(mv);
        }
    }

    /// The bytes of the table: positions with enough games, moves played often enough.
    pub fn table(&self) -> Vec<u8> {
        let total = |counts: &Levels| counts.iter().map(|games| games.all).sum::<u32>();
        let kept =
            self.counts.iter().filter(|(_, moves)| moves.values().map(total).sum::<u32>() >= FEWEST_GAMES);
        table::write(kept.map(|(key, moves)| {
            let lines = moves.iter().filter(|(_, counts)| total(counts) >= FEWEST_MOVES);
            let line = |((from, to), counts): (&(usize, usize), &Levels)| Line {
                from: *from as u8,
                to: *to as u8,
                // The commonest move of the data, 1. e4, is far from 65,535 at any one level.
                counts: counts.map(|games| u16::try_from(games.all).unwrap_or(u16::MAX)),
                results: counts.map(Games::results),
            };
            (*key, lines.map(line).collect())
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Openings;
    use super::*;

    fn line(elo: &str, moves: &str, result: &str) -> String {
        format!(
            "lichess-rapid\t0000000001\t0000000002\t{elo}\t{elo}\t600+0\t-\t{result}\t-\t-\t{moves}\t-\t-"
        )
    }

    #[test]
    fn counts_come_back_by_level() {
        let mut counter = Counter::default();
        for (times, elo, moves) in
            [(60, "1100", "e2e4 e7e5"), (30, "1100", "d2d4 d7d5"), (90, "1900", "d2d4 g8f6")]
        {
            for time in 0..times {
                let result = ["1-0", "1-0", "0-1", "1/2-1/2", "1-0"][time % 5];
                counter.add(&GameRecord::parse(&line(elo, moves, result)).unwrap());
            }
        }
        counter.add(&GameRecord::parse(&line("1900", "a2a4", "0-1")).unwrap());
        counter.add(&GameRecord::parse(&line("1100", "e2e4", "*")).unwrap());
        for _ in 0..90 {
            counter.add(&GameRecord::parse(&line("1500", "g1f3", "*")).unwrap());
        }
        let table = Openings::from_bytes(&counter.table()).unwrap();
        let shares = |level| -> Vec<(String, u32)> {
            let moves = table.moves(&Position::default(), level);
            moves.iter().map(|entry| (format!("{:?}", entry.mv), entry.count)).collect()
        };
        let count = |level, text: &str| {
            shares(level).iter().find(|(mv, _)| mv == text).map_or(0, |(_, count)| *count)
        };
        assert_eq!(count(RatingBand::OnlineBelow1200, "e2e4"), 61);
        assert_eq!(count(RatingBand::OnlineBelow1200, "d2d4"), 30);
        assert_eq!(count(RatingBand::OnlineBelow2000, "d2d4"), 90);
        assert_eq!(count(RatingBand::OnlineBelow2000, "e2e4"), 0);
        let results = |level, text: &str| {
            let moves = table.moves(&Position::default(), level);
            let entry = moves.iter().find(|entry| format!("{:?}", entry.mv) == text)?;
            entry.results.map(|found| (found.white, found.drawn))
        };
        assert_eq!(results(RatingBand::OnlineBelow1200, "e2e4"), Some((60, 20)));
        assert_eq!(results(RatingBand::OnlineBelow2000, "d2d4"), Some((60, 20)));
        assert_eq!(results(RatingBand::OnlineBelow2000, "e2e4"), None, "no game");
        assert_eq!(results(RatingBand::OnlineBelow1600, "g1f3"), None, "no result");
        // Only 1. d4 was seen often enough for its replies to be kept.
        assert_eq!(table.positions(), 2);
    }
}

//! Counts games into an opening table.

use super::rating_band::RatingBand;
use super::table::{self, Line, squares};
use crate::dataset::GameRecord;
use crate::reply::Rating;
use chess::{Position, polyglot};
use std::collections::BTreeMap;

/// Plies of each game that are counted.
const DEPTH: usize = 16;
/// Games that must have passed for a position to be kept, and times a move must have been played.
const FEWEST_GAMES: u32 = 80;
const FEWEST_MOVES: u32 = 3;

#[derive(Default)]
pub struct Counter {
    counts: BTreeMap<u64, BTreeMap<(usize, usize), [u32; RatingBand::COUNT]>>,
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
                moves.entry(squares(mv)).or_default()[level as usize] += 1;
            }
            position.play(mv);
        }
    }

    /// The bytes of the table: positions with enough games, moves played often enough.
    pub fn table(&self) -> Vec<u8> {
        let total = |counts: &[u32; RatingBand::COUNT]| counts.iter().sum::<u32>();
        let kept =
            self.counts.iter().filter(|(_, moves)| moves.values().map(total).sum::<u32>() >= FEWEST_GAMES);
        table::write(kept.map(|(key, moves)| {
            let lines = moves.iter().filter(|(_, counts)| total(counts) >= FEWEST_MOVES);
            let line = |((from, to), counts): (&(usize, usize), &[u32; RatingBand::COUNT])| Line {
                from: *from as u8,
                to: *to as u8,
                // The commonest move of the data, 1. e4, is far from 65,535 at any one level.
                counts: counts.map(|count| u16::try_from(count).unwrap_or(u16::MAX)),
            };
            (*key, lines.map(line).collect())
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::Openings;
    use super::*;

    fn line(elo: &str, moves: &str) -> String {
        format!("lichess-rapid\t0000000001\t0000000002\t{elo}\t{elo}\t600+0\t-\t*\t-\t-\t{moves}\t-\t-")
    }

    #[test]
    fn counts_come_back_by_level() {
        let mut counter = Counter::default();
        for (times, elo, moves) in
            [(60, "1100", "e2e4 e7e5"), (30, "1100", "d2d4 d7d5"), (90, "1900", "d2d4 g8f6")]
        {
            for _ in 0..times {
                counter.add(&GameRecord::parse(&line(elo, moves)).unwrap());
            }
        }
        counter.add(&GameRecord::parse(&line("1900", "a2a4")).unwrap());
        let table = Openings::from_bytes(&counter.table()).unwrap();
        let shares = |level| -> Vec<(String, u32)> {
            let moves = table.moves(&Position::default(), level);
            moves.iter().map(|entry| (format!("{:?}", entry.mv), entry.count)).collect()
        };
        assert_eq!(shares(RatingBand::OnlineBelow1200), [("e2e4".into(), 60), ("d2d4".into(), 30)]);
        assert_eq!(shares(RatingBand::OnlineBelow2000), [("d2d4".into(), 90), ("e2e4".into(), 0)]);
        // Only 1. d4 was seen often enough for its replies to be kept.
        assert_eq!(table.positions(), 2);
    }
}

//! Games at a byte a move: the number of the move among the legal ones, in the order of policy indices.
//!
//! A packed game is a header of 18 bytes (source, bucket of White, of Black, result, whether clocks follow, increment;
//! then 16-bit words, little end first: both ratings, base time, both players' number of games, plies), a byte for each
//! ply, and where known the clock after each ply in tenths of a second, 16 bits.

use super::move_order::ordered_moves;
use super::record::{GameRecord, PlayerId, RecordError, Source};
use crate::reply::{Circumstances, Clocks, Rating, TimeControl};
use chess::Position;
use std::collections::{HashMap, HashSet};

pub const HEADER: usize = 18;
/// A base time or a clock nobody wrote down.
pub const UNKNOWN: u16 = u16::MAX;
/// Shorter games say nothing about their players.
const SHORTEST: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    pub games: usize,
    pub plies: usize,
    pub duplicates: usize,
    pub too_short: usize,
    pub refused: usize,
    /// Cut before a move that is not legal.
    pub cut: usize,
}

/// First tell it every line's players, then pack line by line: a game's header holds how often its players appear.
#[derive(Default)]
pub struct Packer<'a> {
    games_of: HashMap<PlayerId, u16>,
    seen: HashSet<([PlayerId; 2], &'a str)>,
    tally: Tally,
}

impl<'a> Packer<'a> {
    pub fn count_players(&mut self, line: &'a str) {
        for id in line.split('\t').skip(1).take(2).filter_map(PlayerId::parse) {
            let games = self.games_of.entry(id).or_default();
            *games = games.saturating_add(1);
        }
    }

    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// Appends the game to `out`, or leaves it out and counts why.
    pub fn pack(&mut self, line: &'a str, out: &mut Vec<u8>) -> Result<(), RecordError> {
        let record = GameRecord::parse(line).inspect_err(|_| self.tally.refused += 1)?;
        if !self.seen.insert((record.players, record.moves)) {
            self.tally.duplicates += 1;
            return Ok(());
        }
        let (numbers, whole) = move_numbers(record.moves);
        self.tally.cut += usize::from(!whole);
        if numbers.len() < SHORTEST {
            self.tally.too_short += 1;
            return Ok(());
        }
        let clocks = record.clocks.and_then(|list| tenths(list, numbers.len()));
        let increment = record.time_control.map_or(0.0, |control| control.increment_seconds);
        let base = record.time_control.map_or(UNKNOWN, |control| control.base_seconds as u16);
        let [white, black] = record.players;
        out.extend([record.source as u8, white.bucket(), black.bucket(), result(record.result)]);
        out.extend([u8::from(clocks.is_some()), increment as u8]);
        let games = |id| self.games_of.get(id).copied().unwrap_or(1);
        let plies = numbers.len() as u16;
        for word in [record.ratings[0], record.ratings[1], base, games(&white), games(&black), plies] {
            out.extend(word.to_le_bytes());
        }
        self.tally.games += 1;
        self.tally.plies += numbers.len();
        out.extend(numbers);
        out.extend(clocks.unwrap_or_default().into_iter().flat_map(u16::to_le_bytes));
        Ok(())
    }
}

/// Points of White times two; 3 where nobody knows.
fn result(text: &str) -> u8 {
    match text {
        "1-0" => 2,
        "0-1" => 0,
        "1/2-1/2" => 1,
        _ => 3,
    }
}

/// The moves as numbers, as far as they are legal, and whether that was all of them.
fn move_numbers(moves: &str) -> (Vec<u8>, bool) {
    let mut position = Position::default();
    let mut numbers = Vec::new();
    // A game longer than 16 bits can count is not a game.
    for text in moves.split_whitespace().take(usize::from(u16::MAX)) {
        let Ok(mv) = position.parse_uci(text) else { return (numbers, false) };
        let Some(number) = ordered_moves(&position).iter().position(|legal| *legal == mv) else {
            return (numbers, false);
        };
        numbers.push(number as u8);
        position.play(mv);
    }
    (numbers, true)
}

/// Centiseconds to tenths; nothing unless there is an entry for every ply.
fn tenths(list: &str, plies: usize) -> Option<Vec<u16>> {
    let parse = |text: &str| text.parse::<u32>().map_or(UNKNOWN, |centis| (centis / 10).min(65534) as u16);
    let clocks: Vec<u16> = list.split(',').take(plies).map(parse).collect();
    (clocks.len() == plies).then_some(clocks)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedGame<'a> {
    pub header: &'a [u8; HEADER],
    pub numbers: &'a [u8],
    /// Two bytes a ply, or empty.
    pub clocks: &'a [u8],
}

impl PackedGame<'_> {
    fn word(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.header[at], self.header[at + 1]])
    }

    /// White's and Black's, 0 to 99: who may learn from the game.
    pub fn buckets(&self) -> [u8; 2] {
        [self.header[1], self.header[2]]
    }

    /// What is known of the player who moves at a ply; `None` without a rating.
    pub fn circumstances(&self, ply: usize) -> Option<Circumstances> {
        let rating = |side: usize| Rating::new(self.word(6 + 2 * (side % 2))).ok();
        let base = self.base_seconds();
        let time_control = (base != UNKNOWN).then(|| TimeControl {
            base_seconds: f32::from(base),
            increment_seconds: f32::from(self.header[5]),
        });
        let seconds = |back: usize| match (self.clocks.is_empty(), ply.checked_sub(back)) {
            (true, _) => None,
            (_, None) => time_control.map(|control| control.base_seconds),
            (_, Some(at)) => {
                Some(self.clock_after(at)).filter(|t| *t != UNKNOWN).map(|t| f32::from(t) / 10.0)
            }
        };
        Some(Circumstances {
            rating: rating(ply)?,
            scale: Source::numbered(self.header[0])?.scale(),
            opponent: rating(ply + 1),
            time_control,
            clocks: seconds(2)
                .zip(seconds(1))
                .map(|(own_seconds, opponent_seconds)| Clocks { own_seconds, opponent_seconds }),
        })
    }

    pub fn base_seconds(&self) -> u16 {
        self.word(10)
    }

    /// The clock after a ply, in tenths.
    pub fn clock_after(&self, ply: usize) -> u16 {
        let (clocks, _) = self.clocks.as_chunks::<2>();
        clocks.get(ply).map_or(UNKNOWN, |bytes| u16::from_le_bytes(*bytes))
    }
}

/// Walks a packed file. The error is the offset of a game that runs past the end.
pub fn unpack(bytes: &[u8]) -> impl Iterator<Item = Result<PackedGame<'_>, usize>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let at = bytes.len() - rest.len();
        let game = next_game(&mut rest);
        if game.is_none() {
            rest = &[];
        }
        Some(game.ok_or(at))
    })
}

fn next_game<'a>(rest: &mut &'a [u8]) -> Option<PackedGame<'a>> {
    let (header, body) = rest.split_first_chunk::<HEADER>()?;
    let plies = usize::from(u16::from_le_bytes([header[16], header[17]]));
    let (numbers, body) = body.split_at_checked(plies)?;
    let (clocks, body) = body.split_at_checked(if header[4] != 0 { 2 * plies } else { 0 })?;
    *rest = body;
    Some(PackedGame { header, numbers, clocks })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: &str = include_str!("../../tests/data/made-up.tsv");

    fn packed(text: &str) -> (Vec<u8>, Tally) {
        let mut packer = Packer::default();
        let mut out = Vec::new();
        text.lines().for_each(|line| packer.count_players(line));
        text.lines().for_each(|line| packer.pack(line, &mut out).unwrap());
        (out, packer.tally())
    }

    #[test]
    fn packing_keeps_every_move() {
        let (bytes, tally) = packed(GAMES);
        assert_eq!((tally.games, tally.cut, tally.duplicates), (6, 0, 0));
        for (game, line) in unpack(&bytes).zip(GAMES.lines()) {
            let mut position = Position::default();
            let mut moves = Vec::new();
            for number in game.unwrap().numbers {
                let mv = ordered_moves(&position)[usize::from(*number)];
                moves.push(position.uci(mv, false).to_string());
                position.play(mv);
            }
            assert_eq!(moves.join(" "), line.split('\t').nth(10).unwrap());
        }
    }

    #[test]
    fn circumstances_come_back() {
        let line = "lichess-clock\t0000000001\t0000000002\t1500\t?\t60+2\t-\t*\t-\t-\te2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6\t5990,5980,5970,5960,5950,5940,5930,5920\t-";
        let (bytes, _) = packed(line);
        let game = unpack(&bytes).next().unwrap().unwrap();
        assert_eq!(game.buckets(), [1, 2]);
        let white = game.circumstances(4).unwrap();
        assert_eq!((white.rating.points(), white.opponent), (1500, None));
        assert_eq!(white.time_control, Some(TimeControl { base_seconds: 60.0, increment_seconds: 2.0 }));
        assert_eq!(white.clocks, Some(Clocks { own_seconds: 59.7, opponent_seconds: 59.6 }));
        assert_eq!(game.circumstances(0).unwrap().clocks.unwrap().own_seconds, 60.0);
        assert_eq!(game.circumstances(3), None, "Black has no rating");
    }

    #[test]
    fn a_game_twice_counts_once() {
        let (once, _) = packed(GAMES);
        let (twice, tally) = packed(&GAMES.repeat(2));
        assert_eq!(tally.duplicates, 6);
        assert_eq!(once.len(), twice.len());
    }

    #[test]
    fn an_illegal_move_cuts_the_game() {
        let (bytes, tally) = packed(&GAMES.replace("c2c3 e8g8", "c2c3 e8c8"));
        assert_eq!(tally.cut, 1);
        assert_eq!(unpack(&bytes).next().unwrap().unwrap().numbers.len(), 15);
    }

    #[test]
    fn a_torn_file_is_noticed() {
        let (bytes, _) = packed(GAMES);
        let last = unpack(&bytes[..bytes.len() - 1]).last().unwrap();
        assert!(last.is_err());
    }
}

//! The table on disk and in memory.
//!
//! `TBYOPEN2`, then for each position, in order of keys: the PolyGlot key (64 bits), the number of moves (8 bits), and
//! for each move its from-square, to-square (8 bits each), its count at every level (16 bits), and for each level with at
//! least 10 games how many of 100 White won and how many were drawn (8 bits each, 255 where no result is known). Little end
//! first.

use super::rating_band::RatingBand;
use chess::board::Castling;
use chess::{Move, Position, polyglot};
use std::fmt;
use std::sync::OnceLock;

const MAGIC: &[u8; 8] = b"TBYOPEN2";
/// Bytes of one move before its results: two squares and the counts.
const MOVE: usize = 2 + 2 * RatingBand::COUNT;
/// Games from which on results are kept: of fewer they say nothing.
const FEWEST_RESULTS: u16 = 10;
const UNKNOWN: u8 = u8::MAX;
/// Weight of the counts of all bands together, in games: smooths bands with few games.
const PRIOR: f32 = 20.0;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TableError {
    NotATable,
    /// The position at this byte runs past the end.
    Torn {
        at: usize,
    },
    /// Keys must rise.
    Order {
        at: usize,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::NotATable => f.write_str("not an opening table: it does not begin with TBYOPEN2"),
            TableError::Torn { at } => {
                write!(f, "opening table: the position at byte {at} runs past the end")
            }
            TableError::Order { at } => {
                write!(f, "opening table: the key at byte {at} is not above the one before")
            }
        }
    }
}

impl std::error::Error for TableError {}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OpeningMove {
    pub mv: Move,
    /// Times played in the band asked for.
    pub count: u32,
    /// The share in that band, smoothed with the counts of all bands.
    pub probability: f32,
    /// How the games of that band ended; `None` where there are too few.
    pub results: Option<Results>,
}

/// How many of 100 games ended so; Black won the rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Results {
    pub white: u8,
    pub drawn: u8,
}

/// One entry: squares as White counts them (promotions do not happen this early) and counts by level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub from: u8,
    pub to: u8,
    pub counts: [u16; RatingBand::COUNT],
    pub results: [Option<Results>; RatingBand::COUNT],
}

pub struct Openings {
    keys: Vec<u64>,
    /// Where each position's lines begin; one more entry than there are keys.
    starts: Vec<usize>,
    lines: Vec<Line>,
}

static SHIPPED: &[u8] = include_bytes!("../../weights/openings.bin");

impl Openings {
    /// The shipped table, read once for the whole program.
    pub fn shared() -> Result<&'static Openings, TableError> {
        static SHARED: OnceLock<Result<Openings, TableError>> = OnceLock::new();
        SHARED.get_or_init(Openings::shipped).as_ref().map_err(Clone::clone)
    }

    /// The table that comes with the program.
    pub fn shipped() -> Result<Openings, TableError> {
        Openings::from_bytes(SHIPPED)
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Openings, TableError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(TableError::NotATable)?;
        let mut table = Openings { keys: Vec::new(), starts: vec![0], lines: Vec::new() };
        while !rest.is_empty() {
            let at = bytes.len() - rest.len();
            let torn = TableError::Torn { at };
            let (key, body) = rest.split_first_chunk::<8>().ok_or(torn.clone())?;
            let (count, mut body) = body.split_first().ok_or(torn.clone())?;
            let key = u64::from_le_bytes(*key);
            if table.keys.last().is_some_and(|last| *last >= key) {
                return Err(TableError::Order { at });
            }
            table.keys.push(key);
            for _ in 0..*count {
                let (line, next) = read_line(body).ok_or(torn.clone())?;
                table.lines.push(line);
                body = next;
            }
            table.starts.push(table.lines.len());
            rest = body;
        }
        Ok(table)
    }

    pub fn positions(&self) -> usize {
        self.keys.len()
    }

    /// What people of a band play here, most popular first; empty where there are too few games.
    pub fn moves(&self, position: &Position, level: RatingBand) -> Vec<OpeningMove> {
        let lines = self.lines(position);
        let level = level as usize;
        let at_level: f32 = lines.iter().map(|line| f32::from(line.counts[level])).sum();
        let everybody: f32 = lines.iter().map(|line| line.total() as f32).sum();
        let mut moves: Vec<OpeningMove> = lines
            .iter()
            .filter_map(|line| {
                let count = line.counts[level];
                let prior = line.total() as f32 / everybody;
                let probability = (f32::from(count) + PRIOR * prior) / (at_level + PRIOR);
                let results = line.results[level];
                Some(OpeningMove { mv: line.find(position)?, count: u32::from(count), probability, results })
            })
            .collect();
        moves.sort_by(|a, b| b.probability.total_cmp(&a.probability).then(a.mv.bits().cmp(&b.mv.bits())));
        moves
    }

    fn lines(&self, position: &Position) -> &[Line] {
        match self.keys.binary_search(&polyglot::key(position)) {
            Ok(found) => &self.lines[self.starts[found]..self.starts[found + 1]],
            Err(_) => &[],
        }
    }
}

impl Line {
    pub fn total(&self) -> u32 {
        self.counts.iter().map(|count| u32::from(*count)).sum()
    }

    /// Two positions can share a hash key: only a legal move counts.
    fn find(&self, position: &Position) -> Option<Move> {
        let ends = (usize::from(self.from), usize::from(self.to));
        position.legal_moves().as_slice().iter().copied().find(|mv| squares(*mv) == ends)
    }
}

/// From and to squares; castling as the move of the king by 2 squares.
pub(super) fn squares(mv: Move) -> (usize, usize) {
    let to = if mv.is_castling() { Castling::of(mv.from(), mv.to()).king_to } else { mv.to() };
    (mv.from().index(), to.index())
}

/// A move and what follows it; `None` where the bytes end within it.
fn read_line(bytes: &[u8]) -> Option<(Line, &[u8])> {
    let (fixed, mut rest) = bytes.split_first_chunk::<MOVE>()?;
    let (words, _) = fixed[2..].as_chunks::<2>();
    let mut line = Line {
        from: fixed[0],
        to: fixed[1],
        counts: [0; RatingBand::COUNT],
        results: [None; RatingBand::COUNT],
    };
    for (level, word) in words.iter().enumerate() {
        line.counts[level] = u16::from_le_bytes(*word);
        if line.counts[level] >= FEWEST_RESULTS {
            let ([white, drawn], next) = rest.split_first_chunk::<2>()?;
            line.results[level] = (*white != UNKNOWN).then_some(Results { white: *white, drawn: *drawn });
            rest = next;
        }
    }
    Some((line, rest))
}

/// The file's bytes; `positions` in order of keys.
pub(super) fn write(positions: impl Iterator<Item = (u64, Vec<Line>)>) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    for (key, lines) in positions {
        out.extend(key.to_le_bytes());
        out.push(lines.len() as u8);
        for line in lines {
            out.extend([line.from, line.to]);
            out.extend(line.counts.iter().flat_map(|count| count.to_le_bytes()));
            for (count, results) in line.counts.iter().zip(line.results) {
                let Results { white, drawn } = results.unwrap_or(Results { white: UNKNOWN, drawn: UNKNOWN });
                out.extend([white, drawn].iter().filter(|_| *count >= FEWEST_RESULTS));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_opens_the_game() {
        let table = Openings::shipped().unwrap();
        let start = Position::default();
        for level in [RatingBand::OnlineBelow1200, RatingBand::FideFrom2400] {
            let moves = table.moves(&start, level);
            let sum: f32 = moves.iter().map(|entry| entry.probability).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{level:?}: {sum}");
            assert!(moves.len() >= 10, "{level:?}: {} first moves", moves.len());
        }
        // Beginners answer 1. e4 with 1... e5 more often than masters, who like the Sicilian.
        let after = start.after(start.parse_uci("e2e4").unwrap());
        let share = |level, text| {
            let mv = after.parse_uci(text).unwrap();
            table.moves(&after, level).iter().find(|entry| entry.mv == mv).unwrap().probability
        };
        assert!(share(RatingBand::OnlineBelow1200, "e7e5") > share(RatingBand::FideFrom2400, "e7e5"));
        assert!(share(RatingBand::FideFrom2400, "c7c5") > share(RatingBand::OnlineBelow1200, "c7c5"));
    }

    #[test]
    fn an_unknown_position_has_no_entry() {
        let ending = Position::from_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1").unwrap();
        assert!(Openings::shipped().unwrap().moves(&ending, RatingBand::OnlineBelow1200).is_empty());
    }

    #[test]
    fn results_come_back_where_there_are_enough_games() {
        let mut line =
            Line { from: 12, to: 28, counts: [3; RatingBand::COUNT], results: [None; RatingBand::COUNT] };
        line.counts[2] = 10;
        line.results[2] = Some(Results { white: 40, drawn: 35 });
        let bytes = write(std::iter::once((1, vec![line])));
        assert_eq!(Openings::from_bytes(&bytes).unwrap().lines, [line]);
        let torn = Openings::from_bytes(&bytes[..bytes.len() - 1]).err();
        assert_eq!(torn, Some(TableError::Torn { at: 8 }), "half of the results");
    }

    #[test]
    fn damage_is_named() {
        let none = [None; RatingBand::COUNT];
        let line = Line { from: 12, to: 28, counts: [1; RatingBand::COUNT], results: none };
        let two = |first, second| write([(first, vec![line]), (second, vec![line])].into_iter());
        assert_eq!(Openings::from_bytes(&two(1, 2)).map(|table| table.positions()), Ok(2));
        assert_eq!(Openings::from_bytes(&two(2, 1)).err(), Some(TableError::Order { at: 8 + 9 + MOVE }));
        assert_eq!(Openings::from_bytes(&two(1, 2)[..40]).err(), Some(TableError::Torn { at: 8 + 9 + MOVE }));
        assert_eq!(Openings::from_bytes(b"something").err(), Some(TableError::NotATable));
    }
}

//! End-game tables: kings and at most one pawn, solved.
//!
//! A value is one byte: the plies until a king is zapped when the winner hurries and the loser delays, odd if the side
//! to move wins and even if it loses; nothing forced is a draw.
//!
//! The rules know no forward and no colour, so a position is stored as its mover sees it, turned and mirrored until the
//! mover's king stands in one of ten squares. Ko is part of a position: it forbids one reply, and what that reply is
//! takes one of at most eight values (two pairs of neighbouring enemies, four empty squares beside both). Two pawns
//! would be 1.2 thousand million positions before Ko, four times the space and thousands of times the work of one: see
//! `results/laser/endgame.md`.

use std::fmt;

use laser::{Bitboard, Colour, Kind, Move, Orientation, Piece, Position, Square};

/// Nothing decided: a draw once the table is complete.
const UNDECIDED: u8 = 0;
/// No such position.
const INVALID: u8 = u8::MAX;
/// The last layer that a byte can hold.
const LAST_LAYER: u8 = 252;

/// Squares of the mover's king after turning and mirroring.
const TRIANGLE: usize = 10;
const KINGS: usize = TRIANGLE * 64 * 16;
const PAWN_PLACES: usize = 64 * 4;
/// No Ko, or one of two pairs of neighbours and of four squares beside both.
const KO_STATES: usize = 1 + 2 * 4;

const MAGIC: &[u8; 8] = b"TABLEG01";
const HEADER: usize = 16;

/// What a table says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndgameResult {
    /// The side to move zaps the king in so many plies.
    Win(u8),
    /// The side to move loses its king in so many plies.
    Loss(u8),
    Draw,
}

/// Why bytes are no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndgameError {
    /// The first bytes are not a table's.
    Foreign,
    Pawns(u8),
    Length {
        found: usize,
        expected: usize,
    },
}

impl fmt::Display for EndgameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndgameError::Foreign => f.write_str("not an end-game table: it does not begin with TABLEG01"),
            EndgameError::Pawns(found) => write!(f, "tables for {found} pawns, expected 0 or 1"),
            EndgameError::Length { found, expected } => {
                let what = if found < expected { "truncated" } else { "too long" };
                write!(f, "{what}: {found} bytes, expected {expected}")
            }
        }
    }
}

impl std::error::Error for EndgameError {}

/// The tables of up to so many pawns, complete or in the making.
#[derive(Clone)]
pub struct Endgame {
    pawns: u8,
    /// Layers done: every value up to this is known.
    layers: u8,
    /// The layers since the last that decided anything.
    idle_layers: u8,
    values: Vec<u8>,
}

impl fmt::Debug for Endgame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endgame")
            .field("pawns", &self.pawns)
            .field("layers", &self.layers)
            .finish_non_exhaustive()
    }
}

/// Turning and mirroring: files, then ranks, then the diagonal.
#[derive(Clone, Copy, Debug)]
struct Symmetry {
    files: bool,
    ranks: bool,
    diagonal: bool,
}

impl Symmetry {
    /// What brings a square into the triangle a0-d0-d3.
    #[inline]
    fn to_triangle(square: Square) -> Symmetry {
        let (files, ranks) = (square.file() > 3, square.rank() > 3);
        let file = if files { 7 - square.file() } else { square.file() };
        let rank = if ranks { 7 - square.rank() } else { square.rank() };
        Symmetry { files, ranks, diagonal: rank > file }
    }

    #[inline]
    fn square(self, square: Square) -> usize {
        let mut index = square.index();
        index ^= if self.files { 7 } else { 0 };
        index ^= if self.ranks { 56 } else { 0 };
        if self.diagonal { (index & 7) << 3 | index >> 3 } else { index }
    }

    #[inline]
    fn king(self, facing: Orientation) -> usize {
        let mut number = facing.number();
        number = if self.files { 4 - number } else { number };
        number = if self.ranks { 6 - number } else { number };
        number = if self.diagonal { 9 - number } else { number };
        usize::from(number & 3)
    }

    #[inline]
    fn pawn(self, orientation: Orientation) -> usize {
        let mut number = orientation.number();
        number = if self.files { 5 - number } else { number };
        number = if self.ranks { 7 - (number & 3) } else { number };
        number = if self.diagonal { 6 - (number & 3) } else { number };
        usize::from(number & 3)
    }
}

/// The single pawn, if there is one.
fn pawn_of(position: &Position) -> Option<Square> {
    Colour::ALL.into_iter().find_map(|colour| position.pawns(colour).first())
}

/// The neighbouring enemies that a Ko can be about: king and king, then king and pawn.
fn ko_pairs(position: &Position) -> [Option<(Square, Square)>; 2] {
    let side = position.side_to_move();
    let (own, other) = (position.king(side), position.king(!side));
    let beside = |pair: (Square, Square)| Bitboard::neighbours(pair.0).contains(pair.1);
    let with_pawn = match (position.pawns(side).first(), position.pawns(!side).first()) {
        (Some(pawn), _) => Some(pawn).zip(other),
        (None, Some(pawn)) => own.zip(Some(pawn)),
        (None, None) => None,
    };
    [own.zip(other).filter(|&pair| beside(pair)), with_pawn.filter(|&pair| beside(pair))]
}

/// The empty squares beside both of a pair.
fn beside_both(position: &Position, (from, middle): (Square, Square)) -> Bitboard {
    Bitboard::neighbours(from) & Bitboard::neighbours(middle) & !position.occupied()
}

/// The number of a Ko, 0 for none.
fn ko_state(position: &Position, symmetry: Symmetry, ko: Option<Move>) -> Option<usize> {
    let Some(ko) = ko else { return Some(0) };
    let about = (ko.from(), ko.via()?);
    let pair = ko_pairs(position).iter().position(|&pair| pair == Some(about))?;
    let target = symmetry.square(ko.to());
    let before =
        beside_both(position, about).into_iter().filter(|&square| symmetry.square(square) < target).count();
    (before < 4).then_some(1 + pair * 4 + before)
}

/// The Ko with a number from 0 in a position whose mover's king stands in the triangle; `None` if there is none such.
fn ko_numbered(position: &Position, number: usize) -> Option<Move> {
    let (from, middle) = (*ko_pairs(position).get(number / 4)?)?;
    let to = beside_both(position, (from, middle)).into_iter().nth(number % 4)?;
    let ko = Move::swap_step_unchecked(Move::swap_base(from, middle), middle, to);
    // An answer that zaps is no repetition, so it is not forbidden.
    let zaps = position.clone().play(ko).is_some();
    (!zaps).then_some(ko)
}

fn size(pawns: u8) -> usize {
    let places = if pawns == 0 { 1 } else { 1 + 2 * PAWN_PLACES };
    KINGS * places * KO_STATES
}

/// A square of the triangle by number, and back.
fn triangle_square(number: usize) -> Option<Square> {
    (0..4).flat_map(|file| (0..=file).filter_map(move |rank| Square::at(file, rank))).nth(number)
}

impl Endgame {
    /// Tables with everything still to be decided.
    pub fn new(pawns: u8) -> Result<Endgame, EndgameError> {
        if pawns > 1 {
            return Err(EndgameError::Pawns(pawns));
        }
        let mut values = vec![INVALID; size(pawns)];
        for (index, value) in values.iter_mut().enumerate() {
            if Endgame::position_at(index).is_some() {
                *value = UNDECIDED;
            }
        }
        Ok(Endgame { pawns, layers: 0, idle_layers: 0, values })
    }

    /// The most pawns on the board that these tables know.
    pub fn pawns(&self) -> u8 {
        self.pawns
    }

    /// Layers done so far.
    pub fn layers(&self) -> u8 {
        self.layers
    }

    /// A whole round of the sides without news: nothing will be decided any more.
    pub fn is_complete(&self) -> bool {
        self.idle_layers >= 2
    }

    /// Whether a position is small enough; says nothing of kings that are gone.
    #[inline]
    pub fn covers(&self, position: &Position) -> bool {
        position.occupied().len() <= 2 + u32::from(self.pawns)
    }

    /// What becomes of a position with best play on both sides, the quiet limit left aside. `None` if it is not covered.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<EndgameResult> {
        if !self.is_complete() || !self.covers(position) {
            return None;
        }
        let value = self.values[Endgame::index(position, position.ko_move())?];
        Some(match value {
            UNDECIDED | INVALID => EndgameResult::Draw,
            plies if plies % 2 == 1 => EndgameResult::Win(plies),
            plies => EndgameResult::Loss(plies),
        })
    }

    /// Where a position with this Ko is stored; `None` without both kings.
    #[inline]
    fn index(position: &Position, ko: Option<Move>) -> Option<usize> {
        let side = position.side_to_move();
        let (own, other) = (position.king(side)?, position.king(!side)?);
        let mirrors = position.mirrors();
        let symmetry = Symmetry::to_triangle(own);
        let here = symmetry.square(own);
        let (file, rank) = (here & 7, here >> 3);
        let mut index = file * (file + 1) / 2 + rank;
        index = index * 64 + symmetry.square(other);
        index = index * 4 + symmetry.king(mirrors.orientation_at(own));
        index = index * 4 + symmetry.king(mirrors.orientation_at(other));
        if let Some(pawn) = pawn_of(position) {
            let theirs = usize::from(position.pieces(!side).contains(pawn));
            let place = symmetry.square(pawn) * 4 + symmetry.pawn(mirrors.orientation_at(pawn));
            index = KINGS + (index * 2 + theirs) * PAWN_PLACES + place;
        }
        Some(index * KO_STATES + ko_state(position, symmetry, ko)?)
    }

    /// The position stored at an index, White to move, and its Ko.
    fn position_at(index: usize) -> Option<(Position, Option<Move>)> {
        let (mut rest, ko) = (index / KO_STATES, index % KO_STATES);
        let pawn = rest.checked_sub(KINGS).map(|with_pawn| {
            rest = with_pawn / PAWN_PLACES / 2;
            (with_pawn / PAWN_PLACES % 2, with_pawn % PAWN_PLACES)
        });
        let piece =
            |colour, kind, number: usize| Piece::new(colour, kind, Orientation::wrapping(number as u8));
        let own = triangle_square(rest / (16 * 64))?;
        let other = Square::from_index(rest / 16 % 64)?;
        let kings = [
            (own, piece(Colour::White, Kind::King, rest / 4)),
            (other, piece(Colour::Black, Kind::King, rest)),
        ];
        let pawn = pawn.and_then(|(theirs, place)| {
            let colour = if theirs == 0 { Colour::White } else { Colour::Black };
            Some((Square::from_index(place / 4)?, piece(colour, Kind::Pawn, place)))
        });
        let position = Position::of_pieces(Colour::White, kings.into_iter().chain(pawn))?;
        match ko.checked_sub(1) {
            None => Some((position, None)),
            Some(number) => Some((position, Some(ko_numbered(&position, number)?))),
        }
    }

    /// Decides the next layer; returns how many positions it decided. Odd layers find wins, even ones losses.
    pub fn advance(&mut self) -> usize {
        if self.is_complete() || self.layers >= LAST_LAYER {
            self.idle_layers = 2;
            return 0;
        }
        let layer = self.layers + 1;
        let mut decided = 0;
        for index in 0..self.values.len() {
            if self.values[index] == UNDECIDED
                && let Some((position, ko)) = Endgame::position_at(index)
                && self.holds(&position, ko, layer)
            {
                self.values[index] = layer;
                decided += 1;
            }
        }
        self.layers = layer;
        self.idle_layers = if decided == 0 { self.idle_layers + 1 } else { 0 };
        decided
    }

    /// Whether an undecided position is decided by this layer.
    fn holds(&self, position: &Position, ko: Option<Move>, layer: u8) -> bool {
        let winning = layer % 2 == 1;
        let (mut some, mut all) = (false, true);
        position.for_each_move(|mv| {
            if ko == Some(mv) || some || (!winning && !all) {
                return;
            }
            // From the mover: after how many plies the other side has lost (even) or won (odd).
            let next = position.after(mv);
            match next.winner() {
                Some(winner) if winner == position.side_to_move() => {
                    some |= layer == 1;
                    all = false;
                }
                Some(_) => {}
                None => {
                    let known = Endgame::index(&next, next.ko_move()).map_or(UNDECIDED, |at| self.values[at]);
                    some |= winning && known != UNDECIDED && known == layer - 1;
                    all &= known % 2 == 1 && known != INVALID;
                }
            }
        });
        if winning { some } else { all }
    }

    /// How many positions are won and lost in each number of plies, and how many are drawn.
    pub fn census(&self) -> Census {
        let mut census = Census::default();
        for &value in &self.values {
            match value {
                INVALID => {}
                UNDECIDED => census.draws += 1,
                plies => {
                    let plies = usize::from(plies);
                    if census.decided.len() <= plies {
                        census.decided.resize(plies + 1, 0);
                    }
                    census.decided[plies] += 1;
                }
            }
        }
        census
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + self.values.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&[self.pawns, self.layers, self.idle_layers, 0, 0, 0, 0, 0]);
        bytes.extend_from_slice(&self.values);
        bytes
    }

    /// Whether bytes begin as a table does.
    pub fn is_table(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Endgame, EndgameError> {
        if !Endgame::is_table(bytes) {
            return Err(EndgameError::Foreign);
        }
        let (Some(&[pawns, layers, idle_layers, ..]), Some(values)) =
            (bytes.get(8..HEADER), bytes.get(HEADER..))
        else {
            return Err(EndgameError::Length { found: bytes.len(), expected: HEADER + size(0) });
        };
        if pawns > 1 {
            return Err(EndgameError::Pawns(pawns));
        }
        let expected = HEADER + size(pawns);
        if bytes.len() != expected {
            return Err(EndgameError::Length { found: bytes.len(), expected });
        }
        Ok(Endgame { pawns, layers, idle_layers, values: values.to_vec() })
    }
}

/// What is in a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// By plies: odd wins, even losses.
    pub decided: Vec<usize>,
    pub draws: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bare kings, solved.
    fn kings() -> Endgame {
        let mut table = Endgame::new(0).unwrap();
        while !table.is_complete() {
            table.advance();
        }
        table
    }

    #[test]
    fn every_index_names_its_own_position() {
        let stride = 7919;
        for index in (0..size(1)).step_by(stride).chain(0..2000) {
            if let Some((position, ko)) = Endgame::position_at(index) {
                let back = Endgame::index(&position, ko);
                // A king on the diagonal is stored in two mirror images.
                assert_eq!(back, Some(index), "{position} {ko:?}");
            }
        }
    }

    #[test]
    fn turned_and_mirrored_positions_are_worth_the_same() {
        let table = kings();
        for (one, other) in [
            ("8/8/8/5nn2/8/2EE5/8/8 W", "8/8/8/2nn5/8/5WW2/8/8 W"),
            ("8/8/8/5nn2/8/2EE5/8/8 W", "8/8/2EE5/8/5ss2/8/8/8 W"),
            ("8/8/8/5nn2/8/2EE5/8/8 W", "8/8/8/5NN2/8/2ee5/8/8 B"),
            ("8/8/8/5nn2/8/2EE5/8/8 W", "8/8/4ee3/8/8/2NN5/8/8 W"),
        ] {
            let [one, other]: [Position; 2] = [one, other].map(|fen| fen.parse().unwrap());
            assert_eq!(table.probe(&one), table.probe(&other), "{one} {other}");
        }
    }

    /// A vector turned and mirrored.
    fn turned((mut x, mut y): (i32, i32), [files, ranks, diagonal]: [bool; 3]) -> (i32, i32) {
        x = if files { -x } else { x };
        y = if ranks { -y } else { y };
        if diagonal { (y, x) } else { (x, y) }
    }

    /// A position turned and mirrored, from the meaning of its orientations.
    fn image(position: &Position, how: [bool; 3]) -> Position {
        let facings = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        let corners = [(-1, 1), (1, 1), (1, -1), (-1, -1)];
        let pieces = position.occupied().into_iter().map(|square| {
            let piece = position.piece_at(square).unwrap();
            let vectors = if piece.is_king() { facings } else { corners };
            let vector = turned(vectors[usize::from(piece.orientation().number())], how);
            let number = vectors.iter().position(|&known| known == vector).unwrap();
            let (x, y) = turned((2 * square.file() - 7, 2 * square.rank() - 7), how);
            let place = Square::at(i32::midpoint(x, 7), i32::midpoint(y, 7)).unwrap();
            (place, Piece::new(piece.colour(), piece.kind(), Orientation::wrapping(number as u8)))
        });
        Position::of_pieces(position.side_to_move(), pieces.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn the_rules_and_the_index_do_not_mind_turning_and_mirroring() {
        let ways = (0..8).map(|bits| [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0]);
        for (how, index) in ways.cycle().zip((0..size(1)).step_by(99_991)) {
            let Some((position, None)) = Endgame::position_at(index) else { continue };
            let other = image(&position, how);
            let own = position.king(Colour::White).unwrap();
            // A king on a diagonal is stored in two mirror images.
            if own.file() != own.rank() {
                assert_eq!(Endgame::index(&other, None), Some(index), "{position} {other}");
            }
            // A king that is gone has no image here; what remains must agree.
            let both = |next: &Position| next.winner().is_none();
            let mut here: Vec<u64> = position
                .moves()
                .iter()
                .map(|&mv| position.after(mv))
                .filter(both)
                .map(|next| image(&next, how).key())
                .collect();
            let mut there: Vec<u64> =
                other.moves().iter().map(|&mv| other.after(mv)).filter(both).map(|next| next.key()).collect();
            here.sort_unstable();
            there.sort_unstable();
            assert_eq!(here, there, "{position} {other}");
        }
    }

    #[test]
    fn values_agree_with_those_of_the_moves() {
        let table = kings();
        for index in (0..size(0)).step_by(11) {
            let Some((position, None)) = Endgame::position_at(index) else { continue };
            let mut best = i32::MIN;
            for mv in position.moves() {
                let next = position.after(mv);
                let score = match next.winner() {
                    Some(Colour::White) => 999,
                    Some(Colour::Black) => -1000,
                    None => match table.probe(&next).unwrap() {
                        EndgameResult::Win(plies) => -(999 - i32::from(plies)),
                        EndgameResult::Loss(plies) => 999 - i32::from(plies),
                        EndgameResult::Draw => 0,
                    },
                };
                best = best.max(score);
            }
            let expected = match table.probe(&position).unwrap() {
                EndgameResult::Win(plies) => 1000 - i32::from(plies),
                EndgameResult::Loss(plies) => i32::from(plies) - 1000,
                EndgameResult::Draw => 0,
            };
            assert_eq!(best, expected, "{position}");
        }
    }

    #[test]
    fn a_table_survives_the_disk_and_damage_is_told() {
        let table = kings();
        let bytes = table.to_bytes();
        let read = Endgame::from_bytes(&bytes).unwrap();
        assert_eq!((read.census(), read.is_complete()), (table.census(), true));
        let error = Endgame::from_bytes(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
        assert!(error.starts_with("truncated: "), "{error}");
        assert_eq!(Endgame::from_bytes(b"TABLBK01").unwrap_err(), EndgameError::Foreign);
        assert!(Endgame::new(2).is_err());
    }
}

//! Fully legal move generation, in stages.
//!
//! One generator serves every use: it hands sets of destinations to a [`Sink`], which counts them, lists them or
//! scores them. Checks and pins are found once per position; after that every move handed out is legal.

mod generator;
mod legality;

pub(crate) use generator::Generator;

use crate::types::{Bitboard, Move, MoveList, PieceKind, Square};

/// Receives moves as sets of destinations.
pub trait Sink {
    /// A knight, bishop, rook, queen or king on `from` may go to any of `targets`.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Each of `targets` is reached by a pawn from `shift` squares below it.
    fn pawns(&mut self, targets: Bitboard, shift: i8);
    /// As `pawns`, on the last rank: each is four moves.
    fn promotions(&mut self, targets: Bitboard, shift: i8);
    /// Castling and en passant.
    fn special(&mut self, mv: Move);
}

/// Which moves to generate: `Noisy` and `Quiet` together are `Every` move, each once.
pub trait Stage {
    const NOISY: bool;
    const QUIET: bool;
}

/// All legal moves.
pub struct Every;
/// Captures and promotions.
pub struct Noisy;
/// The rest, castling among them.
pub struct Quiet;

impl Stage for Every {
    const NOISY: bool = true;
    const QUIET: bool = true;
}
impl Stage for Noisy {
    const NOISY: bool = true;
    const QUIET: bool = false;
}
impl Stage for Quiet {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Counts moves without writing one down.
#[derive(Default)]
pub(crate) struct Counter(pub u64);

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i8) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 += 4 * u64::from(targets.count());
    }
    #[inline(always)]
    fn special(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::normal(from, to));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, shift: i8) {
        for to in targets {
            self.push(Move::normal(below(to, shift), to));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, shift: i8) {
        for to in targets {
            for kind in [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight] {
                self.push(Move::promotion(below(to, shift), to, kind));
            }
        }
    }
    #[inline(always)]
    fn special(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// The square a pawn came from, `shift` squares before `to`.
#[inline(always)]
pub fn below(to: Square, shift: i8) -> Square {
    Square::wrapping((to.index() as u8).wrapping_sub(shift as u8))
}

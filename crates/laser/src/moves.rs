//! Moves in sixteen bits.
//!
//! A move is a square and one of 99 actions: 3 turns, 8 steps, or 8 swaps each followed by one of those 11. Bits 0-5
//! hold the square and the rest the action plus one, so no move is zero and `Option<Move>` costs nothing.

use std::num::NonZeroU16;

use crate::bitboard::Bitboard;
use crate::direction::Step;
use crate::square::Square;

/// A turn in place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Turn {
    /// Clockwise by 90 degrees, written `R`.
    Right = 1,
    /// By 180 degrees, written `U`.
    Half = 2,
    /// Counter-clockwise by 90 degrees, written `L`.
    Left = 3,
}

impl Turn {
    pub const ALL: [Turn; 3] = [Turn::Right, Turn::Half, Turn::Left];

    /// Clockwise quarter turns.
    #[inline]
    pub const fn quarters(self) -> u8 {
        self as u8
    }
}

/// What one piece does: turn in place or step to an empty neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basic {
    Turn(Turn),
    Step(Step),
}

/// Number of basic actions.
const BASICS: u16 = 11;
/// Number of actions: the basic ones alone, then after a swap in each direction.
const ACTIONS: u16 = BASICS * 9;

impl Basic {
    /// Turns first, then steps.
    const fn number(self) -> u16 {
        match self {
            Basic::Turn(turn) => turn as u16 - 1,
            Basic::Step(step) => step as u16 + 3,
        }
    }

    const fn from_number(number: u16) -> Basic {
        if number < 3 {
            Basic::Turn(Turn::ALL[number as usize])
        } else {
            Basic::Step(Step::ALL[(number as usize - 3) & 7])
        }
    }
}

/// What a move does, spelled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveKind {
    Basic(Basic),
    /// Exchange squares with the enemy in this direction, then go on from there.
    Swap(Step, Basic),
}

/// A move: sixteen bits, never zero, and always on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

const _: () = assert!(size_of::<Option<Move>>() == 2);

/// An action as square differences, for making moves without branches on its kind.
#[derive(Clone, Copy)]
pub(crate) struct Decoded {
    /// Difference to the swapped enemy; zero when nothing is swapped.
    via: i8,
    /// Difference from the starting square to the final one.
    to: i8,
    /// Clockwise quarter turns.
    quarters: u8,
}

static DECODED: [Decoded; 128] = {
    let mut table = [Decoded { via: 0, to: 0, quarters: 0 }; 128];
    let mut action = 0;
    while action < ACTIONS {
        let via = if action < BASICS { 0 } else { Step::ALL[(action / BASICS) as usize - 1].delta() };
        table[action as usize + 1] = match Basic::from_number(action % BASICS) {
            Basic::Turn(turn) => Decoded { via: via as i8, to: via as i8, quarters: turn.quarters() },
            Basic::Step(step) => Decoded { via: via as i8, to: (via + step.delta()) as i8, quarters: 0 },
        };
        action += 1;
    }
    table
};

impl Decoded {
    #[inline]
    pub(crate) fn is_swap(self) -> bool {
        self.via != 0
    }

    #[inline]
    pub(crate) fn quarters(self) -> u8 {
        self.quarters
    }
}

impl Move {
    /// Number of bits a move can occupy.
    pub const BITS: u32 = 13;

    #[inline]
    const fn encode(from: Square, action: u16) -> Move {
        match NonZeroU16::new((action + 1) << 6 | from.index() as u16) {
            Some(bits) => Move(bits),
            None => Move(NonZeroU16::MIN),
        }
    }

    /// A basic move, unless it leaves the board.
    pub fn basic(from: Square, basic: Basic) -> Option<Move> {
        if let Basic::Step(step) = basic {
            from.step(step)?;
        }
        Some(Move::encode(from, basic.number()))
    }

    /// A swap and what follows it, unless either leaves the board.
    pub fn swap(from: Square, direction: Step, then: Basic) -> Option<Move> {
        let middle = from.step(direction)?;
        if let Basic::Step(step) = then {
            // Back to where it came from: the swapped enemy stands there, so no position allows it.
            if middle.step(step)? == from {
                return None;
            }
        }
        Some(Move::encode(from, BASICS * (direction as u16 + 1) + then.number()))
    }

    /// A turn in place: always on the board.
    #[inline]
    pub fn turn_in_place(from: Square, turn: Turn) -> Move {
        Move::encode(from, turn as u16 - 1)
    }

    /// A step between neighbours; `None` if they are not.
    #[inline]
    pub fn step(from: Square, to: Square) -> Option<Move> {
        Bitboard::neighbours(from).contains(to).then(|| Move::step_unchecked(from, to))
    }

    /// The generators' constructor: the squares are known to be neighbours.
    #[inline]
    pub fn step_unchecked(from: Square, to: Square) -> Move {
        Move::encode(from, 3 + Step::number_between(from.index(), to.index()))
    }

    /// The first of the eleven moves that swap `from` with `middle`; see [`Move::swap_turn_unchecked`]. The squares must
    /// be neighbours: otherwise what is made of it is a move that no position finds playable.
    #[inline]
    pub fn swap_base(from: Square, middle: Square) -> u16 {
        (BASICS * (Step::number_between(from.index(), middle.index()) + 1) + 1) << 6 | from.index() as u16
    }

    /// A swap (see [`Move::swap_base`]) and a turn.
    #[inline]
    pub fn swap_turn_unchecked(base: u16, turn: Turn) -> Move {
        Move::from_valid_bits(base + ((turn as u16 - 1) << 6))
    }

    /// A swap (see [`Move::swap_base`]) and a step to a neighbour of `middle`.
    #[inline]
    pub fn swap_step_unchecked(base: u16, middle: Square, to: Square) -> Move {
        Move::from_valid_bits(base + ((3 + Step::number_between(middle.index(), to.index())) << 6))
    }

    #[inline]
    fn from_valid_bits(bits: u16) -> Move {
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => Move(NonZeroU16::MIN),
        }
    }

    /// Reads the sixteen bits back; `None` if they name no move, so that a torn table entry does no harm.
    pub fn from_bits(bits: u16) -> Option<Move> {
        let action = (bits >> 6).checked_sub(1).filter(|&action| action < ACTIONS)?;
        let from = Square::wrapping(u32::from(bits));
        let then = Basic::from_number(action % BASICS);
        match (action / BASICS).checked_sub(1) {
            None => Move::basic(from, then),
            Some(direction) => Move::swap(from, Step::ALL[direction as usize], then),
        }
    }

    /// Bits that came from [`Move::bits`] within this process: only zero is caught. Other bits give a move that no
    /// position finds playable.
    #[inline]
    pub fn from_valid(bits: u16) -> Option<Move> {
        NonZeroU16::new(bits).map(Move)
    }

    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Bits that are never zero: what the transposition table stores.
    #[inline]
    pub const fn nonzero_bits(self) -> NonZeroU16 {
        self.0
    }

    #[inline]
    pub(crate) fn decoded(self) -> Decoded {
        DECODED[usize::from(self.0.get() >> 6) & 127]
    }

    #[inline]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0.get() as u32)
    }

    /// Where the moved piece ends; its own square when it turns in place.
    #[inline]
    pub fn to(self) -> Square {
        Square::wrapping((self.from().index() as i32 + i32::from(self.decoded().to)) as u32)
    }

    /// The square of the enemy it changes places with.
    #[inline]
    pub fn via(self) -> Option<Square> {
        let decoded = self.decoded();
        decoded.is_swap().then(|| self.via_or_from(decoded))
    }

    /// The middle square of a swap; the starting square of any other move.
    #[inline]
    pub(crate) fn via_or_from(self, decoded: Decoded) -> Square {
        Square::wrapping((self.from().index() as i32 + i32::from(decoded.via)) as u32)
    }

    /// Which way the moved piece turns, if it does.
    pub fn turn(self) -> Option<Turn> {
        match self.kind() {
            MoveKind::Basic(Basic::Turn(turn)) | MoveKind::Swap(_, Basic::Turn(turn)) => Some(turn),
            _ => None,
        }
    }

    pub fn kind(self) -> MoveKind {
        let action = (self.0.get() >> 6) - 1;
        let basic = Basic::from_number(action % BASICS);
        match (action / BASICS).checked_sub(1) {
            None => MoveKind::Basic(basic),
            Some(direction) => MoveKind::Swap(Step::ALL[direction as usize & 7], basic),
        }
    }

    /// The same move seen from the other side of the table.
    pub fn rotated(self) -> Move {
        let turn_step = |step: Step| Step::ALL[(step.index() + 4) & 7];
        let turn_basic = |basic| match basic {
            Basic::Turn(turn) => Basic::Turn(turn),
            Basic::Step(step) => Basic::Step(turn_step(step)),
        };
        let action = match self.kind() {
            MoveKind::Basic(basic) => turn_basic(basic).number(),
            MoveKind::Swap(step, basic) => BASICS * (turn_step(step) as u16 + 1) + turn_basic(basic).number(),
        };
        Move::encode(self.from().rotated(), action)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_pattern_is_a_move_on_the_board_or_nothing() {
        let mut count = 0;
        for bits in 0..=u16::MAX {
            let Some(mv) = Move::from_bits(bits) else { continue };
            count += 1;
            assert_eq!(mv.bits(), bits);
            assert!(u32::from(bits) < 1 << Move::BITS);
            let rebuilt = match mv.kind() {
                MoveKind::Basic(basic) => Move::basic(mv.from(), basic),
                MoveKind::Swap(step, basic) => Move::swap(mv.from(), step, basic),
            };
            assert_eq!(rebuilt, Some(mv));
            assert_eq!(mv.rotated().rotated(), mv);
            assert_eq!(mv.rotated().to(), mv.to().rotated());
        }
        // 64 x 3 turns; 420 steps on an 8x8 board; 420 swaps x 3 turns, and swaps followed by a step not back.
        let steps = 420;
        let swap_steps: usize = Square::all()
            .flat_map(|from| Step::ALL.into_iter().filter_map(move |step| from.step(step)))
            .map(|middle| Step::ALL.into_iter().filter(|&step| middle.step(step).is_some()).count() - 1)
            .sum();
        assert_eq!(count, 64 * 3 + steps + steps * 3 + swap_steps);
    }
}

//! A position and the recent moves that the network reads.

use chess::{Game, Move, Position};

/// Moves back that the network looks at.
pub const HISTORY: usize = 8;

#[derive(Clone, Copy)]
pub struct Situation<'a> {
    position: &'a Position,
    /// The moves that led here, oldest first; only the last few are read.
    recent: &'a [Move],
    /// How often this position stood on the board before.
    repetitions: u8,
}

impl<'a> Situation<'a> {
    /// A position without history: a diagram, a puzzle.
    pub const fn bare(position: &'a Position) -> Situation<'a> {
        Situation { position, recent: &[], repetitions: 0 }
    }

    /// `recent`: the moves that led here, oldest first, the last one just played by the opponent.
    pub const fn new(position: &'a Position, recent: &'a [Move], repetitions: u8) -> Situation<'a> {
        Situation { position, recent, repetitions }
    }

    /// The present position of a game.
    pub fn of(game: &'a Game) -> Situation<'a> {
        let repetitions = game.position().repetitions(game.earlier_keys());
        Situation { position: game.position(), recent: game.moves(), repetitions: repetitions.min(2) as u8 }
    }

    pub const fn position(&self) -> &'a Position {
        self.position
    }

    pub(super) const fn repetitions(&self) -> u8 {
        self.repetitions
    }

    /// The last moves, latest first.
    pub(super) fn backwards(&self) -> impl Iterator<Item = Move> + '_ {
        self.recent.iter().rev().take(HISTORY).copied()
    }
}

//! A game: where it began, what was played, and whether it is over.

use crate::position::Position;
use crate::types::{Color, Move};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Checkmate { winner: Color },
    Stalemate,
    InsufficientMaterial,
    ThreefoldRepetition,
    FiftyMoves,
}

impl Outcome {
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::Checkmate { winner } => Some(winner),
            _ => None,
        }
    }

    /// As PGN writes it.
    pub const fn result(self) -> &'static str {
        match self.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Checkmate { winner } => write!(f, "{winner} mates"),
            Outcome::Stalemate => f.write_str("draw by stalemate"),
            Outcome::InsufficientMaterial => f.write_str("draw by insufficient material"),
            Outcome::ThreefoldRepetition => f.write_str("draw by threefold repetition"),
            Outcome::FiftyMoves => f.write_str("draw by the fifty-move rule"),
        }
    }
}

/// A move that the position does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove(pub Move);

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {:?} is illegal in this position", self.0)
    }
}

impl std::error::Error for IllegalMove {}

/// Keeps every position, so that taking back is exact.
#[derive(Clone, Debug)]
pub struct Game {
    positions: Vec<Position>,
    moves: Vec<Move>,
    keys: Vec<u64>,
}

impl Game {
    pub fn new(start: Position) -> Game {
        Game { positions: vec![start], moves: Vec::new(), keys: Vec::new() }
    }

    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    pub fn position(&self) -> &Position {
        // `positions` is never empty: it begins with the start and only played moves are taken back.
        &self.positions[self.positions.len() - 1]
    }

    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Each position from the start to the present one.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Keys of all positions before the present one, oldest first.
    pub fn earlier_keys(&self) -> &[u64] {
        &self.keys
    }

    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.position().is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let next = self.position().after(mv);
        self.keys.push(self.position().key());
        self.positions.push(next);
        self.moves.push(mv);
        Ok(())
    }

    /// Takes the last move back; `None` at the start.
    pub fn take_back(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.keys.pop();
        Some(mv)
    }

    /// How the game ended, if it did. Threefold repetition and fifty moves count without a claim.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                Outcome::Checkmate { winner: !position.turn() }
            } else {
                Outcome::Stalemate
            });
        }
        if position.is_insufficient_material() {
            return Some(Outcome::InsufficientMaterial);
        }
        if position.repetitions(&self.keys) >= 2 {
            return Some(Outcome::ThreefoldRepetition);
        }
        (position.halfmove_clock() >= 100).then_some(Outcome::FiftyMoves)
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(moves: &str) -> Game {
        let mut game = Game::default();
        for text in moves.split_whitespace() {
            let mv = game.position().parse_uci(text).unwrap();
            game.play(mv).unwrap();
        }
        game
    }

    #[test]
    fn fools_mate() {
        let game = played("f2f3 e7e5 g2g4 d8h4");
        assert_eq!(game.outcome(), Some(Outcome::Checkmate { winner: Color::Black }));
    }

    #[test]
    fn threefold_repetition_needs_three() {
        let mut game = played("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert_eq!(game.outcome(), None);
        game.play(game.position().parse_uci("f6g8").unwrap()).unwrap();
        assert_eq!(game.outcome(), Some(Outcome::ThreefoldRepetition));
    }

    #[test]
    fn take_back_restores() {
        let mut game = played("e2e4 e7e5");
        game.take_back();
        game.take_back();
        assert_eq!(game.take_back(), None);
        assert_eq!(game.position(), &Position::default());
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = Game::default();
        let mv = Move::normal(crate::Square::E1, crate::Square::E8);
        assert_eq!(game.play(mv), Err(IllegalMove(mv)));
        assert_eq!(game.position(), &Position::default());
    }
}

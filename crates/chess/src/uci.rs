//! Moves as UCI writes them: coordinates, castling as the king's two steps or as king takes rook.

use crate::board::Castling;
use crate::position::Position;
use crate::types::{Move, PieceKind, Square};
use std::fmt;

/// Why a text is not a move here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciMoveError {
    Malformed { found: String },
    EmptySquare { found: String, from: Square },
    Illegal { found: String },
}

impl fmt::Display for UciMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciMoveError::Malformed { found } => {
                write!(
                    f,
                    "'{found}' is not a move, expected two squares and perhaps a promotion, as in e2e4 or e7e8q"
                )
            }
            UciMoveError::EmptySquare { found, from } => {
                write!(f, "move '{found}' is illegal: no piece of the side to move on {from}")
            }
            UciMoveError::Illegal { found } => write!(f, "move '{found}' is illegal in this position"),
        }
    }
}

impl std::error::Error for UciMoveError {}

impl Position {
    /// Reads a legal move. Castling may be written either way, whatever the variant.
    pub fn parse_uci(&self, text: &str) -> Result<Move, UciMoveError> {
        let found = || text.chars().take(12).collect::<String>();
        let malformed = || UciMoveError::Malformed { found: found() };
        let (Some(from), Some(to)) = (text.get(0..2), text.get(2..4)) else { return Err(malformed()) };
        let from = Square::parse(from).ok_or_else(malformed)?;
        let to = Square::parse(to).ok_or_else(malformed)?;
        let promotion = match text.get(4..) {
            None | Some("") => None,
            Some(letter) if letter.len() == 1 => {
                Some(letter.chars().next().and_then(PieceKind::from_char).ok_or_else(malformed)?)
            }
            Some(_) => return Err(malformed()),
        };
        if !self.board().color(self.turn()).has(from) {
            return Err(UciMoveError::EmptySquare { found: found(), from });
        }
        // King takes rook first: in Chess960 a king's single step can look like castling and must not be taken for it.
        let moves = self.legal_moves();
        let exact = |mv: &&Move| mv.from() == from && mv.to() == to && mv.promotes_to() == promotion;
        let two_steps = |mv: &&Move| {
            mv.is_castling()
                && mv.from() == from
                && Castling::of(from, mv.to()).king_to == to
                && promotion.is_none()
                && from.distance(to) == 2
        };
        moves
            .iter()
            .find(exact)
            .or_else(|| moves.iter().find(two_steps))
            .copied()
            .ok_or_else(|| UciMoveError::Illegal { found: found() })
    }

    /// The move as a protocol sends it: king takes rook in Chess960, the king's steps in standard chess.
    pub fn uci(&self, mv: Move, chess960: bool) -> UciMove {
        let to =
            if mv.is_castling() && !chess960 { Castling::of(mv.from(), mv.to()).king_to } else { mv.to() };
        UciMove { from: mv.from(), to, promotion: mv.promotes_to() }
    }
}

/// A move ready to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciMove {
    from: Square,
    to: Square,
    promotion: Option<PieceKind>,
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |kind| write!(f, "{}", kind.to_char()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).expect(fen)
    }

    #[test]
    fn castling_is_read_both_ways_and_written_by_variant() {
        let position = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let castling = Move::castling(Square::E1, Square::H1);
        assert_eq!(position.parse_uci("e1g1"), Ok(castling));
        assert_eq!(position.parse_uci("e1h1"), Ok(castling));
        assert_eq!(position.uci(castling, false).to_string(), "e1g1");
        assert_eq!(position.uci(castling, true).to_string(), "e1h1");
    }

    #[test]
    fn a_kings_step_is_not_castling() {
        // King on f1: f1g1 is a step, castling is f1h1.
        let position = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
        assert_eq!(position.parse_uci("f1g1").map(Move::is_castling), Ok(false));
        assert_eq!(position.parse_uci("f1h1").map(Move::is_castling), Ok(true));
    }

    #[test]
    fn promotions() {
        let position = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(position.parse_uci("a7a8n").map(Move::promotes_to), Ok(Some(PieceKind::Knight)));
        assert!(matches!(position.parse_uci("a7a8"), Err(UciMoveError::Illegal { .. })));
        assert!(matches!(position.parse_uci("a7a8k"), Err(UciMoveError::Illegal { .. })));
    }

    #[test]
    fn refusals_say_why() {
        let start = Position::default();
        for (text, reason) in [
            ("", "is not a move"),
            ("e2", "is not a move"),
            ("e2e4e5", "is not a move"),
            ("e2é", "is not a move"),
            ("0000", "is not a move"),
            ("e4e5", "no piece of the side to move on e4"),
            ("e7e5", "no piece of the side to move on e7"),
            ("e2e5", "illegal in this position"),
        ] {
            let message = start.parse_uci(text).unwrap_err().to_string();
            assert!(message.contains(reason), "{text}: {message}");
        }
    }
}

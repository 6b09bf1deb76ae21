//! Text of squares and moves: `g2R`, `h3g4`, `c2c1b0`, `e4d5R`; letters in either case.

use std::fmt;
use std::str::FromStr;

use crate::moves::{Basic, Move, MoveKind, Turn};
use crate::square::Square;

/// Why a piece of text names no square.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SquareTextError {
    text: String,
}

impl fmt::Display for SquareTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is no square: expected a file a-h and a rank 0-7", self.text)
    }
}

impl std::error::Error for SquareTextError {}

/// Why a piece of text names no move. Whether the move is legal is the position's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveTextError {
    /// Neither 3, 4, 5 nor 6 characters.
    Length(String),
    /// A square inside the move is off the board.
    Square { text: String, error: SquareTextError },
    /// The last letter is not R, U or L.
    Turn { text: String, found: char },
    /// Two squares that are not neighbours.
    TooFar { text: String, from: Square, to: Square },
    /// A swap that comes back to where it began.
    ComesBack(String),
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveTextError::Length(text) => {
                write!(f, "move '{text}': expected forms such as g2R, h3g4, c2c1b0 or e4d5R")
            }
            MoveTextError::Square { text, error } => write!(f, "move '{text}': {error}"),
            MoveTextError::Turn { text, found } => {
                write!(f, "move '{text}': turn '{found}', expected R, U or L")
            }
            MoveTextError::TooFar { text, from, to } => {
                write!(f, "move '{text}': {to} is not a neighbour of {from}")
            }
            MoveTextError::ComesBack(text) => {
                write!(f, "move '{text}': a swap cannot return to its own square, the enemy stands there")
            }
        }
    }
}

impl std::error::Error for MoveTextError {}

fn square(bytes: &[u8]) -> Option<Square> {
    let &[file, rank] = bytes else { return None };
    let file = i32::from(file.to_ascii_lowercase()) - i32::from(b'a');
    let rank = i32::from(rank) - i32::from(b'0');
    Square::at(file, rank)
}

fn turn(byte: u8) -> Option<Turn> {
    match byte.to_ascii_uppercase() {
        b'R' => Some(Turn::Right),
        b'U' => Some(Turn::Half),
        b'L' => Some(Turn::Left),
        _ => None,
    }
}

impl FromStr for Square {
    type Err = SquareTextError;

    fn from_str(text: &str) -> Result<Square, SquareTextError> {
        square(text.as_bytes()).ok_or_else(|| SquareTextError { text: text.to_owned() })
    }
}

impl FromStr for Move {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Move, MoveTextError> {
        let own = || text.to_owned();
        let bytes = text.as_bytes();
        if !(3..=6).contains(&bytes.len()) || !text.is_ascii() {
            return Err(MoveTextError::Length(own()));
        }
        let at = |start: usize| {
            let part = &bytes[start..start + 2];
            square(part).ok_or_else(|| MoveTextError::Square {
                text: own(),
                error: SquareTextError { text: String::from_utf8_lossy(part).into_owned() },
            })
        };
        let direction = |from: Square, to: Square| {
            from.direction_to(to).ok_or_else(|| MoveTextError::TooFar { text: own(), from, to })
        };
        let last_turn = || {
            let last = bytes[bytes.len() - 1];
            turn(last).ok_or_else(|| MoveTextError::Turn { text: own(), found: last as char })
        };
        let from = at(0)?;
        let mv = match bytes.len() {
            3 => Move::basic(from, Basic::Turn(last_turn()?)),
            4 => Move::basic(from, Basic::Step(direction(from, at(2)?)?)),
            5 => Move::swap(from, direction(from, at(2)?)?, Basic::Turn(last_turn()?)),
            _ => {
                let (middle, to) = (at(2)?, at(4)?);
                Move::swap(from, direction(from, middle)?, Basic::Step(direction(middle, to)?))
            }
        };
        mv.ok_or_else(|| MoveTextError::ComesBack(own()))
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Turn::Right => "R",
            Turn::Half => "U",
            Turn::Left => "L",
        })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.from())?;
        if let Some(middle) = self.via() {
            write!(f, "{middle}")?;
        }
        match self.kind() {
            MoveKind::Basic(Basic::Turn(turn)) | MoveKind::Swap(_, Basic::Turn(turn)) => write!(f, "{turn}"),
            _ => write!(f, "{}", self.to()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_survives_its_own_text_in_either_case() {
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            let text = mv.to_string();
            assert_eq!(text.parse(), Ok(mv));
            assert_eq!(text.to_uppercase().parse(), Ok(mv));
            assert_eq!(text.to_lowercase().parse(), Ok(mv));
        }
    }

    #[test]
    fn bad_text_says_what_is_wrong() {
        for (text, complaint) in [
            ("", "expected forms such as"),
            ("g2", "expected forms such as"),
            ("g2X", "turn 'X', expected R, U or L"),
            ("g8R", "'g8' is no square"),
            ("i2R", "'i2' is no square"),
            ("h3f3", "f3 is not a neighbour of h3"),
            ("h3h3", "h3 is not a neighbour of h3"),
            ("c2c1e1", "e1 is not a neighbour of c1"),
            ("c2c1c2", "cannot return"),
            ("é2R", "'é' is no square"),
            ("h3g4g5g", "expected forms such as"),
        ] {
            match text.parse::<Move>() {
                Ok(mv) => panic!("'{text}' was read as {mv}"),
                Err(error) if text.is_ascii() => {
                    assert!(error.to_string().contains(complaint), "'{text}': {error}");
                }
                Err(error) => assert!(matches!(error, MoveTextError::Length(_))),
            }
        }
    }
}

//! Positions as text: ranks 7 to 0, two letters a piece, digits for gaps, then the side to move.

use std::fmt;
use std::str::FromStr;

use crate::colour::Colour;
use crate::moves::Move;
use crate::piece::Piece;
use crate::position::Position;
use crate::square::Square;

/// The most pawns a side can have.
const MAX_PAWNS: u32 = 7;

/// Why a text is no position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    Empty,
    /// Not eight ranks.
    RankCount(usize),
    /// A rank describes too few squares, or its next piece or gap goes over the edge.
    RankWidth {
        rank: usize,
        squares: usize,
    },
    /// A digit outside 1-8.
    Gap {
        rank: usize,
        found: char,
    },
    /// Two letters that are no piece of either colour.
    UnknownPiece {
        rank: usize,
        found: String,
    },
    /// Neither `W` nor `B` after the board.
    SideToMove(Option<String>),
    Kings {
        colour: Colour,
        found: u32,
    },
    Pawns {
        colour: Colour,
        found: u32,
    },
    /// Something after the side to move that is not a move.
    LastMove {
        found: String,
        reason: String,
    },
    /// Something after the last move.
    Trailing(String),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Empty => f.write_str("empty position, expected eight ranks and the side to move"),
            FenError::RankCount(found) => write!(f, "{found} ranks, expected 8"),
            FenError::RankWidth { rank, squares } => write!(f, "rank {rank}: {squares} squares, expected 8"),
            FenError::Gap { rank, found } => write!(f, "rank {rank}: gap '{found}', expected 1 to 8"),
            FenError::UnknownPiece { rank, found } => {
                write!(
                    f,
                    "rank {rank}: unknown piece '{found}', expected NN EE SS WW NW NE SE SW or lower case"
                )
            }
            FenError::SideToMove(None) => f.write_str("no side to move, expected W or B"),
            FenError::SideToMove(Some(found)) => write!(f, "side to move '{found}', expected W or B"),
            FenError::Kings { colour, found } => write!(f, "{colour} has {found} kings, expected 1"),
            FenError::Pawns { colour, found } => {
                write!(f, "{colour} has {found} pawns, expected at most {MAX_PAWNS}")
            }
            FenError::LastMove { found, reason } => write!(f, "last move '{found}': {reason}"),
            FenError::Trailing(found) => write!(f, "'{found}' after the last move, expected the end"),
        }
    }
}

impl std::error::Error for FenError {}

impl FromStr for Position {
    type Err = FenError;

    /// Reads a FEN. A last move after the side to move is checked for form and otherwise unused: it makes no Ko.
    fn from_str(text: &str) -> Result<Position, FenError> {
        let mut words = text.split_ascii_whitespace();
        let board = words.next().ok_or(FenError::Empty)?;
        let side = match words.next() {
            Some("W" | "w") => Colour::White,
            Some("B" | "b") => Colour::Black,
            other => return Err(FenError::SideToMove(other.map(str::to_owned))),
        };
        let mut position = Position::empty(side);
        let count = board.split('/').count();
        if count != 8 {
            return Err(FenError::RankCount(count));
        }
        for (row, text) in board.split('/').enumerate() {
            read_rank(&mut position, 7 - row, text)?;
        }
        check_material(&position)?;
        if let Some(word) = words.next() {
            word.parse::<Move>()
                .map_err(|error| FenError::LastMove { found: word.to_owned(), reason: error.to_string() })?;
        }
        match words.next() {
            Some(word) => Err(FenError::Trailing(word.to_owned())),
            None => Ok(position),
        }
    }
}

fn read_rank(position: &mut Position, rank: usize, text: &str) -> Result<(), FenError> {
    let mut file = 0;
    let mut characters = text.chars();
    while let Some(first) = characters.next() {
        if let Some(gap) = first.to_digit(10) {
            if !(1..=8).contains(&gap) {
                return Err(FenError::Gap { rank, found: first });
            }
            file += gap as usize;
        } else {
            let name: String = std::iter::once(first).chain(characters.next()).collect();
            let Some(piece) = Piece::from_name(&name) else {
                return Err(FenError::UnknownPiece { rank, found: name });
            };
            if let Some(square) = Square::at(file as i32, rank as i32) {
                position.put(square, piece);
            }
            file += 1;
        }
    }
    if file == 8 { Ok(()) } else { Err(FenError::RankWidth { rank, squares: file }) }
}

fn check_material(position: &Position) -> Result<(), FenError> {
    for colour in Colour::ALL {
        let pawns = position.pawns(colour).len();
        let kings = position.pieces(colour).len() - pawns;
        if kings != 1 {
            return Err(FenError::Kings { colour, found: kings });
        }
        if pawns > MAX_PAWNS {
            return Err(FenError::Pawns { colour, found: pawns });
        }
    }
    Ok(())
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut gap = 0;
            for piece in (0..8).filter_map(|file| Square::at(file, rank)).map(|square| self.piece_at(square))
            {
                match piece {
                    None => gap += 1,
                    Some(piece) => {
                        if gap > 0 {
                            write!(f, "{gap}")?;
                        }
                        gap = 0;
                        write!(f, "{piece}")?;
                    }
                }
            }
            if gap > 0 {
                write!(f, "{gap}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        write!(f, " {}", self.side_to_move().letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_positions_come_back_as_written() {
        for fen in [crate::START_FEN, crate::ENDGAME_FEN, "2ee5/2sw5/sw1NW5/3sw4/2NE5/8/1ne6/5NN2 B"] {
            assert_eq!(fen.parse::<Position>().unwrap().to_string(), fen);
        }
        let with_last_move: Position = "ss7/8/8/8/8/8/8/7NN W a7L".parse().unwrap();
        assert_eq!(with_last_move.ko_move(), None);
    }

    #[test]
    fn bad_positions_say_what_and_where() {
        for (fen, complaint) in [
            ("", "empty position"),
            ("ss7/8/8/8/8/8/8/7NN", "no side to move"),
            ("ss7/8/8/8/8/8/8/7NN X", "side to move 'X', expected W or B"),
            ("ss7/8/8/8/8/8/7NN W", "7 ranks, expected 8"),
            ("ss7/8/8/9/8/8/8/7NN W", "rank 4: gap '9', expected 1 to 8"),
            ("ss7/8/8/8/0NW7/8/8/7NN W", "rank 3: gap '0', expected 1 to 8"),
            ("ss7/8/8/8/8/8/8/8NN W", "rank 0: 9 squares, expected 8"),
            ("ss7/7/8/8/8/8/8/7NN W", "rank 6: 7 squares, expected 8"),
            ("ss7/8/8/8/8/3Nw4/8/7NN W", "rank 2: unknown piece 'Nw'"),
            ("ss7/8/8/8/8/7N/8/7NN W", "rank 2: unknown piece 'N'"),
            ("8/8/8/8/8/8/8/7NN W", "Black has 0 kings, expected 1"),
            ("ss7/8/8/8/8/8/8/6WWNN W", "White has 2 kings, expected 1"),
            ("ss7/nwnwnwnwnwnwnwnw/8/8/8/8/8/7NN W", "Black has 8 pawns, expected at most 7"),
            ("ss7/8/8/8/8/8/8/7NN W zz", "last move 'zz'"),
            ("ss7/8/8/8/8/8/8/7NN W a7L more", "'more' after the last move"),
            ("ss7/8/8/8/8/é7/8/7NN W", "rank 2: unknown piece 'é7'"),
        ] {
            match fen.parse::<Position>() {
                Ok(position) => panic!("'{fen}' was read as {position}"),
                Err(error) => assert!(error.to_string().contains(complaint), "'{fen}': {error}"),
            }
        }
    }
}

//! The lenient reader: mends what can be mended without guessing at the pieces, and tells.

use super::FenError;
use super::read;
use super::validate::{has_turn_king_safe, has_valid_pieces};
use crate::board::back_rank;
use crate::position::Position;
use crate::types::{Bitboard, Color};
use std::fmt;

/// One thing the lenient reader mended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair(String);

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub(super) fn position(fen: &str) -> Result<(Position, Vec<Repair>), FenError> {
    read::check_length(fen)?;
    let mut repairs = Vec::new();
    let mut note = |text: String| repairs.push(Repair(text));
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    if fields.is_empty() {
        return Err(FenError::FieldCount { found: 0 });
    }
    if fields.len() > 6 {
        note(format!("words after the sixth field ignored ({})", fields.len() - 6));
    }
    let field = |i: usize| fields.get(i).copied();

    let mut board = read::pieces(fields[0])?;
    board.set_turn(match field(1) {
        None => {
            note("turn field missing: White to move".into());
            Color::White
        }
        Some(text) => match text.to_ascii_lowercase().as_str() {
            "w" | "white" => Color::White,
            "b" | "black" => Color::Black,
            _ => return Err(FenError::Turn { found: read::clip(text) }),
        },
    });
    has_valid_pieces(&board)?;
    has_turn_king_safe(&board)?;

    let mut rooks = Bitboard::EMPTY;
    match field(2) {
        None => note("castling field missing: nobody may castle".into()),
        Some(text) => {
            for letter in text.chars().filter(|&c| c != '-') {
                match read::castling_right(&board, letter) {
                    Ok(rook) => {
                        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
                        let king = board.king(color);
                        let same_side = (rooks & back_rank(color))
                            .into_iter()
                            .any(|other| other != rook && (other > king) == (rook > king));
                        if same_side {
                            note(format!("castling right '{letter}' dropped: that side already has one"));
                        } else {
                            rooks |= rook.bitboard();
                        }
                    }
                    Err(fault) => note(format!("castling right '{letter}' dropped: {fault}")),
                }
            }
        }
    }
    board.set_castling(rooks);

    match field(3).map(|text| read::en_passant(&board, text)) {
        None => note("en passant field missing: none".into()),
        Some(Ok(square)) => board.set_en_passant(square),
        Some(Err(error)) => note(format!("{error}; none assumed")),
    }
    let mut counter = |index: usize, least: u16, name: &str| match field(index) {
        None => {
            note(format!("{name} missing: {least} assumed"));
            least
        }
        Some(text) => read::counter(text, least).unwrap_or_else(|| {
            note(format!("{name} '{}': {least} assumed", read::clip(text)));
            least
        }),
    };
    let halfmove = counter(4, 0, "halfmove clock");
    let fullmove = counter(5, 1, "move number");
    Ok((Position::from_valid_board(board, halfmove, fullmove), repairs))
}

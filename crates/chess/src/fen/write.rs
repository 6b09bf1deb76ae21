//! Writing FEN.

use crate::board::{Board, back_rank};
use crate::position::Position;
use crate::types::{Color, File, PieceKind, Rank, Square};
use std::fmt::Write as _;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CastlingStyle {
    XFen,
    Shredder,
}

pub(super) fn fen(position: &Position, style: CastlingStyle) -> String {
    let mut text = four_fields(position, style);
    let _ = write!(text, " {} {}", position.halfmove_clock(), position.fullmove_number());
    text
}

pub(super) fn four_fields(position: &Position, style: CastlingStyle) -> String {
    let board = position.board();
    let mut text = String::with_capacity(90);
    for rank in Rank::all().rev() {
        if rank != Rank::EIGHTH {
            text.push('/');
        }
        write_rank(board, rank, &mut text);
    }
    text.push(' ');
    text.push(board.turn().to_char());
    text.push(' ');
    write_castling(board, style, &mut text);
    match board.en_passant() {
        Some(square) => {
            let _ = write!(text, " {square}");
        }
        None => text.push_str(" -"),
    }
    text
}

fn write_rank(board: &Board, rank: Rank, text: &mut String) {
    let mut empty = 0u8;
    for file in File::all() {
        match board.piece_on(Square::new(file, rank)) {
            None => empty += 1,
            Some(piece) => {
                if empty > 0 {
                    text.push((b'0' + empty) as char);
                }
                empty = 0;
                text.push(piece.to_char());
            }
        }
    }
    if empty > 0 {
        text.push((b'0' + empty) as char);
    }
}

fn write_castling(board: &Board, style: CastlingStyle, text: &mut String) {
    if board.castling_rooks().is_empty() {
        text.push('-');
        return;
    }
    for color in Color::BOTH {
        for kingside in [true, false] {
            if let Some(rook) = board.castling_rook(color, kingside) {
                let letter = castling_letter(board, color, rook, kingside, style);
                text.push(if color.is_white() { letter.to_ascii_uppercase() } else { letter });
            }
        }
    }
}

/// X-FEN: the plain letter when the rook is the outermost on its side, else its file.
fn castling_letter(board: &Board, color: Color, rook: Square, kingside: bool, style: CastlingStyle) -> char {
    let rooks = board.pieces(color, PieceKind::Rook) & back_rank(color);
    let outermost = if kingside { rooks.last() } else { rooks.first() };
    match (style, outermost == Some(rook), kingside) {
        (CastlingStyle::XFen, true, true) => 'k',
        (CastlingStyle::XFen, true, false) => 'q',
        _ => rook.file().to_char(),
    }
}

//! Writing: the shortest text that names one legal move.

use crate::attacks;
use crate::position::Position;
use crate::types::{File, Move, Piece, PieceKind, Rank, Square};
use std::fmt;

/// A move as text, without allocation: nothing is longer than `Qa1xb2#`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct San {
    text: [u8; San::CAPACITY],
    len: u8,
}

impl San {
    const CAPACITY: usize = 8;

    const fn new() -> San {
        San { text: [0; San::CAPACITY], len: 0 }
    }

    fn push(&mut self, letter: char) {
        if let Some(slot) = self.text.get_mut(usize::from(self.len)) {
            *slot = letter as u8;
            self.len += 1;
        }
    }

    fn push_square(&mut self, square: Square) {
        self.push(square.file().to_char());
        self.push(square.rank().to_char());
    }

    pub fn as_str(&self) -> &str {
        // Only ASCII is ever pushed, so the text is always UTF-8.
        std::str::from_utf8(&self.text[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

pub(super) fn san(position: &Position, mv: Move) -> San {
    let mut text = San::new();
    let kind = position.piece_on(mv.from()).map_or(PieceKind::Pawn, Piece::kind);
    if mv.is_castling() {
        let kingside = mv.to() > mv.from();
        for letter in if kingside { "O-O" } else { "O-O-O" }.chars() {
            text.push(letter);
        }
    } else {
        let captures = position.captured(mv).is_some();
        if kind == PieceKind::Pawn {
            if captures {
                text.push(mv.from().file().to_char());
            }
        } else {
            text.push(kind.to_char().to_ascii_uppercase());
            let (file, rank) = disambiguation(position, mv, kind);
            if let Some(file) = file {
                text.push(file.to_char());
            }
            if let Some(rank) = rank {
                text.push(rank.to_char());
            }
        }
        if captures {
            text.push('x');
        }
        text.push_square(mv.to());
        if let Some(kind) = mv.promotes_to() {
            text.push('=');
            text.push(kind.to_char().to_ascii_uppercase());
        }
    }
    if position.gives_check(mv) {
        text.push(if position.after(mv).has_legal_move() { '+' } else { '#' });
    }
    text
}

/// The file if it tells the piece apart, else the rank, else both; nothing when no other piece can go there.
fn disambiguation(position: &Position, mv: Move, kind: PieceKind) -> (Option<File>, Option<Rank>) {
    let board = position.board();
    let (from, to) = (mv.from(), mv.to());
    let reaching = attacks::piece(kind, to, board.occupied()) & board.pieces(position.turn(), kind);
    let (mut others, mut same_file, mut same_rank) = (false, false, false);
    for other in reaching.without(from.bitboard()) {
        if position.is_legal(Move::normal(other, to)) {
            others = true;
            same_file |= other.file() == from.file();
            same_rank |= other.rank() == from.rank();
        }
    }
    let file = others && (!same_file || same_rank);
    let rank = others && same_file;
    (file.then(|| from.file()), rank.then(|| from.rank()))
}

//! Material as players count it: pawn 1, knight and bishop 3, rook 5, queen 9.

use chess::{Color, PieceKind, Position};

const UNITS: [(PieceKind, i32); 5] = [
    (PieceKind::Pawn, 1),
    (PieceKind::Knight, 3),
    (PieceKind::Bishop, 3),
    (PieceKind::Rook, 5),
    (PieceKind::Queen, 9),
];

fn count(position: &Position, kind: PieceKind, color: Color) -> i32 {
    let board = position.board();
    (board.kind(kind) & board.color(color)).count() as i32
}

/// What a side has more than the other, in pawns.
pub fn balance(position: &Position, color: Color) -> i32 {
    UNITS
        .iter()
        .map(|(kind, worth)| worth * (count(position, *kind, color) - count(position, *kind, !color)))
        .sum()
}

/// Queens a side has more than the other.
pub fn queens(position: &Position, color: Color) -> i32 {
    count(position, PieceKind::Queen, color) - count(position, PieceKind::Queen, !color)
}

/// Everything but pawns and kings, both sides together: 62 at the start.
pub fn pieces(position: &Position) -> i32 {
    Color::BOTH
        .iter()
        .flat_map(|color| UNITS[1..].iter().map(|(kind, worth)| worth * count(position, *kind, *color)))
        .sum()
}

//! A diagram as SVG: squares, pieces as the letters every font of symbols has, an arrow for the move.

use chess::{Color, Move, PieceKind, Position, Square};
use std::fmt::Write as _;

const CELL: usize = 40;

/// Seen from `bottom`'s side; `arrows` are drawn in the given colours.
pub fn board(position: &Position, bottom: Color, arrows: &[(Move, &str)]) -> String {
    let size = 8 * CELL;
    let mut svg = format!(
        "<svg class=\"board\" viewBox=\"0 0 {size} {size}\" role=\"img\" aria-label=\"{}\">",
        position.to_fen()
    );
    for square in Square::all() {
        let (x, y) = corner(square, bottom);
        let dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
        let class = if dark { "d" } else { "l" };
        let _ =
            write!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>");
        if let Some(piece) = position.piece_on(square) {
            let side = if piece.color() == Color::White { "w" } else { "b" };
            let (x, y) = (x + CELL / 2, y + CELL * 4 / 5);
            // The filled glyphs for both sides: outlines are drawn by the stroke. The last character asks for text, not emoji.
            let _ = write!(
                svg,
                "<text class=\"{side}\" x=\"{x}\" y=\"{y}\">{}\u{fe0e}</text>",
                glyph(piece.kind())
            );
        }
    }
    for (mv, colour) in arrows {
        let ((x1, y1), (x2, y2)) = (centre(mv.from(), bottom), centre(mv.to(), bottom));
        let length = (x2 - x1).hypot(y2 - y1).max(1.0);
        // The head ends in the middle of the square, the shaft a little before it.
        let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
        let (bx, by) = (x2 - 14.0 * ux, y2 - 14.0 * uy);
        let _ = write!(
            svg,
            "<g class=\"arrow\" style=\"color:{colour}\"><line x1=\"{x1:.0}\" y1=\"{y1:.0}\" x2=\"{bx:.1}\" y2=\"{by:.1}\"/>\
             <polygon points=\"{x2:.1},{y2:.1} {:.1},{:.1} {:.1},{:.1}\"/></g>",
            bx - 8.0 * uy,
            by + 8.0 * ux,
            bx + 8.0 * uy,
            by - 8.0 * ux
        );
    }
    svg.push_str("</svg>");
    svg
}

fn corner(square: Square, bottom: Color) -> (usize, usize) {
    let (file, rank) = (square.file().index(), square.rank().index());
    match bottom {
        Color::White => (file * CELL, (7 - rank) * CELL),
        Color::Black => ((7 - file) * CELL, rank * CELL),
    }
}

fn centre(square: Square, bottom: Color) -> (f64, f64) {
    let (x, y) = corner(square, bottom);
    ((x + CELL / 2) as f64, (y + CELL / 2) as f64)
}

const fn glyph(kind: PieceKind) -> char {
    match kind {
        PieceKind::Pawn => '\u{265f}',
        PieceKind::Knight => '\u{265e}',
        PieceKind::Bishop => '\u{265d}',
        PieceKind::Rook => '\u{265c}',
        PieceKind::Queen => '\u{265b}',
        PieceKind::King => '\u{265a}',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_drawn_and_black_sees_from_the_other_side() {
        let start = Position::default();
        let mv = start.parse_uci("e2e4").unwrap();
        let drawn = board(&start, Color::White, &[(mv, "green")]);
        assert_eq!(drawn.matches("<text").count(), 32);
        assert_eq!(drawn.matches("<rect").count(), 64);
        assert_eq!(drawn.matches("class=\"arrow\"").count(), 1);
        assert_ne!(drawn, board(&start, Color::Black, &[(mv, "green")]));
    }
}

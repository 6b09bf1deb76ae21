//! The board as text: coloured squares and chess figures where the terminal can, letters where it cannot.

use chess::{Color, File, Move, Piece, PieceKind, Position, Rank, Square};
use std::fmt::Write as _;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    pub colour: bool,
    /// Whose side is at the bottom.
    pub bottom: Color,
}

const RESET: &str = "\x1b[0m";
const LIGHT: &str = "\x1b[48;5;180m";
const DARK: &str = "\x1b[48;5;137m";
const LIGHT_MARKED: &str = "\x1b[48;5;186m";
const DARK_MARKED: &str = "\x1b[48;5;143m";
const CHECKED: &str = "\x1b[48;5;167m";
const WHITE_PIECE: &str = "\x1b[38;5;231m";
const BLACK_PIECE: &str = "\x1b[38;5;16m";

pub fn draw(position: &Position, last: Option<Move>, view: View) -> String {
    let mut text = String::new();
    let mut ranks: Vec<Rank> = Rank::all().rev().collect();
    let mut files: Vec<File> = File::all().collect();
    if view.bottom == Color::Black {
        ranks.reverse();
        files.reverse();
    }
    for rank in ranks {
        let _ = write!(text, " {rank} ");
        for &file in &files {
            cell(&mut text, position, Square::new(file, rank), last, view);
        }
        text.push_str(if view.colour { "\x1b[0m\n" } else { "\n" });
    }
    text.push_str("   ");
    for file in files {
        let _ = write!(text, " {file} ");
    }
    text.push('\n');
    text
}

fn cell(text: &mut String, position: &Position, square: Square, last: Option<Move>, view: View) {
    let piece = position.piece_on(square);
    let touched = last.is_some_and(|mv| mv.from() == square || mv.to() == square);
    if !view.colour {
        let letter = piece.map_or('.', Piece::to_char);
        let (left, right) = if touched { ('[', ']') } else { (' ', ' ') };
        let _ = write!(text, "{left}{letter}{right}");
        return;
    }
    let light = (square.file().index() + square.rank().index()) % 2 == 1;
    let in_check = position.in_check() && square == position.board().king(position.turn());
    let background = match (in_check, touched, light) {
        (true, ..) => CHECKED,
        (_, true, true) => LIGHT_MARKED,
        (_, true, false) => DARK_MARKED,
        (_, false, true) => LIGHT,
        (_, false, false) => DARK,
    };
    let (ink, figure) = match piece {
        None => ("", ' '),
        Some(piece) => {
            (if piece.color().is_white() { WHITE_PIECE } else { BLACK_PIECE }, figure(piece.kind()))
        }
    };
    let _ = write!(text, "{background}{ink} {figure} {RESET}");
}

/// The filled figures, for both colours: the ink tells the colour.
const fn figure(kind: PieceKind) -> char {
    match kind {
        PieceKind::Pawn => '♟',
        PieceKind::Knight => '♞',
        PieceKind::Bishop => '♝',
        PieceKind::Rook => '♜',
        PieceKind::Queen => '♛',
        PieceKind::King => '♚',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_board_from_both_sides() {
        let start = Position::default();
        let white = draw(&start, None, View { colour: false, bottom: Color::White });
        let lines: Vec<&str> = white.lines().collect();
        assert_eq!(lines[0], " 8  r  n  b  q  k  b  n  r ");
        assert_eq!(lines[8], "    a  b  c  d  e  f  g  h ");
        let black = draw(&start, None, View { colour: false, bottom: Color::Black });
        assert_eq!(black.lines().next(), Some(" 1  R  N  B  K  Q  B  N  R "));
    }

    #[test]
    fn the_last_move_is_marked() {
        let start = Position::default();
        let mv = start.parse_uci("e2e4").unwrap();
        let text = draw(&start.after(mv), Some(mv), View { colour: false, bottom: Color::White });
        assert!(text.contains("[P]") && text.contains("[.]"));
    }
}

//! The 960 start positions of Fischer random chess, by Scharnagl's numbers, and their doubles.

use crate::position::Position;

/// How many arrangements there are; 518 is the one of standard chess.
pub const ARRANGEMENTS: u16 = 960;

impl Position {
    /// Both sides with arrangement `number`, 0 to 959.
    pub fn chess960(number: u16) -> Option<Position> {
        Position::double_fischer(number, number)
    }

    /// Each side with an arrangement of its own.
    pub fn double_fischer(white: u16, black: u16) -> Option<Position> {
        let (white, black) = (arrangement(white)?, arrangement(black)?);
        let text = |files: &[char; 8]| files.iter().collect::<String>();
        let fen = format!(
            "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w {}{} - 0 1",
            text(&black),
            text(&white).to_uppercase(),
            castling(&white).to_uppercase(),
            castling(&black),
        );
        Position::from_fen(&fen).ok()
    }
}

/// The pieces from the a-file on. Bishops first, one on each colour, then the queen and the knights on the squares
/// still free; the three left are rook, king, rook.
fn arrangement(number: u16) -> Option<[char; 8]> {
    const KNIGHTS: [(usize, usize); 10] =
        [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];
    if number >= ARRANGEMENTS {
        return None;
    }
    let number = usize::from(number);
    let mut files = [None; 8];
    files[number % 4 * 2 + 1] = Some('b');
    files[number / 4 % 4 * 2] = Some('b');
    place(&mut files, number / 16 % 6, 'q');
    let (first, second) = *KNIGHTS.get(number / 96)?;
    // The higher one first, so that the lower index still counts the same free squares.
    place(&mut files, second, 'n');
    place(&mut files, first, 'n');
    for piece in ['r', 'k', 'r'] {
        place(&mut files, 0, piece);
    }
    Some(files.map(|piece| piece.unwrap_or('r')))
}

/// Puts a piece on the free square with this index.
fn place(files: &mut [Option<char>; 8], index: usize, piece: char) {
    if let Some(slot) = files.iter_mut().filter(|slot| slot.is_none()).nth(index) {
        *slot = Some(piece);
    }
}

/// The files of the rooks, the king's side first.
fn castling(files: &[char; 8]) -> String {
    let rooks = (b'a'..=b'h').zip(files).filter(|(_, piece)| **piece == 'r');
    rooks.map(|(file, _)| file as char).rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn standard_chess_is_number_518() {
        assert_eq!(Position::chess960(518), Some(Position::default()));
    }

    #[test]
    fn the_ends_of_the_table() {
        for (number, pieces) in [(0, "bbqnnrkr"), (1, "bqnbnrkr"), (959, "rkrnnqbb")] {
            let fen = Position::chess960(number).unwrap().to_fen();
            assert!(fen.starts_with(pieces), "{number}: {fen}");
        }
        assert_eq!(Position::chess960(960), None);
    }

    #[test]
    fn all_differ_and_the_king_is_between_the_rooks() {
        let mut seen = HashSet::new();
        for number in 0..ARRANGEMENTS {
            let files = arrangement(number).unwrap();
            let places: Vec<char> = files.iter().copied().filter(|p| matches!(p, 'r' | 'k')).collect();
            assert_eq!(places, ['r', 'k', 'r'], "{number}");
            assert!(seen.insert(files), "{number}");
        }
    }

    #[test]
    fn doubles_keep_their_sides_apart() {
        let position = Position::double_fischer(0, 959).unwrap();
        assert_eq!(position.to_shredder_fen(), "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFca - 0 1");
    }
}

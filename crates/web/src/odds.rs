//! Odds: what the stronger player leaves in the box.

pub use crate::messages::Odds;
use chess::{Color, Position, Square};

/// Takes a piece of the giver's off the board: the one on the queen's side, as was the custom; of the pawns, the
/// king's bishop's. `None` when there is no such piece, or the position would not be one.
pub fn give(position: &Position, giver: Color, odds: Odds) -> Option<Position> {
    let (letter, squares): (char, [&str; 2]) = match odds {
        Odds::None => return Some(position.clone()),
        Odds::Pawn => ('p', ["f2", "f7"]),
        Odds::Knight => ('n', ["b1", "b8"]),
        Odds::Bishop => ('b', ["c1", "c8"]),
        Odds::Rook => ('r', ["a1", "a8"]),
        Odds::Queen => ('q', ["d1", "d8"]),
    };
    let letter = if giver.is_white() { letter.to_ascii_uppercase() } else { letter };
    let square = Square::parse(squares[giver as usize]);
    let on_home =
        square.is_some_and(|square| position.piece_on(square).is_some_and(|piece| piece.to_char() == letter));
    // In other arrangements any such piece will do: the first from the a-file.
    let square = square.filter(|_| on_home).or_else(|| {
        Square::all().find(|square| position.piece_on(*square).is_some_and(|piece| piece.to_char() == letter))
    });
    without_piece(position, square?)
}

fn without_piece(position: &Position, square: Square) -> Option<Position> {
    let fen = position.to_shredder_fen();
    let (pieces, rest) = fen.split_once(' ')?;
    let mut rows: Vec<String> = pieces.split('/').map(str::to_string).collect();
    let row = rows.get_mut(7 - square.rank().index())?;
    // Spell the row out, take the piece away, and let the reader put the numbers back.
    let mut squares: Vec<char> = Vec::new();
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(empty) => squares.extend(std::iter::repeat_n('1', empty as usize)),
            None => squares.push(letter),
        }
    }
    *squares.get_mut(square.file().index())? = '1';
    *row = squares.into_iter().collect();
    let fen = format!("{} {rest}", rows.join("/"));
    Position::from_fen_lenient(&fen).ok().map(|(position, _)| position)
}

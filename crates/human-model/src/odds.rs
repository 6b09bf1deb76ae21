//! Odds games: the stronger player starts without a piece.

use chess::{Color, PieceKind, Position, Square};

/// Removes a piece of the giver: the one on the queen's side, as is the custom; of the pawns, the king's bishop's. `None`
/// when there is no such piece, or the position would be illegal.
pub fn give(position: &Position, giver: Color, kind: PieceKind) -> Option<Position> {
    let home = match kind {
        PieceKind::Pawn => ["f2", "f7"],
        PieceKind::Knight => ["b1", "b8"],
        PieceKind::Bishop => ["c1", "c8"],
        PieceKind::Rook => ["a1", "a8"],
        PieceKind::Queen => ["d1", "d8"],
        PieceKind::King => return None,
    };
    let is_given = |square: &Square| position.board().pieces(giver, kind).has(*square);
    // In other arrangements any such piece will do: the first from the a-file.
    let square = Square::parse(home[giver.index()]).filter(is_given).or_else(|| Square::all().find(is_given));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_piece_of_one_side_is_removed() {
        let start = Position::default();
        let fen = |color| give(&start, color, PieceKind::Knight).unwrap().to_fen();
        assert_eq!(fen(Color::White), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1");
        assert_eq!(fen(Color::Black), "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        let bare = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert_eq!(give(&bare, Color::White, PieceKind::Knight), None);
        assert_eq!(give(&bare, Color::White, PieceKind::King), None);
    }
}

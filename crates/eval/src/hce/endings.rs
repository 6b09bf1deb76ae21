//! Endings whose outcome is known, or whose winning plan is: the weights are not asked.

use super::kpk;
use chess::{Bitboard, Board, Color, File, PieceKind, Position, Square};

/// A won ending stands above any ordinary advantage, and the plan moves it by less than a piece is worth.
const WON: i32 = 2000;
const WON_PAWN: i32 = 800;

/// White's score, if one side has a bare king and that decides the game.
#[inline(always)]
pub(super) fn known(position: &Position) -> Option<i32> {
    let board = position.board();
    let white = board.color(Color::White);
    let black = board.color(Color::Black);
    if white.more_than_one() && black.more_than_one() {
        return None;
    }
    let strong = if white.more_than_one() { Color::White } else { Color::Black };
    let score = against_lone_king(board, strong, position.turn())?;
    Some(if strong == Color::White { score } else { -score })
}

/// The stronger side's score.
fn against_lone_king(board: &Board, strong: Color, turn: Color) -> Option<i32> {
    let set = |kind| board.pieces(strong, kind);
    let (pawns, knights, bishops) = (set(PieceKind::Pawn), set(PieceKind::Knight), set(PieceKind::Bishop));
    let majors = set(PieceKind::Rook) | set(PieceKind::Queen);
    let (king, lone_king) = (board.king(strong), board.king(!strong));
    let both_colours =
        (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & !Bitboard::LIGHT_SQUARES).any();

    if majors.is_empty() && pawns.is_empty() {
        let three_knights = knights.count() > 2;
        if !both_colours && !three_knights && (knights.is_empty() || bishops.is_empty()) {
            return Some(0);
        }
        if knights.count() == 1 && !both_colours {
            return Some(WON + towards_corner(lone_king, bishops) + together(king, lone_king));
        }
    }
    if majors.is_empty() && knights.is_empty() && pawns.any() {
        if bishops.is_empty() && !pawns.more_than_one() {
            return Some(pawn_alone(strong, turn, pawns.lowest(), king, lone_king));
        }
        if holds_corner(strong, pawns, bishops, lone_king) {
            return Some(0);
        }
    }
    if majors.any() || both_colours || (knights.any() && bishops.any()) {
        let material = 900 * set(PieceKind::Queen).count()
            + 500 * set(PieceKind::Rook).count()
            + 300 * (knights | bishops).count()
            + 100 * pawns.count();
        return Some(WON + material as i32 + towards_edge(lone_king) + together(king, lone_king));
    }
    None
}

fn pawn_alone(strong: Color, turn: Color, pawn: Square, king: Square, lone_king: Square) -> i32 {
    if kpk::wins(strong, turn, pawn, king, lone_king) {
        WON_PAWN + 20 * pawn.rank().relative_to(strong).index() as i32
    } else {
        0
    }
}

/// Pawns on one rook file, no bishop that controls the corner, and the lone king in it.
fn holds_corner(strong: Color, pawns: Bitboard, bishops: Bitboard, lone_king: Square) -> bool {
    let file = if (pawns & !Bitboard::FILE_A).is_empty() {
        File::A
    } else if (pawns & !Bitboard::FILE_H).is_empty() {
        File::H
    } else {
        return false;
    };
    let corner = Square::new(file, chess::Rank::EIGHTH.relative_to(strong));
    let light = Bitboard::LIGHT_SQUARES.has(corner);
    let its_colour = if light { Bitboard::LIGHT_SQUARES } else { !Bitboard::LIGHT_SQUARES };
    (bishops & its_colour).is_empty() && corner.distance(lone_king) <= 1
}

/// Kings close together mate sooner.
fn together(a: Square, b: Square) -> i32 {
    20 * (7 - i32::from(a.distance(b)))
}

/// Larger towards the edge, largest in a corner.
fn towards_edge(square: Square) -> i32 {
    let from_centre = |index: usize| (2 * index as i32 - 7).abs();
    let (file, rank) = (from_centre(square.file().index()), from_centre(square.rank().index()));
    15 * file.max(rank) + 5 * file.min(rank)
}

/// Larger towards the corners of the bishop's colour (the diagonal distance of Stockfish's KBNK).
fn towards_corner(square: Square, bishops: Bitboard) -> i32 {
    let light = (bishops & Bitboard::LIGHT_SQUARES).any();
    let square = if light { square.flip_file() } else { square };
    60 * (7 - square.file().index() as i32 - square.rank().index() as i32).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(fen: &str) -> Option<i32> {
        known(&Position::from_fen(fen).unwrap())
    }

    #[test]
    fn drawn_by_material_or_corner() {
        for fen in [
            "4k3/8/8/8/8/8/8/4KNN1 w - - 0 1",
            "4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1",
            "4kb2/8/8/8/8/8/8/4K3 w - - 0 1",
            // The dark bishop does not see a8, nor h1.
            "k7/8/P7/K7/8/8/8/2B5 w - - 0 1",
            "8/8/8/8/3b3p/6k1/8/7K w - - 0 1",
            "1k6/8/P7/P7/8/8/8/K7 w - - 0 1",
        ] {
            assert_eq!(score(fen), Some(0), "{fen}");
        }
    }

    #[test]
    fn won_endings_make_progress() {
        for (nearer, farther) in [
            ("7k/8/8/8/8/8/8/R3K3 w - - 0 1", "8/8/8/4k3/8/8/8/R3K3 w - - 0 1"),
            // A light bishop mates on a8, not on h8.
            ("k7/8/2K5/8/8/8/8/1N3B2 w - - 0 1", "7k/8/5K2/8/8/8/8/1N3B2 w - - 0 1"),
            ("8/3KP1k1/8/8/8/8/8/8 w - - 0 1", "8/3K2k1/4P3/8/8/8/8/8 w - - 0 1"),
        ] {
            assert!(score(nearer) > score(farther), "{nearer}");
            assert!(score(farther) > Some(500), "{farther}");
        }
        assert!(score("4K3/8/8/8/8/8/4r3/k7 w - - 0 1") < Some(-WON));
    }

    #[test]
    fn other_endings_are_left_to_the_weights() {
        for fen in [
            "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1",
            "1k6/8/P7/K7/8/8/8/3B4 w - - 0 1",
            "r3k3/8/8/8/8/8/8/4K2Q w - - 0 1",
        ] {
            assert_eq!(score(fen), None, "{fen}");
        }
    }
}

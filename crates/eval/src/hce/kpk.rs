//! King and pawn against king, solved: the table is made by `build.rs`.

use chess::{Color, Square};

include!(concat!(env!("OUT_DIR"), "/kpk.rs"));

/// Whether the side with the pawn wins. The pawn must stand on ranks two to seven of its owner.
pub(super) fn wins(owner: Color, turn: Color, pawn: Square, king: Square, lone_king: Square) -> bool {
    let fold = |square: Square| {
        let seen = square.relative_to(owner);
        if pawn.file().index() < 4 { seen } else { seen.flip_file() }
    };
    let (pawn, king, lone_king) = (fold(pawn), fold(king), fold(lone_king));
    let pawn = pawn.rank().index().clamp(1, 6) * 4 - 4 + pawn.file().index();
    let turn = usize::from(turn != owner);
    WINS[(turn * 24 + pawn) * 64 + king.index()] >> lone_king.index() & 1 != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The count every published table of this ending agrees on, pawn on files a to d.
    #[test]
    fn as_many_wins_as_published() {
        assert_eq!(WINS.iter().map(|row| row.count_ones()).sum::<u32>(), 111_282);
    }

    #[test]
    fn positions_every_player_knows() {
        let square = |name| Square::parse(name).unwrap();
        for (turn, pawn, king, lone, won) in [
            // King in front of the pawn with the opposition, and without.
            (Color::Black, "e4", "e6", "e8", true),
            (Color::White, "e5", "e6", "e8", true),
            (Color::White, "e4", "e5", "e7", false),
            (Color::Black, "e4", "e5", "e7", true),
            // The rook pawn and the corner.
            (Color::White, "a6", "b6", "a8", false),
            (Color::White, "h5", "g6", "g8", false),
            // Outside the square.
            (Color::White, "a4", "h1", "h4", true),
            (Color::Black, "a4", "h1", "e5", false),
        ] {
            let answer = wins(Color::White, turn, square(pawn), square(king), square(lone));
            assert_eq!(answer, won, "pawn {pawn}, king {king}, against {lone}, {turn} to move");
            let mirrored = wins(
                Color::Black,
                !turn,
                square(pawn).flip_rank(),
                square(king).flip_rank(),
                square(lone).flip_rank(),
            );
            assert_eq!(mirrored, won, "mirrored");
        }
    }
}

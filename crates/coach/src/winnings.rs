//! What a line wins, in pieces, as players say it.

use crate::balance::{piece_name, settled_balances};
use chess::{Board, Color, Move, PieceKind, Position};
use std::fmt;

/// Pieces that one side is up after a line, against those that it is down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Winnings {
    /// In pawns.
    pub pawns: i32,
    won: Vec<Item>,
    paid: Vec<Item>,
}

/// So many pieces of a kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Pieces(PieceKind, i32),
    /// Knights and bishops together.
    Minor(i32),
    /// A rook for a knight or bishop.
    Exchange,
}

/// More kinds than this are told as their worth.
const MOST_KINDS: usize = 2;
/// A rook for a minor piece is the exchange while no more than this comes with it, in pawns.
const SMALL: i32 = 2;

impl Winnings {
    /// What `side` has won at the last point of the line where nothing hangs; `pawns` is its worth, known already.
    pub fn new(start: &Position, line: &[Move], side: Color, pawns: i32) -> Winnings {
        let last = settled_balances(start, line).iter().rposition(Option::is_some).map_or(0, |ply| ply + 1);
        let mut at = start.clone();
        line[..last].iter().for_each(|mv| at.play(*mv));
        let promotes = line[..last].iter().any(|mv| mv.is_promotion());
        let more = |kind: PieceKind| lead(at.board(), side, kind) - lead(start.board(), side, kind);
        let [pawn, knight, bishop, mut rook, queen] =
            [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen]
                .map(more);
        let mut minor = knight + bishop;
        let mut items = Vec::new();
        if rook * minor == -1 && pawn.abs() <= SMALL && queen == 0 {
            items.push((rook, Item::Exchange));
            (rook, minor) = (0, 0);
        }
        let single = match (knight, bishop) {
            (1 | -1, 0) => Some(PieceKind::Knight),
            (0, 1 | -1) => Some(PieceKind::Bishop),
            _ => None,
        };
        let minors = single.map_or(Item::Minor(minor.abs()), |kind| Item::Pieces(kind, minor.abs()));
        items.push((queen, Item::Pieces(PieceKind::Queen, queen.abs())));
        items.push((rook, Item::Pieces(PieceKind::Rook, rook.abs())));
        items.push((minor, minors));
        items.push((pawn, Item::Pieces(PieceKind::Pawn, pawn.abs())));
        let of = |sign: i32| {
            items.iter().filter(|(count, _)| *count * sign > 0).map(|(_, item)| *item).collect::<Vec<_>>()
        };
        let (won, paid) = if promotes { (Vec::new(), Vec::new()) } else { (of(1), of(-1)) };
        Winnings { pawns, won, paid }
    }

    /// Nothing but pawns.
    pub fn is_pawns(&self) -> bool {
        matches!(self.won[..], [Item::Pieces(PieceKind::Pawn, _)])
    }
}

/// How many pieces of a kind a side has more than the other.
fn lead(board: &Board, side: Color, kind: PieceKind) -> i32 {
    board.pieces(side, kind).count() as i32 - board.pieces(!side, kind).count() as i32
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Item::Exchange => f.write_str("the exchange"),
            Item::Minor(1) => f.write_str("a piece"),
            Item::Minor(count) => write!(f, "{count} pieces"),
            Item::Pieces(kind, 1) => write!(f, "a {}", piece_name(*kind)),
            Item::Pieces(kind, count) => write!(f, "{count} {}s", piece_name(*kind)),
        }
    }
}

impl fmt::Display for Winnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list =
            |items: &[Item]| items.iter().map(ToString::to_string).collect::<Vec<String>>().join(" and ");
        match (&self.won[..], &self.paid[..]) {
            (won, []) if (1..=MOST_KINDS).contains(&won.len()) => write!(f, "wins {}", list(won)),
            (won, paid) if (1..=MOST_KINDS).contains(&won.len()) && paid.len() <= MOST_KINDS => {
                write!(f, "wins {} for {}", list(won), list(paid))
            }
            _ => {
                write!(
                    f,
                    "wins {} {} of material",
                    self.pawns,
                    if self.pawns == 1 { "pawn" } else { "pawns" }
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(fen: &str, moves: &str) -> String {
        let start = Position::from_fen(fen).unwrap();
        let mut at = start.clone();
        let mut line = Vec::new();
        for word in moves.split(' ') {
            let mv = at.parse_uci(word).unwrap();
            at.play(mv);
            line.push(mv);
        }
        Winnings::new(&start, &line, start.turn(), 3).to_string()
    }

    #[test]
    fn pieces_are_named() {
        for (fen, moves, expected) in [
            ("4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5", "wins a queen"),
            ("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", "wins a pawn"),
            ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7 e8d7 c7a8", "wins a rook"),
            ("4k3/1p6/r7/8/2B5/8/8/4K3 w - - 0 1", "c4a6 b7a6", "wins the exchange"),
            ("4k3/1p6/q7/8/2B5/8/8/4K3 w - - 0 1", "c4a6 b7a6", "wins a queen for a bishop"),
            ("4k3/8/2p5/3q4/8/4N3/8/4K3 w - - 0 1", "e3d5 c6d5", "wins a queen for a knight"),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", "wins 3 pawns of material"),
        ] {
            assert_eq!(told(fen, moves), expected, "{fen}: {moves}");
        }
    }

    #[test]
    fn equal_pieces_that_leave_the_board_cancel() {
        let bishops = "4k3/8/4b3/8/6N1/5n2/4P3/4K3 w - - 0 1";
        assert_eq!(told(bishops, "e2f3 e6g4 f3g4"), "wins a bishop");
    }
}

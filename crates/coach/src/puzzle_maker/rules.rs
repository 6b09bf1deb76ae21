//! Rules for themes of whole solutions, after what Lichess means by their names (its puzzle tagger,
//! github.com/ornicar/lichess-puzzler, defines them; its public puzzles, shipped in part as the quiz, are the reference).
//! What happens in one move or in a pair of moves is in [`crate::tactics`].

use crate::tactics::{Track, is_hanging, is_in_bad_spot, value};
use chess::{Color, Move, PieceKind, Position, SEE_VALUES};

/// Centipawns given up at least.
const SACRIFICE: i32 = 200;
/// The first rank, counted from 0 and seen by its side, on which a pawn is far advanced.
const ADVANCED: usize = 5;

fn material(position: &Position, color: Color) -> i32 {
    PieceKind::ALL
        .iter()
        .filter(|kind| **kind != PieceKind::King)
        .map(|kind| position.board().pieces(color, *kind).count() as i32 * SEE_VALUES[kind.index()])
        .sum()
}

/// What the solver has more than the other side.
fn balance(position: &Position, solver: Color) -> i32 {
    material(position, solver) - material(position, !solver)
}

/// Sacrifice: the solver is behind the first balance even after its next move, so it was no exchange.
pub fn is_sacrifice(track: &Track) -> bool {
    let Some(first) = track.positions().first() else { return false };
    let solver = first.turn();
    let start = balance(first, solver);
    let behind = track.own().skip(1).any(|(.., after)| start - balance(after, solver) >= SACRIFICE);
    behind && !track.own().skip(1).any(|(_, _, mv, _)| mv.is_promotion())
}

/// Hanging piece: the first move takes a piece that nothing defends and that is not just taken back, and the next moves do
/// not give it back. Where the move before is not known, the solver must be ahead after taking: who only takes back is
/// mostly not.
pub fn takes_hanging_piece(track: &Track, before: Option<(&Position, Move)>) -> bool {
    let mut own = track.own();
    let Some((_, position, mv, after)) = own.next() else { return false };
    let solver = position.turn();
    let Some(kind) = position.captured(mv).filter(|kind| *kind != PieceKind::Pawn) else { return false };
    let is_won = match before {
        Some((before, last)) => {
            let paid = before.captured(last).filter(|_| last.to() == mv.to());
            paid.is_none_or(|paid| value(paid) < value(kind))
        }
        None => balance(after, solver) > 0,
    };
    let is_kept = own.next().is_none_or(|(.., later)| balance(later, solver) >= balance(after, solver));
    is_won && is_hanging(position.board(), mv.to()) && is_kept
}

/// Fork: an own move before the last one attacks two pieces that are undefended or worth more, with a piece that stands well.
pub fn has_fork(track: &Track) -> bool {
    let count = track.own().count();
    track.own().take(count.saturating_sub(1)).any(|(_, before, mv, after)| {
        let board = after.board();
        let (us, them) = (before.turn(), after.turn());
        let Some(piece) = board.piece_on(mv.to()) else { return false };
        let is_target = |kind: PieceKind, square| {
            let attacked = (board.attackers(square, board.occupied()) & board.color(us)).has(mv.to());
            // What can take the forking piece is no prey.
            let strikes_back = (board.attackers(mv.to(), board.occupied()) & board.color(them)).has(square);
            let is_prey = value(kind) > value(piece.kind()) || is_hanging(board, square) && !strikes_back;
            kind != PieceKind::Pawn && attacked && is_prey
        };
        let targets = PieceKind::ALL
            .iter()
            .flat_map(|kind| board.pieces(them, *kind).into_iter().map(|square| (*kind, square)))
            .filter(|(kind, square)| is_target(*kind, *square));
        piece.kind() != PieceKind::King && !is_in_bad_spot(board, mv.to()) && targets.count() >= 2
    })
}

/// Quiet move: before the last one, an own move, not of the king, that takes nothing, gives no check, answers none and attacks no piece.
pub fn has_quiet_move(track: &Track) -> bool {
    let count = track.own().count();
    track.own().take(count.saturating_sub(1)).any(|(_, before, mv, after)| {
        let board = after.board();
        let Some(piece) = board.piece_on(mv.to()) else { return false };
        let is_advance =
            piece.kind() == PieceKind::Pawn && mv.to().relative_to(before.turn()).rank().index() >= ADVANCED;
        let attacks_piece = PieceKind::ALL.iter().any(|kind| {
            board.pieces(after.turn(), *kind).into_iter().any(|square| {
                let attackers = board.attackers(square, board.occupied()) & board.color(before.turn());
                attackers.has(mv.to())
            })
        });
        !before.is_noisy(mv)
            && !after.in_check()
            && !before.in_check()
            && !mv.is_castling()
            && !is_advance
            && piece.kind() != PieceKind::King
            && !attacks_piece
    })
}

//! Pawn structure, and what else only pawns and kings decide; the pawn table remembers it.

use super::features::{
    BACKWARD, CANDIDATE, DOUBLED, ISOLATED, KING_SQUARE, MATERIAL, PASSED, PASSED_ENEMY_KING,
    PASSED_OWN_KING, PASSED_SUPPORTED, PAWN_SQUARE, PHALANX, RAM, SUPPORTED,
};
use super::king;
use super::masks::{adjacent_files, file_ahead, folded_file, folded_square, forward, passed_span};
use super::sum::{Sum, side};
use super::trace::Trace;
use chess::{Bitboard, Board, PieceKind, Square, attacks};

/// All that depends on one side's pawns and both kings. Answers the side's passed pawns.
pub(super) fn structure<const WHITE: bool, T: Trace>(board: &Board, sum: &mut Sum<'_, T>) -> Bitboard {
    let us = side::<WHITE>();
    let own = board.pieces(us, PieceKind::Pawn);
    let enemy = board.pieces(!us, PieceKind::Pawn);
    sum.add::<WHITE>(KING_SQUARE, folded_square(us, board.king(us)));
    sum.add_times::<WHITE>(MATERIAL, PieceKind::Pawn.index(), own.count() as i32);

    king::shelter::<WHITE, T>(board, sum);
    let mut passed = Bitboard::EMPTY;
    for square in own {
        sum.add::<WHITE>(PAWN_SQUARE, square.relative_to(us).index());
        if pawn::<WHITE, T>(square, own, enemy, sum) {
            passed |= square.bitboard();
            passed_pawn::<WHITE, T>(board, square, own, sum);
        }
    }
    passed
}

/// One pawn among the others; answers whether it is passed.
#[inline(always)]
fn pawn<const WHITE: bool, T: Trace>(
    square: Square,
    own: Bitboard,
    enemy: Bitboard,
    sum: &mut Sum<'_, T>,
) -> bool {
    let us = side::<WHITE>();
    let rank = square.rank().relative_to(us).index();
    let stop = forward(us, square.bitboard());
    let ahead = file_ahead(us, square);
    let opposed = (ahead & enemy).any();
    let neighbours = adjacent_files(square.file()) & own;
    let span = passed_span(us, square);
    let supporters = attacks::pawn(!us, square) & own;
    let phalanx = neighbours & square.rank().bitboard();
    let levers = attacks::pawn(us, square) & enemy;
    let push_levers = attacks::pawns(us, stop) & enemy;
    let stoppers = span & enemy;
    let in_front = (ahead & own).any();

    if in_front {
        sum.add::<WHITE>(DOUBLED, usize::from(supporters.any()));
    }
    if neighbours.is_empty() {
        sum.add::<WHITE>(ISOLATED, usize::from(opposed) * 4 + folded_file(square.file()));
    } else if (neighbours & !span).is_empty() && push_levers.any() {
        // Every neighbour has gone ahead and the next step is covered by an enemy pawn.
        sum.add::<WHITE>(BACKWARD, usize::from(opposed) * 8 + rank);
    }
    if phalanx.any() {
        sum.add::<WHITE>(PHALANX, rank);
    }
    if supporters.any() {
        sum.add_times::<WHITE>(SUPPORTED, rank, supporters.count() as i32);
    }
    if (stop & enemy).any() && (rank == 4 || rank == 5) {
        sum.add::<WHITE>(RAM, rank - 4);
    }

    if stoppers.is_empty() {
        return !in_front;
    }
    // A candidate could be passed after exchanges: only levers stop it, and the push has helpers enough.
    if stoppers == levers | push_levers {
        let push_helpers = phalanx;
        if push_helpers.count() >= push_levers.count() {
            let held = supporters.count() >= levers.count();
            sum.add::<WHITE>(CANDIDATE, usize::from(held) * 8 + rank);
        }
    }
    false
}

/// The part of a passed pawn's worth that pieces cannot change.
fn passed_pawn<const WHITE: bool, T: Trace>(
    board: &Board,
    square: Square,
    own: Bitboard,
    sum: &mut Sum<'_, T>,
) {
    let us = side::<WHITE>();
    let rank = square.rank().relative_to(us).index();
    sum.add::<WHITE>(PASSED, rank);
    if ((attacks::pawn(!us, square) | square.bitboard().east() | square.bitboard().west()) & own).any() {
        sum.add::<WHITE>(PASSED_SUPPORTED, rank);
    }
    if rank >= 3 {
        let stop = forward(us, square.bitboard()).lowest();
        let row = (rank - 3) * 8;
        sum.add::<WHITE>(PASSED_OWN_KING, row + usize::from(stop.distance(board.king(us))));
        sum.add::<WHITE>(PASSED_ENEMY_KING, row + usize::from(stop.distance(board.king(!us))));
    }
}

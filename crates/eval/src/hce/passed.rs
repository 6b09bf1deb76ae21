//! Passed pawns among the pieces: may they run?

use super::features::{PASSED_ADVANCE, PASSED_FREE_PATH, PASSED_ROOK_BEHIND, PASSED_UNSTOPPABLE};
use super::masks::{file_ahead, forward};
use super::setting::EvalContext;
use super::sum::{Sum, side};
use super::trace::Trace;
use chess::{Bitboard, Color, PieceKind, Square};

pub(super) fn passed<const WHITE: bool, T: Trace>(
    setting: &EvalContext<'_>,
    passed: Bitboard,
    turn: Color,
    sum: &mut Sum<'_, T>,
) {
    if passed.is_empty() {
        return;
    }
    let us = side::<WHITE>();
    let board = setting.board;
    let enemy_attacks = setting.attacked[(!us).index()];
    let bare = (board.color(!us) & !(board.kind(PieceKind::Pawn) | board.kind(PieceKind::King))).is_empty();
    for square in passed {
        let rank = square.rank().relative_to(us).index();
        let stop = forward(us, square.bitboard());
        let path = file_ahead(us, square);
        let empty = (stop & setting.occupied).is_empty();
        let safe = (stop & enemy_attacks).is_empty();
        sum.add::<WHITE>(PASSED_ADVANCE, usize::from(empty) * 16 + usize::from(safe) * 8 + rank);
        if (path & (setting.occupied | enemy_attacks)).is_empty() {
            sum.add::<WHITE>(PASSED_FREE_PATH, rank);
        }
        let behind = file_ahead(!us, square) & board.kind(PieceKind::Rook);
        if (behind & board.color(us)).any() {
            sum.add::<WHITE>(PASSED_ROOK_BEHIND, 0);
        } else if (behind & board.color(!us)).any() {
            sum.add::<WHITE>(PASSED_ROOK_BEHIND, 1);
        }
        if bare && unstoppable(setting, square, us, turn) {
            sum.add::<WHITE>(PASSED_UNSTOPPABLE, 0);
        }
    }
}

/// The rule of the square, for a pawn whose path is empty.
fn unstoppable(setting: &EvalContext<'_>, square: Square, us: Color, turn: Color) -> bool {
    let path = file_ahead(us, square);
    if (path & setting.board.color(us)).any() {
        return false;
    }
    let promotion = match us {
        Color::White => path.last(),
        Color::Black => path.first(),
    };
    let Some(promotion) = promotion else { return false };
    let double_step = square.rank().relative_to(us).index() == 1;
    let steps = u8::try_from(path.count()).unwrap_or(6) - u8::from(double_step);
    let enemy_king = setting.kings[(!us).index()];
    promotion.distance(enemy_king) > steps + u8::from(turn != us)
}

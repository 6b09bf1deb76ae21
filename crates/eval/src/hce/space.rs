//! Room behind our pawns in the centre.

use super::features::SPACE;
use super::masks::{CENTRE_FILES, backward, ranks};
use super::setting::EvalContext;
use super::sum::{Sum, side};
use super::trace::Trace;
use chess::PieceKind;

/// Squares in the centre of our half that no enemy pawn attacks; those behind our pawns, unattacked, count twice.
#[inline(always)]
pub(super) fn space<const WHITE: bool, T: Trace>(setting: &EvalContext<'_>, sum: &mut Sum<'_, T>) {
    let us = side::<WHITE>();
    let pawns = setting.own::<WHITE>(PieceKind::Pawn);
    let held = setting.by[(!us).index()][PieceKind::Pawn.index()];
    let room = CENTRE_FILES & ranks(us, 1, 3) & !pawns & !held;
    let mut behind = pawns | backward(us, pawns);
    behind |= backward(us, backward(us, behind));
    let inner = room & behind & !setting.attacked[(!us).index()];
    let pieces = setting.board.color(us) & !pawns;
    // The king is one of them; eight pieces and more are one case.
    let crowd = pieces.count().min(8) as usize - 1;
    sum.add_times::<WHITE>(SPACE, crowd, (room.count() + inner.count()) as i32);
}

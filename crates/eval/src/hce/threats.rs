//! What is attacked and badly defended.

use super::features::{
    HANGING, HELD_BY_QUEEN, PUSH_THREAT, QUEEN_HUNT, RESTRICTED, THREAT_BY_KING, THREAT_BY_MINOR,
    THREAT_BY_PAWN, THREAT_BY_ROOK,
};
use super::masks::{forward, ranks};
use super::setting::EvalContext;
use super::sum::{Sum, side};
use super::trace::Trace;
use chess::{Bitboard, PieceKind, attacks};

/// The pieces a threat can fall on.
const VICTIMS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// What one side threatens.
#[inline(always)]
pub(super) fn threats<const WHITE: bool, T: Trace>(setting: &EvalContext<'_>, sum: &mut Sum<'_, T>) {
    let us = side::<WHITE>();
    let them = !us;
    let board = setting.board;
    let ours = &setting.by[us.index()];
    let theirs = &setting.by[them.index()];
    let (attacked, attacked_twice) = (setting.attacked[us.index()], setting.attacked_twice[us.index()]);
    let (held, held_twice) = (setting.attacked[them.index()], setting.attacked_twice[them.index()]);

    let enemies = board.color(them);
    let pieces = enemies & !board.kind(PieceKind::Pawn);
    // Held by a pawn, or by two when we attack but once.
    let firm = theirs[PieceKind::Pawn.index()] | (held_twice & !attacked_twice);
    let weak = enemies & attacked & !firm;
    let minors = ours[PieceKind::Knight.index()] | ours[PieceKind::Bishop.index()];

    let by_minor = (weak | (pieces & firm)) & minors;
    let by_rook = weak & ours[PieceKind::Rook.index()];
    for kind in VICTIMS {
        let victims = board.kind(kind);
        sum.add_times::<WHITE>(THREAT_BY_MINOR, kind.index(), (by_minor & victims).count() as i32);
        sum.add_times::<WHITE>(THREAT_BY_ROOK, kind.index(), (by_rook & victims).count() as i32);
    }
    if (weak & ours[PieceKind::King.index()]).any() {
        sum.add::<WHITE>(THREAT_BY_KING, 0);
    }
    let hanging = weak & (!held | (pieces & attacked_twice));
    sum.add_times::<WHITE>(HANGING, 0, hanging.count() as i32);
    sum.add_times::<WHITE>(HELD_BY_QUEEN, 0, (weak & theirs[PieceKind::Queen.index()]).count() as i32);
    sum.add_times::<WHITE>(RESTRICTED, 0, (held & attacked & !firm).count() as i32);

    pawn_threats::<WHITE, T>(setting, pieces, sum);
    queen_hunt::<WHITE, T>(setting, firm, sum);
}

/// Pieces attacked by pawns that stand, or could step, where they are safe.
#[inline(always)]
fn pawn_threats<const WHITE: bool, T: Trace>(
    setting: &EvalContext<'_>,
    pieces: Bitboard,
    sum: &mut Sum<'_, T>,
) {
    let us = side::<WHITE>();
    let held = setting.attacked[(!us).index()];
    let safe = !held | setting.attacked[us.index()];
    let pawns = setting.own::<WHITE>(PieceKind::Pawn);
    let by_pawn = attacks::pawns(us, pawns & safe) & pieces;
    if by_pawn.any() {
        for kind in VICTIMS {
            let count = (by_pawn & setting.board.kind(kind)).count() as i32;
            sum.add_times::<WHITE>(THREAT_BY_PAWN, kind.index(), count);
        }
    }
    let mut steps = forward(us, pawns) & !setting.occupied;
    steps |= forward(us, steps & ranks(us, 2, 2)) & !setting.occupied;
    steps &= safe & !setting.by[(!us).index()][PieceKind::Pawn.index()];
    sum.add_times::<WHITE>(PUSH_THREAT, 0, (attacks::pawns(us, steps) & pieces).count() as i32);
}

/// Squares from which the enemy's only queen could be attacked next.
#[inline(always)]
fn queen_hunt<const WHITE: bool, T: Trace>(setting: &EvalContext<'_>, firm: Bitboard, sum: &mut Sum<'_, T>) {
    let us = side::<WHITE>();
    let queens = setting.enemy::<WHITE>(PieceKind::Queen);
    if queens.is_empty() || queens.more_than_one() {
        return;
    }
    let queen = queens.lowest();
    let ours = &setting.by[us.index()];
    let reachable = setting.mobility_area[us.index()] & !firm;
    let knights = ours[PieceKind::Knight.index()] & attacks::knight(queen) & reachable;
    let sliders = (ours[PieceKind::Bishop.index()] & attacks::bishop(queen, setting.occupied))
        | (ours[PieceKind::Rook.index()] & attacks::rook(queen, setting.occupied));
    let sliders = sliders & reachable & setting.attacked_twice[us.index()];
    sum.add_times::<WHITE>(QUEEN_HUNT, 0, knights.count() as i32);
    sum.add_times::<WHITE>(QUEEN_HUNT, 1, sliders.count() as i32);
}

//! The pieces one by one: where they stand, what they reach.

use super::features::{
    BISHOP_MOBILITY, BISHOP_PAIR, BISHOP_SQUARE, Feature, KNIGHT_MOBILITY, KNIGHT_PAWNS, KNIGHT_SQUARE,
    MATERIAL, QUEEN_MOBILITY, QUEEN_SQUARE, ROOK_MOBILITY, ROOK_PAWNS, ROOK_SQUARE,
};
use super::masks::folded_square;
use super::setting::Setting;
use super::sum::{Sum, side};
use super::trace::Trace;
use chess::geometry::line;
use chess::{Bitboard, PieceKind, Square, attacks};

/// Everything that concerns single pieces, and their attacks entered into the setting.
#[inline(always)]
pub(super) fn pieces<const WHITE: bool, T: Trace>(setting: &mut Setting<'_>, sum: &mut Sum<'_, T>) {
    knights::<WHITE, T>(setting, sum);
    bishops::<WHITE, T>(setting, sum);
    rooks::<WHITE, T>(setting, sum);
    queens::<WHITE, T>(setting, sum);
}

/// Counts a piece and its square; a pinned piece attacks only along its pin. Answers its mobility.
#[inline(always)]
fn place<const WHITE: bool, T: Trace>(
    setting: &mut Setting<'_>,
    sum: &mut Sum<'_, T>,
    kind: PieceKind,
    square: Square,
    squares: Feature,
    mut reach: Bitboard,
) -> usize {
    let us = side::<WHITE>();
    if setting.pinned[us.index()].has(square) {
        reach &= line(setting.king::<WHITE>(), square);
    }
    setting.enter::<WHITE>(kind, reach);
    sum.add::<WHITE>(MATERIAL, kind.index());
    sum.add::<WHITE>(squares, folded_square(us, square));
    (reach & setting.mobility_area[us.index()]).count() as usize
}

fn pawn_count<const WHITE: bool>(setting: &Setting<'_>) -> usize {
    setting.own::<WHITE>(PieceKind::Pawn).count().min(8) as usize
}

#[inline(always)]
fn knights<const WHITE: bool, T: Trace>(setting: &mut Setting<'_>, sum: &mut Sum<'_, T>) {
    for square in setting.own::<WHITE>(PieceKind::Knight) {
        let reach = attacks::knight(square);
        let mobility = place::<WHITE, T>(setting, sum, PieceKind::Knight, square, KNIGHT_SQUARE, reach);
        sum.add::<WHITE>(KNIGHT_MOBILITY, mobility);
        sum.add::<WHITE>(KNIGHT_PAWNS, pawn_count::<WHITE>(setting));
    }
}

#[inline(always)]
fn bishops<const WHITE: bool, T: Trace>(setting: &mut Setting<'_>, sum: &mut Sum<'_, T>) {
    let bishops = setting.own::<WHITE>(PieceKind::Bishop);
    let through = setting.occupied ^ setting.board.kind(PieceKind::Queen);
    for square in bishops {
        let reach = attacks::bishop(square, through);
        let mobility = place::<WHITE, T>(setting, sum, PieceKind::Bishop, square, BISHOP_SQUARE, reach);
        sum.add::<WHITE>(BISHOP_MOBILITY, mobility);
    }
    if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & !Bitboard::LIGHT_SQUARES).any() {
        sum.add::<WHITE>(BISHOP_PAIR, pawn_count::<WHITE>(setting));
    }
}

#[inline(always)]
fn rooks<const WHITE: bool, T: Trace>(setting: &mut Setting<'_>, sum: &mut Sum<'_, T>) {
    let rooks = setting.own::<WHITE>(PieceKind::Rook);
    let through = setting.occupied ^ setting.board.kind(PieceKind::Queen) ^ rooks;
    for square in rooks {
        let reach = attacks::rook(square, through);
        let mobility = place::<WHITE, T>(setting, sum, PieceKind::Rook, square, ROOK_SQUARE, reach);
        sum.add::<WHITE>(ROOK_MOBILITY, mobility);
        sum.add::<WHITE>(ROOK_PAWNS, pawn_count::<WHITE>(setting));
    }
}

#[inline(always)]
fn queens<const WHITE: bool, T: Trace>(setting: &mut Setting<'_>, sum: &mut Sum<'_, T>) {
    for square in setting.own::<WHITE>(PieceKind::Queen) {
        let reach = attacks::queen(square, setting.occupied);
        let mobility = place::<WHITE, T>(setting, sum, PieceKind::Queen, square, QUEEN_SQUARE, reach);
        sum.add::<WHITE>(QUEEN_MOBILITY, mobility);
    }
}

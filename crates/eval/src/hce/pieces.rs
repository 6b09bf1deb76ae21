//! The pieces one by one: where they stand, what they reach, whose king they trouble.

use super::features::{
    BISHOP_BLOCKED, BISHOP_FACES_PAWN, BISHOP_KING_DISTANCE, BISHOP_LONG_DIAGONAL, BISHOP_MOBILITY,
    BISHOP_OUTPOST, BISHOP_OWN_PAWNS, BISHOP_PAIR, BISHOP_SQUARE, DANGER_ATTACKER, DANGER_HITS, Feature,
    KNIGHT_KING_DISTANCE, KNIGHT_MOBILITY, KNIGHT_OUTPOST, KNIGHT_PAWNS, KNIGHT_REACHES_OUTPOST,
    KNIGHT_SQUARE, MATERIAL, MINOR_BEHIND_PAWN, QUEEN_EXPOSED, QUEEN_INFILTRATION, QUEEN_MOBILITY,
    QUEEN_SQUARE, ROOK_FILE, ROOK_INFILTRATION, ROOK_MOBILITY, ROOK_PAWNS, ROOK_QUEEN_FILE, ROOK_SEVENTH,
    ROOK_SQUARE, ROOK_TRAPPED,
};
use super::masks::{CENTRE, CENTRE_FILES, backward, folded_square, ranks};
use super::setting::EvalContext;
use super::sum::{Sum, side};
use super::trace::Trace;
use chess::geometry::{between, bishop_lines, line, rook_lines};
use chess::{Bitboard, PieceKind, Square, attacks};

/// Everything that concerns single pieces, and their attacks entered into the setting.
#[inline(always)]
pub(super) fn pieces<const WHITE: bool, T: Trace>(setting: &mut EvalContext<'_>, sum: &mut Sum<'_, T>) {
    knights::<WHITE, T>(setting, sum);
    bishops::<WHITE, T>(setting, sum);
    rooks::<WHITE, T>(setting, sum);
    queens::<WHITE, T>(setting, sum);
}

/// Counts a piece, its square and its attack on the enemy king; a pinned piece attacks only along its pin.
/// Answers its mobility.
#[inline(always)]
fn place<const WHITE: bool, T: Trace>(
    setting: &mut EvalContext<'_>,
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
    let hits = reach & setting.king_zone[(!us).index()];
    if hits.any() {
        let row = kind.index() - PieceKind::Knight.index();
        sum.endanger(!us, DANGER_ATTACKER, row, 1);
        sum.endanger(!us, DANGER_HITS, row, hits.count() as i32);
    }
    (reach & setting.mobility_area[us.index()]).count() as usize
}

#[inline(always)]
fn pawn_count<const WHITE: bool>(setting: &EvalContext<'_>) -> usize {
    setting.own::<WHITE>(PieceKind::Pawn).count().min(8) as usize
}

/// Squares in front of us that no enemy pawn can ever attack.
#[inline(always)]
fn outposts<const WHITE: bool>(setting: &EvalContext<'_>) -> Bitboard {
    let us = side::<WHITE>();
    ranks(us, 3, 5) & !setting.pawn_span[(!us).index()]
}

#[inline(always)]
fn outpost_kind<const WHITE: bool>(setting: &EvalContext<'_>, square: Square) -> usize {
    let held = setting.by[side::<WHITE>().index()][PieceKind::Pawn.index()].has(square);
    usize::from(CENTRE_FILES.has(square)) * 2 + usize::from(held)
}

/// Minor pieces with a pawn of any colour straight in front of them.
#[inline(always)]
fn behind_pawns<const WHITE: bool>(setting: &EvalContext<'_>, minors: Bitboard) -> i32 {
    let pawns = setting.board.kind(PieceKind::Pawn);
    (minors & backward(side::<WHITE>(), pawns)).count() as i32
}

#[inline(always)]
fn knights<const WHITE: bool, T: Trace>(setting: &mut EvalContext<'_>, sum: &mut Sum<'_, T>) {
    let us = side::<WHITE>();
    let knights = setting.own::<WHITE>(PieceKind::Knight);
    if knights.is_empty() {
        return;
    }
    let outposts = outposts::<WHITE>(setting);
    for square in knights {
        let reach = attacks::knight(square);
        let mobility = place::<WHITE, T>(setting, sum, PieceKind::Knight, square, KNIGHT_SQUARE, reach);
        sum.add::<WHITE>(KNIGHT_MOBILITY, mobility);
        sum.add::<WHITE>(KNIGHT_PAWNS, pawn_count::<WHITE>(setting));
        let distance = square.distance(setting.king::<WHITE>());
        sum.add::<WHITE>(KNIGHT_KING_DISTANCE, usize::from(distance));
        if outposts.has(square) {
            sum.add::<WHITE>(KNIGHT_OUTPOST, outpost_kind::<WHITE>(setting, square));
        } else if (reach & outposts & !setting.board.color(us)).any() {
            sum.add::<WHITE>(KNIGHT_REACHES_OUTPOST, 0);
        }
    }
    sum.add_times::<WHITE>(MINOR_BEHIND_PAWN, 0, behind_pawns::<WHITE>(setting, knights));
}

#[inline(always)]
fn bishops<const WHITE: bool, T: Trace>(setting: &mut EvalContext<'_>, sum: &mut Sum<'_, T>) {
    let us = side::<WHITE>();
    let bishops = setting.own::<WHITE>(PieceKind::Bishop);
    if bishops.is_empty() {
        return;
    }
    let through = setting.occupied ^ setting.board.kind(PieceKind::Queen);
    let pawns = setting.own::<WHITE>(PieceKind::Pawn);
    let blocked = (pawns & CENTRE_FILES & backward(us, setting.occupied)).count() as i32;
    let outposts = outposts::<WHITE>(setting);
    for square in bishops {
        let reach = attacks::bishop(square, through);
        let mobility = place::<WHITE, T>(setting, sum, PieceKind::Bishop, square, BISHOP_SQUARE, reach);
        sum.add::<WHITE>(BISHOP_MOBILITY, mobility);
        let distance = square.distance(setting.king::<WHITE>());
        sum.add::<WHITE>(BISHOP_KING_DISTANCE, usize::from(distance));
        if outposts.has(square) {
            sum.add::<WHITE>(BISHOP_OUTPOST, outpost_kind::<WHITE>(setting, square));
        }
        let light = Bitboard::LIGHT_SQUARES.has(square);
        let its_colour = if light { Bitboard::LIGHT_SQUARES } else { !Bitboard::LIGHT_SQUARES };
        let in_its_way = (pawns & its_colour).count();
        sum.add::<WHITE>(BISHOP_OWN_PAWNS, in_its_way.min(8) as usize);
        sum.add_times::<WHITE>(BISHOP_BLOCKED, 0, in_its_way as i32 * blocked);
        let facing = bishop_lines(square) & setting.enemy::<WHITE>(PieceKind::Pawn);
        sum.add_times::<WHITE>(BISHOP_FACES_PAWN, 0, facing.count() as i32);
        // Through pawns only from afar: the centre seen with the pawns alone in the way.
        if (attacks::bishop(square, setting.board.kind(PieceKind::Pawn)) & CENTRE).more_than_one() {
            sum.add::<WHITE>(BISHOP_LONG_DIAGONAL, 0);
        }
    }
    sum.add_times::<WHITE>(MINOR_BEHIND_PAWN, 1, behind_pawns::<WHITE>(setting, bishops));
    if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & !Bitboard::LIGHT_SQUARES).any() {
        sum.add::<WHITE>(BISHOP_PAIR, pawn_count::<WHITE>(setting));
    }
}

#[inline(always)]
fn rooks<const WHITE: bool, T: Trace>(setting: &mut EvalContext<'_>, sum: &mut Sum<'_, T>) {
    let us = side::<WHITE>();
    let rooks = setting.own::<WHITE>(PieceKind::Rook);
    if rooks.is_empty() {
        return;
    }
    let through = setting.occupied ^ setting.board.kind(PieceKind::Queen) ^ rooks;
    let own_pawns = setting.own::<WHITE>(PieceKind::Pawn);
    let enemy_pawns = setting.enemy::<WHITE>(PieceKind::Pawn);
    let beyond = ranks(us, 4, 7) & !setting.pawn_span[(!us).index()];
    for square in rooks {
        let reach = attacks::rook(square, through);
        let mobility = place::<WHITE, T>(setting, sum, PieceKind::Rook, square, ROOK_SQUARE, reach);
        sum.add::<WHITE>(ROOK_MOBILITY, mobility);
        sum.add::<WHITE>(ROOK_PAWNS, pawn_count::<WHITE>(setting));
        let file = square.file().bitboard();
        if (file & own_pawns).is_empty() {
            sum.add::<WHITE>(ROOK_FILE, usize::from((file & enemy_pawns).is_empty()));
        } else if mobility <= 3 {
            trapped_rook::<WHITE, T>(setting, square, sum);
        }
        if (file & setting.board.kind(PieceKind::Queen)).any() {
            sum.add::<WHITE>(ROOK_QUEEN_FILE, 0);
        }
        if beyond.has(square) {
            sum.add::<WHITE>(ROOK_INFILTRATION, 0);
        }
    }
    // The seventh is worth having while a king is cut off on the eighth or pawns are left to take.
    let seventh = ranks(us, 6, 6);
    let cut_off = ranks(us, 7, 7).has(setting.kings[(!us).index()]);
    if cut_off || (enemy_pawns & seventh).any() {
        sum.add_times::<WHITE>(ROOK_SEVENTH, 0, (rooks & seventh).count() as i32);
    }
}

/// A rook with hardly a move, between the edge and its own king.
#[inline(always)]
fn trapped_rook<const WHITE: bool, T: Trace>(setting: &EvalContext<'_>, rook: Square, sum: &mut Sum<'_, T>) {
    let us = side::<WHITE>();
    let king = setting.king::<WHITE>();
    let queenside = king.file().index() < 4;
    if queenside == (rook.file() < king.file()) && rook.rank() == king.rank() {
        let may_castle = (setting.board.castling_rooks() & setting.board.color(us)).any();
        sum.add::<WHITE>(ROOK_TRAPPED, usize::from(may_castle));
    }
}

#[inline(always)]
fn queens<const WHITE: bool, T: Trace>(setting: &mut EvalContext<'_>, sum: &mut Sum<'_, T>) {
    let us = side::<WHITE>();
    let beyond = ranks(us, 4, 7) & !setting.pawn_span[(!us).index()];
    for square in setting.own::<WHITE>(PieceKind::Queen) {
        let reach = attacks::queen(square, setting.occupied);
        let mobility = place::<WHITE, T>(setting, sum, PieceKind::Queen, square, QUEEN_SQUARE, reach);
        sum.add::<WHITE>(QUEEN_MOBILITY, mobility);
        if beyond.has(square) {
            sum.add::<WHITE>(QUEEN_INFILTRATION, 0);
        }
        let snipers = (rook_lines(square) & setting.enemy::<WHITE>(PieceKind::Rook))
            | (bishop_lines(square) & setting.enemy::<WHITE>(PieceKind::Bishop));
        let one_between = |sniper: Square| {
            let shield = between(square, sniper) & setting.occupied;
            shield.any() && !shield.more_than_one()
        };
        if snipers.into_iter().any(one_between) {
            sum.add::<WHITE>(QUEEN_EXPOSED, 0);
        }
    }
}

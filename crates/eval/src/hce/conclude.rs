//! From the tally to a score: king danger squared, endings scaled by what can be won.

use super::features::{
    Feature, SCALE, SCALE_OPPOSITE, SCALE_OPPOSITE_MORE, SCALE_PAWNLESS, SCALE_ROOKS, Term,
    WINNABLE_BOTH_WINGS, WINNABLE_INFILTRATION, WINNABLE_OUTFLANKING, WINNABLE_PASSED, WINNABLE_PAWN_ENDING,
    WINNABLE_PAWNS,
};
use super::masks::{KINGSIDE, ranks};
use super::parameters::Weights;
use super::phase;
use super::sum::{Sum, Tally};
use super::tapered::Tapered;
use super::terms::EvalTerms;
use super::trace::Trace;
use chess::{Bitboard, Board, Color, PieceKind};

/// Units of danger squared per centipawn in the middlegame, and per centipawn in the endgame.
pub const DANGER_SQUARED: i32 = 16_384;
pub const DANGER_LINEAR: i32 = 64;
/// Beyond this a king is lost anyway, and the halves of a `Tapered` must not overflow.
pub const DANGER_MOST: i32 = 8000;
/// What leaves the endgame half as it is.
pub const SCALE_ONE: i32 = 256;
/// However drawish, better stays better; and nothing is won twice.
pub const SCALE_LEAST: i32 = 16;
pub const SCALE_MOST: i32 = 640;

/// What so much danger costs.
#[inline(always)]
pub(super) fn cost(danger: Tapered) -> Tapered {
    let middlegame = danger.middlegame().clamp(0, DANGER_MOST);
    let endgame = danger.endgame().clamp(0, DANGER_MOST);
    Tapered::new(middlegame * middlegame / DANGER_SQUARED, endgame / DANGER_LINEAR)
}

/// White's score.
#[inline(always)]
pub(super) fn conclude(tally: &Tally, board: &Board, weights: &Weights, terms: EvalTerms) -> i32 {
    let mut total = tally.total;
    if terms.has(Term::KingDanger) {
        total += cost(tally.danger[1]) - cost(tally.danger[0]);
    }
    let (middlegame, mut endgame) = (total.middlegame(), total.endgame());
    let mut factor = if terms.has(Term::Winnable) { tally.winnable } else { 0 };
    if terms.has(Term::Scale) {
        let better = if endgame >= 0 { Color::White } else { Color::Black };
        let (feature, index) = scale(board, better);
        factor += weights.get(feature, index).endgame();
    } else {
        factor += SCALE_ONE;
    }
    endgame = endgame * factor.clamp(SCALE_LEAST, SCALE_MOST) / SCALE_ONE;
    let phase = phase::phase(board);
    (middlegame * phase + endgame * (phase::FULL - phase)) / phase::FULL
}

/// Which scale applies when `better` stands better.
#[inline(always)]
pub(super) fn scale(board: &Board, better: Color) -> (Feature, usize) {
    let pawns = board.pieces(better, PieceKind::Pawn).count().min(8) as usize;
    if pawns == 0 {
        let ahead = power(board, better) - power(board, !better);
        return (SCALE_PAWNLESS, usize::from(ahead > 3));
    }
    let bishops = board.kind(PieceKind::Bishop);
    let (white, black) = (bishops & board.color(Color::White), bishops & board.color(Color::Black));
    let single = |set: Bitboard| set.any() && !set.more_than_one();
    let others = board.kind(PieceKind::Knight) | board.kind(PieceKind::Rook) | board.kind(PieceKind::Queen);
    if single(white) && single(black) && single(bishops & Bitboard::LIGHT_SQUARES) {
        return (if others.any() { SCALE_OPPOSITE_MORE } else { SCALE_OPPOSITE }, pawns);
    }
    let rooks = board.kind(PieceKind::Rook);
    if (bishops | (others ^ rooks)).is_empty()
        && single(rooks & board.color(Color::White))
        && single(rooks & board.color(Color::Black))
    {
        return (SCALE_ROOKS, pawns);
    }
    (SCALE, pawns)
}

/// Pieces in the old reckoning, without pawns.
fn power(board: &Board, color: Color) -> i32 {
    let count = |kind| board.pieces(color, kind).count() as i32;
    3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
        + 5 * count(PieceKind::Rook)
        + 9 * count(PieceKind::Queen)
}

/// What makes an advantage easier to win, whoever has it.
#[inline(always)]
pub(super) fn winnable<T: Trace>(board: &Board, passed: [Bitboard; 2], sum: &mut Sum<'_, T>) {
    let pawns = board.kind(PieceKind::Pawn);
    let (white, black) = (board.king(Color::White), board.king(Color::Black));
    let files = white.file().index().abs_diff(black.file().index()) as i32;
    let ranks_apart = white.rank().index() as i32 - black.rank().index() as i32;
    let beyond = (white.bitboard() & ranks(Color::White, 4, 7)).any()
        || (black.bitboard() & ranks(Color::Black, 4, 7)).any();

    sum.winnable(WINNABLE_PAWNS, pawns.count() as i32);
    sum.winnable(WINNABLE_PASSED, (passed[0] | passed[1]).count() as i32);
    sum.winnable(WINNABLE_OUTFLANKING, files + ranks_apart);
    if (pawns & KINGSIDE).any() && (pawns & !KINGSIDE).any() {
        sum.winnable(WINNABLE_BOTH_WINGS, 1);
    }
    if beyond {
        sum.winnable(WINNABLE_INFILTRATION, 1);
    }
    if board.occupied() == pawns | board.kind(PieceKind::King) {
        sum.winnable(WINNABLE_PAWN_ENDING, 1);
    }
}

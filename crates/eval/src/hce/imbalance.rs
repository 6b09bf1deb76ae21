//! Pieces together: a second rook is worth less than the first, a knight more against many pawns.
//!
//! The idea of a polynomial over piece counts is Kaufman's, in the form Tord Romstad gave it.

use super::features::{IMBALANCE_OWN, IMBALANCE_THEIRS};
use super::setting::EvalContext;
use super::sum::Sum;
use super::trace::Trace;
use chess::{Color, PieceKind};

const KINDS: [PieceKind; 5] =
    [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];

/// The place of an unordered pair among the fifteen.
const fn pair(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * (high + 1) / 2 + low
}

/// The place of a pair of different kinds among the ten.
const fn rivals(high: usize, low: usize) -> usize {
    high * (high - 1) / 2 + low
}

#[inline(always)]
pub(super) fn imbalance<T: Trace>(setting: &EvalContext<'_>, sum: &mut Sum<'_, T>) {
    let count = |color: Color| KINDS.map(|kind| setting.board.pieces(color, kind).count() as i32);
    let (white, black) = (count(Color::White), count(Color::Black));
    if white == black {
        return;
    }
    for high in 0..5 {
        for low in 0..=high {
            // Own with own: pairs of one kind count what lies beyond the first.
            let together = |side: &[i32; 5]| {
                if high == low { side[high] * (side[high] - 1) / 2 } else { side[high] * side[low] }
            };
            let times = together(&white) - together(&black);
            sum.add_times::<true>(IMBALANCE_OWN, pair(high, low), times);
            // Own against theirs: a kind against itself cancels.
            if high != low {
                let times = white[high] * black[low] - black[high] * white[low];
                sum.add_times::<true>(IMBALANCE_THEIRS, rivals(high, low), times);
            }
        }
    }
}

//! Perft: counts the leaves of the game tree, and can be stopped.

use crate::stop_signal::StopSignal;
use chess::{Move, Position};

/// Deeper trees than this overflow every counter and outlive every machine; the recursion stays bounded too.
pub const MAX_PERFT_DEPTH: u32 = 20;

/// Subtrees of this depth are counted without looking at the signal: 10 million leaves at most.
const UNINTERRUPTED_DEPTH: u32 = 3;

/// The leaves below each legal move; `None` when stopped.
pub(crate) fn divide(position: &Position, depth: u32, stop: &StopSignal) -> Option<Vec<(Move, u64)>> {
    let below = |&mv: &Move| Some((mv, count(&position.after(mv), depth.saturating_sub(1), stop)?));
    position.legal_moves().iter().map(below).collect()
}

fn count(position: &Position, depth: u32, stop: &StopSignal) -> Option<u64> {
    if stop.is_raised() {
        return None;
    }
    if depth <= UNINTERRUPTED_DEPTH {
        return Some(chess::perft(position, depth));
    }
    let mut total = 0_u64;
    for &mv in &position.legal_moves() {
        total = total.saturating_add(count(&position.after(mv), depth - 1, stop)?);
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_perft_does_until_it_is_stopped() {
        let (position, stop) = (Position::default(), StopSignal::default());
        let total = |depth| -> Option<u64> {
            Some(divide(&position, depth, &stop)?.into_iter().map(|(_, nodes)| nodes).sum())
        };
        for (depth, leaves) in [(1, 20), (2, 400), (5, 4_865_609)] {
            assert_eq!(total(depth), Some(leaves));
        }
        stop.raise();
        assert_eq!(total(MAX_PERFT_DEPTH), None);
    }
}

//! Perft: counting the leaves of the move tree, the checksum of move generation.

use crate::position::Position;

/// Which moves perft counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ko {
    /// The reference player's `perft`: Ko is not applied.
    Reference,
    /// Moves that Ko forbids are left out. A position read from text has no history, so its first move is free.
    Applied,
}

/// Number of paths of `depth` plies. A move that zaps a king ends the game: it counts as one path and is not
/// continued.
pub fn perft(position: &Position, depth: u32, ko: Ko) -> u64 {
    if depth == 0 {
        return 1;
    }
    let forbidden = match ko {
        Ko::Reference => None,
        Ko::Applied => position.ko_move(),
    };
    if depth == 1 {
        return position.move_count() - u64::from(forbidden.is_some());
    }
    let mut count = 0;
    position.for_each_move(|mv| {
        if Some(mv) == forbidden {
            return;
        }
        let next = position.after(mv);
        count += if next.winner().is_some() { 1 } else { perft(&next, depth - 1, ko) };
    });
    count
}

/// The deepest perft whose count fits 64 bits: a position of the game has about 60 moves.
pub const MAX_PERFT_DEPTH: u32 = 10;

/// Depth below which a count is quick and `stopped` is not asked.
const UNINTERRUPTED: u32 = 3;

/// [`perft`] that ends early, with `None`, when `stopped` says so.
pub fn perft_until(position: &Position, depth: u32, ko: Ko, stopped: &dyn Fn() -> bool) -> Option<u64> {
    if stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED {
        return Some(perft(position, depth, ko));
    }
    let moves = match ko {
        Ko::Reference => position.moves(),
        Ko::Applied => position.legal_moves(),
    };
    moves.into_iter().try_fold(0, |count: u64, mv| {
        let next = position.after(mv);
        let paths = if next.winner().is_some() { 1 } else { perft_until(&next, depth - 1, ko, stopped)? };
        Some(count.saturating_add(paths))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_position_counts() {
        let start = Position::start();
        let counts: Vec<u64> = (0..=3).map(|depth| perft(&start, depth, Ko::Reference)).collect();
        assert_eq!(counts, [1, 61, 3757, 239205]);
        assert_eq!(perft(&start, 3, Ko::Applied), 239197);
    }

    #[test]
    fn a_perft_that_is_stopped_gives_no_count() {
        let start = Position::start();
        for ko in [Ko::Reference, Ko::Applied] {
            assert_eq!(perft_until(&start, 4, ko, &|| false), Some(perft(&start, 4, ko)));
        }
        let asked = std::cell::Cell::new(0);
        let stopped = || asked.replace(asked.get() + 1) >= 3;
        assert_eq!(perft_until(&start, MAX_PERFT_DEPTH, Ko::Reference, &stopped), None);
    }
}

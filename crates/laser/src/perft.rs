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
}

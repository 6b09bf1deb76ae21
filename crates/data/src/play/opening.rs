//! Openings nobody would play: variety for the network.

use chess::Position;
use tuner::random::Random;

/// The start position after `plies` random moves, or one more; tried again where a game ends on the way.
pub fn random_opening(random: &mut Random, plies: usize) -> Position {
    let plies = plies + random.below(2);
    'opening: loop {
        let mut position = Position::default();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                continue 'opening;
            }
            position.play(moves[random.below(moves.len())]);
        }
        if position.has_legal_move() {
            // As a file will give it back: set up, without a past.
            return Position::from_fen(&position.to_fen()).unwrap_or(position);
        }
    }
}

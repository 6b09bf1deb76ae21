//! Random openings for matches and measurements.

use common::Random;
use laser::{Colour, DrawRules, Game, Position};

/// Random legal moves that zap nothing and leave nothing to zap at once, the same for the same seed.
pub fn opening(seed: u64, plies: usize, rules: DrawRules) -> Game {
    let mut random = Random::new(seed);
    let mut game = Game::new(Position::start(), rules);
    while game.moves().len() < plies {
        let position = *game.position();
        let quiet: Vec<_> = position
            .legal_moves()
            .into_iter()
            .filter(|&mv| {
                let mut next = position;
                let zapped = next.play(mv).is_some();
                !zapped && Colour::ALL.iter().all(|&colour| next.shot(colour).victim.is_none())
            })
            .collect();
        let Some(&mv) = quiet.get(random.below(quiet.len())) else { break };
        if game.play(mv).is_err() {
            break;
        }
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_quiet_opening() {
        let (one, again, other) = (
            opening(7, 6, DrawRules::RULE_BOOK),
            opening(7, 6, DrawRules::RULE_BOOK),
            opening(8, 6, DrawRules::RULE_BOOK),
        );
        assert_eq!(one.moves(), again.moves());
        assert_ne!(one.moves(), other.moves());
        assert_eq!(one.moves().len(), 6);
        assert!(Colour::ALL.iter().all(|&colour| one.position().shot(colour).victim.is_none()));
    }
}

//! A simulated person that shares nothing with the reply network: Regan's softmax over the values of a short search
//! (Regan and Haworth 2011).
//!
//! For studies only: opponents of the speculative modes come from this model and not from the network that those modes
//! use. It models how much people lose, not what they prefer (`results/human` compares it with real games).

use chess::{Game, Move};
use common::Random;
use human_model::oracle::{Line, Oracle, Question, Stopped};
use human_model::reply::Rating;

/// Expected points a pawn is worth in a level position: Regan counts in pawns.
const PAWN: f64 = 0.09;
/// Nodes for a look at all moves.
const NODES: u64 = 2500;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SimulatedHuman {
    /// Regan's sensitivity: how small a difference, in pawns, is felt.
    sensitivity: f64,
    /// Regan's consistency: how rarely a large one is overlooked.
    consistency: f64,
}

impl SimulatedHuman {
    pub fn new(rating: Rating) -> SimulatedHuman {
        let height = (f64::from(rating.points()) - 800.0).clamp(0.0, 2000.0) / 2000.0;
        SimulatedHuman { sensitivity: 0.42 - 0.3 * height, consistency: 0.40 + 0.12 * height }
    }

    /// Every legal move with its probability.
    pub fn distribution(&self, game: &Game, oracle: &mut dyn Oracle) -> Result<Vec<(Move, f64)>, Stopped> {
        let moves: Vec<Move> = game.position().legal_moves().iter().copied().collect();
        if moves.len() < 2 {
            return Ok(moves.into_iter().map(|mv| (mv, 1.0)).collect());
        }
        let lines = oracle.ask(&Question::each(game, &moves, NODES))?;
        let Some(best) = lines.first().map(Line::expected) else { return Ok(Vec::new()) };
        let losses: Vec<f64> = lines.iter().map(|line| best.loss_to(line.expected()) / PAWN).collect();
        let shares = self.shares(&losses);
        Ok(lines.iter().map(|line| line.mv).zip(shares).collect())
    }

    /// Regan: p_i = p_1 ^ exp((d_i / s)^c), and the shares sum to one. The first share is found by halving.
    fn shares(&self, losses: &[f64]) -> Vec<f64> {
        let powers: Vec<f64> =
            losses.iter().map(|loss| (loss / self.sensitivity).powf(self.consistency).exp()).collect();
        let sum = |first: f64| powers.iter().map(|power| first.powf(*power)).sum::<f64>();
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if sum(middle) < 1.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let first = f64::midpoint(low, high);
        powers.iter().map(|power| first.powf(*power)).collect()
    }

    pub fn play(
        &self,
        game: &Game,
        oracle: &mut dyn Oracle,
        random: &mut Random,
    ) -> Result<Option<Move>, Stopped> {
        let moves = self.distribution(game, oracle)?;
        let weights: Vec<f64> = moves.iter().map(|(_, share)| *share).collect();
        Ok(random.weighted_index(&weights).map(|index| moves[index].0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_one_and_fall_with_the_loss() {
        for points in [800, 1500, 2600] {
            let simulated = SimulatedHuman::new(Rating::new(points).unwrap());
            let shares = simulated.shares(&[0.0, 0.1, 0.1, 0.5, 2.0, 9.0]);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(shares.windows(2).all(|pair| pair[0] >= pair[1]), "{shares:?}");
            assert_eq!(shares[1], shares[2]);
        }
        let best =
            |points: i64| SimulatedHuman::new(Rating::new(points).unwrap()).shares(&[0.0, 0.3, 0.6, 3.0])[0];
        assert!(best(900) < best(1600) && best(1600) < best(2500));
    }
}

//! The rating of a puzzle: how unlikely people are to play its moves, by the model of people.

use crate::quiz::Puzzle;
use chess::Game;
use human_model::reply::{Circumstances, Rating, ReplyModel, Scale, Situation};

/// The rating at which the model is asked.
const ASKED: i64 = 1500;
/// A line fitted to the ratings of 269 shipped puzzles, which people solved: the surprise of the most surprising own move, the
/// number of own moves, and whether the solution mates. On every other puzzle, fitted to the rest, the correlation with
/// the true rating is 0.72 and the mean error 318 points.
const BASE: f64 = 900.0;
const PER_NAT: f64 = 115.0;
const PER_MOVE: f64 = 226.0;
const MATE: f64 = -510.0;
const LOWEST: f64 = 400.0;
const HIGHEST: f64 = 3000.0;

pub struct Difficulty<'a> {
    model: &'a ReplyModel,
    rating: Rating,
}

impl<'a> Difficulty<'a> {
    /// Asks this model.
    pub fn new(model: &'a ReplyModel) -> Result<Difficulty<'a>, human_model::reply::RatingError> {
        Ok(Difficulty { model, rating: Rating::new(ASKED)? })
    }

    /// Negative logarithms of the probabilities of the solver's moves.
    fn surprises(&self, puzzle: &Puzzle) -> Vec<f64> {
        let mut game = Game::new(puzzle.position.clone());
        let circumstances = Circumstances::new(self.rating, Scale::Lichess);
        let mut surprises = Vec::new();
        for (ply, mv) in puzzle.solution.iter().enumerate() {
            if ply % 2 == 0 && game.position().count_legal() > 1 {
                let replies = self.model.replies(&Situation::of(&game), &circumstances);
                surprises.push(-f64::from(replies.probability(*mv).max(1e-6)).ln());
            }
            if game.play(*mv).is_err() {
                break;
            }
        }
        surprises
    }

    /// In rating points of Lichess's puzzles.
    pub fn rating(&self, puzzle: &Puzzle) -> u16 {
        let worst = self.surprises(puzzle).into_iter().fold(0.0, f64::max);
        let moves = puzzle.solution.len().div_ceil(2) as f64;
        let mate = if puzzle.themes.split(' ').any(|theme| theme == "mate") { MATE } else { 0.0 };
        let points = BASE + PER_NAT * worst + PER_MOVE * moves + mate;
        points.clamp(LOWEST, HIGHEST).round() as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quiz::Quiz;
    use common::Random;
    use human_model::rating::Posterior;

    /// The ratings of puzzles that people solved are the reference.
    #[test]
    fn ratings_follow_those_of_solved_puzzles() {
        let difficulty = Difficulty::new(ReplyModel::shared().unwrap()).unwrap();
        let quiz = Quiz::shipped(Posterior::broad(Scale::Lichess), Random::new(1)).unwrap();
        let puzzles = quiz.into_puzzles();
        let pairs: Vec<(f64, f64)> = puzzles
            .iter()
            .step_by(puzzles.len() / 80)
            .map(|puzzle| (f64::from(puzzle.rating), f64::from(difficulty.rating(puzzle))))
            .collect();
        let count = pairs.len() as f64;
        let mean = |value: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(value).sum::<f64>() / count;
        let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
        let covariance = mean(&|pair| (pair.0 - x) * (pair.1 - y));
        let spread = (mean(&|pair| (pair.0 - x).powi(2)) * mean(&|pair| (pair.1 - y).powi(2))).sqrt();
        println!("correlation {:.2}", covariance / spread);
        assert!(covariance / spread > 0.5, "{:.2}", covariance / spread);
    }
}

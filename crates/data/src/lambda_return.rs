//! Training targets by TD(lambda): the lambda-return of each position of a game (Sutton 1988).
//!
//! A score of few nodes is noisy, and the result of the game is far away; between them lie the scores of the plies that
//! follow. The lambda-return of a position mixes its own score with the lambda-return of the next position, and the last
//! position's with the result.

use crate::game::{GameRecord, MATE_SCORES};
use chess::Color;

/// The numbers of TD(lambda).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TdLambda {
    /// Weight of what follows, 0 to 1.
    pub lambda: f32,
    /// Centipawns that multiply the odds by e.
    pub scale: f32,
}

impl TdLambda {
    pub fn expected_points(&self, score: i16) -> f32 {
        if score.saturating_abs() >= MATE_SCORES {
            return f32::from(u8::from(score > 0));
        }
        1.0 / (1.0 + (-f32::from(score) / self.scale).exp())
    }

    /// The lambda-return of each ply of a game: expected points of the side to move.
    pub fn returns(&self, game: &GameRecord) -> Vec<f32> {
        let mut returns = vec![0.0; game.plies.len()];
        let mut white = f32::from(game.result.half_points(Color::White)) / 2.0;
        let first = game.start.turn() as usize;
        for (i, ply) in game.plies.iter().enumerate().rev() {
            let white_moves = (first + i).is_multiple_of(2);
            let own = self.expected_points(ply.score);
            let seen = if white_moves { own } else { 1.0 - own };
            white = (1.0 - self.lambda) * seen + self.lambda * white;
            returns[i] = if white_moves { white } else { 1.0 - white };
        }
        returns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ending, GameResult, Ply};
    use chess::{Move, Position, Square};

    fn game(scores: &[i16], result: GameResult) -> GameRecord {
        let mv = Move::normal(Square::E1, Square::E8);
        let plies = scores.iter().map(|&score| Ply { mv, score }).collect();
        GameRecord { start: Position::default(), plies, result, ending: Ending::Rules }
    }

    #[test]
    fn without_lambda_it_is_the_score_and_with_all_of_it_the_result() {
        let game = game(&[0, -200, 200], GameResult::WhiteWon);
        let scores = TdLambda { lambda: 0.0, scale: 200.0 }.returns(&game);
        assert!((scores[1] - 0.268_94).abs() < 1e-4 && scores[0] == 0.5, "{scores:?}");
        assert_eq!(TdLambda { lambda: 1.0, scale: 200.0 }.returns(&game), [1.0, 0.0, 1.0]);
    }

    #[test]
    fn later_scores_count_less() {
        let td = TdLambda { lambda: 0.5, scale: 200.0 };
        let early = td.returns(&game(&[0, -400, 0, 0, 0], GameResult::Draw))[0];
        let late = td.returns(&game(&[0, 0, 0, -400, 0], GameResult::Draw))[0];
        assert!(early > late && late > 0.5, "{early} {late}");
    }
}

//! Games of the human model against itself: people of two ratings, with the errors people make.

use chess::{Game, Position};
use common::Random;
use human_model::reply::{Circumstances, Rating, ReplyModel, Scale, Situation};

/// A game of players of these ratings, White first, broken off after so many plies.
pub fn play_game(model: &ReplyModel, ratings: [Rating; 2], longest: usize, random: &mut Random) -> Game {
    let mut game = Game::new(Position::default());
    while game.outcome().is_none() && game.moves().len() < longest {
        let turn = game.position().turn().index();
        let circumstances = Circumstances {
            opponent: Some(ratings[1 - turn]),
            ..Circumstances::new(ratings[turn], Scale::Lichess)
        };
        let replies = model.replies(&Situation::of(&game), &circumstances);
        let Some(reply) = replies.at(random.unit() as f32) else { break };
        if game.play(reply.mv).is_err() {
            break;
        }
    }
    game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_repeat_with_their_seed_and_differ_otherwise() {
        let model = ReplyModel::shared().unwrap();
        let ratings = [1200, 1600].map(|points| Rating::new(points).unwrap());
        let play = |seed| play_game(model, ratings, 24, &mut Random::new(seed)).moves().to_vec();
        let first = play(1);
        assert!(first.len() > 10);
        assert_eq!(first, play(1));
        assert_ne!(first, play(2));
    }
}

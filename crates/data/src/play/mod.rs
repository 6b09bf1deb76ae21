//! One game of the engine against itself.

mod adjudicate;
mod opening;

pub use adjudicate::{Adjudicator, Rules};
pub use opening::Openings;

use crate::game::{Ending, GameRecord, GameResult, Ply};
use chess::{Game, Move};
use common::Random;
use eval::Evaluation;
use kernel::table::TableTooLarge;
use kernel::{Clock, Event, Limits, Outcome, Release};
use search::SearchPool;
use std::sync::Arc;

/// How games are played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Play {
    /// No new iteration after so many nodes.
    pub soft_nodes: u32,
    /// Never more than so many.
    pub hard_nodes: u32,
    /// Random plies before the first search; one more in half of the games.
    pub random_plies: usize,
    /// An opening whose score is further from 0 than this is discarded.
    pub max_opening_score: i32,
    pub rules: Rules,
}

impl Default for Play {
    fn default() -> Play {
        Play {
            soft_nodes: 5000,
            hard_nodes: 100_000,
            random_plies: 8,
            max_opening_score: 300,
            rules: Rules::default(),
        }
    }
}

/// An engine that plays both sides.
pub struct Player {
    pool: SearchPool<Release>,
    play: Play,
    openings: Openings,
}

impl Player {
    pub fn new(play: Play, megabytes: usize, clock: Arc<dyn Clock>) -> Result<Player, TableTooLarge> {
        Ok(Player { pool: SearchPool::new(Release, megabytes, clock)?, play, openings: Openings::default() })
    }

    /// The same player with another evaluation.
    pub fn with_evaluation(mut self, evaluation: &Evaluation) -> Player {
        let evaluation = evaluation.clone();
        self.pool.set_evaluator(move || evaluation.evaluator());
        self
    }

    /// The same player with games that begin elsewhere.
    pub fn with_openings(mut self, openings: &Openings) -> Player {
        self.openings = openings.clone();
        self
    }

    /// Plays one game; the same random numbers give the same game.
    pub fn game(&mut self, random: &mut Random) -> GameRecord {
        loop {
            let start = self.openings.randomised(random, self.play.random_plies);
            self.pool.clear();
            let mut game = Game::new(start);
            let first = self.think(&game);
            let is_decided = first.score.value().abs() > self.play.max_opening_score;
            if is_decided || game.outcome().is_some() {
                continue;
            }
            return self.play_on(&mut game, first);
        }
    }

    /// The same moves and result with scores of this engine, whatever scores the game had.
    pub fn rescore(&mut self, record: &GameRecord) -> GameRecord {
        self.pool.clear();
        let mut game = Game::new(record.start.clone());
        let mut plies = Vec::with_capacity(record.plies.len());
        for ply in &record.plies {
            let score = self.think(&game).score.value() as i16;
            if game.play(ply.mv).is_err() {
                break;
            }
            plies.push(Ply { mv: ply.mv, score });
        }
        GameRecord { plies, ..record.clone() }
    }

    fn think(&mut self, game: &Game) -> Outcome<Move> {
        let limits = Limits {
            soft_nodes: Some(u64::from(self.play.soft_nodes)),
            nodes: Some(u64::from(self.play.hard_nodes)),
            ..Limits::default()
        };
        self.pool.search(game, &[], limits, &mut |_: Event<'_, Move>| {})
    }

    fn play_on(&mut self, game: &mut Game, first: Outcome<Move>) -> GameRecord {
        let mut adjudicator = Adjudicator::new(self.play.rules);
        let mut plies = Vec::with_capacity(200);
        let mut thought = first;
        loop {
            let score = thought.score.value() as i16;
            let turn = game.position().turn();
            let Some(mv) = thought.best.filter(|&mv| game.play(mv).is_ok()) else { break };
            plies.push(Ply { mv, score });
            if let Some((result, ending)) = adjudicator.ruling(turn, score) {
                return GameRecord { start: game.start().clone(), plies, result, ending };
            }
            if game.outcome().is_some() {
                break;
            }
            thought = self.think(game);
        }
        let winner = game.outcome().and_then(chess::Outcome::winner);
        let result = winner.map_or(GameResult::Draw, GameResult::won_by);
        GameRecord { start: game.start().clone(), plies, result, ending: Ending::Rules }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::clock::ManualClock;

    fn new_player() -> Player {
        let play = Play { soft_nodes: 100, hard_nodes: 400, ..Play::default() };
        Player::new(play, 1, Arc::new(ManualClock::new())).unwrap()
    }

    #[test]
    fn a_seed_is_a_game_whatever_was_played_before() {
        let mut player = new_player();
        let first = player.game(&mut Random::of_game(1, 0, 0));
        let second = player.game(&mut Random::of_game(1, 0, 1));
        assert_ne!(first, second);
        assert_eq!(first, player.game(&mut Random::of_game(1, 0, 0)));
        let mut another = new_player();
        assert_eq!(second, another.game(&mut Random::of_game(1, 0, 1)));
    }

    #[test]
    fn rescoring_changes_scores_alone() {
        let game = new_player().game(&mut Random::of_game(3, 0, 0));
        let play = Play { soft_nodes: 400, hard_nodes: 800, ..Play::default() };
        let again = Player::new(play, 1, Arc::new(ManualClock::new())).unwrap().rescore(&game);
        let moves = |game: &GameRecord| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
        assert_eq!(moves(&again), moves(&game));
        assert_eq!((again.result, again.ending, &again.start), (game.result, game.ending, &game.start));
        assert_ne!(again, game);
    }

    #[test]
    fn games_start_level_after_eight_or_nine_plies_and_end_for_a_reason() {
        let mut player = new_player();
        for number in 0..12 {
            let game = player.game(&mut Random::of_game(2, 0, number));
            assert!((8..=9).contains(&game.start.ply()), "{}", game.start.ply());
            assert!(game.plies[0].score.abs() <= 300);
            let mut end = Game::new(game.start.clone());
            for ply in &game.plies {
                end.play(ply.mv).unwrap();
            }
            if game.ending == Ending::Rules {
                let winner = end.outcome().expect("the game is over").winner();
                assert_eq!(game.result, winner.map_or(GameResult::Draw, GameResult::won_by));
            }
        }
    }
}

//! One game of the engine against itself.

mod adjudicate;
mod opening;

pub use adjudicate::{Adjudicator, Rules};
pub use opening::Openings;

use crate::game::{Ending, GameRecord, GameResult, Ply};
use chess::{Game, Move, Position};
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

/// After so many plies the engine forgets what it searched, so that another run can go on there and play the same moves.
pub const RESTART_PLIES: usize = 16;

/// The first plies of a game, up to a place where the engine forgot what it searched.
#[derive(Clone, PartialEq, Debug)]
pub struct UnfinishedGame {
    pub start: Position,
    pub plies: Vec<Ply>,
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
        self.game_from(random, None, &mut |_| {})
    }

    /// The same game, from where `unfinished` stands if that is given. `keep` is told of every place from which the rest of
    /// the game can be played by another run.
    pub fn game_from(
        &mut self,
        random: &mut Random,
        unfinished: Option<UnfinishedGame>,
        keep: &mut dyn FnMut(&UnfinishedGame),
    ) -> GameRecord {
        if let Some(unfinished) = unfinished
            && let Some(state) = self.replay(unfinished)
        {
            return self.play_on(state, None, keep);
        }
        loop {
            let start = self.openings.randomised(random, self.play.random_plies);
            self.pool.clear();
            let game = Game::new(start.clone());
            let first = self.think(&game);
            let is_decided = first.score.value().abs() > self.play.max_opening_score;
            if is_decided || game.outcome().is_some() {
                continue;
            }
            let adjudicator = Adjudicator::new(self.play.rules);
            let played = UnfinishedGame { start, plies: Vec::with_capacity(200) };
            return self.play_on(GameState { game, adjudicator, played }, Some(first), keep);
        }
    }

    /// `None` when the plies are no part of a game that this player would play on.
    fn replay(&mut self, played: UnfinishedGame) -> Option<GameState> {
        if played.plies.is_empty() || !played.plies.len().is_multiple_of(RESTART_PLIES) {
            return None;
        }
        let mut game = Game::new(played.start.clone());
        let mut adjudicator = Adjudicator::new(self.play.rules);
        for ply in &played.plies {
            let turn = game.position().turn();
            game.play(ply.mv).ok()?;
            if adjudicator.ruling(turn, ply.score).is_some() || game.outcome().is_some() {
                return None;
            }
        }
        self.pool.clear();
        Some(GameState { game, adjudicator, played })
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

    fn play_on(
        &mut self,
        state: GameState,
        first: Option<Outcome<Move>>,
        keep: &mut dyn FnMut(&UnfinishedGame),
    ) -> GameRecord {
        let GameState { mut game, mut adjudicator, mut played } = state;
        let mut thought = first.unwrap_or_else(|| self.think(&game));
        loop {
            let score = thought.score.value() as i16;
            let turn = game.position().turn();
            let Some(mv) = thought.best.filter(|&mv| game.play(mv).is_ok()) else { break };
            played.plies.push(Ply { mv, score });
            if let Some((result, ending)) = adjudicator.ruling(turn, score) {
                return GameRecord { start: played.start, plies: played.plies, result, ending };
            }
            if game.outcome().is_some() {
                break;
            }
            if played.plies.len().is_multiple_of(RESTART_PLIES) {
                self.pool.clear();
                keep(&played);
            }
            thought = self.think(&game);
        }
        let winner = game.outcome().and_then(chess::Outcome::winner);
        let result = winner.map_or(GameResult::Draw, GameResult::won_by);
        GameRecord { start: played.start, plies: played.plies, result, ending: Ending::Rules }
    }
}

/// A game that is being played.
struct GameState {
    game: Game,
    adjudicator: Adjudicator,
    played: UnfinishedGame,
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
    fn a_game_goes_on_from_every_kept_place_as_it_went() {
        let mut kept = Vec::new();
        let game = new_player().game_from(&mut Random::of_game(5, 0, 0), None, &mut |played| {
            kept.push(played.clone());
        });
        assert!(kept.len() > 1 && kept.len() == (game.plies.len() - 1) / RESTART_PLIES, "{}", kept.len());
        for unfinished in kept {
            // The random numbers are used up before the first ply.
            let again = new_player().game_from(&mut Random::of_game(6, 0, 0), Some(unfinished), &mut |_| {});
            assert_eq!(again, game);
        }
    }

    #[test]
    fn a_kept_game_that_cannot_go_on_is_played_anew() {
        let mut player = new_player();
        let game = player.game(&mut Random::of_game(5, 0, 0));
        let plies =
            |count: usize| UnfinishedGame { start: game.start.clone(), plies: game.plies[..count].to_vec() };
        let swapped = {
            let mut swapped = plies(RESTART_PLIES);
            swapped.plies.swap(0, 1);
            swapped
        };
        for broken in [plies(0), plies(3), swapped] {
            let again = player.game_from(&mut Random::of_game(5, 0, 0), Some(broken), &mut |_| {});
            assert_eq!(again, game);
        }
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

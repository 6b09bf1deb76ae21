//! Human-like play: the move that a person of a given level would play.

use super::network::{Network, announced_rating};
use super::turn::{Choice, Play, Reports, Turn};
use super::turn_search::TurnSearch;
use crate::report::{Information, Report};
use crate::settings::Settings;
use common::Random;
use human_model::expected::Expected;
use human_model::openings::Openings;
use human_model::oracle::Line;
use kernel::{Bound, Limits};
use opponent::human_like::{
    Adaptive, Character, Choice as PlayerChoice, HumanLikePlayer, Level, Reason, TimeLeft,
};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Nodes a slow machine searches in a millisecond: with little time left the search must end in time.
const SLOW_NODES: u64 = 40;
/// The rating assumed of an opponent without one.
const UNKNOWN: f64 = 1500.0;
/// Own moves a game needs before its result counts.
const FEWEST_MOVES: u32 = 8;

/// What is known of the opponent across turns and games. Shared with the turn being played.
#[derive(Clone, Default)]
pub(crate) struct SharedState(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    adaptive: Option<Adaptive>,
    /// The engine's expected score at its last move, and its moves so far.
    prospects: Option<Expected>,
    moves: u32,
}

impl SharedState {
    fn with<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The level to play at: the one set, or the one that holds the chosen score.
    pub fn level(&self, settings: &Settings) -> Level {
        if settings.sparring_score == 0 {
            return Level::nearest(f64::from(settings.elo));
        }
        let known = announced_rating(settings).map_or(UNKNOWN, |rating| f64::from(rating.points()));
        self.with(|state| {
            let target = f64::from(settings.sparring_score);
            state.adaptive.get_or_insert_with(|| Adaptive::new(target, known)).level()
        })
    }

    fn played(&self, prospects: Option<Expected>) {
        self.with(|state| {
            state.moves += 1;
            state.prospects = prospects.or(state.prospects);
        });
    }

    /// The protocol does not tell results: the engine's expected score at its last move stands for it.
    pub fn new_game(&self) {
        self.with(|state| {
            let (moves, prospects) = (std::mem::take(&mut state.moves), state.prospects.take());
            if let (Some(adaptive), Some(prospects), true) =
                (&mut state.adaptive, prospects, moves >= FEWEST_MOVES)
            {
                adaptive.finish(prospects.other());
            }
        });
    }
}

pub(crate) struct HumanLike {
    pub network: Network,
    pub openings: &'static Openings,
    pub level: Level,
    pub character: Option<&'static Character>,
    pub thinking_time: bool,
    pub state: SharedState,
}

impl Play for HumanLike {
    fn play(self: Box<Self>, turn: &Turn, search: &mut TurnSearch<'_>, reports: &mut Reports) -> Choice {
        search.wait_for_turn();
        let player = HumanLikePlayer {
            model: self.network.model(),
            openings: self.openings,
            character: self.character,
        };
        let mut random = Random::new(turn.seed);
        let limits = &turn.request.limits;
        let left = time_left(limits);
        let allowed = &turn.request.search_moves;
        let nodes = node_limit(limits, left);
        let Some(choice) = player.choose(&turn.game, self.level, allowed, search, nodes, &mut random) else {
            return Choice::default();
        };
        self.state.played(choice.line.as_ref().map(Line::expected));
        if self.thinking_time {
            let thought = choice.pace.think(left, &mut random);
            search.wait(thought.saturating_sub(search.elapsed()));
        }
        if let Some(line) = &choice.line {
            reports.send(Report::Information(information(line, search)));
        }
        reports.remark(self.remark(turn, &choice));
        let ponder = choice.line.as_ref().and_then(|line| line.moves.get(1).copied());
        Choice { best: Some(choice.mv), ponder }
    }
}

impl HumanLike {
    fn remark(&self, turn: &Turn, choice: &PlayerChoice) -> String {
        let san = turn.game.position().san(choice.mv);
        let who = self.character.map_or_else(String::new, |character| format!("{character}: "));
        let share = match 100.0 * choice.probability {
            share if share < 1.0 => "fewer than 1".to_string(),
            share => format!("{share:.0}"),
        };
        let choose = format!("{share} % of {}-rated players choose {san}", self.level);
        match choice.reason {
            Reason::Forced => format!("{who}{san} is the only move"),
            Reason::Opening => format!("{who}{choose} in this opening"),
            Reason::Technique => format!("{who}{san} by known technique"),
            Reason::Drawn => format!("{who}{choose}"),
        }
    }
}

fn information(line: &Line, search: &TurnSearch<'_>) -> Information {
    Information {
        depth: line.depth,
        selective_depth: line.depth,
        rank: 1,
        score: line.search_score,
        bound: Bound::Exact,
        is_result: false,
        nodes: search.nodes,
        time: search.elapsed(),
        permille_used: 0,
        table_base_hits: 0,
        line: line.moves.clone(),
    }
}

fn time_left(limits: &Limits) -> TimeLeft {
    match (limits.move_time, limits.clock) {
        (Some(time), _) => TimeLeft::Fixed(time),
        (None, Some(clock)) => TimeLeft::Clock {
            remaining: clock.remaining,
            increment: clock.increment,
            moves_to_go: clock.moves_to_go,
        },
        (None, None) => TimeLeft::Untimed,
    }
}

fn node_limit(limits: &Limits, left: TimeLeft) -> u64 {
    let time = match left {
        TimeLeft::Untimed => None,
        TimeLeft::Fixed(time) => Some(time),
        TimeLeft::Clock { remaining, .. } => Some(remaining / 10),
    };
    let by_time = time.map_or(u64::MAX, |time: Duration| time.as_millis() as u64 * SLOW_NODES);
    limits.nodes.unwrap_or(u64::MAX).min(by_time).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings { limit_strength: true, ..Settings::default() }
    }

    #[test]
    fn a_set_level_stays_and_a_chosen_score_moves_it() {
        let state = SharedState::default();
        assert_eq!(state.level(&Settings { elo: 1300, ..settings() }).points(), 1300);
        let adaptive = Settings { sparring_score: 50, opponent_elo: 1700, ..settings() };
        assert_eq!(state.level(&adaptive).points(), 1700);
        for _ in 0..FEWEST_MOVES {
            state.played(Some(Expected::LOST));
        }
        state.new_game();
        assert!(state.level(&adaptive).points() > 1700, "the person won: the level rises");
    }

    #[test]
    fn a_short_game_changes_nothing() {
        let state = SharedState::default();
        let adaptive = Settings { sparring_score: 50, ..settings() };
        let before = state.level(&adaptive);
        state.played(Some(Expected::LOST));
        state.new_game();
        assert_eq!(state.level(&adaptive), before);
    }

    #[test]
    fn little_time_means_few_nodes() {
        let limits = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
        assert_eq!(node_limit(&limits, time_left(&limits)), 800);
        assert_eq!(node_limit(&Limits::nodes(100), TimeLeft::Untimed), 100);
    }
}

//! Playing like a person of a level.

use super::{Network, Turn};
use crate::consultant::Consultant;
use crate::report::{Information, Listener, Report};
use crate::settings::Settings;
use common::Random;
use human_model::expected::Expected;
use human_model::openings::Openings;
use human_model::oracle::Line;
use kernel::{Bound, Limits};
use opponent::human_like::{Adaptive, Choice, HumanLikePlayer, Level, Reason, TimeLeft};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Nodes a slow machine searches in a millisecond: with little time left the partner must not look longer than it has.
const SLOW_NODES: u64 = 40;
/// A person of unknown strength.
const UNKNOWN: f64 = 1500.0;
/// A game shorter than this says nothing.
const FEWEST_MOVES: u32 = 8;

/// What the partner remembers of the person across turns and games. Shared with the turn being played.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Mutex<Recollection>>);

#[derive(Default)]
struct Recollection {
    adaptive: Option<Adaptive>,
    /// The partner's own prospects at its last move, and how many it made.
    prospects: Option<Expected>,
    moves: u32,
}

impl Memory {
    fn with<T>(&self, look: impl FnOnce(&mut Recollection) -> T) -> T {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The level to play at: the one set, or the one that holds the chosen score.
    pub fn level(&self, settings: &Settings) -> Level {
        if settings.sparring_score == 0 {
            return Level::nearest(f64::from(settings.elo));
        }
        let known = super::told_rating(settings).map_or(UNKNOWN, |rating| f64::from(rating.points()));
        self.with(|memory| {
            let target = f64::from(settings.sparring_score);
            memory.adaptive.get_or_insert_with(|| Adaptive::new(target, known)).level()
        })
    }

    fn played(&self, prospects: Option<Expected>) {
        self.with(|memory| {
            memory.moves += 1;
            memory.prospects = prospects.or(memory.prospects);
        });
    }

    /// The protocol does not tell results: the partner's last prospects stand for it.
    pub fn new_game(&self) {
        self.with(|memory| {
            let (moves, prospects) = (std::mem::take(&mut memory.moves), memory.prospects.take());
            if let (Some(adaptive), Some(prospects), true) =
                (&mut memory.adaptive, prospects, moves >= FEWEST_MOVES)
            {
                adaptive.finish(prospects.other());
            }
        });
    }
}

pub(crate) struct Spar {
    pub network: Network,
    pub openings: &'static Openings,
    pub level: Level,
    pub thinking_time: bool,
    pub memory: Memory,
}

impl Spar {
    pub fn play(self, turn: &Turn, consultant: &mut Consultant<'_>, mut listener: Box<Listener>) {
        consultant.wait_for_turn();
        let partner = HumanLikePlayer { model: self.network.model(), openings: self.openings };
        let mut random = Random::new(turn.seed);
        let limits = &turn.request.limits;
        let left = time_left(limits);
        let allowed = &turn.request.search_moves;
        let nodes = node_limit(limits, left);
        let Some(choice) = partner.choose(&turn.game, self.level, allowed, consultant, nodes, &mut random)
        else {
            listener(Report::Best { best: None, ponder: None });
            return;
        };
        self.memory.played(choice.line.as_ref().map(Line::expected));
        if self.thinking_time {
            let thought = choice.pace.think(left, &mut random);
            consultant.dawdle(thought.saturating_sub(consultant.elapsed()));
        }
        if let Some(line) = &choice.line {
            listener(Report::Information(information(line, consultant)));
        }
        listener(Report::Remark(self.remark(turn, &choice)));
        let ponder = choice.line.as_ref().and_then(|line| line.moves.get(1).copied());
        listener(Report::Best { best: Some(choice.mv), ponder });
    }

    fn remark(&self, turn: &Turn, choice: &Choice) -> String {
        let san = turn.game.position().san(choice.mv);
        let share = 100.0 * choice.probability;
        match choice.reason {
            Reason::Forced => format!("level {}: {san} is the only move", self.level),
            Reason::Opening => {
                format!("level {}: {san}, the choice of {share:.0} % in this opening", self.level)
            }
            Reason::Technique => format!("level {}: {san} by technique", self.level),
            Reason::Drawn => format!("level {}: {san}, the choice of {share:.0} % at this level", self.level),
        }
    }
}

fn information(line: &Line, consultant: &Consultant<'_>) -> Information {
    Information {
        depth: line.depth,
        selective_depth: line.depth,
        rank: 1,
        score: line.score,
        bound: Bound::Exact,
        nodes: consultant.nodes,
        time: consultant.elapsed(),
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
        let memory = Memory::default();
        assert_eq!(memory.level(&Settings { elo: 1300, ..settings() }).points(), 1300);
        let adaptive = Settings { sparring_score: 50, opponent_elo: 1700, ..settings() };
        assert_eq!(memory.level(&adaptive).points(), 1700);
        for _ in 0..FEWEST_MOVES {
            memory.played(Some(Expected::LOST));
        }
        memory.new_game();
        assert!(memory.level(&adaptive).points() > 1700, "the person won: the partner grows");
    }

    #[test]
    fn a_short_game_teaches_nothing() {
        let memory = Memory::default();
        let adaptive = Settings { sparring_score: 50, ..settings() };
        let before = memory.level(&adaptive);
        memory.played(Some(Expected::LOST));
        memory.new_game();
        assert_eq!(memory.level(&adaptive), before);
    }

    #[test]
    fn little_time_means_few_nodes() {
        let limits = Limits { move_time: Some(Duration::from_millis(20)), ..Limits::default() };
        assert_eq!(node_limit(&limits, time_left(&limits)), 800);
        assert_eq!(node_limit(&Limits::nodes(100), TimeLeft::Untimed), 100);
    }
}

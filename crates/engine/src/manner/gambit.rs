//! `Speculative=seed`: the thesis's algorithm chooses the move.

use super::Turn;
use crate::consultant::Consultant;
use crate::report::{Information, Listener, Report};
use chess::{Game, Move};
use human_model::oracle::{Oracle as _, PoolOracle, Question};
use kernel::{Bound, Limits};
use opponent::speculative::Expectimax;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The thesis's opponent, kept through a game. Shared with the turn being played.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Mutex<Expectimax>>);

impl Memory {
    /// What was learnt of the opponent's skill stays; it is the same opponent.
    pub fn new_game(&self) {
        let mut gambit = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *gambit = Expectimax::new(gambit.skill());
    }
}

pub(crate) struct PlayGambit {
    pub memory: Memory,
}

impl PlayGambit {
    pub fn play(self, turn: &Turn, consultant: &mut Consultant<'_>, mut listener: Box<Listener>) {
        let mut gambit = self.memory.0.lock().unwrap_or_else(PoisonError::into_inner);
        if turn.request.limits.ponder {
            gambit.rank(rank_replies(&turn.game, consultant));
            consultant.wait_for_turn();
            if consultant.is_stopped() {
                // The opponent played something else: what was ranked serves when that move comes.
                let any = turn.game.position().legal_moves().as_slice().first().copied();
                listener(Report::Best { best: any, ponder: None });
                return;
            }
        }
        if let Some(reply) = turn.game.moves().last() {
            gambit.opponent_played(*reply);
        }
        let limits = &turn.request.limits;
        let time = time(limits);
        let stop = || consultant.is_stopped() || time.is_some_and(|time| consultant.elapsed() >= time);
        let depth = limits.depth.map(kernel::Depth::plies);
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let thought = gambit.think(&turn.game, &turn.request.search_moves, nodes, depth, &stop);
        if let Some(thought) = &thought {
            listener(Report::Information(Information {
                depth: thought.depth,
                selective_depth: thought.depth,
                rank: 1,
                score: thought.score,
                bound: Bound::Exact,
                nodes: thought.nodes,
                time: consultant.elapsed(),
                permille_used: 0,
                table_base_hits: 0,
                line: vec![thought.best],
            }));
            listener(Report::Remark(format!(
                "expectimax: the opponent finds the best reply with probability {:.2} (skill {})",
                thought.probability_of_optimal,
                gambit.skill()
            )));
        }
        let ponder = gambit.expected_reply();
        listener(Report::Best { best: thought.map(|thought| thought.best), ponder });
    }
}

/// Nodes between two looks at whether the opponent has moved: some hundredths of a second.
const RANKING_STEP: u64 = 40_000;
/// Looks after which more would change little.
const RANKING_STEPS: usize = 100;
const RANKING_MEGABYTES: usize = 8;

/// On the opponent's time: all replies they have, ranked by plain alpha-beta, as deep as the time allows. Has a table of its own, because the
/// session of the search knows only one position.
fn rank_replies(game: &Game, consultant: &Consultant<'_>) -> Vec<Move> {
    let mut before = game.clone();
    if before.take_back().is_none() {
        return Vec::new();
    }
    let Ok(mut oracle) = PoolOracle::new(RANKING_MEGABYTES, Arc::clone(&consultant.clock)) else {
        return Vec::new();
    };
    let replies = before.position().legal_moves().len();
    let question = Question { game: &before, allowed: &[], lines: replies, nodes: RANKING_STEP, depth: None };
    let mut ranked: Vec<Move> = Vec::new();
    for _ in 0..RANKING_STEPS {
        if !consultant.is_pondering() {
            break;
        }
        // Each look starts from what the last one left in the table and comes deeper. Only whole lists are believed.
        match oracle.ask(&question) {
            Ok(lines) if lines.len() == replies => ranked = lines.into_iter().map(|line| line.mv).collect(),
            _ => {}
        }
    }
    ranked
}

/// What one move may take: a thirtieth of the clock.
fn time(limits: &Limits) -> Option<Duration> {
    match (limits.move_time, limits.clock) {
        (Some(time), _) => Some(time.mul_f64(0.9)),
        (None, Some(clock)) => {
            let share = clock.remaining / 30 + clock.increment.mul_f64(0.7);
            Some(share.min(clock.remaining.mul_f64(0.5)))
        }
        (None, None) => None,
    }
}

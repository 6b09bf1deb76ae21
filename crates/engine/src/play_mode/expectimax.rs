//! `Speculative=expectimax`: expectimax search against a fallible opponent chooses the move.

use super::turn::{Choice, Play, Reports, Turn};
use super::turn_search::TurnSearch;
use crate::report::{Information, Report};
use chess::{Game, Move};
use human_model::oracle::{Oracle as _, PoolOracle, Question};
use kernel::{Bound, Limits};
use opponent::speculative::Expectimax as ExpectimaxSearch;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The model of the opponent, kept through a game. Shared with the turn being played.
#[derive(Clone, Default)]
pub(crate) struct SharedState(Arc<Mutex<ExpectimaxSearch>>);

impl SharedState {
    /// The estimate of the opponent's skill stays; it is the same opponent.
    pub fn new_game(&self) {
        let mut expectimax = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *expectimax = ExpectimaxSearch::new(expectimax.skill());
    }
}

pub(crate) struct Expectimax {
    pub state: SharedState,
}

impl Play for Expectimax {
    fn play(self: Box<Self>, turn: &Turn, search: &mut TurnSearch<'_>, reports: &mut Reports) -> Choice {
        let mut expectimax = self.state.0.lock().unwrap_or_else(PoisonError::into_inner);
        if turn.request.limits.ponder {
            expectimax.rank(rank_replies(&turn.game, search));
            search.wait_for_turn();
            if search.is_stopped() {
                // The opponent played something else: what was ranked serves when that move comes.
                return Choice { best: turn.any_move(), ponder: None };
            }
        }
        if let Some(reply) = turn.game.moves().last() {
            expectimax.opponent_played(*reply);
        }
        let limits = &turn.request.limits;
        let time = time(limits);
        let stop = || search.is_stopped() || time.is_some_and(|time| search.elapsed() >= time);
        let depth = limits.depth.map(kernel::Depth::plies);
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let thought = expectimax.think(&turn.game, &turn.request.search_moves, nodes, depth, &stop);
        if let Some(thought) = &thought {
            reports.send(Report::Information(Information {
                depth: thought.depth,
                selective_depth: thought.depth,
                rank: 1,
                score: thought.score,
                bound: Bound::Exact,
                is_result: false,
                nodes: thought.nodes,
                time: search.elapsed(),
                permille_used: 0,
                table_base_hits: 0,
                line: vec![thought.best],
            }));
            reports.remark(format!(
                "expectimax: the opponent finds the best reply with probability {:.2} (skill {})",
                thought.probability_of_optimal,
                expectimax.skill()
            ));
        }
        let ponder = expectimax.expected_reply();
        Choice { best: thought.map(|thought| thought.best), ponder }
    }
}

/// Nodes between two checks whether the opponent has moved: about 0.05 seconds.
const RANKING_STEP: u64 = 40_000;
/// Searches after which more would change little.
const RANKING_STEPS: usize = 100;
const RANKING_MEGABYTES: usize = 8;

/// On the opponent's time: all replies they have, ranked by normal search, as deep as the time allows. Has a table of its own,
/// because the session of the search knows only one position.
fn rank_replies(game: &Game, search: &TurnSearch<'_>) -> Vec<Move> {
    let mut before = game.clone();
    if before.take_back().is_none() {
        return Vec::new();
    }
    let Ok(mut oracle) = PoolOracle::new(RANKING_MEGABYTES, Arc::clone(&search.clock), &search.evaluation)
    else {
        return Vec::new();
    };
    let replies = before.position().legal_moves().len();
    let question = Question { game: &before, allowed: &[], lines: replies, nodes: RANKING_STEP, depth: None };
    let mut ranked: Vec<Move> = Vec::new();
    for _ in 0..RANKING_STEPS {
        if !search.is_pondering() {
            break;
        }
        // Each search starts from what the last one left in the table and comes deeper. Only whole lists count.
        match oracle.ask(&question) {
            Ok(lines) if lines.len() == replies => ranked = lines.into_iter().map(|line| line.mv).collect(),
            _ => {}
        }
    }
    ranked
}

/// Time for one move: 1/30 of the clock.
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

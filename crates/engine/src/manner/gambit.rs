//! `Speculative=seed`: the thesis's algorithm chooses the move.

use super::Turn;
use crate::consultant::Consultant;
use crate::report::{Information, Listener, Report};
use human::speculative::Gambit;
use kernel::{Bound, Limits};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The thesis's opponent, kept through a game. Shared with the turn being played.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Mutex<Gambit>>);

impl Memory {
    /// What was learnt of the opponent's skill stays; it is the same opponent.
    pub fn new_game(&self) {
        let mut gambit = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *gambit = Gambit::new(gambit.skill());
    }
}

pub(crate) struct PlayGambit {
    pub memory: Memory,
}

impl PlayGambit {
    pub fn play(self, turn: &Turn, consultant: &mut Consultant<'_>, mut listener: Box<Listener>) {
        consultant.wait_for_turn();
        let mut gambit = self.memory.0.lock().unwrap_or_else(PoisonError::into_inner);
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
        listener(Report::Best { best: thought.map(|thought| thought.best), ponder: None });
    }
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

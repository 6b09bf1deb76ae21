//! A worker as iterative deepening drives it.

use kernel::{Depth, NodeCounter, Policy, Root, RootMoves, Score, Searcher, Stop, Window};
use laser::Move;

use super::parallel::Scheduler;
use super::technique::Technique;
use super::worker::Worker;

impl<P: Policy<Technique>, S: Scheduler> Searcher for Worker<P, S> {
    type Move = Move;

    fn root_moves(&self) -> &RootMoves<Move> {
        &self.root_moves
    }

    fn root_moves_mut(&mut self) -> &mut RootMoves<Move> {
        &mut self.root_moves
    }

    fn node_counter(&self) -> &NodeCounter {
        &self.node_counter
    }

    fn search_root(&mut self, window: Window, depth: Depth) -> Result<Score, Stop> {
        let kept = self.keys.len();
        self.selective_depth = 0;
        let root = self.root;
        let result = self.node::<Root>(&root, window, depth, 0);
        // An interrupted search leaves its path behind.
        self.keys.truncate(kept);
        result
    }

    fn static_evaluation(&mut self) -> Score {
        match self.root.winner() {
            Some(winner) if winner == self.root.side_to_move() => Score::mate_in(0),
            Some(_) => Score::mated_in(0),
            None => self.evaluate(&self.root),
        }
    }

    fn root_move_eval(&mut self, mv: Move) -> Score {
        let child = self.root.after(mv);
        match child.winner() {
            Some(winner) if winner == self.root.side_to_move() => Score::mate_in(1),
            Some(_) => Score::mated_in(1),
            None => -self.evaluate(&child),
        }
    }

    fn permille_used(&self) -> u32 {
        self.shared.table.permille_used()
    }
}

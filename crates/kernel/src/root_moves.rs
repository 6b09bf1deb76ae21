//! The moves at the root, with what is known about each.

use crate::line::Line;
use crate::score::Score;

/// One root move.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move itself.
    pub mv: M,
    /// Its value in the present search, when it was shown to be a best move.
    pub score: Option<Score>,
    /// The value is that of a window that failed high: the move is worth this much at least, until it is searched again.
    pub is_lower_bound: bool,
    /// Its value in the last completed iteration, when it had one.
    pub previous: Option<Score>,
    /// A running average of its values, for the aspiration window.
    pub average: Option<i32>,
    /// Nodes spent below it since the search began.
    pub nodes: u64,
    /// Deepest ply reached when its score was found.
    pub selective_depth: usize,
    /// The best play after it, itself included.
    pub line: Line<M>,
    /// The line of the last completed iteration.
    pub previous_line: Line<M>,
}

/// All root moves, best first; the driver searches from `first` on (lines before it are settled).
#[derive(Clone, Debug)]
pub struct RootMoves<M> {
    moves: Vec<RootMove<M>>,
    first: usize,
    /// What the present line's search began with: for the first line, the best move of the last completed iteration.
    previous_best: Option<M>,
}

impl<M> Default for RootMoves<M> {
    fn default() -> Self {
        Self { moves: Vec::new(), first: 0, previous_best: None }
    }
}

impl<M: Copy + PartialEq> RootMoves<M> {
    /// The moves to consider, in the order to try them first.
    pub fn new(moves: impl IntoIterator<Item = M>) -> Self {
        let moves = moves
            .into_iter()
            .map(|mv| {
                let mut line = Line::default();
                line.push(mv);
                RootMove {
                    mv,
                    score: None,
                    is_lower_bound: false,
                    previous: None,
                    average: None,
                    nodes: 0,
                    selective_depth: 0,
                    line,
                    previous_line: line,
                }
            })
            .collect();
        Self { moves, first: 0, previous_best: None }
    }

    /// Number of root moves.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Mate or stalemate, or nothing the user allows.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// All moves, best first.
    pub fn all(&self) -> &[RootMove<M>] {
        &self.moves
    }

    /// The first move that is still open: where the present line starts.
    pub fn first(&self) -> usize {
        self.first
    }

    /// The move at `index`, if it is open in the present line.
    #[inline]
    pub fn open_move(&self, index: usize) -> Option<M> {
        self.moves.get(self.first + index).map(|root| root.mv)
    }

    /// The moves to be searched in the present line.
    pub fn open_moves(&self) -> impl Iterator<Item = M> + '_ {
        self.moves[self.first..].iter().map(|root| root.mv)
    }

    /// Is this move to be searched in the present line?
    #[inline]
    pub fn is_open(&self, mv: M) -> bool {
        self.moves[self.first..].iter().any(|root| root.mv == mv)
    }

    /// Records the search of one move: `line` only when the move became the best so far.
    pub fn record(&mut self, mv: M, nodes: u64, found: Option<(Score, usize, &Line<M>)>) {
        let Some(root) = self.moves.iter_mut().find(|root| root.mv == mv) else { return };
        root.nodes += nodes;
        root.score = None;
        root.is_lower_bound = false;
        if let Some((score, selective_depth, rest)) = found {
            root.score = Some(score);
            root.selective_depth = selective_depth;
            root.line.prepend(mv, rest);
            root.average = Some(root.average.map_or(score.value(), |old| i32::midpoint(old, score.value())));
        }
    }

    /// Takes over what another worker found: its best move goes first, with its value and line.
    pub(crate) fn adopt(&mut self, score: Score, selective_depth: usize, line: &Line<M>) {
        let Some(best) = line.get(0) else { return };
        for root in &mut self.moves {
            root.score = None;
        }
        let Some(place) = self.moves.iter().position(|root| root.mv == best) else { return };
        self.moves[..=place].rotate_right(1);
        let root = &mut self.moves[0];
        root.score = Some(score);
        root.is_lower_bound = false;
        root.selective_depth = selective_depth;
        root.line.assign(line);
        root.average = Some(root.average.map_or(score.value(), |old| i32::midpoint(old, score.value())));
    }

    /// Keeps the finished iteration's values and forgets the new ones.
    pub(crate) fn begin_iteration(&mut self) {
        for root in &mut self.moves {
            root.previous = root.score.or(root.previous);
            root.previous_line.assign(&root.line);
            root.score = None;
            root.is_lower_bound = false;
        }
        self.first = 0;
    }

    /// A window failed low: its values are bounds and no longer stand for the moves that are still open. Should the next
    /// window be interrupted, the finished iteration's values and lines are what is known.
    pub(crate) fn clear_bounds(&mut self) {
        for root in &mut self.moves[self.first..] {
            root.score = None;
        }
    }

    /// A window failed high: the value of the best open move is a bound until the next window has searched it. A win that was
    /// found stands as it is.
    pub(crate) fn mark_lower_bound(&mut self) {
        if let Some(root) = self.moves.get_mut(self.first) {
            root.is_lower_bound = root.score.is_some_and(|score| !score.is_win());
        }
    }

    /// The first line was interrupted and every move tried so far had been shown to lose. Those that were not tried may be better: no
    /// loss is claimed, and the finished iteration's best move, value and line stand again (Stockfish does the same).
    pub(crate) fn discard_unproven_losses(&mut self) {
        let Some(place) = self.moves.iter().position(|root| Some(root.mv) == self.previous_best) else {
            return;
        };
        let is_lost = self.moves[0].score.is_some_and(Score::is_loss);
        if self.first == 0 && is_lost && self.moves[place].previous.is_some() {
            self.moves[..=place].rotate_right(1);
            self.clear_bounds();
        }
    }

    /// The moves not searched yet, where every move that was searched loses.
    pub(crate) fn unsearched_if_lost(&self) -> Vec<M> {
        let holds = self.moves.iter().any(|root| root.score.is_some_and(|score| !score.is_loss()));
        let unsearched = self.moves.iter().filter(|root| !holds && root.nodes == 0);
        unsearched.map(|root| root.mv).collect()
    }

    /// Puts a move that was not searched before those that lose.
    pub(crate) fn choose_unsearched(&mut self, mv: M) {
        if let Some(place) = self.moves.iter().position(|root| root.mv == mv) {
            self.moves[..=place].rotate_right(1);
        }
    }

    pub(crate) fn set_first(&mut self, first: usize) {
        self.first = first;
        self.previous_best = self.open_move(0);
    }

    /// Best first among the open moves; ties keep their order.
    pub(crate) fn sort_open(&mut self) {
        self.moves[self.first..].sort_by_key(|root| std::cmp::Reverse(root.score));
    }

    /// Best first among the lines searched in this iteration.
    pub(crate) fn sort_through(&mut self, last: usize) {
        self.moves[..=last].sort_by_key(|root| std::cmp::Reverse(root.score));
    }

    pub(crate) fn get_mut(&mut self, index: usize) -> Option<&mut RootMove<M>> {
        self.moves.get_mut(index)
    }

    /// Nodes spent on all root moves.
    pub fn nodes(&self) -> u64 {
        self.moves.iter().map(|root| root.nodes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_moves_rise_and_the_rest_keep_their_order() {
        let mut root_moves = RootMoves::new([1_u16, 2, 3, 4]);
        let empty = Line::default();
        root_moves.record(1, 10, Some((Score::centipawns(5), 1, &empty)));
        root_moves.record(2, 10, None);
        root_moves.record(3, 10, Some((Score::centipawns(9), 1, &empty)));
        root_moves.record(4, 10, None);
        root_moves.sort_open();
        let order: Vec<u16> = root_moves.all().iter().map(|root| root.mv).collect();
        assert_eq!(order, [3, 1, 2, 4]);
        assert_eq!(root_moves.nodes(), 40);
        root_moves.begin_iteration();
        root_moves.set_first(1);
        assert!(!root_moves.is_open(3) && root_moves.is_open(4));
        assert_eq!(root_moves.open_move(0), Some(1));
        assert_eq!(root_moves.all()[0].previous, Some(Score::centipawns(9)));
    }

    #[test]
    fn a_window_that_failed_high_leaves_a_bound_until_the_move_is_searched_again() {
        let empty = Line::default();
        let mut root_moves = RootMoves::new([1_u16, 2]);
        root_moves.record(1, 10, Some((Score::centipawns(50), 1, &empty)));
        root_moves.mark_lower_bound();
        assert!(root_moves.all()[0].is_lower_bound && !root_moves.all()[1].is_lower_bound);
        root_moves.record(1, 10, Some((Score::centipawns(40), 1, &empty)));
        assert!(!root_moves.all()[0].is_lower_bound);
        root_moves.record(1, 10, Some((Score::mate_in(5), 1, &empty)));
        root_moves.mark_lower_bound();
        assert!(!root_moves.all()[0].is_lower_bound, "a mate that was found is no guess");
    }

    #[test]
    fn an_interrupted_iteration_claims_no_loss() {
        let empty = Line::default();
        let mut root_moves = RootMoves::new([1_u16, 2, 3]);
        root_moves.record(1, 10, Some((Score::centipawns(-90), 1, &empty)));
        root_moves.begin_iteration();
        root_moves.set_first(0);
        root_moves.record(1, 10, Some((Score::mated_in(6), 1, &empty)));
        root_moves.record(2, 10, Some((Score::mated_in(8), 1, &empty)));
        root_moves.sort_open();
        assert_eq!(root_moves.all()[0].mv, 2);
        root_moves.discard_unproven_losses();
        let best = &root_moves.all()[0];
        assert_eq!((best.mv, best.score, best.previous), (1, None, Some(Score::centipawns(-90))));

        // A move that does not lose stands.
        root_moves.record(1, 10, Some((Score::mated_in(6), 1, &empty)));
        root_moves.record(3, 10, Some((Score::centipawns(-300), 1, &empty)));
        root_moves.sort_open();
        root_moves.discard_unproven_losses();
        assert_eq!((root_moves.all()[0].mv, root_moves.all()[0].score), (3, Some(Score::centipawns(-300))));
    }

    #[test]
    fn a_settled_line_stays_settled() {
        let mut root_moves = RootMoves::new([1_u16, 2]);
        root_moves.record(1, 10, Some((Score::mated_in(8), 1, &Line::default())));
        root_moves.begin_iteration();
        root_moves.set_first(0);
        root_moves.record(1, 10, Some((Score::mated_in(8), 1, &Line::default())));
        root_moves.set_first(1);
        root_moves.discard_unproven_losses();
        assert_eq!(root_moves.all()[0].score, Some(Score::mated_in(8)));
    }

    #[test]
    fn without_a_finished_iteration_a_move_not_searched_comes_before_a_loss() {
        let mut root_moves = RootMoves::new([1_u16, 2, 3]);
        root_moves.set_first(0);
        assert_eq!(root_moves.unsearched_if_lost(), [1, 2, 3]);
        root_moves.record(1, 10, Some((Score::mated_in(2), 1, &Line::default())));
        root_moves.record(2, 10, None);
        root_moves.discard_unproven_losses();
        assert_eq!(root_moves.unsearched_if_lost(), [3]);
        root_moves.choose_unsearched(3);
        assert_eq!((root_moves.all()[0].mv, root_moves.all()[0].score), (3, None));
        root_moves.record(3, 10, Some((Score::centipawns(-300), 1, &Line::default())));
        assert_eq!(root_moves.unsearched_if_lost(), []);
    }
}

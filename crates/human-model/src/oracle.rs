//! The interface through which models and coach ask for the value of moves: a search, or a table in tests.

use crate::expected::Expected;
use crate::shown_score::ShownScore;
use chess::{Game, Move};
use eval::Evaluation;
use kernel::{Bound, Clock, Depth, Event, Limits, Release, Score, Sink};
use search::SearchPool;
use std::sync::Arc;

/// One move with its value for the mover and the principal variation.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    pub mv: Move,
    /// In shown units.
    pub score: ShownScore,
    /// The same in the units of the search, for whoever reports it beside other scores of the search.
    pub search_score: Score,
    /// Begins with `mv`.
    pub moves: Vec<Move>,
    pub depth: u32,
}

impl Line {
    /// A line found by a search that used `evaluation`.
    pub fn new(mv: Move, score: Score, moves: Vec<Move>, depth: u32, evaluation: &Evaluation) -> Line {
        Line { mv, score: ShownScore::of(score, evaluation), search_score: score, moves, depth }
    }

    pub fn expected(&self) -> Expected {
        Expected::of(self.score)
    }
}

/// What is asked about the present position of a game.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    pub game: &'a Game,
    /// Only these moves; empty means all.
    pub allowed: &'a [Move],
    /// How many lines, best first.
    pub lines: usize,
    pub nodes: u64,
    pub depth: Option<i32>,
}

impl<'a> Question<'a> {
    /// The best line of a position.
    pub const fn best(game: &'a Game, nodes: u64) -> Question<'a> {
        Question { game, allowed: &[], lines: 1, nodes, depth: None }
    }

    /// The value of each of these moves.
    pub const fn each(game: &'a Game, moves: &'a [Move], nodes: u64) -> Question<'a> {
        Question { game, allowed: moves, lines: moves.len(), nodes, depth: None }
    }

    pub fn limits(&self) -> Limits {
        Limits { nodes: Some(self.nodes.max(1)), depth: self.depth.map(Depth::new), ..Limits::default() }
    }
}

/// The search was told to stop: there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

pub trait Oracle {
    /// Lines, best first; empty only where there is no legal move.
    fn ask(&mut self, question: &Question<'_>) -> Result<Vec<Line>, Stopped>;

    /// Nodes spent on the last question.
    fn nodes(&self) -> u64;

    /// The best line alone.
    fn best(&mut self, game: &Game, nodes: u64) -> Result<Option<Line>, Stopped> {
        Ok(self.ask(&Question::best(game, nodes))?.into_iter().next())
    }
}

/// Keeps the lines of the last iteration that was reported whole.
pub struct Collector {
    evaluation: Evaluation,
    whole: Vec<Line>,
    growing: Vec<Line>,
    wanted: usize,
    pub nodes: u64,
}

impl Collector {
    /// `wanted`: as many lines as an iteration will report; `evaluation`: the one the search uses.
    pub fn new(wanted: usize, evaluation: &Evaluation) -> Collector {
        let evaluation = evaluation.clone();
        Collector { evaluation, whole: Vec::new(), growing: Vec::new(), wanted: wanted.max(1), nodes: 0 }
    }

    pub fn lines(self) -> Vec<Line> {
        let mut lines = if self.whole.is_empty() { self.growing } else { self.whole };
        // Lines of one iteration may come out of order when a later one turned out better.
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        lines
    }
}

impl Sink<Move> for Collector {
    fn event(&mut self, event: Event<'_, Move>) {
        let Event::Info(info) = event else { return };
        self.nodes = info.nodes;
        let Some(mv) = info.line.iter().next() else { return };
        // A search that ends in its first iteration reports nothing but a lower bound.
        let is_all_there_is = info.bound == Bound::Lower && self.whole.is_empty() && self.growing.is_empty();
        if info.bound != Bound::Exact && !is_all_there_is {
            return;
        }
        if info.rank == 1 {
            self.growing.clear();
        }
        let depth = info.depth.plies().max(0) as u32;
        let moves = info.line.iter().collect();
        self.growing.push(Line::new(mv, info.score, moves, depth, &self.evaluation));
        if self.growing.len() == self.wanted {
            self.whole = std::mem::take(&mut self.growing);
        }
    }
}

/// The search as an oracle, on the thread that asks.
pub struct PoolOracle {
    pool: SearchPool<Release>,
    evaluation: Evaluation,
    nodes: u64,
}

impl PoolOracle {
    /// Searches with `evaluation`. What people read must come from the one that plays, [`Evaluation::shipped`].
    pub fn new(
        megabytes: usize,
        clock: Arc<dyn Clock>,
        evaluation: &Evaluation,
    ) -> Result<PoolOracle, kernel::table::TableTooLarge> {
        let mut pool = SearchPool::new(Release, megabytes, clock)?;
        let evaluation = evaluation.clone();
        let make = evaluation.clone();
        pool.set_evaluator(move || make.evaluator());
        Ok(PoolOracle { pool, evaluation, nodes: 0 })
    }

    /// Contempt: how much worse than 0 a draw is, in units of the search.
    pub fn set_contempt(&mut self, centipawns: i32) {
        self.pool.contempt = centipawns;
    }

    /// Clears the transposition table and the histories.
    pub fn clear(&mut self) {
        self.pool.clear();
    }
}

impl Oracle for PoolOracle {
    fn ask(&mut self, question: &Question<'_>) -> Result<Vec<Line>, Stopped> {
        let possible = match question.allowed.len() {
            0 => question.game.position().legal_moves().len(),
            few => few,
        };
        self.pool.lines = question.lines.min(possible).max(1);
        let mut collector = Collector::new(self.pool.lines, &self.evaluation);
        self.pool.search(question.game, question.allowed, question.limits(), &mut collector);
        self.nodes = collector.nodes;
        Ok(collector.lines())
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use kernel::clock::ManualClock;

    fn game(fen: &str) -> Game {
        Game::new(Position::from_fen(fen).unwrap())
    }

    #[test]
    fn every_move_asked_about_gets_a_line() {
        let mut oracle = PoolOracle::new(1, Arc::new(ManualClock::new()), &Evaluation::shipped()).unwrap();
        let game = game("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
        let moves = game.position().legal_moves();
        let lines = oracle.ask(&Question::each(&game, moves.as_slice(), 20_000)).unwrap();
        assert_eq!(lines.len(), moves.len());
        assert!(lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
        assert_eq!(lines[0].score, ShownScore::mate_in(1));
        assert!(lines.iter().all(|line| line.moves.first() == Some(&line.mv)));
        assert!(oracle.nodes() > 0 && oracle.nodes() <= 20_000);
    }

    #[test]
    fn a_search_cut_short_below_its_window_keeps_what_it_knew() {
        let game = game("r3q3/pp5k/2pp1Qb1/2n3R1/4P1N1/P1P5/1PK2P2/3R4 w - - 1 32");
        let bad = [game.position().parse_uci("f6d6").unwrap()];
        for nodes in [150_000, 250_000, 320_000] {
            let mut oracle =
                PoolOracle::new(4, Arc::new(ManualClock::new()), &Evaluation::shipped()).unwrap();
            let lines = oracle.ask(&Question::each(&game, &bad, nodes)).unwrap();
            assert!(lines[0].moves.len() > 1, "a bound without a continuation is no line: {lines:?}");
        }
    }

    #[test]
    fn a_finished_game_has_no_lines() {
        let mut oracle = PoolOracle::new(1, Arc::new(ManualClock::new()), &Evaluation::shipped()).unwrap();
        let mated = game("R3k3/8/4K3/8/8/8/8/8 b - - 0 1");
        assert_eq!(oracle.best(&mated, 1000), Ok(None));
    }
}

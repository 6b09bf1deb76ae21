//! Iterative deepening with aspiration windows and several lines.
//!
//! The driver is the only writer of search events. It knows the game only through [`Searcher`].

use crate::aspiration::Aspiration;
use crate::bound::Bound;
use crate::counters::Count;
use crate::depth::Depth;
use crate::event::{Event, Info, Sink};
use crate::line::Line;
use crate::node_counter::NodeCounter;
use crate::root_moves::{RootMove, RootMoves};
use crate::score::{Kind, Score};
use crate::shared_progress::SharedProgress;
use crate::stop::Stop;
use crate::time::TimeFactors;
use crate::window::Window;
use std::time::Duration;

/// What the driver needs of a game's worker.
pub trait Searcher {
    /// A move of the game.
    type Move: Copy + PartialEq;

    /// The root moves.
    fn root_moves(&self) -> &RootMoves<Self::Move>;

    /// The root moves, to be sorted.
    fn root_moves_mut(&mut self) -> &mut RootMoves<Self::Move>;

    /// The worker's node counter.
    fn node_counter(&self) -> &NodeCounter;

    /// Searches the open root moves, recording each in the list of root moves.
    fn search_root(&mut self, window: Window, depth: Depth) -> Result<Score, Stop>;

    /// The value of the root without search: a static evaluation, or the result when there is no
    /// legal move.
    fn static_evaluation(&mut self) -> Score;

    /// The value of the position after a root move without search, for the side that makes the move: what is played when
    /// a search ends before it has searched a move that does not lose.
    fn root_move_eval(&mut self, mv: Self::Move) -> Score;

    /// The result of the root with perfect play, where it is known without search.
    fn known_result(&self) -> Option<Score> {
        None
    }

    /// Table use in thousandths.
    fn permille_used(&self) -> u32;

    /// Cuts a line where the game ends.
    fn trim_line(&mut self, _line: &mut Line<Self::Move>, _score: Score) {}
}

/// What to do beyond the limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Lines to report.
    pub lines: usize,
    /// Half-width of the first aspiration window; `None` searches with the full window.
    pub aspiration: Option<i32>,
    /// Deepen step by step; otherwise go to the depth limit at once.
    pub deepen: bool,
    /// Confirm a fail-high of the aspiration window up to this many plies shallower.
    pub relaxed_plies: i32,
    /// Begin each iteration this many plies deeper than the next.
    pub ahead: i32,
}

impl Default for Plan {
    fn default() -> Self {
        Self { lines: 1, aspiration: Some(16), deepen: true, relaxed_plies: 0, ahead: 0 }
    }
}

/// A worker's role in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Keeps the time, reports, and waits for release.
    Main,
    /// Searches for the others' benefit.
    Helper,
}

/// What a worker came to.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    /// The move to play.
    pub best: Option<M>,
    /// The best line.
    pub line: Line<M>,
    /// Its value.
    pub score: Score,
    /// `Exact`, or `Lower` when not even the first iteration was finished.
    pub bound: Bound,
    /// The deepest finished iteration.
    pub depth: Depth,
}

impl<M: Copy> Default for Outcome<M> {
    fn default() -> Self {
        Self {
            best: None,
            line: Line::default(),
            score: Score::ZERO,
            bound: Bound::Lower,
            depth: Depth::ZERO,
        }
    }
}

/// Before this time only exact scores are reported: early windows fail too often to read.
const QUIET_TIME: Duration = Duration::from_secs(3);
/// Windows mean nothing on the first, shallow iterations.
const FIRST_ASPIRATION: i32 = 4;

/// Searches until a limit or an order ends it. Workers that share a `shared_progress` give up an iteration
/// that another has finished, and go on from its result. The main worker then waits, if it must, for `stop`
/// or `ponderhit`, and raises the stop latch for its helpers; [`conclude`] gives the result out.
pub fn iterate<S: Searcher>(
    searcher: &mut S,
    plan: &Plan,
    role: Role,
    shared_progress: Option<&SharedProgress<S::Move>>,
    sink: &mut dyn Sink<S::Move>,
) -> Outcome<S::Move> {
    // Several lines are not finished by one result.
    let shared_progress = shared_progress.filter(|_| plan.lines == 1 && plan.deepen);
    let mut run = Run {
        searcher,
        plan,
        role,
        shared_progress,
        sink,
        completed: Depth::ZERO,
        reported: Reported::Nothing,
    };
    let outcome = if run.searcher.root_moves().is_empty() { run.no_moves() } else { run.deepen() };
    if role == Role::Main {
        let session = run.searcher.node_counter().session();
        let limits = session.limits();
        session.control().wait_for_release(limits.infinite);
        session.control().stop();
    }
    outcome
}

/// The worker whose result to play, by vote: a move's weight is what all that prefer it have found
/// out, by depth and score (Stockfish). A proven win is taken, and a proven loss put off, at once.
pub fn vote<M: Copy + PartialEq>(outcomes: &[Outcome<M>]) -> usize {
    let Some(worst) = outcomes.iter().map(|outcome| outcome.score.value()).min() else { return 0 };
    let weight = |outcome: &Outcome<M>| {
        i64::from(outcome.score.value() - worst + 14) * i64::from(outcome.depth.plies())
    };
    let votes =
        |best: M| -> i64 { outcomes.iter().filter(|outcome| outcome.best == Some(best)).map(weight).sum() };
    let mut elected = 0;
    for (index, outcome) in outcomes.iter().enumerate().skip(1) {
        let holder = &outcomes[elected];
        let (Some(best), Some(held)) = (outcome.best, holder.best) else { continue };
        let proven = holder.score.is_win() || outcome.score.is_win();
        let better = if proven {
            outcome.score > holder.score
        } else {
            (votes(best), weight(outcome)) > (votes(held), weight(holder)) && !outcome.score.is_loss()
        };
        // What was searched less does not count, however good it looks.
        if better && outcome.depth >= holder.depth {
            elected = index;
        }
    }
    elected
}

/// Reports the line of an elected worker that is not the first.
pub fn report_elected<S: Searcher>(
    searcher: &mut S,
    outcome: &Outcome<S::Move>,
    sink: &mut dyn Sink<S::Move>,
) {
    let plan = Plan::default();
    let mut run = Run {
        searcher,
        plan: &plan,
        role: Role::Main,
        shared_progress: None,
        sink,
        completed: outcome.depth,
        reported: Reported::Nothing,
    };
    run.report(outcome.depth.max(Depth::new(1)), 1, outcome.score, outcome.bound, 0, &outcome.line);
}

/// Gives the result out: exactly one per search.
pub fn conclude<M: Copy>(outcome: &Outcome<M>, sink: &mut dyn Sink<M>) {
    let ponder = outcome.best.and(outcome.line.get(1));
    sink.event(Event::Best { best: outcome.best, ponder });
}

/// How the last report relates to the root moves.
#[derive(PartialEq)]
enum Reported {
    Nothing,
    /// The lines as they stand after a finished iteration.
    Current,
    /// The root moves have moved on since.
    Stale,
}

struct Run<'a, S: Searcher> {
    searcher: &'a mut S,
    plan: &'a Plan,
    role: Role,
    shared_progress: Option<&'a SharedProgress<S::Move>>,
    sink: &'a mut dyn Sink<S::Move>,
    completed: Depth,
    reported: Reported,
}

/// The best move and scores of past iterations, for the time manager.
struct Trend<M> {
    best: Option<M>,
    stable_iterations: u32,
    recent_changes: f64,
    scores: Vec<i32>,
}

impl<S: Searcher> Run<'_, S> {
    fn no_moves(&mut self) -> Outcome<S::Move> {
        let score = self.searcher.static_evaluation();
        let line = Line::default();
        self.report(Depth::ZERO, 1, score, Bound::Exact, 0, &line);
        Outcome { best: None, line, score, bound: Bound::Exact, depth: Depth::ZERO }
    }

    fn deepen(&mut self) -> Outcome<S::Move> {
        let deepest =
            self.searcher.node_counter().session().limits().depth.unwrap_or(Depth::MAX).min(Depth::MAX);
        let mut depth = if self.plan.deepen { Depth::new(1) } else { deepest };
        let mut trend =
            Trend { best: None, stable_iterations: 0, recent_changes: 0.0, scores: Vec::with_capacity(256) };
        while depth <= deepest {
            if self.shared_progress.is_some() {
                self.searcher.node_counter().abandon_when_finished(depth);
            }
            match self.iteration(depth) {
                Ok(()) => {
                    self.completed = depth;
                    self.publish_iteration();
                }
                Err(Stop::Sibling) if self.adopt() => depth = self.completed,
                Err(_) => {
                    self.searcher.root_moves_mut().discard_unproven_losses();
                    break;
                }
            }
            self.searcher.node_counter().publish();
            self.report_lines(depth);
            if self.is_mate_found() || (self.role == Role::Main && self.is_enough(&mut trend)) {
                break;
            }
            depth += 1 + self.plan.ahead;
            if depth > deepest && self.completed < deepest {
                depth = deepest;
            }
        }
        self.searcher.node_counter().abandon_when_finished(Depth::ZERO);
        self.searcher.node_counter().publish();
        self.finish()
    }

    /// Publishes the finished iteration to the other workers.
    fn publish_iteration(&mut self) {
        let Some(shared_progress) = self.shared_progress else { return };
        let best = &self.searcher.root_moves().all()[0];
        if let Some(score) = best.score {
            shared_progress.publish(self.completed, score, best.selective_depth, &best.line);
        }
    }

    /// Goes on from an iteration that another worker has finished.
    fn adopt(&mut self) -> bool {
        let Some(completed) = self.shared_progress.and_then(SharedProgress::latest) else { return false };
        if completed.depth <= self.completed {
            return false;
        }
        self.completed = completed.depth;
        self.reported = if self.reported == Reported::Nothing { Reported::Nothing } else { Reported::Stale };
        self.searcher.root_moves_mut().adopt(completed.score, completed.selective_depth, &completed.line);
        true
    }

    /// One depth, all lines.
    fn iteration(&mut self, depth: Depth) -> Result<(), Stop> {
        let lines = self.plan.lines.clamp(1, self.searcher.root_moves().len());
        self.searcher.root_moves_mut().begin_iteration();
        for line in 0..lines {
            self.searcher.root_moves_mut().set_first(line);
            self.reported =
                if self.reported == Reported::Nothing { Reported::Nothing } else { Reported::Stale };
            let result = self.line(depth, line);
            self.searcher.root_moves_mut().sort_open();
            self.searcher.root_moves_mut().sort_through(line);
            result?;
        }
        Ok(())
    }

    /// One line of one depth: the aspiration loop.
    fn line(&mut self, depth: Depth, line: usize) -> Result<(), Stop> {
        let expected = self.searcher.root_moves().all()[line].average;
        let mut aspiration = match (self.plan.aspiration, expected) {
            (Some(reach), Some(expected)) if depth >= FIRST_ASPIRATION => {
                let reach = reach + expected.abs() / 64;
                Aspiration::around(Score::centipawns(expected), reach)
            }
            _ => Aspiration::around(Score::INFINITY, 0),
        };
        let mut reduction = 0;
        loop {
            let window = aspiration.window();
            let reduced = Depth::new((depth.plies() - reduction).max(1));
            let score = self.searcher.search_root(window, reduced)?;
            self.searcher.root_moves_mut().sort_open();
            if window.alpha() > -Score::INFINITY && window.fails_low(score) {
                self.report_bound(depth, line, score, Bound::Upper);
                self.searcher.root_moves_mut().clear_bounds();
                aspiration.fail_low(score);
                reduction = 0;
            } else if window.beta() < Score::INFINITY && window.fails_high(score) {
                self.report_bound(depth, line, score, Bound::Lower);
                self.searcher.root_moves_mut().mark_lower_bound();
                aspiration.fail_high(score);
                // A fail-high is usually confirmed a ply shallower just as well (Stockfish).
                reduction = (reduction + i32::from(score.is_heuristic())).min(self.plan.relaxed_plies);
            } else {
                return Ok(());
            }
        }
    }

    fn is_mate_found(&self) -> bool {
        let Some(moves) = self.searcher.node_counter().session().limits().mate else { return false };
        match self.searcher.root_moves().all()[0].score.map(Score::kind) {
            Some(Kind::MateIn(plies) | Kind::MatedIn(plies)) => plies.div_ceil(2) <= moves,
            _ => false,
        }
    }

    /// Is another iteration not worth its time?
    fn is_enough(&self, trend: &mut Trend<S::Move>) -> bool {
        let root_moves = self.searcher.root_moves();
        let best = &root_moves.all()[0];
        let score = best.score.unwrap_or_default().value();
        let same = trend.best == Some(best.mv);
        trend.stable_iterations = if same { trend.stable_iterations + 1 } else { 0 };
        trend.recent_changes =
            trend.recent_changes / 2.0 + f64::from(u8::from(!same && trend.best.is_some()));
        trend.best = Some(best.mv);
        let earlier = trend.scores.iter().rev().nth(2).copied().unwrap_or(score);
        trend.scores.push(score);

        let session = self.searcher.node_counter().session();
        let limits = session.limits();
        if limits.soft_nodes.is_some_and(|nodes| session.nodes() >= nodes) {
            return true;
        }
        if limits.infinite || session.control().is_pondering() {
            return false;
        }
        let factors = TimeFactors {
            stable_iterations: trend.stable_iterations,
            recent_changes: trend.recent_changes,
            best_move_share: best.nodes as f64 / root_moves.nodes().max(1) as f64,
            score_drop: earlier - score,
            is_forced: root_moves.len() == 1,
        };
        session.time().soft(&factors).is_some_and(|soft| session.elapsed() >= soft)
    }

    /// The final report: the lines as they stand, with the best move first.
    fn finish(&mut self) -> Outcome<S::Move> {
        if self.completed == Depth::ZERO && self.searcher.root_moves().first() == 0 {
            return self.finish_first_iteration();
        }
        let searcher = &mut *self.searcher;
        // An interrupted iteration counts only where it found a best move; the rest falls back on
        // the last finished one.
        if let Some(best) = searcher.root_moves_mut().get_mut(0)
            && best.score.is_none()
        {
            let previous = best.previous_line;
            best.line.assign(&previous);
        }
        let best = &searcher.root_moves().all()[0];
        let (mv, line, known) = (best.mv, best.line, best.score.or(best.previous));
        let bound = bound_of(best);
        let score = known.unwrap_or_else(|| searcher.static_evaluation());
        if self.role == Role::Main && self.reported != Reported::Current {
            self.report_lines(self.completed.max(Depth::new(1)));
        }
        Outcome { best: Some(mv), line, score, bound, depth: self.completed }
    }

    /// The final report of a search that finished no iteration. Moves it has not searched may be better than those it
    /// has: the score is a lower bound unless it is a proven win, and no loss is claimed. Where every move searched so far
    /// loses, the best of the others by static evaluation is played.
    fn finish_first_iteration(&mut self) -> Outcome<S::Move> {
        let mut unsearched = None;
        for mv in self.searcher.root_moves().unsearched_if_lost() {
            let eval = self.searcher.root_move_eval(mv);
            if unsearched.is_none_or(|(_, best)| eval > best) {
                unsearched = Some((mv, eval));
            }
        }
        if let Some((mv, _)) = unsearched {
            self.searcher.root_moves_mut().choose_unsearched(mv);
        }
        let best = &self.searcher.root_moves().all()[0];
        let (mv, line, selective_depth) = (best.mv, best.line, best.selective_depth);
        let score = unsearched.map(|(_, eval)| eval).or(best.score).unwrap_or_default();
        let bound = if score.is_win() || score.is_loss() { Bound::Exact } else { Bound::Lower };
        if self.role == Role::Main {
            self.report(Depth::new(1), 1, score, bound, selective_depth, &line);
        }
        Outcome { best: Some(mv), line, score, bound, depth: self.completed }
    }

    fn report_lines(&mut self, depth: Depth) {
        if self.role != Role::Main {
            return;
        }
        let lines = self.plan.lines.clamp(1, self.searcher.root_moves().len());
        for index in 0..lines {
            let root = &self.searcher.root_moves().all()[index];
            let (line, selective_depth) = (root.line, root.selective_depth);
            if let Some(score) = root.score {
                let bound = bound_of(root);
                self.report(depth, index + 1, score, bound, selective_depth, &line);
            } else if let Some(score) = root.previous {
                let line = root.previous_line;
                self.report(depth, index + 1, score, Bound::Exact, selective_depth, &line);
            }
        }
        self.reported = Reported::Current;
    }

    fn report_bound(&mut self, depth: Depth, line: usize, score: Score, bound: Bound) {
        let session = self.searcher.node_counter().session();
        if self.role == Role::Main && self.plan.lines == 1 && session.elapsed() > QUIET_TIME {
            let root = &self.searcher.root_moves().all()[line];
            let (moves, selective_depth) = (root.line, root.selective_depth);
            self.report(depth, line + 1, score, bound, selective_depth, &moves);
            self.reported = Reported::Stale;
        }
    }

    fn report(
        &mut self,
        depth: Depth,
        rank: usize,
        score: Score,
        bound: Bound,
        selective_depth: usize,
        line: &Line<S::Move>,
    ) {
        let mut line = *line;
        self.searcher.trim_line(&mut line, score);
        // A mate that was found says more than a result without a length.
        let known = self.searcher.known_result().filter(|_| !score.is_mate());
        let (score, bound) = known.map_or((score, bound), |known| (known, Bound::Exact));
        self.searcher.node_counter().publish();
        let session = self.searcher.node_counter().session();
        let info = Info {
            depth,
            selective_depth: selective_depth.max(depth.index().min(line.len())),
            rank,
            score,
            bound,
            is_result: known.is_some() || score.is_mate() && bound == Bound::Exact,
            nodes: session.nodes(),
            time: session.elapsed(),
            permille_used: self.searcher.permille_used(),
            table_base_hits: session.total(Count::TableBaseHits),
            line: &line,
        };
        self.sink.event(Event::Info(info));
    }
}

/// What the value of a root move says about it: a bound where the search ended before a window that failed high was searched
/// again.
fn bound_of<M>(root: &RootMove<M>) -> Bound {
    if root.is_lower_bound && root.score.is_some() { Bound::Lower } else { Bound::Exact }
}

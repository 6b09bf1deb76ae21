//! A node that several workers search: the protocol between its owner and its helpers.
//!
//! The owner publishes the node with a copy of its frame after the first moves. Every worker draws
//! moves from a picker of their own and *claims* each before searching it, so no move list is
//! copied and no move is searched twice. A result that changes something is *reported* under the node's lock; most do not, and
//! take none. A cutoff, or
//! an owner that has to leave, makes the node *over*: workers below notice by following the
//! chain of parents. When a worker runs out of moves the node is *closed* to new helpers. A helper that is
//! stopped in a move it had claimed *leaves it unsearched*: then the node has no result.
//!
//! Invariants:
//! * a move is claimed by at most one worker;
//! * once a node is over its result does not change;
//! * `helpers` falls to zero only after every helper's last report.

use super::loop_types::{GameMove, LoopResult, LoopUpdate, NodeInfo, RootMoveReport};
use super::solo_loop::SoloLoop;
use super::split_view::SplitView;
use crate::depth::Depth;
use crate::line::Line;
use crate::score::Score;
use crate::window::Window;
#[cfg(loom)]
use loom::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize},
};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::{Arc, PoisonError};
#[cfg(not(loom))]
use std::sync::{
    Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicUsize},
};

/// A shared node. What workers read at every move, and what they write, are on different cache lines.
pub struct SplitPoint<M, F> {
    read: Read<M, F>,
    written: Written<M, F>,
}

/// What changes seldom.
#[repr(align(128))]
struct Read<M, F> {
    parent: Option<Arc<SplitPoint<M, F>>>,
    depth: Depth,
    expects_cut: bool,
    /// Decided or given up: nothing below matters any more.
    over: AtomicBool,
    /// No more helpers.
    closed: AtomicBool,
    view: SplitView,
    /// Something of the game's that all workers here count together.
    counted: AtomicUsize,
}

/// What changes with every move.
#[repr(align(128))]
struct Written<M, F> {
    /// A claimed move will never be reported, and no other worker has decided the node.
    unsearched: AtomicBool,
    /// Moves claimed so far: what newcomers judge a node by.
    claims: AtomicUsize,
    /// Changed only under the lock, read without it.
    helpers: AtomicUsize,
    state: Mutex<State<M, F>>,
}

struct State<M, F> {
    walk: SoloLoop<M>,
    frame: F,
    claimed: Vec<M>,
    /// Of these the result is in, as far as their workers have come back for another.
    searched: Vec<M>,
    /// The best line, when a helper found it; never asked for behind a null window.
    line: Option<Box<Line<M>>>,
    root_reports: Vec<RootMoveReport<M>>,
}

/// What came of claiming a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Another worker has it.
    Taken,
    /// The node needs no more moves.
    Over,
    /// To be searched, as the move of this number, with the node as it now stands.
    Yours {
        /// Its number, from 1.
        number: usize,
        /// The window.
        window: Window,
        /// The best score so far.
        score: Option<Score>,
    },
}

impl<M: GameMove, F: Default> SplitPoint<M, F> {
    /// A node to be filled in by [`SplitPoint::renew`].
    pub fn empty() -> Self {
        Self {
            read: Read {
                parent: None,
                depth: Depth::ZERO,
                expects_cut: false,
                over: AtomicBool::new(true),
                closed: AtomicBool::new(true),
                view: SplitView::new(),
                counted: AtomicUsize::new(0),
            },
            written: Written {
                unsearched: AtomicBool::new(false),
                claims: AtomicUsize::new(0),
                helpers: AtomicUsize::new(0),
                state: Mutex::new(State {
                    walk: SoloLoop::new(Window::FULL),
                    frame: F::default(),
                    claimed: Vec::with_capacity(64),
                    searched: Vec::with_capacity(64),
                    line: None,
                    root_reports: Vec::new(),
                }),
            },
        }
    }

    /// Becomes a new node. `walk` is how far its owner has come alone, with the
    /// moves of `early`.
    pub fn renew(
        &mut self,
        parent: Option<Arc<Self>>,
        info: &NodeInfo,
        walk: SoloLoop<M>,
        early: impl Iterator<Item = M>,
        frame: impl FnOnce(&mut F),
    ) {
        self.read.parent = parent;
        self.read.depth = info.depth;
        self.read.expects_cut = info.expects_cut;
        let mut state = self.lock();
        state.walk = walk;
        state.claimed.clear();
        state.claimed.extend(early);
        state.searched.clear();
        state.line = None;
        state.root_reports.clear();
        frame(&mut state.frame);
        let claims = state.claimed.len();
        drop(state);
        self.read.view.set(walk.window, walk.score);
        self.written.claims.store(claims, Relaxed);
        self.written.helpers.store(0, Relaxed);
        self.read.counted.store(0, Relaxed);
        self.written.unsearched.store(false, Relaxed);
        self.read.over.store(false, Relaxed);
        self.read.closed.store(false, Relaxed);
    }
}

impl<M: GameMove, F> SplitPoint<M, F> {
    fn lock(&self) -> MutexGuard<'_, State<M, F>> {
        // What a panicking worker leaves behind is whole: every change is made in one step.
        self.written.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The shared node above.
    pub fn parent(&self) -> Option<&Arc<Self>> {
        self.read.parent.as_ref()
    }

    pub(super) fn clear_parent(&mut self) -> Option<Arc<Self>> {
        self.read.parent.take()
    }

    /// The depth left at the node.
    pub fn depth(&self) -> Depth {
        self.read.depth
    }

    /// Was a cutoff expected here?
    pub fn expects_cut(&self) -> bool {
        self.read.expects_cut
    }

    /// Moves claimed so far.
    pub fn claims(&self) -> usize {
        self.written.claims.load(Relaxed)
    }

    /// Workers here besides the owner.
    pub fn helpers(&self) -> usize {
        self.written.helpers.load(Acquire)
    }

    /// What all workers here have counted; at least `own`, which the owner brings from before the node was shared.
    pub fn counted(&self, own: usize) -> usize {
        let counted = self.read.counted.load(Relaxed);
        // Only news is written.
        if counted >= own { counted } else { self.read.counted.fetch_max(own, Relaxed).max(own) }
    }

    /// So many more.
    pub fn count(&self, more: usize) {
        if more > 0 {
            self.read.counted.fetch_add(more, Relaxed);
        }
    }

    /// Is there anything left to do for a newcomer?
    pub fn is_joinable(&self) -> bool {
        !self.read.closed.load(Relaxed) && !self.read.over.load(Relaxed)
    }

    /// Is the node itself decided or given up?
    pub fn is_over(&self) -> bool {
        self.read.over.load(Acquire)
    }

    /// Is this node, or one above it, over?
    pub fn is_cut_off(&self) -> bool {
        let mut split = self;
        loop {
            if split.is_over() {
                return true;
            }
            match &split.read.parent {
                Some(parent) => split = parent,
                None => return false,
            }
        }
    }

    /// Does this node lie below `ancestor`?
    pub fn is_below(&self, ancestor: &Self) -> bool {
        let mut above = self.read.parent.as_deref();
        while let Some(split) = above {
            if std::ptr::eq(split, ancestor) {
                return true;
            }
            above = split.read.parent.as_deref();
        }
        false
    }

    /// Asks for a move. `searched` is the one this worker had before.
    pub fn claim(&self, mv: M, searched: Option<M>) -> Claim {
        let mut state = self.lock();
        state.searched.extend(searched);
        if self.read.over.load(Relaxed) {
            return Claim::Over;
        }
        if state.claimed.contains(&mv) {
            return Claim::Taken;
        }
        state.claimed.push(mv);
        let number = state.claimed.len();
        self.written.claims.store(number, Relaxed);
        Claim::Yours { number, window: state.walk.window, score: state.walk.score }
    }

    /// Takes the result of a claimed move. The node as it then stands, and what the result means. A result that changes
    /// nothing takes no lock and writes nothing.
    pub fn report(
        &self,
        mv: M,
        score: Score,
        line: Option<impl FnOnce() -> Line<M>>,
    ) -> (LoopUpdate, Window, Option<Score>) {
        let (window, best) = self.read.view.get();
        if best.is_some_and(|best| score <= best) {
            return (LoopUpdate::Ignored, window, best);
        }
        let mut state = self.lock();
        if self.read.over.load(Relaxed) {
            return (LoopUpdate::Ignored, state.walk.window, state.walk.score);
        }
        let update = state.walk.take(mv, score);
        self.read.view.set(state.walk.window, state.walk.score);
        if matches!(update, LoopUpdate::Raised | LoopUpdate::Cutoff) {
            state.line = line.map(|line| Box::new(line()));
        }
        if update == LoopUpdate::Cutoff {
            self.read.over.store(true, Release);
        }
        (update, state.walk.window, state.walk.score)
    }

    /// The window and the best score as they stand.
    pub fn window_and_score(&self) -> (Window, Option<Score>) {
        self.read.view.get()
    }

    /// The moves searched since the node is shared, but for the last of each worker.
    pub fn searched(&self) -> Vec<M> {
        self.lock().searched.clone()
    }

    /// A worker ran out of moves.
    pub fn close(&self) {
        self.read.closed.store(true, Relaxed);
    }

    /// Nothing below matters any more.
    pub fn abandon(&self) {
        let _state = self.lock();
        self.read.over.store(true, Release);
    }

    /// A newcomer: a copy of the frame, the window and the best score; `None` if it is too late.
    pub fn enter(&self) -> Option<(F, Window, Option<Score>)>
    where
        F: Clone,
    {
        let state = self.lock();
        if !self.is_joinable() {
            return None;
        }
        self.written.helpers.fetch_add(1, Relaxed);
        Some((state.frame.clone(), state.walk.window, state.walk.score))
    }

    /// A helper leaves; its reports are in, unless it was stopped (`finished` is false) in a move it had claimed.
    pub fn leave(&self, finished: bool) {
        let _state = self.lock();
        if !finished {
            self.written.unsearched.store(true, Relaxed);
        }
        self.written.helpers.fetch_sub(1, Release);
    }

    /// Was a helper stopped in a move? Asked when no helper is left.
    pub fn is_incomplete(&self) -> bool {
        self.written.unsearched.load(Relaxed)
    }

    /// A helper's note for the owner.
    pub fn report_root_move(&self, report: RootMoveReport<M>) {
        self.lock().root_reports.push(report);
    }

    /// What helpers have noted.
    pub fn root_reports(&self) -> Vec<RootMoveReport<M>> {
        std::mem::take(&mut self.lock().root_reports)
    }

    /// The result.
    pub fn found(&self) -> LoopResult<M> {
        let mut state = self.lock();
        let SoloLoop { score, best, .. } = state.walk;
        LoopResult { score, best, offered: state.claimed.len(), line: state.line.take() }
    }
}

/// Run with `RUSTFLAGS="--cfg loom" cargo test -p kernel --release loom`.
#[cfg(all(test, loom))]
mod loom_tests {
    use super::*;

    fn node() -> Arc<SplitPoint<u8, u8>> {
        let mut split = SplitPoint::empty();
        let window = Window::new(Score::centipawns(0), Score::centipawns(50));
        let info = NodeInfo { window, depth: Depth::new(5), key: 1, expects_cut: false };
        split.renew(None, &info, SoloLoop::new(window), std::iter::once(1), |frame| *frame = 7);
        Arc::new(split)
    }

    fn search(split: &SplitPoint<u8, u8>, scores: &[(u8, i32)]) -> usize {
        let mut claimed = 0;
        for &(mv, score) in scores {
            match split.claim(mv, None) {
                Claim::Over => break,
                Claim::Taken => {}
                Claim::Yours { .. } => {
                    claimed += 1;
                    split.report(mv, Score::centipawns(score), None::<fn() -> Line<u8>>);
                }
            }
        }
        split.close();
        claimed
    }

    /// In every order of events each move is searched once, and the owner sees the best result.
    #[test]
    fn loom_every_move_is_searched_once_and_the_best_result_is_seen() {
        loom::model(|| {
            let split = node();
            let helper = Arc::clone(&split);
            let helper = loom::thread::spawn(move || match helper.enter() {
                Some((frame, ..)) => {
                    assert_eq!(frame, 7);
                    let claimed = search(&helper, &[(3, 20), (2, 10)]);
                    helper.leave(true);
                    claimed
                }
                None => 0,
            });
            let own = search(&split, &[(2, 10), (3, 20)]);
            while split.helpers() > 0 {
                loom::thread::yield_now();
            }
            let found = split.found();
            let helped = helper.join().unwrap();
            assert_eq!(own + helped, 2);
            assert_eq!((found.score, found.best), (Some(Score::centipawns(20)), Some(3)));
        });
    }

    /// An owner that sees no helper left also sees whether one was called away from a move.
    #[test]
    fn loom_a_move_left_unsearched_is_known_when_the_guest_is_gone() {
        loom::model(|| {
            let split = node();
            let helper = Arc::clone(&split);
            let helper = loom::thread::spawn(move || {
                helper.enter().is_some_and(|_| {
                    let leaves_it = matches!(helper.claim(3, None), Claim::Yours { .. });
                    helper.leave(!leaves_it);
                    leaves_it
                })
            });
            search(&split, &[(2, 10), (3, 20)]);
            while split.helpers() > 0 {
                loom::thread::yield_now();
            }
            let incomplete = split.is_incomplete();
            assert_eq!(incomplete, helper.join().unwrap());
        });
    }

    /// A cutoff ends the node for everybody and stays its result.
    #[test]
    fn loom_a_cutoff_is_final() {
        loom::model(|| {
            let split = node();
            let helper = Arc::clone(&split);
            let helper = loom::thread::spawn(move || {
                if helper.enter().is_some() {
                    search(&helper, &[(3, 90)]);
                    helper.leave(true);
                }
            });
            search(&split, &[(2, 60)]);
            let decided = split.is_over().then(|| split.found());
            helper.join().unwrap();
            let found = split.found();
            assert!(found.score >= Some(Score::centipawns(60)));
            if let Some(decided) = decided {
                assert_eq!((decided.score, decided.best), (found.score, found.best));
            }
        });
    }

    /// An owner that gives up is noticed below, and nobody joins afterwards.
    #[test]
    fn loom_giving_up_reaches_the_nodes_below() {
        loom::model(|| {
            let split = node();
            let mut child: SplitPoint<u8, u8> = SplitPoint::empty();
            let window = Window::new(Score::centipawns(0), Score::centipawns(50));
            let info = NodeInfo { window, depth: Depth::new(4), key: 2, expects_cut: false };
            let parent = Some(Arc::clone(&split));
            child.renew(parent, &info, SoloLoop::new(window), std::iter::empty(), |_| {});
            let owner = Arc::clone(&split);
            let thread = loom::thread::spawn(move || owner.abandon());
            while !child.is_cut_off() {
                loom::thread::yield_now();
            }
            assert!(split.enter().is_none());
            thread.join().unwrap();
        });
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn node(low: i32, high: i32) -> SplitPoint<u8, u8> {
        let mut split = SplitPoint::empty();
        let window = Window::new(Score::centipawns(low), Score::centipawns(high));
        let info = NodeInfo { window, depth: Depth::new(5), key: 1, expects_cut: true };
        split.renew(None, &info, SoloLoop::new(window), [1, 2].into_iter(), |frame| *frame = 9);
        split
    }

    fn report(split: &SplitPoint<u8, u8>, mv: u8, score: i32) -> LoopUpdate {
        split.report(mv, Score::centipawns(score), None::<fn() -> Line<u8>>).0
    }

    #[test]
    fn early_moves_are_taken_and_numbers_go_on_from_them() {
        let split = node(0, 50);
        assert_eq!(split.claim(2, None), Claim::Taken);
        assert!(matches!(split.claim(3, None), Claim::Yours { number: 3, score: None, .. }));
        assert_eq!(split.claim(3, None), Claim::Taken);
        assert_eq!(split.claims(), 3);
    }

    #[test]
    fn alpha_rises_for_everybody_and_a_cutoff_ends_it() {
        let split = node(0, 50);
        assert_eq!(report(&split, 3, -5), LoopUpdate::Better);
        assert_eq!(report(&split, 4, 20), LoopUpdate::Raised);
        assert!(
            matches!(split.claim(5, None), Claim::Yours { window, .. } if window.alpha() == Score::centipawns(20))
        );
        assert_eq!(report(&split, 5, 70), LoopUpdate::Cutoff);
        assert_eq!(report(&split, 6, 90), LoopUpdate::Ignored);
        assert_eq!(split.claim(7, None), Claim::Over);
        assert!(split.enter().is_none());
        assert_eq!(split.found().best, Some(5));
    }

    #[test]
    fn what_workers_count_adds_up_and_begins_with_the_owners() {
        let mut split = node(0, 50);
        assert_eq!(split.counted(2), 2, "from before the node was shared");
        split.count(1);
        assert_eq!((split.counted(0), split.counted(3)), (3, 3), "a helper hears of it");
        let info = NodeInfo { window: Window::FULL, depth: Depth::new(5), key: 1, expects_cut: false };
        split.renew(None, &info, SoloLoop::new(Window::FULL), std::iter::empty(), |_| {});
        assert_eq!((split.counted(0), split.searched()), (0, vec![]), "another node");
    }

    #[test]
    fn everybody_sees_what_the_others_reported() {
        let split = node(0, 50);
        report(&split, 3, -5);
        report(&split, 4, 20);
        split.claim(5, Some(3));
        split.claim(6, Some(4));
        assert_eq!(split.searched(), [3, 4]);
        assert_eq!(
            split.window_and_score(),
            (Window::new(Score::centipawns(20), Score::centipawns(50)), Some(Score::centipawns(20)))
        );
    }

    #[test]
    fn guests_are_counted_and_a_closed_node_takes_no_more() {
        let split = node(0, 50);
        assert_eq!(split.enter().map(|(frame, ..)| frame), Some(9));
        assert_eq!(split.helpers(), 1);
        split.close();
        assert!(split.enter().is_none());
        assert!(matches!(split.claim(3, None), Claim::Yours { .. }), "those inside may go on");
        split.leave(true);
        assert_eq!(split.helpers(), 0);
    }

    #[test]
    fn what_lies_below_a_node_that_is_over_is_pointless() {
        let top = Arc::new(node(0, 50));
        let mut middle = node(0, 50);
        middle.read.parent = Some(Arc::clone(&top));
        let middle = Arc::new(middle);
        let mut leaf = node(0, 50);
        leaf.read.parent = Some(Arc::clone(&middle));
        assert!(leaf.is_below(&top) && leaf.is_below(&middle) && !top.is_below(&leaf));
        assert!(!leaf.is_cut_off());
        top.abandon();
        assert!(leaf.is_cut_off() && !leaf.is_over());
    }
}

//! Young Brothers Wait Concept (YBWC): a node's later moves may be searched by others once its first is known
//! (Feldmann 1993; the late join and the choice by interest follow Hyatt's Crafty, the helpful
//! master Feldmann).
//!
//! Every worker keeps a list of the nodes on its path that others may join. An idle worker looks
//! through all lists and joins the most promising node. An owner that runs out of moves while
//! helpers are still busy helps only below its own node, where its help is certain to matter.

use super::loop_types::{GameMove, LoopResult, LoopUpdate, NodeInfo, RootMoveReport};
use super::scheduler::{MoveLoop, Scheduler, SplitHelper};
use super::solo_loop::SoloLoop;
use super::split_point::{Claim, SplitPoint};
use super::team::{SplitSettings, Team, even_teams};
use crate::counters::{Count, Counters};
use crate::line::Line;
use crate::score::Score;
use crate::stop::Stop;
use crate::window::Window;
use std::ops::Range;
use std::sync::Arc;

/// Most moves an owner searches before it shares; after so many a node is not worth joining.
const MOST_EARLY: usize = 12;

/// One worker's part in a team.
pub struct Ybwc<M, F> {
    team: Arc<Team<M, F>>,
    worker: usize,
    /// The innermost shared node this worker is below.
    current: Option<Arc<SplitPoint<M, F>>>,
    seen: u64,
    /// Counted among those who wait for work.
    waits: bool,
    /// Split points that no other worker holds any more.
    spare: Vec<Arc<SplitPoint<M, F>>>,
    tally: Counters,
}

impl<M: GameMove, F: Default + Clone> Ybwc<M, F> {
    /// Worker number `worker` of a team.
    pub fn new(team: Arc<Team<M, F>>, worker: usize) -> Self {
        Self {
            team,
            worker,
            current: None,
            seen: 0,
            waits: false,
            spare: Vec::new(),
            tally: Counters::default(),
        }
    }

    /// Which team's root this worker searches, if it leads one.
    pub fn leads(&self) -> Option<usize> {
        (self.worker == 0).then(|| self.team.number())
    }

    /// Looks for a node to join, below `ancestor` if one is given; from a look in vain on, others know that it waits.
    pub fn find_work(&mut self, ancestor: Option<&SplitPoint<M, F>>) -> Option<Arc<SplitPoint<M, F>>> {
        let found = self.team.find(ancestor);
        self.set_waits(found.is_none());
        found
    }

    /// Waits for work, or does so no longer.
    pub fn set_waits(&mut self, waits: bool) {
        if waits != self.waits {
            self.waits = waits;
            if waits {
                self.team.start_waiting();
            } else {
                self.team.end_waiting();
            }
        }
    }

    /// Joins another worker's node: a copy of its frame, and the loop to walk. `None` if it is too
    /// late. It ends with [`Ybwc::leave`]; both are told the helper's nodes.
    pub fn enter(&mut self, split: &Arc<SplitPoint<M, F>>, nodes: u64) -> Option<SplitEntry<M, F>> {
        let (frame, window, score) = split.enter()?;
        self.tally[Count::Joins] += 1;
        let from = self.current.replace(Arc::clone(split));
        let walk = YbwcLoop {
            solo: SoloLoop { window, score, best: None, offered: 0 },
            info: NodeInfo { window, depth: split.depth(), key: 0, expects_cut: split.expects_cut() },
            shareable: true,
            is_helper: true,
            early: [None; MOST_EARLY],
            split: Some(Arc::clone(split)),
            searched: None,
            root_reports: Vec::new(),
        };
        let membership = SplitMembership { split: Arc::clone(split), from, nodes, left: false };
        Some((frame, walk, membership))
    }

    /// Leaves a split point; `finished` is false for a helper stopped in a move.
    pub fn leave(&mut self, mut membership: SplitMembership<M, F>, nodes: u64, finished: bool) {
        if membership.split.is_cut_off() {
            self.tally[Count::Aborts] += 1;
            self.tally[Count::WastedNodes] += nodes - membership.nodes;
        }
        self.current = membership.from.take();
        membership.leave(finished);
    }

    fn publish(&mut self, walk: &YbwcLoop<M, F>, frame: impl FnOnce(&mut F)) -> Arc<SplitPoint<M, F>> {
        let mut split = self.spare.pop().unwrap_or_else(|| Arc::new(SplitPoint::empty()));
        if Arc::get_mut(&mut split).is_none() {
            // A helper still holds it: make another.
            split = Arc::new(SplitPoint::empty());
        }
        if let Some(unshared) = Arc::get_mut(&mut split) {
            let early = walk.early.into_iter().flatten();
            unshared.renew(self.current.clone(), &walk.info, walk.solo, early, frame);
        }
        self.current = Some(Arc::clone(&split));
        self.team.push(self.worker, Arc::clone(&split));
        self.tally[Count::SplitPoints] += 1;
        split
    }

    /// The owner's node is finished one way or another.
    fn retire(&mut self, mut split: Arc<SplitPoint<M, F>>) {
        self.team.pop(self.worker);
        self.current = split.parent().cloned();
        if let Some(unshared) = Arc::get_mut(&mut split) {
            unshared.clear_parent();
        }
        if self.spare.len() < 16 {
            self.spare.push(split);
        }
    }

    #[cold]
    fn check_ancestors(&mut self, epoch: u64) -> Result<(), Stop> {
        if self.current.as_ref().is_some_and(|split| split.is_cut_off()) {
            return Err(Stop::Sibling);
        }
        self.seen = epoch;
        Ok(())
    }
}

/// So many workers in teams of at most `largest`; the first of each leads it.
pub fn ybwc_workers<M: GameMove, F: Default + Clone>(
    workers: usize,
    largest: usize,
    settings: SplitSettings,
) -> Vec<Ybwc<M, F>> {
    ybwc_teams(even_teams(workers, largest), settings)
}

/// Workers in these teams; the first of each leads it.
pub fn ybwc_teams<M: GameMove, F: Default + Clone>(
    teams: impl Iterator<Item = Range<usize>>,
    settings: SplitSettings,
) -> Vec<Ybwc<M, F>> {
    teams
        .enumerate()
        .flat_map(|(number, members)| {
            let team = Arc::new(Team::numbered(number, members.len(), settings));
            (0..members.len()).map(move |worker| Ybwc::new(Arc::clone(&team), worker))
        })
        .collect()
}

/// What a helper gets: a copy of the owner's frame, the move loop, and its membership.
pub type SplitEntry<M, F> = (F, YbwcLoop<M, F>, SplitMembership<M, F>);

/// A helper's membership. Dropping it, as in a panic, tells the owner that the helper is gone and has left a move unsearched.
pub struct SplitMembership<M: GameMove, F> {
    split: Arc<SplitPoint<M, F>>,
    from: Option<Arc<SplitPoint<M, F>>>,
    /// The helper's nodes when it came.
    nodes: u64,
    left: bool,
}

impl<M: GameMove, F> SplitMembership<M, F> {
    fn leave(&mut self, finished: bool) {
        if !self.left {
            self.left = true;
            self.split.leave(finished);
        }
    }
}

impl<M: GameMove, F> Drop for SplitMembership<M, F> {
    fn drop(&mut self) {
        self.leave(false);
    }
}

/// A move loop that others may join.
pub struct YbwcLoop<M, F> {
    /// The loop's state while private; a recent view of it once shared.
    solo: SoloLoop<M>,
    info: NodeInfo,
    shareable: bool,
    is_helper: bool,
    early: [Option<M>; MOST_EARLY],
    split: Option<Arc<SplitPoint<M, F>>>,
    /// A move of the shared node whose result is in; told with the next claim.
    searched: Option<M>,
    /// What helpers of a node that is finished had noted.
    root_reports: Vec<RootMoveReport<M>>,
}

impl<M: GameMove, F: Default + Clone> Scheduler<M, F> for Ybwc<M, F> {
    type Loop = YbwcLoop<M, F>;

    fn reset(&mut self) {
        self.current = None;
        self.set_waits(false);
        self.seen = self.team.epoch();
        self.tally = Counters::default();
        self.team.clear(self.worker);
    }

    #[inline]
    fn open(&mut self, info: NodeInfo) -> YbwcLoop<M, F> {
        let shareable = info.depth >= self.team.settings().min_depth && self.team.size() > 1;
        YbwcLoop {
            solo: SoloLoop::new(info.window),
            info,
            shareable,
            is_helper: false,
            early: [None; MOST_EARLY],
            split: None,
            searched: None,
            root_reports: Vec::new(),
        }
    }

    #[inline]
    fn check(&mut self) -> Result<(), Stop> {
        let epoch = self.team.epoch();
        if epoch == self.seen { Ok(()) } else { self.check_ancestors(epoch) }
    }

    fn tally(&self) -> Counters {
        self.tally
    }
}

impl<M: GameMove, F: Default + Clone> YbwcLoop<M, F> {
    fn offer_shared(&mut self, mut next: impl FnMut() -> Option<M>) -> Option<(M, usize)> {
        let split = self.split.as_deref()?;
        while let Some(mv) = next() {
            match split.claim(mv, self.searched.take()) {
                Claim::Taken => {}
                Claim::Over => return None,
                Claim::Yours { number, window, score } => {
                    (self.solo.window, self.solo.score) = (window, score);
                    return Some((mv, number));
                }
            }
        }
        split.close();
        None
    }

    /// Is it time to let others join?
    fn opens(&self, team: &Team<M, F>) -> bool {
        let settings = team.settings();
        let after = match (self.info.expects_cut, self.info.window.width()) {
            (true, _) => settings.after_cut,
            (false, 1) => settings.after_all,
            (false, _) if self.solo.best.is_none() => settings.after_no_raise,
            _ => settings.after,
        };
        self.solo.offered >= after.min(MOST_EARLY)
            && (self.info.depth >= settings.open_depth || team.has_idle_worker())
    }
}

impl<M: GameMove, F: Default + Clone> MoveLoop<M, F, Ybwc<M, F>> for YbwcLoop<M, F> {
    #[inline]
    fn offer(
        &mut self,
        scheduler: &mut Ybwc<M, F>,
        mut next: impl FnMut() -> Option<M>,
        frame: impl FnOnce(&mut F),
    ) -> Option<(M, usize)> {
        if !self.shareable {
            let mv = next()?;
            self.solo.offered += 1;
            return Some((mv, self.solo.offered));
        }
        if self.split.is_none() {
            if !self.opens(&scheduler.team) {
                let mv = next()?;
                if let Some(place) = self.early.get_mut(self.solo.offered) {
                    *place = Some(mv);
                } else {
                    self.shareable = false;
                }
                self.solo.offered += 1;
                return Some((mv, self.solo.offered));
            }
            self.split = Some(scheduler.publish(self, frame));
        }
        self.offer_shared(next)
    }

    #[inline]
    fn window(&self) -> Window {
        self.solo.window
    }

    fn renewed_window(&mut self) -> Window {
        if let Some(split) = &self.split {
            (self.solo.window, self.solo.score) = split.window_and_score();
        }
        self.solo.window
    }

    #[inline]
    fn best_score(&self) -> Option<Score> {
        self.solo.score
    }

    #[inline]
    fn report(
        &mut self,
        scheduler: &mut Ybwc<M, F>,
        mv: M,
        score: Score,
        line: impl FnOnce() -> Line<M>,
    ) -> LoopUpdate {
        let Some(split) = &self.split else { return self.solo.take(mv, score) };
        self.searched = Some(mv);
        let carries = self.is_helper && self.info.window.width() > 1;
        let (update, window, best) = split.report(mv, score, carries.then_some(line));
        (self.solo.window, self.solo.score) = (window, best);
        if update == LoopUpdate::Cutoff && (self.is_helper || split.helpers() > 0) {
            scheduler.team.notify_cutoff();
        }
        update
    }

    fn settle(&mut self, scheduler: &mut Ybwc<M, F>, stop: Stop) -> Result<(), Stop> {
        let Some(split) = &self.split else { return Err(stop) };
        let decided_here = stop == Stop::Sibling
            && split.is_over()
            && !split.parent().is_some_and(|parent| parent.is_cut_off());
        if decided_here || self.is_helper {
            return if decided_here { Ok(()) } else { Err(stop) };
        }
        split.abandon();
        if split.helpers() > 0 {
            scheduler.team.notify_cutoff();
        }
        if let Some(split) = self.split.take() {
            self.root_reports = split.root_reports();
            scheduler.retire(split);
        }
        Err(stop)
    }

    fn join<H: SplitHelper<M, F, Scheduler = Ybwc<M, F>>>(
        &mut self,
        worker: &mut H,
    ) -> Result<LoopResult<M>, Stop> {
        let Some(split) = self.split.take() else {
            let SoloLoop { score, best, offered, .. } = self.solo;
            return Ok(LoopResult { score, best, offered, line: None });
        };
        split.close();
        worker.node_counter().charge(|costs| costs.offer);
        let mut waited = false;
        let result = loop {
            // In this order: once nobody else is here, how they went is known.
            let is_empty = split.helpers() == 0;
            if split.is_over() || (is_empty && !split.is_incomplete()) {
                break Ok(());
            }
            if worker.node_counter().session().control().is_stopped() {
                break Err(Stop::Clock);
            }
            if is_empty || worker.node_counter().is_overtaken() {
                break Err(Stop::Sibling);
            }
            if split.parent().is_some_and(|parent| parent.is_cut_off()) {
                break Err(Stop::Sibling);
            }
            if !waited {
                waited = true;
                worker.scheduler().tally[Count::Waits] += 1;
            }
            match worker.scheduler().find_work(Some(&split)) {
                Some(other) => worker.assist(&other),
                None => worker.node_counter().wait_idle(),
            }
        };
        worker.node_counter().end_wait();
        let scheduler = worker.scheduler();
        scheduler.set_waits(false);
        if result.is_err() {
            split.abandon();
            scheduler.team.notify_cutoff();
        }
        self.root_reports = split.root_reports();
        let found = result.map(|()| split.found());
        scheduler.retire(split);
        worker.collect_counts();
        found
    }

    fn searched(&self) -> Option<Vec<M>> {
        self.split.as_ref().map(|split| split.searched())
    }

    #[inline]
    fn counted(&self, own: usize) -> usize {
        self.split.as_ref().map_or(own, |split| split.counted(own))
    }

    #[inline]
    fn count(&self, more: usize) {
        if let Some(split) = &self.split {
            split.count(more);
        }
    }

    fn is_helper(&self) -> bool {
        self.is_helper
    }

    fn report_root_move(&mut self, report: RootMoveReport<M>) {
        if let Some(split) = &self.split {
            split.report_root_move(report);
        }
    }

    fn root_reports(&mut self) -> Vec<RootMoveReport<M>> {
        match &self.split {
            Some(split) => split.root_reports(),
            None => std::mem::take(&mut self.root_reports),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::team::SplitSettings;
    use super::*;
    use crate::depth::Depth;

    fn info(depth: i32) -> NodeInfo {
        NodeInfo { window: Window::FULL, depth: Depth::new(depth), key: 0, expects_cut: false }
    }

    /// Searches one move of a node; `None` if none is left.
    fn step(
        walk: &mut YbwcLoop<u8, u8>,
        worker: &mut Ybwc<u8, u8>,
        moves: &mut impl Iterator<Item = u8>,
    ) -> Option<LoopUpdate> {
        let (mv, _) = walk.offer(worker, || moves.next(), |frame| *frame = 7)?;
        Some(walk.report(worker, mv, Score::centipawns(0), Line::default))
    }

    #[test]
    fn a_shallow_node_is_opened_only_while_somebody_waits() {
        let settings = SplitSettings { min_depth: 3, open_depth: 6, ..SplitSettings::DEFAULT };
        let team = Arc::new(Team::new(2, settings));
        let mut owner: Ybwc<u8, u8> = Ybwc::new(Arc::clone(&team), 0);
        let mut helper: Ybwc<u8, u8> = Ybwc::new(Arc::clone(&team), 1);

        let mut moves = 1..20;
        let mut walk = owner.open(info(5));
        for _ in 0..3 {
            step(&mut walk, &mut owner, &mut moves).unwrap();
        }
        assert!(team.find(None).is_none(), "nobody waits");
        assert!(helper.find_work(None).is_none());
        assert!(team.find(None).is_none(), "it is opened at the next move, not before");
        step(&mut walk, &mut owner, &mut moves).unwrap();
        let found = helper.find_work(None).unwrap();
        assert_eq!((found.depth(), found.claims()), (Depth::new(5), 4), "with every move taken so far");
        assert!(!team.has_idle_worker());
        assert_eq!(walk.settle(&mut owner, Stop::Clock), Err(Stop::Clock));

        let mut walk = owner.open(info(6));
        step(&mut walk, &mut owner, &mut moves).unwrap();
        assert!(team.find(None).is_none(), "the first move is searched alone");
        step(&mut walk, &mut owner, &mut moves).unwrap();
        assert!(team.find(None).is_some(), "a deep node is open to whoever comes");
    }

    #[test]
    fn alpha_raised_by_the_owner_reaches_a_helper_at_work() {
        let team =
            Arc::new(Team::new(2, SplitSettings { min_depth: 3, open_depth: 3, ..SplitSettings::DEFAULT }));
        let mut owner: Ybwc<u8, u8> = Ybwc::new(Arc::clone(&team), 0);
        let mut helper: Ybwc<u8, u8> = Ybwc::new(Arc::clone(&team), 1);
        let mut moves = 1..20;
        let mut walk = owner.open(info(5));
        step(&mut walk, &mut owner, &mut moves).unwrap();
        let (second, _) = walk.offer(&mut owner, || moves.next(), |frame| *frame = 7).unwrap();
        let split = helper.find_work(None).unwrap();
        let (_, mut visit, _membership) = helper.enter(&split, 0).unwrap();
        visit.offer(&mut helper, || Some(9), |_| {}).unwrap();
        walk.report(&mut owner, second, Score::centipawns(30), Line::default);
        assert_eq!(visit.window().alpha(), Score::centipawns(0), "as it was when the move was taken");
        assert_eq!(visit.renewed_window().alpha(), Score::centipawns(30));
        assert_eq!(visit.best_score(), Some(Score::centipawns(30)));
        assert_eq!(visit.searched(), Some(vec![]), "told with the next claim");
        walk.offer(&mut owner, || moves.next(), |_| {}).unwrap();
        assert_eq!(visit.searched(), Some(vec![second]));
    }

    #[test]
    fn a_node_that_is_nearly_done_is_not_opened_any_more() {
        let settings = SplitSettings { min_depth: 3, open_depth: 6, ..SplitSettings::DEFAULT };
        let team = Arc::new(Team::new(2, settings));
        let mut owner: Ybwc<u8, u8> = Ybwc::new(Arc::clone(&team), 0);
        let mut helper: Ybwc<u8, u8> = Ybwc::new(Arc::clone(&team), 1);
        let mut moves = 1..40;
        let mut walk = owner.open(info(4));
        for _ in 0..=MOST_EARLY {
            step(&mut walk, &mut owner, &mut moves).unwrap();
        }
        assert!(helper.find_work(None).is_none());
        step(&mut walk, &mut owner, &mut moves).unwrap();
        assert!(team.find(None).is_none());
    }
}

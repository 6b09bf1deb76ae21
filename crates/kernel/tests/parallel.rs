//! The schedulers on a toy game whose every value a plain minimax can confirm, under many orders of
//! events: virtual time makes each of them repeatable by its seed.
#![cfg(not(loom))]
#![allow(clippy::unwrap_used)]

use common::{Random, mix};
use kernel::clock::ManualClock;
use kernel::counters::Count;
use kernel::driver::Plan;
use kernel::exchange::{BatchSettings, NetworkSettings, Rank, VirtualNetwork, VirtualRank};
use kernel::sched::virtual_time::Backend;
use kernel::sched::{
    Abdada, CurrentlySearching, LoopUpdate, MoveLoop, NodeInfo, Parallel, ParallelWorker, RankWorkers, Ranks,
    RootMoveReport, Scheduler, Solo, SplitHelper, SplitPoint, SplitSettings, ThreadPool, Timeline,
    VirtualSettings, Ybwc, even_teams, help_ybwc, parallel_search, search_root_as_helper, ybwc_teams,
    ybwc_workers,
};
use kernel::time::TimeSettings;
use kernel::{
    Clock, Control, Depth, Event, Limits, Line, NodeCounter, Outcome, RootMoves, Score, SearchSession,
    Searcher, SharedProgress, Stop, Window,
};
use std::num::NonZeroU16;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

type Move = NonZeroU16;

fn child(position: u64, mv: Move) -> u64 {
    Random::nth(position, u64::from(mv.get()) - 1)
}

fn moves(position: u64) -> impl Iterator<Item = Move> {
    (1..=(1 + mix(position) % 5) as u16).filter_map(Move::new)
}

fn value(position: u64) -> Score {
    Score::centipawns((mix(position ^ 0xabcd) % 401) as i32 - 200)
}

fn minimax(position: u64, depth: i32) -> Score {
    if depth == 0 {
        return value(position);
    }
    moves(position).map(|mv| -minimax(child(position, mv), depth - 1)).max().unwrap()
}

/// What a helper needs of a toy node.
#[derive(Clone, Default)]
struct NodeSnapshot {
    position: u64,
    depth: i32,
    ply: usize,
    open: Vec<Move>,
}

struct Toy<S> {
    position: u64,
    root_moves: RootMoves<Move>,
    node_counter: NodeCounter,
    lines: Vec<Line<Move>>,
    scheduler: S,
    /// Fails when it has searched so many nodes.
    panics_at: u64,
    /// Comes back only when it is let go.
    held: Option<Hold>,
}

/// Holds a worker back until the search has given out its move.
struct Hold {
    released: Receiver<()>,
    in_vain: Arc<AtomicBool>,
}

/// Far above what a loaded machine needs.
const PATIENCE: Duration = Duration::from_secs(20);

/// How each scheduler helps.
trait Way: Scheduler<Move, NodeSnapshot> + Send + Sized + 'static {
    fn help(
        toy: &mut Toy<Self>,
        plan: &Plan,
        shared_progress: &SharedProgress<Move>,
    ) -> Option<Outcome<Move>> {
        let number = toy.node_counter.worker();
        Some(search_root_as_helper(toy, number, plan, shared_progress))
    }
    fn assist(_: &mut Toy<Self>, _: &Arc<SplitPoint<Move, NodeSnapshot>>) {}
}

impl Way for Solo {}
impl Way for Abdada<Move> {}

impl Way for Ybwc<Move, NodeSnapshot> {
    fn help(
        toy: &mut Toy<Self>,
        plan: &Plan,
        shared_progress: &SharedProgress<Move>,
    ) -> Option<Outcome<Move>> {
        help_ybwc(toy, plan, shared_progress)
    }

    fn assist(toy: &mut Toy<Self>, split: &Arc<SplitPoint<Move, NodeSnapshot>>) {
        let Some((visit, mut walk, membership)) = toy.scheduler.enter(split, toy.node_counter.nodes()) else {
            return toy.node_counter.wait_idle();
        };
        toy.node_counter.end_wait();
        let walked = toy.walk(visit.position, Depth::new(visit.depth), visit.ply, &visit.open, &mut walk);
        toy.scheduler.leave(membership, toy.node_counter.nodes(), walked.is_ok());
    }
}

impl<S: Way> Toy<S> {
    fn node(&mut self, position: u64, window: Window, depth: Depth, ply: usize) -> Result<Score, Stop> {
        self.node_counter.tick()?;
        assert!(self.node_counter.nodes() < self.panics_at, "a worker fails on purpose");
        self.scheduler.check()?;
        self.lines[ply].clear();
        if depth <= 0 {
            return Ok(value(position));
        }
        let list: Vec<Move> = if ply == 0 {
            (0..).map_while(|index| self.root_moves.open_move(index)).collect()
        } else {
            moves(position).collect()
        };
        let info = NodeInfo { window, depth, key: position, expects_cut: false };
        let mut walk = self.scheduler.open(info);
        if let Err(stop) = self.walk(position, depth, ply, &list, &mut walk) {
            let settled = walk.settle(&mut self.scheduler, stop);
            self.take_notes(ply, &mut walk);
            settled?;
        }
        let joined = walk.join(self);
        self.take_notes(ply, &mut walk);
        let found = joined?;
        if let Some(line) = found.line {
            self.lines[ply] = *line;
        }
        Ok(found.score.unwrap())
    }

    fn walk(
        &mut self,
        position: u64,
        depth: Depth,
        ply: usize,
        list: &[Move],
        walk: &mut impl MoveLoop<Move, NodeSnapshot, S>,
    ) -> Result<(), Stop> {
        let mut source = list.iter().copied();
        while let Some((mv, _)) = walk.offer(
            &mut self.scheduler,
            || source.next(),
            |visit| *visit = NodeSnapshot { position, depth: depth.plies(), ply, open: list.to_vec() },
        ) {
            let before = self.node_counter.nodes();
            let score = -self.node(child(position, mv), -walk.window(), depth - 1, ply + 1)?;
            let rest = self.lines[ply + 1];
            let whole = || {
                let mut line = Line::default();
                line.prepend(mv, &rest);
                line
            };
            let update = walk.report(&mut self.scheduler, mv, score, whole);
            let is_best = matches!(update, LoopUpdate::Raised | LoopUpdate::Cutoff);
            if is_best {
                self.lines[ply] = whole();
            }
            if ply == 0 {
                let nodes = self.node_counter.nodes() - before;
                if walk.is_helper() {
                    walk.report_root_move(RootMoveReport {
                        mv,
                        nodes,
                        found: is_best.then_some((score, ply, rest)),
                    });
                } else {
                    self.root_moves.record(mv, nodes, is_best.then_some((score, ply, &rest)));
                }
            }
            if update == LoopUpdate::Cutoff {
                break;
            }
        }
        Ok(())
    }

    fn take_notes(&mut self, ply: usize, walk: &mut impl MoveLoop<Move, NodeSnapshot, S>) {
        if ply == 0 {
            for note in walk.root_reports() {
                let found = note.found.as_ref().map(|(score, deepest, line)| (*score, *deepest, line));
                self.root_moves.record(note.mv, note.nodes, found);
            }
        }
    }
}

impl<S: Way> Searcher for Toy<S> {
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
        self.node(self.position, window, depth, 0)
    }

    fn static_evaluation(&mut self) -> Score {
        value(self.position)
    }

    fn root_move_eval(&mut self, mv: Move) -> Score {
        -value(child(self.position, mv))
    }

    fn permille_used(&self) -> u32 {
        0
    }
}

impl<S: Way> SplitHelper<Move, NodeSnapshot> for Toy<S> {
    type Scheduler = S;

    fn scheduler(&mut self) -> &mut S {
        &mut self.scheduler
    }

    fn node_counter(&mut self) -> &mut NodeCounter {
        &mut self.node_counter
    }

    fn assist(&mut self, split: &Arc<SplitPoint<Move, NodeSnapshot>>) {
        S::assist(self, split);
    }
}

impl<S: Way> ParallelWorker for Toy<S> {
    fn node_counter_mut(&mut self) -> &mut NodeCounter {
        &mut self.node_counter
    }

    fn help(&mut self, plan: &Plan, shared_progress: &SharedProgress<Move>) -> Option<Outcome<Move>> {
        S::help(self, plan, shared_progress)
    }

    fn close(&mut self) {
        self.node_counter.publish();
        if let Some(hold) = self.held.take()
            && hold.released.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout)
        {
            hold.in_vain.store(true, Ordering::Relaxed);
        }
    }
}

/// One search of a toy position.
#[derive(Clone, Copy)]
struct Case {
    position: u64,
    depth: i32,
    way: Parallel,
    workers: usize,
    /// `None` for real threads.
    virtual_time: Option<(u64, u64, Backend)>,
    panics_at: u64,
    /// The second worker comes back only after the move.
    holds: bool,
    /// Ranks of a virtual cluster, and the latency between them in microseconds.
    ranks: usize,
    latency: u64,
}

#[derive(Debug, PartialEq)]
struct Seen {
    best: Option<Move>,
    score: Score,
    depth: i32,
    line: Vec<Move>,
    nodes: u64,
    takes: u64,
    /// Depths and scores, as they were told.
    told: Vec<(i32, Score)>,
    /// Workers that came back.
    left: usize,
    finished: bool,
    /// The moves given out, and whether a helper was waited for before.
    answers: usize,
    held_in_vain: bool,
}

fn search(case: Case, control: &Arc<Control>, limits: Limits) -> Seen {
    let split = SplitSettings { min_depth: 1, ..SplitSettings::DEFAULT };
    let workers = case.workers;
    match case.way {
        Parallel::Lazy => search_by(case, control, limits, vec![Solo; workers]),
        Parallel::Ybwc => search_by(case, control, limits, ybwc_teams(rank_sizes(case), split)),
        Parallel::Teams => search_by(case, control, limits, ybwc_workers(workers, 3, split)),
        Parallel::Abdada => {
            let marks = Arc::new(CurrentlySearching::new(1));
            search_by(case, control, limits, (0..workers).map(|_| Abdada::new(Arc::clone(&marks))).collect())
        }
    }
}

fn rank_sizes(case: Case) -> impl Iterator<Item = Range<usize>> {
    even_teams(case.workers, case.workers.div_ceil(case.ranks))
}

/// The ranks of a case. The toy has no table: they tell each other finished iterations.
fn ranks(case: Case) -> Ranks<Move> {
    if case.ranks == 1 {
        return Ranks::default();
    }
    let settings = NetworkSettings { latency: Duration::from_micros(case.latency), bandwidth: 1_000_000 };
    let network = Arc::new(VirtualNetwork::new(settings, rank_sizes(case).count()));
    let rank = |(number, workers): (usize, Range<usize>)| {
        let progress = Arc::new(SharedProgress::default());
        let root_moves = moves(case.position).collect();
        let rank =
            Rank::new(BatchSettings::DEFAULT, workers.len(), Arc::clone(&progress), root_moves, |_, _| {});
        let exchange = VirtualRank { rank, number, network: Arc::clone(&network) };
        RankWorkers { workers, progress, exchange: Some(Arc::new(exchange)) }
    };
    Ranks::several(rank_sizes(case).enumerate().map(rank).collect())
}

fn search_by<S: Way>(case: Case, control: &Arc<Control>, limits: Limits, schedulers: Vec<S>) -> Seen {
    let mut thread_pool = ThreadPool::new(false);
    let timeline = case.virtual_time.map(|(quantum, seed, backend)| {
        let settings =
            VirtualSettings { workers: case.workers, quantum, seed, backend, ..Default::default() };
        Arc::new(Timeline::new(settings))
    });
    let clock: Arc<dyn Clock> = if let Some(timeline) = &timeline {
        Arc::clone(timeline) as Arc<dyn Clock>
    } else {
        thread_pool.resize(case.workers - 1).unwrap();
        Arc::new(ManualClock::new())
    };
    let session = Arc::new(SearchSession::begin(
        Arc::clone(control),
        clock,
        limits,
        TimeSettings::default(),
        case.workers,
    ));
    let (release, released) = channel();
    let in_vain = Arc::new(AtomicBool::new(false));
    let mut hold = case.holds.then_some(Hold { released, in_vain: Arc::clone(&in_vain) });
    let mut workers: Vec<Box<Toy<S>>> = schedulers
        .into_iter()
        .enumerate()
        .map(|(number, scheduler)| {
            Box::new(Toy {
                position: case.position,
                root_moves: RootMoves::new(moves(case.position)),
                node_counter: NodeCounter::new(Arc::clone(&session), number),
                lines: vec![Line::default(); kernel::MAX_PLY + 1],
                scheduler,
                panics_at: if number == 1 { case.panics_at } else { u64::MAX },
                held: if number == 1 { hold.take() } else { None },
            })
        })
        .collect();
    let plan = Plan { aspiration: Some(30), ..Plan::default() };
    let mut told = Vec::new();
    let mut answers = 0;
    let mut sink = |event: Event<'_, Move>| match event {
        Event::Info(info) => told.push((info.depth.plies(), info.score)),
        Event::Failed => {}
        Event::Best { .. } => {
            answers += 1;
            // Nobody may be there to be let go.
            let _ = release.send(());
        }
    };
    let ranks = ranks(case);
    let (pool, timeline) = (&mut thread_pool, timeline.as_ref());
    let end = parallel_search(&mut workers, &plan, pool, timeline, &ranks, &mut sink).unwrap();
    let outcome = end.outcome;
    Seen {
        best: outcome.best,
        score: outcome.score,
        depth: outcome.depth.plies(),
        line: outcome.line.iter().collect(),
        nodes: session.nodes(),
        takes: workers.iter().map(|worker| worker.scheduler.tally()[Count::Joins]).sum(),
        told,
        left: workers.len(),
        finished: outcome.depth == case.depth,
        answers,
        held_in_vain: in_vain.load(Ordering::Relaxed),
    }
}

fn plain(case: Case) -> Seen {
    search(case, &Arc::new(Control::new()), Limits::depth(case.depth))
}

fn case(position: u64, way: Parallel, workers: usize) -> Case {
    let depth = 7 + (position % 3) as i32;
    let virtual_time = Some((3, position, Backend::Fibers));
    let (ranks, latency) = (1, 0);
    Case { position, depth, way, workers, virtual_time, panics_at: u64::MAX, holds: false, ranks, latency }
}

/// The line must lead to a position whose value is the score.
fn assert_exact(case: Case, seen: &Seen) {
    let expected = minimax(case.position, case.depth);
    let told = format!("{} with {} workers at {}", case.way, case.workers, case.position);
    assert!(seen.finished, "{told}: {seen:?}");
    assert_eq!(seen.score, expected, "{told}");
    let mut position = case.position;
    for &mv in &seen.line {
        position = child(position, mv);
    }
    assert_eq!(seen.line.len() as i32, case.depth, "{told}");
    let sign = if case.depth % 2 == 0 { value(position) } else { -value(position) };
    assert_eq!(sign, expected, "{told}");
}

#[test]
fn every_scheduler_finds_the_minimax_value_in_every_order_of_events() {
    let mut takes = 0;
    for position in 1..120_u64 {
        for way in Parallel::ALL {
            let workers = 2 + (position % 8) as usize;
            let quantum = [1, 2, 5, 17, 100][(position % 5) as usize];
            let case = Case {
                virtual_time: Some((quantum, position * 31, Backend::Fibers)),
                ..case(position, way, workers)
            };
            let seen = plain(case);
            assert_exact(case, &seen);
            takes += seen.takes;
        }
    }
    assert!(takes > 1000, "nodes were shared {takes} times");
}

#[test]
fn a_virtual_cluster_finds_the_minimax_value_and_repeats_itself() {
    for position in 1..60_u64 {
        for way in [Parallel::Lazy, Parallel::Ybwc, Parallel::Abdada] {
            let workers = 4 + (position % 9) as usize;
            let ranks = 2 + (position % 3) as usize;
            let latency = [0, 10, 1000, 100_000][(position % 4) as usize];
            let case = Case { ranks, latency, ..case(position, way, workers) };
            let seen = plain(case);
            assert_exact(case, &seen);
            assert_eq!(seen, plain(case));
        }
    }
}

#[test]
fn real_threads_find_the_minimax_value_too() {
    for position in 1..40_u64 {
        for way in Parallel::ALL {
            let case = Case { virtual_time: None, ..case(position, way, 4) };
            assert_exact(case, &plain(case));
        }
    }
}

#[test]
fn the_move_is_given_out_before_a_slow_helper_is_back() {
    for way in Parallel::ALL {
        let case = Case { virtual_time: None, holds: true, ..case(5, way, 3) };
        let seen = plain(case);
        assert!(!seen.held_in_vain, "{way}: the move waited for the helper");
        assert_eq!((seen.answers, seen.left), (1, 3), "{way}");
        assert_exact(case, &seen);
    }
}

#[test]
fn one_virtual_worker_searches_what_a_real_one_does() {
    for position in 1..20 {
        for way in Parallel::ALL {
            let alone = case(position, way, 1);
            assert_eq!(plain(alone), plain(Case { virtual_time: None, ..alone }));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_search_on_fibers_and_with_the_token() {
    for way in Parallel::ALL {
        let mut differs = false;
        for position in 1..8 {
            let with = |seed, backend| {
                plain(Case { virtual_time: Some((4, seed, backend)), ..case(position, way, 5) })
            };
            let first = with(1, Backend::Fibers);
            assert_eq!(first, with(1, Backend::Fibers));
            assert_eq!(first, with(1, Backend::Token));
            differs |= first != with(2, Backend::Fibers);
        }
        assert!(differs, "{way}: another seed is another order of events");
    }
}

#[test]
fn hundreds_of_workers_are_no_trouble() {
    for way in Parallel::ALL {
        let case = case(5, way, 256);
        assert_exact(case, &plain(case));
    }
}

#[test]
fn a_worker_that_fails_ends_the_search_and_nothing_hangs() {
    for way in Parallel::ALL {
        for virtual_time in [None, Some((3, 1, Backend::Fibers)), Some((3, 1, Backend::Token))] {
            let case = Case { virtual_time, panics_at: 200, depth: 12, ..case(4, way, 4) };
            let seen = plain(case);
            assert!(seen.best.is_some_and(|best| moves(case.position).any(|mv| mv == best)));
            // Real threads may be done before the helper has had its fatal node.
            let whole = seen.left == 4 && virtual_time.is_none() && seen.finished;
            assert!(whole || seen.left == 3, "{way}: the one that failed is missing, the others are back");
        }
    }
}

#[test]
fn orders_to_stop_at_any_moment_are_obeyed() {
    for way in Parallel::ALL {
        for nodes in [0, 1, 2, 50, 333, 1000, 5000] {
            for virtual_time in [None, Some((7, nodes, Backend::Fibers))] {
                let case = Case { virtual_time, ..case(nodes + 2, way, 4) };
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let seen = search(case, &Arc::new(Control::new()), limits);
                assert!(seen.best.is_some());
            }
        }
    }
}

/// A worker that was called away from a move it had taken leaves the node without it: whoever goes on must know.
#[test]
fn an_iteration_told_as_finished_is_finished_although_the_search_is_stopped() {
    let mut told = 0;
    for nodes in (300..6000).step_by(7) {
        for way in Parallel::ALL {
            let case = Case { virtual_time: Some((3, nodes, Backend::Fibers)), ..case(nodes % 50, way, 5) };
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let seen = search(case, &Arc::new(Control::new()), limits);
            // What is told of a depth later may be a better move, found on the way to the next.
            let first = seen.told.chunk_by(|one, other| one.0 == other.0).map(|chunk| chunk[0]);
            for (depth, score) in first.filter(|(depth, _)| *depth > 4) {
                told += 1;
                let expected = minimax(case.position, depth);
                assert_eq!(score, expected, "{way}: depth {depth} of {} in {nodes} nodes", case.position);
            }
        }
    }
    assert!(told > 1000, "{told}");
}

#[test]
fn a_storm_of_stops_from_another_thread() {
    let control = Arc::new(Control::new());
    for round in 0..200 {
        let way = Parallel::ALL[round % Parallel::ALL.len()];
        let done = Arc::new(AtomicBool::new(false));
        let (stopper, is_done) = (Arc::clone(&control), Arc::clone(&done));
        let pause = Duration::from_micros(37 * (round as u64 % 40));
        let thread = std::thread::spawn(move || {
            std::thread::sleep(pause);
            // A new search forgets old orders, so one stop might come too early to count.
            while !is_done.load(Ordering::Relaxed) {
                stopper.stop();
                std::thread::sleep(Duration::from_micros(200));
            }
        });
        let case = Case { virtual_time: None, depth: 200, ..case(round as u64 + 9, way, 3) };
        let seen = search(case, &control, Limits { infinite: true, ..Limits::default() });
        assert!(seen.best.is_some());
        done.store(true, Ordering::Relaxed);
        thread.join().unwrap();
    }
}

//! The driver on a toy game whose every value a plain minimax can confirm: a random tree in which
//! each position is a number and each leaf's value is drawn from it.
#![allow(clippy::unwrap_used)]

use common::{Random, mix};
use kernel::clock::ManualClock;
use kernel::driver::{Plan, conclude, iterate};
use kernel::sched::{LoopUpdate, MoveLoop, NodeInfo, Scheduler, Solo, SplitHelper, SplitPoint};
use kernel::time::TimeSettings;
use kernel::{
    Bound, Control, Depth, Event, Limits, Line, NodeCounter, Role, RootMoves, Score, SearchSession, Searcher,
    Stop, Window,
};
use std::sync::Arc;
use std::time::Duration;

type Move = std::num::NonZeroU16;

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

struct Toy {
    position: u64,
    root_moves: RootMoves<Move>,
    node_counter: NodeCounter,
    lines: Vec<Line<Move>>,
    scheduler: Solo,
}

impl Toy {
    fn new(position: u64, limits: Limits) -> Self {
        Self::with_control(position, limits, Arc::new(Control::new()))
    }

    fn with_control(position: u64, limits: Limits, control: Arc<Control>) -> Self {
        let clock = Arc::new(ManualClock::new());
        let session = SearchSession::begin(control, clock, limits, TimeSettings::default(), 1);
        Self {
            position,
            root_moves: RootMoves::new(moves(position)),
            node_counter: NodeCounter::new(Arc::new(session), 0),
            lines: vec![Line::default(); kernel::MAX_PLY + 1],
            scheduler: Solo,
        }
    }

    fn node(&mut self, position: u64, window: Window, depth: Depth, ply: usize) -> Result<Score, Stop> {
        self.node_counter.tick()?;
        self.lines[ply].clear();
        if depth <= 0 {
            return Ok(value(position));
        }
        let mut source: Box<dyn Iterator<Item = Move>> = if ply == 0 {
            let open: Vec<Move> = (0..).map_while(|index| self.root_moves.open_move(index)).collect();
            Box::new(open.into_iter())
        } else {
            Box::new(moves(position))
        };
        let info = NodeInfo { window, depth, key: position, expects_cut: false };
        let mut walk = Scheduler::<Move, ()>::open(&mut self.scheduler, info);
        while let Some((mv, _)) =
            MoveLoop::<Move, (), _>::offer(&mut walk, &mut self.scheduler, || source.next(), |()| ())
        {
            let before = self.node_counter.nodes();
            let window = MoveLoop::<Move, (), _>::window(&walk);
            let score = -self.node(child(position, mv), -window, depth - 1, ply + 1)?;
            let update =
                MoveLoop::<Move, (), _>::report(&mut walk, &mut self.scheduler, mv, score, Line::default);
            let is_new_best = matches!(update, LoopUpdate::Raised | LoopUpdate::Cutoff);
            if is_new_best {
                let rest = self.lines[ply + 1];
                self.lines[ply].prepend(mv, &rest);
            }
            if ply == 0 {
                let rest = self.lines[1];
                let found = is_new_best.then_some((score, ply, &rest));
                self.root_moves.record(mv, self.node_counter.nodes() - before, found);
            }
            if update == LoopUpdate::Cutoff {
                break;
            }
        }
        Ok(MoveLoop::<Move, (), _>::join(&mut walk, self)?.score.unwrap())
    }
}

impl SplitHelper<Move, ()> for Toy {
    type Scheduler = Solo;

    fn scheduler(&mut self) -> &mut Solo {
        &mut self.scheduler
    }

    fn node_counter(&mut self) -> &mut NodeCounter {
        &mut self.node_counter
    }

    fn assist(&mut self, _: &Arc<SplitPoint<Move, ()>>) {}
}

impl Searcher for Toy {
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

#[derive(Debug, Clone, PartialEq)]
enum Seen {
    Info { depth: i32, rank: usize, score: Score, first: Option<Move>, exact: bool, length: usize },
    Failed,
    Best(Option<Move>, Option<Move>),
}

fn run(toy: &mut Toy, plan: &Plan) -> Vec<Seen> {
    let mut seen = Vec::new();
    let mut sink = |event: Event<'_, Move>| {
        seen.push(match event {
            Event::Info(info) => Seen::Info {
                depth: info.depth.plies(),
                rank: info.rank,
                score: info.score,
                first: info.line.get(0),
                exact: info.bound == Bound::Exact,
                length: info.line.len(),
            },
            Event::Failed => Seen::Failed,
            Event::Best { best, ponder } => Seen::Best(best, ponder),
        });
    };
    let outcome = iterate(toy, plan, Role::Main, None, &mut sink);
    conclude(&outcome, &mut sink);
    seen
}

#[test]
fn every_iteration_reports_the_minimax_value() {
    for seed in 1..60_u64 {
        for aspiration in [None, Some(5), Some(30)] {
            let mut toy = Toy::new(mix(seed), Limits::depth(6));
            let seen = run(&mut toy, &Plan { aspiration, ..Plan::default() });
            for depth in 1..=6 {
                let expected = minimax(mix(seed), depth);
                let line = seen.iter().find_map(|event| match event {
                    Seen::Info { depth: at, score, exact: true, length, .. } if *at == depth => {
                        Some((*score, *length))
                    }
                    _ => None,
                });
                assert_eq!(line, Some((expected, depth as usize)), "seed {seed}, depth {depth}");
            }
            assert!(matches!(seen.last(), Some(Seen::Best(Some(_), Some(_)))));
        }
    }
}

#[test]
fn several_lines_are_the_best_root_moves_in_order() {
    for seed in 1..40_u64 {
        let position = mix(seed * 77);
        let mut values: Vec<Score> = moves(position).map(|mv| -minimax(child(position, mv), 4)).collect();
        values.sort_by_key(|&score| std::cmp::Reverse(score));
        let mut toy = Toy::new(position, Limits::depth(5));
        let seen = run(&mut toy, &Plan { lines: 3, ..Plan::default() });
        let last: Vec<Score> = seen
            .iter()
            .filter_map(|event| match event {
                Seen::Info { depth: 5, score, .. } => Some(*score),
                _ => None,
            })
            .collect();
        assert_eq!(last, values[..values.len().min(3)], "seed {seed}");
    }
}

#[test]
fn the_last_report_names_the_move_that_is_played() {
    let mut bounds = 0;
    for nodes in [1, 2, 5, 40, 333, 2000] {
        for seed in 1..40_u64 {
            let mut toy = Toy::new(mix(seed), Limits::nodes(nodes));
            let seen = run(&mut toy, &Plan::default());
            assert!(toy.node_counter.nodes() <= nodes);
            let Some(Seen::Best(Some(best), _)) = seen.last().cloned() else { panic!("no move") };
            let Some(Seen::Info { first, exact, .. }) = seen.iter().rev().nth(1) else { panic!("no report") };
            // The root, and a node for each move: what an iteration needs at least.
            let is_finished = nodes > moves(mix(seed)).count() as u64;
            assert_eq!(*first, Some(best), "nodes {nodes}, seed {seed}: {seen:?}");
            if *exact != is_finished {
                // A window failed high and the next one was interrupted: a bound after what was finished.
                let finished = seen.iter().any(|event| matches!(event, Seen::Info { exact: true, .. }));
                assert!(!exact && finished, "nodes {nodes}, seed {seed}: {seen:?}");
                bounds += 1;
            }
        }
    }
    assert!((1..60).contains(&bounds), "few searches end right after a window that failed high: {bounds}");
}

#[test]
fn without_deepening_only_the_last_depth_is_searched() {
    let mut toy = Toy::new(5, Limits::depth(4));
    let seen = run(&mut toy, &Plan { deepen: false, ..Plan::default() });
    assert_eq!(seen.len(), 2);
    assert!(matches!(seen[0], Seen::Info { depth: 4, score, .. } if score == minimax(5, 4)));
}

#[test]
fn no_legal_move_is_reported_as_none() {
    let mut toy = Toy::new(5, Limits::depth(4));
    toy.root_moves = RootMoves::new([]);
    let seen = run(&mut toy, &Plan::default());
    assert!(matches!(seen[0], Seen::Info { depth: 0, length: 0, .. }));
    assert_eq!(seen[1], Seen::Best(None, None));
}

#[test]
fn an_infinite_search_that_has_run_out_of_depth_waits_for_stop() {
    let control = Arc::new(Control::new());
    let limits = Limits { depth: Some(Depth::new(2)), infinite: true, ..Limits::default() };
    let mut toy = Toy::with_control(9, limits, Arc::clone(&control));
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let seen = run(&mut toy, &Plan::default());
            done.store(true, std::sync::atomic::Ordering::Relaxed);
            seen
        });
        std::thread::sleep(Duration::from_millis(30));
        assert!(!done.load(std::sync::atomic::Ordering::Relaxed), "a result came before stop");
        control.stop();
        let seen = worker.join().unwrap();
        assert_eq!(seen.iter().filter(|event| matches!(event, Seen::Best(..))).count(), 1);
    });
}

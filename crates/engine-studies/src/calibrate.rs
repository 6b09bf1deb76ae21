//! What things cost on this machine, in the units of virtual time: nodes by searching, sharing a node by
//! doing it many times, joining and abandoning one between two threads.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use chess::{Game, Position};
use kernel::clock::ManualClock;
use kernel::counters::Count;
use kernel::sched::pace::Costs;
use kernel::sched::{MoveLoop, NodeInfo, Scheduler, SplitSettings, Team, Ybwc};
use kernel::{Depth, Limits, Release, Score, Stop, Window};
use search::{BENCH_POSITIONS, SearchPool};

use experiment::session::Session;
use stats::summary::median;

/// A frame of about the size of what a chess node hands to its guests.
const FRAME_WORDS: usize = 150;
/// What a quiescence node costs beside another. Taken and not measured: the two come in nearly the same proportion in every
/// position and at every depth (a third to a half), so time does not tell them apart, and for the same reason it hardly
/// matters.
const QUIESCENCE: f64 = Costs::CALIBRATED.quiescence as f64 / Costs::CALIBRATED.node as f64;
/// A node is sixteen units, whatever it costs.
const UNITS: f64 = 16.0;

type Frame = Vec<u64>;

/// Times in nanoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    pub node: f64,
    pub quiescence: f64,
    pub offer: f64,
    pub join: f64,
    pub abort: f64,
    pub poll: f64,
}

/// Measures. Searches go to `depth`; handshakes between threads are repeated `rounds` times, and their medians taken.
pub fn measure(depth: i32, rounds: usize, session: &mut Session<'_>) -> Result<Calibration, String> {
    session.say(&format!("searching {} positions to depth {depth}", BENCH_POSITIONS.len()));
    let mut pool =
        SearchPool::new(Release, 16, Arc::new(ManualClock::new())).map_err(|error| error.to_string())?;
    // Once in vain: the first search pays for memory that the others find ready.
    sample(&mut pool, BENCH_POSITIONS[0], depth)?;
    let (mut weighted, mut time) = (0.0, 0.0);
    for fen in BENCH_POSITIONS {
        if session.stop.is_raised() {
            return Err("stopped".to_owned());
        }
        let [nodes, quiescence, spent] = sample(&mut pool, fen, depth)?;
        weighted += nodes + QUIESCENCE * quiescence;
        time += spent;
    }
    if time <= 0.0 || weighted <= 0.0 {
        return Err("the searches were too short to be timed; try a greater --depth".to_owned());
    }
    let node = time / weighted;
    session.say("sharing nodes");
    let (offer, poll) = (offering(), polling());
    session.say("joining and leaving nodes, with two threads");
    let (join, notice) = handshakes(rounds)?;
    // A worker looks up once a node, so on average half of one passes before it can notice.
    Ok(Calibration { node, quiescence: QUIESCENCE * node, offer, join, abort: notice + node / 2.0, poll })
}

impl Calibration {
    /// In units of virtual time.
    pub fn costs(&self) -> Costs {
        let units = |nanoseconds: f64| (UNITS * nanoseconds / self.node).round().max(1.0) as u64;
        Costs {
            node: UNITS as u64,
            quiescence: units(self.quiescence),
            offer: units(self.offer),
            join: units(self.join),
            abort: units(self.abort),
            poll: units(self.poll),
        }
    }

    /// What was measured beside what this build uses.
    pub fn table(&self) -> String {
        let (ours, used) = (self.costs(), Costs::CALIBRATED);
        let mut text = String::from("what                       ns     units   in use\n");
        for (name, nanoseconds, units, present) in [
            ("a node above the horizon", self.node, ours.node, used.node),
            ("a quiescence node", self.quiescence, ours.quiescence, used.quiescence),
            ("publishing a node", self.offer, ours.offer, used.offer),
            ("joining a node", self.join, ours.join, used.join),
            ("noticing an abort", self.abort, ours.abort, used.abort),
            ("one look for work", self.poll, ours.poll, used.poll),
        ] {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<24} {nanoseconds:>6.0} {units:>8} {present:>8}");
        }
        text
    }
}

/// Nodes above the horizon, quiescence nodes, and processor time in nanoseconds.
fn sample(pool: &mut SearchPool<Release>, fen: &str, depth: i32) -> Result<[f64; 3], String> {
    let game = Game::new(Position::from_fen(fen).map_err(|error| error.to_string())?);
    pool.clear();
    let stopwatch = Stopwatch::start();
    pool.search(&game, &[], Limits::depth(depth), &mut |_: kernel::Event<'_, chess::Move>| {});
    let time = stopwatch.nanoseconds();
    let counters = pool.counters();
    let quiescence = counters[Count::QuiescenceNodes] as f64;
    Ok([counters[Count::Nodes] as f64 - quiescence, quiescence, time])
}

/// Time the thread has run, where the system tells it, so that other programs do not count; else time that passed.
pub struct Stopwatch {
    began: Instant,
    ran: Option<u64>,
}

impl Stopwatch {
    pub fn start() -> Self {
        Self { began: Instant::now(), ran: time_on_processor() }
    }

    pub fn nanoseconds(&self) -> f64 {
        match (self.ran, time_on_processor()) {
            (Some(before), Some(now)) => now.saturating_sub(before) as f64,
            _ => self.began.elapsed().as_nanos() as f64,
        }
    }
}

fn time_on_processor() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

fn outline() -> NodeInfo {
    let window = Window::below(Score::centipawns(20));
    NodeInfo { window, depth: Depth::new(8), key: 1, expects_cut: false }
}

/// A node of two moves, the second of which is offered to others if the team's settings allow it.
fn walk_node(worker: &mut Ybwc<u16, Frame>) {
    let mut walk = worker.open(outline());
    let mut moves = 1..=2_u16;
    for _ in 0..2 {
        black_box(walk.offer(worker, || moves.next(), |frame| frame.resize(FRAME_WORDS, 7)));
    }
    // The end of the node; as if by the clock, so that nobody is waited for.
    let _ = walk.settle(worker, Stop::Clock);
}

/// A published node's cost beyond that of one kept private.
fn offering() -> f64 {
    let time = |settings: SplitSettings| {
        let team = Arc::new(Team::new(2, settings));
        let mut worker = Ybwc::<u16, Frame>::new(team, 0);
        let rounds = 20_000;
        let stopwatch = Stopwatch::start();
        for _ in 0..rounds {
            walk_node(&mut worker);
        }
        stopwatch.nanoseconds() / f64::from(rounds)
    };
    let never = SplitSettings { min_depth: 100, ..SplitSettings::DEFAULT };
    (time(SplitSettings::DEFAULT) - time(never)).max(0.0)
}

/// One look through lists in which there is nothing.
fn polling() -> f64 {
    let team: Team<u16, Frame> = Team::new(8, SplitSettings::DEFAULT);
    let rounds = 200_000;
    let stopwatch = Stopwatch::start();
    for _ in 0..rounds {
        black_box(team.find(None).is_none());
    }
    stopwatch.nanoseconds() / f64::from(rounds)
}

/// Median times from publishing a node to a guest's being in it, and from giving it up to the guest's noticing.
fn handshakes(rounds: usize) -> Result<(f64, f64), String> {
    let team = Arc::new(Team::new(2, SplitSettings::DEFAULT));
    let origin = Instant::now();
    let now = || origin.elapsed().as_nanos() as u64;
    let (joined, noticed, ended) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let (mut joins, mut notices) = (Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        let guest = || {
            let mut guest = Ybwc::<u16, Frame>::new(Arc::clone(&team), 1);
            while !ended.load(Ordering::Acquire) {
                let Some(split) = team.find(None) else { continue };
                let Some((frame, _walk, visiting)) = guest.enter(&split, 0) else { continue };
                black_box(frame);
                joined.store(now(), Ordering::Release);
                while guest.check().is_ok() && !ended.load(Ordering::Relaxed) {}
                noticed.store(now(), Ordering::Release);
                guest.leave(visiting, 0, true);
            }
        };
        std::thread::Builder::new()
            .spawn_scoped(scope, guest)
            .map_err(|error| format!("no second thread to measure handshakes with: {error}"))?;
        let mut owner = Ybwc::<u16, Frame>::new(Arc::clone(&team), 0);
        let wait = |word: &AtomicU64| loop {
            match word.swap(0, Ordering::AcqRel) {
                0 => std::hint::spin_loop(),
                at => return at,
            }
        };
        for _ in 0..rounds {
            let mut walk = owner.open(outline());
            let mut moves = 1..=2_u16;
            walk.offer(&mut owner, || moves.next(), |_| {});
            let published = now();
            walk.offer(&mut owner, || moves.next(), |frame| frame.resize(FRAME_WORDS, 7));
            joins.push(wait(&joined).saturating_sub(published) as f64);
            let given_up = now();
            let _ = walk.settle(&mut owner, Stop::Clock);
            notices.push(wait(&noticed).saturating_sub(given_up) as f64);
        }
        ended.store(true, Ordering::Release);
        Ok::<_, String>(())
    })?;
    median(&joins).zip(median(&notices)).ok_or_else(|| "no handshake was made".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use match_runner::stop::StopFlag;

    #[test]
    fn everything_is_measured_and_a_node_is_sixteen_units() {
        let mut session =
            Session { progress: &mut std::io::sink(), stop: StopFlag::default(), verbose: false };
        let calibration = measure(8, 20, &mut session).unwrap();
        let costs = calibration.costs();
        assert_eq!(costs.node, 16);
        assert!(costs.quiescence > 0 && costs.join > 0 && costs.abort >= 8, "{costs:?}");
        assert!(calibration.table().contains("in use"));
    }
}

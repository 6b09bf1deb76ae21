//! A worker's node counter: counts nodes and notices, cheaply, when it must stop.
//!
//! Every node takes one unit of a node budget. Only an empty budget leads to the slow path, where the counts
//! are published, the stop latch is read and, by the first worker alone, the clock is polled. The
//! budget is set so that a hard node limit is met exactly by a single worker.

use crate::clock::Clock;
use crate::control::Control;
use crate::counters::{Count, Counters, Published};
use crate::depth::Depth;
use crate::exchange::Exchange;
use crate::limits::Limits;
use crate::sched::pace::{Costs, Pacer};
use crate::shared_progress::FinishedDepth;
use crate::stop::Stop;
use crate::time::{TimeManager, TimeSettings};
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

/// Nodes between two looks at the clock: well under a millisecond.
const POLL_INTERVAL: u64 = 512;

/// A look at a running search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchStatistics {
    /// Workers, real or virtual.
    pub workers: usize,
    /// Time since the search began.
    pub time: Duration,
    /// What all workers have published.
    pub counters: Counters,
}

impl SearchStatistics {
    /// Of the workers' time, without work: 0 to 1.
    pub fn idle(&self) -> f64 {
        let available = self.time.as_micros() as f64 * self.workers as f64;
        (self.counters[Count::Idle] as f64 / available.max(1.0)).min(1.0)
    }
}

/// One search, as all its workers see it.
pub struct SearchSession {
    control: Arc<Control>,
    clock: Arc<dyn Clock>,
    limits: Limits,
    time: TimeManager,
    settings: TimeSettings,
    started: Duration,
    published: Box<[Published]>,
}

impl SearchSession {
    /// Begins a search now, for so many workers. Clears old orders on `control`.
    pub fn begin(
        control: Arc<Control>,
        clock: Arc<dyn Clock>,
        limits: Limits,
        settings: TimeSettings,
        workers: usize,
    ) -> Self {
        let started = clock.now();
        control.begin(started, limits.ponder);
        let time = TimeManager::new(&limits, &settings);
        let published = (0..workers.max(1)).map(|_| Published::default()).collect();
        Self { control, clock, limits, time, settings, started, published }
    }

    /// The orders this search listens to.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// What this search may spend.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// How its time is shared out.
    pub fn time(&self) -> &TimeManager {
        &self.time
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        match self.settings.nodes_per_millisecond {
            Some(rate) => Duration::from_micros(self.nodes() * 1000 / rate.max(1)),
            None => self.clock.now().saturating_sub(self.started),
        }
    }

    /// Time for which our own clock has run: none while pondering.
    fn charged(&self) -> Duration {
        if self.control.is_pondering() {
            return Duration::ZERO;
        }
        let head_start = self.control.released_at().saturating_sub(self.started);
        self.elapsed().saturating_sub(head_start)
    }

    /// Published nodes of all workers.
    pub fn nodes(&self) -> u64 {
        self.total(Count::Nodes)
    }

    /// A published count, summed over all workers.
    pub fn total(&self, count: Count) -> u64 {
        self.published.iter().map(|worker| worker.get(count)).sum()
    }

    /// All published counts, summed over all workers.
    pub fn counters(&self) -> Counters {
        let mut sum = Counters::default();
        for worker in &self.published {
            sum += worker.snapshot();
        }
        sum
    }

    /// How far the search has come, for another thread.
    pub fn progress(&self) -> SearchStatistics {
        SearchStatistics { workers: self.published.len(), time: self.elapsed(), counters: self.counters() }
    }

    fn is_out_of_time(&self) -> bool {
        match self.time.hard() {
            Some(hard) if !self.control.is_pondering() => self.charged() >= hard,
            _ => {
                // Read although nothing ends by it: a host without threads looks for orders when it is asked for the time.
                self.clock.now();
                false
            }
        }
    }
}

/// One worker's node budget and counters.
pub struct NodeCounter {
    session: Arc<SearchSession>,
    worker: usize,
    budget: u64,
    /// What this worker has done in this search.
    pub counters: Counters,
    /// The iteration that is pointless once another worker has finished it; zero for none.
    racing: Cell<i32>,
    /// How far those that search the same root have come.
    finished: Arc<FinishedDepth>,
    /// What this worker does for its rank between two turns, when time is virtual.
    exchange: Option<Arc<dyn Exchange>>,
    /// Keeps this worker's time, when time is virtual.
    pacer: Option<Arc<dyn Pacer>>,
    /// Units charged besides nodes.
    charged: u64,
    /// Looks around for work since the last one that found some.
    looks: u32,
    /// When the last of them ended.
    looked: Duration,
    idle_nanoseconds: u64,
}

impl NodeCounter {
    /// The counter of worker number `worker`; number 0 polls the clock.
    pub fn new(session: Arc<SearchSession>, worker: usize) -> Self {
        Self {
            session,
            worker,
            budget: 0,
            counters: Counters::default(),
            racing: Cell::new(0),
            finished: Arc::default(),
            exchange: None,
            pacer: None,
            charged: 0,
            looks: 0,
            looked: Duration::ZERO,
            idle_nanoseconds: 0,
        }
    }

    /// Lives in virtual time from now on.
    pub fn set_pacer(&mut self, pacer: Arc<dyn Pacer>) {
        self.budget = 0;
        self.pacer = Some(pacer);
    }

    /// Belongs to a rank from now on: looks at its progress, and takes part in its exchange with others.
    pub(crate) fn join_rank(&mut self, finished: Arc<FinishedDepth>, exchange: Option<Arc<dyn Exchange>>) {
        self.finished = finished;
        self.exchange = exchange;
    }

    /// From now on this worker gives up when another finishes the iteration; zero for never.
    pub(crate) fn abandon_when_finished(&self, depth: Depth) {
        self.racing.set(depth.plies());
    }

    /// Has another worker finished the iteration that this one is at?
    pub(crate) fn is_overtaken(&self) -> bool {
        self.racing.get() > 0 && self.finished.get() >= self.racing.get()
    }

    /// Charges something other than nodes; free in real time, where it costs what it costs.
    #[inline]
    pub fn charge(&mut self, what: impl FnOnce(&Costs) -> u64) {
        if let Some(pacer) = &self.pacer {
            self.charged += what(&pacer.costs());
        }
    }

    /// Units of virtual time spent since the search began.
    fn spent(&self, costs: &Costs) -> u64 {
        let quiescence = self.counters[Count::QuiescenceNodes];
        let nodes = self.counters[Count::Nodes] - quiescence;
        nodes * costs.node + quiescence * costs.quiescence + self.charged
    }

    /// Nothing to do just now: lets others run. Counted as idle, with the looking around between two rests.
    pub fn wait_idle(&mut self) {
        let before = if self.looks > 0 { self.looked } else { self.session.clock.now() };
        if let Some(pacer) = self.pacer.clone() {
            self.charge(|costs| costs.poll);
            pacer.give_way(self.spent(&pacer.costs()));
            self.exchange();
        } else {
            self.looks = self.looks.saturating_add(1);
            match self.looks {
                0..200 => std::hint::spin_loop(),
                200..2000 => std::thread::yield_now(),
                _ => {
                    // A worker with nothing to search never polls, and would seem busy.
                    self.publish();
                    std::thread::sleep(Duration::from_micros(50));
                }
            }
        }
        self.looked = self.session.clock.now();
        self.idle_nanoseconds += self.looked.saturating_sub(before).as_nanos() as u64;
        self.counters[Count::Idle] = self.idle_nanoseconds / 1000;
    }

    /// There is work again, or nothing to wait for.
    pub fn end_wait(&mut self) {
        self.looks = 0;
    }

    /// The search this counter belongs to.
    pub fn session(&self) -> &Arc<SearchSession> {
        &self.session
    }

    /// This worker's number.
    pub fn worker(&self) -> usize {
        self.worker
    }

    /// Charges one node.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        if self.budget == 0 {
            self.poll()?;
        }
        self.budget -= 1;
        self.counters[Count::Nodes] += 1;
        Ok(())
    }

    /// Charges one quiescence node.
    #[inline]
    pub fn tick_quiescence(&mut self) -> Result<(), Stop> {
        self.tick()?;
        self.counters[Count::QuiescenceNodes] += 1;
        Ok(())
    }

    /// Nodes searched by this worker.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.counters[Count::Nodes]
    }

    /// Makes this worker's counts visible.
    pub fn publish(&self) {
        if let Some(mine) = self.session.published.get(self.worker) {
            mine.publish(&self.counters);
        }
        if let Some(pacer) = &self.pacer {
            pacer.note(self.spent(&pacer.costs()));
        }
    }

    fn exchange(&self) {
        if let Some(exchange) = &self.exchange {
            exchange.exchange(self.session.clock.now());
        }
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) -> Result<(), Stop> {
        self.publish();
        let mut budget = POLL_INTERVAL;
        if let Some(pacer) = &self.pacer {
            budget = pacer.give_way(self.spent(&pacer.costs()));
            self.exchange();
        }
        let session = &*self.session;
        if session.control.is_stopped() {
            return Err(Stop::Clock);
        }
        if self.is_overtaken() {
            return Err(Stop::Sibling);
        }
        if let Some(limit) = session.limits.nodes {
            budget = budget.min(limit.saturating_sub(session.nodes()));
        }
        if budget == 0 || (self.worker == 0 && session.is_out_of_time()) {
            session.control.stop();
            return Err(Stop::Clock);
        }
        self.budget = budget;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::ManualClock;

    fn node_counter(limits: Limits, clock: &Arc<ManualClock>, workers: usize) -> NodeCounter {
        let clock = Arc::clone(clock) as Arc<dyn Clock>;
        let control = Arc::new(Control::new());
        let session = SearchSession::begin(control, clock, limits, TimeSettings::default(), workers);
        NodeCounter::new(Arc::new(session), 0)
    }

    fn run(node_counter: &mut NodeCounter, most: u64) -> u64 {
        (0..most).take_while(|_| node_counter.tick().is_ok()).count() as u64
    }

    #[test]
    fn a_hard_node_limit_is_exact() {
        let clock = Arc::new(ManualClock::new());
        for limit in [0, 1, 2, 511, 512, 513, 10_000] {
            let mut node_counter = node_counter(Limits::nodes(limit), &clock, 1);
            assert_eq!(run(&mut node_counter, 20_000), limit);
            assert!(node_counter.session().control().is_stopped());
        }
    }

    #[test]
    fn time_stops_within_one_poll_interval() {
        let clock = Arc::new(ManualClock::new());
        let limits = Limits { move_time: Some(Duration::from_millis(50)), ..Limits::default() };
        let mut node_counter = node_counter(limits, &clock, 1);
        assert_eq!(run(&mut node_counter, 5000), 5000);
        clock.advance(Duration::from_millis(41));
        assert!(run(&mut node_counter, 5000) <= POLL_INTERVAL);
    }

    #[test]
    fn pondering_costs_no_time_until_the_hit() {
        let clock = Arc::new(ManualClock::new());
        let limits = Limits { move_time: Some(Duration::from_millis(50)), ponder: true, ..Limits::default() };
        let mut node_counter = node_counter(limits, &clock, 1);
        clock.advance(Duration::from_secs(60));
        assert_eq!(run(&mut node_counter, 5000), 5000);
        node_counter.session().control().ponder_hit(clock.now());
        clock.advance(Duration::from_millis(30));
        assert_eq!(run(&mut node_counter, 5000), 5000);
        clock.advance(Duration::from_millis(30));
        assert!(run(&mut node_counter, 5000) <= POLL_INTERVAL);
    }

    /// Stops the search when it is asked for the time, as the host of a WebAssembly module without threads does.
    struct StoppingClock(Arc<Control>);

    impl Clock for StoppingClock {
        fn now(&self) -> Duration {
            self.0.stop();
            Duration::ZERO
        }
    }

    #[test]
    fn a_search_without_a_limit_asks_for_the_time_all_the_same() {
        for ponder in [false, true] {
            let control = Arc::new(Control::new());
            let clock = Arc::new(StoppingClock(Arc::clone(&control)));
            let limits = Limits { infinite: !ponder, ponder, ..Limits::default() };
            let session =
                SearchSession::begin(Arc::clone(&control), clock, limits, TimeSettings::default(), 1);
            // An order before the search is forgotten by it.
            control.begin(Duration::ZERO, ponder);
            let mut node_counter = NodeCounter::new(Arc::new(session), 0);
            assert!(run(&mut node_counter, 5000) <= 2 * POLL_INTERVAL);
        }
    }

    #[test]
    fn only_the_first_worker_reads_the_clock_and_all_obey_the_latch() {
        let clock = Arc::new(ManualClock::new());
        let limits = Limits { move_time: Some(Duration::from_millis(50)), ..Limits::default() };
        let mut first = node_counter(limits, &clock, 2);
        let mut second = NodeCounter::new(Arc::clone(first.session()), 1);
        clock.advance(Duration::from_secs(1));
        assert_eq!(run(&mut second, 5000), 5000);
        assert_eq!(run(&mut first, 5000), 0);
        assert!(run(&mut second, 5000) <= POLL_INTERVAL);
        assert!(first.session().nodes() >= 5000);
    }
}

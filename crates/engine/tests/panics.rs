//! A panic in any play mode ends that search with a legal move and a message; the next search is a normal one.
#![allow(clippy::unwrap_used, clippy::panic)] // a test that cannot go on should stop

use engine::{Clock, Engine, Report, Request, Settings};
use kernel::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Far above what a loaded machine needs: a search that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A clock that panics on every thread but the one that reads commands, while it is armed.
struct FaultyClock {
    start: Instant,
    armed: AtomicBool,
    reader: std::thread::ThreadId,
}

impl FaultyClock {
    fn new() -> Arc<FaultyClock> {
        let reader = std::thread::current().id();
        Arc::new(FaultyClock { start: Instant::now(), armed: AtomicBool::new(false), reader })
    }
}

impl Clock for FaultyClock {
    fn now(&self) -> Duration {
        let armed = self.armed.load(Ordering::SeqCst);
        assert!(!armed || std::thread::current().id() == self.reader, "injected by the clock");
        self.start.elapsed()
    }
}

/// Each play mode, by the options that ask for it.
const MODES: [(&str, &[(&str, &str)]); 4] = [
    ("normal", &[]),
    ("human-like", &[("UCI_LimitStrength", "true"), ("UCI_Elo", "2400")]),
    ("expectimax", &[("Speculative", "expectimax")]),
    ("speculative", &[("Speculative", "bounded"), ("OpponentElo", "1200")]),
];

fn engine(clock: &Arc<FaultyClock>, options: &[(&str, &str)]) -> Engine {
    let settings = Settings { hash_megabytes: 1, ..Settings::default() };
    let mut engine = Engine::with_settings(Arc::clone(clock) as Arc<dyn Clock>, settings).unwrap();
    for (name, value) in options {
        engine.set_option(name, Some(value)).unwrap();
    }
    engine
}

/// All reports of a search; the listener panics at the first `faults` of them.
fn reports(engine: &mut Engine, limits: Limits, mut faults: u32) -> Vec<Report> {
    let (sender, receiver) = channel();
    engine.go(
        Request::new(limits),
        Box::new(move |report| {
            if faults > 0 {
                faults -= 1;
                panic!("injected by the listener");
            }
            let _ = sender.send(report);
        }),
    );
    let mut reports = Vec::new();
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(report) => reports.push(report),
            Err(RecvTimeoutError::Disconnected) => return reports,
            Err(RecvTimeoutError::Timeout) => panic!("the search hangs"),
        }
    }
}

/// The last report is one legal move; the remarks of the search.
fn remarks(mode: &str, engine: &Engine, reports: &[Report]) -> String {
    let bests = reports.iter().filter(|report| matches!(report, Report::Best { .. })).count();
    assert_eq!(bests, 1, "{mode}: {reports:?}");
    let Some(Report::Best { best: Some(mv), .. }) = reports.last() else { panic!("{mode}: {reports:?}") };
    assert!(engine.game().position().is_legal(*mv), "{mode}");
    let text = reports.iter().filter_map(|report| match report {
        Report::Remark(text) => Some(text.as_str()),
        _ => None,
    });
    text.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_panic_in_any_play_mode_gives_a_legal_move_and_a_message() {
    for (mode, options) in MODES {
        let clock = FaultyClock::new();
        let mut engine = engine(&clock, options);
        clock.armed.store(true, Ordering::SeqCst);
        let limits = Limits { move_time: Some(Duration::from_secs(2)), ..Limits::default() };
        let told = reports(&mut engine, limits, 0);
        clock.armed.store(false, Ordering::SeqCst);
        let text = remarks(mode, &engine, &told);
        assert!(text.contains("the search failed"), "{mode}: {text}");
        engine.wait();
        assert!(!engine.is_searching());
        let told = reports(&mut engine, Limits::nodes(2000), 0);
        let text = remarks(mode, &engine, &told);
        assert!(!text.contains("failed"), "{mode}: {text}");
        engine.new_game().unwrap();
    }
}

#[test]
fn a_listener_that_panics_still_gets_its_answer() {
    for (mode, options) in MODES {
        let mut engine = engine(&FaultyClock::new(), options);
        let told = reports(&mut engine, Limits::nodes(4000), 1);
        let text = remarks(mode, &engine, &told);
        assert!(text.contains("the search failed"), "{mode}: {text}");
    }
}

#[test]
fn a_panic_ends_an_infinite_search_too() {
    let clock = FaultyClock::new();
    let mut engine = engine(&clock, &[("Threads", "2")]);
    clock.armed.store(true, Ordering::SeqCst);
    let told = reports(&mut engine, Limits { infinite: true, ..Limits::default() }, 0);
    assert!(remarks("infinite", &engine, &told).contains("the search failed"));
}

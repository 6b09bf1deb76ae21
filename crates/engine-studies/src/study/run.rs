//! Searching what is missing and recording each search as it ends.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use chess::Game;

use super::config::{Search, Study};
use super::rows;
use experiment::engine::Protocol;
use experiment::environment;
use experiment::host::HostWatch;
use experiment::session::{Finish, Session, human_time};
use experiment::store::{Event, Row, Store};
use match_runner::fault::Fault;
use match_runner::limits::Clock;
use match_runner::player::{Player, Turn};
use match_runner::stop::StopFlag;

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(10);

enum Report {
    Done(Row),
    Failed { row: Row, variant: usize, fault: Fault },
    Identity { series: String, identity: String, options: Vec<(String, String)> },
    Fatal(String),
}

/// Runs the searches that are missing in the store.
pub fn run(study: &Study, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
    let text = |error: experiment::store::StoreError| error.to_string();
    for (name, value) in environment::facts() {
        store.note_environment(&name, &value).map_err(text)?;
    }
    for variant in &study.variants {
        let key = format!("engine {}: options", variant.series);
        store.note_environment(&key, &environment::options(&variant.engine)).map_err(text)?;
        // Our own engine has many variants and one binary.
        let internal = variant.engine.protocol == Protocol::Internal;
        let name = if internal { "tabiya" } else { variant.series.as_str() };
        if let Some(print) = environment::fingerprint(&variant.engine.binary()) {
            let key = format!("engine {name}: binary");
            if let Some(before) = store.note_environment(&key, &print).map_err(text)?
                && before != print
            {
                return Err(format!(
                    "{} has changed since the first rows; choose another folder with --out",
                    variant.series
                ));
            }
        }
    }
    let done: std::collections::BTreeSet<String> =
        store.rows().map_err(text)?.into_iter().map(|row| row.task).collect();
    let all = study.searches();
    let sharded = |(place, _): &(usize, &Search)| study.shard.holds(*place as u64);
    let missing: Vec<Search> = all
        .iter()
        .enumerate()
        .filter(sharded)
        .map(|(_, search)| search.clone())
        .filter(|search| !done.contains(&study.key(search)))
        .collect();
    if !done.is_empty() {
        session.say(&format!("resuming: {} searches are already there", done.len()));
    }
    let host = HostWatch::begin();
    let faults = work(study, missing, store, session)?;
    host.tell(store, session)?;
    if session.stop.is_raised() {
        session.say("stopped; the same command goes on from here");
        return Ok(Finish::Interrupted);
    }
    Ok(if faults > 0 { Finish::WithFaults } else { Finish::Complete })
}

/// Searches on as many threads as asked for; answers how many failed.
fn work(
    study: &Study,
    missing: Vec<Search>,
    store: &Store,
    session: &mut Session<'_>,
) -> Result<u64, String> {
    let total = missing.len();
    let queue = Mutex::new(missing.into_iter());
    let next = || queue.lock().ok().and_then(|mut searches| searches.next());
    let stop = StopFlag::default();
    let (sender, reports) = channel();
    let mut keeper =
        Keeper { study, done: 0, total, faults: 0, in_a_row: 0, begun: Instant::now(), told: Instant::now() };
    std::thread::scope(|scope| {
        let mut result = Ok(());
        for number in 0..study.concurrency {
            let (next, sender, stop) = (&next, sender.clone(), stop.clone());
            let work = move || search_all(study, next, &sender, &stop);
            // Where the system gives fewer threads, fewer searches run at a time.
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work) {
                if number == 0 {
                    result = Err(format!("no thread to search in: {error}"));
                }
                break;
            }
        }
        drop(sender);
        loop {
            if session.stop.is_raised() {
                stop.raise();
            }
            match reports.recv_timeout(Duration::from_millis(100)) {
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
                Ok(report) => {
                    if let Err(reason) = keeper.take(report, store, session) {
                        if result.is_ok() {
                            result = Err(reason);
                        }
                        stop.raise();
                    }
                }
            }
        }
        result.map(|()| keeper.faults)
    })
}

struct Keeper<'a> {
    study: &'a Study,
    done: usize,
    total: usize,
    faults: u64,
    in_a_row: u32,
    begun: Instant,
    told: Instant,
}

impl Keeper<'_> {
    fn take(&mut self, report: Report, store: &Store, session: &mut Session<'_>) -> Result<(), String> {
        let text = |error: experiment::store::StoreError| error.to_string();
        match report {
            Report::Fatal(reason) => return Err(reason),
            Report::Identity { series, identity, options } => {
                store.note_environment(&format!("engine {series}: calls itself"), &identity).map_err(text)?;
                if let Some(all) = environment::all_options(&options) {
                    store.note_environment(&format!("engine {series}: all options"), &all).map_err(text)?;
                }
                return Ok(());
            }
            Report::Done(row) => {
                self.in_a_row = 0;
                if session.verbose {
                    let time = row.number("ms").unwrap_or(0.0);
                    session.say(&format!(
                        "{}: {} in {time:.0} ms",
                        row.task,
                        row.text("best").unwrap_or("?")
                    ));
                }
                store.record_row(&row).map_err(text)?;
            }
            Report::Failed { row, variant, fault } => {
                self.faults += 1;
                self.in_a_row += 1;
                let detail = format!("{}: {fault}", row.task);
                session.say(&format!("fault: {detail}"));
                store.record_row(&row).map_err(text)?;
                let subject = self.study.variants[variant].series.clone();
                store
                    .record_event(&Event { kind: "fault".to_owned(), subject, detail: detail.clone() })
                    .map_err(text)?;
                if self.in_a_row >= self.study.max_faults {
                    return Err(format!(
                        "{} searches failed in a row, so the run was stopped. The last: {detail}",
                        self.in_a_row
                    ));
                }
            }
        }
        self.done += 1;
        if self.told.elapsed() >= TELL_EVERY {
            self.told = Instant::now();
            let per_search = self.begun.elapsed().as_secs_f64() / self.done as f64;
            let left = human_time(per_search * (self.total - self.done) as f64);
            session.say(&format!("{} of {} searches, {left} left", self.done, self.total));
        }
        Ok(())
    }
}

fn search_all(
    study: &Study,
    next: &(dyn Fn() -> Option<Search> + Sync),
    reports: &Sender<Report>,
    stop: &StopFlag,
) {
    let mut running = Running::default();
    while !stop.is_raised() {
        let Some(search) = next() else { break };
        let report = match player_for(study, &search, &mut running, reports, stop) {
            Err(Fault::Interrupted) => break,
            Err(fault) => Report::Fatal(format!("{} {fault}", study.variants[search.variant].series)),
            Ok(player) => match search_one(study, &search, player) {
                Ok(row) => Report::Done(row),
                Err(Fault::Interrupted) => break,
                Err(fault @ Fault::Setup { .. }) => {
                    Report::Fatal(format!("{} {fault}", study.variants[search.variant].series))
                }
                Err(fault) => {
                    // A player is not to be trusted after a fault; the next search starts another.
                    running.remove(&search.variant);
                    Report::Failed {
                        row: rows::failed_row(study, &search, &fault),
                        variant: search.variant,
                        fault,
                    }
                }
            },
        };
        if reports.send(report).is_err() {
            break;
        }
    }
}

/// The players one thread keeps: the last one, or, where variants take turns, one of each.
type Running = BTreeMap<usize, Box<dyn Player>>;

fn player_for<'a>(
    study: &Study,
    search: &Search,
    running: &'a mut Running,
    reports: &Sender<Report>,
    stop: &StopFlag,
) -> Result<&'a mut dyn Player, Fault> {
    if !study.in_turn {
        // The old one goes first: two engines of this size may not fit.
        running.retain(|variant, _| *variant == search.variant);
    }
    let player = match running.entry(search.variant) {
        Entry::Occupied(place) => place.into_mut(),
        Entry::Vacant(place) => {
            let variant = &study.variants[search.variant];
            let player = variant.engine.start(stop)?;
            let identity = player.identity().to_owned();
            let internal = variant.engine.protocol == Protocol::Internal;
            let series = if internal { "tabiya".to_owned() } else { variant.series.clone() };
            // Variants of this program differ in the options that are noted for each.
            let options = if internal { Vec::new() } else { player.options() };
            let _ = reports.send(Report::Identity { series, identity, options });
            place.insert(player)
        }
    };
    Ok(player.as_mut())
}

fn search_one(study: &Study, search: &Search, player: &mut dyn Player) -> Result<Row, Fault> {
    let task = &study.tasks[search.task];
    let clock = Clock::new(study.variants[search.variant].engine.limits);
    let game = Game::new(task.position.clone());
    // Every search begins with an empty table.
    player.new_game(false)?;
    player.set_repetition(search.repetition + 1)?;
    let turn = Turn {
        game: &game,
        moves: &[],
        chess960: false,
        white: &clock,
        black: &clock,
        patience: study.patience,
    };
    let result = player.search(&turn)?;
    Ok(rows::row(study, search, &result))
}

//! Searching and playing what is missing in the store.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kernel::sched::VirtualSettings;
use kernel::{Clock, Event, Lab, Limits, Release, TechniqueSet};
use laser::{DrawRules, Game, Move};
use laser_search::{BENCH_POSITIONS, Engine, Settings, Technique};
use serde_json::{Map, json};

use super::book;
use super::config::{Laser, Search, Workers};
use crate::calibrate::Stopwatch;
use experiment::environment;
use experiment::session::{Finish, Session, human_time};
use experiment::store::{Row, Store, StoreError};

/// The depth of the count that identifies the player, a second at most.
const IDENTITY_DEPTH: i32 = 8;
/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(10);

struct WallClock(Instant);

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// One piece of work.
enum Task {
    Search(Box<Search>),
    Opening(u64),
}

impl Task {
    fn key(&self) -> String {
        match self {
            Self::Search(search) => search.key(),
            Self::Opening(number) => book::key(*number),
        }
    }
}

/// Everything a study asks for.
fn tasks(laser: &Laser) -> Vec<Task> {
    let searches = laser.searches().into_iter().map(|search| Task::Search(Box::new(search)));
    searches.chain((0..laser.book.openings).map(Task::Opening)).collect()
}

/// How many rows a whole run has.
pub fn size(laser: &Laser) -> usize {
    tasks(laser).len()
}

/// Runs until everything is there or the user stops.
pub fn run(laser: &Laser, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
    let text = |error: StoreError| error.to_string();
    for (name, value) in environment::facts() {
        store.note_environment(&name, &value).map_err(text)?;
    }
    // The other facts name the chess engine; this one the player that is studied.
    if let Some(nodes) = laser_search::bench(Release, IDENTITY_DEPTH) {
        let words = format!("{nodes} positions entered at depth {IDENTITY_DEPTH}");
        store.note_environment("Leiserchess bench", &words).map_err(text)?;
    }
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    if let Some(now) = environment::fingerprint(&own)
        && let Some(before) = store.note_environment("this program", &now).map_err(text)?
        && before != now
    {
        return Err(
            "this program has changed since the first rows; choose another folder with --out".to_owned()
        );
    }
    let done: std::collections::BTreeSet<String> =
        store.rows().map_err(text)?.into_iter().map(|row| row.task).collect();
    if !done.is_empty() {
        session.say(&format!("resuming: {} rows are already there", done.len()));
    }
    let missing: Vec<Task> = (tasks(laser).into_iter().enumerate())
        .filter(|(place, task)| laser.shard.holds(*place as u64) && !done.contains(&task.key()))
        .map(|(_, task)| task)
        .collect();
    let (begun, mut told) = (Instant::now(), Instant::now());
    for (number, task) in missing.iter().enumerate() {
        let row = match task {
            _ if session.stop.is_raised() => None,
            Task::Search(search) => Some(measure(laser, search)?),
            Task::Opening(number) => book::play(laser, *number, &session.stop)?,
        };
        let Some(row) = row else {
            session.say("stopped; the same command goes on from here");
            return Ok(Finish::Interrupted);
        };
        store.record_row(&row).map_err(text)?;
        if session.verbose || told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            let each = begun.elapsed().as_secs_f64() / (number + 1) as f64;
            let left = human_time(each * (missing.len() - number - 1) as f64);
            session.say(&format!("{} of {}, {left} left: {}", number + 1, missing.len(), row.task));
        }
    }
    Ok(Finish::Complete)
}

/// One search from a clean state.
fn measure(laser: &Laser, search: &Search) -> Result<Row, String> {
    let mut settings = Settings { parallel: search.way, ..search.version.settings.clone() };
    match search.workers {
        Workers::Real(count) => settings.threads = count,
        Workers::Virtual(count) => {
            settings.virtual_time = Some(VirtualSettings { workers: count, ..VirtualSettings::DEFAULT });
        }
    }
    let clock = Arc::new(WallClock(Instant::now()));
    let mut engine = Engine::new(clock, settings, laser.hash).map_err(|error| error.to_string())?;
    let fen = BENCH_POSITIONS[search.position % BENCH_POSITIONS.len()];
    let position = fen.parse().map_err(|error| format!("bench position {fen}: {error}"))?;
    let game = Game::new(position, DrawRules::RULE_BOOK);
    let limits = match laser.time {
        Some(time) if !search.to_depth => Limits { move_time: Some(time), ..Limits::default() },
        _ => Limits::depth(i32::try_from(laser.depth).unwrap_or(i32::MAX)),
    };
    let (began, stopwatch) = (Instant::now(), Stopwatch::start());
    let task = engine.prepare(&game, limits);
    let quiet = &mut |_: Event<'_, Move>| ();
    let all = TechniqueSet::<Technique>::all();
    let found = match search.locked {
        // Both tables by the same code, switched at run time.
        Some(true) => engine.perform_with(Lab(all.without(Technique::LockFreeTable)), &task, quiet),
        Some(false) => engine.perform_with(Lab(all), &task, quiet),
        None if search.version.techniques == all => engine.perform_with(Release, &task, quiet),
        None => engine.perform_with(Lab(search.version.techniques), &task, quiet),
    };
    let (wall, cpu) = (began.elapsed().as_nanos() as f64, stopwatch.nanoseconds());
    let (workers, is_virtual) = match search.workers {
        Workers::Real(count) => (count, false),
        Workers::Virtual(count) => (count, true),
    };
    // Alone, time on the processor is what counts; where threads are compared, time that passes; in virtual time, the search's own.
    let time = match search.workers {
        Workers::Real(1) if search.part != "threads" => cpu,
        Workers::Real(_) => wall,
        Workers::Virtual(_) => found.time.as_nanos() as f64,
    };
    let data = Map::from_iter([
        ("part".to_owned(), json!(search.part)),
        ("setting".to_owned(), json!(search.setting())),
        ("version".to_owned(), json!(search.version.name)),
        ("way".to_owned(), json!(search.way.name())),
        ("workers".to_owned(), json!(workers)),
        ("virtual".to_owned(), json!(is_virtual)),
        ("locked".to_owned(), json!(search.locked)),
        ("to_depth".to_owned(), json!(search.to_depth)),
        ("position".to_owned(), json!(search.position + 1)),
        ("repetition".to_owned(), json!(search.repetition)),
        ("nodes".to_owned(), json!(found.nodes)),
        ("tried".to_owned(), json!(found.tried)),
        ("depth".to_owned(), json!(found.depth.plies())),
        ("time_ns".to_owned(), json!(time)),
        ("wall_ns".to_owned(), json!(wall)),
    ]);
    Ok(Row { task: search.key(), data })
}

//! Measuring what is missing in the store: phases position by position, then functions.

use std::time::{Duration, Instant};

use super::config::{Functions, Profile};
use super::functions::{self, Missing};
use super::phases::Watched;
use experiment::environment;
use experiment::session::{Finish, Session, human_time};
use experiment::store::{Event, Store, StoreError};

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// What an event about functions that could not be had is filed under.
pub const NO_FUNCTIONS: &str = "functions";

/// Measures until everything is there or the user stops.
pub fn run(profile: &Profile, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
    let text = |error: StoreError| error.to_string();
    for (name, value) in environment::facts() {
        store.note_environment(&name, &value).map_err(text)?;
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
    let rows = store.rows().map_err(text)?.len();
    if rows > 0 {
        session.say(&format!("resuming: {rows} rows are already there"));
    }
    if !watch_phases(profile, store, session)? || !name_functions(profile, store, session)? {
        session.say("stopped; the same command goes on from here");
        return Ok(Finish::Interrupted);
    }
    Ok(Finish::Complete)
}

/// Answers whether it came to its end.
fn watch_phases(profile: &Profile, store: &Store, session: &mut Session<'_>) -> Result<bool, String> {
    let text = |error: StoreError| error.to_string();
    let (begun, mut told, mut done) = (Instant::now(), Instant::now(), 0_u32);
    let total = profile.evaluations.len() * profile.rounds as usize * profile.places.len();
    let mut passed = 0;
    for evaluation in &profile.evaluations {
        let mut watched = None;
        for round in 1..=profile.rounds {
            for place in &profile.places {
                passed += 1;
                let task = format!("phases/{evaluation}/round {round:03}/{}", place.id);
                if store.has_row(&task).map_err(text)? {
                    continue;
                }
                if session.stop.is_raised() {
                    return Ok(false);
                }
                let pool = match &mut watched {
                    Some(pool) => pool,
                    none => {
                        let pool = none.insert(Watched::new(profile, evaluation)?);
                        // Once in vain: the first search pays for memory that the others find ready.
                        pool.search(place, profile.depth.min(8), String::new(), evaluation)?;
                        pool
                    }
                };
                let row = pool.search(place, profile.depth, task, evaluation)?;
                store.record_row(&row).map_err(text)?;
                done += 1;
                if session.verbose || told.elapsed() >= TELL_EVERY {
                    told = Instant::now();
                    let each = begun.elapsed().as_secs_f64() / f64::from(done);
                    let left = human_time(each * (total - passed) as f64);
                    session.say(&format!("phases, {evaluation}: {passed} of {total} searches, {left} left"));
                }
            }
        }
    }
    Ok(true)
}

/// Answers whether it came to its end.
fn name_functions(profile: &Profile, store: &Store, session: &mut Session<'_>) -> Result<bool, String> {
    let text = |error: StoreError| error.to_string();
    if profile.functions == Functions::None {
        return Ok(true);
    }
    for evaluation in &profile.evaluations {
        let task = format!("functions/{evaluation}");
        if store.has_row(&task).map_err(text)? {
            continue;
        }
        session.say(&format!("functions, {evaluation}: {} positions under perf", profile.places.len()));
        match functions::record(profile, evaluation, task, store.directory(), session) {
            Ok(row) => store.record_row(&row).map_err(text)?,
            Err(Missing::Interrupted) => return Ok(false),
            Err(Missing::Because(reason)) if profile.functions == Functions::Perf => return Err(reason),
            Err(Missing::Because(reason)) => {
                session.say(&format!("no functions: {reason}"));
                let (kind, subject) = (NO_FUNCTIONS.to_owned(), evaluation.clone());
                store.record_event(&Event { kind, subject, detail: reason }).map_err(text)?;
            }
        }
    }
    Ok(true)
}

//! Playing the iterations that are missing in the store, one after another.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use chess::Color;
use serde_json::{Map, json};

use super::config::{Iteration, Tuning};
use super::step::{Perturbation, signs};
use experiment::engine::EngineSpec;
use experiment::environment;
use experiment::session::{Finish, Session, human_time};
use experiment::store::{Row, Store};
use match_runner::game::{Aborted, GameResult, play};
use match_runner::stop::StopFlag;
use stats::score::Outcome;

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(20);

/// Iterations so far, in order; the first gap ends them.
pub fn played(rows: &[Row]) -> Vec<Iteration> {
    let read = |row: &Row| {
        let signs = row.text("signs").map(str::to_owned);
        Some((row.number("iteration")? as u64, Iteration { result: row.number("result")?, signs }))
    };
    let mut numbered: Vec<(u64, Iteration)> = rows.iter().filter_map(read).collect();
    numbered.sort_by_key(|(number, _)| *number);
    (0..).zip(numbered).take_while(|(place, (number, _))| place == number).map(|(_, (_, row))| row).collect()
}

/// Plays until all iterations are done or the user stops.
pub fn run(tuning: &Tuning, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
    let text = |error: experiment::store::StoreError| error.to_string();
    for (name, value) in environment::facts() {
        store.note_environment(&name, &value).map_err(text)?;
    }
    if let Some(now) = environment::fingerprint(&tuning.engine.binary())
        && let Some(before) = store.note_environment("engine: binary", &now).map_err(text)?
        && before != now
    {
        return Err(format!(
            "{} has changed since the first games were played; choose another folder with --out",
            tuning.engine.name
        ));
    }
    let known = played(&store.rows().map_err(text)?);
    let mut values = tuning.course(&known).pop().unwrap_or_default();
    if !known.is_empty() {
        session.say(&format!("resuming: {} iterations are already there", known.len()));
    }
    let (begun, mut told) = (Instant::now(), Instant::now());
    let first = known.len() as u64;
    for number in first..tuning.iterations {
        let signs = signs(tuning.seed, number, tuning.parameters.len());
        let perturbation = tuning.perturbation(number, &signs);
        let Some(result) = iterate(tuning, number, &values, &perturbation, &session.stop)? else {
            session.say("stopped; the same command goes on from here");
            return Ok(Finish::Interrupted);
        };
        let data = Map::from_iter([
            ("iteration".to_owned(), json!(number)),
            ("result".to_owned(), json!(result)),
            ("signs".to_owned(), json!(signs)),
        ]);
        store.record_row(&Row { task: format!("iteration {:08}", number + 1), data }).map_err(text)?;
        perturbation.apply(&tuning.parameters, &mut values, result);
        if session.verbose || told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            let each = begun.elapsed().as_secs_f64() / (number + 1 - first) as f64;
            let left = human_time(each * (tuning.iterations - number - 1) as f64);
            session.say(&format!("{} of {} iterations, {left} left", number + 1, tuning.iterations));
            session.say(&standing(tuning, &values));
        }
    }
    Ok(Finish::Complete)
}

/// The values in a line: `futility 88 -> 93.2`.
pub fn standing(tuning: &Tuning, values: &[f64]) -> String {
    let each = tuning.parameters.iter().zip(values);
    each.map(|(parameter, value)| format!("{} {} -> {value:.1}", parameter.name, parameter.start))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Points of the engine perturbed upwards less those of the other; `None` when the run was stopped.
fn iterate(
    tuning: &Tuning,
    number: u64,
    values: &[f64],
    perturbation: &Perturbation,
    stop: &StopFlag,
) -> Result<Option<f64>, String> {
    let engines = [1.0, -1.0].map(|side| {
        let mut engine = tuning.engine.clone();
        for (parameter, value) in
            tuning.parameters.iter().zip(perturbation.perturbed(&tuning.parameters, values, side))
        {
            engine.options.insert(parameter.name.clone(), value.to_string());
        }
        engine
    });
    let next = Mutex::new(0..tuning.pairs);
    let work = || -> Result<Option<f64>, String> {
        let mut sum = 0.0;
        while let Some(pair) = next.lock().ok().and_then(|mut pairs| pairs.next()) {
            match play_pair(tuning, number * tuning.pairs + pair, &engines, stop)? {
                Some(result) => sum += result,
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    };
    let sums: Vec<Result<Option<f64>, String>> = std::thread::scope(|scope| {
        // Where the system gives fewer threads, fewer pairs are played at a time; the last resort is this thread.
        let workers: Vec<_> = (0..tuning.concurrency)
            .map_while(|_| std::thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        if workers.is_empty() {
            return vec![work()];
        }
        let broken = || Err("a thread that played games has died".to_owned());
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| broken())).collect()
    });
    let sums: Option<Vec<f64>> = sums.into_iter().collect::<Result<_, _>>()?;
    Ok(sums.map(|sums| sums.iter().sum()))
}

/// One opening, played by both with both colours.
fn play_pair(
    tuning: &Tuning,
    pair: u64,
    engines: &[EngineSpec; 2],
    stop: &StopFlag,
) -> Result<Option<f64>, String> {
    let opening = tuning.openings.of_pair(pair).1?;
    let start = |engine: &EngineSpec| engine.start(stop).map_err(|fault| format!("{} {fault}", engine.name));
    let (mut up, mut down) = (start(&engines[0])?, start(&engines[1])?);
    let limits = [tuning.engine.limits; 2];
    let mut sum = 0.0;
    for side in [Color::White, Color::Black] {
        let (white, black) = if side == Color::White { (&mut up, &mut down) } else { (&mut down, &mut up) };
        let record = match play(white.as_mut(), black.as_mut(), &opening, limits, &tuning.conditions) {
            Ok(record) => record,
            Err(Aborted::Interrupted) => return Ok(None),
            Err(Aborted::NotReady { fault, .. }) => return Err(format!("{} {fault}", tuning.engine.name)),
        };
        // An engine that breaks down says nothing about its parameters.
        if record.termination.is_fault() {
            return Err(format!("{}: {}", tuning.engine.name, record.detail));
        }
        sum += points(record.result, side);
    }
    Ok(Some(sum))
}

fn points(result: GameResult, side: Color) -> f64 {
    match result.for_side(side) {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_end_at_the_first_gap() {
        let row = |number: u64, result: f64| {
            let data = Map::from_iter([
                ("iteration".to_owned(), json!(number)),
                ("result".to_owned(), json!(result)),
            ]);
            Row { task: number.to_string(), data }
        };
        let found = played(&[row(1, 2.0), row(0, -1.0), row(3, 1.0)]);
        assert_eq!(found.iter().map(|iteration| iteration.result).collect::<Vec<_>>(), [-1.0, 2.0]);
    }
}

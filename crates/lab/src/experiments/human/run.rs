//! Playing what is missing and recording each game as it ends.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use chess::PieceKind;
use human_model::odds;
use human_model::reply::{ReplyModel, read_people};
use opponent::arena::{Arm, Population, StudyGame};
use serde_json::{Map, Value, json};

use super::config::{Meeting, Study};
use experiment::environment;
use experiment::session::{Finish, Session, human_time};
use experiment::store::{Row, Store, StoreError};
use match_runner::files::read_bytes;
use match_runner::game::coordinates;
use match_runner::stop::StopFlag;

/// How often progress is told.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// Plays the games that are missing in the store.
pub fn run(study: &Study, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
    let text = |error: StoreError| error.to_string();
    for (name, value) in environment::facts() {
        store.note_environment(&name, &value).map_err(text)?;
    }
    let crowd = population(study)?;
    let model = ReplyModel::shared().map_err(|error| error.to_string())?;
    let done: BTreeSet<String> =
        store.rows().map_err(text)?.into_iter().map(|row| current_key(&row.task)).collect();
    let missing: Vec<Meeting> = (study.meetings().into_iter().enumerate())
        .filter(|(place, meeting)| study.shard.holds(*place as u64) && !done.contains(&meeting.key()))
        .map(|(_, meeting)| meeting)
        .collect();
    if !done.is_empty() {
        session.say(&format!("resuming: {} games are already there", done.len()));
    }
    let total = missing.len();
    let queue = Mutex::new(missing.into_iter());
    let stop = StopFlag::default();
    let (sender, games) = channel();
    let (begun, mut told, mut finished) = (Instant::now(), Instant::now(), 0);
    std::thread::scope(|scope| {
        let mut result = Ok(());
        for number in 0..study.concurrency {
            let (queue, sender, stop, crowd) = (&queue, sender.clone(), stop.clone(), &crowd);
            let work = move || {
                while !stop.is_raised() {
                    let Some(meeting) = queue.lock().ok().and_then(|mut all| all.next()) else { break };
                    let played = play(study, &meeting, model, crowd, &stop);
                    if played.as_ref().is_ok_and(Option::is_none) || sender.send(played).is_err() {
                        break;
                    }
                }
            };
            // Where the system gives fewer threads, fewer games are played at a time.
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work) {
                if number == 0 {
                    result = Err(format!("no thread to play games in: {error}"));
                }
                break;
            }
        }
        drop(sender);
        loop {
            if session.stop.is_raised() {
                stop.raise();
            }
            let row = match games.recv_timeout(Duration::from_millis(100)) {
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return result,
                Ok(row) => row,
            };
            let kept = row.and_then(|row| row.map_or(Ok(()), |row| store.record_row(&row).map_err(text)));
            if let Err(reason) = kept {
                result = result.and(Err(reason));
                stop.raise();
            }
            finished += 1;
            if told.elapsed() >= TELL_EVERY || session.verbose {
                told = Instant::now();
                let each = begun.elapsed().as_secs_f64() / f64::from(finished);
                let left = human_time(each * (total as f64 - f64::from(finished)));
                session.say(&format!("{finished} of {total} games, {left} left"));
            }
        }
    })?;
    if session.stop.is_raised() {
        session.say("stopped; the same command goes on from here");
        return Ok(Finish::Interrupted);
    }
    Ok(Finish::Complete)
}

/// The key of a row with the present name of its arm: earlier versions had other names.
fn current_key(task: &str) -> String {
    match task.split_once('/').and_then(|(arm, rest)| Some((Arm::named(arm).ok()?, rest))) {
        Some((arm, rest)) => format!("{}/{rest}", arm.name()),
        None => task.to_owned(),
    }
}

fn population(study: &Study) -> Result<Population, String> {
    let Some(path) = &study.people else { return Ok(Population::Softmax) };
    let told = |error: &dyn std::fmt::Display| format!("people: {}: {error}", path.display());
    let bytes = read_bytes(path).map_err(|reason| format!("people: {reason}"))?;
    read_people(&bytes).map(Population::Network).map_err(|error| told(&error))
}

/// `None` when stopped on the way.
fn play(
    study: &Study,
    meeting: &Meeting,
    model: &ReplyModel,
    crowd: &Population,
    stop: &StopFlag,
) -> Result<Option<Row>, String> {
    let (_, opening) = study.openings.of_pair(meeting.opening);
    let mut start = opening?.game.position().clone();
    if study.knight_odds {
        start = odds::give(&start, meeting.color, PieceKind::Knight)
            .ok_or_else(|| format!("opening {} ({}): no knight to give", meeting.opening, start.to_fen()))?;
    }
    let rating = u64::from(meeting.rating.points());
    let duel = StudyGame {
        opening: start.clone(),
        color: meeting.color,
        arm: meeting.arm,
        rating: meeting.rating,
        nodes: study.nodes,
        // The same person for every arm.
        seed: study.seed.wrapping_mul(1_000_003)
            + (meeting.opening + 1) * 7919
            + rating * 31
            + meeting.color.index() as u64,
    };
    let played = duel.play(model, crowd, &|| stop.is_raised()).map_err(|error| error.to_string())?;
    Ok(played.map(|played| {
        let mut data = Map::new();
        for (name, value) in [
            ("arm", json!(meeting.arm.name())),
            ("rating", json!(meeting.rating.points())),
            ("opening", json!(meeting.opening)),
            ("color", json!(meeting.color.to_string())),
            ("points", json!(played.points)),
            ("plies", json!(played.game.moves().len())),
            ("spent", json!(played.spent)),
            ("start", json!(start.to_fen())),
            ("moves", Value::from(coordinates(&played.game, false).join(" "))),
        ] {
            data.insert(name.to_owned(), value);
        }
        Row { task: meeting.key(), data }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_earlier_versions_count_as_done() {
        assert_eq!(current_key("seed/1100/opening 00003/white"), "expectimax/1100/opening 00003/white");
        assert_eq!(current_key("plain/1100/opening 00003/white"), "plain/1100/opening 00003/white");
    }
}

//! Playing what is missing, keeping the books, and stopping at the right moment.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use super::config::Tournament;
use super::standings::{Played, Standings, course_of};
use super::table;
use super::words;
use super::worker::{Report, Worker};
use experiment::engine::EngineSpec;
use experiment::environment;
use experiment::host::HostWatch;
use experiment::session::{Finish, Session, human_time};
use experiment::store::{Event, Store, StoredGame};
use match_runner::game::{GameRecord, GameResult};
use match_runner::schedule::GameTask;
use match_runner::stop::StopFlag;
use stats::sprt::SprtDecision;

/// How often the table is printed.
const TABLE_EVERY: Duration = Duration::from_secs(30);
/// How often it is drawn again in place.
const LIVE_EVERY: Duration = Duration::from_millis(500);

/// The standings of the games in a store.
pub fn standings_of(tournament: &Tournament, games: &[StoredGame]) -> Result<Standings, String> {
    let index = |name: &str| {
        // As engines are called here, whatever wrote the game.
        let shown = common::escape_control(name);
        tournament
            .engines
            .iter()
            .position(|engine| engine.name == shown)
            .ok_or_else(|| format!("a stored game names '{shown}', which is no engine of this experiment"))
    };
    let mut standings = Standings::new(tournament.engines.len(), tournament.sprt);
    for game in games {
        standings.add(Played {
            number: game.number,
            white: index(&game.white)?,
            black: index(&game.black)?,
            result: game.result,
            termination: game.termination,
            course: course_of(&game.start, &game.last, game.plies, game.termination),
        });
    }
    Ok(standings)
}

/// Plays the games that are missing in the store. Every game is recorded before it is counted.
pub fn run(tournament: &Tournament, store: &mut Store, session: &mut Session<'_>) -> Result<Finish, String> {
    note_environment(tournament, store)?;
    let games = store.games().map_err(|error| error.to_string())?;
    let mut keeper = Keeper {
        tournament,
        standings: standings_of(tournament, &games)?,
        faults_in_a_row: vec![0; tournament.engines.len()],
        faults: 0,
        played: 0,
        begun: Instant::now(),
        last_table: Instant::now(),
        drawn: 0,
        total: tournament.schedule.pairs().div_ceil(shard_count(tournament)) * 2,
    };
    warn_about_load(tournament, session);
    warn_about_repeats(tournament, session);
    if let Some(words) = table::expected_length(tournament) {
        session.say(&words);
    }
    if keeper.standings.count() > 0 {
        session.say(&format!("resuming: {} games are already there", keeper.standings.count()));
    }
    let host = HostWatch::begin();
    let outcome = if keeper.is_decided() { Ok(false) } else { keeper.play_missing(store, session) };
    keeper.erase(session);
    if outcome.is_err() {
        // Otherwise the table is the result, which is printed at the end.
        session.say_table(&table::render(tournament, &keeper.standings));
    }
    let interrupted = outcome?;
    if keeper.standings.is_used_up() {
        session.say("ended early: the last pairs repeat earlier ones move for move; more openings would give new games");
    }
    host.tell(store, session)?;
    Ok(if interrupted {
        session.say("stopped; the same command goes on from here");
        Finish::Interrupted
    } else if keeper.faults > 0 {
        session.say(&format!("{} games ended by an engine's fault; see the report", keeper.faults));
        Finish::WithFaults
    } else {
        Finish::Complete
    })
}

fn shard_count(tournament: &Tournament) -> u64 {
    let text = tournament.shard.to_string();
    text.split_once('/').and_then(|(_, count)| count.parse().ok()).unwrap_or(1)
}

/// Times are only worth something when every engine has a core.
fn warn_about_load(tournament: &Tournament, session: &mut Session<'_>) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = tournament.engines.iter().map(|engine| engine.threads() as usize).max().unwrap_or(1);
    let ponders = tournament.engines.iter().any(|engine| engine.ponder);
    let wanted = threads * tournament.concurrency * if ponders { 2 } else { 1 };
    let timed = tournament
        .engines
        .iter()
        .any(|engine| engine.limits.clock.is_some() || engine.limits.movetime.is_some());
    if timed && wanted > cores {
        session.say(&format!(
            "warning: {wanted} threads on {cores} cores; engines may lose on time through no fault of theirs"
        ));
    }
}

/// Engines that search so many nodes, or so deep, play an opening the same way each time.
fn warn_about_repeats(tournament: &Tournament, session: &mut Session<'_>) {
    let is_timed = |engine: &EngineSpec| engine.limits.clock.is_some() || engine.limits.movetime.is_some();
    let (openings, rounds) = (tournament.openings.count() as u64, tournament.schedule.rounds());
    if rounds > openings && !tournament.engines.iter().any(is_timed) {
        session.say(&format!(
            "warning: {} for {rounds} pairs of games; without a clock later pairs are likely to repeat earlier ones move for move, and \
             repeats are not counted; --openings file=FILE names a larger set",
            words::count(openings, "opening")
        ));
    }
}

/// Notes the machine and the engines; a rebuilt engine may not continue another one's games.
fn note_environment(tournament: &Tournament, store: &Store) -> Result<(), String> {
    let text = |error: experiment::store::StoreError| error.to_string();
    for (name, value) in environment::facts() {
        store.note_environment(&name, &value).map_err(text)?;
    }
    for engine in &tournament.engines {
        let key = format!("engine {}: options", engine.name);
        store.note_environment(&key, &environment::options(engine)).map_err(text)?;
        let Some(now) = environment::fingerprint(&engine.binary()) else { continue };
        let key = format!("engine {}: binary", engine.name);
        if let Some(before) = store.note_environment(&key, &now).map_err(text)?
            && before != now
        {
            return Err(format!(
                "{}: {} has changed since the first games were played ({before}, now {now}); \
                 choose another folder with --out",
                engine.name,
                engine.launch.command.display()
            ));
        }
    }
    Ok(())
}

struct Keeper<'a> {
    tournament: &'a Tournament,
    standings: Standings,
    faults_in_a_row: Vec<u32>,
    faults: u64,
    /// Games played by this run.
    played: u64,
    begun: Instant,
    last_table: Instant,
    /// Lines of the table that stands in the terminal now.
    drawn: usize,
    /// Games of the whole schedule, or of this shard.
    total: u64,
}

impl Keeper<'_> {
    /// More games would change nothing.
    fn is_decided(&self) -> bool {
        self.standings.decision() != SprtDecision::Continue || self.standings.is_used_up()
    }

    /// Whether the user stopped it.
    fn play_missing(&mut self, store: &mut Store, session: &mut Session<'_>) -> Result<bool, String> {
        let tournament = self.tournament;
        if !tournament.schedule.is_staged() {
            let done = store.game_numbers().map_err(|error| error.to_string())?;
            let missing = (0..tournament.schedule.games())
                .filter(move |number| !done.contains(number))
                .filter_map(move |number| tournament.schedule.task(number))
                .filter(move |task| tournament.shard.holds(task.pair));
            return self.play_tasks(missing, store, session);
        }
        // The next stage is known when the one before is played.
        loop {
            let points: BTreeMap<u64, f64> =
                self.standings.games().map(|game| (game.number, game.result.points())).collect();
            let stages = tournament.schedule.stages(&|number| points.get(&number).copied());
            let missing: Vec<GameTask> =
                stages.into_iter().flatten().filter(|task| !points.contains_key(&task.number)).collect();
            if missing.is_empty() {
                return Ok(false);
            }
            let wanted = self.standings.count() + missing.len();
            if self.play_tasks(missing.into_iter(), store, session)? {
                return Ok(true);
            }
            // Stopped by faults, which were told.
            if self.standings.count() < wanted {
                return Ok(false);
            }
        }
    }

    /// Whether the user stopped it.
    fn play_tasks(
        &mut self,
        missing: impl Iterator<Item = GameTask> + Send,
        store: &mut Store,
        session: &mut Session<'_>,
    ) -> Result<bool, String> {
        let tournament = self.tournament;
        let missing = Mutex::new(missing);
        let next = || missing.lock().ok().and_then(|mut tasks| tasks.next());
        // Raised by a decision, an error or the user; the user's own flag is only looked at.
        let stop = StopFlag::default();
        // Nobody plays ahead of the record: an engine that always fails is noticed before it has spoilt many games.
        let (sender, reports) = sync_channel(0);
        std::thread::scope(|scope| {
            let mut result = Ok(false);
            for number in 0..tournament.concurrency {
                let (next, sender, stop) = (&next, sender.clone(), stop.clone());
                // The worker's engines live and die with its thread.
                let work = move || Worker::new(tournament, next, sender, stop).work(number);
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
                if session.stop.is_raised() && !stop.is_raised() {
                    result = Ok(true);
                    stop.raise();
                }
                match reports.recv_timeout(Duration::from_millis(100)) {
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                    // Games that end after a stop are kept too: what was decided is not changed by them.
                    Ok(report) => match self.take(report, store, session) {
                        Ok(true) => {}
                        Ok(false) => stop.raise(),
                        Err(reason) => {
                            // The first reason is the one to tell.
                            if result.is_ok() {
                                result = Err(reason);
                            }
                            stop.raise();
                        }
                    },
                }
            }
            result
        })
    }

    /// Whether to go on.
    fn take(&mut self, report: Report, store: &Store, session: &mut Session<'_>) -> Result<bool, String> {
        let text = |error: experiment::store::StoreError| error.to_string();
        if matches!(report, Report::Event(_)) {
            self.erase(session);
        }
        match report {
            Report::Fatal { reason } => Err(reason),
            Report::Event(event) => {
                session.say(&format!("{}: {}", event.subject, event.detail));
                store.record_event(&event).map_err(text)?;
                Ok(true)
            }
            Report::Identity { engine, identity, options } => {
                let name = &self.tournament.engines[engine].name;
                store.note_environment(&format!("engine {name}: calls itself"), &identity).map_err(text)?;
                if let Some(all) = environment::all_options(&options) {
                    store.note_environment(&format!("engine {name}: all options"), &all).map_err(text)?;
                }
                Ok(true)
            }
            Report::Played { task, opening, record } => {
                let names = (
                    self.tournament.engines[task.white].name.as_str(),
                    self.tournament.engines[task.black].name.as_str(),
                );
                store.record_game(&task, opening, names, &record).map_err(text)?;
                let (start, last) = (record.game.start().to_fen(), record.game.position().to_fen());
                self.standings.add(Played {
                    course: course_of(&start, &last, record.moves.len(), record.termination),
                    number: task.number,
                    white: task.white,
                    black: task.black,
                    result: record.result,
                    termination: record.termination,
                });
                self.played += 1;
                self.tell(&task, &record, names, session);
                self.watch_faults(&task, &record, names, store, session)?;
                Ok(!self.is_decided())
            }
        }
    }

    fn tell(&mut self, task: &GameTask, record: &GameRecord, names: (&str, &str), session: &mut Session<'_>) {
        if session.verbose {
            self.erase(session);
            let (white, black) = names;
            session.say(&format!(
                "game {} {white} - {black}: {} {} ({} plies, {:.1} s)",
                task.number + 1,
                record.result.as_str(),
                record.detail,
                record.game.moves().len(),
                record.duration.as_secs_f64()
            ));
        }
        if self.tournament.live {
            if self.last_table.elapsed() >= LIVE_EVERY || self.drawn == 0 {
                self.last_table = Instant::now();
                self.erase(session);
                let table = table::render(self.tournament, &self.standings) + "\n" + &self.remaining();
                self.drawn = table.lines().count();
                session.say_table(&table);
            }
        } else if self.last_table.elapsed() >= TABLE_EVERY || self.played == 10 {
            self.last_table = Instant::now();
            session.say_table(&table::render(self.tournament, &self.standings));
            session.say(&self.remaining());
        }
    }

    /// Takes the table that was drawn last off the terminal, so that the next lines stand in its place.
    fn erase(&mut self, session: &mut Session<'_>) {
        if self.drawn > 0 {
            // ANSI: that many lines up, and clear from there.
            session.write(&format!("\u{1b}[{}A\u{1b}[J", self.drawn));
            self.drawn = 0;
        }
    }

    /// Speed and time left.
    fn remaining(&self) -> String {
        let seconds = self.begun.elapsed().as_secs_f64();
        let per_game = seconds / self.played.max(1) as f64;
        let left = self.total.saturating_sub(self.standings.count() as u64);
        let at_most = if self.tournament.sprt.is_some() { "at most " } else { "" };
        format!(
            "{} of {at_most}{} games, {:.0} an hour, {at_most}{} left",
            self.standings.count(),
            self.total,
            3600.0 / per_game.max(1e-9),
            human_time(left as f64 * per_game)
        )
    }

    /// Faults are recorded and told at once; an engine that fails again and again ends the run.
    fn watch_faults(
        &mut self,
        task: &GameTask,
        record: &GameRecord,
        names: (&str, &str),
        store: &Store,
        session: &mut Session<'_>,
    ) -> Result<(), String> {
        let loser = match record.result {
            GameResult::WhiteWins => Some((task.black, names.1)),
            GameResult::BlackWins => Some((task.white, names.0)),
            GameResult::Draw => None,
        };
        let at_fault = loser.filter(|_| record.termination.is_fault());
        for engine in [task.white, task.black] {
            if at_fault.is_none_or(|(culprit, _)| culprit != engine) {
                self.faults_in_a_row[engine] = 0;
            }
        }
        let Some((engine, name)) = at_fault else { return Ok(()) };
        self.erase(session);
        self.faults += 1;
        self.faults_in_a_row[engine] += 1;
        let detail = format!("game {}: {}", task.number + 1, record.detail);
        session.say(&format!("fault: {detail}"));
        let event = Event {
            kind: record.termination.as_str().to_owned(),
            subject: name.to_owned(),
            detail: detail.clone(),
        };
        store.record_event(&event).map_err(|error| error.to_string())?;
        if self.faults_in_a_row[engine] >= self.tournament.max_faults {
            return Err(format!(
                "{name} failed {} games in a row, so the run was stopped; all games are recorded. The last: {detail}",
                self.faults_in_a_row[engine]
            ));
        }
        Ok(())
    }
}

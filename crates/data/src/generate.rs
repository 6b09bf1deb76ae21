//! Self-play on several threads, one file each, until enough positions are there or someone says stop.

use crate::file::{FileError, Header, UnfinishedFile, Writer};
use crate::play::{Openings, Play, Player, UnfinishedGame};
use common::Random;
use eval::Evaluation;
use kernel::Clock;
use kernel::table::TableTooLarge;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    pub folder: PathBuf,
    pub seed: u64,
    /// One thread and one file a shard, numbered from here.
    pub first_shard: u32,
    pub threads: u32,
    /// Plies to have in all files together.
    pub positions: u64,
    /// Size of each thread's table.
    pub megabytes: usize,
    pub play: Play,
    pub openings: Openings,
    /// What the players go by.
    pub evaluation: Evaluation,
}

impl Settings {
    pub fn path(&self, shard: u32) -> PathBuf {
        self.folder.join(format!("selfplay-{}-{shard:03}.games", self.seed))
    }

    fn header(&self, shard: u32) -> Header {
        let Play { soft_nodes, hard_nodes, .. } = self.play;
        Header { seed: self.seed, shard, soft_nodes, hard_nodes, network: self.evaluation.checksum() }
    }
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Progress {
    pub games: u64,
    pub positions: u64,
    pub wanted: u64,
    pub seconds: f64,
    /// Of this run alone.
    pub positions_per_second: f64,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { games, positions, wanted, seconds, positions_per_second: rate } = *self;
        write!(f, "{games} games, {positions} of {wanted} positions, {rate:.0} positions/s, ")?;
        write!(f, "{} gone", hours(seconds))?;
        if rate > 0.0 {
            write!(f, ", {} left", hours(wanted.saturating_sub(positions) as f64 / rate))
        } else {
            Ok(())
        }
    }
}

fn hours(seconds: f64) -> String {
    let minutes = (seconds / 60.0) as u64;
    format!("{}:{:02}:{:02}", minutes / 60, minutes % 60, seconds as u64 % 60)
}

#[derive(Debug)]
pub enum GenerateError {
    File(FileError),
    Table(TableTooLarge),
    Folder(PathBuf, std::io::Error),
    Thread,
    /// The system gave no thread to play in.
    NoThread(String),
}

impl fmt::Display for GenerateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GenerateError::File(error) => error.fmt(f),
            GenerateError::Table(error) => error.fmt(f),
            GenerateError::Folder(path, error) => write!(f, "{}: {error}", path.display()),
            GenerateError::Thread => f.write_str("a playing thread ended unexpectedly"),
            GenerateError::NoThread(error) => write!(f, "no thread to play games in: {error}"),
        }
    }
}

impl std::error::Error for GenerateError {}

/// A block is closed when it is this old, and the game under way is kept, so that a run that is killed every few seconds
/// still gets on.
const COMMIT_INTERVAL: Duration = Duration::from_secs(1);

/// What the playing threads have done, for the thread that reports.
#[derive(Default)]
struct Counters {
    games: AtomicU64,
    positions: AtomicU64,
    finished: AtomicU64,
}

/// Plays until `settings.positions` are there or `stop` is raised; `report` is called about every `interval`. Files of an earlier run with the same settings are continued: each game depends on nothing but the
/// settings, its shard and its number, so an interrupted run ends with the same games as an uninterrupted one.
pub fn generate(
    settings: &Settings,
    clock: &Arc<dyn Clock>,
    stop: &AtomicBool,
    interval: Duration,
    report: &mut dyn FnMut(&Progress),
) -> Result<Progress, GenerateError> {
    std::fs::create_dir_all(&settings.folder)
        .map_err(|error| GenerateError::Folder(settings.folder.clone(), error))?;
    let counters = Counters::default();
    let mut shards = Vec::new();
    for shard in settings.first_shard..settings.first_shard + settings.threads {
        let writer =
            Writer::open(&settings.path(shard), &settings.header(shard)).map_err(GenerateError::File)?;
        let player = Player::new(settings.play, settings.megabytes, Arc::clone(clock))
            .map_err(GenerateError::Table)?
            .with_evaluation(&settings.evaluation)
            .with_openings(&settings.openings);
        counters.games.fetch_add(writer.games(), Ordering::Relaxed);
        counters.positions.fetch_add(writer.plies(), Ordering::Relaxed);
        shards.push((shard, writer, player));
    }
    let before = counters.positions.load(Ordering::Relaxed);
    let started = clock.now();
    let progress = || {
        let seconds = clock.now().saturating_sub(started).as_secs_f64();
        let positions = counters.positions.load(Ordering::Relaxed);
        let rate = if seconds > 0.0 { (positions - before) as f64 / seconds } else { 0.0 };
        Progress {
            games: counters.games.load(Ordering::Relaxed),
            positions,
            wanted: settings.positions,
            seconds,
            positions_per_second: rate,
        }
    };
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for (shard, writer, player) in shards {
            let counters = &counters;
            let clock = clock.as_ref();
            let work = move || {
                let done = fill(settings, shard, writer, player, clock, counters, stop);
                counters.finished.fetch_add(1, Ordering::Release);
                done
            };
            // Where the system gives fewer threads, fewer games are played at a time.
            match std::thread::Builder::new().spawn_scoped(scope, work) {
                Ok(thread) => threads.push(thread),
                Err(error) if threads.is_empty() => return Err(GenerateError::NoThread(error.to_string())),
                Err(_) => break,
            }
        }
        let mut reported = started;
        while counters.finished.load(Ordering::Acquire) < threads.len() as u64 {
            std::thread::park_timeout(Duration::from_millis(50));
            if clock.now().saturating_sub(reported) >= interval {
                reported = clock.now();
                report(&progress());
            }
        }
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| GenerateError::Thread)?)
    })?;
    Ok(progress())
}

fn fill(
    settings: &Settings,
    shard: u32,
    mut writer: Writer,
    mut player: Player,
    clock: &dyn Clock,
    counters: &Counters,
    stop: &AtomicBool,
) -> Result<(), GenerateError> {
    let enough = || counters.positions.load(Ordering::Relaxed) >= settings.positions;
    let unfinished = UnfinishedFile::beside(&settings.path(shard), settings.header(shard));
    let mut kept = unfinished.read(writer.games());
    let mut committer = Committer { clock, unfinished, last: clock.now() };
    while !enough() && !stop.load(Ordering::Relaxed) {
        let number = writer.games();
        let mut kept_so_far = Ok(());
        let game = player.game_from(
            &mut Random::of_game(settings.seed, shard, number),
            kept.take(),
            &mut |played| {
                if kept_so_far.is_ok() {
                    kept_so_far = committer.commit(&mut writer, Some((number, played)));
                }
            },
        );
        counters.games.fetch_add(1, Ordering::Relaxed);
        counters.positions.fetch_add(game.plies.len() as u64, Ordering::Relaxed);
        let written =
            kept_so_far.and_then(|()| writer.write(&game)).and_then(|()| committer.commit(&mut writer, None));
        if let Err(error) = written {
            // Without a place to write, the other threads play for nothing too.
            stop.store(true, Ordering::Relaxed);
            return Err(GenerateError::File(error));
        }
    }
    writer.flush().map_err(GenerateError::File)?;
    committer.unfinished.remove();
    Ok(())
}

/// Puts on the disk what a kill would lose, when the last time is long enough ago.
struct Committer<'a> {
    clock: &'a dyn Clock,
    unfinished: UnfinishedFile,
    last: Duration,
}

impl Committer<'_> {
    /// Closes the block and keeps the game under way, given with its number.
    fn commit(
        &mut self,
        writer: &mut Writer,
        played: Option<(u64, &UnfinishedGame)>,
    ) -> Result<(), FileError> {
        let now = self.clock.now();
        if now.saturating_sub(self.last) < COMMIT_INTERVAL {
            return Ok(());
        }
        self.last = now;
        writer.flush()?;
        match played {
            Some((number, game)) => self.unfinished.write(number, game),
            None => Ok(()),
        }
    }
}

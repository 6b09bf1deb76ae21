//! Files of games: written, torn, broken, continued.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use common::{Folder, QUICK, clock, games};
use data::file::{Header, Reader, UnfinishedFile, Writer, read_all};
use data::game::GameRecord;
use data::generate::{GenerateError, Settings, generate};
use data::play::UnfinishedGame;
use eval::Evaluation;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const HEADER: Header = Header { seed: 9, shard: 0, soft_nodes: 20, hard_nodes: 100, network: 0 };

/// Three games, a block each.
fn three_blocks(path: &Path) -> Vec<GameRecord> {
    let games = games(3);
    let mut writer = Writer::open(path, &HEADER).unwrap();
    for game in &games {
        writer.write(game).unwrap();
        writer.flush().unwrap();
    }
    games
}

fn read(path: &Path) -> (Vec<GameRecord>, Vec<String>) {
    let (mut games, mut faults) = (Vec::new(), Vec::new());
    read_all(path, |game| games.push(game), |error| faults.push(error.to_string())).unwrap();
    (games, faults)
}

fn offsets(path: &Path) -> Vec<usize> {
    let mut reader = Reader::open(path).unwrap();
    let mut offsets = vec![reader.offset() as usize];
    while reader.next_block().unwrap().is_some() {
        offsets.push(reader.offset() as usize);
    }
    offsets
}

#[test]
fn games_come_back_and_take_about_four_bytes_a_position() {
    let folder = Folder::new("back");
    let path = folder.0.join("a.games");
    let games = games(40);
    let mut writer = Writer::open(&path, &HEADER).unwrap();
    for game in &games {
        writer.write(game).unwrap();
    }
    writer.flush().unwrap();
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    assert_eq!((writer.games(), writer.plies()), (40, plies as u64));
    assert_eq!(read(&path), (games, Vec::new()));
    let bytes = fs::metadata(&path).unwrap().len() as f64 / plies as f64;
    assert!(bytes < 6.0, "{bytes} bytes a position");
}

#[test]
fn a_broken_block_is_named_and_stepped_over() {
    let folder = Folder::new("broken");
    let path = folder.0.join("a.games");
    let games = three_blocks(&path);
    let at = offsets(&path)[1];
    let mut bytes = fs::read(&path).unwrap();
    bytes[at + 60] ^= 1;
    fs::write(&path, bytes).unwrap();
    let (found, faults) = read(&path);
    assert_eq!(found, [games[0].clone(), games[2].clone()]);
    assert_eq!(faults.len(), 1);
    assert!(
        faults[0].contains(&format!("a.games, byte {at}: the block's checksum does not fit")),
        "{faults:?}"
    );
}

#[test]
fn a_broken_head_ends_the_reading_with_a_reason() {
    let folder = Folder::new("head");
    let path = folder.0.join("a.games");
    let games = three_blocks(&path);
    let at = offsets(&path)[1];
    let mut bytes = fs::read(&path).unwrap();
    bytes[at + 5] ^= 0xff;
    fs::write(&path, bytes).unwrap();
    let (found, faults) = read(&path);
    assert_eq!(found, games[..1]);
    assert!(faults[0].contains("no block begins here"), "{faults:?}");
}

#[test]
fn a_torn_end_is_cut_off_and_continued() {
    let folder = Folder::new("torn");
    let path = folder.0.join("a.games");
    let games = three_blocks(&path);
    let whole = fs::read(&path).unwrap();
    let last = offsets(&path)[2];
    for cut in [last + 1, last + 23, last + 24, whole.len() - 1] {
        fs::write(&path, &whole[..cut]).unwrap();
        assert_eq!(read(&path).1.len(), 1, "cut at {cut}");
        let mut writer = Writer::open(&path, &HEADER).unwrap();
        assert_eq!(writer.games(), 2);
        writer.write(&games[2]).unwrap();
        writer.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
}

#[test]
fn foreign_newer_and_other_files_are_refused() {
    let folder = Folder::new("foreign");
    let path = folder.0.join("a.games");
    let refusal = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Reader::open(&path).err().expect("refused").to_string()
    };
    assert!(refusal(b"PK something else").contains("does not begin with TABIYAGM"));
    assert!(refusal(&HEADER.to_bytes()[..40]).contains("the header has 40 bytes, expected 64"));
    let mut newer = HEADER.to_bytes();
    newer[8] = 2;
    assert!(refusal(&newer).contains("version 2, expected 1"));
    let mut changed = HEADER.to_bytes();
    changed[17] ^= 1;
    assert!(refusal(&changed).contains("the header's checksum does not fit"));
    fs::write(&path, HEADER.to_bytes()).unwrap();
    let other = Writer::open(&path, &Header { seed: 10, ..HEADER }).err().expect("refused").to_string();
    assert!(other.contains("holds another run"), "{other}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said() {
    let refusal = Writer::open(Path::new("/dev/full"), &HEADER).err().expect("refused").to_string();
    assert!(refusal.contains("/dev/full, byte 0: 64 bytes could not be written"), "{refusal}");
}

fn settings(folder: &Path, positions: u64) -> Settings {
    Settings {
        folder: folder.to_path_buf(),
        seed: 9,
        first_shard: 0,
        threads: 1,
        positions,
        megabytes: 1,
        play: QUICK,
        openings: data::play::Openings::default(),
        evaluation: Evaluation::default(),
    }
}

fn run(settings: &Settings) -> Result<u64, GenerateError> {
    let stop = AtomicBool::new(false);
    generate(settings, &clock(), &stop, Duration::from_secs(1), &mut |_| {}).map(|done| done.positions)
}

#[test]
fn an_interrupted_run_ends_with_the_same_games() {
    let (one, two) = (Folder::new("one"), Folder::new("two"));
    let whole = settings(&one.0, 1500);
    assert!(run(&whole).unwrap() >= 1500);
    for positions in [300, 800, 1500] {
        run(&settings(&two.0, positions)).unwrap();
        // A kill in the middle of a write.
        let path = whole.path(0);
        let path = two.0.join(path.file_name().unwrap());
        let length = fs::metadata(&path).unwrap().len();
        if positions < 1500 {
            fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 3).unwrap();
        }
    }
    let path = whole.path(0);
    assert_eq!(read(&path), read(&two.0.join(path.file_name().unwrap())));
    assert_eq!(read(&path).0[..3], games(3));
}

/// A clock that goes on by 100 ms whenever somebody looks.
struct Steps(std::sync::atomic::AtomicU64);

impl kernel::Clock for Steps {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(100, std::sync::atomic::Ordering::Relaxed))
    }
}

#[test]
fn a_run_that_is_killed_after_a_few_games_has_kept_some() {
    let folder = Folder::new("killed");
    let settings = settings(&folder.0, 1 << 40);
    let clock: std::sync::Arc<dyn kernel::Clock> = std::sync::Arc::new(Steps(0.into()));
    let stop = AtomicBool::new(false);
    let mut lags = Vec::new();
    // What a kill would leave, looked at while the run goes on.
    generate(&settings, &clock, &stop, Duration::from_millis(1), &mut |progress| {
        if lags.len() == 8 {
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        } else if progress.games > 0 {
            let copy = folder.0.join("copy");
            fs::copy(settings.path(0), &copy).unwrap();
            lags.push(progress.games.saturating_sub(read(&copy).0.len() as u64));
        }
    })
    .unwrap();
    // A second of games at most; a block that waits until it is full would lag by up to 100 games.
    assert!(lags.iter().all(|&lag| lag <= 12), "{lags:?}");
}

/// What a run leaves that is killed in the middle of its second game: the next one goes on there.
#[test]
fn a_game_under_way_is_continued() {
    let folder = Folder::new("unfinished");
    let settings = settings(&folder.0, 1);
    run(&settings).unwrap();
    let path = settings.path(0);
    let file = UnfinishedFile::beside(&path, HEADER);
    let second = games(2).pop().unwrap();
    let mut kept = UnfinishedGame { start: second.start.clone(), plies: second.plies[..16].to_vec() };
    // A score that no search gave tells whether these plies were taken or played again.
    kept.plies[0].score = 77;
    file.write(1, &kept).unwrap();
    assert_eq!(file.read(1).as_ref(), Some(&kept));
    assert_eq!(file.read(0), None, "of another game");
    let other = UnfinishedFile::beside(&path, Header { seed: 10, ..HEADER });
    assert_eq!(other.read(1), None, "of another run");
    let positions = read(&path).0[0].plies.len() as u64 + 1;
    run(&Settings { positions, ..settings.clone() }).unwrap();
    let mut expected = second;
    expected.plies[0].score = 77;
    assert_eq!(read(&path).0[1], expected);
    assert_eq!(file.read(1), None, "it is over");

    file.write(1, &kept).unwrap();
    let place = path.with_extension("unfinished");
    let mut bytes = fs::read(&place).unwrap();
    for at in 0..bytes.len() {
        bytes[at] ^= 1;
        fs::write(&place, &bytes).unwrap();
        assert_eq!(file.read(1), None, "byte {at} is damaged");
        bytes[at] ^= 1;
    }
}

#[test]
fn other_settings_do_not_continue_a_run() {
    let folder = Folder::new("settings");
    run(&settings(&folder.0, 100)).unwrap();
    let mut other = settings(&folder.0, 200);
    other.play.soft_nodes = 30;
    assert!(run(&other).unwrap_err().to_string().contains("holds another run"));
}

//! Suites, times to depth, ablations and ladders through the command line.

// Helpers of tests assert by unwrapping, as the tests themselves do.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

mod common;

use common::{Folder, example, text};
use experiment::spec::Spec;
use experiment::store::Store;
use lab::experiments::kind_named;

const SUITE: &str = "\
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back rank\";
7k/5Q2/5K2/8/8/8/8/8 w - - bm #1; id \"mate in one\";
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; am Ke2; id \"free queen\";
";

fn suite_in(folder: &Folder) -> String {
    std::fs::create_dir_all(folder.path()).unwrap();
    let path = folder.path().join("suite.epd");
    std::fs::write(&path, SUITE).unwrap();
    path.display().to_string()
}

fn command(words: &str, folder: &Folder) -> Command {
    let mut command = Command::new(example("lab"));
    command.args(words.split_whitespace()).arg("--out").arg(folder.path().join("run"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn tasks(folder: &Folder) -> Vec<String> {
    let store = Store::open(&folder.path().join("run")).unwrap();
    store.rows().unwrap().into_iter().map(|row| row.task).collect()
}

#[test]
fn every_command_explains_itself() {
    for words in ["suite --help", "merge --help", "help", ""] {
        let output = Command::new(example("lab")).args(words.split_whitespace()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words}: {}", text(&output));
        assert!(text(&output).contains("lab suite"), "{words}: {}", text(&output));
    }
}

#[test]
fn our_own_engine_solves_easy_problems() {
    let folder = Folder::new("suite");
    let words = format!(
        "suite --engine proto=internal name=own --each depth=5 --positions file={}",
        suite_in(&folder)
    );
    let output = command(&words, &folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("own solved 3 of 3"), "{}", text(&output));
    assert!(text(&output).contains("mates: 1 of the known length, 0 longer"), "{}", text(&output));
    let report = std::fs::read_to_string(folder.path().join("run/report.html")).unwrap();
    assert!(report.contains("own solved 3 of 3") && !report.contains("<script"));
    let again = command(&words, &folder).output().unwrap();
    std::fs::remove_file(folder.path().join("suite.epd")).unwrap();
    let redrawn = Command::new(example("lab")).arg("report").arg(folder.path().join("run")).output().unwrap();
    assert!(redrawn.status.success(), "a report needs no file but the store: {}", text(&redrawn));
    assert!(text(&again).contains("resuming: 3 searches"), "{}", text(&again));
}

#[test]
fn a_time_to_depth_run_killed_twice_has_every_row_once() {
    let folder = Folder::new("ttd");
    let engine = format!("cmd={} name=x args=--delay args=15", example("scripted_engine").display());
    let words = format!(
        "ttd --engine {engine} --each depth=1 --threads 1,2 --repetitions 4 --positions file={}",
        suite_in(&folder)
    );
    for wanted in [3, 9] {
        let mut child = command(&words, &folder).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while Instant::now() < deadline {
            let rows = Store::open(&folder.path().join("run")).and_then(|store| store.rows());
            if rows.is_ok_and(|rows| rows.len() >= wanted) || child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = command(&words, &folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("resuming:"), "{}", text(&output));
    let mut expected = Vec::new();
    for threads in 1..=2 {
        for position in ["back rank", "free queen", "mate in one"] {
            for repetition in 1..=4 {
                expected.push(format!("x/{threads}/{position}/{repetition}"));
            }
        }
    }
    assert_eq!(tasks(&folder), expected);
}

#[test]
fn a_program_in_virtual_time_is_measured_by_its_own_clock_with_a_seed_a_repetition() {
    let folder = Folder::new("ttd-virtual");
    let engine = format!("cmd={} name=x", example("scripted_engine").display());
    let words = format!(
        "ttd --engine {engine} --each depth=1 --threads 1,4 --threads-option VirtualThreads --repetitions 2 \
         --positions file={}",
        suite_in(&folder)
    );
    let output = command(&words, &folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let rows = Store::open(&folder.path().join("run")).unwrap().rows().unwrap();
    let mut times: Vec<_> = rows
        .iter()
        .filter(|row| row.text("position") == Some("back rank"))
        .map(|row| (row.number("threads"), row.number("repetition"), row.number("depth_ms")))
        .collect();
    times.sort_by(|one, other| one.partial_cmp(other).unwrap());
    let expected = [(1.0, 1.0, 61_000.0), (1.0, 2.0, 62_000.0), (4.0, 1.0, 16_000.0), (4.0, 2.0, 17_000.0)];
    assert_eq!(times, expected.map(|(threads, number, time)| (Some(threads), Some(number), Some(time))));
}

#[test]
fn an_ablation_compares_with_the_whole_engine() {
    let folder = Folder::new("ablate");
    let suite = suite_in(&folder);
    let words = format!("ablate --each depth=3 --techniques killers,table --positions file={suite}");
    let output = command(&words, &folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("without killers"), "{}", text(&output));
    assert_eq!(tasks(&folder).len(), 9);
    let wrong =
        command(&format!("ablate --each depth=3 --techniques nonsense --positions file={suite}"), &folder);
    let output = { wrong }.output().unwrap();
    assert!(text(&output).contains("no technique or variant 'nonsense'"), "{}", text(&output));
}

#[test]
fn the_report_of_klas_has_its_tables_and_figures() {
    let folder = Folder::new("klas");
    let suite = suite_in(&folder);
    let words = format!("ablate --each depth=4 --techniques klas --positions file={suite}");
    let output = command(&words, &folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let report = std::fs::read_to_string(folder.path().join("run/report.html")).unwrap();
    for part in [
        "Time of each variant against the search with one thread",
        "Each search of klas-mo",
        "Each search of klas-mt",
        "All hits, beside those of KLAS",
        "Memory by iteration",
        "914.7",
    ] {
        assert!(report.contains(part), "{part}");
    }
    // KLAS lacks most of the engine: its variants are compared with each other, not with the whole engine.
    let (printed, techniques) = (text(&output), "What each technique is worth");
    assert!(printed.contains("variant, against 'klas-st'"), "{printed}");
    assert!(!report.contains(techniques), "no variant is compared with the whole engine");
}

#[test]
fn an_engine_that_crashes_leaves_rows_that_say_so() {
    let folder = Folder::new("suite-crash");
    let engine = format!("cmd={} name=x args=--crash-after args=2", example("scripted_engine").display());
    let words = format!("suite --engine {engine} --each depth=1 --positions file={}", suite_in(&folder));
    let output = command(&words, &folder).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    let store = Store::open(&folder.path().join("run")).unwrap();
    let faults = store.rows().unwrap().iter().filter(|row| row.text("fault").is_some()).count();
    assert_eq!((faults, store.events().unwrap().len()), (1, 1));
}

#[test]
fn a_ladder_rates_an_engine_by_its_threads() {
    let engine = example("scripted_engine").display().to_string();
    let report = |name: &str, threads: &str| {
        let folder = Folder::new(name);
        let words = format!(
            "threads-elo --hero cmd={engine} name=h args=--seed args=1 --threads {threads} --engine cmd={engine} name=p \
             args=--seed args=2 rating=2000 --each nodes=1 --pairs 2"
        );
        std::fs::create_dir_all(folder.path()).unwrap();
        let output = command(&words, &folder).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        std::fs::read_to_string(folder.path().join("run/report.html")).unwrap()
    };
    let three = report("ladder-of-three", "1,2,4");
    for part in ["Strength over threads", "K = 10", "h 1t", "h 2t", "h 4t", "logarithmic fit"] {
        assert!(three.contains(part), "{part}");
    }
    let two = report("ladder-of-two", "1,2");
    assert!(
        two.contains("h 2t") && !two.contains("ogarithmic fit"),
        "a curve through two points says nothing"
    );
}

/// Every ready-made file describes a known experiment and has a quick version.
#[test]
fn the_ready_made_files_are_readable() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let mut spec = Spec::from_toml(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let kind = spec.text("experiment").unwrap().to_owned();
        assert!(kind_named(&kind).is_some(), "{}: {kind}", path.display());
        assert!(spec.remove("quick").is_some(), "{}: no [quick]", path.display());
        count += 1;
    }
    assert!(count >= 6, "{count}");
}

#[test]
fn a_tuning_run_interrupted_goes_on_as_if_it_had_not_been() {
    let (whole, parts) = (Folder::new("spsa-whole"), Folder::new("spsa-parts"));
    let words = "spsa --each nodes=200 option.Hash=1 --iterations 4 --parameter name=futility start=88 least=30 most=200 \
                 r_end=0.05 --parameter name=razoring start=200 least=80 most=500 r_end=0.05 --resign score=300";
    let output = command(words, &whole).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("4 of 4 iterations") && text(&output).contains("option.futility="));
    let mut first = command(&format!("{words} --verbose"), &parts).spawn().unwrap();
    let begun = Instant::now();
    let has_rows = |store: Store| store.rows().is_ok_and(|rows| !rows.is_empty());
    while !Store::open(&parts.path().join("run")).is_ok_and(has_rows) {
        assert!(begun.elapsed() < Duration::from_secs(120), "no iteration within two minutes");
        std::thread::sleep(Duration::from_millis(20));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    let output = Command::new(example("lab")).arg("resume").arg(parts.path().join("run")).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let rows = |folder: &Folder| Store::open(&folder.path().join("run")).unwrap().rows().unwrap();
    assert_eq!(rows(&whole), rows(&parts));
    let report = std::fs::read_to_string(parts.path().join("run/report.html")).unwrap();
    assert!(report.contains("futility") && !report.contains("<script"));
}

#[test]
fn the_openbench_file_names_settings_that_exist() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openbench/Tabiya.json");
    let engine: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(engine["nps"].as_u64().is_some_and(|nps| nps > 0));
    let presets = ["test_presets", "tune_presets", "datagen_presets"];
    let tables = presets.iter().flat_map(|kind| engine[kind].as_object().unwrap().values());
    let mut count = 0;
    for preset in tables {
        for key in ["both_options", "dev_options"] {
            let Some(words) = preset[key].as_str() else { continue };
            for word in words.split(' ') {
                let name = word.split('=').next().unwrap();
                assert!(engine::OptionTable::all().iter().any(|option| option.name == name), "{word}");
                count += 1;
            }
        }
    }
    assert!(count >= 6, "{count}");
}

#[test]
fn a_study_of_speculation_goes_on_where_it_stopped() {
    let folder = Folder::new("people");
    std::fs::create_dir_all(folder.path()).unwrap();
    let book = folder.path().join("book.epd");
    std::fs::write(&book, "4k3/8/8/8/8/8/4PPP1/R3K2R w KQ -\n4k3/8/8/8/8/3Q4/8/4K3 w - -\n").unwrap();
    let words = |pairs: u32| {
        format!(
            "human --arms plain,expectimax --ratings 900 --nodes 200 --pairs {pairs} --openings file={} order=sequential",
            book.display()
        )
    };
    let output = command(&words(1), &folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(tasks(&folder).len(), 4);
    let output = command(&words(2), &folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("resuming: 4 games are already there"), "{}", text(&output));
    assert!(text(&output).contains("plain\t4\t"), "{}", text(&output));
    assert_eq!(tasks(&folder).len(), 8);
    let page = std::fs::read_to_string(folder.path().join("run/report.html")).unwrap();
    assert!(page.contains("Simulated humans rated 900") && page.contains("8 of 8 games are played"));
    for (words, reason) in [
        ("human --arms bold", "arm 'bold', expected one of plain"),
        ("human --ratings 9000", "rating 9000: expected 100 to 4000"),
        ("human --arms perfect", "the arm perfect knows the network of the people"),
        ("human --people no/such/file --pairs 1", "no/such/file"),
    ] {
        let output = command(words, &Folder::new("people-bad")).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{words}: {}", text(&output));
        assert!(text(&output).contains(reason), "{words}: {}", text(&output));
    }
}

#[test]
fn a_profile_tells_phases_with_or_without_perf() {
    let folder = Folder::new("profile");
    let words = "profile --depth 7 --rounds 1";
    // Nothing can be found there, perf least of all.
    let output = command(words, &folder).env("PATH", "").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("no functions: perf cannot be started"), "{}", text(&output));
    assert!(text(&output).contains("making moves"), "{}", text(&output));
    let report = std::fs::read_to_string(folder.path().join("run/report.html")).unwrap();
    assert!(report.contains("Not recorded for hce: perf cannot be started") && !report.contains("<script"));
    let insisting = command(&format!("{words} --functions perf"), &folder).env("PATH", "").output().unwrap();
    assert_eq!(insisting.status.code(), Some(1), "{}", text(&insisting));
    let again = command(&format!("{words} --functions none"), &folder).output().unwrap();
    assert!(text(&again).contains("resuming: 40 rows"), "{}", text(&again));
    let redrawn = Command::new(example("lab")).arg("report").arg(folder.path().join("run")).output().unwrap();
    assert!(redrawn.status.success(), "{}", text(&redrawn));
}

#[test]
fn leiserchess_is_measured_version_by_version() {
    let folder = Folder::new("laser");
    let words = "laser --versions reference,fitted,without-scout --depth 4 --seconds 0.01 --threads 1,2 --virtual 1,4 \
                 --parallel lazy,ybwc --repetitions 1 --book openings=1 nodes=200 depth=3 rank_depth=2 book_plies=1";
    let output = command(words, &folder).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    for part in ["without-scout", "4 virtual", "set-locked", "With a book against without"] {
        assert!(text(&output).contains(part), "{part}: {}", text(&output));
    }
    let report = std::fs::read_to_string(folder.path().join("run/report.html")).unwrap();
    assert!(report.contains("The table, with locks and without") && !report.contains("<script"));
    let before = tasks(&folder);
    let again = command(words, &folder).output().unwrap();
    assert!(text(&again).contains(&format!("resuming: {} rows", before.len())), "{}", text(&again));
    assert_eq!(tasks(&folder), before);
    let redrawn = Command::new(example("lab")).arg("report").arg(folder.path().join("run")).output().unwrap();
    assert!(redrawn.status.success(), "{}", text(&redrawn));
    let wrong = command("laser --versions newest", &folder).output().unwrap();
    assert!(text(&wrong).contains("expected ladder"), "{}", text(&wrong));
}

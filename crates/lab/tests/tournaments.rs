//! Whole experiments through the command line, with engines that behave and engines that do not.

// Helpers of tests assert by unwrapping, as the tests themselves do.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

mod common;

use common::{Folder, example, text};
use experiment::store::{Store, StoredGame};
use match_runner::game::Termination;

fn engine(name: &str, script: &str) -> Vec<String> {
    let mut words = vec![
        "--engine".to_owned(),
        format!("cmd={}", example("scripted_engine").display()),
        format!("name={name}"),
    ];
    words.extend(script.split_whitespace().map(|word| format!("args={word}")));
    words
}

fn command(kind: &str, folder: &Folder, engines: &[Vec<String>], more: &str) -> Command {
    let mut command = Command::new(example("lab"));
    command
        .arg(kind)
        .args(engines.iter().flatten())
        .args(more.split_whitespace())
        .arg("--out")
        .arg(folder.path());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(kind: &str, folder: &Folder, engines: &[Vec<String>], more: &str) -> Output {
    command(kind, folder, engines, more).output().unwrap()
}

fn games(folder: &Folder) -> Vec<StoredGame> {
    Store::open(folder.path()).unwrap().games().unwrap()
}

/// What must be the same however often a run was interrupted.
fn essence(folder: &Folder) -> Vec<(u64, String, String, String, Vec<String>)> {
    let moves = |game: &StoredGame| game.moves.iter().map(|played| played.text.clone()).collect();
    let line = |game: &StoredGame| {
        (game.number, game.white.clone(), game.black.clone(), game.result.as_str().to_owned(), moves(game))
    };
    games(folder).iter().map(line).collect()
}

const BOOK: &str = "\
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
rnbqkb1r/pppppppp/5n2/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 1 2
";

fn with_book(folder: &Folder) -> String {
    std::fs::create_dir_all(folder.path()).unwrap();
    let book = folder.path().join("book.epd");
    std::fs::write(&book, BOOK).unwrap();
    format!("--openings file={}", book.display())
}

#[test]
fn a_match_plays_every_opening_twice_with_colours_swapped() {
    let folder = Folder::new("match");
    let more = format!("{} --each nodes=1 --pairs 5 --concurrency 2", with_book(&folder));
    let output = run("match", &folder, &[engine("a", "--seed 1"), engine("b", "--seed 2")], &more);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("Games: 10, "), "{}", text(&output));
    let games = games(&folder);
    assert_eq!(games.len(), 10);
    for pair in games.chunks(2) {
        assert_eq!(pair[0].start, pair[1].start);
        assert_eq!((&pair[0].white, &pair[0].black), (&pair[1].black, &pair[1].white));
    }
    let starts: std::collections::BTreeSet<&String> = games.iter().map(|game| &game.start).collect();
    assert_eq!(starts.len(), 5, "every opening is used before any comes again");
    assert!(games.iter().all(|game| game.replay().is_ok()));
    for file in ["games.csv", "games.pgn", "final.epd"] {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
}

#[test]
fn an_xboard_engine_plays_a_uci_engine() {
    let folder = Folder::new("xboard");
    let mut xboard = engine("x", "--seed 1 --xboard");
    xboard.push("proto=xboard".to_owned());
    let more = format!("{} --each depth=1 --pairs 2", with_book(&folder));
    let output = run("match", &folder, &[xboard, engine("u", "--seed 2")], &more);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let games = games(&folder);
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| !game.termination.is_fault() && game.moves.len() > 10));
}

/// Every way to misbehave is recorded as what it is, told, and gives a non-zero exit; the games played stay.
#[test]
fn engines_that_misbehave_are_recorded_and_told() {
    let cases = [
        ("crash", "--crash-after 7", Termination::Disconnect, "scripted crash"),
        ("hang", "--hang-after 7", Termination::Stall, "stalled"),
        ("illegal", "--illegal-after 7", Termination::IllegalMove, "a1a8"),
        ("garbage", "--garbage-after 7", Termination::IllegalMove, "is not a move"),
    ];
    for (name, script, termination, words) in cases {
        let folder = Folder::new(name);
        let engines = [engine("bad", script), engine("good", "--seed 2")];
        let output = run("match", &folder, &engines, "--each nodes=1 --pairs 1 --patience 1");
        assert_eq!(output.status.code(), Some(3), "{name}: {}", text(&output));
        let games = games(&folder);
        assert_eq!(games.len(), 2, "{name}");
        for game in &games {
            assert_eq!(game.termination, termination, "{name}: {}", game.detail);
            assert!(game.detail.contains(words), "{name}: {}", game.detail);
            let winner = if game.result.as_str() == "1-0" { &game.white } else { &game.black };
            assert_eq!(winner, "good", "{name}");
        }
        assert!(text(&output).contains(words), "{name}: {}", text(&output));
        assert!(!Store::open(folder.path()).unwrap().events().unwrap().is_empty(), "{name}");
    }
}

#[test]
fn an_engine_that_always_fails_ends_the_run_with_its_games_kept() {
    let folder = Folder::new("hopeless");
    let engines = [engine("bad", "--crash-after 0"), engine("good", "--seed 2")];
    let output = run("match", &folder, &engines, "--each nodes=1 --pairs 50 --max-faults 3");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("failed 3 games in a row"), "{}", text(&output));
    // A game that ends while the run is being stopped is kept too.
    assert!((3..=6).contains(&games(&folder).len()), "{}", games(&folder).len());
}

#[test]
fn an_engine_that_never_speaks_or_does_not_exist_is_told_at_once() {
    let folder = Folder::new("mute");
    let mut mute = engine("mute", "--mute");
    mute.push("handshake=0.3".to_owned());
    let output = run("match", &folder, &[mute, engine("good", "")], "--each nodes=1");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains("mute could not be started: no 'uciok' within 0.3 s"),
        "{}",
        text(&output)
    );

    let missing = vec!["--engine".to_owned(), "cmd=/no/such/engine".to_owned()];
    let output = run("match", &Folder::new("missing"), &[missing, engine("good", "")], "--each nodes=1");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("/no/such/engine"), "{}", text(&output));

    let mut option = engine("picky", "");
    option.push("option.Contempt=10".to_owned());
    let output = run("match", &Folder::new("option"), &[option, engine("good", "")], "--each nodes=1");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output).contains(
            "no option 'Contempt'; the engine has: Hash, Ponder, VirtualThreads, VirtualSeed, Threads"
        ),
        "{}",
        text(&output)
    );
}

#[test]
fn overstepping_the_clock_is_a_loss_on_time() {
    let folder = Folder::new("flag");
    let engines = [engine("slow", "--delay 120"), engine("quick", "")];
    let output = run("match", &folder, &engines, "--each tc=0.4 --pairs 1");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(games(&folder).iter().all(|game| game.termination == Termination::TimeForfeit));
    assert!(text(&output).contains("slow: 2 games lost on time"), "{}", text(&output));
}

#[test]
fn games_in_virtual_time_are_the_same_games_again() {
    let own = |name: &str, way: &str| {
        ["--engine", "proto=internal", &format!("name={name}"), &format!("option.Parallel={way}")]
            .map(str::to_owned)
            .to_vec()
    };
    let play = |name: &str, concurrency: usize| {
        let folder = Folder::new(name);
        let more = format!(
            "{} --each tc=0.04+0.001 option.VirtualThreads=5 option.Hash=1 --pairs 2 --concurrency {concurrency} \
             --max-moves 40 --resign moves=2 score=400",
            with_book(&folder)
        );
        let output = run("match", &folder, &[own("teams", "teams"), own("lazy", "lazy")], &more);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output));
        let ends: Vec<Termination> = games(&folder).iter().map(|game| game.termination).collect();
        assert!(!ends.contains(&Termination::TimeForfeit), "{ends:?}");
        essence(&folder)
    };
    assert_eq!(play("virtual-one", 1), play("virtual-two", 2), "whatever else the machine does");
}

#[test]
fn wrong_usage_is_explained() {
    for (words, code, reason) in [
        ("match --bogus", 2, "unknown flag --bogus"),
        ("dance", 2, "unknown command 'dance'"),
        ("match /no/such.toml", 1, "/no/such.toml"),
        ("match --engine hello", 2, "expected name=value"),
        ("export /no/such csv", 1, "no experiment here"),
        ("merge", 2, "expected a folder"),
    ] {
        let output = Command::new(example("lab")).args(words.split_whitespace()).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{words}: {}", text(&output));
        assert!(text(&output).contains(reason), "{words}: {}", text(&output));
    }
}

#[test]
fn a_missing_or_empty_book_is_told() {
    let folder = Folder::new("book");
    std::fs::create_dir_all(folder.path()).unwrap();
    let empty = folder.path().join("empty.epd");
    std::fs::write(&empty, "\n").unwrap();
    for (book, reason) in
        [("/no/book.epd".to_owned(), "/no/book.epd"), (empty.display().to_string(), "no opening")]
    {
        let more = format!("--each nodes=1 --openings file={book}");
        let output = run("match", &Folder::new("nobook"), &[engine("a", ""), engine("b", "")], &more);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains(reason), "{}", text(&output));
    }
}

/// Starts a run, kills it with SIGKILL once it has recorded some games, and runs it again until it ends by itself.
fn killed_and_resumed(kind: &str, folder: &Folder, engines: &[Vec<String>], more: &str) -> Output {
    for kills in 1..=3 {
        let mut child = command(kind, folder, engines, more).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        let wanted = kills * 4;
        while Instant::now() < deadline {
            let recorded = Store::open(folder.path()).and_then(|store| store.game_numbers());
            if recorded.is_ok_and(|numbers| numbers.len() >= wanted) || child.try_wait().unwrap().is_some() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let so_far = games(folder).len();
    let output = run(kind, folder, engines, more);
    assert!(text(&output).contains(&format!("resuming: {so_far} games")), "{}", text(&output));
    output
}

#[test]
fn a_tournament_killed_three_times_ends_as_if_it_never_was() {
    let engines = [engine("a", "--seed 1 --delay 1"), engine("b", "--seed 2"), engine("c", "--seed 3")];
    let (whole, broken) = (Folder::new("tournament-whole"), Folder::new("tournament-broken"));
    let more = "--each nodes=1 --pairs 4 --concurrency 2 --seed 7";
    let book = with_book(&whole);
    let more = format!("{book} {more}");
    assert_eq!(run("ratings", &whole, &engines, &more).status.code(), Some(0));
    let output = killed_and_resumed("ratings", &broken, &engines, &more);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert_eq!(essence(&whole).len(), 24);
    assert_eq!(essence(&whole), essence(&broken));
}

#[test]
fn a_gauntlet_is_told_meeting_by_meeting() {
    let engines = [engine("hero", "--seed 1"), engine("b", "--seed 2"), engine("c", "--illegal-after 0")];
    let folder = Folder::new("gauntlet");
    let more = format!("{} --each nodes=1 --pairs 2 --format gauntlet --max-faults 1000", with_book(&folder));
    let output = run("ratings", &folder, &engines, &more);
    // The faults of the third are told by the exit status.
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    let report = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    let told = &report[report.find("hero against each").unwrap()..];
    let row = &told[told.find(">c<").unwrap()..];
    let row = &row[..row.find("</tr>").unwrap()];
    assert!(row.contains("every game won, too few for a bound"), "{row}");
    assert!(report.contains("of 2 cannot be told apart from it at 95 %"), "2 pairs prove nothing");
    assert!(!report.contains("Score of the engine in the row"));
}

#[test]
fn a_sequential_test_killed_three_times_gives_the_same_verdict() {
    // The second engine soon makes illegal moves, so the first wins nearly everything and the test ends with H1.
    let engines = [engine("new", "--seed 1 --delay 1"), engine("old", "--seed 2 --illegal-after 60")];
    let (whole, broken) = (Folder::new("sprt-whole"), Folder::new("sprt-broken"));
    let more = format!(
        "{} --each nodes=1 --max-faults 1000 --sprt elo0=0 elo1=60 model=logistic",
        with_book(&whole)
    );
    let first = run("sprt", &whole, &engines, &more);
    assert_eq!(first.status.code(), Some(3), "{}", text(&first));
    assert!(text(&first).contains("H1 was accepted"), "{}", text(&first));
    let second = killed_and_resumed("sprt", &broken, &engines, &more);
    assert!(text(&second).contains("H1 was accepted"), "{}", text(&second));
    let numbers: Vec<u64> = games(&broken).iter().map(|game| game.number).collect();
    assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>(), "no gap and no repetition");
}

#[test]
fn shards_join_into_the_whole() {
    let engines = [engine("a", "--seed 1"), engine("b", "--seed 2")];
    let (whole, one, two, joined) = (
        Folder::new("shard-whole"),
        Folder::new("shard-1"),
        Folder::new("shard-2"),
        Folder::new("shard-joined"),
    );
    let more = format!("{} --each nodes=1 --pairs 4", with_book(&whole));
    assert!(run("match", &whole, &engines, &more).status.success());
    assert!(run("match", &one, &engines, &format!("{more} --shard 1/2")).status.success());
    assert!(run("match", &two, &engines, &format!("{more} --shard 2/2")).status.success());
    assert_eq!(games(&one).len(), 4);
    let merge = Command::new(example("lab"))
        .args([Path::new("merge"), joined.path(), one.path(), two.path()])
        .output()
        .unwrap();
    assert!(merge.status.success(), "{}", text(&merge));
    assert_eq!(essence(&whole), essence(&joined));
}

#[test]
fn a_rebuilt_engine_may_not_continue_another_ones_games() {
    let folder = Folder::new("rebuilt");
    std::fs::create_dir_all(folder.path()).unwrap();
    let copy = folder.path().join("engine");
    std::fs::copy(example("scripted_engine"), &copy).unwrap();
    let copied = vec!["--engine".to_owned(), format!("cmd={}", copy.display()), "name=a".to_owned()];
    let engines = [copied, engine("b", "--seed 2")];
    assert!(run("match", &folder, &engines, "--each nodes=1 --pairs 1").status.success());
    let mut bytes = std::fs::read(&copy).unwrap();
    bytes.push(0);
    std::fs::write(&copy, bytes).unwrap();
    let output = run("match", &folder, &engines, "--each nodes=1 --pairs 2");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("has changed since the first games"), "{}", text(&output));
    assert_eq!(games(&folder).len(), 2);
}

#[test]
fn games_of_another_program_become_a_rating_list() {
    let folder = Folder::new("import");
    std::fs::create_dir_all(folder.path()).unwrap();
    let file = folder.path().join("games.pgn");
    let game = |white: &str, black: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"1\"]\n[Result \"{result}\"]\n[TimeControl \"5+0.05\"]\n\n\
             1. e4 e5 {result}\n\n"
        )
    };
    let games = [
        ("new 1.2", "old", "1-0"),
        ("old", "new 1.2", "1/2-1/2"),
        ("new 1.2", "base", "0-1"),
        ("base", "new 1.2", "0-1"),
    ];
    std::fs::write(&file, games.map(|(white, black, result)| game(white, black, result)).concat()).unwrap();
    let lab = |words: &[&str]| {
        let mut command = Command::new(example("lab"));
        command.arg("import").arg(&file).arg("--out").arg(folder.path().join("run")).args(words);
        command.output().unwrap()
    };
    let output = lab(&["--rating", "name=nobody", "elo=3000"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("nobody is called 'nobody'"), "{}", text(&output));
    let output = lab(&["--rating", "name=base", "elo=3000.5"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("new 1.2"), "{}", text(&output));
    let again = lab(&[]);
    assert!(text(&again).contains("holds an experiment already"), "{}", text(&again));
    let resumed = Command::new(example("lab")).arg("resume").arg(folder.path().join("run")).output();
    assert!(text(&resumed.unwrap()).contains("nothing to play"));
}

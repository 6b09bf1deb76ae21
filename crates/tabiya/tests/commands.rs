//! The binary as a person or a script meets it.

#![allow(clippy::unwrap_used, clippy::expect_used)] // a test that cannot go on should stop

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

fn tabiya(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tabiya"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end before it has read everything; that is its right.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("tabiya-test-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

#[test]
fn perft_ends_with_the_count() {
    for (arguments, nodes) in [
        (&["perft", "0"][..], 1),
        (&["perft", "4"], 197_281),
        (&["perft", "4", "--threads", "2"], 197_281),
        (
            &["perft", "3", "--fen", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"],
            97_862,
        ),
        (
            &[
                "perft",
                "3",
                "--divide",
                "--chess960",
                "--fen",
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            ],
            12_189,
        ),
    ] {
        let output = tabiya(arguments, "");
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        let text = stdout(&output);
        assert_eq!(text.lines().last(), Some(format!("Nodes searched: {nodes}").as_str()), "{arguments:?}");
        assert!(text.contains(" nps"), "{text}");
    }
}

#[test]
fn divide_adds_up() {
    let text = stdout(&tabiya(&["perft", "3", "--divide"], ""));
    let sum: u64 = text
        .lines()
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| name.len() == 4 && name.as_bytes()[1].is_ascii_digit())
        .map(|(_, count)| count.parse::<u64>().unwrap())
        .sum();
    assert_eq!(sum, 8902);
}

#[test]
fn mistakes_are_explained_and_told_by_the_exit_code() {
    for (arguments, code, reason) in [
        (&["pertf"][..], 2, "did you mean 'perft'?"),
        (&["perft"], 2, "expected DEPTH"),
        (&["perft", "five"], 2, "'five'"),
        (&["perft", "3", "--fenn", "x"], 2, "did you mean 'fen'?"),
        (&["perft", "3", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], 1, "White has 0 kings"),
        (
            &["perft", "3", "--fen", "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"],
            1,
            "rank 7: 9 squares",
        ),
        (&["play", "--side", "green"], 2, "expected white, black or random"),
        (&["book"], 2, "expected traps"),
        (&["book", "traps", "--rating", "9000"], 2, "rating 9000: expected 100 to 4000"),
        (&["book", "traps", "--polyglot", "traps.bin"], 2, "a book is against one rating"),
        (&["lab", "eas", "no/such.pgn"], 1, "no/such.pgn"),
    ] {
        let output = tabiya(arguments, "");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(reason), "{arguments:?}: {}", stderr(&output));
        assert!(stdout(&output).is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_book_of_traps_in_three_forms() {
    let file = scratch("traps.bin");
    let few = ["book", "traps", "--rating", "1000", "--positions", "3", "--nodes", "300"];
    let output = tabiya(&[&few[..], &["--polyglot", &file.display().to_string()]].concat(), "");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("Against players of about 1000: "), "{}", stdout(&output));
    assert_eq!(std::fs::read(&file).unwrap().len() % 16, 0);
    std::fs::remove_file(file).unwrap();
    let json = stdout(&tabiya(&[&few[..], &["--json"]].concat(), ""));
    assert!(json.starts_with("[{") && json.contains("\"rating\": 1000"), "{json}");
}

#[test]
fn a_program_meets_silence_then_uci() {
    let silent = tabiya(&[], "");
    assert!(silent.status.success() && silent.stdout.is_empty());
    let text = stdout(&tabiya(&[], "uci\nquit\n"));
    assert!(text.starts_with("id name Tabiya") && text.trim_end().ends_with("uciok"));
}

#[test]
fn a_game_in_the_terminal_is_played_and_saved() {
    let file = scratch("game.pgn");
    let arguments = ["play", "--seconds", "0.01", "--pgn", file.to_str().unwrap()];
    let output = tabiya(&arguments, "help\ne5\ne4\nmoves\nback\nd4\nhint\nfen\nresign\nquit\n");
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("illegal") || text.contains("Illegal"), "e5 is no move for White: {text}");
    assert!(text.contains("Tabiya: "), "{text}");
    assert!(text.contains("0-1"), "{text}");
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(
        saved.contains("[White \"You\"]") && saved.contains("1. d4") && saved.trim_end().ends_with("0-1"),
        "{saved}"
    );
    let _ = std::fs::remove_file(file);
}

/// What the board in the browser can do, as far as a terminal can.
#[test]
fn the_terminal_answers_questions_and_changes_sides() {
    let file = scratch("parity.pgn");
    let path = file.to_str().unwrap();
    let arguments = [
        "play",
        "--seconds",
        "0.01",
        "--pgn",
        path,
        "--odds",
        "knight",
        "--rating",
        "1200",
        "--clock",
        "0.5",
    ];
    let words = "people\ne4\nlines\nthreat\npgn\nswitch\nreview\nresign\nrematch\nquit\n";
    let output = tabiya(&arguments, words);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("People rated 1200:") && text.contains("%  e4"), "{text}");
    assert!(text.contains("[you 0:30, Tabiya 0:30]"), "{text}");
    assert!(text.contains("(depth ") && text.contains("1. e4"), "{text}");
    assert!(text.contains("r1bqkbnr"), "the engine plays without its queen's knight: {text}");
    assert!(text.contains("by resignation") && text.contains("You play White.\n"), "{text}");
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(saved.contains("[Black \"You\"]"), "sides were changed: {saved}");

    // A game goes on from a file, and names its opening.
    std::fs::write(&file, "1. e4 e5 2. Nf3 Nc6 *\n").unwrap();
    let output =
        tabiya(&["play", "--seconds", "0.01", "--from", path, "--pgn", path], "Bb5\nback\nback\nquit\n");
    let text = stdout(&output);
    assert!(text.contains("C60 Ruy Lopez") && text.contains("There is no move to take back."), "{text}");
    let _ = std::fs::remove_file(file);
}

/// Safety rule 10: a token in an argument is refused, wherever it stands, and not repeated.
#[test]
fn rule_10_a_token_is_no_argument() {
    for arguments in [
        &["lichess", "lip_secretword"][..],
        &["lichess", "--token", "lip_secretword"],
        &["lichess", "--token=lip_secretword"],
        &["lichess", "--token-file", "lip_secretword"],
    ] {
        let output = tabiya(arguments, "");
        assert!(!output.status.success(), "{arguments:?}");
        let told = stdout(&output) + &stderr(&output);
        assert!(!told.contains("secretword"), "{arguments:?}: {told}");
    }
    let help = stdout(&tabiya(&["help", "lichess"], ""));
    assert!(help.contains("--token-file FILE") && !help.contains("--token "), "{help}");
}

#[test]
fn leaving_in_mid_game_saves_it() {
    let file = scratch("half.pgn");
    let arguments = ["play", "--side", "black", "--seconds", "0.01", "--pgn", file.to_str().unwrap()];
    let output = tabiya(&arguments, "");
    assert!(output.status.success(), "{}", stderr(&output));
    let saved = std::fs::read_to_string(&file).unwrap();
    assert!(
        saved.contains("[Black \"You\"]") && saved.contains("1. ") && saved.trim_end().ends_with('*'),
        "{saved}"
    );
    let _ = std::fs::remove_file(file);
}

#[test]
fn help_completions_and_manual_come_from_the_table() {
    for arguments in
        [&["help"][..], &["help", "perft"], &["perft", "--help"], &["man"], &["completions", "bash"]]
    {
        let output = tabiya(arguments, "");
        assert!(output.status.success() && stdout(&output).contains("perft"), "{arguments:?}");
    }
}

#[test]
fn engine_words_work_as_arguments() {
    assert!(stdout(&tabiya(&["d"], "")).contains("Fen: rnbqkbnr"));
    assert!(stdout(&tabiya(&["eval"], "")).contains("Material"));
    let bench = || stdout(&tabiya(&["bench", "4"], ""));
    let nodes = |text: String| text.split(" nodes").next().unwrap().to_string();
    assert_eq!(nodes(bench()), nodes(bench()), "the bench repeats");
    let openings = stdout(&tabiya(&["genfens 3 seed 9 book None", "quit"], ""));
    assert_eq!(openings.lines().count(), 3);
}

#[test]
fn a_coach_a_rating_and_a_quiz() {
    let file = scratch("coached.pgn");
    let page = scratch("report.html");
    std::fs::write(&file, "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let path = file.to_str().unwrap();
    let coach = tabiya(&["coach", path, "--nodes", "2000", "--html", page.to_str().unwrap()], "");
    assert!(coach.status.success(), "{}", stderr(&coach));
    assert!(stdout(&coach).contains("2. g4??") && stdout(&coach).contains("mate in 1"), "{}", stdout(&coach));
    assert!(std::fs::read_to_string(&page).unwrap().starts_with("<!doctype html>"));
    let rated = stdout(&tabiya(&["human", "rate", path, "--prior", "beginner"], ""));
    assert!(rated.contains("White: Ann (unrated) played like") && rated.contains("80 %"), "{rated}");
    assert!(rated.contains("if paired by rating, by the moves of both: "), "{rated}");
    let quiz = stdout(&tabiya(&["human", "quiz", "--count", "2"], "pass\nZz9\npass\n"));
    assert!(quiz.contains("2 puzzles.") && quiz.contains("Nothing is stored"), "{quiz}");
    for (arguments, code, reason) in [
        (&["coach"][..], 2, "expected a PGN file"),
        (&["coach", "/no/such/gäme.pgn"], 1, "/no/such/gäme.pgn"),
        (&["coach", path, "--rating", "9000"], 2, "rating 9000: expected 100 to 4000"),
        (&["coach", path, "--player", "Zoe"], 1, "the players are 'Ann' and 'Bob'"),
        (&["coach", path, "--game", "7"], 1, "it has 1 games"),
        (&["human", "rate", path, "--prior", "wizard"], 2, "expected a rating"),
        (&["human", "guess"], 2, "expected rate or quiz"),
    ] {
        let output = tabiya(arguments, "");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(reason), "{arguments:?}: {}", stderr(&output));
    }
    std::fs::write(&file, "[White \"Ann\"]\n\n1. e4 e5 2. Ke4 *\n").unwrap();
    let illegal = tabiya(&["coach", path], "");
    assert_eq!(illegal.status.code(), Some(1));
    assert!(stderr(&illegal).contains("Ke4"), "{}", stderr(&illegal));
    let _ = (std::fs::remove_file(file), std::fs::remove_file(page));
}

/// A Zstandard frame with one block that is stored as it is.
fn zstandard(text: &str) -> Vec<u8> {
    let size = u8::try_from(text.len()).expect("one byte of size");
    let block = u32::from(size) << 3 | 1;
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0x20, size];
    frame.extend(&block.to_le_bytes()[..3]);
    frame.extend(text.as_bytes());
    frame
}

#[test]
fn compressed_games_are_read_wherever_games_are() {
    let file = scratch("game.pgn.zst");
    let game =
        "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
    std::fs::write(&file, zstandard(game)).unwrap();
    let path = file.display().to_string();
    for arguments in
        [&["coach", &path, "--nodes", "500"][..], &["human", "rate", &path], &["lab", "eas", &path]]
    {
        let output = tabiya(arguments, "");
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        assert!(!output.stdout.is_empty(), "{arguments:?}");
    }
    std::fs::remove_file(file).unwrap();
}

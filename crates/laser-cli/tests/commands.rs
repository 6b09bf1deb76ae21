//! Every command driven with strings: golden transcripts and bad input.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::io::BufReader;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use laser_cli::{Environment, Failure, run};

/// A clock that goes on by a millisecond whenever somebody looks: time limits hold, and no test waits.
#[derive(Default)]
struct Steps(AtomicU64);

impl kernel::Clock for Steps {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

fn command(arguments: &str, input: &str) -> (String, Result<(), Failure>) {
    let mut output = Vec::new();
    let arguments: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
    let mut environment = Environment {
        input: &mut BufReader::new(input.as_bytes()),
        output: &mut output,
        clock: Arc::new(Steps::default()),
    };
    let result = run(&arguments, &mut environment);
    (String::from_utf8(output).unwrap(), result)
}

/// The same, in a thread: a loop that never ends fails the test instead of stopping all of them.
fn session_that_ends(input: &str) -> String {
    let (sender, receiver) = std::sync::mpsc::channel();
    let owned = input.to_owned();
    std::thread::spawn(move || sender.send(session(&owned)));
    let output = receiver.recv_timeout(Duration::from_secs(120));
    output.unwrap_or_else(|_| panic!("the loop did not end after {input:?}"))
}

fn session(input: &str) -> String {
    let (output, result) = command("", input);
    result.unwrap();
    output
}

#[test]
fn perft_prints_a_line_for_each_depth() {
    assert_eq!(command("perft 3", "").0, "perft 1 61\nperft 2 3757\nperft 3 239205\n");
    assert_eq!(command("perft 3 --ko", "").0, "perft 1 61\nperft 2 3757\nperft 3 239197\n");
    // A FEN has a space in it: the shell passes it as one argument.
    let arguments: Vec<String> =
        ["perft", "2", "--fen", laser::ENDGAME_FEN].iter().map(|&word| word.to_owned()).collect();
    let mut output = Vec::new();
    let mut environment = Environment {
        input: &mut BufReader::new(&b""[..]),
        output: &mut output,
        clock: Arc::new(Steps::default()),
    };
    run(&arguments, &mut environment).unwrap();
    assert_eq!(output, b"perft 1 6\nperft 2 36\n");
}

#[test]
fn bad_arguments_say_what_was_expected() {
    for (arguments, complaint) in [
        ("fly", "unknown command 'fly'"),
        ("perft", "expected one DEPTH"),
        ("perft x", "'x' is no depth"),
        ("perft 11", "depth 11, expected at most 10"),
        ("perft 2 --fen", "--fen needs a value"),
        ("perft 2 --fen ss7", "--fen: no side to move"),
        ("match self", "expected two players"),
        ("match self self --tc soon", "--tc soon"),
        ("match self:wings=1 self", "option wings"),
        ("match /no/such/player self", "/no/such/player"),
        ("analyse", "expected a FEN"),
        ("analyse 8/8/8/8/8/8/8/8 W", "White has 0 kings, expected 1"),
    ] {
        let (_, result) = command(arguments, "");
        let error = result.unwrap_err().to_string();
        assert!(error.contains(complaint), "{arguments}: {error}");
    }
}

#[test]
fn the_referees_conversation() {
    let output = session(
        "uci\nisready\nsetoption name hash value 2\nposition startpos moves g4L b3L\ngo depth 3\nquit\n",
    );
    let first = output.lines().next().unwrap();
    assert_eq!(first, "id name Tabiya laser");
    assert!(output.contains("\nuciok\nreadyok\ninfo setting hash to 2\n"), "{output}");
}

#[test]
fn a_search_at_the_end_of_input_still_gives_its_move() {
    let output = session("position startpos moves g4L b3L\ngo depth 4");
    assert!(output.contains("info depth 4 move_no 1 time (microsec) "), "{output}");
    let last = output.lines().last().unwrap();
    let mv: laser::Move = last.strip_prefix("bestmove ").unwrap().parse().unwrap();
    let mut game = laser::Game::default();
    game.play_text("g4L").unwrap();
    game.play_text("b3L").unwrap();
    assert!(game.position().is_legal(mv));
}

#[test]
fn a_search_answers_although_quit_follows_at_once() {
    let output = session("position startpos moves g4L b3L\ngo depth 4\nquit\n");
    assert!(output.contains("info depth 4 move_no 1 "), "{output}");
    assert!(output.lines().last().unwrap().starts_with("bestmove "), "{output}");
}

#[test]
fn a_newcomer_is_told_the_rules_and_the_words() {
    for (arguments, wanted) in [
        ("rules", vec!["Goal", "Mirrors", "Ko", "Draws", "your own king"]),
        ("help", vec!["tabiya laser play", "tabiya laser rules"]),
        ("play --help", vec!["tabiya laser play", "undo", "hint"]),
        ("help match", vec!["tabiya laser match"]),
        ("perft -h", vec!["tabiya laser perft DEPTH"]),
        ("analyse --help", vec!["tabiya laser analyse"]),
        ("bench --help", vec!["tabiya laser bench"]),
        ("tune --help", vec!["tabiya laser tune"]),
        ("book --help", vec!["book build", "book probe", "book stats"]),
    ] {
        let (output, result) = command(arguments, "");
        assert!(result.is_ok(), "{arguments}");
        for word in wanted {
            assert!(output.contains(word), "{arguments}: {output}");
        }
    }
    let (output, _) = command("play --time 1", "help\nrules\nmoves\nquit\n");
    for words in ["Type rules.", "can hit your own pieces", "*SE* is a piece that it met"] {
        assert!(output.contains(words), "{words}: {output}");
    }
    // The moves of each piece stand in a line of their own: 1 king and 7 pawns can move.
    let moves: Vec<&str> = output.lines().filter(|line| line.contains("L ") && line.contains("R ")).collect();
    assert!(moves.iter().any(|line| line.ends_with("h0R h0U h0L h0g0 h0g1 h0h1")), "{output}");
    assert!(
        output.contains("Goal: hit the other king") && output.contains("take your last move back"),
        "{output}"
    );
    assert!(output.contains("LEISERCHESS"), "{output}");
    assert!(session("help\nrules\nquit\n").contains("LEISERCHESS"));
    assert!(command("help nonsense", "").1.is_err());
}

#[test]
fn an_endless_search_ends_with_stop_quit_or_the_end_of_input() {
    for end in ["stop\n", "quit\n", ""] {
        let output = session(&format!("go infinite\n{end}"));
        assert_eq!(output.matches("bestmove").count(), 1, "{end:?}: {output}");
    }
    let output = session("go ponder time 1000\nponderhit\nstop\n");
    assert_eq!(output.matches("bestmove").count(), 1, "{output}");
}

#[test]
fn every_command_is_read_while_an_endless_search_runs() {
    for (line, answer) in [
        ("position startpos moves g4L", ""),
        ("go depth 1", "info depth 1"),
        ("go infinite", "bestmove"),
        ("eval", "info score cp"),
        ("move g4L", "Black to move"),
        ("setoption name hash value 1", "info setting hash to 1"),
        ("ucinewgame", ""),
        ("uci", "uciok"),
        ("display", "White to move"),
        ("generate", "g4L"),
        ("perft 2", ""),
        ("help", "ponderhit"),
        ("jump", "unknown command"),
    ] {
        for end in ["stop\nquit\n", "quit\n", ""] {
            let output = session_that_ends(&format!("go infinite\n{line}\nisready\n{end}"));
            assert!(output.contains(answer), "{line}: {output}");
            assert!(output.contains("readyok"), "{line}: {output}");
            let searches = if line.starts_with("go") { 2 } else { 1 };
            assert_eq!(output.matches("bestmove").count(), searches, "{line}, {end:?}: {output}");
        }
    }
}

#[test]
fn a_long_perft_ends_with_stop_quit_and_the_next_search() {
    for end in ["stop\nisready\n", "quit\n", "go depth 1\n"] {
        session_that_ends(&format!("perft 10\n{end}"));
    }
}

#[test]
fn a_reader_that_has_gone_away_ends_the_loop() {
    struct Gone;
    impl std::io::Write for Gone {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut environment = Environment {
            input: &mut BufReader::new(&b"go infinite\nisready\n"[..]),
            output: &mut Gone,
            clock: Arc::new(Steps::default()),
        };
        sender.send(run(&[], &mut environment).is_err())
    });
    assert_eq!(receiver.recv_timeout(Duration::from_secs(120)), Ok(true));
}

#[test]
fn a_device_is_no_book() {
    for arguments in ["--book /dev/zero", "--endgame /dev/zero", "book stats /dev/zero"] {
        let error = command(arguments, "").1.unwrap_err().to_string();
        assert!(error.contains("/dev/zero: not a regular file"), "{arguments}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn a_line_break_in_a_players_name_does_not_break_the_record() {
    let folder = std::env::temp_dir();
    let file = |name: &str| folder.join(format!("tabiya-laser-{name}-{}", std::process::id()));
    let (script, record) = (file("script"), file("record"));
    let answers =
        "while read -r line; do case $line in uci) echo uciok;; go*) echo 'bestmove \"x';; esac; done";
    std::fs::write(&script, answers).unwrap();
    let player = format!("/bin/sh\n{}", script.to_str().unwrap());
    let arguments = ["match", "self", &player, "--games", "2", "--nodes", "50", "--record"];
    let mut arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
    arguments.push(record.to_str().unwrap().to_owned());
    let mut output = Vec::new();
    let mut environment = Environment {
        input: &mut BufReader::new(&b""[..]),
        output: &mut output,
        clock: Arc::new(Steps::default()),
    };
    run(&arguments, &mut environment).unwrap();
    let text = std::fs::read_to_string(&record).unwrap();
    let tags: Vec<&str> = text.lines().filter(|line| line.starts_with('[')).collect();
    assert_eq!(tags.len(), 8, "{text}");
    assert!(tags.iter().all(|tag| tag.ends_with("\"]")), "{text}");
    assert_eq!(text.matches("[Black \"/bin/sh ").count(), 1, "{text}");
    for path in [script, record] {
        std::fs::remove_file(path).unwrap();
    }
}

/// A program that talks without end, in lines or without any, loses on time and fills no memory.
#[cfg(unix)]
#[test]
fn a_player_that_never_stops_talking_loses_on_time() {
    let folder = std::env::temp_dir();
    for (number, talk) in
        ["yes info depth 1", "yes | tr '\\n' ' '", "printf '\\377\\n'; yes info"].iter().enumerate()
    {
        let script = folder.join(format!("tabiya-laser-talk-{number}-{}", std::process::id()));
        let text = format!(
            "#!/bin/sh\nwhile read -r line; do case $line in uci) echo uciok;; go*) {talk};; esac; done\n"
        );
        std::fs::write(&script, text).unwrap();
        let player = format!("/bin/sh {}", script.to_str().unwrap());
        let arguments = ["match", "self", &player, "--games", "1", "--plies", "0", "--tc", "0.1+0"];
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let (sender, receiver) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut output = Vec::new();
            let mut environment = Environment {
                input: &mut BufReader::new(&b""[..]),
                output: &mut output,
                clock: Arc::new(Steps::default()),
            };
            let result = run(&arguments, &mut environment);
            sender.send((String::from_utf8(output).unwrap(), result))
        });
        let (output, result) = receiver.recv_timeout(Duration::from_secs(120)).expect("the match ends");
        result.unwrap();
        assert!(output.starts_with("game 1 1-0"), "{output}");
        std::fs::remove_file(script).unwrap();
    }
}

#[test]
fn the_game_goes_on_from_the_last_legal_position() {
    let output = session("position startpos moves g4L zz b3L\ndisplay\nmove a0R\nmove b3L\n");
    assert!(output.contains("info string Move zz is illegal"), "{output}");
    assert!(output.contains("Black to move"), "{output}");
    assert!(output.contains("Illegal move a0R: move a0R is not possible"), "{output}");
    assert!(output.contains("fen ss7/3nwse3/2nwse4/1nwse3SW1/1ne3NWSE1/4NWSE2/3NWSE3/7NN W"), "{output}");
}

#[test]
fn ko_is_named() {
    let fen = "ss7/8/8/3nw4/2NW5/8/8/7NN W";
    let output = session(&format!("position fen {fen} moves c3d4c4 c3c4d4\n"));
    assert!(output.contains("Move c3c4d4 is illegal: move c3c4d4 is forbidden by Ko"), "{output}");
}

#[test]
fn bad_lines_are_answered_and_forgotten() {
    let output =
        session("jump\nposition fen 8/8\ngo depth x\nsetoption name hash value 0\nperft 11\nperft 2\n");
    for part in [
        "info string unknown command 'jump'",
        "info string position: no side to move",
        "info string go: expected a depth, found 'x'",
        "info string option hash: 0, expected 1 to 65536",
        "info string perft: depth 11, expected at most 10",
        "perft  1 61\nperft  2 3757\n",
    ] {
        assert!(output.contains(part), "{part} in {output}");
    }
}

#[test]
fn eval_and_generate_answer() {
    let output = session("eval\neval g4L\neval zz\ngenerate\nposition endgame\ngenerate\nhelp\n");
    assert!(output.contains("info score cp 0\n"), "{output}");
    assert!(output.contains("Illegal move zz"), "{output}");
    assert_eq!(output.lines().filter(|line| line.split(' ').count() == 61).count(), 1);
    assert!(output.contains("h0R h0U h0L"), "{output}");
}

#[test]
fn a_match_between_two_settings_is_played_to_the_end() {
    let (output, result) = command("match self self:mobility=0 --games 2 --nodes 300 --plies 4 --seed 3", "");
    result.unwrap();
    assert_eq!(output.lines().filter(|line| line.starts_with("game ")).count(), 2, "{output}");
    assert!(output.contains("nodes a move"), "{output}");
}

/// A shot that removes an own piece is told as that; White's king on a0 fires at the back of its own pawn on a2.
#[test]
fn a_person_who_hits_an_own_piece_is_told() {
    // A FEN has a space in it: the shell passes it as one argument.
    let arguments = ["play", "--time", "1", "--fen", "7ss/8/8/8/8/NW7/8/NN7 W"].map(str::to_owned);
    let mut output = Vec::new();
    let mut environment = Environment {
        input: &mut BufReader::new(&b"a0a1\nquit\n"[..]),
        output: &mut output,
        clock: Arc::new(Steps::default()),
    };
    run(&arguments, &mut environment).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("You remove your own pawn NW on a2"), "{output}");
}

#[test]
fn a_person_can_play_and_leave() {
    let (output, result) = command("play --time 1", "moves\nzz\ng4g5\nundo\nquit\n");
    result.unwrap();
    assert!(output.contains("You play White"), "{output}");
    assert!(output.contains("move 'zz'") && output.contains("Type moves to see all your moves"), "{output}");
    // The rules say that a piece is removed; another word for it would have to be explained.
    assert!(!output.contains("zap"), "{output}");
    assert!(output.contains("I play "), "{output}");
}

#[test]
fn a_book_is_built_in_two_sittings_probed_and_played() {
    let path = std::env::temp_dir().join(format!("tabiya-laser-book-{}", std::process::id()));
    let path = path.to_str().unwrap();
    let build = format!("book build {path} --plies 1 --best 3 --rank-depth 1 --depth 2 --hash 1");
    let (output, result) = command(&format!("{build} --positions 2"), "");
    result.unwrap();
    assert!(output.contains("2 positions, to be continued"), "{output}");
    let (output, result) = command(&build, "");
    result.unwrap();
    assert!(output.contains("going on from 2 positions"), "{output}");
    assert!(output.contains("4 positions, complete"), "{output}");

    let (output, _) = command(&format!("book probe {path}"), "");
    assert!(output.contains("depth 2"), "{output}");
    let (output, _) = command(&format!("book stats {path}"), "");
    assert!(output.contains("4 positions in 8 slots"), "{output}");
    let (output, _) = command(&format!("--book {path}"), "go depth 1\nposition endgame\ngo depth 1\n");
    assert!(output.starts_with("info string book, depth 2"), "{output}");
    assert_eq!(output.matches("bestmove").count(), 2, "{output}");

    let bytes = std::fs::read(path).unwrap();
    std::fs::write(path, &bytes[..bytes.len() - 3]).unwrap();
    let (_, result) = command(&format!("book stats {path}"), "");
    assert!(result.unwrap_err().to_string().contains("truncated"));
    std::fs::remove_file(path).unwrap();
}

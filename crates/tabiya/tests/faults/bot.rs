//! The Lichess bot, against a server on this machine that goes away, and against the double of the site.

#[path = "../../../lichess/tests/double/mod.rs"]
mod double;

use crate::harness::{Limits, Output, PATIENCE, Program, scratch};
use chess::Color;
use double::{Double, Opponent, Setup, TOKEN};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

/// A bot in real time whose account the double keeps.
fn play_on(double: &Double, folder: &Path, more: &[&str], output: Output) -> Program {
    let token = folder.join("token");
    std::fs::write(&token, format!("{TOKEN}\n")).unwrap();
    std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o600)).unwrap();
    let (port, token) = (double.port.to_string(), token.display().to_string());
    let mut words = vec!["lichess", "--local-port", &port, "--token-file", &token, "--hash", "1"];
    words.extend(more);
    Program::start_with(&words, Limits::default(), output)
}

fn wait_for(what: &str, mut test: impl FnMut() -> bool) {
    let start = Instant::now();
    while !test() {
        assert!(start.elapsed() < PATIENCE, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The bot has White and moves first; the test moves for the other side.
fn white() -> Setup {
    Setup { opponent: Opponent::Test, ..Setup::default() }
}

fn leave(bot: Program) {
    bot.signal("TERM");
    bot.signal_if_alive("TERM");
    let ended = bot.end();
    assert!(!ended.text.contains("averysecretword"), "the token was printed: {}", ended.text);
}

#[test]
fn a_bot_whose_messages_cannot_be_written_plays_on() {
    let (folder, double) = (scratch("bot-mute"), Double::start());
    let bot = play_on(&double, &folder, &[], Output::FullErrors);
    double.begin("game0001", white());
    wait_for("the first move", || double.moves("game0001").len() == 1);
    double.play("game0001", "a7a6");
    wait_for("the second move", || double.moves("game0001").len() == 3);
    double.end("game0001", "resign", Some("white"));
    double.begin("game0002", white());
    wait_for("the next game", || double.moves("game0002").len() == 1);
    leave(bot);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn no_more_games_than_allowed_are_played_at_one_time() {
    let (folder, double) = (scratch("bot-games"), Double::start());
    let mut bot = play_on(&double, &folder, &["--games", "2"], Output::Read);
    bot.expect("waiting for challenges");
    let names: Vec<String> = (1..=12).map(|number| format!("game{number:04}")).collect();
    for name in &names {
        double.begin(name, white());
    }
    bot.expect("game0012: waits");
    wait_for("two games", || names.iter().filter(|name| double.moves(name).len() == 1).count() == 2);
    assert_eq!(double.asked("/game/stream/").len(), 2);
    double.end(&names[0], "resign", Some("white"));
    wait_for("the next game", || double.moves(&names[2]).len() == 1);
    assert_eq!(double.asked("/game/stream/").len(), 3);
    leave(bot);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Neither a chat nor an offer of a draw that the site is slow to take costs the game's time.
#[test]
fn the_move_goes_before_everything_else() {
    let (folder, double) = (scratch("bot-order"), Double::start());
    let mut bot = play_on(&double, &folder, &[], Output::Read);
    bot.expect("waiting for challenges");
    double.hold("/chat");
    double.hold("/draw/");
    double.begin("game0001", Setup { bot: Color::Black, moves: "e2e4 e7e5", ..white() });
    bot.expect("game0001: a game against");
    let chat = r#"{"type":"chatLine","room":"player","username":"someone","text":"!name"}"#;
    double.inject(Some("game0001"), chat);
    wait_for("the answer", || !double.asked("/chat").is_empty());
    double.play_and_offer("game0001", "g1f3", "wdraw");
    wait_for("the move", || !double.asked("/move/").is_empty());
    // The answer had not failed yet.
    let line = bot.expect("game0001: ");
    assert!(!line.contains("chat"), "{line}");
    leave(bot);
    std::fs::remove_dir_all(folder).unwrap();
}

/// What a garbled line said is lost, so everything is asked for anew; the same line again is ignored.
#[test]
fn garbled_lines_do_not_silence_the_bot() {
    let (folder, double) = (scratch("bot-garbled"), Double::start());
    let mut bot = play_on(&double, &folder, &[], Output::Read);
    wait_for("the stream", || double.opened() == 1);
    double.begin_unannounced("game0001", white());
    double.inject(None, "{\"type\":\"gameStart\",\"game\":{\"gameId\":\"game00");
    wait_for("the first move", || double.moves("game0001").len() == 1);
    double.play_unannounced("game0001", "a7a6");
    for line in
        ["{\"type\":\"gameState\",\"moves\":\"e2e4 a7", "\u{1b}[2J\u{0}", "[[[[[[[[", &"[".repeat(200_000)]
    {
        double.inject(Some("game0001"), line);
    }
    wait_for("the second move", || double.moves("game0001").len() == 3);
    assert!(!bot.expect("game0001: a malformed line").contains('\u{1b}'));
    leave(bot);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_server_that_hangs_up_at_every_request_does_not_end_the_bot_in_a_panic() {
    let folder = scratch("bot");
    let token = folder.join("token");
    std::fs::write(&token, "lip_averysecretword\n").unwrap();
    std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o600)).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    // The first request gets half an answer, the others none.
    let (asked, requests) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().map_while(Result::ok).enumerate() {
            let mut line = String::new();
            let _ = BufReader::new(&stream).read_line(&mut line);
            if number == 0 {
                let _ = (&stream).write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"id\":");
            }
            let _ = asked.send(line);
        }
    });
    let bot =
        Program::start(&["lichess", "--local-port", &port, "--token-file", &token.display().to_string()]);
    let first = requests.recv_timeout(PATIENCE).unwrap();
    assert!(first.contains("/api/"), "{first}");
    std::thread::sleep(Duration::from_millis(500));
    bot.signal("TERM");
    let ended = bot.end();
    assert!(!ended.text.contains("averysecretword"), "the token was printed: {}", ended.text);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Nobody listens, files are refused, the output is full: a sentence and an end, or patience until the signal.
#[test]
fn a_bot_without_server_files_or_output_does_not_panic() {
    let folder = scratch("bot-limits");
    let token = folder.join("token");
    std::fs::write(&token, "lip_averysecretword\n").unwrap();
    std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o600)).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let token = token.display().to_string();
    for (limits, output) in [
        (Limits::default(), Output::Read),
        (Limits { files: Some(5), ..Limits::default() }, Output::Read),
        (Limits::default(), Output::Full),
        (Limits::default(), Output::Closed),
    ] {
        let arguments = ["lichess", "--local-port", &port, "--token-file", &token];
        let bot = Program::start_with(&arguments, limits, output);
        std::thread::sleep(Duration::from_millis(700));
        bot.signal_if_alive("TERM");
        let ended = bot.end();
        assert!(!ended.text.contains("averysecretword"), "the token was printed: {}", ended.text);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

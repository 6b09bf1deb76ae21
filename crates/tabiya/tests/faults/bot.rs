//! The Lichess bot, against a server on this machine that goes away.

use crate::harness::{Limits, Output, Program, scratch};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

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
    let first = requests.recv_timeout(crate::harness::PATIENCE).unwrap();
    assert!(first.contains("/api/"), "{first}");
    std::thread::sleep(std::time::Duration::from_millis(500));
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
        std::thread::sleep(std::time::Duration::from_millis(700));
        bot.signal_if_alive("TERM");
        let ended = bot.end();
        assert!(!ended.text.contains("averysecretword"), "the token was printed: {}", ended.text);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

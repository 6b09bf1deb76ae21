//! The board's server.

use crate::harness::{Limits, Program, scratch};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::time::Duration;

/// A server on a free port; `None`, with the reason printed, when the program was built without the page.
fn serve(folder: &Path, limits: Limits) -> Option<Program> {
    if !Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/dist/index.html").exists() {
        println!("skipped: the page of the board is not built (make board)");
        return None;
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let data = folder.display().to_string();
    Some(Program::start_limited(&["serve", "--no-open", "--port", &port, "--data", &data], limits))
}

/// The port in the address that the server prints.
fn port(program: &mut Program) -> u16 {
    let line = program.expect("http://127.0.0.1:");
    let rest = line.split("127.0.0.1:").nth(1).unwrap();
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
}

fn answer(port: u16) -> Option<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    write!(stream, "GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n").ok()?;
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    (!text.is_empty()).then_some(text)
}

#[test]
fn signals_end_the_server() {
    for signal in ["TERM", "INT"] {
        let folder = scratch(&format!("serve-{signal}"));
        let Some(mut server) = serve(&folder, Limits::default()) else { return };
        let port = port(&mut server);
        assert!(answer(port).is_some());
        server.signal(signal);
        server.end();
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn more_connections_than_files_do_not_end_the_server() {
    let folder = scratch("serve-files");
    let limits = Limits { files: Some(48), ..Limits::default() };
    let Some(mut server) = serve(&folder, limits) else { return };
    let port = port(&mut server);
    let crowd: Vec<TcpStream> =
        (0..100).filter_map(|_| TcpStream::connect(("127.0.0.1", port)).ok()).collect();
    assert!(crowd.len() > 20);
    drop(crowd);
    let answered = (0..20).any(|_| {
        std::thread::sleep(Duration::from_millis(200));
        answer(port).is_some()
    });
    assert!(answered, "the server no longer answers");
    server.signal("TERM");
    server.end();
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_killed_server_starts_again_with_the_same_data() {
    let folder = scratch("serve-killed");
    for _ in 0..3 {
        let Some(mut server) = serve(&folder, Limits::default()) else { return };
        let port = port(&mut server);
        assert!(answer(port).is_some());
        server.signal("KILL");
        server.end();
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn little_memory_or_no_space_is_said() {
    for limits in [
        Limits { memory: Some(300), ..Limits::default() },
        Limits { file_size: Some(1), ..Limits::default() },
        Limits { files: Some(6), ..Limits::default() },
    ] {
        let folder = scratch("serve-limits");
        let Some(server) = serve(&folder, limits) else { return };
        std::thread::sleep(Duration::from_secs(2));
        server.signal_if_alive("TERM");
        server.end();
        std::fs::remove_dir_all(folder).unwrap();
    }
}

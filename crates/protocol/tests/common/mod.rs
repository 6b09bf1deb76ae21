//! A program at the other end of the line: the real engine behind real pipes.

#![allow(clippy::unwrap_used, clippy::panic)] // a test that cannot go on should stop

use engine::{Clock, Engine};
use protocol::{Identity, Output, serve};
use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Far longer than anything here takes, even on a busy machine: a test that waits so long has hung.
const PATIENCE: Duration = Duration::from_secs(60);

/// An output without space.
struct Full;

impl Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Serves these lines, with more input never coming and nowhere to write; the error that ends it.
#[allow(dead_code)] // each test file uses its own part
pub fn serve_into_full_output(lines: &[&str]) -> std::io::Error {
    let (from_us, mut input) = std::io::pipe().unwrap();
    for line in lines {
        input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
    let (done, result) = channel();
    std::thread::spawn(move || {
        let engine = Engine::new(Arc::new(TestClock(Instant::now()))).unwrap();
        let identity = Identity { name: "Tabiya test".into(), author: "us".into() };
        let _ = done.send(serve(engine, &identity, BufReader::new(from_us), &Output::new(Full)));
    });
    let ended = result.recv_timeout(PATIENCE).unwrap();
    drop(input);
    ended.unwrap_err()
}

struct TestClock(Instant);

impl Clock for TestClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

pub struct Talk {
    input: Option<PipeWriter>,
    lines: Receiver<String>,
    server: Option<JoinHandle<()>>,
}

#[allow(dead_code)] // each test file uses its own part
impl Talk {
    pub fn new() -> Talk {
        let (from_us, input) = std::io::pipe().unwrap();
        let (from_engine, output) = std::io::pipe().unwrap();
        let server = std::thread::spawn(move || {
            let engine = Engine::new(Arc::new(TestClock(Instant::now()))).unwrap();
            let identity = Identity { name: "Tabiya test".into(), author: "us".into() };
            serve(engine, &identity, BufReader::new(from_us), &Output::new(output)).unwrap();
        });
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(from_engine).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Talk { input: Some(input), lines, server: Some(server) }
    }

    pub fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// Lines up to and including the first that starts so.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    let found = line.starts_with(start);
                    seen.push(line);
                    if found {
                        return seen;
                    }
                }
                Err(error) => panic!("{error:?} while waiting for {start:?}; seen: {seen:#?}"),
            }
        }
    }

    pub fn last(&mut self, start: &str) -> String {
        self.until(start).pop().unwrap()
    }

    /// Whether a line that starts so comes within this time.
    pub fn hears(&mut self, start: &str, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        loop {
            match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(line) if line.starts_with(start) => return true,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => panic!("the engine has gone"),
            }
        }
    }

    /// Closes the engine's input; true if it ends.
    pub fn hang_up(mut self) -> bool {
        self.input = None;
        self.server.take().unwrap().join().is_ok()
    }

    /// Waits for the engine to end by itself.
    pub fn ends(mut self) -> bool {
        self.server.take().unwrap().join().is_ok()
    }
}

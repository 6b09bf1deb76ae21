//! Any text is a conversation in the Leiserchess protocol: it ends, and every `go` has its `bestmove`. What would take
//! long or much memory is left out.

use protocol::leiserchess::{Command, parse};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A clock that goes on by a millisecond whenever somebody looks.
#[derive(Default)]
struct Steps(AtomicU64);

impl kernel::Clock for Steps {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

fn is_cheap(line: &str) -> bool {
    match parse(line) {
        Ok(Command::Perft(depth)) => depth <= 2,
        Ok(Command::SetOption { name, value }) => value <= if name == "hash" { 2 } else { 1 },
        Ok(Command::Go(go)) => {
            let limited =
                go.nodes.is_some_and(|nodes| nodes <= 200) || go.depth.is_some_and(|depth| depth <= 2);
            limited || go.infinite && !go.ponder
        }
        _ => true,
    }
}

pub fn run(bytes: &[u8]) {
    let text = &*String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.split('\n').take(12).filter(|line| is_cheap(line)).collect();
    let searches = lines.iter().take_while(|line| parse(line) != Ok(Command::Quit));
    let searches = searches.filter(|line| matches!(parse(line), Ok(Command::Go(_)))).count();
    let input = format!("setoption name hash value 1\n{}", lines.join("\n"));
    let mut output = Vec::new();
    let mut environment = laser_cli::Environment {
        input: &mut input.as_bytes(),
        output: &mut output,
        clock: Arc::new(Steps::default()),
    };
    laser_cli::run(&[], &mut environment).expect("the loop ends well");
    let output = String::from_utf8(output).expect("text");
    let answers = output.lines().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(answers, searches, "{input:?}: {output}");
}

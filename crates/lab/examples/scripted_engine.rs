//! An engine for tests: plays legal moves chosen by a seeded generator, or misbehaves in the way it is told to.
//!
//! `scripted_engine [--seed N] [--delay MS] [--crash-after N] [--hang-after N] [--illegal-after N] [--garbage-after N]
//! [--mute] [--xboard]`

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use chess::{Game, Position};
use common::Random;

#[derive(Default)]
struct Script {
    seed: u64,
    delay: u64,
    crash_after: Option<u64>,
    hang_after: Option<u64>,
    illegal_after: Option<u64>,
    garbage_after: Option<u64>,
    mute: bool,
    xboard: bool,
}

fn read_script() -> Option<Script> {
    let mut script = Script::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next()?.parse::<u64>().ok();
        match word.as_str() {
            "--seed" => script.seed = number()?,
            "--delay" => script.delay = number()?,
            "--crash-after" => script.crash_after = Some(number()?),
            "--hang-after" => script.hang_after = Some(number()?),
            "--illegal-after" => script.illegal_after = Some(number()?),
            "--garbage-after" => script.garbage_after = Some(number()?),
            "--mute" => script.mute = true,
            "--xboard" => script.xboard = true,
            _ => return None,
        }
    }
    Some(script)
}

struct Engine {
    script: Script,
    virtual_threads: u64,
    virtual_seed: u64,
    game: Game,
    thoughts: u64,
    forced: bool,
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}");
    let _ = out.flush();
}

fn main() -> ExitCode {
    let Some(script) = read_script() else { return ExitCode::from(2) };
    if script.mute {
        std::thread::sleep(Duration::from_secs(3600));
    }
    let mut engine = Engine {
        script,
        virtual_threads: 0,
        virtual_seed: 0,
        game: Game::default(),
        thoughts: 0,
        forced: false,
    };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if line == "quit" {
            break;
        }
        let code = if engine.script.xboard { engine.xboard(&line) } else { engine.uci(&line) };
        if let Some(code) = code {
            return ExitCode::from(code);
        }
    }
    ExitCode::SUCCESS
}

impl Engine {
    fn uci(&mut self, line: &str) -> Option<u8> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => {
                say("id name Scripted\noption name Hash type spin default 1 min 1 max 64");
                say("option name Ponder type check default false");
                say("option name VirtualThreads type spin default 0 min 0 max 8");
                say("option name VirtualSeed type spin default 1 min 0 max 1000");
                say("option name Threads type spin default 1 min 1 max 8\nuciok");
            }
            Some("setoption") => {
                let value = line.rsplit(' ').next().and_then(|word| word.parse().ok()).unwrap_or(0);
                match words.nth(1) {
                    Some("VirtualThreads") => self.virtual_threads = value,
                    Some("VirtualSeed") => self.virtual_seed = value,
                    _ => {}
                }
            }
            Some("isready") => say("readyok"),
            Some("position") => self.set_position(line),
            Some("go") => {
                let text = match self.think() {
                    Ok(text) => text,
                    Err(code) => return Some(code),
                };
                // In virtual time: a minute shared out among the workers, and as many seconds as the seed says.
                let time = match self.virtual_threads {
                    0 => self.script.delay,
                    workers => 60_000 / workers + 1000 * self.virtual_seed,
                };
                let (score, nodes) = (self.score(), self.thoughts);
                say(&format!("info depth 1 score cp {score} nodes {nodes} time {time} pv {text}"));
                say(&format!("bestmove {text}"));
            }
            _ => {}
        }
        None
    }

    fn set_position(&mut self, line: &str) {
        let (start, moves) = line.split_once(" moves ").unwrap_or((line, ""));
        let start = match start.split_once("fen ") {
            Some((_, fen)) => Position::from_fen(fen.trim()).unwrap_or_default(),
            None => Position::default(),
        };
        self.game = Game::new(start);
        for text in moves.split_whitespace() {
            self.play(text);
        }
    }

    fn play(&mut self, text: &str) {
        if let Ok(mv) = self.game.position().parse_uci(text) {
            let _ = self.game.play(mv);
        }
    }

    fn xboard(&mut self, line: &str) -> Option<u8> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("protover") => {
                say("feature ping=1 setboard=1 usermove=1 reuse=1 myname=\"Scripted X\" done=1");
            }
            Some("ping") => say(&format!("pong {}", words.next().unwrap_or("0"))),
            Some("new") => {
                self.game = Game::default();
                self.forced = false;
            }
            Some("force") => self.forced = true,
            Some("setboard") => self.set_position(&line.replace("setboard", "position fen")),
            Some("usermove") => {
                self.play(words.next().unwrap_or(""));
                if !self.forced {
                    return self.answer_xboard();
                }
            }
            Some("go") => {
                self.forced = false;
                return self.answer_xboard();
            }
            _ => {}
        }
        None
    }

    fn answer_xboard(&mut self) -> Option<u8> {
        match self.think() {
            Ok(text) => {
                say(&format!("1 {} 0 {} {text}\nmove {text}", self.score(), self.thoughts));
                self.play(&text);
                None
            }
            Err(code) => Some(code),
        }
    }

    /// The same move for the same seed and position, so that whole tournaments can be compared.
    fn think(&mut self) -> Result<String, u8> {
        self.thoughts += 1;
        std::thread::sleep(Duration::from_millis(self.script.delay));
        let due = |after: Option<u64>| after.is_some_and(|after| self.thoughts > after);
        if due(self.script.crash_after) {
            eprintln!("scripted crash");
            return Err(9);
        }
        if due(self.script.hang_after) {
            std::thread::sleep(Duration::from_secs(3600));
        }
        if due(self.script.illegal_after) {
            return Ok("a1a8".to_owned());
        }
        if due(self.script.garbage_after) {
            return Ok("\u{fffd}lorem ipsum".to_owned());
        }
        let position = self.game.position();
        let moves = position.legal_moves();
        let mut rng = Random::new(self.script.seed ^ position.key() ^ self.game.moves().len() as u64);
        let choice = moves.as_slice().get(rng.below(moves.as_slice().len()));
        Ok(choice.map_or_else(|| "(none)".to_owned(), |mv| position.uci(*mv, false).to_string()))
    }

    fn score(&self) -> i64 {
        (self.game.position().key() % 200) as i64 - 100
    }
}

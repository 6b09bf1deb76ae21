//! A player in a match: an engine in this process, or a program that speaks the protocol.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use kernel::{Clock, Event};
use laser::{Game, Move};
use laser_search::{Book, Engine};
use protocol::leiserchess::Go;

use crate::options::Options;
use crate::session;

/// What a player answered.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) depth: i32,
    pub(crate) nodes: u64,
}

/// Why a player gave no move.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The program ended or its pipe broke.
    Gone(String),
    /// Nothing came for much longer than its clock allows.
    Silent,
}

pub(crate) trait Player {
    fn new_game(&mut self);
    fn choose(&mut self, game: &Game, go: &Go) -> Result<Answer, Trouble>;
}

/// `self`, `self:name=value,...`, or a command line.
pub(crate) fn open(spec: &str, clock: &Arc<dyn Clock>) -> Result<Box<dyn Player>, String> {
    match spec.strip_prefix("self") {
        Some(rest) if rest.is_empty() || rest.starts_with(':') => {
            let mut options = Options::default();
            for pair in rest.trim_start_matches(':').split(',').filter(|pair| !pair.is_empty()) {
                let (name, value) =
                    pair.split_once('=').ok_or_else(|| format!("{spec}: '{pair}', expected option=value"))?;
                if name == "book" {
                    options.book = Some(Arc::new(crate::book::load(value)?));
                    continue;
                }
                if name == "endgame" {
                    options.settings.endgame = Some(Arc::new(crate::endgame::load(value)?));
                    continue;
                }
                let value = value.parse().map_err(|_| format!("{spec}: '{value}' is no number"))?;
                options.set(name, value)?;
            }
            Ok(Box::new(Inside { engine: options.engine(Arc::clone(clock))?, book: options.book }))
        }
        _ => Ok(Box::new(Program::start(spec)?)),
    }
}

/// An engine in this process, with its book.
struct Inside {
    engine: Engine,
    book: Option<Arc<Book>>,
}

impl Player for Inside {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn choose(&mut self, game: &Game, go: &Go) -> Result<Answer, Trouble> {
        if let Some(known) = self.book.as_ref().and_then(|book| book.probe(game.position())) {
            return Ok(Answer { text: known.mv.to_string(), depth: i32::from(known.depth), nodes: 0 });
        }
        let found = self.engine.search(game, session::limits(go), &mut |_: Event<'_, Move>| ());
        let text = found.best.map_or_else(|| "none".to_owned(), |best| best.to_string());
        Ok(Answer { text, depth: found.depth.plies(), nodes: found.nodes })
    }
}

/// A child process; killed when dropped.
struct Program {
    spec: String,
    /// It owes an answer, or has ended.
    astray: bool,
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// A command may begin with options for the player: `./staff use_ob=0`.
impl Program {
    fn start(spec: &str) -> Result<Program, String> {
        let mut words = spec.split_whitespace();
        let name = words.next().ok_or("an empty command names no player")?;
        let (settings, arguments): (Vec<&str>, Vec<&str>) = words.partition(|word| word.contains('='));
        let mut child = Command::new(name)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{name}: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{name}: no pipes"));
        };
        let (sender, lines) = channel();
        // Reads until the program ends or nobody listens any more.
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let (spec, name) = (spec.to_owned(), name.to_owned());
        let mut program = Program { spec, astray: false, name, child, input, lines };
        let ready = program.send("uci").and_then(|()| program.wait_for("uciok", Duration::from_secs(10)));
        ready.map_err(|trouble| format!("{}: {trouble:?} before uciok", program.name))?;
        for setting in settings {
            if let Some((option, value)) = setting.split_once('=') {
                let line = format!("setoption name {option} value {value}");
                program.send(&line).map_err(|trouble| format!("{}: {trouble:?}", program.name))?;
            }
        }
        Ok(program)
    }

    fn send(&mut self, line: &str) -> Result<(), Trouble> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|error| Trouble::Gone(format!("{}: {error}", self.name)))
    }

    /// Lines up to and including the first that starts with `word`.
    fn wait_for(&mut self, word: &str, patience: Duration) -> Result<Vec<String>, Trouble> {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(patience) {
                Ok(line) => {
                    let found = line.starts_with(word);
                    seen.push(line);
                    if found {
                        return Ok(seen);
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(Trouble::Silent),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Gone(format!("{}: the program ended", self.name)));
                }
            }
        }
    }
}

impl Player for Program {
    fn new_game(&mut self) {
        // A late answer must not be taken for one of the next game.
        if self.astray
            && let Ok(fresh) = Program::start(&self.spec)
        {
            *self = fresh;
        }
    }

    fn choose(&mut self, game: &Game, go: &Go) -> Result<Answer, Trouble> {
        let answer = self.ask(game, go);
        self.astray |= answer.is_err();
        answer
    }
}

impl Program {
    fn ask(&mut self, game: &Game, go: &Go) -> Result<Answer, Trouble> {
        let moves: Vec<String> = game.moves().iter().map(Move::to_string).collect();
        let base = match game.positions()[0].to_string() {
            start if start == laser::START_FEN => "startpos".to_owned(),
            other => format!("fen {other}"),
        };
        let tail = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        self.send(&format!("position {base}{tail}"))?;
        let words = match (go.depth, go.nodes, go.time) {
            (Some(depth), ..) => format!("go depth {depth}"),
            (_, Some(nodes), _) => format!("go nodes {nodes}"),
            (_, _, time) => {
                let time = time.unwrap_or_default().as_millis();
                format!("go time {time} inc {}", go.increment.as_millis())
            }
        };
        self.send(&words)?;
        // A program that thinks past its clock loses on time anyway; one at fixed depth may take long.
        let patience = go.time.map_or(Duration::from_secs(600), |time| time * 2 + Duration::from_secs(5));
        let seen = self.wait_for("bestmove", patience)?;
        let number = |key: &str| {
            seen.iter().rev().find_map(|line| {
                let mut words = line.split_whitespace().skip_while(|word| *word != key);
                words.nth(1).and_then(|word| word.parse().ok())
            })
        };
        let text = seen.last().and_then(|line| line.split_whitespace().nth(1)).unwrap_or("none");
        Ok(Answer {
            text: text.to_owned(),
            depth: number("depth").unwrap_or(0) as i32,
            nodes: number("nodes").unwrap_or(0),
        })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // Asked nicely first; the 2018 players spin for ever when their input ends.
        let _ = self.send("quit");
        std::thread::sleep(Duration::from_millis(50));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

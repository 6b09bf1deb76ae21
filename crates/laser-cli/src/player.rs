//! A player in a match: an engine in this process, or a program that speaks the protocol.

use std::collections::VecDeque;
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use kernel::{Clock, Event};
use laser::{Game, Move};
use laser_search::{Book, Engine};
use protocol::leiserchess::{Go, client};
use protocol::{Line, read_line};

use crate::options::Options;
use crate::{command_loop, files};

/// What a player answered.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) depth: i32,
    pub(crate) nodes: u64,
}

/// Lines that a program may be ahead of its reader, and lines of an answer that are kept.
const QUEUE: usize = 4096;

/// How long an answer is waited for.
#[derive(Clone, Copy)]
enum Patience {
    InAll(Duration),
    OfSilence(Duration),
}

/// Why a player gave no move.
#[derive(Debug)]
pub(crate) enum PlayerError {
    /// The program ended or its pipe broke.
    Ended(String),
    /// Nothing came for much longer than its clock allows.
    TimedOut,
}

pub(crate) trait Player {
    fn new_game(&mut self);
    fn choose(&mut self, game: &Game, go: &Go) -> Result<Answer, PlayerError>;
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
                    options.book = Some(Arc::new(files::load_book(value)?));
                    continue;
                }
                if name == "endgame" {
                    options.settings.endgame = Some(Arc::new(files::load_endgame(value)?));
                    continue;
                }
                let value = value.parse().map_err(|_| format!("{spec}: '{value}' is no number"))?;
                options.set(name, value)?;
            }
            Ok(Box::new(InProcess { engine: options.engine(Arc::clone(clock))?, book: options.book }))
        }
        _ => Ok(Box::new(Program::start(spec)?)),
    }
}

/// An engine in this process, with its book.
struct InProcess {
    engine: Engine,
    book: Option<Arc<Book>>,
}

impl Player for InProcess {
    fn new_game(&mut self) {
        self.engine.new_game();
    }

    fn choose(&mut self, game: &Game, go: &Go) -> Result<Answer, PlayerError> {
        if let Some(known) = self.book.as_ref().and_then(|book| book.probe(game.position())) {
            return Ok(Answer { text: known.mv.to_string(), depth: i32::from(known.depth), nodes: 0 });
        }
        let found = self.engine.search(game, command_loop::limits(go), &mut |_: Event<'_, Move>| ());
        let text = found.best.map_or_else(|| "none".to_owned(), |best| best.to_string());
        Ok(Answer { text, depth: found.depth.plies(), nodes: found.nodes })
    }
}

/// A child process; killed when dropped.
struct Program {
    spec: String,
    /// It has not answered the last `go`, or has ended.
    out_of_step: bool,
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
        let (sender, lines) = sync_channel(QUEUE);
        // Reads until the program ends or nobody listens any more.
        let read = move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(line)) = read_line(&mut output) {
                let Line::Text(line) = line else { continue };
                if sender.send(line.trim_end().to_owned()).is_err() {
                    return;
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().spawn(read) {
            // Without its output it would wait for ever.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{name}: no thread to read its output: {error}"));
        }
        let (spec, name) = (spec.to_owned(), name.to_owned());
        let mut program = Program { spec, out_of_step: false, name, child, input, lines };
        let ready = program.send(client::IDENTIFY).and_then(|()| {
            program.wait_for(client::ends_identification, Patience::InAll(Duration::from_secs(10)))
        });
        ready.map_err(|error| format!("{}: {error:?} before it gave its name", program.name))?;
        for setting in settings {
            if let Some((option, value)) = setting.split_once('=') {
                let line = client::set_option(option, value);
                program.send(&line).map_err(|error| format!("{}: {error:?}", program.name))?;
            }
        }
        Ok(program)
    }

    fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|error| PlayerError::Ended(format!("{}: {error}", self.name)))
    }

    /// Lines up to and including the one that ends the answer, without the first ones of many.
    fn wait_for(
        &mut self,
        is_last: fn(&str) -> bool,
        patience: Patience,
    ) -> Result<Vec<String>, PlayerError> {
        let mut seen = VecDeque::new();
        let begin = Instant::now();
        loop {
            let wait = match patience {
                Patience::InAll(time) => time.saturating_sub(begin.elapsed()),
                Patience::OfSilence(time) => time,
            };
            // A line that is there already would be taken after the time is up too.
            if wait.is_zero() {
                return Err(PlayerError::TimedOut);
            }
            match self.lines.recv_timeout(wait) {
                Ok(line) => {
                    let found = is_last(&line);
                    if seen.len() == QUEUE {
                        seen.pop_front();
                    }
                    seen.push_back(line);
                    if found {
                        return Ok(seen.into());
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(PlayerError::TimedOut),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PlayerError::Ended(format!("{}: the program ended", self.name)));
                }
            }
        }
    }
}

impl Player for Program {
    fn new_game(&mut self) {
        // A late answer must not be taken for one of the next game.
        if self.out_of_step
            && let Ok(fresh) = Program::start(&self.spec)
        {
            *self = fresh;
        }
    }

    fn choose(&mut self, game: &Game, go: &Go) -> Result<Answer, PlayerError> {
        let answer = self.ask(game, go);
        self.out_of_step |= answer.is_err();
        answer
    }
}

impl Program {
    fn ask(&mut self, game: &Game, go: &Go) -> Result<Answer, PlayerError> {
        let moves: Vec<String> = game.moves().iter().map(Move::to_string).collect();
        let start = game.positions()[0].to_string();
        let fen = (start != laser::START_FEN).then_some(start.as_str());
        self.send(&client::position(fen, &moves))?;
        self.send(&client::go(go))?;
        // A program that thinks past its clock loses on time anyway; one at fixed depth may take long.
        let patience = go.time.map_or(Patience::OfSilence(Duration::from_secs(600)), |time| {
            Patience::InAll(time.saturating_mul(2).saturating_add(Duration::from_secs(5)))
        });
        let client::SearchAnswer { best, depth, nodes } =
            client::read_search(&self.wait_for(client::ends_search, patience)?);
        Ok(Answer { text: best, depth, nodes })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // `quit` first: the 2018 players loop for ever when their input ends.
        let _ = self.send(client::QUIT);
        std::thread::sleep(Duration::from_millis(50));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

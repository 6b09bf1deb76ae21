//! `tabiya laser`: the loop over the commands of the text protocol; searches run in a thread of their own.
//!
//! The loop always reads: no command waits for a search to end by itself. A bad line is answered and changes nothing;
//! an illegal move leaves the position before it. End of input lets a bounded search finish.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};

use kernel::{Clock, Control, Depth, Event, Limits, PlayClock};
use laser::{Colour, Game, Ko, Move, Position, perft_until};
use laser_search::Engine;
use protocol::leiserchess::{self, Base, Command, Go};
use protocol::{Line, read_line};

use crate::diagram;
use crate::environment::{Environment, Failure};
use crate::options::Options;

/// Output shared by the loop and its search; each call writes whole lines.
type Output<'w> = Mutex<&'w mut (dyn Write + Send)>;

fn say(output: &Output<'_>, text: &str) -> Result<(), Failure> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    writeln!(output, "{text}")?;
    Ok(output.flush()?)
}

/// A search's limits from the words of `go`.
pub(crate) fn limits(go: &Go) -> Limits {
    let clock = go.time.map(|remaining| PlayClock {
        remaining,
        increment: go.increment,
        moves_to_go: go.moves_to_go,
    });
    Limits {
        depth: go.depth.map(Depth::new),
        nodes: go.nodes,
        move_time: go.move_time,
        clock,
        infinite: go.infinite,
        ponder: go.ponder,
        ..Limits::default()
    }
}

/// The engine, or the job it is away for.
enum EngineState<'scope> {
    Idle(Box<Engine>),
    Busy(Job<'scope>),
    /// Lost with a job that failed; the next command that needs an engine makes a new one.
    Missing,
}

/// A search or a perft in its own thread, which gives the engine back unless it failed.
struct Job<'scope> {
    thread: ScopedJoinHandle<'scope, Option<Box<Engine>>>,
    control: Arc<Control>,
    ends: Ends,
}

/// When a job ends without a stop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    Never,
    /// After a while; nobody waits for it who leaves.
    Later,
    /// A search within limits, whose answer is waited for even after `quit`: the course's input files have `go depth N`
    /// and `quit` right after it.
    WithAnswer,
}

struct CommandLoop<'scope, 'w> {
    output: &'scope Output<'w>,
    clock: Arc<dyn Clock>,
    options: Options,
    game: Game,
    engine: EngineState<'scope>,
}

pub(crate) fn run(options: Options, environment: &mut Environment<'_>) -> Result<(), Failure> {
    let engine = options.engine(environment.clock.clone()).map_err(Failure::Failed)?;
    let output: Output<'_> = Mutex::new(&mut *environment.output);
    std::thread::scope(|scope| {
        let mut commands = CommandLoop {
            output: &output,
            clock: environment.clock.clone(),
            options,
            game: Game::default(),
            engine: EngineState::Idle(Box::new(engine)),
        };
        let ended = commands.read(scope, &mut *environment.input);
        // The scope waits for the job's thread: whatever ended the loop, nothing endless may stay.
        match ended {
            Ok(End::Input) => commands.finish_bounded(),
            Ok(End::Quit) => commands.finish_answer(),
            Err(_) => commands.finish(),
        }
        ended.map(|_| ())
    })
}

/// What ended the loop.
enum End {
    Quit,
    Input,
}

impl<'scope> CommandLoop<'scope, '_> {
    /// Reads and obeys until `quit` or the end of input.
    fn read<'env>(
        &mut self,
        scope: &'scope Scope<'scope, 'env>,
        input: &mut dyn BufRead,
    ) -> Result<End, Failure> {
        while let Some(line) = read_line(input)? {
            let text = match line {
                Line::Text(text) => text,
                Line::TooLong { bytes } => {
                    let message = format!("a line of {bytes} bytes is too long for a command");
                    self.say(&leiserchess::info_string(message))?;
                    continue;
                }
            };
            match leiserchess::parse(&text) {
                Ok(Command::Quit) => return Ok(End::Quit),
                Ok(command) => self.obey(scope, command)?,
                Err(leiserchess::Problem::Empty) => {}
                Err(problem) => self.say(&leiserchess::info_string(problem))?,
            }
        }
        Ok(End::Input)
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        say(self.output, text)
    }

    /// Obeys one command. A command that needs the engine ends a running search first, as the UCI loop does; the
    /// others are answered while it runs.
    fn obey<'env>(&mut self, scope: &'scope Scope<'scope, 'env>, command: Command) -> Result<(), Failure> {
        match command {
            Command::IsReady => self.say(leiserchess::READY_OK),
            Command::Stop => {
                self.stop();
                Ok(())
            }
            Command::PonderHit => {
                if let EngineState::Busy(job) = &self.engine {
                    job.control.ponder_hit(self.clock.now());
                }
                Ok(())
            }
            Command::Uci => {
                let (name, author) = ("Tabiya laser", "The Tabiya team");
                self.say(&leiserchess::identification(name, author, &self.options.lines()))
            }
            Command::Position { base, moves } => self.set_position(&base, &moves),
            Command::Move(text) => match self.game.play_text(&text) {
                Ok(_) => self.display(),
                Err(error) => self.say(&leiserchess::illegal_move(&text, error)),
            },
            Command::Generate => {
                let moves: Vec<String> = self.game.position().moves().iter().map(Move::to_string).collect();
                self.say(&moves.join(" "))
            }
            Command::Display => self.display(),
            Command::Help => self.say(&format!("{}\n\nThe rules of the game: `rules`.", leiserchess::HELP)),
            Command::Rules => self.say(crate::rules::RULES),
            Command::NewGame => {
                if let Some(mut engine) = self.take_engine()? {
                    engine.new_game();
                    self.engine = EngineState::Idle(engine);
                }
                Ok(())
            }
            Command::SetOption { name, value } => self.set_option(&name, value),
            Command::Go(go) => self.go(scope, &go),
            Command::Perft(depth) => self.perft(scope, depth),
            Command::Eval(text) => self.eval(text.as_deref()),
            Command::Quit => Ok(()),
        }
    }

    /// Asks a running job to end.
    fn stop(&self) {
        if let EngineState::Busy(job) = &self.engine {
            job.control.stop();
        }
    }

    /// Waits for a running job and takes the engine back.
    fn wait(&mut self) {
        self.engine = match std::mem::replace(&mut self.engine, EngineState::Missing) {
            EngineState::Busy(job) => {
                job.thread.join().ok().flatten().map_or(EngineState::Missing, EngineState::Idle)
            }
            other => other,
        };
    }

    /// Ends a running job.
    fn finish(&mut self) {
        self.stop();
        self.wait();
    }

    /// Lets a bounded job run to its end; ends one that would never end.
    fn finish_bounded(&mut self) {
        if let EngineState::Busy(Job { ends: Ends::Never, .. }) = &self.engine {
            self.stop();
        }
        self.wait();
    }

    /// Lets a search within limits give its answer; ends all else.
    fn finish_answer(&mut self) {
        match &self.engine {
            EngineState::Busy(Job { ends: Ends::WithAnswer, .. }) => self.wait(),
            _ => self.finish(),
        }
    }

    /// The engine, after a running job has ended; a new one where the last was lost. `None` when there is no memory
    /// for it, which is said.
    fn take_engine(&mut self) -> Result<Option<Box<Engine>>, Failure> {
        self.finish();
        if let EngineState::Idle(engine) = std::mem::replace(&mut self.engine, EngineState::Missing) {
            return Ok(Some(engine));
        }
        match self.options.engine(self.clock.clone()) {
            Ok(engine) => Ok(Some(Box::new(engine))),
            Err(error) => {
                self.say(&leiserchess::info_string(error))?;
                Ok(None)
            }
        }
    }

    /// Starts a job in its own thread. `work` is caught when it panics; `failed` is then said, and also when the
    /// system gives no thread.
    fn start<'env>(
        &mut self,
        scope: &'scope Scope<'scope, 'env>,
        engine: Box<Engine>,
        ends: Ends,
        failed: &str,
        work: impl FnOnce(&mut Engine) + Send + 'scope,
    ) -> Result<(), Failure> {
        let control = engine.control().clone();
        let (output, message) = (self.output, failed.to_owned());
        let job = move || {
            let mut engine = engine;
            if catch_unwind(AssertUnwindSafe(|| work(&mut engine))).is_ok() {
                return Some(engine);
            }
            // A reader that has gone away ends the loop at its next line.
            let _ = say(output, &message);
            None
        };
        match std::thread::Builder::new().spawn_scoped(scope, job) {
            Ok(thread) => {
                self.engine = EngineState::Busy(Job { thread, control, ends });
                Ok(())
            }
            Err(error) => {
                self.say(&leiserchess::info_string(error))?;
                self.say(failed)
            }
        }
    }

    fn set_option(&mut self, name: &str, value: i64) -> Result<(), Failure> {
        let mut changed = self.options.clone();
        if let Err(error) = changed.set(name, value) {
            return self.say(&leiserchess::info_string(error));
        }
        let Some(mut engine) = self.take_engine()? else { return Ok(()) };
        let applied = changed.apply(&mut engine);
        self.engine = EngineState::Idle(engine);
        match applied {
            Ok(()) => {
                self.options = changed;
                self.say(&leiserchess::setting(name, value))
            }
            Err(error) => self.say(&leiserchess::info_string(error)),
        }
    }

    /// Sets a position up; after an illegal move the game stands where the last legal one left it.
    fn set_position(&mut self, base: &Base, moves: &[String]) -> Result<(), Failure> {
        let start = match base {
            Base::Start => Ok(Position::start()),
            Base::Endgame => laser::ENDGAME_FEN.parse(),
            Base::Fen(fen) => fen.parse(),
        };
        let start = match start {
            Ok(start) => start,
            Err(error) => return self.say(&leiserchess::info_string(format!("position: {error}"))),
        };
        self.game = Game::new(start, self.options.settings.rules);
        for text in moves {
            if let Err(error) = self.game.play_text(text) {
                let message = format!("Move {text} is illegal: {error}");
                return self.say(&leiserchess::info_string(message));
            }
        }
        Ok(())
    }

    fn display(&mut self) -> Result<(), Failure> {
        let position = self.game.position();
        let text = diagram::draw(position, Some(position.side_to_move()));
        self.say(&format!("{text}fen {position}"))
    }

    fn eval(&mut self, text: Option<&str>) -> Result<(), Failure> {
        let mut game = self.game.clone();
        if let Some(text) = text
            && let Err(error) = game.play_text(text)
        {
            return self.say(&leiserchess::illegal_move(text, error));
        }
        let Some(engine) = self.take_engine()? else { return Ok(()) };
        let position = game.position();
        let mut lines = Vec::new();
        for colour in Colour::ALL {
            if let Some(terms) = engine.evaluator().terms(position, colour) {
                lines.push(leiserchess::info_string(format!("{colour}: {terms:?}")));
            }
        }
        lines.push(match engine.evaluate(position) {
            Some(score) => leiserchess::evaluation(score),
            None => leiserchess::info_string(format!("the game is over: {}", game.status().result())),
        });
        self.engine = EngineState::Idle(engine);
        self.say(&lines.join("\n"))
    }

    fn go<'env>(&mut self, scope: &'scope Scope<'scope, 'env>, go: &Go) -> Result<(), Failure> {
        // The last search's answer comes before that of the book.
        self.finish();
        // The book answers at once, except when asked to think on and on.
        let book = self.options.book.as_ref().filter(|_| !go.infinite && !go.ponder);
        if let Some(known) = book.and_then(|book| book.probe(self.game.position())) {
            let source = format!("book, depth {}, score {}", known.depth, known.score);
            self.say(&leiserchess::info_string(source))?;
            return self.say(&leiserchess::best_move(Some(known.mv)));
        }
        // What is answered when a search fails: a legal move, because a referee waits for one.
        let fallback = leiserchess::best_move(self.game.position().legal_moves().into_iter().next());
        let failed = format!("{}\n{fallback}", leiserchess::info_string("the search failed"));
        let Some(engine) = self.take_engine()? else { return self.say(&failed) };
        let limits = limits(go);
        let unbounded = limits.is_unbounded() || limits.ponder;
        // Beginning a search clears old orders, so it begins here: a stop that comes before the thread runs must count.
        let task = engine.prepare(&self.game, limits);
        let output = self.output;
        let ends = if unbounded { Ends::Never } else { Ends::WithAnswer };
        self.start(scope, engine, ends, &failed, move |engine| {
            engine.perform(&task, &mut |event: Event<'_, Move>| {
                // A reader that has gone away ends the loop at its next line; the search just falls silent.
                let _ = say(output, &describe(&event));
            });
        })
    }

    /// Counts depth after depth until it is done or stopped.
    fn perft<'env>(&mut self, scope: &'scope Scope<'scope, 'env>, deepest: u32) -> Result<(), Failure> {
        if deepest > laser::MAX_PERFT_DEPTH {
            let message = format!("perft: depth {deepest}, expected at most {}", laser::MAX_PERFT_DEPTH);
            return self.say(&leiserchess::info_string(message));
        }
        let Some(engine) = self.take_engine()? else { return Ok(()) };
        let control = engine.control().clone();
        control.begin(self.clock.now(), false);
        let output = self.output;
        let failed = leiserchess::info_string("perft failed");
        self.start(scope, engine, Ends::Later, &failed, move |_| {
            for depth in 1..=deepest {
                let count = perft_until(&Position::start(), depth, Ko::Reference, &|| control.is_stopped());
                let Some(count) = count else { return };
                let _ = say(output, &leiserchess::perft_line(depth, count));
            }
        })
    }
}

/// A search event in the protocol's words.
pub(crate) fn describe(event: &Event<'_, Move>) -> String {
    match event {
        Event::Info(info) => {
            let line: Vec<String> = info.line.iter().map(|mv| mv.to_string()).collect();
            leiserchess::info_lines(
                info.depth.plies(),
                info.rank,
                info.time,
                info.nodes,
                info.score.value(),
                &line.join(" "),
            )
        }
        Event::Failed => leiserchess::info_string("a worker panicked: the move is the best known"),
        Event::Best { best, .. } => leiserchess::best_move(*best),
    }
}

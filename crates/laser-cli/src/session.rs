//! `tabiya laser`: the text protocol, a search in the background, commands in the foreground.
//!
//! A bad line is answered and changes nothing; an illegal move leaves the position before it. End of input lets a
//! bounded search finish and ends the session.

use std::io::Write;
use std::sync::{Mutex, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};

use kernel::{Depth, Event, Limits, PlayClock};
use laser::{Colour, Game, Ko, Move, Position, perft};
use laser_search::Engine;
use protocol::leiserchess::{self, Base, Command, Go};

use crate::options::Options;
use crate::{Failure, World, board};

/// Output shared by the session and its search; each call writes whole lines.
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

/// Where the engine is: here, or away searching.
enum Seat<'scope> {
    Idle(Box<Engine>),
    Searching {
        search: ScopedJoinHandle<'scope, Box<Engine>>,
        control: std::sync::Arc<kernel::Control>,
        unbounded: bool,
    },
    /// A search thread ended without giving the engine back; cannot happen short of a bug there.
    Lost,
}

struct Session<'scope, 'w> {
    output: &'scope Output<'w>,
    options: Options,
    game: Game,
    seat: Seat<'scope>,
}

pub(crate) fn run(options: Options, world: &mut World<'_>) -> Result<(), Failure> {
    let engine = options.engine(world.clock.clone()).map_err(Failure::Failed)?;
    let output: Output<'_> = Mutex::new(&mut *world.output);
    let clock = world.clock.clone();
    std::thread::scope(|scope| {
        let mut session =
            Session { output: &output, options, game: Game::default(), seat: Seat::Idle(Box::new(engine)) };
        let mut line = Vec::new();
        loop {
            line.clear();
            if world.input.read_until(b'\n', &mut line)? == 0 {
                session.end(false);
                return Ok(());
            }
            match leiserchess::parse(&String::from_utf8_lossy(&line)) {
                Ok(Command::Quit) => {
                    session.end(true);
                    return Ok(());
                }
                Ok(Command::PonderHit) => session.ponder_hit(clock.now()),
                Ok(command) => session.obey(scope, command)?,
                Err(leiserchess::Problem::Empty) => {}
                Err(problem) => say(session.output, &format!("info string {problem}"))?,
            }
        }
    })
}

impl<'scope> Session<'scope, '_> {
    fn obey<'env>(&mut self, scope: &'scope Scope<'scope, 'env>, command: Command) -> Result<(), Failure> {
        // These answer while a search runs; everything else waits for it.
        match command {
            Command::IsReady => return say(self.output, "readyok"),
            Command::Stop => {
                if let Seat::Searching { control, .. } = &self.seat {
                    control.stop();
                }
                return Ok(());
            }
            _ => self.wait(),
        }
        match command {
            Command::Uci => {
                let lines = self.options.lines().join("\n");
                say(self.output, &format!("id name Tabiya laser\nid author The Tabiya team\n{lines}\nuciok"))
            }
            Command::NewGame => {
                if let Seat::Idle(engine) = &mut self.seat {
                    engine.new_game();
                }
                Ok(())
            }
            Command::SetOption { name, value } => self.set_option(&name, value),
            Command::Position { base, moves } => self.set_position(&base, &moves),
            Command::Move(text) => match self.game.play_text(&text) {
                Ok(_) => self.display(),
                Err(error) => say(self.output, &format!("Illegal move {text}: {error}")),
            },
            Command::Go(go) => {
                // The book answers at once, except when asked to think on and on.
                let book = self.options.book.as_ref().filter(|_| !go.infinite && !go.ponder);
                if let Some(known) = book.and_then(|book| book.probe(self.game.position())) {
                    let text = format!(
                        "info string book, depth {}, score {}\nbestmove {}",
                        known.depth, known.score, known.mv
                    );
                    return say(self.output, &text);
                }
                self.go(scope, &go);
                Ok(())
            }
            Command::Perft(depth) => {
                for depth in 1..=depth {
                    let count = perft(&Position::start(), depth, Ko::Reference);
                    say(self.output, &format!("perft  {depth} {count}"))?;
                }
                Ok(())
            }
            Command::Generate => {
                let moves: Vec<String> = self.game.position().moves().iter().map(Move::to_string).collect();
                say(self.output, &moves.join(" "))
            }
            Command::Eval(text) => self.eval(text.as_deref()),
            Command::Display => self.display(),
            Command::Help => say(self.output, leiserchess::HELP),
            Command::IsReady | Command::Stop | Command::PonderHit | Command::Quit => Ok(()),
        }
    }

    /// Waits for a running search and takes the engine back.
    fn wait(&mut self) {
        self.seat = match std::mem::replace(&mut self.seat, Seat::Lost) {
            Seat::Searching { search, .. } => search.join().map_or(Seat::Lost, Seat::Idle),
            other => other,
        };
    }

    /// Ends the session: at `quit` any search stops, at the end of input only one that would never end.
    fn end(&mut self, at_once: bool) {
        if let Seat::Searching { control, unbounded, .. } = &self.seat
            && (at_once || *unbounded)
        {
            control.stop();
        }
        self.wait();
    }

    fn ponder_hit(&mut self, now: std::time::Duration) {
        if let Seat::Searching { control, .. } = &self.seat {
            control.ponder_hit(now);
        }
    }

    fn set_option(&mut self, name: &str, value: i64) -> Result<(), Failure> {
        let mut changed = self.options.clone();
        let result = changed.set(name, value).and_then(|()| match &mut self.seat {
            Seat::Idle(engine) => changed.apply(engine),
            _ => Ok(()),
        });
        match result {
            Ok(()) => {
                self.options = changed;
                say(self.output, &format!("info setting {name} to {value}"))
            }
            Err(error) => say(self.output, &format!("info string {error}")),
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
            Err(error) => return say(self.output, &format!("info string position: {error}")),
        };
        self.game = Game::new(start, self.options.settings.rules);
        for text in moves {
            if let Err(error) = self.game.play_text(text) {
                return say(self.output, &format!("info string Move {text} is illegal: {error}"));
            }
        }
        Ok(())
    }

    fn display(&mut self) -> Result<(), Failure> {
        let position = self.game.position();
        let text = board::draw(position, Some(position.side_to_move()));
        say(self.output, &format!("{text}fen {position}"))
    }

    fn eval(&mut self, text: Option<&str>) -> Result<(), Failure> {
        let Seat::Idle(engine) = &self.seat else { return Ok(()) };
        let mut game = self.game.clone();
        if let Some(text) = text
            && let Err(error) = game.play_text(text)
        {
            return say(self.output, &format!("Illegal move {text}: {error}"));
        }
        let position = game.position();
        for colour in Colour::ALL {
            if let Some(terms) = engine.evaluator().terms(position, colour) {
                say(self.output, &format!("info string {colour}: {terms:?}"))?;
            }
        }
        match engine.evaluate(position) {
            Some(score) => say(self.output, &format!("info score cp {score}")),
            None => say(self.output, &format!("info string the game is over: {}", game.status().result())),
        }
    }

    fn go<'env>(&mut self, scope: &'scope Scope<'scope, 'env>, go: &Go) {
        let Seat::Idle(mut engine) = std::mem::replace(&mut self.seat, Seat::Lost) else { return };
        let limits = limits(go);
        let unbounded = limits.is_unbounded() || limits.ponder;
        let control = engine.control().clone();
        let (game, output) = (self.game.clone(), self.output);
        // Beginning a search clears old orders, so it begins here: a stop that comes before the thread runs must count.
        let task = engine.prepare(&game, limits);
        let search = scope.spawn(move || {
            engine.perform(&task, &mut |event: Event<'_, Move>| {
                let text = describe(&event);
                // A reader that has gone away ends the session at the next line; the search just falls silent.
                let _ = say(output, &text);
            });
            engine
        });
        self.seat = Seat::Searching { search, control, unbounded };
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
        // The course's referee takes the rest of the line for the move, so the reply to ponder on is not given.
        Event::Best { best: Some(best), .. } => format!("bestmove {best}"),
        Event::Best { best: None, .. } => "info string the game is over\nbestmove none".to_owned(),
    }
}

//! A game of Leiserchess, and its analysis.

use super::context::{REPORT_INTERVAL, SessionContext};
use crate::describe;
use crate::limits;
use crate::messages::{Command, Event, LaserLine, LaserMove, LaserPiece, LaserPly, LaserView, Side};
use crate::problem::Problem;
use crate::session_input::{LaserUpdate, SessionInput};
use common::background::Background;
use kernel::{Control, Limits};
use laser::{Colour, DrawRules, Game, Move, Position, Square, Status, Turn};
use laser_search::{Engine, Settings};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const MEGABYTES: usize = 16;
const NEXT: &str = "Choose another move.";

pub struct LaserSession {
    game: Game,
    you: Colour,
    time: Duration,
    engine: Arc<Mutex<Engine>>,
    control: Arc<Control>,
    inputs: Sender<SessionInput>,
    running: Arc<AtomicUsize>,
    search: Option<(u32, Background)>,
    number: u32,
    analysing: bool,
}

impl LaserSession {
    pub fn new(
        black: bool,
        milliseconds: u32,
        fen: Option<&str>,
        moves: &[String],
        context: &SessionContext,
    ) -> Result<LaserSession, Problem> {
        let start = match fen {
            None => Position::start(),
            Some(fen) if fen.len() > limits::FEN => {
                return Err(Problem::new("This position is too long.", "Start from the usual one."));
            }
            Some(fen) => fen.parse().map_err(|error: laser::FenError| {
                Problem::new(format!("This position cannot be read: {error}."), "Start from the usual one.")
            })?,
        };
        if moves.len() > limits::MOVES {
            return Err(Problem::new("This game is too long.", "Start a new game."));
        }
        let mut game = Game::new(start, DrawRules::RULE_BOOK);
        for text in moves {
            game.play_text(text).map_err(|error| Problem::new(format!("{error}."), "Start a new game."))?;
        }
        let engine = Engine::new(Arc::clone(&context.shared.clock), Settings::default(), MEGABYTES).map_err(
            |error| Problem::new(format!("The engine says: {error}."), "Close other boards and try again."),
        )?;
        let control = Arc::clone(engine.control());
        Ok(LaserSession {
            game,
            you: if black { Colour::Black } else { Colour::White },
            time: Duration::from_millis(u64::from(milliseconds.clamp(10, 60_000))),
            engine: Arc::new(Mutex::new(engine)),
            control,
            inputs: context.inputs.clone(),
            running: Arc::clone(&context.shared.searches),
            search: None,
            number: 0,
            analysing: false,
        })
    }

    pub fn execute(&mut self, command: &Command) -> Result<(), Problem> {
        match command {
            Command::LaserMove { text, ply } => {
                // A late message changes nothing; the answer shows the current state.
                if *ply as usize != self.game.moves().len() || self.game.position().side_to_move() != self.you
                {
                    return Ok(());
                }
                let text: String = text.chars().take(limits::WORDS).collect();
                self.game.play_text(text.trim()).map_err(|error| Problem::new(format!("{error}."), NEXT))?;
            }
            Command::LaserTakeBack => self.take_back(),
            Command::LaserAnalyse { on } => self.analysing = *on,
            _ => return Ok(()),
        }
        self.continue_play()
    }

    fn take_back(&mut self) {
        let mut keep = self.game.moves().len();
        while keep > 0 {
            keep -= 1;
            if self.game.positions()[keep].side_to_move() == self.you {
                break;
            }
        }
        let mut shorter = Game::new(self.game.positions()[0], self.game.rules());
        for &mv in &self.game.moves()[..keep] {
            if shorter.play(mv).is_err() {
                break;
            }
        }
        self.game = shorter;
    }

    /// Starts the search that the position needs: for the engine's move, for the analysis, or none.
    pub fn continue_play(&mut self) -> Result<(), Problem> {
        self.halt();
        if self.game.status() != Status::Ongoing {
            return Ok(());
        }
        if self.game.position().side_to_move() != self.you {
            return self.start(Limits { move_time: Some(self.time), ..Limits::default() });
        }
        if self.analysing {
            return self.start(Limits { infinite: true, ..Limits::default() });
        }
        Ok(())
    }

    fn start(&mut self, limits: Limits) -> Result<(), Problem> {
        self.number += 1;
        let (number, ply) = (self.number, self.game.moves().len() as u32);
        let turn = self.game.position().side_to_move();
        let task = self.engine.lock().unwrap_or_else(PoisonError::into_inner).prepare(&self.game, limits);
        let (engine, inputs, running) =
            (Arc::clone(&self.engine), self.inputs.clone(), Arc::clone(&self.running));
        running.fetch_add(1, Ordering::Relaxed);
        let work = move || {
            let mut last_sent: Option<Instant> = None;
            let mut sink = |event: kernel::Event<'_, Move>| {
                let kernel::Event::Info(info) = event else { return };
                if last_sent.is_some_and(|then| then.elapsed() < REPORT_INTERVAL) {
                    return;
                }
                last_sent = Some(Instant::now());
                let color = if turn == Colour::White { chess::Color::White } else { chess::Color::Black };
                let line = LaserLine {
                    ply,
                    depth: info.depth.plies().max(0) as u32,
                    worth: describe::worth(info.score, color),
                    nodes: info.nodes as f64,
                    milliseconds: info.time.as_millis() as u32,
                    moves: info.line.iter().take(12).map(|mv| mv.to_string()).collect(),
                };
                let _ = inputs.send(SessionInput::Laser(LaserUpdate::Line { number, line }));
            };
            let found = engine.lock().unwrap_or_else(PoisonError::into_inner).perform(&task, &mut sink);
            running.fetch_sub(1, Ordering::Relaxed);
            let _ = inputs.send(SessionInput::Laser(LaserUpdate::Best { number, best: found.best }));
        };
        let thread = std::thread::Builder::new().name("laser".to_string());
        let searching = Background::start(thread, work).map_err(|error| {
            self.running.fetch_sub(1, Ordering::Relaxed);
            Problem::new(format!("The engine cannot start: {error}."), "Close other tabs.")
        })?;
        self.search = Some((number, searching));
        Ok(())
    }

    /// Asks the search to end.
    pub fn interrupt(&self) {
        self.control.stop();
    }

    /// Whether the search has no end of its own.
    pub fn is_analysing(&self) -> bool {
        self.analysing && self.game.position().side_to_move() == self.you
    }

    /// Whether this search was interrupted and is still wanted.
    pub fn may_resume(&self, number: u32) -> bool {
        self.is_analysing() && self.search.as_ref().is_some_and(|(current, _)| *current == number)
    }

    fn halt(&mut self) {
        if let Some((_, searching)) = self.search.take() {
            self.control.stop();
            searching.join();
        }
    }

    pub fn handle(&mut self, update: LaserUpdate) -> Option<Event> {
        let current = self.search.as_ref().map(|(number, _)| *number);
        match update {
            LaserUpdate::Line { number, line } => {
                (Some(number) == current).then_some(Event::LaserAnalysis { line })
            }
            LaserUpdate::Best { number, best } => {
                if Some(number) != current {
                    return None;
                }
                self.search = None;
                if self.game.position().side_to_move() == self.you {
                    return None;
                }
                self.game.play(best?).ok()?;
                Some(self.continue_play().map_or_else(Event::from, |()| self.event()))
            }
        }
    }

    pub fn event(&self) -> Event {
        let position = self.game.position();
        let status = self.game.status();
        let plies = (0..=self.game.moves().len()).map(|index| self.ply(index)).collect();
        let going = status == Status::Ongoing;
        let yours = position.side_to_move() == self.you;
        let moves = if going && yours {
            position.legal_moves().iter().map(|&mv| laser_move(mv)).collect()
        } else {
            Vec::new()
        };
        Event::Laser {
            view: Box::new(LaserView {
                you: side(self.you),
                turn: side(position.side_to_move()),
                plies,
                moves,
                result: (!going).then(|| status.result().to_string()),
                reason: match status {
                    Status::Ongoing => None,
                    Status::Won(colour) => Some(format!("{colour} wins: the other king is zapped")),
                    Status::Drawn(reason) => Some(format!("draw: {reason}")),
                },
                thinking: going && !yours,
            }),
        }
    }

    fn ply(&self, index: usize) -> LaserPly {
        let position = &self.game.positions()[index];
        let mut ply = LaserPly {
            text: None,
            pieces: pieces(position),
            beam: Vec::new(),
            exit: None,
            zapped: None,
            fen: position.to_string(),
        };
        let Some(before) = index.checked_sub(1) else { return ply };
        let mv = self.game.moves()[before];
        ply.text = Some(mv.to_string());
        // The pieces as they stood when the laser was fired: moved, nothing zapped yet.
        let mut fired = self.game.positions()[before];
        let mover = fired.side_to_move();
        fired.place(mv);
        let Some(king) = fired.king(mover) else { return ply };
        let squares: Vec<Square> = std::iter::once(king).chain(fired.beam(mover)).collect();
        let victim = fired.shot(mover).victim;
        ply.zapped = victim.and_then(|square| piece(&fired, square));
        if victim.is_none() {
            ply.exit = exit(&fired, mover, &squares);
        }
        ply.beam = squares.iter().map(ToString::to_string).collect();
        ply
    }
}

impl Drop for LaserSession {
    fn drop(&mut self) {
        self.halt();
    }
}

/// One step on from the last square, in the direction the beam leaves it.
fn exit(position: &Position, side: Colour, squares: &[Square]) -> Option<[i8; 2]> {
    let last = *squares.last()?;
    let travelling = match squares.len() {
        1 => position.facing(side)?,
        count => {
            let before = squares[count - 2];
            let (file, rank) =
                ((last.file() - before.file()).signum(), (last.rank() - before.rank()).signum());
            let arrived = laser::Compass::ALL.into_iter().find(|compass| compass.offset() == (file, rank))?;
            match position.piece_at(last) {
                Some(piece) if !piece.is_king() => piece.orientation().reflect(arrived)?,
                _ => arrived,
            }
        }
    };
    let (file, rank) = travelling.offset();
    Some([(last.file() + file) as i8, (last.rank() + rank) as i8])
}

fn side(colour: Colour) -> Side {
    if colour == Colour::White { Side::White } else { Side::Black }
}

fn piece(position: &Position, square: Square) -> Option<LaserPiece> {
    position.piece_at(square).map(|piece| LaserPiece {
        square: square.to_string(),
        side: side(piece.colour()),
        king: piece.is_king(),
        quarters: piece.orientation().number(),
    })
}

fn pieces(position: &Position) -> Vec<LaserPiece> {
    Square::all().filter_map(|square| piece(position, square)).collect()
}

fn laser_move(mv: Move) -> LaserMove {
    LaserMove {
        text: mv.to_string(),
        from: mv.from().to_string(),
        via: mv.via().map(|square| square.to_string()),
        to: mv.to().to_string(),
        turn: mv.turn().map(|turn| {
            match turn {
                Turn::Right => "R",
                Turn::Half => "U",
                Turn::Left => "L",
            }
            .to_string()
        }),
    }
}

//! The table two players sit at: the game, the board as drawn, the opponent, the score sheet.

use super::input::{self, Input};
use crate::cli::Failure;
use crate::terminal::board::{View, draw};
use chess::pgn::{GameResult, PgnGame};
use chess::{Color, Game, Move, Position};
use engine::{Clock, Engine, Information, Report, Request};
use kernel::Limits;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How the engine plays.
pub struct Opponent {
    pub elo: Option<u16>,
    pub time: Duration,
    pub chess960: bool,
}

pub struct Table {
    engine: Engine,
    opponent: Opponent,
    start: Position,
    game: Game,
    side: Color,
    view: View,
    file: PathBuf,
    /// Set when the game ended by a player's word.
    agreed: Option<GameResult>,
    saved: bool,
}

/// What goes on after an input.
enum Next {
    Ask,
    Show,
    Leave,
}

impl Table {
    pub fn new(
        start: Position,
        side: Color,
        opponent: Opponent,
        file: PathBuf,
        colour: bool,
        clock: Arc<dyn Clock>,
    ) -> Result<Table, Failure> {
        let mut engine = Engine::new(clock).map_err(Failure::failed)?;
        if let Some(elo) = opponent.elo {
            engine.set_option("UCI_LimitStrength", Some("true")).map_err(Failure::failed)?;
            engine.set_option("UCI_Elo", Some(&elo.to_string())).map_err(Failure::failed)?;
        }
        let game = Game::new(start.clone());
        let view = View { colour, bottom: side };
        Ok(Table { engine, opponent, start, game, side, view, file, agreed: None, saved: false })
    }

    /// Plays until the player leaves; games that have moves are saved, whatever happens.
    pub fn play(&mut self, mut input: impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "You play {}. Type a move (e4, Nf3, O-O) or 'help'.\n", self.side)?;
        self.show(out)?;
        let result = self.talk(&mut input, out);
        if !self.saved && !self.game.moves().is_empty() {
            self.save(out)?;
        }
        result
    }

    fn talk(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        loop {
            if self.is_over() {
                self.announce(out)?;
            } else if self.game.position().turn() != self.side {
                self.reply(out)?;
                self.show(out)?;
                continue;
            }
            write!(out, "> ")?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(out)?;
                return Ok(());
            }
            match self.answer(input::read(&line, self.game.position()), out)? {
                Next::Ask => {}
                Next::Show => self.show(out)?,
                Next::Leave => return Ok(()),
            }
        }
    }

    fn is_over(&self) -> bool {
        self.agreed.is_some() || self.game.outcome().is_some()
    }

    fn answer(&mut self, input: Input, out: &mut impl Write) -> Result<Next, Failure> {
        Ok(match input {
            Input::Nothing => Next::Ask,
            Input::Unclear(why) => {
                writeln!(out, "{why}")?;
                Next::Ask
            }
            Input::Help => {
                write!(out, "{}", input::HELP)?;
                Next::Ask
            }
            Input::Move(_) | Input::Hint | Input::Resign | Input::Draw if self.is_over() => {
                writeln!(out, "The game is over: 'new' starts another, 'back' takes the last move back.")?;
                Next::Ask
            }
            Input::Move(mv) => {
                self.game.play(mv).map_err(Failure::failed)?;
                self.saved = false;
                Next::Show
            }
            Input::TakeBack => self.take_back(out)?,
            Input::Hint => {
                if let Some((mv, _)) = self.think() {
                    writeln!(out, "{}", self.game.position().san(mv))?;
                }
                Next::Ask
            }
            Input::Moves => {
                let position = self.game.position();
                let names: Vec<String> =
                    position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect();
                writeln!(out, "{}", names.join(" "))?;
                Next::Ask
            }
            Input::Flip => {
                self.view.bottom = !self.view.bottom;
                Next::Show
            }
            Input::Fen => {
                writeln!(out, "{}", self.game.position().to_fen())?;
                Next::Ask
            }
            Input::Save => {
                self.save(out)?;
                Next::Ask
            }
            Input::Resign => {
                self.agreed = Some(if self.side == Color::White {
                    GameResult::BlackWins
                } else {
                    GameResult::WhiteWins
                });
                Next::Ask
            }
            Input::Draw => self.offer_draw(out)?,
            Input::New => {
                if !self.saved && !self.game.moves().is_empty() {
                    self.save(out)?;
                }
                self.engine.new_game();
                self.game = Game::new(self.start.clone());
                self.agreed = None;
                self.saved = false;
                Next::Show
            }
            Input::Quit => Next::Leave,
        })
    }

    /// Back to the player's own last turn: the engine's move and the player's before it.
    fn take_back(&mut self, out: &mut impl Write) -> Result<Next, Failure> {
        self.agreed = None;
        self.saved = false;
        let before = self.game.moves().len();
        self.game.take_back();
        if self.game.position().turn() != self.side {
            self.game.take_back();
        }
        if self.game.moves().len() == before {
            writeln!(out, "There is no move to take back.")?;
            return Ok(Next::Ask);
        }
        Ok(Next::Show)
    }

    fn offer_draw(&mut self, out: &mut impl Write) -> Result<Next, Failure> {
        // From the player's side; the engine accepts when it is not better off.
        let accepted =
            self.think().is_some_and(|(_, last)| last.is_some_and(|found| found.score.value() >= 0));
        if accepted {
            self.agreed = Some(GameResult::Draw);
        } else {
            writeln!(out, "The engine plays on.")?;
        }
        Ok(Next::Ask)
    }

    fn reply(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let Some((mv, last)) = self.think() else { return Ok(()) };
        write!(out, "Tabiya: {}", self.game.position().san(mv))?;
        if let Some(found) = last {
            write!(out, "   (depth {}, {} nodes)", found.depth, found.nodes)?;
        }
        writeln!(out)?;
        self.game.play(mv).map_err(Failure::failed)
    }

    /// The engine's choice in the present position, and the last thing it said about it.
    fn think(&mut self) -> Option<(Move, Option<Information>)> {
        let (sender, receiver) = channel();
        self.engine.set_game(self.game.clone());
        let limits = Limits { move_time: Some(self.opponent.time), ..Limits::default() };
        self.engine.go(
            Request::new(limits),
            Box::new(move |report| {
                let _ = sender.send(report);
            }),
        );
        let mut last = None;
        for report in receiver {
            match report {
                Report::Information(information) => last = Some(information),
                Report::Remark(_) => {}
                Report::Best { best, .. } => return best.map(|mv| (mv, last)),
            }
        }
        None
    }

    fn show(&self, out: &mut impl Write) -> Result<(), Failure> {
        let last = self.game.moves().last().copied();
        writeln!(out, "\n{}", draw(self.game.position(), last, self.view))?;
        Ok(())
    }

    fn result(&self) -> GameResult {
        self.agreed.or_else(|| self.game.outcome().map(GameResult::from)).unwrap_or(GameResult::Unknown)
    }

    fn announce(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        if self.saved {
            return Ok(());
        }
        match self.game.outcome() {
            Some(outcome) => writeln!(out, "{}: {outcome}.", outcome.result())?,
            None => writeln!(out, "{}.", self.result())?,
        }
        self.save(out)
    }

    /// Adds the game to the file of games.
    fn save(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let tabiya = match self.opponent.elo {
            Some(elo) => format!("Tabiya (level {elo})"),
            None => "Tabiya".to_string(),
        };
        let (white, black) = match self.side {
            Color::White => ("You", tabiya.as_str()),
            Color::Black => (tabiya.as_str(), "You"),
        };
        let mut record = PgnGame::from_game(&self.game, self.opponent.chess960);
        record.tags.set("Event", "Game in the terminal");
        record.tags.set("Date", &crate::date::today());
        record.tags.set("White", white);
        record.tags.set("Black", black);
        record.set_result(self.result());
        let named = |error: std::io::Error| Failure::Failed(format!("{}: {error}", self.file.display()));
        let mut file =
            std::fs::OpenOptions::new().create(true).append(true).open(&self.file).map_err(named)?;
        file.write_all(format!("{}\n\n", record.to_string().trim_end()).as_bytes()).map_err(named)?;
        self.saved = true;
        writeln!(out, "Saved to {}.", self.file.display())?;
        Ok(())
    }
}

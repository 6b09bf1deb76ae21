//! A game in the terminal: the position, the board as drawn, the clocks, the opponent, the file of games.

use super::clock::{Clocks, TimeControl};
use super::input::{self, Input};
use super::insight::{self, Adviser};
use crate::cli::Failure;
use crate::terminal::board::{View, draw};
use chess::pgn::{GameResult, PgnGame};
use chess::{Color, Game, Move, Position};
use engine::{Clock, Engine, Information, Report, Request};
use human_model::reply::Rating;
use kernel::Limits;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// How the engine plays.
pub struct Opponent {
    pub elo: Option<u16>,
    /// For a move, when there is no clock.
    pub time: Duration,
    pub options: Vec<(String, String)>,
}

/// What a game starts from; a rematch starts from the same.
pub struct Setting {
    pub start: Game,
    pub side: Color,
    pub chess960: bool,
    pub control: Option<TimeControl>,
    /// The player's rating.
    pub level: Rating,
    pub file: PathBuf,
    pub colour: bool,
}

/// A resignation, an agreement or a loss on time.
struct Ending {
    result: GameResult,
    reason: &'static str,
}

pub struct TerminalGame {
    engine: Engine,
    /// Made when first asked.
    adviser: Option<Adviser>,
    clock: Arc<dyn Clock>,
    names: web::Openings,
    opponent: Opponent,
    setting: Setting,
    game: Game,
    side: Color,
    view: View,
    clocks: Option<Clocks>,
    ending: Option<Ending>,
    saved: bool,
    opening: Option<String>,
}

/// What follows an input.
enum Next {
    Ask,
    Show,
    Leave,
}

/// The engine's move and what it said about it.
struct EngineMove {
    mv: Move,
    last: Option<Information>,
    remarks: Vec<String>,
}

/// Moves of each side before a draw can be agreed, unless few pieces are left.
const DRAW_MOVES: usize = 20;
const FEW_PIECES: u32 = 8;

/// Nobody agrees to a draw when the game has hardly begun.
fn may_be_agreed_drawn(position: &Position, plies_played: usize) -> bool {
    plies_played >= 2 * DRAW_MOVES || position.board().occupied().count() <= FEW_PIECES
}

impl TerminalGame {
    pub fn new(setting: Setting, opponent: Opponent, clock: Arc<dyn Clock>) -> Result<TerminalGame, Failure> {
        let mut engine = Engine::new(Arc::clone(&clock)).map_err(Failure::failed)?;
        for (name, value) in &opponent.options {
            engine.set_option(name, Some(value)).map_err(Failure::failed)?;
        }
        let view = View { colour: setting.colour, bottom: setting.side };
        Ok(TerminalGame {
            engine,
            adviser: None,
            clock,
            names: web::Openings::embedded(),
            opponent,
            game: setting.start.clone(),
            side: setting.side,
            view,
            clocks: setting.control.map(Clocks::new),
            setting,
            ending: None,
            saved: false,
            opening: None,
        })
    }

    /// Plays until the player leaves; games that have moves are saved, whatever happens.
    pub fn play(&mut self, mut input: impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        writeln!(out, "You play {}. Type a move (e4, Nf3, O-O) or 'help'.\n", self.side)?;
        self.show(out)?;
        let result = self.run(&mut input, out);
        if !self.saved && self.has_moves() {
            self.save(out)?;
        }
        result
    }

    fn has_moves(&self) -> bool {
        self.game.moves().len() > self.setting.start.moves().len()
    }

    fn run(&mut self, input: &mut impl BufRead, out: &mut impl Write) -> Result<(), Failure> {
        loop {
            if self.is_over() {
                self.announce(out)?;
            } else if self.game.position().turn() != self.side {
                self.reply(out)?;
                self.show(out)?;
                continue;
            }
            self.prompt(out)?;
            let since = Instant::now();
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(out)?;
                return Ok(());
            }
            let read = input::read(&line, self.game.position());
            // Time spent on questions is the player's as well.
            if !self.is_over() && !self.press(self.side, since.elapsed(), matches!(read, Input::Move(_))) {
                continue;
            }
            match self.answer(read, out)? {
                Next::Ask => {}
                Next::Show => self.show(out)?,
                Next::Leave => return Ok(()),
            }
        }
    }

    fn prompt(&self, out: &mut impl Write) -> Result<(), Failure> {
        if let Some(clocks) = self.clocks.as_ref().filter(|_| !self.is_over()) {
            let text = |side| Clocks::text(clocks.left(side));
            write!(out, "[you {}, Tabiya {}] ", text(self.side), text(!self.side))?;
        }
        write!(out, "> ")?;
        out.flush()?;
        Ok(())
    }

    /// Takes time off a clock, if clocks run; a fallen flag ends the game. Nobody's runs before both have moved.
    fn press(&mut self, side: Color, took: Duration, moved: bool) -> bool {
        let runs = self.game.moves().len() >= self.setting.start.moves().len() + 2;
        let Some(clocks) = self.clocks.as_mut().filter(|_| runs) else { return true };
        let stands = if moved { clocks.press(side, took) } else { clocks.spend(side, took) };
        if !stands {
            let result = if side.is_white() { GameResult::BlackWins } else { GameResult::WhiteWins };
            self.ending = Some(Ending { result, reason: "on time" });
        }
        stands
    }

    fn is_over(&self) -> bool {
        self.ending.is_some() || self.game.outcome().is_some()
    }

    fn adviser(&mut self) -> Result<&mut Adviser, Failure> {
        if self.adviser.is_none() {
            self.adviser = Some(Adviser::new(Arc::clone(&self.clock))?);
        }
        self.adviser.as_mut().ok_or_else(|| Failure::Failed("no engine to ask".into()))
    }

    fn answer(&mut self, input: Input, out: &mut impl Write) -> Result<Next, Failure> {
        let told = match input {
            Input::Nothing => String::new(),
            Input::Unclear(why) => format!("{why}\n"),
            Input::Help => input::HELP.to_string(),
            Input::Move(_) | Input::Hint | Input::Resign | Input::Draw | Input::Switch if self.is_over() => {
                "The game is over: 'new' or 'rematch' starts another, 'back' takes the last move back.\n"
                    .to_string()
            }
            Input::Move(mv) => {
                self.game.play(mv).map_err(Failure::failed)?;
                self.saved = false;
                return Ok(Next::Show);
            }
            Input::TakeBack => return self.take_back(out),
            Input::Hint => {
                let game = self.game.clone();
                let (best, _) = self.adviser()?.analyse(game, 1)?;
                best.map(|mv| format!("{}\n", self.game.position().san(mv))).unwrap_or_default()
            }
            Input::Lines => {
                let game = self.game.clone();
                self.adviser()?.lines(&game)?
            }
            Input::Threat => {
                let game = self.game.clone();
                self.adviser()?.threat(&game)?
            }
            Input::People if self.setting.chess960 => {
                "People's moves are known for standard chess only.\n".into()
            }
            Input::People => insight::people(&self.game, self.setting.level)?,
            Input::Review => {
                let (record, side, level) = (self.record(), self.side, self.setting.level);
                self.adviser()?.review(&record, side, level)?
            }
            Input::Moves => {
                let position = self.game.position();
                let names: Vec<String> =
                    position.legal_moves().iter().map(|&mv| position.san(mv).to_string()).collect();
                format!("{}\n", names.join(" "))
            }
            Input::Flip => {
                self.view.bottom = !self.view.bottom;
                return Ok(Next::Show);
            }
            Input::Fen => format!("{}\n", self.game.position().to_fen()),
            Input::Pgn => format!("{}\n", self.record().to_string().trim_end()),
            Input::Save => {
                self.save(out)?;
                String::new()
            }
            Input::Resign => {
                let lost = if self.side.is_white() { GameResult::BlackWins } else { GameResult::WhiteWins };
                self.ending = Some(Ending { result: lost, reason: "by resignation" });
                String::new()
            }
            Input::Draw => return self.offer_draw(out),
            Input::Switch => {
                self.side = !self.side;
                self.view.bottom = self.side;
                return Ok(Next::Show);
            }
            Input::New => return self.again(self.side, out),
            Input::Rematch => return self.again(!self.side, out),
            Input::Quit => return Ok(Next::Leave),
        };
        write!(out, "{told}")?;
        Ok(Next::Ask)
    }

    /// Another game with the same settings.
    fn again(&mut self, side: Color, out: &mut impl Write) -> Result<Next, Failure> {
        if !self.saved && self.has_moves() {
            self.save(out)?;
        }
        self.engine.new_game().map_err(Failure::failed)?;
        self.game = self.setting.start.clone();
        self.side = side;
        self.view.bottom = side;
        self.clocks = self.setting.control.map(Clocks::new);
        self.ending = None;
        self.saved = false;
        self.opening = None;
        writeln!(out, "You play {side}.")?;
        Ok(Next::Show)
    }

    /// Back to the player's own last turn: the engine's move and the player's before it.
    fn take_back(&mut self, out: &mut impl Write) -> Result<Next, Failure> {
        let first = self.setting.start.moves().len();
        let own = (first..self.game.moves().len()).any(|at| self.game.positions()[at].turn() == self.side);
        if !own {
            writeln!(out, "There is no move to take back.")?;
            return Ok(Next::Ask);
        }
        self.ending = None;
        self.saved = false;
        self.game.take_back();
        if self.game.position().turn() != self.side {
            self.game.take_back();
        }
        Ok(Next::Show)
    }

    fn offer_draw(&mut self, out: &mut impl Write) -> Result<Next, Failure> {
        let played = self.game.moves().len() - self.setting.start.moves().len();
        if !may_be_agreed_drawn(self.game.position(), played) {
            writeln!(out, "The engine plays on: it agrees to no draw in the first {DRAW_MOVES} moves.")?;
            return Ok(Next::Ask);
        }
        // From the player's side; the engine accepts when it is not better off.
        let game = self.game.clone();
        let (_, lines) = self.adviser()?.analyse(game, 1)?;
        if lines.first().is_some_and(|found| found.score.value() >= 0) {
            self.ending = Some(Ending { result: GameResult::Draw, reason: "by agreement" });
        } else {
            writeln!(out, "The engine plays on.")?;
        }
        Ok(Next::Ask)
    }

    fn reply(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let since = Instant::now();
        let Some(chosen) = self.think() else { return Ok(()) };
        if !self.press(!self.side, since.elapsed(), true) {
            return Ok(());
        }
        write!(out, "Tabiya: {}", self.game.position().san(chosen.mv))?;
        if let Some(found) = chosen.last {
            write!(out, "   (depth {}, {} nodes)", found.depth, found.nodes)?;
        }
        writeln!(out)?;
        for remark in chosen.remarks {
            writeln!(out, "  {remark}")?;
        }
        self.game.play(chosen.mv).map_err(Failure::failed)
    }

    /// The engine's choice in the present position, and what it said about it.
    fn think(&mut self) -> Option<EngineMove> {
        let (sender, receiver) = channel();
        self.engine.set_game(self.game.clone());
        let limits = match &self.clocks {
            Some(clocks) => Limits { clock: Some(clocks.for_engine(!self.side)), ..Limits::default() },
            None => Limits { move_time: Some(self.opponent.time), ..Limits::default() },
        };
        self.engine.go(
            Request::new(limits),
            Box::new(move |report| {
                let _ = sender.send(report);
            }),
        );
        let (mut last, mut remarks) = (None, Vec::new());
        for report in receiver {
            match report {
                Report::Information(information) => last = Some(information),
                Report::Remark(text) => remarks.push(text),
                Report::Best { best, .. } => return best.map(|mv| EngineMove { mv, last, remarks }),
            }
        }
        None
    }

    fn show(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let last = self.game.moves().last().copied();
        writeln!(out, "\n{}", draw(self.game.position(), last, self.view))?;
        // A name is told when it changes.
        let name = self.names.last_name(self.game.positions()).map(str::to_string);
        if let Some(name) = name.as_ref().filter(|name| self.opening.as_ref() != Some(name)) {
            writeln!(out, "{name}\n")?;
        }
        self.opening = name;
        Ok(())
    }

    fn result(&self) -> GameResult {
        let agreed = self.ending.as_ref().map(|ending| ending.result);
        agreed.or_else(|| self.game.outcome().map(GameResult::from)).unwrap_or(GameResult::Unknown)
    }

    fn announce(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        if self.saved {
            return Ok(());
        }
        match (&self.ending, self.game.outcome()) {
            (Some(ending), _) => writeln!(out, "{} {}.", ending.result, ending.reason)?,
            (None, Some(outcome)) => writeln!(out, "{}: {outcome}.", outcome.result())?,
            (None, None) => {}
        }
        self.save(out)?;
        writeln!(out, "'review' looks over the game, 'rematch' plays another.")?;
        Ok(())
    }

    fn record(&self) -> PgnGame {
        let tabiya = match self.opponent.elo {
            Some(elo) => format!("Tabiya (level {elo})"),
            None => "Tabiya".to_string(),
        };
        let (white, black) = match self.side {
            Color::White => ("You", tabiya.as_str()),
            Color::Black => (tabiya.as_str(), "You"),
        };
        let mut record = PgnGame::from_game(&self.game, self.setting.chess960);
        record.tags.set("Event", "Game in the terminal");
        record.tags.set("Date", &crate::date::today());
        record.tags.set("White", white);
        record.tags.set("Black", black);
        if let Some((code, name)) = self.opening.as_deref().and_then(|opening| opening.split_once(' ')) {
            record.tags.set("ECO", code);
            record.tags.set("Opening", name);
        }
        record.set_result(self.result());
        record
    }

    /// Adds the game to the file of games.
    fn save(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        let path = &self.setting.file;
        let named = |error: std::io::Error| Failure::Failed(format!("{}: {error}", path.display()));
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).map_err(named)?;
        let text = self.record().to_string();
        file.write_all(format!("{}\n\n", text.trim_end()).as_bytes()).map_err(named)?;
        writeln!(out, "Saved to {}.", path.display())?;
        self.saved = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_draw_is_agreed_after_two_moves() {
        let start = Position::default();
        assert!(!may_be_agreed_drawn(&start, 4));
        assert!(may_be_agreed_drawn(&start, 40));
        let ending = Position::from_fen("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1").unwrap();
        assert!(may_be_agreed_drawn(&ending, 0));
    }
}

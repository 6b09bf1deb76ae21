//! A game between the player and the engine.

mod clocks;
mod pace;
mod record;
mod setup;

pub use record::{export, summary};

use super::engines::Bench;
use super::{Session, Who, trouble_with_archive};
use crate::archive::Record;
use crate::describe;
use crate::messages::{ClockSettings, Command, Event, GameSettings, GameView, Status};
use crate::openings::Openings;
use crate::problem::Problem;
use chess::{Color, Game, Move, PieceKind, Position};
use clocks::ChessClock;
use engine::{Report, Request};
use kernel::{Limits, Score};
use std::time::{Duration, Instant};

const HASH: u32 = 64;
/// What a move may take when there is no clock.
const UNHURRIED: Duration = Duration::from_millis(1500);
const HURRIED: Duration = Duration::from_millis(300);
const HINT: Duration = Duration::from_millis(600);
/// Half-moves before which a draw by agreement is no game.
const SHORTEST_DRAW: usize = 30;

/// What became of a command or a report.
pub enum Changed {
    Nothing,
    /// To be told, not to be written down.
    Told(Event),
    Game,
}

/// What the engine searches for.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Purpose {
    Move,
    /// The answer it expects; its own move is looked for behind that.
    Ponder(Move),
    Hint,
}

struct Ending {
    result: &'static str,
    reason: String,
}

pub struct Table {
    id: u32,
    settings: GameSettings,
    you: Color,
    chess960: bool,
    game: Game,
    ending: Option<Ending>,
    clock: Option<ChessClock>,
    bench: Bench,
    search: Option<(u32, Purpose, Instant)>,
    /// Found, and to be played at this time.
    pending: Option<(Move, Option<Move>, Instant)>,
    /// The engine's own opinion after its last search.
    opinion: Option<Score>,
    latest: Option<Score>,
}

impl Table {
    pub fn new(settings: GameSettings, session: &Session) -> Result<Table, Problem> {
        let random = u64::from_le_bytes(noise());
        let setup::Setup { game, you, chess960 } = setup::set_up(&settings, random)?;
        let mut table = Table::seat(0, settings, you, chess960, game, session)?;
        table.id = session
            .shared
            .archive
            .add(&table.record(&session.shared.openings))
            .map_err(trouble_with_archive)?;
        Ok(table)
    }

    pub fn reopen(id: u32, session: &Session) -> Result<Table, Problem> {
        let (entry, game) = record::fetch(id, &session.shared)?;
        let old = entry.record;
        let you = if old.white_is_player { Color::White } else { Color::Black };
        let mut table = Table::seat(id, old.settings, you, old.chess960, game, session)?;
        if let (Some(clock), Some(clocks)) = (&mut table.clock, old.clocks) {
            clock.set(clocks);
        }
        table.ending = match old.result.as_str() {
            "1-0" => Some("1-0"),
            "0-1" => Some("0-1"),
            "1/2-1/2" => Some("1/2-1/2"),
            _ => None,
        }
        .map(|result| Ending { result, reason: old.reason });
        Ok(table)
    }

    fn seat(
        id: u32,
        settings: GameSettings,
        you: Color,
        chess960: bool,
        game: Game,
        session: &Session,
    ) -> Result<Table, Problem> {
        let machine = session.shared.machine;
        let mut bench = Bench::new(Who::Play, machine.hash(HASH), session)?;
        bench.choose(&settings.opponent.options, machine)?;
        let clock = settings.clock.map(|own| {
            let engine = settings.engine_clock.unwrap_or(own);
            let of = |side: Color| -> ClockSettings { if side == you { own } else { engine } };
            ChessClock::new(of(Color::White), of(Color::Black))
        });
        let mut table = Table {
            id,
            settings,
            you,
            chess960,
            game,
            ending: None,
            clock,
            bench,
            search: None,
            pending: None,
            opinion: None,
            latest: None,
        };
        // A level out of range is refused here rather than in mid-game.
        table.limit_strength(true)?;
        Ok(table)
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    pub fn begin(&mut self) -> Changed {
        self.go_on(Instant::now());
        Changed::Game
    }

    fn limit_strength(&mut self, limited: bool) -> Result<(), Problem> {
        match self.settings.opponent.level.filter(|_| limited) {
            Some(level) => {
                self.bench.set("UCI_Elo", &level.to_string())?;
                self.bench.set("ThinkingTime", if self.settings.natural { "true" } else { "false" })?;
                self.bench.set("UCI_LimitStrength", "true")
            }
            None => self.bench.set("UCI_LimitStrength", "false"),
        }
    }

    fn turn(&self) -> Color {
        self.game.position().turn()
    }

    fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// After any change of the position: ends the game if it is over, starts clocks and the engine if not.
    fn go_on(&mut self, now: Instant) {
        if self.ending.is_none() {
            self.ending = self
                .game
                .outcome()
                .map(|outcome| Ending { result: outcome.result(), reason: outcome.to_string() });
        }
        if self.is_over() {
            self.halt(now);
            return;
        }
        let turn = self.turn();
        if let Some(clock) = self.clock.as_mut().filter(|_| self.game.moves().len() >= 2) {
            clock.start(turn, now);
        }
        if turn != self.you {
            self.think(now);
        }
    }

    fn halt(&mut self, now: Instant) {
        self.bench.stop();
        self.search = None;
        self.pending = None;
        if let Some(clock) = &mut self.clock {
            clock.pause(now);
        }
    }

    fn limits(&self, now: Instant) -> Limits {
        if let Some(clock) = &self.clock {
            return Limits { clock: Some(clock.for_engine(!self.you, now)), ..Limits::default() };
        }
        let time = if self.settings.natural { UNHURRIED } else { HURRIED };
        Limits { move_time: Some(time), ..Limits::default() }
    }

    fn think(&mut self, now: Instant) {
        // Options that worked when the game was set up still do.
        let _ = self.limit_strength(true);
        let number = self.bench.go(self.game.clone(), Request::new(self.limits(now)));
        self.latest = None;
        self.search = Some((number, Purpose::Move, now));
    }

    /// Thinks on behind the answer it expects. Only at full strength: a weakened engine has no use for more time.
    fn ponder(&mut self, expected: Option<Move>, now: Instant) {
        let Some(expected) =
            expected.filter(|_| self.settings.ponder && self.settings.opponent.level.is_none())
        else {
            return;
        };
        let mut game = self.game.clone();
        if self.is_over() || game.play(expected).is_err() || game.outcome().is_some() {
            return;
        }
        let limits = Limits { ponder: true, ..self.limits(now) };
        let number = self.bench.go(game, Request::new(limits));
        self.latest = None;
        self.search = Some((number, Purpose::Ponder(expected), now));
    }

    pub fn obey(&mut self, command: &Command) -> Result<Changed, Problem> {
        let now = Instant::now();
        match command {
            Command::Move { text, ply } => self.player_moves(text, *ply, now),
            Command::TakeBack => self.take_back(now),
            Command::Resign => {
                self.still_going()?;
                let result = if self.you.is_white() { "0-1" } else { "1-0" };
                Ok(self.end(result, format!("{} resigns", self.you), now))
            }
            Command::OfferDraw => self.offer_draw(now),
            Command::SwitchSides => {
                self.still_going()?;
                self.halt(now);
                self.you = !self.you;
                self.go_on(now);
                Ok(Changed::Game)
            }
            Command::Hint => self.hint(now),
            _ => Ok(Changed::Nothing),
        }
    }

    fn still_going(&self) -> Result<(), Problem> {
        if self.is_over() {
            return Err(Problem::new("The game is over.", "Start a new game, or take the last move back."));
        }
        Ok(())
    }

    fn player_moves(&mut self, text: &str, ply: u32, now: Instant) -> Result<Changed, Problem> {
        // A move for another position came late: the page is told how things stand.
        if ply as usize != self.game.moves().len() || self.turn() != self.you {
            return Ok(Changed::Game);
        }
        self.still_going()?;
        let mv = describe::read_move(self.game.position(), text)?;
        if let Some(clock) = &mut self.clock {
            clock.press(self.you, now);
        }
        self.game.play(mv).map_err(|error| Problem::new(error, "Choose another move."))?;
        match self.search {
            Some((number, Purpose::Ponder(expected), _)) if expected == mv => {
                self.search = Some((number, Purpose::Move, now));
                let running = self.clock.as_mut().filter(|_| self.game.moves().len() >= 2);
                if let Some(clock) = running {
                    clock.start(!self.you, now);
                }
                self.bench.engine().ponder_hit();
            }
            _ => {
                self.bench.stop();
                self.search = None;
                self.go_on(now);
            }
        }
        Ok(Changed::Game)
    }

    /// Back to the player's own last turn.
    fn take_back(&mut self, now: Instant) -> Result<Changed, Problem> {
        let before = self.game.moves().len();
        let own_moves = (0..before).filter(|&index| self.game.positions()[index].turn() == self.you).count();
        if own_moves == 0 {
            return Err(Problem::new("There is no move of yours to take back.", "Make a move first."));
        }
        self.halt(now);
        self.ending = None;
        self.game.take_back();
        if self.turn() != self.you {
            self.game.take_back();
        }
        self.go_on(now);
        Ok(Changed::Game)
    }

    /// The engine agrees when it is not better off, and not at once.
    fn offer_draw(&mut self, now: Instant) -> Result<Changed, Problem> {
        self.still_going()?;
        let opinion = self.opinion.map_or(0, Score::value);
        let agreed = if self.game.moves().len() < SHORTEST_DRAW { opinion <= -150 } else { opinion <= 0 };
        if agreed {
            Ok(self.end("1/2-1/2", "draw by agreement".to_string(), now))
        } else {
            Ok(Changed::Told(Event::DrawDeclined))
        }
    }

    fn hint(&mut self, now: Instant) -> Result<Changed, Problem> {
        self.still_going()?;
        if self.turn() != self.you {
            return Err(Problem::new("It is not your move.", "Wait for the engine's move."));
        }
        self.bench.stop();
        self.limit_strength(false)?;
        let limits = Limits { move_time: Some(HINT), ..Limits::default() };
        let number = self.bench.go(self.game.clone(), Request::new(limits));
        self.search = Some((number, Purpose::Hint, now));
        Ok(Changed::Nothing)
    }

    fn end(&mut self, result: &'static str, reason: String, now: Instant) -> Changed {
        self.ending = Some(Ending { result, reason });
        self.halt(now);
        Changed::Game
    }

    pub fn report(&mut self, number: u32, report: Report) -> Changed {
        let Some((_, purpose, started)) = self.search.filter(|(current, ..)| *current == number) else {
            return Changed::Nothing;
        };
        match report {
            Report::Information(found) => {
                self.latest = Some(found.score);
                Changed::Nothing
            }
            Report::Remark(text) => Changed::Told(Event::Remark { text }),
            Report::Best { best, ponder } => {
                self.search = None;
                match (best, purpose) {
                    (Some(mv), Purpose::Move) => {
                        self.opinion = self.latest.or(self.opinion);
                        self.schedule(mv, ponder, started);
                        self.tick(Instant::now())
                    }
                    (Some(mv), Purpose::Hint) => {
                        let position = self.game.position();
                        let (uci, san) = (position.uci(mv, true).to_string(), position.san(mv).to_string());
                        Changed::Told(Event::Hint { uci, san })
                    }
                    _ => Changed::Nothing,
                }
            }
        }
    }

    /// Holds a move back until it seems to have been thought about.
    fn schedule(&mut self, mv: Move, ponder: Option<Move>, started: Instant) {
        // An opponent held to a level takes its own time.
        let wait = if self.settings.natural && self.settings.opponent.level.is_none() {
            let count = self.game.moves().len();
            let before = count.checked_sub(1).map(|at| (&self.game.positions()[at], self.game.moves()[at]));
            let left = self.clock.as_ref().map(|clock| clock.left(!self.you, Instant::now()));
            pace::believable(before, self.game.position(), mv, left)
        } else {
            Duration::ZERO
        };
        self.pending = Some((mv, ponder, started + wait));
    }

    pub fn deadline(&self) -> Option<Instant> {
        let flag = self.clock.as_ref().and_then(ChessClock::flag).map(|(_, when)| when);
        let due = self.pending.map(|(_, _, when)| when);
        [flag, due].into_iter().flatten().min()
    }

    pub fn tick(&mut self, now: Instant) -> Changed {
        if let Some((side, when)) =
            self.clock.as_ref().and_then(ChessClock::flag).filter(|(_, when)| *when <= now)
        {
            return self.flag_falls(side, when.max(now));
        }
        let Some((mv, ponder, _)) = self.pending.filter(|(_, _, when)| *when <= now) else {
            return Changed::Nothing;
        };
        self.pending = None;
        if let Some(clock) = &mut self.clock {
            clock.press(!self.you, now);
        }
        if self.game.play(mv).is_err() {
            return Changed::Nothing;
        }
        self.go_on(now);
        self.ponder(ponder, now);
        Changed::Game
    }

    fn flag_falls(&mut self, side: Color, now: Instant) -> Changed {
        let (result, reason) = if can_mate(self.game.position(), !side) {
            (if side.is_white() { "0-1" } else { "1-0" }, format!("{side} is out of time"))
        } else {
            ("1/2-1/2", format!("draw: {side} is out of time, {} cannot mate", !side))
        };
        self.ending = Some(Ending { result, reason });
        self.halt(now);
        Changed::Game
    }

    /// Stops everything; answers whether there is something to write down.
    pub fn pause(&mut self, now: Instant) -> bool {
        self.halt(now);
        self.clock.is_some()
    }

    fn opponent(&self) -> String {
        match self.settings.opponent.level {
            Some(level) => format!("Tabiya ({level})"),
            None => "Tabiya".to_string(),
        }
    }

    pub fn record(&self, openings: &Openings) -> Record {
        let (you, opponent) = ("You".to_string(), self.opponent());
        let (white, black) = if self.you.is_white() { (you, opponent) } else { (opponent, you) };
        let moves: Vec<String> = (0..self.game.moves().len())
            .map(|index| self.game.positions()[index].uci(self.game.moves()[index], true).to_string())
            .collect();
        Record {
            settings: self.settings.clone(),
            white_is_player: self.you.is_white(),
            white,
            black,
            start: self.game.start().to_shredder_fen(),
            chess960: self.chess960,
            moves: moves.join(" "),
            clocks: self.clock.as_ref().map(|clock| clock.told(Instant::now())),
            opening: openings.last_name(self.game.positions()).map(str::to_string),
            result: self.ending.as_ref().map_or("*", |ending| ending.result).to_string(),
            reason: self.ending.as_ref().map(|ending| ending.reason.clone()).unwrap_or_default(),
            last_fen: self.game.position().to_fen(),
        }
    }

    pub fn event(&self, openings: &Openings, now: Instant) -> Event {
        let mut nodes = describe::nodes(&self.game, 0, openings);
        // Only the last position is moved from.
        let last = nodes.len() - 1;
        nodes[..last].iter_mut().for_each(|node| node.dests.clear());
        if self.is_over() {
            nodes[last].dests.clear();
        }
        let status = match &self.ending {
            Some(ending) => Status::Over { result: ending.result.to_string(), reason: ending.reason.clone() },
            None if self.turn() == self.you => Status::YourMove,
            None => Status::Thinking,
        };
        Event::Game {
            view: Box::new(GameView {
                id: self.id,
                settings: self.settings.clone(),
                you: self.you.into(),
                opponent: self.opponent(),
                chess960: self.chess960,
                nodes,
                status,
                clocks: self.clock.as_ref().map(|clock| clock.told(now)),
                opening: openings.last_name(self.game.positions()).map(str::to_string),
            }),
        }
    }
}

/// Whether any play could lead to mate by this side: a lone king or a lone minor piece cannot.
fn can_mate(position: &Position, side: Color) -> bool {
    let board = position.board();
    let strong = [PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen];
    let minors = board.pieces(side, PieceKind::Knight) | board.pieces(side, PieceKind::Bishop);
    strong.iter().any(|&kind| board.pieces(side, kind).any()) || minors.more_than_one()
}

/// Bits nobody chose: which side, which arrangement.
fn noise() -> [u8; 8] {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    // Multiplied so that nearby moments differ in every bit (Knuth's golden ratio).
    ((now.as_nanos() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 13).to_le_bytes()
}

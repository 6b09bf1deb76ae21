//! A game between the player and the engine.

mod clock;
mod delay;
mod record;
mod setup;

pub use record::{export, summary};

use super::context::SessionContext;
use super::engine_handle::EngineHandle;
use crate::describe;
use crate::game_record::GameRecord;
use crate::messages::{ClockSettings, Command, Event, GameSettings, GameView, Status};
use crate::openings::Openings;
use crate::problem::Problem;
use crate::session_input::SearchOwner;
use chess::{Color, Game, Move, PieceKind, Position};
use clock::ChessClock;
use common::background;
use engine::{Report, Request};
use kernel::{Limits, Score};
use std::time::{Duration, Instant};

const HASH: u32 = 64;
/// Time for a move without a clock.
const NATURAL_MOVE_TIME: Duration = Duration::from_millis(1500);
const QUICK_MOVE_TIME: Duration = Duration::from_millis(300);
const HINT_TIME: Duration = Duration::from_millis(600);
/// Half-moves before which the engine agrees to a draw only when it is losing.
const SHORTEST_DRAW: usize = 30;

/// The engine ponders at most this long: a tab that is left alone must not keep a core busy for ever.
const LONGEST_PONDERING: Duration = Duration::from_secs(120);

/// What a command or a report changed.
pub enum GameChange {
    None,
    /// To be sent, not to be saved.
    Event(Event),
    Game,
}

/// Why the engine searches.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Purpose {
    Move,
    /// In the position after the reply it expects.
    Ponder(Move),
    Hint,
}

struct Ending {
    result: &'static str,
    reason: String,
}

pub struct GameSession {
    id: u32,
    settings: GameSettings,
    /// The side of the person.
    player: Color,
    chess960: bool,
    game: Game,
    ending: Option<Ending>,
    clock: Option<ChessClock>,
    engine: EngineHandle,
    search: Option<(u32, Purpose, Instant)>,
    /// Found, and to be played at this time.
    pending: Option<(Move, Option<Move>, Instant)>,
    /// The engine's score after its last search for a move.
    score: Option<Score>,
    latest: Option<Score>,
}

impl GameSession {
    pub fn new(settings: GameSettings, context: &SessionContext) -> Result<GameSession, Problem> {
        let random = random_bits();
        let setup::Setup { game, you, chess960 } = setup::set_up(&settings, random)?;
        let mut session = GameSession::with_game(0, settings, you, chess960, game, context)?;
        session.id = context.shared.archive.add(&session.record(&context.shared.openings))?;
        Ok(session)
    }

    pub fn reopen(id: u32, context: &SessionContext) -> Result<GameSession, Problem> {
        let (entry, game) = record::fetch(id, &context.shared)?;
        let old = entry.record;
        let you = if old.white_is_player { Color::White } else { Color::Black };
        let mut session = GameSession::with_game(id, old.settings, you, old.chess960, game, context)?;
        if let (Some(clock), Some(clocks)) = (&mut session.clock, old.clocks) {
            clock.set(clocks);
        }
        session.ending = match old.result.as_str() {
            "1-0" => Some("1-0"),
            "0-1" => Some("0-1"),
            "1/2-1/2" => Some("1/2-1/2"),
            _ => None,
        }
        .map(|result| Ending { result, reason: old.reason });
        Ok(session)
    }

    fn with_game(
        id: u32,
        settings: GameSettings,
        you: Color,
        chess960: bool,
        game: Game,
        context: &SessionContext,
    ) -> Result<GameSession, Problem> {
        let machine = context.shared.machine;
        let mut engine = EngineHandle::new(SearchOwner::Game, machine.hash(HASH), context)?;
        engine.choose(&settings.opponent.options, machine)?;
        let clock = settings.clock.map(|own| {
            let engine = settings.engine_clock.unwrap_or(own);
            let of = |side: Color| -> ClockSettings { if side == you { own } else { engine } };
            ChessClock::new(of(Color::White), of(Color::Black))
        });
        let mut session = GameSession {
            id,
            settings,
            player: you,
            chess960,
            game,
            ending: None,
            clock,
            engine,
            search: None,
            pending: None,
            score: None,
            latest: None,
        };
        // A level out of range is refused here rather than in mid-game.
        session.limit_strength(true)?;
        Ok(session)
    }

    pub fn id(&self) -> u32 {
        self.id
    }

    pub fn start(&mut self) -> GameChange {
        self.continue_play(Instant::now());
        GameChange::Game
    }

    fn limit_strength(&mut self, limited: bool) -> Result<(), Problem> {
        match self.settings.opponent.level.filter(|_| limited) {
            Some(level) => {
                self.engine.set("UCI_Elo", &level.to_string())?;
                self.engine.set("ThinkingTime", if self.settings.natural { "true" } else { "false" })?;
                self.engine.set("UCI_LimitStrength", "true")
            }
            None => self.engine.set("UCI_LimitStrength", "false"),
        }
    }

    fn turn(&self) -> Color {
        self.game.position().turn()
    }

    fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// After any change of the position: ends the game if it is over, starts clocks and the engine if not.
    fn continue_play(&mut self, now: Instant) {
        if self.ending.is_none() {
            self.ending = self
                .game
                .outcome()
                .map(|outcome| Ending { result: outcome.result(), reason: describe::outcome_text(outcome) });
        }
        if self.is_over() {
            self.halt(now);
            return;
        }
        let turn = self.turn();
        if let Some(clock) = self.clock.as_mut().filter(|_| self.game.moves().len() >= 2) {
            clock.start(turn, now);
        }
        if turn != self.player {
            self.search_move(now);
        }
    }

    fn halt(&mut self, now: Instant) {
        self.engine.stop();
        self.search = None;
        self.pending = None;
        if let Some(clock) = &mut self.clock {
            clock.pause(now);
        }
    }

    fn limits(&self, now: Instant) -> Limits {
        if let Some(clock) = &self.clock {
            return Limits { clock: Some(clock.for_engine(!self.player, now)), ..Limits::default() };
        }
        let time = if self.settings.natural { NATURAL_MOVE_TIME } else { QUICK_MOVE_TIME };
        Limits { move_time: Some(time), ..Limits::default() }
    }

    fn search_move(&mut self, now: Instant) {
        // Options that were accepted when the game was set up still are.
        let _ = self.limit_strength(true);
        let number = self.engine.go(self.game.clone(), Request::new(self.limits(now)));
        self.latest = None;
        self.search = Some((number, Purpose::Move, now));
    }

    /// Searches the position after the reply it expects. Only at full strength: a weakened engine needs no more time.
    fn ponder(&mut self, expected: Option<Move>, now: Instant) {
        // Without threads the session would hear nothing until the player moves.
        let wanted =
            self.settings.ponder && self.settings.opponent.level.is_none() && background::has_threads();
        let Some(expected) = expected.filter(|_| wanted) else {
            return;
        };
        let mut game = self.game.clone();
        if self.is_over() || game.play(expected).is_err() || game.outcome().is_some() {
            return;
        }
        let limits = Limits { ponder: true, ..self.limits(now) };
        let number = self.engine.go(game, Request::new(limits));
        self.latest = None;
        self.search = Some((number, Purpose::Ponder(expected), now));
    }

    /// Asks the search to end.
    pub fn interrupt(&self) {
        self.engine.interrupt();
    }

    pub fn execute(&mut self, command: &Command) -> Result<GameChange, Problem> {
        let now = Instant::now();
        match command {
            Command::Move { text, ply } => self.player_moves(text, *ply, now),
            Command::TakeBack => self.take_back(now),
            Command::Resign => {
                self.still_going()?;
                let result = if self.player.is_white() { "0-1" } else { "1-0" };
                Ok(self.end(result, format!("{} resigns", self.player), now))
            }
            Command::OfferDraw => self.offer_draw(now),
            Command::SwitchSides => {
                self.still_going()?;
                self.halt(now);
                self.player = !self.player;
                self.continue_play(now);
                Ok(GameChange::Game)
            }
            Command::Hint => self.hint(now),
            _ => Ok(GameChange::None),
        }
    }

    fn still_going(&self) -> Result<(), Problem> {
        if self.is_over() {
            return Err(Problem::new("The game is over.", "Start a new game, or take the last move back."));
        }
        Ok(())
    }

    fn player_moves(&mut self, text: &str, ply: u32, now: Instant) -> Result<GameChange, Problem> {
        // A move for another position came late: the page gets the current state.
        if ply as usize != self.game.moves().len() || self.turn() != self.player {
            return Ok(GameChange::Game);
        }
        self.still_going()?;
        let mv = describe::read_move(self.game.position(), text)?;
        if let Some(clock) = &mut self.clock {
            clock.press(self.player, now);
        }
        self.game.play(mv).map_err(|error| Problem::new(error, "Choose another move."))?;
        match self.search {
            Some((number, Purpose::Ponder(expected), _)) if expected == mv => {
                self.search = Some((number, Purpose::Move, now));
                let running = self.clock.as_mut().filter(|_| self.game.moves().len() >= 2);
                if let Some(clock) = running {
                    clock.start(!self.player, now);
                }
                self.engine.engine().ponder_hit();
            }
            _ => {
                self.engine.stop();
                self.search = None;
                self.continue_play(now);
            }
        }
        Ok(GameChange::Game)
    }

    /// Back to the player's own last turn.
    fn take_back(&mut self, now: Instant) -> Result<GameChange, Problem> {
        let before = self.game.moves().len();
        let own_moves =
            (0..before).filter(|&index| self.game.positions()[index].turn() == self.player).count();
        if own_moves == 0 {
            return Err(Problem::new("There is no move of yours to take back.", "Make a move first."));
        }
        self.halt(now);
        self.ending = None;
        self.game.take_back();
        if self.turn() != self.player {
            self.game.take_back();
        }
        self.continue_play(now);
        Ok(GameChange::Game)
    }

    /// The engine agrees when it is not better off, and not at once.
    fn offer_draw(&mut self, now: Instant) -> Result<GameChange, Problem> {
        self.still_going()?;
        let score = self.score.map_or(0, Score::value);
        let agreed = if self.game.moves().len() < SHORTEST_DRAW { score <= -150 } else { score <= 0 };
        if agreed {
            Ok(self.end("1/2-1/2", "draw by agreement".to_string(), now))
        } else {
            Ok(GameChange::Event(Event::DrawDeclined))
        }
    }

    fn hint(&mut self, now: Instant) -> Result<GameChange, Problem> {
        self.still_going()?;
        if self.turn() != self.player {
            return Err(Problem::new("It is not your move.", "Wait for the engine's move."));
        }
        self.engine.stop();
        self.limit_strength(false)?;
        let limits = Limits { move_time: Some(HINT_TIME), ..Limits::default() };
        let number = self.engine.go(self.game.clone(), Request::new(limits));
        self.search = Some((number, Purpose::Hint, now));
        Ok(GameChange::None)
    }

    fn end(&mut self, result: &'static str, reason: String, now: Instant) -> GameChange {
        self.ending = Some(Ending { result, reason });
        self.halt(now);
        GameChange::Game
    }

    pub fn handle_report(&mut self, number: u32, report: Report) -> GameChange {
        let Some((_, purpose, started)) = self.search.filter(|(current, ..)| *current == number) else {
            return GameChange::None;
        };
        match report {
            Report::Information(found) => {
                self.latest = Some(found.score);
                GameChange::None
            }
            Report::Remark(text) => GameChange::Event(Event::Remark { text }),
            Report::Best { best, ponder } => {
                self.search = None;
                match (best, purpose) {
                    (Some(mv), Purpose::Move) => {
                        self.score = self.latest.or(self.score);
                        self.schedule(mv, ponder, started);
                        self.handle_deadlines(Instant::now())
                    }
                    (Some(mv), Purpose::Hint) => {
                        let position = self.game.position();
                        let (uci, san) = (position.uci(mv, true).to_string(), position.san(mv).to_string());
                        GameChange::Event(Event::Hint { uci, san })
                    }
                    _ => GameChange::None,
                }
            }
        }
    }

    /// Delays a move as long as a person would need for it.
    fn schedule(&mut self, mv: Move, ponder: Option<Move>, started: Instant) {
        // An opponent with a level delays its moves itself.
        let wait = if self.settings.natural && self.settings.opponent.level.is_none() {
            let count = self.game.moves().len();
            let before = count.checked_sub(1).map(|at| (&self.game.positions()[at], self.game.moves()[at]));
            let left = self.clock.as_ref().map(|clock| clock.left(!self.player, Instant::now()));
            delay::natural_delay(before, self.game.position(), mv, left)
        } else {
            Duration::ZERO
        };
        self.pending = Some((mv, ponder, started + wait));
    }

    pub fn deadline(&self) -> Option<Instant> {
        let flag = self.clock.as_ref().and_then(ChessClock::flag).map(|(_, when)| when);
        let due = self.pending.map(|(_, _, when)| when);
        [flag, due, self.ponder_end()].into_iter().flatten().min()
    }

    fn ponder_end(&self) -> Option<Instant> {
        let (_, purpose, started) = self.search?;
        matches!(purpose, Purpose::Ponder(_)).then(|| started + LONGEST_PONDERING)
    }

    pub fn handle_deadlines(&mut self, now: Instant) -> GameChange {
        if let Some((side, when)) =
            self.clock.as_ref().and_then(ChessClock::flag).filter(|(_, when)| *when <= now)
        {
            return self.flag_falls(side, when.max(now));
        }
        if self.ponder_end().is_some_and(|when| when <= now) {
            self.engine.stop();
            self.search = None;
        }
        let Some((mv, ponder, _)) = self.pending.filter(|(_, _, when)| *when <= now) else {
            return GameChange::None;
        };
        self.pending = None;
        if let Some(clock) = &mut self.clock {
            clock.press(!self.player, now);
        }
        if self.game.play(mv).is_err() {
            return GameChange::None;
        }
        self.continue_play(now);
        self.ponder(ponder, now);
        GameChange::Game
    }

    fn flag_falls(&mut self, side: Color, now: Instant) -> GameChange {
        let (result, reason) = if can_mate(self.game.position(), !side) {
            (if side.is_white() { "0-1" } else { "1-0" }, format!("{side} is out of time"))
        } else {
            ("1/2-1/2", format!("draw: {side} is out of time, {} cannot mate", !side))
        };
        self.ending = Some(Ending { result, reason });
        self.halt(now);
        GameChange::Game
    }

    /// Stops everything; returns whether there is something to save.
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

    pub fn record(&self, openings: &Openings) -> GameRecord {
        let (you, opponent) = ("You".to_string(), self.opponent());
        let (white, black) = if self.player.is_white() { (you, opponent) } else { (opponent, you) };
        let moves: Vec<String> = (0..self.game.moves().len())
            .map(|index| self.game.positions()[index].uci(self.game.moves()[index], true).to_string())
            .collect();
        GameRecord {
            settings: self.settings.clone(),
            white_is_player: self.player.is_white(),
            white,
            black,
            start: self.game.start().to_shredder_fen(),
            chess960: self.chess960,
            moves: moves.join(" "),
            clocks: self.clock.as_ref().map(|clock| clock.remaining(Instant::now())),
            opening: openings.last_name(self.game.positions()).map(str::to_string),
            result: self.ending.as_ref().map_or("*", |ending| ending.result).to_string(),
            reason: self.ending.as_ref().map(|ending| ending.reason.clone()).unwrap_or_default(),
            last_fen: self.game.position().to_fen(),
        }
    }

    pub fn event(&self, openings: &Openings, now: Instant) -> Event {
        let mut nodes = describe::nodes_of_game(&self.game, 0, openings);
        // Only the last position is moved from.
        let last = nodes.len() - 1;
        nodes[..last].iter_mut().for_each(|node| node.dests.clear());
        if self.is_over() {
            nodes[last].dests.clear();
        }
        let status = match &self.ending {
            Some(ending) => Status::Over { result: ending.result.to_string(), reason: ending.reason.clone() },
            None if self.turn() == self.player => Status::YourMove,
            None => Status::Thinking,
        };
        Event::Game {
            view: Box::new(GameView {
                id: self.id,
                settings: self.settings.clone(),
                you: self.player.into(),
                opponent: self.opponent(),
                chess960: self.chess960,
                nodes,
                status,
                clocks: self.clock.as_ref().map(|clock| clock.remaining(now)),
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

/// Random enough to choose a side and a start position.
fn random_bits() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    common::mix(now.as_nanos() as u64)
}

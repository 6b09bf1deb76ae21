//! One game between two players, with a referee that believes nobody.

use std::time::{Duration, Instant};

use chess::{Color, Game, Move, Outcome as Ending};

use super::adjudicate::{AdjudicationRules, Adjudicator, Ruling};
use super::core_wait::CoreWait;
use super::fault::Fault;
use super::limits::{Clock, Limits};
use super::openings::Opening;
use super::player::{Decision, Player, Turn};
pub use super::result::GameResult;
use super::stolen::Stolen;
use super::tables::TableJudge;
use protocol::client::info::SearchInfo;

/// How a game ended. The words are what the store and the reports use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Termination {
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    Repetition,
    FiftyMoves,
    AdjudicatedWin,
    AdjudicatedDraw,
    AdjudicatedLength,
    AdjudicatedTables,
    Resignation,
    AgreedDraw,
    TimeForfeit,
    IllegalMove,
    Disconnect,
    Stall,
    Garbage,
}

impl Termination {
    /// Every way, for reading back and for tables.
    pub const ALL: [Self; 16] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::Repetition,
        Self::FiftyMoves,
        Self::AdjudicatedWin,
        Self::AdjudicatedDraw,
        Self::AdjudicatedLength,
        Self::AdjudicatedTables,
        Self::Resignation,
        Self::AgreedDraw,
        Self::TimeForfeit,
        Self::IllegalMove,
        Self::Disconnect,
        Self::Stall,
        Self::Garbage,
    ];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient material",
            Self::Repetition => "threefold repetition",
            Self::FiftyMoves => "fifty moves",
            Self::AdjudicatedWin => "adjudicated win",
            Self::AdjudicatedDraw => "adjudicated draw",
            Self::AdjudicatedLength => "adjudicated length",
            Self::AdjudicatedTables => "adjudicated by tables",
            Self::Resignation => "resignation",
            Self::AgreedDraw => "agreed draw",
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove => "illegal move",
            Self::Disconnect => "disconnect",
            Self::Stall => "stall",
            Self::Garbage => "garbage",
        }
    }

    /// Reads what [`Self::as_str`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|termination| termination.as_str() == text)
    }

    /// The engine broke a rule of the protocol or of chess. A flag is a loss, not a fault.
    pub fn is_fault(self) -> bool {
        matches!(self, Self::IllegalMove | Self::Disconnect | Self::Stall | Self::Garbage)
    }
}

/// One move with what was said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// In coordinates.
    pub text: String,
    pub info: SearchInfo,
    pub used: Duration,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    pub result: GameResult,
    pub termination: Termination,
    /// What exactly happened, in words.
    pub detail: String,
    /// The whole game, opening moves included.
    pub game: Game,
    /// Moves the players made; opening moves are not among them.
    pub moves: Vec<PlayedMove>,
    pub duration: Duration,
    /// The side whose player must be started again.
    pub broken: Option<Color>,
}

/// What holds for every game of an experiment.
#[derive(Clone, Debug)]
pub struct Conditions {
    pub adjudication: AdjudicationRules,
    /// End-game tables that end a game once they know its result.
    pub tables: Option<TableJudge>,
    pub chess960: bool,
    pub patience: Duration,
    /// Clocks stand still while the host of a virtual machine has taken the machine away.
    pub forgive_stolen: bool,
}

/// Why a game gave no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aborted {
    /// The run is ending; the game will be played when it is resumed.
    Interrupted,
    /// A player could not begin the game.
    NotReady { side: Color, fault: Fault },
}

struct Ended {
    result: GameResult,
    termination: Termination,
    detail: String,
    broken: Option<Color>,
}

/// Plays one game to its end.
pub fn play(
    white: &mut dyn Player,
    black: &mut dyn Player,
    opening: &Opening,
    limits: [Limits; 2],
    conditions: &Conditions,
) -> Result<GameRecord, Aborted> {
    let begin = Instant::now();
    let mut table = Table {
        game: opening.game.clone(),
        texts: coordinates(&opening.game, conditions.chess960),
        clocks: limits.map(Clock::new),
        judge: Adjudicator::new(conditions.adjudication),
        moves: Vec::new(),
        draw_offered: false,
        conditions,
    };
    let not_ready = |side, fault| match fault {
        Fault::Interrupted => Aborted::Interrupted,
        fault => Aborted::NotReady { side, fault },
    };
    white.new_game(conditions.chess960).map_err(|fault| not_ready(Color::White, fault))?;
    black.new_game(conditions.chess960).map_err(|fault| not_ready(Color::Black, fault))?;
    let ended = loop {
        let mover: &mut dyn Player =
            if table.game.position().turn() == Color::White { &mut *white } else { &mut *black };
        if let Some(ended) = table.ply(mover)? {
            break ended;
        }
    };
    // A player that fails to take leave is found out at its next game.
    if ended.broken != Some(Color::White) {
        let _ = white.game_over(ended.result.as_str());
    }
    if ended.broken != Some(Color::Black) {
        let _ = black.game_over(ended.result.as_str());
    }
    Ok(GameRecord {
        result: ended.result,
        termination: ended.termination,
        detail: ended.detail,
        game: table.game,
        moves: table.moves,
        duration: begin.elapsed(),
        broken: ended.broken,
    })
}

/// A lost clock in words, how much of it was the machine's absence and how much other programs had the cores.
fn overstepped(who: &str, over: Duration, stolen: Duration, waited: Duration) -> String {
    let absence = if stolen.is_zero() {
        String::new()
    } else {
        format!("; the machine was taken away for {} ms meanwhile", stolen.as_millis())
    };
    let waiting = if waited < Duration::from_millis(1) {
        String::new()
    } else {
        format!("; a thread of it waited {} ms for a core", waited.as_millis())
    };
    format!("{who} overstepped its time by {:.0} ms{absence}{waiting}", over.as_secs_f64() * 1000.0)
}

/// The moves of a game as protocols send them.
pub fn coordinates(game: &Game, chess960: bool) -> Vec<String> {
    game.positions()
        .iter()
        .zip(game.moves())
        .map(|(position, mv)| position.uci(*mv, chess960).to_string())
        .collect()
}

struct Table<'a> {
    game: Game,
    texts: Vec<String>,
    clocks: [Clock; 2],
    judge: Adjudicator,
    moves: Vec<PlayedMove>,
    draw_offered: bool,
    conditions: &'a Conditions,
}

impl Table<'_> {
    fn turn(&self) -> Turn<'_> {
        Turn {
            game: &self.game,
            moves: &self.texts,
            chess960: self.conditions.chess960,
            white: &self.clocks[0],
            black: &self.clocks[1],
            patience: self.conditions.patience,
        }
    }

    /// One move of one player; `Some` when it ended the game.
    fn ply(&mut self, player: &mut dyn Player) -> Result<Option<Ended>, Aborted> {
        let side = self.game.position().turn();
        let who = player.name().to_owned();
        let lost = |termination, detail, broken: bool| Ended {
            result: GameResult::lost_by(side),
            termination,
            detail,
            broken: broken.then_some(side),
        };
        let clock = usize::from(side == Color::Black);
        let before = self.clocks[clock].allowance().and_then(|_| Stolen::read());
        let process = self.clocks[clock].allowance().and_then(|_| player.process());
        let waited_before = process.and_then(CoreWait::read);
        let result = match player.search(&self.turn()) {
            Ok(result) => result,
            Err(Fault::Interrupted) => return Err(Aborted::Interrupted),
            Err(fault) => return Ok(Some(self.fault(&who, side, &fault))),
        };
        let stolen =
            before.and_then(|before| Some(Stolen::read()?.longest_since(&before))).unwrap_or_default();
        let forgives = self.conditions.forgive_stolen && player.virtual_workers() == 0;
        let forgiven = if forgives { stolen } else { Duration::ZERO };
        if let Err(flag) = self.clocks[clock].charge(result.used.saturating_sub(forgiven)) {
            let waited = waited_before
                .and_then(|before| Some(CoreWait::read(process?)?.longest_since(&before)))
                .unwrap_or_default();
            let detail = overstepped(&who, flag.over, stolen, waited);
            return Ok(Some(lost(Termination::TimeForfeit, detail, false)));
        }
        let text = match result.decision {
            Decision::Move(text) => text,
            Decision::Resign => {
                return Ok(Some(lost(Termination::Resignation, format!("{who} resigned"), false)));
            }
        };
        let mv = match self.read_move(&text) {
            Ok(mv) => mv,
            Err(reason) => {
                let detail = format!("{who}: {reason} (in {})", self.game.position().to_fen());
                return Ok(Some(lost(Termination::IllegalMove, detail, false)));
            }
        };
        let written = self.game.position().uci(mv, self.conditions.chess960).to_string();
        if let Err(error) = self.game.play(mv) {
            return Ok(Some(lost(Termination::IllegalMove, format!("{who}: {error}"), false)));
        }
        self.texts.push(written.clone());
        self.moves.push(PlayedMove { text: written, info: result.info, used: result.used });
        let agreed = std::mem::replace(&mut self.draw_offered, result.offers_draw) && result.offers_draw;
        if let Some(ended) = self.ending(side, result.info, agreed) {
            return Ok(Some(ended));
        }
        match player.ponder(&self.turn()) {
            Ok(()) => Ok(None),
            Err(Fault::Interrupted) => Err(Aborted::Interrupted),
            Err(fault) => Ok(Some(self.fault(&who, side, &fault))),
        }
    }

    /// Coordinates, or SAN, which some XBoard engines send whatever they were told.
    fn read_move(&self, text: &str) -> Result<Move, String> {
        let position = self.game.position();
        position.parse_uci(text).or_else(|error| position.parse_san(text).map_err(|_| error.to_string()))
    }

    fn fault(&self, who: &str, side: Color, fault: &Fault) -> Ended {
        let timed = self.clocks[usize::from(side == Color::Black)].allowance().is_some();
        let termination = match fault {
            Fault::Stalled { .. } => Termination::Stall,
            Fault::Garbage { .. } => Termination::Garbage,
            _ => Termination::Disconnect,
        };
        let clock = if timed && termination == Termination::Stall { " (its time was over)" } else { "" };
        Ended {
            result: GameResult::lost_by(side),
            termination,
            detail: format!("{who} {fault}{clock}"),
            broken: Some(side),
        }
    }

    fn ending(&mut self, mover: Color, info: SearchInfo, agreed: bool) -> Option<Ended> {
        let ended = |result, termination, detail: &str| {
            Some(Ended { result, termination, detail: detail.to_owned(), broken: None })
        };
        if let Some(ending) = self.game.outcome() {
            let termination = match ending {
                Ending::Checkmate { .. } => Termination::Checkmate,
                Ending::Stalemate => Termination::Stalemate,
                Ending::InsufficientMaterial => Termination::InsufficientMaterial,
                Ending::ThreefoldRepetition => Termination::Repetition,
                Ending::FiftyMoves => Termination::FiftyMoves,
            };
            let result = ending.winner().map_or(GameResult::Draw, |winner| GameResult::lost_by(!winner));
            return ended(result, termination, &ending.to_string());
        }
        if agreed {
            return ended(GameResult::Draw, Termination::AgreedDraw, "both players offered a draw");
        }
        let position = self.game.position();
        if let Some(result) = self.conditions.tables.as_ref().and_then(|tables| tables.result(position)) {
            return ended(result, Termination::AdjudicatedTables, "the end-game tables know the result");
        }
        let (number, halfmoves) =
            (u32::from(position.fullmove_number()), u32::from(position.halfmove_clock()));
        match self.judge.after_move(mover, info.score, number, halfmoves)? {
            Ruling::Resigned { loser } => ended(
                GameResult::lost_by(loser),
                Termination::AdjudicatedWin,
                "decided by the players' scores",
            ),
            Ruling::Drawn => {
                ended(GameResult::Draw, Termination::AdjudicatedDraw, "level by the players' scores")
            }
            Ruling::TooLong => ended(GameResult::Draw, Termination::AdjudicatedLength, "longer than allowed"),
        }
    }
}

#[cfg(test)]
mod tests;

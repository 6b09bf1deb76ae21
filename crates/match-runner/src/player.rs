//! What the lab asks of anything that plays: an engine process, or an engine in this process.

use std::time::Duration;

use chess::{Color, Game};
use protocol::client::info::{ReportedScore, SearchInfo};

use super::fault::Fault;
use super::limits::Clock;
use super::transcript::Transcript;

/// A finished depth of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    pub depth: u32,
    pub score: ReportedScore,
    pub nodes: Option<u64>,
    /// Time from the question on our clock.
    pub at: Duration,
    /// The move it would play, in coordinates.
    pub best: String,
    /// Thousandths of the transposition table in use, where it was told.
    pub table_used: Option<u32>,
}

/// What a player wants to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A move as the player wrote it (UCI coordinates or SAN); the referee decides what it is.
    Move(String),
    /// XBoard engines may give up.
    Resign,
}

/// A player's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchResult {
    pub decision: Decision,
    pub info: SearchInfo,
    /// Time from the question to the answer on our clock.
    pub used: Duration,
    /// How the search went, deepest last; empty when the player does not tell.
    pub iterations: Vec<Iteration>,
    /// The reply it expects, for pondering.
    pub expects: Option<String>,
    /// Only XBoard can say this; it is a draw if the opponent agrees or says so too.
    pub offers_draw: bool,
    /// What our own engine recorded at each distance from the root, when it is under study.
    pub ply_statistics: Option<engine::PlyStatistics>,
    /// What our own engine counted, summed over its workers.
    pub progress: Option<engine::SearchStatistics>,
}

/// The question put to a player.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The game so far, opening moves included.
    pub game: &'a Game,
    /// Moves since the start of `game`, in coordinates as protocols send them.
    pub moves: &'a [String],
    /// Castling is written king takes rook and openings may be Chess960.
    pub chess960: bool,
    pub white: &'a Clock,
    pub black: &'a Clock,
    /// How long after its time is up, or after the question when it is not timed, a silent player is given up.
    pub patience: Duration,
}

impl Turn<'_> {
    /// The clock of the side to move.
    pub fn own_clock(&self) -> &Clock {
        if self.game.position().turn() == Color::White { self.white } else { self.black }
    }

    /// The clock of the side that waits.
    pub fn other_clock(&self) -> &Clock {
        if self.game.position().turn() == Color::White { self.black } else { self.white }
    }

    /// How long to wait for an answer before the player is called stalled. Virtual workers take turns on one core.
    pub fn last_wait(&self, virtual_workers: u32) -> Duration {
        let clock = self.own_clock();
        let alone =
            clock.allowance().map_or(self.patience, |time| time + clock.limits().margin + self.patience);
        alone * virtual_workers.max(1)
    }
}

/// Anything that plays chess. After a fault the player must be restarted by making a new one.
pub trait Player {
    /// The name results are filed under.
    fn name(&self) -> &str;

    /// What the player calls itself, version included; empty when it did not say.
    fn identity(&self) -> &str;

    /// Every option with its value: what was set, and the player's own default elsewhere. Empty where it tells no defaults.
    fn options(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Writes what is said from now on to a transcript.
    fn record(&mut self, _transcript: Option<Transcript>) {}

    /// Forgets the last game and takes the start of the next.
    fn new_game(&mut self, chess960: bool) -> Result<(), Fault>;

    /// Thinks about the position and answers.
    fn search(&mut self, turn: &Turn<'_>) -> Result<SearchResult, Fault>;

    /// The next searches are repetition `number` of an experiment: what depends on a seed takes another one.
    fn set_repetition(&mut self, _number: u32) -> Result<(), Fault> {
        Ok(())
    }

    /// How many of its workers live in virtual time. If any do, its clock is its own: it is charged what it tells.
    fn virtual_workers(&self) -> u32 {
        0
    }

    /// The process that thinks; `None` when it is this one.
    fn process(&self) -> Option<u32> {
        None
    }

    /// Thinks on the opponent's time, expecting `turn`'s last move to be played; does nothing unless pondering is on.
    fn ponder(&mut self, turn: &Turn<'_>) -> Result<(), Fault>;

    /// Tells the player the game is over.
    fn game_over(&mut self, result: &str) -> Result<(), Fault>;
}

/// The name and the default value of an option in a line in which an engine offers it; buttons have none.
pub(crate) fn offered(line: &str) -> Option<(String, String)> {
    let (_, rest) = line.trim().split_once("option name ")?;
    let (name, rest) = rest.split_once(" type ")?;
    let (_, default) = rest.split_once(" default")?;
    // What a number or a choice may be else comes behind.
    let ends = [" min ", " max ", " var "].into_iter().filter_map(|word| default.find(word));
    let default = &default[..ends.min().unwrap_or(default.len())];
    let default = match default.trim() {
        "" => "<empty>",
        default => default,
    };
    Some((name.trim().to_owned(), default.to_owned()))
}

/// The option with what it was set to, if it was.
pub(crate) fn in_force(
    (name, default): (String, String),
    set: &std::collections::BTreeMap<String, String>,
) -> (String, String) {
    let value = set.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name));
    let value = value.map_or(default, |(_, value)| value.clone());
    (name, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_read_from_what_an_engine_offers() {
        let read = |line| offered(line).map(|(name, value)| format!("{name}={value}"));
        for (line, expected) in [
            ("option name Hash type spin default 16 min 1 max 1024", Some("Hash=16")),
            ("option name Use NNUE type check default true", Some("Use NNUE=true")),
            ("option name Style type combo default Normal var Solid var Normal", Some("Style=Normal")),
            ("option name EvalFile type string default", Some("EvalFile=<empty>")),
            ("option name Book type string default <empty>", Some("Book=<empty>")),
            ("option name Clear Hash type button", None),
            ("id name x", None),
        ] {
            assert_eq!(read(line).as_deref(), expected, "{line}");
        }
    }
}

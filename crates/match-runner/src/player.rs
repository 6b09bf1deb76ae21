//! What the lab asks of anything that plays: an engine process, or an engine in this process.

use std::time::Duration;

use chess::{Color, Game};

use super::fault::Fault;
use super::limits::Clock;

/// A score from the mover's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    Centipawns(i32),
    /// Moves to mate; negative when being mated.
    Mate(i32),
}

impl Score {
    /// One scale for adjudication: mates lie beyond every pawn count.
    pub fn ordinal(self) -> i32 {
        const MATE: i32 = 1_000_000;
        match self {
            Self::Centipawns(centipawns) => centipawns.clamp(-MATE / 2, MATE / 2),
            Self::Mate(moves) if moves > 0 => MATE - moves,
            Self::Mate(moves) => -MATE - moves,
        }
    }
}

impl std::fmt::Display for Score {
    /// As PGN comments write it: pawns with a sign, or mate with an M.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Centipawns(centipawns) => write!(f, "{:+.2}", f64::from(*centipawns) / 100.0),
            Self::Mate(moves) if *moves > 0 => write!(f, "+M{moves}"),
            Self::Mate(moves) => write!(f, "-M{}", -moves),
        }
    }
}

/// What a player reported about its thinking; whatever it did not say is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Insight {
    pub score: Option<Score>,
    pub depth: Option<u32>,
    pub selective_depth: Option<u32>,
    pub nodes: Option<u64>,
    pub table_hits: Option<u64>,
}

/// A finished depth of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Iteration {
    pub depth: u32,
    pub score: Score,
    pub nodes: Option<u64>,
    /// Time from the question on our clock.
    pub at: Duration,
    /// The move it would play, in coordinates.
    pub best: String,
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
pub struct Thought {
    pub decision: Decision,
    pub insight: Insight,
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

    /// Forgets the last game and takes the start of the next.
    fn new_game(&mut self, chess960: bool) -> Result<(), Fault>;

    /// Thinks about the position and answers.
    fn think(&mut self, turn: &Turn<'_>) -> Result<Thought, Fault>;

    /// The next searches are repetition `number` of an experiment: what depends on a seed takes another one.
    fn vary(&mut self, _number: u32) -> Result<(), Fault> {
        Ok(())
    }

    /// How many of its workers live in virtual time. If any do, its clock is its own: it is charged what it tells.
    fn virtual_workers(&self) -> u32 {
        0
    }

    /// Thinks on the opponent's time, expecting `turn`'s last move to be played; does nothing unless pondering is on.
    fn ponder(&mut self, turn: &Turn<'_>) -> Result<(), Fault>;

    /// Tells the player the game is over.
    fn game_over(&mut self, result: &str) -> Result<(), Fault>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nearer_mate_is_worth_more_and_a_farther_loss_too() {
        let ordered = [
            Score::Mate(-1),
            Score::Mate(-5),
            Score::Centipawns(-30_000),
            Score::Centipawns(12),
            Score::Mate(9),
            Score::Mate(2),
        ];
        assert!(ordered.windows(2).all(|pair| pair[0].ordinal() < pair[1].ordinal()));
    }

    #[test]
    fn scores_as_pgn_comments_write_them() {
        assert_eq!(Score::Centipawns(34).to_string(), "+0.34");
        assert_eq!(Score::Centipawns(-5).to_string(), "-0.05");
        assert_eq!(Score::Mate(3).to_string(), "+M3");
        assert_eq!(Score::Mate(-12).to_string(), "-M12");
    }
}

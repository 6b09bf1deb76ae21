//! What speculation is asked for and what it decides.

use chess::Move;
use human_model::expected::Expected;
use human_model::oracle::Line;
use human_model::rating::Estimate;
use human_model::reply::{Rating, Scale};

/// People of this strength make too few mistakes to speculate on.
const TOO_STRONG: u16 = 2700;
/// The moves of an engine look like those of a person of 1900 to 2600: an estimate is clear only where its 90 % interval ends below
/// what the estimates of engines reach, and only after so many moves (`results/human`).
const CLEARLY_WEAKER: f64 = 2100.0;
const LEAST_MOVES: u32 = 10;

/// How strong the opponent is, and how that is known.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Strength {
    /// The user or the other program said so.
    Told(Rating),
    /// From the moves.
    Estimated(Estimate),
}

impl Strength {
    /// The most likely rating.
    pub fn rating(self) -> Rating {
        match self {
            Strength::Told(rating) => rating,
            Strength::Estimated(estimate) => Rating::new(estimate.mean as i64).unwrap_or(Rating::LOWEST),
        }
    }

    /// Whether it is certain that the opponent makes mistakes like people.
    pub(super) fn is_clearly_fallible(self) -> bool {
        match self {
            Strength::Told(rating) => rating.points() < TOO_STRONG,
            Strength::Estimated(estimate) => {
                estimate.moves >= LEAST_MOVES && estimate.interval90.1 < CLEARLY_WEAKER
            }
        }
    }

    pub(super) const fn is_estimated(self) -> bool {
        matches!(self, Strength::Estimated(_))
    }
}

/// The settings of speculation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpeculationSettings {
    /// Expected points that may be given away in a game.
    pub budget: f64,
    /// How much of the decision stays with plain search: 1 is plain search.
    pub distrust: f64,
    pub opponent: Strength,
    pub scale: Scale,
    /// Nodes beyond plain search's: for finding candidates and for all replies together.
    pub nodes: u64,
}

/// The move chosen and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub mv: Move,
    /// The plain value of the move and of the best one.
    pub worth: Expected,
    pub best: Expected,
    /// Expected points against the modelled opponent.
    pub expectation: Expected,
    pub mistake_probability: f64,
    /// Our move, the reply we prediction for most, and what we answer.
    pub intended: Vec<Move>,
    /// As plain search sees it.
    pub line: Line,
    pub(super) replies: Vec<(Move, f32)>,
}

impl Choice {
    /// A move as plain search sees it.
    pub(super) fn plain(line: &Line, best: &Line) -> Choice {
        Choice {
            mv: line.mv,
            worth: line.expected(),
            best: best.expected(),
            expectation: line.expected(),
            mistake_probability: 0.0,
            intended: line.moves.clone(),
            line: line.clone(),
            replies: Vec::new(),
        }
    }

    /// Whether people's replies were looked at, and not plain search alone.
    pub fn is_speculative(&self) -> bool {
        !self.replies.is_empty()
    }

    pub fn concession(&self) -> f64 {
        self.best.loss_to(self.worth)
    }
}

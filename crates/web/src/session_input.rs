//! What reaches the session of a tab: commands of its page and results of its searches.

use crate::messages::{CoachReport, Command, LaserLine, Slot};
use engine::Report;
use protocol::client::analysis::Variation;
use protocol::client::offer::Offer;

pub enum SessionInput {
    Command(Command),
    /// A message that is no command.
    Malformed,
    Search {
        search: SearchId,
        report: Report,
    },
    Laser(LaserUpdate),
    External {
        slot: Slot,
        number: u32,
        update: ExternalUpdate,
    },
    Coach {
        number: u32,
        update: CoachUpdate,
    },
    /// Another tab opened this game.
    GameClaimed {
        game: u32,
    },
    Closed,
}

/// Who searches, and which of its searches: reports of an abandoned search are not taken for the current one's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchId {
    pub owner: SearchOwner,
    pub number: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchOwner {
    Game,
    Analysis(Slot),
    Review,
}

/// A report of a Leiserchess search.
pub enum LaserUpdate {
    Line { number: u32, line: LaserLine },
    Best { number: u32, best: Option<laser::Move> },
}

/// A report of an external engine.
pub enum ExternalUpdate {
    /// The engine has started and offers these options.
    Offers(Vec<Offer>),
    Variation(Variation),
    /// The engine ended its search by itself.
    Ended,
    /// The engine is gone; why.
    Failed(String),
}

/// A report of the coach.
pub enum CoachUpdate {
    Progress { done: u32, total: u32 },
    Done(Box<CoachReport>),
    Failed(String),
}

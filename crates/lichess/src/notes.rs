//! What the operator is told. The sentences are here; where they go is not.

use crate::identity::Identifier;
use chess::Game;
use std::fmt;
use std::time::Duration;

#[derive(Clone, Debug)]
pub enum Note {
    Listening {
        account: String,
    },
    Accepted {
        challenge: Identifier,
        who: String,
    },
    Queued {
        challenge: Identifier,
        who: String,
    },
    Declined {
        challenge: Identifier,
        who: String,
        reason: &'static str,
    },
    /// What would be answered, were this not a dry run.
    Would {
        challenge: Identifier,
        who: String,
        answer: String,
    },
    Started {
        game: Identifier,
        against: String,
    },
    Moved {
        game: Identifier,
        text: String,
    },
    Ended(Box<Finished>),
    /// The site asked for peace.
    TooMany {
        wait: Duration,
    },
    /// A stream ended and will be opened again.
    Lost {
        what: String,
        why: String,
        wait: Duration,
    },
    /// A line that is no event.
    Garbled {
        what: String,
        why: String,
    },
    Refused {
        what: String,
        why: String,
    },
    Trouble {
        what: String,
        why: String,
    },
    Finishing {
        games: usize,
    },
    Left {
        games: usize,
    },
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct Finished {
    pub game: Identifier,
    pub url: String,
    pub white: String,
    pub black: String,
    pub rated: bool,
    pub chess960: bool,
    /// As PGN writes it.
    pub result: &'static str,
    /// The site's word for how it ended.
    pub reason: String,
    pub moves: Game,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Listening { account } => write!(f, "playing as {account}; waiting for challenges"),
            Note::Accepted { challenge, who } => write!(f, "{challenge}: accepted the challenge of {who}"),
            Note::Queued { challenge, who } => write!(f, "{challenge}: {who} waits for a game to end"),
            Note::Declined { challenge, who, reason } => {
                write!(f, "{challenge}: declined the challenge of {who} ({reason})")
            }
            Note::Would { challenge, who, answer } => {
                write!(f, "{challenge}: a challenge of {who}; would {answer}")
            }
            Note::Started { game, against } => write!(f, "{game}: a game against {against}"),
            Note::Moved { game, text } => write!(f, "{game}: {text}"),
            Note::Ended(end) => {
                write!(f, "{}: {} - {} {} ({})", end.game, end.white, end.black, end.result, end.reason)
            }
            Note::TooMany { wait } => {
                write!(f, "the site says: too many requests; nothing is sent for {} s", wait.as_secs())
            }
            Note::Lost { what, why, wait } => {
                write!(f, "{what}: lost ({why}); again in {} s", wait.as_secs())
            }
            Note::Garbled { what, why } => write!(f, "{what}: a line that is no event ({why}); passed over"),
            Note::Refused { what, why } => write!(f, "{what}: refused ({why})"),
            Note::Trouble { what, why } => write!(f, "{what}: {why}"),
            Note::Finishing { games: 0 } => write!(f, "no game is running: leaving"),
            Note::Finishing { games } => {
                write!(f, "no new games; {games} to finish. Once more to leave at once")
            }
            Note::Left { games: 0 } => write!(f, "done"),
            Note::Left { games } => {
                write!(f, "left {games} running: start again to take them up, before their clocks run out")
            }
        }
    }
}

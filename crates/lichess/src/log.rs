//! What the operator reads. The sentences are here; the caller decides where they go.

use crate::identifier::Identifier;
use chess::Game;
use std::fmt;
use std::time::Duration;

#[derive(Clone, Debug)]
pub enum LogEvent {
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
    /// The answer that a dry run does not send.
    Would {
        challenge: Identifier,
        who: String,
        answer: String,
    },
    /// A game runs beyond the limit of games at one time.
    Waiting {
        game: Identifier,
        limit: usize,
    },
    Started {
        game: Identifier,
        against: String,
    },
    Moved {
        game: Identifier,
        text: String,
    },
    Ended(Box<FinishedGame>),
    /// The site answered 429, "too many requests".
    TooMany {
        wait: Duration,
    },
    /// A stream ended and will be opened again.
    Lost {
        what: String,
        why: String,
        wait: Duration,
    },
    /// A line that is no event. The stream is opened anew, unless the same line came before.
    Malformed {
        what: String,
        why: String,
        repeated: bool,
    },
    Refused {
        what: String,
        why: String,
    },
    Fault {
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
pub struct FinishedGame {
    pub game: Identifier,
    pub url: String,
    pub white: String,
    pub black: String,
    pub rated: bool,
    pub chess960: bool,
    /// As PGN writes it.
    pub result: &'static str,
    /// The site's status word.
    pub reason: String,
    pub moves: Game,
}

impl fmt::Display for LogEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogEvent::Listening { account } => write!(f, "playing as {account}; waiting for challenges"),
            LogEvent::Accepted { challenge, who } => {
                write!(f, "{challenge}: accepted the challenge of {who}")
            }
            LogEvent::Queued { challenge, who } => write!(f, "{challenge}: {who} waits for a game to end"),
            LogEvent::Declined { challenge, who, reason } => {
                write!(f, "{challenge}: declined the challenge of {who} ({reason})")
            }
            LogEvent::Would { challenge, who, answer } => {
                write!(f, "{challenge}: a challenge of {who}; would {answer}")
            }
            LogEvent::Started { game, against } => write!(f, "{game}: a game against {against}"),
            LogEvent::Moved { game, text } => write!(f, "{game}: {text}"),
            LogEvent::Ended(end) => {
                write!(f, "{}: {} - {} {} ({})", end.game, end.white, end.black, end.result, end.reason)
            }
            LogEvent::TooMany { wait } => {
                write!(f, "the site says: too many requests; no request for {} s", wait.as_secs())
            }
            LogEvent::Lost { what, why, wait } => {
                write!(f, "{what}: lost ({why}); next attempt in {} s", wait.as_secs())
            }
            LogEvent::Malformed { what, why, repeated } => {
                let then = if *repeated { "ignored, as before" } else { "asking for everything anew" };
                write!(f, "{what}: a malformed line ({why}); {then}")
            }
            LogEvent::Waiting { game, limit } => {
                write!(f, "{game}: waits, because {limit} games run and --games allows no more")
            }
            LogEvent::Refused { what, why } => write!(f, "{what}: refused ({why})"),
            LogEvent::Fault { what, why } => write!(f, "{what}: {why}"),
            LogEvent::Finishing { games: 0 } => write!(f, "no game is running: leaving"),
            LogEvent::Finishing { games } => {
                write!(f, "no new games; {games} to finish. Press Ctrl-C again to leave at once")
            }
            LogEvent::Left { games: 0 } => write!(f, "done"),
            LogEvent::Left { games } => {
                write!(f, "left {games} games running: start the bot again to resume them")
            }
        }
    }
}

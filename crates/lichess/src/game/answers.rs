//! Answers to offers and chat: sent by a thread of their own at low priority, so that no move waits for one.

use crate::client::{Client, RequestError};
use crate::identifier::Identifier;
use crate::log::LogEvent;
use std::sync::mpsc::Receiver;
use std::time::Duration;

/// Attempts at an answer that does not get through.
const ATTEMPTS: u32 = 3;
const PAUSE: Duration = Duration::from_secs(1);

/// A request of a game that is not a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// `draw/no`, `takeback/yes`, `claim-victory` ...
    Action(&'static str),
    Chat {
        room: &'static str,
        text: String,
    },
}

impl Answer {
    const fn action(&self) -> &'static str {
        match self {
            Answer::Action(action) => action,
            Answer::Chat { .. } => "chat",
        }
    }
}

/// Sends answers in their order until the session drops its sender.
pub fn send_all(game: &Identifier, client: &Client, answers: &Receiver<Answer>) {
    for answer in answers {
        let mut attempt = 1;
        while let Err(error) = send(game, client, &answer) {
            let again = matches!(error, RequestError::Unavailable(_)) && attempt < ATTEMPTS;
            if error == RequestError::Leaving {
                return;
            }
            if !again {
                let what = format!("{game}: {}", answer.action());
                client.log(LogEvent::Refused { what, why: error.to_string() });
                break;
            }
            attempt += 1;
            client.shutdown().wait(PAUSE);
        }
    }
}

fn send(game: &Identifier, client: &Client, answer: &Answer) -> Result<(), RequestError> {
    let path = format!("/api/bot/game/{game}/{}", answer.action());
    match answer {
        Answer::Action(_) => client.post_low_priority(&path, &[]),
        Answer::Chat { room, text } => client.post_low_priority(&path, &[("room", room), ("text", text)]),
    }
}

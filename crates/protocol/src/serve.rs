//! The loop from the first line to the last: UCI unless the other side says `xboard`.

use crate::lines::{Line, read_line};
use crate::output::Output;
use crate::{uci, xboard};
use engine::Engine;
use std::io::{self, BufRead};

/// Who the engine says it is.
#[derive(Clone, Debug)]
pub struct Identity {
    pub name: String,
    pub author: String,
}

/// What to do after a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flow {
    Continue,
    Quit,
    ToXboard,
    ToUci,
}

enum Speaker {
    Uci(uci::Session),
    Xboard(xboard::Session),
}

/// Serves until `quit` or the end of input; then ends any search and returns.
pub fn serve(
    engine: Engine,
    identity: &Identity,
    mut input: impl BufRead,
    output: &Output,
) -> io::Result<()> {
    let mut speaker = Speaker::Uci(uci::Session::new(engine, identity.clone(), output.clone()));
    while let Some(line) = read_line(&mut input)? {
        let flow = match (&mut speaker, line) {
            (Speaker::Uci(session), Line::Text(text)) => session.handle(&text),
            (Speaker::Xboard(session), Line::Text(text)) => session.handle(&text),
            (Speaker::Uci(session), Line::TooLong { bytes }) => session.too_long(bytes),
            (Speaker::Xboard(session), Line::TooLong { bytes }) => session.too_long(bytes),
        };
        speaker = match (flow, speaker) {
            (Flow::Quit, _) => return Ok(()),
            (Flow::ToXboard, Speaker::Uci(session)) => {
                Speaker::Xboard(xboard::Session::new(session.into_engine(), identity.clone(), output.clone()))
            }
            (Flow::ToUci, Speaker::Xboard(session)) => {
                let mut session = uci::Session::new(session.into_engine(), identity.clone(), output.clone());
                session.handle("uci");
                Speaker::Uci(session)
            }
            (_, speaker) => speaker,
        };
    }
    Ok(())
}

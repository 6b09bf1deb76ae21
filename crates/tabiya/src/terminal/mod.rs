//! What a person sees in a terminal.

pub mod board;

use std::io::IsTerminal as _;

/// Whether to write colours: only to a terminal, and not against the user's wish (`NO_COLOR`, `TERM=dumb`).
pub fn wants_colour() -> bool {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
    std::io::stdout().is_terminal() && !unwanted
}

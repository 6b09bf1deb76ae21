//! What a command is given from outside, and how it can fail.

use std::fmt;
use std::io::{self, BufRead, Write};
use std::sync::Arc;

use kernel::Clock;

/// Input, output and clock of a command.
pub struct Environment<'a> {
    pub input: &'a mut dyn BufRead,
    pub output: &'a mut (dyn Write + Send),
    pub clock: Arc<dyn Clock>,
}

/// Why a command ended badly.
#[derive(Debug)]
pub enum Failure {
    /// The arguments make no sense: what, and how to ask for help.
    Usage(String),
    /// Reading or writing failed.
    Io(io::Error),
    /// The command could not do its work.
    Failed(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(text) => write!(f, "{text}\n\n{USAGE}"),
            Failure::Io(error) => write!(f, "input or output: {error}"),
            Failure::Failed(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Failure {}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

/// What `tabiya laser --help` prints.
pub const USAGE: &str = "\
tabiya laser [--book FILE] [--endgame FILE]  the course's text protocol on standard input
tabiya laser rules                           the rules of the game
tabiya laser help [COMMAND]                  this, or what it says about a command
tabiya laser perft DEPTH [--fen FEN] [--ko]  count moves; --ko leaves out those that Ko forbids
tabiya laser play [--time MS] [--black] [--fen FEN]
                                             a game in the terminal, beams drawn
tabiya laser analyse FEN [--depth N | --time MS | --nodes N]
tabiya laser match A B [--games N] [--tc SECONDS+INCREMENT | --depth N | --nodes N] [--plies N] [--seed N]
                  [--record FILE] [--grace MS] A and B: `self`, `self:option=value,book=FILE,endgame=FILE,...`, or a command
tabiya laser bench [--depth N] [--set NAME=N,...] [--without TECHNIQUE,...]
                                             positions entered and moves tried, and how fast
tabiya laser tune [--games N] [--nodes N] [--plies N] [--seed N] [--ridge X] [--set NAME=N,...]
                                             plays itself and fits the evaluation's weights to the results
tabiya laser book build FILE [--plies N] [--best N] [--rank-depth N] [--depth N] [--positions N]
                                             goes on where an earlier build of FILE stopped
tabiya laser book build FILE --endgame [--pawns N] [--layers N]
                                             end-game tables, layer by layer; goes on likewise
tabiya laser book probe FILE [--fen FEN]     FILE: an opening book or an end-game table
tabiya laser book stats FILE";

//! What the engine reads.

use std::fmt;
use std::time::Duration;

use common::clip;

use crate::words::Words;

/// One line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        value: i64,
    },
    Position {
        base: Base,
        moves: Vec<String>,
    },
    /// Play a move and show the board.
    Move(String),
    Go(Go),
    Stop,
    PonderHit,
    /// Counts from the start position to this depth.
    Perft(u32),
    /// All moves on one line, Ko not applied.
    Generate,
    /// The static value, after a move if one is given.
    Eval(Option<String>),
    Display,
    Help,
    Rules,
    Quit,
}

/// Where a position starts from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Base {
    Start,
    Endgame,
    Fen(String),
}

/// How long to search; what is absent does not bind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub depth: Option<i32>,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
    /// Time left on the mover's clock.
    pub time: Option<Duration>,
    pub increment: Duration,
    pub moves_to_go: Option<u32>,
    pub infinite: bool,
    pub ponder: bool,
}

/// Why a line means nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Nothing on the line.
    Empty,
    UnknownCommand(String),
    /// A word that should follow another is missing or wrong.
    Expected {
        command: &'static str,
        expected: &'static str,
        found: Option<String>,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Empty => f.write_str("empty line"),
            Problem::UnknownCommand(word) => write!(f, "unknown command '{}', try help", clip(word, SHOWN)),
            Problem::Expected { command, expected, found: Some(found) } => {
                write!(f, "{command}: expected {expected}, found '{}'", clip(found, SHOWN))
            }
            Problem::Expected { command, expected, found: None } => {
                write!(f, "{command}: expected {expected} at the end of the line")
            }
        }
    }
}

impl std::error::Error for Problem {}

/// Depth of `perft` when none is given.
const DEFAULT_PERFT: u32 = 4;

/// Letters of a word from outside that a message repeats.
const SHOWN: usize = 40;

/// What `help` prints.
pub const HELP: &str = "\
uci                               name, author and options
isready                           answers readyok
ucinewgame                        forget earlier games
setoption name X value N          set an option
position startpos|endgame|fen FEN [moves M1 M2 ...]
move M                            play a move and show the board
go depth N | nodes N | movetime MS | infinite
go time MS [inc MS] [movestogo N] [ponder]
stop, ponderhit                   end the search; the pondered move was played
perft [N]                         count moves from the start position
generate                          all moves, Ko not applied
eval [M]                          static value, after a move if given
display                           show the board
rules                             the rules of the game
quit                              end";

/// Reads one line.
pub fn parse(line: &str) -> Result<Command, Problem> {
    let mut words = Words::new(line);
    let first = words.next().ok_or(Problem::Empty)?;
    Ok(match first {
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => set_option(words)?,
        "position" => position(words)?,
        "move" => {
            let word = words.next().ok_or(expected("move", "a move", None))?;
            Command::Move(word.to_owned())
        }
        "go" => Command::Go(go(words)?),
        "ponder" => Command::Go(Go { ponder: true, ..go(words)? }),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "perft" => match words.next() {
            None => Command::Perft(DEFAULT_PERFT),
            Some(word) => Command::Perft(number("perft", "a depth", Some(word))?),
        },
        "generate" => Command::Generate,
        "eval" => Command::Eval(words.next().map(str::to_owned)),
        "display" => Command::Display,
        "help" => Command::Help,
        "rules" => Command::Rules,
        "quit" => Command::Quit,
        other => return Err(Problem::UnknownCommand(other.to_owned())),
    })
}

fn expected(command: &'static str, expected: &'static str, found: Option<&str>) -> Problem {
    Problem::Expected { command, expected, found: found.map(str::to_owned) }
}

fn number<N: std::str::FromStr>(
    command: &'static str,
    what: &'static str,
    word: Option<&str>,
) -> Result<N, Problem> {
    word.and_then(|word| word.parse().ok()).ok_or_else(|| expected(command, what, word))
}

fn set_option(mut words: Words<'_>) -> Result<Command, Problem> {
    match words.next() {
        Some("name") => {}
        other => return Err(expected("setoption", "name", other)),
    }
    let name = words.next().ok_or(expected("setoption", "an option", None))?.to_owned();
    match words.next() {
        Some("value") => {}
        other => return Err(expected("setoption", "value", other)),
    }
    let value = number("setoption", "a number", words.next())?;
    Ok(Command::SetOption { name, value })
}

fn position(mut words: Words<'_>) -> Result<Command, Problem> {
    let base = match words.next() {
        Some("startpos") => Base::Start,
        Some("endgame") => Base::Endgame,
        Some("fen") => {
            let fen = words.until("moves");
            let moves = words.map(str::to_owned).collect();
            return Ok(Command::Position { base: Base::Fen(fen.to_owned()), moves });
        }
        other => return Err(expected("position", "startpos, endgame or fen", other)),
    };
    match words.next() {
        None => Ok(Command::Position { base, moves: Vec::new() }),
        Some("moves") => Ok(Command::Position { base, moves: words.map(str::to_owned).collect() }),
        other => Err(expected("position", "moves", other)),
    }
}

fn go(mut words: Words<'_>) -> Result<Go, Problem> {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        let milliseconds = |words: &mut Words<'_>| -> Result<Duration, Problem> {
            // A clock that has run over is a clock at zero.
            let time: i64 = number("go", "milliseconds", words.next())?;
            Ok(Duration::from_millis(time.max(0) as u64))
        };
        match word {
            "depth" => go.depth = Some(number("go", "a depth", words.next())?),
            "nodes" => go.nodes = Some(number("go", "a number of nodes", words.next())?),
            "movetime" => go.move_time = Some(milliseconds(&mut words)?),
            "time" => go.time = Some(milliseconds(&mut words)?),
            "inc" => go.increment = milliseconds(&mut words)?,
            "movestogo" => go.moves_to_go = Some(number("go", "a number of moves", words.next())?),
            "infinite" => go.infinite = true,
            "ponder" => go.ponder = true,
            other => {
                return Err(expected(
                    "go",
                    "depth, nodes, movetime, time, inc, movestogo, infinite or ponder",
                    Some(other),
                ));
            }
        }
    }
    Ok(go)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_as_the_course_sends_them() {
        let moves = vec!["g4L".to_owned(), "b3L".to_owned()];
        for (line, command) in [
            ("uci", Command::Uci),
            ("  isready\r", Command::IsReady),
            ("setoption name hash value 64", Command::SetOption { name: "hash".into(), value: 64 }),
            ("setoption name draw value -7", Command::SetOption { name: "draw".into(), value: -7 }),
            ("position startpos", Command::Position { base: Base::Start, moves: vec![] }),
            (
                "position startpos moves g4L b3L",
                Command::Position { base: Base::Start, moves: moves.clone() },
            ),
            (
                "position fen ss7/8/8/8/8/8/8/7NN W moves g4L b3L",
                Command::Position { base: Base::Fen("ss7/8/8/8/8/8/8/7NN W".into()), moves },
            ),
            ("go depth 7", Command::Go(Go { depth: Some(7), ..Go::default() })),
            (
                "go time 20000 inc 500",
                Command::Go(Go {
                    time: Some(Duration::from_secs(20)),
                    increment: Duration::from_millis(500),
                    ..Go::default()
                }),
            ),
            ("go time -5", Command::Go(Go { time: Some(Duration::ZERO), ..Go::default() })),
            ("go nodes 1000", Command::Go(Go { nodes: Some(1000), ..Go::default() })),
            ("perft", Command::Perft(4)),
            ("perft 2", Command::Perft(2)),
            ("eval", Command::Eval(None)),
            ("eval g4L", Command::Eval(Some("g4L".into()))),
            ("move h0g1", Command::Move("h0g1".into())),
            ("quit", Command::Quit),
        ] {
            assert_eq!(parse(line), Ok(command), "{line}");
        }
    }

    #[test]
    fn problems_name_the_word() {
        for (line, complaint) in [
            ("", "empty line"),
            ("jump", "unknown command 'jump'"),
            ("position", "position: expected startpos, endgame or fen at the end of the line"),
            ("position startpos g4L", "position: expected moves, found 'g4L'"),
            ("go depth", "go: expected a depth at the end of the line"),
            ("go depth x", "go: expected a depth, found 'x'"),
            ("go fast", "found 'fast'"),
            ("setoption hash 3", "setoption: expected name, found 'hash'"),
            ("setoption name hash value big", "setoption: expected a number, found 'big'"),
            ("move", "move: expected a move at the end of the line"),
        ] {
            match parse(line) {
                Ok(command) => panic!("'{line}' was read as {command:?}"),
                Err(problem) => assert!(problem.to_string().contains(complaint), "'{line}': {problem}"),
            }
        }
    }
}

//! One line of input as one command.

use crate::words::Words;
use common::clip;
use std::time::Duration;

#[derive(Clone, PartialEq, Debug)]
pub enum Command<'a> {
    Xboard,
    /// The program speaks UCI.
    Uci,
    ProtocolVersion(u32),
    /// The program's answer to a feature.
    Accepted,
    New,
    Variant(&'a str),
    Quit,
    Force,
    Go,
    PlayOther,
    Level(Level),
    /// Exactly this long a move.
    SecondsPerMove(Duration),
    Depth(u32),
    /// Nodes in place of time.
    NodesPerSecond(u64),
    /// The engine's clock.
    Time(Duration),
    /// The opponent's clock.
    OpponentTime(Duration),
    Move(&'a str),
    MoveNow,
    Ping(&'a str),
    Draw,
    Result(&'a str),
    SetBoard(&'a str),
    Hint,
    Book,
    Undo,
    Remove,
    /// Ponder on or off.
    Ponder(bool),
    /// Thinking output on or off.
    Post(bool),
    Analyze,
    /// Ends analysis.
    Exit,
    /// `.`: asks for the progress of the analysis.
    Status,
    Exclude(&'a str),
    Include(&'a str),
    Name(&'a str),
    Rating(i32, i32),
    Computer,
    Memory(u64),
    Cores(usize),
    TablePath {
        kind: &'a str,
        path: &'a str,
    },
    Option {
        name: &'a str,
        value: Option<&'a str>,
    },
    /// Known words that need no answer.
    Ignored,
}

/// `level MOVES BASE INCREMENT`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Moves in each session; `None` is the whole game.
    pub moves: Option<u32>,
    pub base: Duration,
    pub increment: Duration,
}

impl<'a> Command<'a> {
    /// `Ok(None)` is an empty line; `Err` is an error message in the protocol's form.
    pub fn parse(line: &'a str) -> Result<Option<Command<'a>>, String> {
        let mut words = Words::new(line);
        let Some(word) = words.next() else { return Ok(None) };
        let rest = words.clone().remainder();
        let missing = || format!("Error (missing or bad argument): {}", shown(line));
        let command = match word {
            "xboard" => Command::Xboard,
            "uci" => Command::Uci,
            "protover" => Command::ProtocolVersion(words.number().unwrap_or(1)),
            "accepted" | "rejected" => Command::Accepted,
            "new" => Command::New,
            "variant" => Command::Variant(words.next().ok_or_else(missing)?),
            "quit" => Command::Quit,
            "force" => Command::Force,
            "go" => Command::Go,
            "playother" => Command::PlayOther,
            "level" => Command::Level(level(&mut words).ok_or_else(missing)?),
            "st" => Command::SecondsPerMove(seconds(&mut words).ok_or_else(missing)?),
            "sd" => Command::Depth(words.number().ok_or_else(missing)?),
            "nps" => Command::NodesPerSecond(words.number().ok_or_else(missing)?),
            "time" => Command::Time(centiseconds(&mut words).ok_or_else(missing)?),
            "otim" => Command::OpponentTime(centiseconds(&mut words).ok_or_else(missing)?),
            "usermove" => Command::Move(words.next().ok_or_else(missing)?),
            "?" => Command::MoveNow,
            "ping" => Command::Ping(rest),
            "draw" => Command::Draw,
            "result" => Command::Result(rest),
            "setboard" => Command::SetBoard(rest),
            "hint" => Command::Hint,
            "bk" => Command::Book,
            "undo" => Command::Undo,
            "remove" => Command::Remove,
            "hard" => Command::Ponder(true),
            "easy" => Command::Ponder(false),
            "post" => Command::Post(true),
            "nopost" => Command::Post(false),
            "analyze" | "analyse" => Command::Analyze,
            "exit" => Command::Exit,
            "." => Command::Status,
            "exclude" => Command::Exclude(words.next().ok_or_else(missing)?),
            "include" => Command::Include(words.next().ok_or_else(missing)?),
            "name" => Command::Name(rest),
            "rating" => match (words.number(), words.number()) {
                (Some(ours), Some(theirs)) => Command::Rating(ours, theirs),
                _ => return Err(missing()),
            },
            "computer" => Command::Computer,
            "memory" => Command::Memory(words.number().ok_or_else(missing)?),
            "cores" => Command::Cores(words.number().ok_or_else(missing)?),
            "egtpath" => {
                let kind = words.next().ok_or_else(missing)?;
                Command::TablePath { kind, path: words.remainder() }
            }
            "option" => match rest.split_once('=') {
                Some((name, value)) => Command::Option { name, value: Some(value) },
                None => Command::Option { name: rest, value: None },
            },
            "random" | "white" | "black" | "ics" | "partner" | "edit" | "pause" | "resume" => {
                Command::Ignored
            }
            word if looks_like_move(word) => Command::Move(word),
            _ => return Err(format!("Error (unknown command): {}", shown(line))),
        };
        Ok(Some(command))
    }
}

fn shown(line: &str) -> String {
    clip(line.trim(), 60)
}

/// `40 5 0`, `0 2:30 1.5`.
fn level(words: &mut Words<'_>) -> Option<Level> {
    let moves: u32 = words.number()?;
    let base = words.next()?;
    let base = match base.split_once(':') {
        Some((minutes, seconds)) => minutes.parse::<u64>().ok()? * 60 + seconds.parse::<u64>().ok()?,
        None => base.parse::<u64>().ok()? * 60,
    };
    let increment = seconds(words)?;
    Some(Level { moves: (moves > 0).then_some(moves), base: Duration::from_secs(base), increment })
}

/// Longer than any game, short enough for every clock.
const LONGEST_SECONDS: f64 = 1e9;

fn seconds(words: &mut Words<'_>) -> Option<Duration> {
    let number: f64 = words.number()?;
    number.is_finite().then(|| Duration::from_secs_f64(number.clamp(0.0, LONGEST_SECONDS)))
}

fn centiseconds(words: &mut Words<'_>) -> Option<Duration> {
    let number: f64 = words.number()?;
    number.is_finite().then(|| Duration::from_secs_f64((number / 100.0).clamp(0.0, LONGEST_SECONDS)))
}

/// `e2e4`, `e7e8q`, and castling as `O-O` in Chess960.
fn looks_like_move(word: &str) -> bool {
    let bytes = word.as_bytes();
    matches!(word, "O-O" | "O-O-O")
        || ((4..=5).contains(&bytes.len())
            && (b'a'..=b'h').contains(&bytes[0])
            && bytes[1].is_ascii_digit()
            && (b'a'..=b'h').contains(&bytes[2])
            && bytes[3].is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command<'_> {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn levels() {
        let level = |moves, base, increment| {
            Command::Level(Level {
                moves,
                base: Duration::from_secs(base),
                increment: Duration::from_secs_f64(increment),
            })
        };
        assert_eq!(parse("level 40 5 0"), level(Some(40), 300, 0.0));
        assert_eq!(parse("level 0 2:30 1.5"), level(None, 150, 1.5));
        assert_eq!(parse("level 0 0:01 0.01"), level(None, 1, 0.01));
    }

    #[test]
    fn moves_with_and_without_the_word() {
        assert_eq!(parse("usermove e2e4"), Command::Move("e2e4"));
        assert_eq!(parse("e7e8q"), Command::Move("e7e8q"));
        assert_eq!(parse("usermove O-O"), Command::Move("O-O"));
    }

    #[test]
    fn options_may_hold_anything() {
        assert_eq!(
            parse("option SyzygyPath=/a=b c"),
            Command::Option { name: "SyzygyPath", value: Some("/a=b c") }
        );
        assert_eq!(parse("option Clear Hash"), Command::Option { name: "Clear Hash", value: None });
    }

    #[test]
    fn errors_speak_the_protocol() {
        assert_eq!(Command::parse("foo bar"), Err("Error (unknown command): foo bar".into()));
        assert!(Command::parse("level x").unwrap_err().starts_with("Error (missing or bad argument)"));
        assert_eq!(Command::parse(""), Ok(None));
    }

    #[test]
    fn clocks() {
        assert_eq!(parse("time 6000"), Command::Time(Duration::from_secs(60)));
        assert_eq!(parse("otim -5"), Command::OpponentTime(Duration::ZERO));
    }
}

//! One line of input as one command.

use super::go::Go;
use crate::words::Words;

/// A command. Its text is borrowed from the line.
#[derive(Clone, PartialEq, Debug)]
pub enum Command<'a> {
    Uci,
    /// The program speaks XBoard's protocol.
    Xboard,
    Debug(bool),
    IsReady,
    SetOption {
        name: &'a str,
        value: Option<&'a str>,
    },
    Register,
    NewGame,
    Position(Position<'a>),
    Go(Box<Go<'a>>),
    /// `go perft N` or `perft N`.
    Perft(u32),
    Stop,
    PonderHit,
    Quit,
    Bench(Vec<&'a str>),
    Eval,
    Display,
    Flip,
    SpeedTest(Vec<&'a str>),
    Help,
    /// `genfens N seed S book B` and whatever else OpenBench appends.
    GenFens(Vec<&'a str>),
}

/// `position ...`: the start and the moves since.
#[derive(Clone, PartialEq, Debug)]
pub struct Position<'a> {
    /// `None` is the start position.
    pub fen: Option<&'a str>,
    pub moves: Vec<&'a str>,
}

impl<'a> Command<'a> {
    /// The first known word starts the command; unknown words before it are skipped, as UCI asks.
    /// `Err` holds the first word of a line without a known one; an empty line is `Ok(None)`.
    pub fn parse(line: &'a str) -> Result<Option<Command<'a>>, &'a str> {
        let mut words = Words::new(line);
        let Some(first) = words.peek() else { return Ok(None) };
        while let Some(word) = words.next() {
            if let Some(command) = Command::after(word, words.clone()) {
                return Ok(Some(command));
            }
        }
        Err(first)
    }

    fn after(word: &str, mut rest: Words<'a>) -> Option<Command<'a>> {
        Some(match word {
            "uci" => Command::Uci,
            "xboard" => Command::Xboard,
            "debug" => Command::Debug(rest.next() != Some("off")),
            "isready" => Command::IsReady,
            "setoption" => set_option(rest),
            "register" => Command::Register,
            "ucinewgame" => Command::NewGame,
            "position" => Command::Position(position(rest)),
            "go" => match rest.peek() {
                Some("perft") => {
                    rest.next();
                    Command::Perft(rest.number().unwrap_or(1))
                }
                _ => Command::Go(Box::new(Go::parse(rest))),
            },
            "perft" => Command::Perft(rest.number().unwrap_or(1)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" | "exit" => Command::Quit,
            "bench" => Command::Bench(rest.collect()),
            "eval" => Command::Eval,
            "d" | "display" => Command::Display,
            "flip" => Command::Flip,
            "speedtest" => Command::SpeedTest(rest.collect()),
            "help" => Command::Help,
            "genfens" => Command::GenFens(rest.collect()),
            _ => return None,
        })
    }
}

fn set_option(mut rest: Words<'_>) -> Command<'_> {
    if rest.peek() == Some("name") {
        rest.next();
    }
    let before = rest.clone();
    let name = rest.until("value");
    let has_value = before.clone().any(|word| word == "value");
    Command::SetOption { name, value: has_value.then(|| rest.remainder()) }
}

fn position(mut rest: Words<'_>) -> Position<'_> {
    let fen = match rest.peek() {
        Some("startpos") => {
            rest.until("moves");
            None
        }
        // The word `fen` may be missing: some programs send the position itself.
        word => {
            if word == Some("fen") {
                rest.next();
            }
            Some(rest.until("moves"))
        }
    };
    Position { fen, moves: rest.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command<'_> {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(parse("joho debug on\r"), Command::Debug(true));
        assert_eq!(parse("\tisready \t"), Command::IsReady);
        assert_eq!(Command::parse("joho foo"), Err("joho"));
        assert_eq!(Command::parse("  \r\n"), Ok(None));
    }

    #[test]
    fn options_have_names_with_spaces_and_values_with_anything() {
        assert_eq!(
            parse("setoption name Move Overhead value 30"),
            Command::SetOption { name: "Move Overhead", value: Some("30") }
        );
        assert_eq!(
            parse("setoption name SyzygyPath value /a b/ü value"),
            Command::SetOption { name: "SyzygyPath", value: Some("/a b/ü value") }
        );
        assert_eq!(
            parse("setoption name Clear Hash"),
            Command::SetOption { name: "Clear Hash", value: None }
        );
        assert_eq!(
            parse("setoption name BookFile value"),
            Command::SetOption { name: "BookFile", value: Some("") }
        );
    }

    #[test]
    fn positions() {
        assert_eq!(
            parse("position startpos moves e2e4 e7e5"),
            Command::Position(Position { fen: None, moves: vec!["e2e4", "e7e5"] })
        );
        assert_eq!(
            parse("position fen 8/8/8/8/8/8/8/8 w - - 0 1 moves a1a2"),
            Command::Position(Position { fen: Some("8/8/8/8/8/8/8/8 w - - 0 1"), moves: vec!["a1a2"] })
        );
        assert_eq!(parse("position startpos"), Command::Position(Position { fen: None, moves: vec![] }));
    }

    #[test]
    fn perft_both_ways() {
        assert_eq!(parse("go perft 5"), Command::Perft(5));
        assert_eq!(parse("perft 3"), Command::Perft(3));
    }
}

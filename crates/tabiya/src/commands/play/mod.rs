//! `tabiya play`: a game in the terminal.

mod input;
mod table;

use super::position_from;
use crate::cli::{Command, Failure, Flag, Parsed, Run};
use crate::terminal;
use chess::{Color, Position};
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use table::{Opponent, Table};

pub const COMMAND: Command = Command {
    name: "play",
    summary: "Play a game in this terminal",
    arguments: "",
    flags: &[
        Flag { name: "side", value: Some("white|black|random"), help: "your side (default white)" },
        Flag {
            name: "elo",
            value: Some("N"),
            help: "play like people of this rating, 600 to 2800 (default: full strength)",
        },
        Flag { name: "seconds", value: Some("S"), help: "the engine's time for a move (default 1)" },
        Flag { name: "fen", value: Some("FEN"), help: "start from this position" },
        Flag { name: "chess960", value: Some("N"), help: "start from Chess960 arrangement N, 0 to 959" },
        Flag { name: "pgn", value: Some("FILE"), help: "where games are kept (default tabiya-games.pgn)" },
        Flag { name: "plain", value: None, help: "letters and no colours" },
    ],
    examples: &[
        "tabiya play",
        "tabiya play --side black --elo 1500",
        "tabiya play --chess960 518 --seconds 0.2",
    ],
    run: Run::Parsed(run),
};

fn run(parsed: &Parsed) -> Result<(), Failure> {
    parsed.no_positional()?;
    let clock = crate::clock::system();
    let side = match parsed.text("side").unwrap_or("white") {
        "white" => Color::White,
        "black" => Color::Black,
        "random" => toss(),
        other => return Err(parsed.usage(&format!("--side '{other}', expected white, black or random"))),
    };
    let (start, chess960) = match parsed.text("chess960") {
        Some(_) => (Position::chess960(parsed.number("chess960", 518, 0..=959)?).unwrap_or_default(), true),
        None => (position_from(parsed)?, false),
    };
    let elo = match parsed.text("elo") {
        Some(_) => Some(parsed.number("elo", 1800u16, 600..=2800)?),
        None => None,
    };
    let opponent = Opponent {
        elo,
        time: Duration::from_secs_f64(parsed.number("seconds", 1.0f64, 0.01..=3600.0)?),
        chess960,
    };
    let file = PathBuf::from(parsed.text("pgn").unwrap_or("tabiya-games.pgn"));
    let colour = terminal::wants_colour() && !parsed.has("plain");
    let mut table = Table::new(start, side, opponent, file, colour, clock)?;
    table.play(std::io::stdin().lock(), &mut std::io::stdout())
}

/// A coin: the time of day, whose microseconds nobody chooses.
fn toss() -> Color {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    if now.subsec_micros().is_multiple_of(2) { Color::White } else { Color::Black }
}

//! `tabiya play`: a game in the terminal.

mod clock;
mod input;
mod insight;
mod terminal_game;

use super::position_from;
use crate::cli::{Command, Failure, Flag, Parsed, Run};
use crate::terminal;
use chess::{Color, Game, Position};
use clock::TimeControl;
use human_model::reply::Rating;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use terminal_game::{Opponent, Setting, TerminalGame};
use web::odds::{self, Odds};

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
        Flag {
            name: "style",
            value: Some("NAME"),
            help: "an opponent with a taste: gambits, attack, quiet, endgames, french or sicilian; with --elo or --score",
        },
        Flag {
            name: "score",
            value: Some("N"),
            help: "percent of the points you should score, 5 to 95: the level follows you",
        },
        Flag {
            name: "speculative",
            value: Some("off|bounded|expectimax"),
            help: "play on your likely mistakes; each trap is explained (default off)",
        },
        Flag {
            name: "rating",
            value: Some("N"),
            help: "your rating, for the coach and for what people play (default 1500)",
        },
        Flag {
            name: "seed",
            value: Some("N"),
            help: "with --elo, the same moves again (default: new ones every game)",
        },
        Flag { name: "seconds", value: Some("S"), help: "the engine's time for a move (default 1)" },
        Flag { name: "clock", value: Some("MIN+SEC"), help: "clocks for both, as 5+3" },
        Flag {
            name: "odds",
            value: Some("pawn|knight|bishop|rook|queen"),
            help: "what the engine plays without",
        },
        Flag { name: "fen", value: Some("FEN"), help: "start from this position" },
        Flag { name: "from", value: Some("FILE"), help: "go on from the end of this PGN file's first game" },
        Flag { name: "chess960", value: Some("N"), help: "start from Chess960 arrangement N, 0 to 959" },
        Flag { name: "option", value: Some("NAME=VALUE"), help: "an engine option, as often as needed" },
        Flag { name: "pgn", value: Some("FILE"), help: "where games are kept (default tabiya-games.pgn)" },
        Flag { name: "plain", value: None, help: "letters and no colours" },
    ],
    examples: &[
        "tabiya play",
        "tabiya play --side black --elo 1500 --clock 10+5",
        "tabiya play --elo 1400 --style gambits",
        "tabiya play --odds queen --rating 1200",
        "tabiya play --chess960 518 --seconds 0.2",
    ],
    run: Run::Parsed(run),
};

fn run(parsed: &Parsed) -> Result<(), Failure> {
    parsed.no_positional()?;
    let side = match parsed.text("side").unwrap_or("white") {
        "white" => Color::White,
        "black" => Color::Black,
        "random" => random_side(),
        other => return Err(parsed.usage(&format!("--side '{other}', expected white, black or random"))),
    };
    let (start, chess960) = start(parsed, side)?;
    let control = match parsed.text("clock") {
        None => None,
        Some(text) => Some(TimeControl::parse(text).ok_or_else(|| {
            parsed.usage(&format!("--clock '{text}', expected minutes and seconds a move, as 5+3"))
        })?),
    };
    let rating = parsed.number("rating", 1500i64, 100..=4000)?;
    let setting = Setting {
        start,
        side,
        chess960,
        control,
        level: Rating::new(rating).map_err(Failure::failed)?,
        file: PathBuf::from(parsed.text("pgn").unwrap_or("tabiya-games.pgn")),
        colour: terminal::wants_colour() && !parsed.has("plain"),
    };
    let mut game = TerminalGame::new(setting, opponent(parsed)?, crate::clock::system())?;
    game.play(std::io::stdin().lock(), &mut std::io::stdout())
}

fn opponent(parsed: &Parsed) -> Result<Opponent, Failure> {
    let mut options = Vec::new();
    let mut option = |name: &str, value: String| options.push((name.to_string(), value));
    let elo = match parsed.text("elo") {
        Some(_) => Some(parsed.number("elo", 1800u16, 600..=2800)?),
        None => None,
    };
    let score = match parsed.text("score") {
        Some(_) => Some(parsed.number("score", 50u8, 5..=95)?),
        None => None,
    };
    if elo.is_some() || score.is_some() {
        option("UCI_LimitStrength", "true".into());
    }
    if let Some(elo) = elo {
        option("UCI_Elo", elo.to_string());
    }
    if let Some(score) = score {
        option("SparringScore", score.to_string());
    }
    if let Some(style) = parsed.text("style") {
        if elo.is_none() && score.is_none() {
            return Err(parsed.usage("--style: name the level too, with --elo or --score"));
        }
        option("Style", style.to_string());
    }
    if parsed.text("seed").is_some() {
        option("RandomSeed", parsed.number("seed", 1u64, 1..=0x7fff_ffff)?.to_string());
    }
    if let Some(mode) = parsed.text("speculative") {
        option("Speculative", mode.to_string());
    }
    for text in parsed.texts("option") {
        let Some((name, value)) = text.split_once('=') else {
            return Err(parsed.usage(&format!("--option '{text}', expected NAME=VALUE")));
        };
        option(name.trim(), value.trim().to_string());
    }
    Ok(Opponent {
        elo,
        time: Duration::from_secs_f64(parsed.number("seconds", 1.0f64, 0.01..=3600.0)?),
        options,
    })
}

/// The game so far, and whether it is Chess960.
fn start(parsed: &Parsed, side: Color) -> Result<(Game, bool), Failure> {
    let (game, chess960) = match (parsed.text("chess960"), parsed.text("from")) {
        (Some(_), _) => {
            let arrangement = parsed.number("chess960", 518, 0..=959)?;
            (Game::new(Position::chess960(arrangement).unwrap_or_default()), true)
        }
        (None, Some(path)) => {
            let first = super::human::games(path)?.next();
            let record = first
                .ok_or_else(|| Failure::Failed(format!("--from {path}: there is no game in it")))?
                .map_err(|error| Failure::Failed(format!("--from {path}: {error}")))?;
            (record.to_game(), record.is_chess960())
        }
        (None, None) => (Game::new(position_from(parsed)?), false),
    };
    let odds = match parsed.text("odds") {
        None => return Ok((game, chess960)),
        Some("pawn") => Odds::Pawn,
        Some("knight") => Odds::Knight,
        Some("bishop") => Odds::Bishop,
        Some("rook") => Odds::Rook,
        Some("queen") => Odds::Queen,
        Some(other) => {
            let expected = "expected pawn, knight, bishop, rook or queen";
            return Err(parsed.usage(&format!("--odds '{other}', {expected}")));
        }
    };
    let position = odds::give(game.position(), !side, odds)
        .ok_or_else(|| Failure::Failed("--odds: they cannot be given in this position".into()))?;
    Ok((Game::new(position), chess960))
}

/// A random side, by the microseconds of the time of day.
fn random_side() -> Color {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    if now.subsec_micros().is_multiple_of(2) { Color::White } else { Color::Black }
}

//! `tabiya coach`: reviews a game and says why, from verified lines only.

use super::human::{games, player_side, scale};
use crate::cli::{Command, Failure, Flag, Parsed, Run, remark};
use chess::pgn::PgnGame;
use coach::summary::Summary;
use coach::{Coach, Review, report};
use human_model::openings::Openings;
use human_model::oracle::PoolOracle;
use human_model::reply::{Rating, ReplyModel};
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;

pub const COMMAND: Command = Command {
    name: "coach",
    summary: "Review a game: what was lost where, what people of your rating see, puzzles from it",
    arguments: "GAME.pgn...",
    flags: &[
        Flag {
            name: "player",
            value: Some("NAME"),
            help: "white, black or a name: speak to this player only",
        },
        Flag {
            name: "rating",
            value: Some("N"),
            help: "the level comments speak of (default: the file's, or read from the moves)",
        },
        Flag {
            name: "scale",
            value: Some("lichess|fics|fide|mixed"),
            help: "whose rating points (default lichess)",
        },
        Flag {
            name: "nodes",
            value: Some("N"),
            help: "nodes for each position (default 40000); errors get four times as many",
        },
        Flag { name: "game", value: Some("N"), help: "which game of the file (default 1)" },
        Flag {
            name: "all",
            value: None,
            help: "sum up all games: errors by phase, opening and theme, puzzles",
        },
        Flag { name: "html", value: Some("FILE"), help: "write the report as a page" },
        Flag { name: "pgn", value: Some("FILE"), help: "write the game with comments" },
        Flag { name: "json", value: Some("FILE"), help: "write everything for programs" },
        Flag { name: "quiet", value: None, help: "no report in the terminal" },
    ],
    examples: &[
        "tabiya coach game.pgn",
        "tabiya coach game.pgn --player Ann --html report.html",
        "tabiya coach games/*.pgn --player Ann",
    ],
    run: Run::Parsed(run),
};

fn run(parsed: &Parsed) -> Result<(), Failure> {
    let file = match parsed.positional() {
        [] => return Err(parsed.usage("expected a PGN file")),
        [file] if !parsed.has("all") => file,
        files => return sum_up(parsed, files),
    };
    let number: usize = parsed.number("game", 1, 1..=1_000_000)?;
    let game = nth_game(file, number)?;
    let student = player_side(parsed, &game)?;
    let coach = coach(parsed, student)?;
    let mut oracle =
        PoolOracle::new(64, crate::clock::system(), &eval::Evaluation::shipped()).map_err(Failure::failed)?;
    let shown = std::io::stderr().is_terminal();
    let mut progress = |done: usize, all: usize| {
        if shown {
            let _ = write!(std::io::stderr(), "\r{:3} % ", 100 * done / all.max(1));
        }
    };
    let review = coach
        .review(&game, &mut oracle, &mut progress)
        .map_err(|error| Failure::Failed(format!("{file}, game {number}: {error}")))?;
    if shown {
        let _ = write!(std::io::stderr(), "\r      \r");
    }
    write_files(parsed, &review, student)?;
    if !parsed.has("quiet") {
        std::io::stdout().write_all(report::text(&review, student).as_bytes())?;
    }
    Ok(())
}

fn coach(parsed: &Parsed, student: Option<chess::Color>) -> Result<Coach<'static>, Failure> {
    let rating = match parsed.text("rating") {
        None => None,
        Some(text) => {
            let points: i64 =
                text.parse().map_err(|_| parsed.usage(&format!("--rating '{text}', expected a number")))?;
            Some(Rating::new(points).map_err(|error| parsed.usage(&format!("--rating: {error}")))?)
        }
    };
    let mut ratings = [rating, rating];
    if let Some(student) = student {
        ratings[(!student).index()] = None;
    }
    Ok(Coach {
        model: ReplyModel::shared().map_err(Failure::failed)?,
        openings: Openings::shared().map_err(Failure::failed)?,
        scale: scale(parsed)?,
        ratings,
        student,
        nodes: parsed.number("nodes", 40_000, 500..=100_000_000)?,
    })
}

/// All games of all files, of one player where `--player` names one.
fn sum_up(parsed: &Parsed, files: &[String]) -> Result<(), Failure> {
    let names = web::Openings::embedded();
    let mut summary = Summary::default();
    let mut oracle =
        PoolOracle::new(64, crate::clock::system(), &eval::Evaluation::shipped()).map_err(Failure::failed)?;
    for file in files {
        for (index, game) in games(file)?.enumerate() {
            let number = index + 1;
            let skip = |why: &dyn std::fmt::Display| {
                remark(&format!("tabiya: {file}, game {number}: {why}; skipped"));
            };
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    skip(&error);
                    continue;
                }
            };
            // In a file of many games a name need not be in each.
            let Ok(student) = player_side(parsed, &game) else { continue };
            match coach(parsed, student)?.review(&game, &mut oracle, &mut |_, _| {}) {
                Ok(review) => {
                    let positions = review.positions();
                    let opening = names.last_name(&positions).unwrap_or("another opening");
                    summary.add(&review, student, opening);
                    if std::io::stderr().is_terminal() {
                        let _ = write!(std::io::stderr(), "\r{file}, game {number} ");
                    }
                }
                Err(error) => skip(&error),
            }
        }
    }
    std::io::stdout().write_all(summary.text().as_bytes())?;
    Ok(())
}

fn write_files(parsed: &Parsed, review: &Review, student: Option<chess::Color>) -> Result<(), Failure> {
    let write = |flag: &str, make: &dyn Fn() -> String| match parsed.text(flag) {
        None => Ok(()),
        Some(path) => std::fs::write(Path::new(path), make())
            .map_err(|error| Failure::Failed(format!("--{flag} {path}: {error}"))),
    };
    write("html", &|| report::html(review, student))?;
    write("json", &|| report::json(review))?;
    write("pgn", &|| report::annotate(review).to_string())
}

fn nth_game(file: &str, number: usize) -> Result<PgnGame, Failure> {
    let mut count = 0;
    for game in games(file)? {
        count += 1;
        let game = game.map_err(|error| Failure::Failed(format!("{file}: {error}")));
        if count == number {
            return game;
        }
    }
    Err(Failure::Failed(format!("{file}: it has {count} games, number {number} was asked for")))
}

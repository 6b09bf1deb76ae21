//! `tabiya human`: ratings read from moves, and a quiz.

use crate::cli::{Command, Failure, Flag, Parsed, Run, remark};
use crate::terminal::board::{View, draw};
use chess::pgn::{PgnError, PgnGame, PgnReader};
use chess::{Color, Position};
use coach::quiz::{Puzzle, Quiz};
use coach::report;
use common::{Random, entropy_seed};
use human_model::openings::Openings;
use human_model::rating::{Evidence, Posterior, SelfDescription, Side, rate_game};
use human_model::reply::{ReplyModel, Scale};
use std::io::Write as _;

pub const COMMAND: Command = Command {
    name: "human",
    summary: "Ratings from moves (rate GAME.pgn), a puzzle quiz that finds your level (quiz)",
    arguments: "rate GAME.pgn | quiz",
    flags: &[
        Flag {
            name: "player",
            value: Some("NAME"),
            help: "rate: white, black or a name (default: both); several games of a name are put together",
        },
        Flag {
            name: "scale",
            value: Some("lichess|fics|fide|mixed"),
            help: "rate: whose rating points (default lichess)",
        },
        Flag {
            name: "prior",
            value: Some("N|WORD"),
            help: "what is known before: a rating, or beginner, casual, intermediate, club, strong, master",
        },
        Flag { name: "count", value: Some("N"), help: "quiz: puzzles to try (default 10)" },
        Flag {
            name: "seed",
            value: Some("N"),
            help: "quiz: the same puzzles again (default: new ones each time)",
        },
        Flag { name: "plain", value: None, help: "letters and no colours" },
    ],
    examples: &[
        "tabiya human rate game.pgn",
        "tabiya human rate games.pgn --player Ann --prior 1500",
        "tabiya human quiz --prior club",
    ],
    run: Run::Parsed(run),
};

fn run(parsed: &Parsed) -> Result<(), Failure> {
    match parsed.positional() {
        [word, file] if word == "rate" => rate(parsed, file),
        [word] if word == "rate" => Err(parsed.usage("rate: expected a PGN file")),
        [word] if word == "quiz" => quiz(parsed),
        [] => Err(parsed.usage("expected rate or quiz")),
        [word, ..] => Err(parsed.usage(&format!("'{word}', expected rate or quiz"))),
    }
}

/// The games of a file, plain or zstd, one after another.
pub fn games(path: &str) -> Result<impl Iterator<Item = Result<PgnGame, PgnError>>, Failure> {
    let plain = chess::compressed::open(path)
        .map_err(|error| Failure::Failed(format!("{}: {error}", common::escape_control(path))))?;
    Ok(PgnReader::new(plain))
}

pub fn scale(parsed: &Parsed) -> Result<Scale, Failure> {
    Ok(match parsed.text("scale").unwrap_or("lichess") {
        "lichess" => Scale::Lichess,
        "fics" => Scale::Fics,
        "fide" => Scale::Fide,
        "mixed" => Scale::Mixed,
        other => {
            return Err(parsed.usage(&format!("--scale '{other}', expected lichess, fics, fide or mixed")));
        }
    })
}

/// The side `--player` names: white, black, or somebody in the game.
pub fn player_side(parsed: &Parsed, game: &PgnGame) -> Result<Option<Color>, Failure> {
    let Some(name) = parsed.text("player") else { return Ok(None) };
    let [white, black] = Color::BOTH.map(|color| Side::of(game, color).name);
    match name.to_lowercase().as_str() {
        "white" => Ok(Some(Color::White)),
        "black" => Ok(Some(Color::Black)),
        wanted if white.to_lowercase().contains(wanted) => Ok(Some(Color::White)),
        wanted if black.to_lowercase().contains(wanted) => Ok(Some(Color::Black)),
        _ => Err(Failure::Failed(format!("--player '{name}': the players are '{white}' and '{black}'"))),
    }
}

fn prior(parsed: &Parsed) -> Result<Option<Posterior>, Failure> {
    let Some(text) = parsed.text("prior") else { return Ok(None) };
    if let Some(description) = SelfDescription::named(text) {
        return Ok(Some(Posterior::described(description)));
    }
    let words: Vec<&str> = SelfDescription::ALL.iter().map(|(name, _)| *name).collect();
    match text.parse::<f64>() {
        Ok(points) if (100.0..=4000.0).contains(&points) => Ok(Some(Posterior::known(points))),
        _ => Err(parsed.usage(&format!(
            "--prior '{text}', expected a rating from 100 to 4000 or one of {}",
            words.join(", ")
        ))),
    }
}

fn rate(parsed: &Parsed, file: &str) -> Result<(), Failure> {
    let model = ReplyModel::shared().map_err(Failure::failed)?;
    let openings = Openings::shared().map_err(Failure::failed)?;
    let scale = scale(parsed)?;
    let prior = prior(parsed)?.unwrap_or_else(|| Posterior::broad(scale));
    let mut out = std::io::stdout().lock();
    let mut any = false;
    // Of the player that --player names, over all their games.
    let mut so_far: Option<Posterior> = None;
    for (index, game) in games(file)?.enumerate() {
        let number = index + 1;
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                remark(&format!("tabiya: {file}: {error}; skipped"));
                continue;
            }
        };
        any = true;
        if game.is_chess960() {
            remark(&format!(
                "tabiya: {file}, game {number}: Chess960, which the model of people has never seen; skipped"
            ));
            continue;
        }
        let sides = match player_side(parsed, &game) {
            Ok(Some(side)) => vec![side],
            Ok(None) => Color::BOTH.to_vec(),
            // In a file of many games a name need not be in each.
            Err(_) => continue,
        };
        let rated = Color::BOTH
            .map(|color| rate_game(model, openings, &game, Side::of(&game, color), scale, prior.clone()));
        let is_pairing = rated.iter().all(|rated| !rated.side.is_computer && !rated.evidence.is_empty());
        for color in sides {
            let (own, opponent) = (&rated[color.index()], &rated[(!color).index()]);
            let side = &own.side;
            let told = side.told.map_or("unrated".to_string(), |rating| rating.points().to_string());
            let note = if side.is_computer { ", a program: the number means little" } else { "" };
            let found = own.estimate;
            writeln!(
                out,
                "game {number}, {color}: {} ({told}{note}) played like {:.0}; 80 %: {:.0} to {:.0}; 90 %: {:.0} to {:.0}; {}",
                side.name,
                found.mean,
                found.interval80.0,
                found.interval80.1,
                found.interval90.0,
                found.interval90.1,
                report::count_of(found.moves, "move")
            )?;
            let against: &[Evidence] = if is_pairing { &opponent.evidence } else { &[] };
            if is_pairing {
                let mut both = prior.clone();
                both.update_by_both(&own.evidence, against);
                let found = both.estimate();
                writeln!(
                    out,
                    "  if paired by rating, by the moves of both: {found}; 90 %: {:.0} to {:.0}",
                    found.interval90.0, found.interval90.1
                )?;
            }
            if parsed.text("player").is_some() {
                let mut all = so_far.as_ref().map_or_else(|| prior.clone(), Posterior::next_game);
                all.update_by_both(&own.evidence, against);
                if so_far.is_some() {
                    let found = all.estimate();
                    writeln!(out, "  all games so far: {found}, {}", report::count_of(found.moves, "move"))?;
                }
                so_far = Some(all);
            }
        }
    }
    if any { Ok(()) } else { Err(Failure::Failed(format!("{file}: no game could be read"))) }
}

fn quiz(parsed: &Parsed) -> Result<(), Failure> {
    let count: usize = parsed.number("count", 10, 1..=150)?;
    let prior = prior(parsed)?.unwrap_or_else(|| Posterior::broad(Scale::Lichess));
    let seed = parsed.number("seed", entropy_seed(), 0..=u64::MAX)?;
    let mut quiz = Quiz::shipped(prior, Random::new(seed)).map_err(Failure::failed)?;
    let mut input = std::io::stdin().lock();
    let mut out = std::io::stdout();
    let colour = crate::terminal::wants_colour() && !parsed.has("plain");
    writeln!(out, "Find the best move; 'pass' if you see none, 'quit' to end. Nothing is stored.\n")?;
    while (quiz.tried() as usize) < count {
        let Some(puzzle) = quiz.next_puzzle() else { break };
        let Some(solved) = ask(&puzzle, colour, &mut input, &mut out)? else { break };
        quiz.answer(&puzzle, solved);
        let estimate = quiz.estimate();
        writeln!(
            out,
            "{} This one is rated {}. You: about {:.0}, between {:.0} and {:.0}.\n",
            if solved { "Right." } else { "Not this time." },
            puzzle.rating,
            estimate.mean,
            estimate.interval80.0,
            estimate.interval80.1
        )?;
    }
    let game = quiz.prior().estimate();
    writeln!(
        out,
        "{}. On their scale you are about {:.0}; for games expect {:.0} to {:.0}.\nTry `tabiya play --elo {}`.",
        report::count_of(quiz.tried(), "puzzle"),
        quiz.estimate().mean,
        game.interval80.0,
        game.interval80.1,
        (game.mean / 100.0).round().clamp(6.0, 28.0) * 100.0
    )?;
    Ok(())
}

/// The rest of the solution, from the solver's `number`th move on.
fn solution(puzzle: &Puzzle, position: &Position, number: usize) -> String {
    let rest = puzzle.solution.get(2 * number..).unwrap_or_default();
    format!("The solution: {}.", report::line(position, rest))
}

/// Plays a puzzle through; `None` when the person leaves.
fn ask(
    puzzle: &Puzzle,
    colour: bool,
    input: &mut impl std::io::BufRead,
    out: &mut impl std::io::Write,
) -> Result<Option<bool>, Failure> {
    let mut position: Position = puzzle.position.clone();
    let view = View { colour, bottom: position.turn() };
    let mut number = 0;
    while 2 * number < puzzle.solution.len() {
        let last = (number > 0).then(|| puzzle.solution[2 * number - 1]);
        writeln!(out, "{}\n", draw(&position, last, view))?;
        let mv = loop {
            write!(out, "{} to move > ", position.turn())?;
            out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            match line.trim() {
                "quit" | "exit" => return Ok(None),
                "pass" => {
                    writeln!(out, "{}", solution(puzzle, &position, number))?;
                    return Ok(Some(false));
                }
                "" => {}
                text => match position
                    .parse_san(text)
                    .map_err(|error| error.to_string())
                    .or_else(|first| position.parse_uci(text).map_err(|_| first))
                {
                    Ok(mv) => break mv,
                    Err(error) => writeln!(out, "{error}")?,
                },
            }
        };
        if !puzzle.accepts(&position, number, mv) {
            writeln!(out, "{}", solution(puzzle, &position, number))?;
            return Ok(Some(false));
        }
        position.play(mv);
        if position.is_checkmate() {
            break;
        }
        if let Some(reply) = puzzle.solution.get(2 * number + 1) {
            writeln!(out, "Yes. The reply: {}", position.san(*reply))?;
            position.play(*reply);
        }
        number += 1;
    }
    Ok(Some(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_games_are_read_and_devices_refused() {
        let text = b"[White \"Ann\"]\n\n1. e4 e5 *\n";
        // A zstd frame with one raw block: single segment, one byte of content size.
        let size = text.len() as u8;
        let head = [0x28, 0xb5, 0x2f, 0xfd, 0x20, size, 1 | size << 3, size >> 5, 0];
        let path = std::env::temp_dir().join(format!("tabiya-human-{}.pgn.zst", std::process::id()));
        std::fs::write(&path, [&head[..], text].concat()).unwrap();
        let found: Vec<_> = games(path.to_str().unwrap()).unwrap_or_else(|_| panic!("unread")).collect();
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(&found[..], [Ok(game)] if game.tags.get("White") == Some("Ann")));
        #[cfg(unix)]
        assert!(games("/dev/zero").is_err());
    }
}

//! `tabiya laser play`: a game against the engine in the terminal, with the beams drawn.

use std::time::Duration;

use kernel::{Event, Limits};
use laser::{Colour, Game, Kind, Move, Status, Zapped};

use crate::arguments::Arguments;
use crate::environment::{Environment, Failure};
use crate::options::Options;
use crate::{analyse, diagram, rules};

const DEFAULT_TIME: u64 = 1000;

pub(crate) fn run(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    let arguments = Arguments::read("play", arguments, &["time", "fen"], &["black"])?;
    if let Some(word) = arguments.words.first() {
        return Err(Failure::Usage(format!("play: unexpected '{word}'")));
    }
    let time = Duration::from_millis(arguments.number("time")?.unwrap_or(DEFAULT_TIME));
    let person = if arguments.has("black") { Colour::Black } else { Colour::White };
    let options = Options::default();
    let mut engine = options.engine(environment.clock.clone()).map_err(Failure::Failed)?;
    let mut game = Game::new(arguments.position()?, options.settings.rules);
    writeln!(environment.output, "You play {person}.\n{}", rules::WELCOME)?;

    loop {
        let position = *game.position();
        // After a move the shot that was just fired is the interesting one; before the first, the mover's.
        let fired = if game.moves().is_empty() { position.side_to_move() } else { !position.side_to_move() };
        write!(environment.output, "\n{}", diagram::draw(&position, Some(fired)))?;
        match game.status() {
            Status::Ongoing => {}
            Status::Won(winner) => {
                writeln!(environment.output, "{winner} wins: {}", game.status().result())?;
                return Ok(());
            }
            Status::Drawn(reason) => {
                writeln!(environment.output, "Draw by {reason}: {}", game.status().result())?;
                return Ok(());
            }
        }
        if position.side_to_move() == person {
            if !ask(environment, &mut game, &mut engine, time)? {
                return Ok(());
            }
        } else {
            let found = engine.search(&game, move_time(time), &mut |_: Event<'_, Move>| ());
            let Some(best) = found.best else { return Ok(()) };
            let zapped = game.play(best).map_err(|error| Failure::Failed(error.to_string()))?;
            write!(environment.output, "I play {best} ({})", analyse::words(found.score))?;
            match zapped {
                Some(zapped) => writeln!(environment.output, " and remove {}", named(zapped, person))?,
                None => writeln!(environment.output)?,
            }
        }
    }
}

/// A removed piece as the person sees it: `your own pawn SE on d5`.
fn named(zapped: Zapped, person: Colour) -> String {
    let owner = if zapped.piece.colour() == person { "your own" } else { "the enemy" };
    let kind = match zapped.piece.kind() {
        Kind::King => "king",
        Kind::Pawn => "pawn",
    };
    format!("{owner} {kind} {} on {}", zapped.piece, zapped.square)
}

/// All moves that are allowed, those of each piece in a line.
fn moves_by_piece(game: &Game) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut last = None;
    for mv in game.position().legal_moves() {
        let text = mv.to_string();
        let from: String = text.chars().take(2).collect();
        if last.as_ref() == Some(&from) {
            if let Some(line) = lines.last_mut() {
                line.push(' ');
                line.push_str(&text);
            }
        } else {
            lines.push(text);
            last = Some(from);
        }
    }
    lines.join("\n")
}

fn move_time(time: Duration) -> Limits {
    Limits { move_time: Some(time), ..Limits::default() }
}

/// Reads until a move is made or taken back; `false` when the player leaves.
fn ask(
    environment: &mut Environment<'_>,
    game: &mut Game,
    engine: &mut laser_search::Engine,
    time: Duration,
) -> Result<bool, Failure> {
    loop {
        write!(environment.output, "your move> ")?;
        environment.output.flush()?;
        let mut line = String::new();
        if environment.input.read_line(&mut line)? == 0 {
            writeln!(environment.output)?;
            return Ok(false);
        }
        match line.trim() {
            "" => {}
            "quit" => return Ok(false),
            "help" | "?" => writeln!(environment.output, "{}", rules::WORDS)?,
            "rules" => writeln!(environment.output, "{}", rules::RULES)?,
            "moves" => {
                writeln!(environment.output, "{}", moves_by_piece(game))?;
            }
            "hint" => {
                let found = engine.search(game, move_time(time), &mut |_: Event<'_, Move>| ());
                if let Some(best) = found.best {
                    writeln!(environment.output, "I would play {best} ({})", analyse::words(found.score))?;
                }
            }
            "undo" => {
                let kept = game.moves().len().saturating_sub(2);
                let mut shorter = Game::new(game.positions()[0], game.rules());
                for &mv in &game.moves()[..kept] {
                    shorter.play(mv).map_err(|error| Failure::Failed(error.to_string()))?;
                }
                *game = shorter;
                return Ok(true);
            }
            text => match game.play_text(text) {
                Ok(zapped) => {
                    if let Some(zapped) = zapped {
                        let person = !game.position().side_to_move();
                        writeln!(environment.output, "You remove {}", named(zapped, person))?;
                    }
                    return Ok(true);
                }
                Err(error) => writeln!(
                    environment.output,
                    "{error}\nType moves to see all your moves, help for the other words."
                )?,
            },
        }
    }
}

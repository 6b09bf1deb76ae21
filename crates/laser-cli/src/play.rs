//! `tabiya laser play`: a game against the engine in the terminal, with the beams drawn.

use std::time::Duration;

use kernel::{Event, Limits};
use laser::{Colour, Game, Move, Status};

use crate::arguments::Arguments;
use crate::options::Options;
use crate::{Failure, World, analyse, board};

const DEFAULT_TIME: u64 = 1000;

pub(crate) fn run(arguments: &[String], world: &mut World<'_>) -> Result<(), Failure> {
    let arguments = Arguments::read("play", arguments, &["time", "fen"], &["black"])?;
    if let Some(word) = arguments.words.first() {
        return Err(Failure::Usage(format!("play: unexpected '{word}'")));
    }
    let time = Duration::from_millis(arguments.number("time")?.unwrap_or(DEFAULT_TIME));
    let person = if arguments.has("black") { Colour::Black } else { Colour::White };
    let options = Options::default();
    let mut engine = options.engine(world.clock.clone()).map_err(Failure::Failed)?;
    let mut game = Game::new(arguments.position()?, options.settings.rules);
    writeln!(
        world.output,
        "You play {person}. Moves: g4R (turn R, U or L), g4g5 (step), c2c1b0 (swap, then step), e4d5R (swap, then \
         turn). Other words: moves, undo, hint, quit."
    )?;

    loop {
        let position = *game.position();
        // After a move the shot that was just fired is the interesting one; before the first, the mover's.
        let fired = if game.moves().is_empty() { position.side_to_move() } else { !position.side_to_move() };
        write!(world.output, "\n{}", board::draw(&position, Some(fired)))?;
        match game.status() {
            Status::Ongoing => {}
            Status::Won(winner) => {
                writeln!(world.output, "{winner} wins: {}", game.status().result())?;
                return Ok(());
            }
            Status::Drawn(reason) => {
                writeln!(world.output, "Draw by {reason}: {}", game.status().result())?;
                return Ok(());
            }
        }
        if position.side_to_move() == person {
            if !ask(world, &mut game, &mut engine, time)? {
                return Ok(());
            }
        } else {
            let found = engine.search(&game, move_time(time), &mut |_: Event<'_, Move>| ());
            let Some(best) = found.best else { return Ok(()) };
            let zapped = game.play(best).map_err(|error| Failure::Failed(error.to_string()))?;
            write!(world.output, "I play {best} ({})", analyse::words(found.score))?;
            match zapped {
                Some(zapped) => writeln!(world.output, " and zap {} on {}", zapped.piece, zapped.square)?,
                None => writeln!(world.output)?,
            }
        }
    }
}

fn move_time(time: Duration) -> Limits {
    Limits { move_time: Some(time), ..Limits::default() }
}

/// Reads until a move is made or taken back; `false` when the player leaves.
fn ask(
    world: &mut World<'_>,
    game: &mut Game,
    engine: &mut laser_search::Engine,
    time: Duration,
) -> Result<bool, Failure> {
    loop {
        write!(world.output, "your move> ")?;
        world.output.flush()?;
        let mut line = String::new();
        if world.input.read_line(&mut line)? == 0 {
            writeln!(world.output)?;
            return Ok(false);
        }
        match line.trim() {
            "" => {}
            "quit" => return Ok(false),
            "moves" => {
                let moves: Vec<String> = game.position().legal_moves().iter().map(Move::to_string).collect();
                writeln!(world.output, "{}", moves.join(" "))?;
            }
            "hint" => {
                let found = engine.search(game, move_time(time), &mut |_: Event<'_, Move>| ());
                if let Some(best) = found.best {
                    writeln!(world.output, "I would play {best} ({})", analyse::words(found.score))?;
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
                        writeln!(world.output, "You zap {} on {}", zapped.piece, zapped.square)?;
                    }
                    return Ok(true);
                }
                Err(error) => writeln!(world.output, "{error}")?,
            },
        }
    }
}

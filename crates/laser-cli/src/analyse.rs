//! `tabiya laser analyse`: a search of one position, in plain words.

use std::time::Duration;

use kernel::{Depth, Event, Kind, Limits, Score};
use laser::{Game, Move};

use crate::arguments::Arguments;
use crate::diagram;
use crate::environment::{Environment, Failure};
use crate::options::Options;

/// How long to search without a limit on the command line.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// A score as a reader wants it.
pub(crate) fn words(score: Score) -> String {
    match score.kind() {
        Kind::MateIn(plies) => format!("hits the king in {plies} plies"),
        Kind::MatedIn(plies) => format!("loses the king in {plies} plies"),
        _ => format!("{:+.2}", f64::from(score.value()) / 100.0),
    }
}

pub(crate) fn run(arguments: &[String], environment: &mut Environment<'_>) -> Result<(), Failure> {
    let flags = ["depth", "time", "nodes", "hash", "threads"];
    let arguments = Arguments::read("analyse", arguments, &flags, &[])?;
    if arguments.words.is_empty() {
        return Err(Failure::Usage("analyse: expected a FEN".to_owned()));
    }
    let fen = arguments.words.join(" ");
    let position = fen.parse().map_err(|error| Failure::Failed(format!("position: {error}")))?;

    let mut options = Options::default();
    for name in ["hash", "threads"] {
        if let Some(value) = arguments.number(name)? {
            options.set(name, value).map_err(Failure::Failed)?;
        }
    }
    let mut limits = Limits {
        depth: arguments.number("depth")?.map(Depth::new),
        nodes: arguments.number("nodes")?,
        move_time: arguments.number("time")?.map(Duration::from_millis),
        ..Limits::default()
    };
    if limits.is_unbounded() {
        limits.move_time = Some(DEFAULT_TIME);
    }

    let mut engine = options.engine(environment.clock.clone()).map_err(Failure::Failed)?;
    let game = Game::new(position, options.settings.rules);
    write!(environment.output, "{}", diagram::draw(&position, Some(position.side_to_move())))?;
    let output = &mut *environment.output;
    let mut broken = None;
    let found = engine.search(&game, limits, &mut |event: Event<'_, Move>| {
        if let Event::Info(info) = event {
            let line: Vec<String> = info.line.iter().map(|mv| mv.to_string()).collect();
            let result = writeln!(
                output,
                "depth {:>2}  {:>8}  {:>10} nodes  {:>7} ms  {}",
                info.depth.plies(),
                words(info.score),
                info.nodes,
                info.time.as_millis(),
                line.join(" ")
            );
            broken = broken.take().or(result.err());
        }
    });
    if let Some(error) = broken {
        return Err(error.into());
    }
    writeln!(environment.output, "entered {} tried {}", found.nodes, found.tried)?;
    match found.best {
        Some(best) => writeln!(environment.output, "best move {best}, {}", words(found.score))?,
        None => writeln!(environment.output, "the game is over: {}", game.status().result())?,
    }
    Ok(())
}

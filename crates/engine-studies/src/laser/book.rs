//! What a book is worth: the released player with one against itself without, from the same openings with both colours.

use std::ops::ControlFlow;
use std::sync::Arc;

use kernel::clock::ManualClock;
use kernel::{Event, Limits};
use laser::{Colour, DrawRules, Game, Move, Status};
use laser_search::{Book, BookEntries, Engine, Progress, Settings, build_book, opening};
use serde_json::{Map, json};

use super::config::{BookStudy, Laser};
use experiment::store::Row;
use match_runner::stop::StopFlag;

/// Openings of this study are none that the players were fitted on.
const FIRST_SEED: u64 = 5000;

/// What a row is filed under.
pub fn key(number: u64) -> String {
    format!("book/opening {:05}", number + 1)
}

/// One side's part in two games.
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    searched: u64,
    nodes: u64,
    from_book: u64,
}

/// Builds the book of an opening and plays it with both colours; `None` when stopped on the way.
pub fn play(laser: &Laser, number: u64, stop: &StopFlag) -> Result<Option<Row>, String> {
    let study = &laser.book;
    let start = opening(FIRST_SEED + number, study.plies, DrawRules::RULE_BOOK);
    let mut engine = engine(laser)?;
    let mut entries = BookEntries::new();
    let finished =
        build_book(&mut engine, &study.plan, *start.position(), &mut entries, &mut |_: Progress, _| {
            if stop.is_raised() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
    if !finished {
        return Ok(None);
    }
    let book = Book::new(&entries);
    let mut sides = [Effort::default(); 2];
    let mut points = Vec::new();
    for with_book in Colour::ALL {
        let Some(score) = play_game(laser, study, &start, &book, with_book, &mut sides, stop)? else {
            return Ok(None);
        };
        points.push(score);
    }
    let [with, without] = sides;
    let data = Map::from_iter([
        ("part".to_owned(), json!("book")),
        ("first".to_owned(), json!(points.first())),
        ("second".to_owned(), json!(points.get(1))),
        ("entries".to_owned(), json!(book.len())),
        ("book_moves".to_owned(), json!(with.from_book)),
        ("moves_with".to_owned(), json!(with.searched + with.from_book)),
        ("moves_without".to_owned(), json!(without.searched)),
        ("nodes_with".to_owned(), json!(with.nodes)),
        ("nodes_without".to_owned(), json!(without.nodes)),
    ]);
    Ok(Some(Row { task: key(number), data }))
}

fn engine(laser: &Laser) -> Result<Engine, String> {
    Engine::new(Arc::new(ManualClock::new()), Settings::default(), laser.hash)
        .map_err(|error| error.to_string())
}

/// Points of the side with the book; `None` when stopped.
fn play_game(
    laser: &Laser,
    study: &BookStudy,
    start: &Game,
    book: &Book,
    with_book: Colour,
    sides: &mut [Effort; 2],
    stop: &StopFlag,
) -> Result<Option<f64>, String> {
    let mut engines = [engine(laser)?, engine(laser)?];
    let mut game = start.clone();
    loop {
        match game.status() {
            Status::Ongoing => {}
            Status::Won(winner) => return Ok(Some(if winner == with_book { 1.0 } else { 0.0 })),
            Status::Drawn(_) => return Ok(Some(0.5)),
        }
        if stop.is_raised() {
            return Ok(None);
        }
        let has_book = game.position().side_to_move() == with_book;
        let side = usize::from(!has_book);
        let known = if has_book { book.probe(game.position()) } else { None };
        let mv = if let Some(known) = known {
            sides[side].from_book += 1;
            known.mv
        } else {
            let limits = Limits::nodes(study.nodes);
            let found = engines[side].search(&game, limits, &mut |_: Event<'_, Move>| ());
            sides[side].searched += 1;
            sides[side].nodes += found.nodes;
            found.best.ok_or("a player found no move in a game that goes on")?
        };
        game.play(mv).map_err(|error| format!("a player's move cannot be played: {error}"))?;
    }
}

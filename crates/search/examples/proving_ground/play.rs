//! Games between two sides at fixed nodes, in pairs with colours swapped.

use crate::Result;
use crate::side::Pool;
use chess::{Color, Game, Move, Outcome as Ending, Position};
use kernel::{Event, Limits};
use stats::score::Outcome;

/// Both engines agree that a game is won: so many centipawns, for so many plies.
const DECIDED: (i32, i32) = (500, 6);
/// Both agree that it is drawn: after so many plies, within so many centipawns, for so many plies.
const LEVEL: (usize, i32, i32) = (60, 8, 12);
/// A game this long is drawn.
const LONGEST: usize = 400;

/// The opening played twice; the results of the first side.
pub fn play_pair(start: &Position, first: &mut Pool, second: &mut Pool, nodes: u64) -> Result<[Outcome; 2]> {
    let as_white = play(start, first, second, nodes)?;
    let as_black = play(start, second, first, nodes)?.reversed();
    Ok([as_white, as_black])
}

/// One game; the result of White.
fn play(start: &Position, white: &mut Pool, black: &mut Pool, nodes: u64) -> Result<Outcome> {
    white.clear();
    black.clear();
    let mut game = Game::new(start.clone());
    let (mut decided, mut level) = (0_i32, 0);
    let result = |white_won: bool| if white_won { Outcome::Win } else { Outcome::Loss };
    for ply in 0..LONGEST {
        match game.outcome() {
            Some(Ending::Checkmate { winner }) => return Ok(result(winner == Color::White)),
            Some(_) => return Ok(Outcome::Draw),
            None => {}
        }
        let is_white = game.position().turn() == Color::White;
        let pool = if is_white { &mut *white } else { &mut *black };
        let found = pool.search(&game, &[], Limits::nodes(nodes), &mut |_: Event<'_, Move>| {});
        game.play(found.best.ok_or("a search without a move")?)?;
        let score = if is_white { found.score.value() } else { -found.score.value() };
        decided = match score {
            _ if score > DECIDED.0 => decided.max(0) + 1,
            _ if score < -DECIDED.0 => decided.min(0) - 1,
            _ => 0,
        };
        level = if ply > LEVEL.0 && score.abs() <= LEVEL.1 { level + 1 } else { 0 };
        if decided.abs() >= DECIDED.1 {
            return Ok(result(decided > 0));
        }
        if level >= LEVEL.2 {
            return Ok(Outcome::Draw);
        }
    }
    Ok(Outcome::Draw)
}

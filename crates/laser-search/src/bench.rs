//! The checksum of behaviour: fixed positions, fixed depth, one thread, nodes counted.
//!
//! A refactor keeps the number; a change of search or evaluation says its new number in the commit.

use std::sync::Arc;

use kernel::clock::ManualClock;
use kernel::{Event, Limits, Policy};
use laser::{DrawRules, Game, Move};

use crate::engine::{Engine, SearchResult, Settings};
use crate::search::Technique;

/// The start and positions from our own games: openings, entangled middle games, few pawns.
pub const POSITIONS: [&str; 8] = [
    laser::START_FEN,
    "8/1ss1nwse3/2nwse4/1nw2se1NW1/1ne2SESW2/4NW3/3NWSE1NN1/8 W",
    "2ssnw4/8/5sw2/nwnw1SE1NW2/nw3NWNWse1/3SEsw3/8/3NW1NEEE1 W",
    "8/1ss1nwse3/2nwse1NW2/2ne2SWSE1/1nw6/3SE2sw1/3NWSE1NN1/8 B",
    "ss7/8/2nw5/3sw4/4NE3/8/3SE4/6NN1 W",
    "1ee6/2NEnw4/2se4nw/8/1nw3NE1sw/7SE/3NE1nw2/7EE B",
    "8/2ss5/8/4nw3/3SW4/8/5NN2/8 B",
    laser::ENDGAME_FEN,
];

/// Nodes to search every position to `depth`. The same on every machine.
pub fn bench<P: Policy<Technique>>(policy: P, depth: i32) -> Option<u64> {
    let mut engine = Engine::new(Arc::new(ManualClock::new()), Settings::default(), 4).ok()?;
    let mut nodes = 0;
    bench_with(&mut engine, policy, &Limits::depth(depth), |_, found| nodes += found.nodes)?;
    Some(nodes)
}

/// Searches every position with an engine and says what came of each.
pub fn bench_with<P: Policy<Technique>>(
    engine: &mut Engine,
    policy: P,
    limits: &Limits,
    mut each: impl FnMut(&str, &SearchResult),
) -> Option<()> {
    for fen in POSITIONS {
        engine.new_game();
        let game = Game::new(fen.parse().ok()?, DrawRules::RULE_BOOK);
        let task = engine.prepare(&game, limits.clone());
        each(fen, &engine.perform_with(policy, &task, &mut |_: Event<'_, Move>| ()));
    }
    Some(())
}

//! The search against a plain minimax, forced wins, and the switches.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use kernel::clock::ManualClock;
use kernel::technique::Technique as _;
use kernel::{Event, Kind, Lab, Limits, Release, TechniqueSet};
use laser::{DrawRules, Game, Move, Position};
use laser_search::eval::{Evaluator, Weights};
use laser_search::{Engine, SearchResult, Settings, Technique, bench};

fn engine() -> Engine {
    Engine::new(Arc::new(ManualClock::new()), Settings::default(), 4).unwrap()
}

fn silent(_: Event<'_, Move>) {}

fn search(fen: &str, depth: i32) -> SearchResult {
    let game = Game::new(fen.parse().unwrap(), DrawRules::RULE_BOOK);
    engine().search(&game, Limits::depth(depth), &mut silent)
}

/// Values in the search's own numbers: a win at ply n is 32000 - n.
fn minimax(evaluator: &Evaluator, position: &Position, depth: i32, ply: i32) -> i32 {
    if depth == 0 {
        return evaluator.evaluate(position).unwrap();
    }
    let values = position.legal_moves().into_iter().map(|mv| {
        let next = position.after(mv);
        match next.winner() {
            Some(winner) if winner == position.side_to_move() => 32000 - (ply + 1),
            Some(_) => ply + 1 - 32000,
            None => -minimax(evaluator, &next, depth - 1, ply + 1),
        }
    });
    values.max().unwrap()
}

#[test]
fn with_every_technique_off_it_is_minimax() {
    let evaluator = Evaluator::new(Weights::FITTED);
    for (fen, depth) in [
        (laser::START_FEN, 3),
        ("8/1ss1nwse3/2nwse1NW2/2ne2SWSE1/1nw6/3SE2sw1/3NWSE1NN1/8 B", 2),
        ("1ee6/2NEnw4/2se4nw/8/1nw3NE1sw/7SE/3NE1nw2/7EE B", 2),
        ("ss7/8/2nw5/3sw4/4NE3/8/3SE4/6NN1 W", 3),
    ] {
        let position: Position = fen.parse().unwrap();
        let game = Game::new(position, DrawRules::RULE_BOOK);
        let mut engine = engine();
        let task = engine.prepare(&game, Limits::depth(depth));
        let found = engine.perform_with(Lab(TechniqueSet::EMPTY), &task, &mut silent);
        assert_eq!(found.score.value(), minimax(&evaluator, &position, depth, 0), "{fen}");
    }
}

#[test]
fn kings_in_the_line_of_fire_are_zapped() {
    // White's beam along rank 0 stands on the king already: anything that leaves it alone wins at once.
    let found = search("8/8/8/8/8/8/1NW6/EE5ww1 W", 3);
    assert_eq!(found.score.kind(), Kind::MateIn(1));
    // A quarter turn does it.
    let found = search("8/8/8/8/8/8/8/NN5nn1 W", 3);
    assert_eq!((found.best.unwrap().to_string().as_str(), found.score.kind()), ("a0R", Kind::MateIn(1)));
}

#[test]
fn it_does_not_shoot_itself() {
    // The beam comes back to the king unless something is done about it.
    let found = search("ss7/8/8/8/8/SE6SW/8/NN6NW W", 4);
    let position: Position = "ss7/8/8/8/8/SE6SW/8/NN6NW W".parse().unwrap();
    assert_ne!(position.after(found.best.unwrap()).winner(), Some(laser::Colour::Black));
}

#[test]
fn a_finished_game_has_no_move() {
    let mut game = Game::new("8/8/8/8/8/8/8/EE5ww1 W".parse().unwrap(), DrawRules::RULE_BOOK);
    game.play_text("a0b0").unwrap();
    assert_eq!(engine().search(&game, Limits::depth(3), &mut silent).best, None);
}

#[test]
fn ko_is_respected_at_the_root() {
    let mut game = Game::new("ss7/8/8/3nw4/2NW5/8/8/7NN W".parse().unwrap(), DrawRules::RULE_BOOK);
    game.play_text("c3d4c4").unwrap();
    let forbidden = "c3c4d4".parse().unwrap();
    let mut root_moves = 0;
    let found = engine().search(&game, Limits::depth(4), &mut |event: Event<'_, Move>| {
        if let Event::Info(info) = event {
            assert_ne!(info.line.get(0), Some(forbidden));
            root_moves += 1;
        }
    });
    assert!(root_moves >= 4 && found.best.is_some_and(|best| best != forbidden));
}

#[test]
fn same_input_same_output() {
    let (first, second) = (search(laser::START_FEN, 7), search(laser::START_FEN, 7));
    assert_eq!((first.best, first.score, first.nodes), (second.best, second.score, second.nodes));
}

#[test]
fn a_node_limit_is_exact() {
    let game = Game::default();
    let found = engine().search(&game, Limits::nodes(5000), &mut silent);
    assert_eq!(found.nodes, 5000);
}

#[test]
fn helpers_help_without_changing_the_rules() {
    let settings = Settings { threads: 2, ..Settings::default() };
    let mut engine = Engine::new(Arc::new(ManualClock::new()), settings, 4).unwrap();
    let found = engine.search(&Game::default(), Limits::depth(7), &mut silent);
    assert!(Position::start().is_legal(found.best.unwrap()));
}

#[test]
fn the_release_is_the_lab_with_everything_on_and_every_switch_counts() {
    let depth = 6;
    let all = TechniqueSet::all();
    let release = bench(Release, depth).unwrap();
    assert_eq!(bench(Lab(all), depth), Some(release));
    for &technique in Technique::ALL {
        let without = bench(Lab(all.without(technique)), depth).unwrap();
        if technique == Technique::LockFreeTable {
            assert_eq!(release, without, "a lock changes when a thread reads, not what");
            continue;
        }
        assert_ne!(release, without, "switching {} off changes nothing", technique.name());
    }
}

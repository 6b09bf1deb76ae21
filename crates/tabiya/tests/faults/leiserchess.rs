//! The Leiserchess text protocol.

use crate::harness::{Limits, Output, Program};

#[test]
fn commands_after_an_infinite_search_are_read() {
    for command in ["position startpos", "go depth 2", "eval", "setoption name hash value 4", "ucinewgame"] {
        let mut engine = Program::start(&["laser"]);
        engine.send("position startpos");
        engine.send("go infinite");
        engine.send(command);
        engine.send("stop");
        engine.send("isready");
        engine.expect("readyok");
        engine.send("quit");
        assert!(engine.end().status.success(), "{command}");
    }
}

#[test]
fn the_end_of_input_ends_a_search() {
    let mut engine = Program::start(&["laser"]);
    engine.send("position startpos");
    engine.send("go infinite");
    engine.close_input();
    engine.end();
}

#[test]
fn a_closed_or_full_output_ends_the_program() {
    for output in [Output::Closed, Output::Full] {
        let mut engine = Program::start_with(&["laser"], Limits::default(), output);
        for command in ["uci", "position startpos", "go infinite", "isready"] {
            engine.send(command);
        }
        engine.end();
    }
}

#[test]
fn signals_end_a_search() {
    let mut engine = Program::start(&["laser"]);
    engine.send("position startpos");
    engine.send("go infinite");
    engine.expect("info");
    engine.signal("TERM");
    engine.end();
}

#[test]
fn memory_and_threads_that_are_refused_leave_a_working_engine() {
    // At these the allocator sets memory aside for threads that start while the search takes its own.
    let mut limits = [300, 700, 945, 967]
        .map(|megabytes| Limits { memory: Some(megabytes), ..Limits::default() })
        .to_vec();
    if Limits::processes_can_be_limited() {
        limits.push(Limits { processes: Some(4), ..Limits::default() });
    }
    for limits in limits {
        let mut engine = Program::start_limited(&["laser"], limits);
        for command in [
            "setoption name hash value 4096",
            "setoption name threads value 64",
            "position startpos",
            "go depth 2",
        ] {
            engine.send(command);
        }
        engine.expect("bestmove");
        engine.send("quit");
        assert!(engine.end().status.success());
    }
}

//! UCI.

use crate::harness::{Limits, Output, Program};

/// The threads a process has before any search thread, and a few more.
const FEW_PROCESSES: u32 = 4;

#[test]
fn refused_threads_leave_a_working_engine() {
    if !Limits::processes_can_be_limited() {
        return;
    }
    let mut engine =
        Program::start_limited(&[], Limits { processes: Some(FEW_PROCESSES), ..Limits::default() });
    engine.send("setoption name Threads value 8");
    engine.send("isready");
    engine.expect("readyok");
    engine.send("go nodes 500");
    engine.expect("bestmove");
    engine.send("ucinewgame");
    engine.send("isready");
    engine.expect("readyok");
    engine.send("quit");
    assert!(engine.end().status.success());
}

#[test]
fn a_table_that_does_not_fit_is_refused_with_a_sentence() {
    let mut engine = Program::start_limited(&[], Limits { memory: Some(700), ..Limits::default() });
    engine.send("setoption name Hash value 4096");
    engine.expect("Hash");
    engine.send("go nodes 1000");
    engine.expect("bestmove");
    engine.send("quit");
    assert!(engine.end().status.success());
}

#[test]
fn threads_that_do_not_fit_in_memory_are_refused_with_a_sentence() {
    let mut engine = Program::start_limited(&[], Limits { memory: Some(700), ..Limits::default() });
    engine.send("setoption name Threads value 64");
    engine.expect("Threads");
    engine.send("isready");
    engine.expect("readyok");
    engine.send("go nodes 1000");
    engine.expect("bestmove");
    engine.send("ucinewgame");
    engine.send("isready");
    engine.expect("readyok");
    engine.send("quit");
    assert!(engine.end().status.success());
}

#[test]
fn the_end_of_input_ends_a_search() {
    let mut engine = Program::start(&[]);
    engine.send("go infinite");
    engine.expect("info depth");
    engine.close_input();
    assert!(engine.end().status.success());
}

#[test]
fn the_end_of_input_ends_perft_and_bench() {
    for command in ["go perft 9", "bench 40"] {
        let mut engine = Program::start(&[]);
        engine.send("isready");
        engine.expect("readyok");
        engine.send(command);
        engine.close_input();
        engine.end();
    }
}

#[test]
fn a_perft_too_deep_is_refused() {
    let mut engine = Program::start(&[]);
    engine.send("go perft 100000");
    engine.expect("expected 1 to 20");
    engine.send("go perft 3");
    engine.expect("Nodes searched: 8902");
    engine.send("quit");
    assert!(engine.end().status.success());
}

#[test]
fn a_closed_or_full_output_ends_the_program() {
    for output in [Output::Closed, Output::Full] {
        let mut engine = Program::start_with(&[], Limits::default(), output);
        engine.send("uci");
        engine.send("go infinite");
        engine.send("isready");
        let ended = engine.end();
        assert_eq!(ended.status.code(), Some(1), "{}", ended.text);
        assert!(ended.text.contains("standard output"), "{}", ended.text);
    }
}

/// The output closes in the middle of a search, and no further command comes.
#[test]
fn an_output_that_closes_during_a_search_ends_the_program() {
    let mut engine = Program::start(&[]);
    engine.send("go infinite");
    engine.expect("info depth 3 ");
    engine.close_output();
    assert_eq!(engine.end().status.code(), Some(1));
}

#[test]
fn signals_end_a_search() {
    for signal in ["TERM", "INT", "HUP"] {
        let mut engine = Program::start(&[]);
        engine.send("go infinite");
        engine.expect("info depth");
        engine.signal(signal);
        engine.end();
    }
}

#[test]
fn few_files_are_enough_to_play() {
    let mut engine = Program::start_limited(&[], Limits { files: Some(8), ..Limits::default() });
    engine.send("setoption name SyzygyPath value /nowhere");
    engine.send("setoption name EvalFile value /nowhere.net");
    engine.send("go nodes 1000");
    engine.expect("bestmove");
    engine.send("quit");
    assert!(engine.end().status.success());
}

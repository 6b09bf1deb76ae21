//! XBoard.

use crate::harness::{Limits, Output, Program};

#[test]
fn the_end_of_input_ends_an_analysis() {
    let mut engine = Program::start(&[]);
    for command in ["xboard", "protover 2", "new", "post", "analyze"] {
        engine.send(command);
    }
    engine.expect("done=1");
    engine.close_input();
    engine.end();
}

#[test]
fn a_closed_or_full_output_ends_the_program() {
    for output in [Output::Closed, Output::Full] {
        let mut engine = Program::start_with(&[], Limits::default(), output);
        for command in ["xboard", "protover 2", "new", "post", "st 60", "go", "ping 1"] {
            engine.send(command);
        }
        engine.end();
    }
}

#[test]
fn refused_threads_leave_a_working_engine() {
    if !Limits::processes_can_be_limited() {
        return;
    }
    let mut engine = Program::start_limited(&[], Limits { processes: Some(4), ..Limits::default() });
    for command in ["xboard", "protover 2", "cores 8", "new", "sd 4", "go"] {
        engine.send(command);
    }
    engine.expect("move ");
    engine.send("new");
    engine.send("ping 7");
    engine.expect("pong 7");
    engine.send("quit");
    assert!(engine.end().status.success());
}

#[test]
fn signals_end_a_search() {
    for signal in ["TERM", "HUP"] {
        let mut engine = Program::start(&[]);
        for command in ["xboard", "protover 2", "new", "post", "analyze"] {
            engine.send(command);
        }
        engine.expect("done=1");
        engine.signal(signal);
        engine.end();
    }
}

#[test]
fn memory_that_is_refused_leaves_a_working_engine() {
    let mut engine = Program::start_limited(&[], Limits { memory: Some(700), ..Limits::default() });
    for command in ["xboard", "protover 2", "memory 4096", "cores 64", "new", "sd 4", "go"] {
        engine.send(command);
    }
    engine.expect("move ");
    engine.send("quit");
    assert!(engine.end().status.success());
}

//! A session in XBoard's protocol.

mod common;

use common::Talk;

fn start() -> Talk {
    let mut talk = Talk::new();
    talk.send("xboard");
    talk.send("protover 2");
    let features = talk.until("feature done=1");
    assert_eq!(features[0], "feature done=0");
    assert!(features.iter().any(|line| line.contains("ping=1") && line.contains("setboard=1")));
    talk.send("new");
    talk
}

#[test]
fn plays_black_against_the_users_moves() {
    let mut talk = start();
    talk.send("sd 4");
    talk.send("usermove e2e4");
    let reply = talk.last("move ");
    assert_eq!(reply.len(), "move e7e5".len());
    talk.send("ping 7");
    assert_eq!(talk.last("pong"), "pong 7");
    talk.send("usermove g1f3");
    talk.last("move ");
}

#[test]
fn force_go_and_illegal_moves() {
    let mut talk = start();
    talk.send("force");
    for mv in ["e2e4", "e7e5"] {
        talk.send(&format!("usermove {mv}"));
    }
    talk.send("usermove e4e6");
    assert_eq!(talk.last("Illegal move"), "Illegal move: e4e6");
    talk.send("st 0.1");
    talk.send("post");
    talk.send("go");
    let seen = talk.until("move ");
    let thought = &seen[seen.len() - 2];
    assert!(thought.split(' ').take(4).all(|word| word.parse::<i64>().is_ok()), "{thought}");
}

#[test]
fn undo_and_remove_bring_the_game_back() {
    let mut talk = start();
    talk.send("force");
    for mv in ["e2e4", "e7e5", "g1f3"] {
        talk.send(&format!("usermove {mv}"));
    }
    talk.send("undo");
    talk.send("remove");
    // After taking everything back, the first move is legal again.
    talk.send("usermove e2e4");
    talk.send("ping 1");
    assert_eq!(talk.until("pong").len(), 1);
}

#[test]
fn analysis_runs_until_exit() {
    let mut talk = start();
    talk.send("post");
    talk.send("analyze");
    talk.until("3 ");
    talk.send("usermove d2d4");
    talk.until("3 ");
    talk.send(".");
    talk.until("stat01:");
    talk.send("exit");
    talk.send("ping 2");
    talk.until("pong 2");
}

#[test]
fn mates_end_the_game_with_a_result() {
    let mut talk = start();
    talk.send("force");
    talk.send("setboard 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1");
    talk.send("sd 3");
    talk.send("go");
    assert_eq!(talk.last("move "), "move d1d8");
    talk.send("ping 3");
    assert!(talk.until("pong").iter().any(|line| line.starts_with("1-0")));
}

#[test]
fn bad_boards_options_and_words_are_told() {
    let mut talk = start();
    talk.send("setboard 8/8/8/8/8/8/8/8 w - - 0 1");
    assert!(talk.last("tellusererror").contains("0 kings"));
    talk.send("option Hash=potato");
    assert!(talk.last("Error (bad option)").contains("potato"));
    talk.send("bananas");
    assert_eq!(talk.last("Error (unknown"), "Error (unknown command): bananas");
    talk.send("variant suicide");
    talk.until("Error (unsupported variant)");
}

#[test]
fn ponders_and_takes_the_hit() {
    let mut talk = start();
    talk.send("hard");
    talk.send("level 0 0:05 0.05");
    talk.send("usermove e2e4");
    talk.until("move ");
    talk.send("ping 1");
    talk.until("pong 1");
    talk.send("hint");
    let hint = talk.last("Hint: ");
    talk.send(&format!("usermove {}", hint.trim_start_matches("Hint: ")));
    talk.until("move ");
    talk.send("quit");
    assert!(talk.ends());
}

#[test]
fn a_ping_in_the_middle_of_a_move_is_answered_after_it_and_blocks_nothing() {
    let mut talk = start();
    talk.send("st 600");
    talk.send("usermove e2e4");
    talk.send("ping 4");
    talk.send("force");
    talk.send("ping 5");
    // Move now: read although the ping waits.
    talk.send("?");
    let seen = talk.until("pong 5");
    let place = |start: &str| seen.iter().position(|line| line.starts_with(start)).unwrap();
    assert!(place("move ") < place("pong 4"), "{seen:?}");
    talk.send("st 600");
    talk.send("go");
    talk.send("ping 6");
    talk.send("quit");
    assert!(talk.ends());
}

/// Speculation on people's mistakes is for people, and XBoard says when the opponent is a program.
#[test]
fn an_announced_computer_is_not_speculated_on() {
    let speculates = |announced: &[&str]| {
        let mut talk = start();
        talk.send("option Speculative=bounded");
        for line in announced {
            talk.send(line);
        }
        // Whether a likely mistake decides depends on the position and on the network.
        let positions = [
            "rnbqkb1r/ppp2ppp/4pn2/3p2B1/2PP4/2N5/PP2PPPP/R2QKBNR w KQkq - 0 4",
            "r2q1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10",
            "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7",
        ];
        talk.send("sd 8");
        positions.iter().any(|fen| {
            talk.send("force");
            talk.send(&format!("setboard {fen}"));
            talk.send("go");
            talk.until("move ").iter().any(|line| line.contains("speculative:"))
        })
    };
    assert!(speculates(&["name Ann", "rating 2000 1500"]), "a person");
    assert!(!speculates(&["name Deep Thought", "computer"]), "a program");
    assert!(!speculates(&["rating 2000 3000"]), "too strong");
    assert!(!speculates(&[]), "nobody, and no moves to tell");
    assert!(speculates(&["computer", "new", "rating 2000 1500"]), "a new game forgets it");
}

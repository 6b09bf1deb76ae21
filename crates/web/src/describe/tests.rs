use super::*;

fn openings() -> Openings {
    Openings::embedded()
}

fn line(moves: &str) -> Line {
    Line { start: None, moves: moves.split_whitespace().map(str::to_string).collect() }
}

#[test]
fn a_game_is_described_move_by_move() {
    let game = game(&line("e2e4 e7e5 g1f3 b8c6 f1b5")).unwrap();
    let nodes = nodes_of_game(&game, 0, &openings());
    assert_eq!(nodes.len(), 6);
    assert_eq!(nodes[0].dests["e2"], "e3e4");
    assert_eq!(nodes[5].san.as_deref(), Some("Bb5"));
    assert_eq!(nodes[5].opening.as_deref(), Some("C60 Ruy Lopez"));
    assert_eq!((nodes[5].parent, nodes[0].parent), (Some(4), None));
}

#[test]
fn castling_is_offered_both_ways_unless_the_king_can_step_there() {
    let classical = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    let squares = &destinations(&classical)["e1"];
    assert!(squares.contains("h1") && squares.contains("g1"), "{squares}");
    // The king stands next to its goal: g1 is a step, the rook's square castles.
    let random = position("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
    let squares = &destinations(&random)["f1"];
    assert_eq!(squares.matches("g1").count(), 1);
    assert!(squares.contains("h1"));
}

#[test]
fn moves_are_read_as_people_type_them() {
    let start = Position::default();
    for (text, expected) in [("nc3", "Nc3"), ("Nc3", "Nc3"), ("b1c3", "Nc3"), ("e4", "e4"), ("E4", "")] {
        let found = read_move(&start, text).map(|mv| start.san(mv).to_string()).unwrap_or_default();
        assert_eq!(found, expected, "{text}");
    }
    let castles = position("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    for (text, expected) in [
        ("0-0", "O-O"),
        ("o-o-o", "O-O-O"),
        ("e1g1", "O-O"),
        ("b8=Q", "b8=Q+"),
        ("b8Q", "b8=Q+"),
        ("b8n", "b8=N"),
        ("b7b8r", "b8=R+"),
        // A pawn's capture before a bishop's move.
        ("ba8q", "bxa8=Q+"),
    ] {
        let mv = read_move(&castles, text).unwrap_or_else(|problem| panic!("{text}: {}", problem.what));
        assert_eq!(castles.san(mv).to_string(), expected, "{text}");
    }
    assert_eq!(read_move(&start, "xyz").unwrap_err().what, "I don't know the move \"xyz\".");
}

#[test]
fn a_null_move_passes_the_turn() {
    let played = play(&line("e4 -- d4 0000 c4")).unwrap();
    assert_eq!((played.len(), played.game.moves().len()), (5, 1));
    let nodes = played.nodes(0, &openings());
    let sans: Vec<&str> = nodes.iter().filter_map(|node| node.san.as_deref()).collect();
    assert_eq!(sans, ["e4", "--", "d4", "--", "c4"]);
    assert_eq!(nodes[2].uci.as_deref(), Some("0000"));
    let turns: Vec<bool> = nodes.iter().map(|node| node.turn == crate::messages::Side::White).collect();
    assert_eq!(turns, [true, false, true, false, true, false]);
    for from in 0..=5 {
        assert_eq!(played.nodes(from, &openings()), nodes[from..], "{from}");
    }
    let check = Line { start: Some("4k3/8/8/8/8/8/8/r3K3 w - - 0 1".into()), moves: vec!["--".into()] };
    assert!(play(&check).err().unwrap().what.contains("in check"));
}

#[test]
fn refusals_name_the_move() {
    for (moves, reason) in [("e2e4 e7e5 e1e3", "Move 3"), ("e9", "Move 1"), ("Qh5", "Move 1")] {
        let problem = game(&line(moves)).unwrap_err();
        assert!(problem.what.contains(reason), "{}", problem.what);
    }
}

/// Rule 7: no position longer than 120 letters, no game longer than 2048 moves.
#[test]
fn long_input_is_refused() {
    let long = format!("{} w KQkq - 0 1", "8/".repeat(60));
    assert!(position(&long).unwrap_err().what.contains("at most 120"));
    let shuffle = line(&"g1f3 g8f6 f3g1 f6g8 ".repeat(513));
    assert!(game(&shuffle).unwrap_err().what.contains("at most 2048"));
    assert!(game(&line(&"g1f3 g8f6 f3g1 f6g8 ".repeat(512))).is_ok());
}

#[test]
fn scores_are_told_from_whites_side() {
    assert_eq!(worth(Score::centipawns(30), Color::Black), Worth::Centipawns(-30));
    assert_eq!(worth(Score::mate_in(3), Color::White), Worth::Mate(2));
    assert_eq!(worth(Score::mated_in(2), Color::White), Worth::Mate(-1));
    assert_eq!(worth(Score::mate_in(1), Color::Black), Worth::Mate(-1));
}

//! Small fixtures of our own: short games and positions with everything that must be true of them, so that the rules
//! are pinned without the reference's vectors. `properties.rs` checks the same code against a second board.

#![allow(clippy::unwrap_used, clippy::panic)]

use laser::{Colour, DrawReason, DrawRules, Game, Ko, PlayError, Position, Status, perft};

fn play(fen: &str, rules: DrawRules, moves: &str) -> Game {
    let mut game = Game::new(fen.parse().unwrap(), rules);
    for word in moves.split_whitespace() {
        game.play_text(word).unwrap_or_else(|error| panic!("{word}: {error}"));
    }
    game
}

#[test]
fn perft_of_two_bare_kings_can_be_counted_by_hand() {
    // In a corner a king has 3 turns and 3 steps. On rank 0 facing north, h-file to itself, nobody is hit.
    let kings: Position = laser::ENDGAME_FEN.parse().unwrap();
    assert_eq!(perft(&kings, 1, Ko::Reference), 6);
    assert_eq!(perft(&kings, 2, Ko::Reference), 36);
    // Side by side facing each other: every move but those that turn away or leave the line wins at once.
    let duel: Position = "8/8/8/8/8/8/8/EE6ww W".parse().unwrap();
    let wins = duel.moves().iter().filter(|&&mv| duel.after(mv).winner() == Some(Colour::White)).count();
    assert_eq!((duel.moves().len(), wins), (6, 1), "only b0 keeps the line; turning or leaving it misses");
}

#[test]
fn a_side_can_shoot_itself() {
    // The pawn turns so that its opaque back stands in its own king's beam.
    let mut game = play("ss7/8/8/8/8/8/6SW1/6NN1 W", DrawRules::RULE_BOOK, "");
    let zapped = game.play_text("g1U").unwrap().unwrap();
    assert_eq!((zapped.piece.name(), zapped.square.to_string().as_str()), ("NE", "g1"));
    // A beam led round by three mirrors ends in the king that fired it: suicide.
    let mut game = play("ss7/8/8/8/8/SE6SW/8/NN6SE W", DrawRules::RULE_BOOK, "h0U");
    assert_eq!(game.status(), Status::Won(Colour::Black));
    assert!(game.play_text("a7R").is_err());
}

#[test]
fn swap_moves_of_a_cornered_enemy() {
    // White's pawn b1 beside Black's pawn a0: swap and turn three ways, or go on to the empty neighbours of a0.
    let position: Position = "ss7/8/8/8/8/8/1NW6/nw6NN W".parse().unwrap();
    let mut swaps: Vec<String> =
        position.moves().iter().map(ToString::to_string).filter(|text| text.starts_with("b1a0")).collect();
    swaps.sort();
    assert_eq!(swaps, ["b1a0L", "b1a0R", "b1a0U", "b1a0a1", "b1a0b0"]);
}

#[test]
fn ko_ends_when_somebody_plays_elsewhere() {
    let fen = "ss7/8/8/3nw4/2NW5/8/8/7NN W";
    let mut game = play(fen, DrawRules::RULE_BOOK, "c3d4c4");
    let back = "c3c4d4".parse().unwrap();
    assert_eq!(game.play(back), Err(PlayError::Ko(back)));
    assert_eq!(game.moves().len(), 1, "the game goes on from the last legal position");
    game.play_text("a7a6").unwrap();
    game.play_text("h0h1").unwrap();
    game.play(back).unwrap();
}

#[test]
fn draws_by_repetition_quiet_limit_and_move_cap() {
    let shuffle = "g4g5 e6e7 g5g4 e7e6 ";
    let twice = play(laser::START_FEN, DrawRules::RULE_BOOK, &shuffle.repeat(2));
    assert_eq!(twice.status(), Status::Drawn(DrawReason::Repetition));
    assert_eq!(twice.status().result(), "1/2-1/2");

    let patient = DrawRules { occurrences: usize::MAX, ..DrawRules::RULE_BOOK };
    assert_eq!(play(laser::START_FEN, patient, &shuffle.repeat(24)).status(), Status::Ongoing);
    assert_eq!(
        play(laser::START_FEN, patient, &shuffle.repeat(25)).status(),
        Status::Drawn(DrawReason::Quiet)
    );

    let referee = DrawRules { occurrences: usize::MAX, quiet_plies: u16::MAX, ..DrawRules::AUTOTESTER };
    assert_eq!(play(laser::START_FEN, referee, &shuffle.repeat(199)).status(), Status::Ongoing);
    let capped = play(laser::START_FEN, referee, &shuffle.repeat(200));
    assert_eq!(capped.status(), Status::Drawn(DrawReason::MoveCap));
}

#[test]
fn nothing_is_played_after_the_end() {
    let mut game = play("8/8/8/8/8/8/8/EE5ww1 W", DrawRules::RULE_BOOK, "a0b0");
    assert_eq!(game.status(), Status::Won(Colour::White));
    let error = game.play_text("a0R").unwrap_err();
    assert_eq!(error, PlayError::GameOver(Status::Won(Colour::White)));
}

#[test]
fn errors_of_play_name_the_move() {
    let mut game = Game::default();
    for (text, complaint) in [
        ("a0R", "move a0R is not possible"),
        ("a7R", "move a7R is not possible"),
        ("h0h9", "'h9' is no square"),
        ("d1e1", "move d1e1 is not possible"),
        ("g4f5e6", "move g4f5e6 is not possible"),
    ] {
        let error = game.play_text(text).unwrap_err().to_string();
        assert!(error.contains(complaint), "{text}: {error}");
    }
}

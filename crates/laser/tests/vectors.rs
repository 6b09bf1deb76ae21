//! The vectors of the 2018 reference player, every line of every file that concerns the rules.

// Helpers outside `#[test]` assert too.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;

use laser::{Colour, DrawReason, DrawRules, Game, Ko, Move, PlayError, Position, Status, Zapped, perft};

/// The lines of a vector file of `data/leiserchess`, without the `#` header.
fn lines(file: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/leiserchess").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

fn columns(line: &str) -> Vec<&str> {
    line.split('|').map(str::trim).collect()
}

fn position(fen: &str) -> Position {
    fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn describe(zapped: Option<Zapped>) -> String {
    zapped.map_or_else(|| "-".to_owned(), |zapped| format!("{}@{}", zapped.piece, zapped.square))
}

#[test]
fn perft_with_and_without_ko() {
    for line in lines("perft.txt") {
        let mut fields = line.split(';').map(str::trim);
        let position = position(fields.next().unwrap());
        for field in fields {
            let (name, count) = field.split_once(' ').unwrap();
            let count: u64 = count.parse().unwrap();
            let ko = if name.starts_with('K') { Ko::Applied } else { Ko::Reference };
            assert_eq!(perft(&position, name[1..].parse().unwrap(), ko), count, "{name} of {position}");
        }
    }
}

#[test]
fn start_position_of_the_edition() {
    for line in lines("variants_startpos_perft.txt") {
        let columns = columns(&line);
        if columns[0] != "2018" {
            continue;
        }
        for (depth, count) in (1..5).zip(columns[2].split(' ')) {
            assert_eq!(perft(&position(columns[1]), depth, Ko::Reference).to_string(), count);
        }
    }
}

#[test]
fn move_lists() {
    for line in lines("moves.txt") {
        let columns = columns(&line);
        let position = position(columns[0]);
        let mut moves: Vec<String> = position.moves().iter().map(Move::to_string).collect();
        moves.sort();
        assert_eq!(moves.join(" "), columns[2], "{position}");
        assert_eq!(position.move_count().to_string(), columns[1], "{position}");
    }
}

#[test]
fn making_moves() {
    for line in lines("make.txt") {
        let columns = columns(&line);
        let mut position = position(columns[0]);
        let mv: Move = columns[1].parse().unwrap();
        assert!(position.is_legal(mv), "{line}");
        let zapped = position.play(mv);
        assert_eq!(position.to_string(), columns[2], "{line}");
        assert_eq!(describe(zapped), columns[3], "{line}");
        let status = match position.winner() {
            None => "ok",
            Some(Colour::White) => "W-wins",
            Some(Colour::Black) => "B-wins",
        };
        assert_eq!(status, columns[4], "{line}");
        assert_eq!(position.key(), position.fresh_key());
    }
}

#[test]
fn lasers() {
    for line in lines("laser.txt") {
        let columns = columns(&line);
        let position = position(columns[0]);
        let colour = if columns[1] == "W" { Colour::White } else { Colour::Black };
        let squares: Vec<String> = position.beam(colour).map(|square| square.to_string()).collect();
        assert_eq!(squares.join(" "), columns[2], "{line}");
        let shot = position.shot(colour);
        assert_eq!(shot.path, position.beam(colour).collect(), "{line}");
        let end = match shot.victim {
            None => "off".to_owned(),
            Some(square) => format!("zap {square} {}", position.piece_at(square).unwrap()),
        };
        assert_eq!(end, columns[3], "{line}");
    }
}

#[test]
fn ko_forbids_going_back() {
    for line in lines("ko.txt") {
        let columns = columns(&line);
        let mut game = Game::new(position(columns[0]), DrawRules::RULE_BOOK);
        game.play_text(columns[1]).unwrap();
        assert_eq!(game.position().to_string(), columns[2], "{line}");
        assert_eq!(columns[4], "illegal-ko");
        let reply: Move = columns[3].parse().unwrap();
        assert_eq!(game.play(reply), Err(PlayError::Ko(reply)), "{line}");
        assert!(game.position().moves().contains(&reply) && !game.position().legal_moves().contains(&reply));
        assert!(position(columns[2]).is_legal(reply), "without history there is no Ko: {line}");
    }
}

#[test]
fn repetitions() {
    for line in lines("draws.txt") {
        let columns = columns(&line);
        let mut game = Game::new(position(columns[0]), DrawRules::RULE_BOOK);
        for word in columns[1].split_whitespace() {
            assert_eq!(game.status(), Status::Ongoing, "{line}");
            game.play_text(word).unwrap();
        }
        match columns[2] {
            "ok" => assert_eq!(game.occurrences(), 1, "{line}"),
            "rep2" => assert_eq!(game.occurrences(), 2, "{line}"),
            "draw-rep3" => assert_eq!(game.status(), Status::Drawn(DrawReason::Repetition), "{line}"),
            other => panic!("unknown result {other}"),
        }
    }
}

fn replay_games(file: &str) {
    let mut game = Game::default();
    let mut expected: Option<(String, String, usize)> = None;
    let finish = |game: &Game, expected: &Option<(String, String, usize)>| {
        let Some((result, reason, plies)) = expected else { return };
        assert_eq!(game.moves().len(), *plies);
        assert_eq!(game.status().result(), result);
        match reason.as_str() {
            "king-zapped" => assert!(matches!(game.status(), Status::Won(_))),
            "50-move" => assert_eq!(game.status(), Status::Drawn(DrawReason::Quiet)),
            "repetition" => assert_eq!(game.status(), Status::Drawn(DrawReason::Repetition)),
            other => panic!("unknown reason {other}"),
        }
    };
    for line in lines(file) {
        if let Some(header) = line.strip_prefix("game ") {
            finish(&game, &expected);
            let words: Vec<&str> = header.split(' ').collect();
            expected = Some((words[1].to_owned(), words[2].to_owned(), words[3].parse().unwrap()));
            game = Game::default();
            continue;
        }
        let columns = columns(&line);
        assert_eq!(game.status(), Status::Ongoing, "{line}");
        let zapped = game.play_text(columns[1]).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(game.moves().len().to_string(), columns[0]);
        assert_eq!(describe(zapped), columns[2], "{line}");
        assert_eq!(game.position().to_string(), columns[3], "{line}");
    }
    finish(&game, &expected);
}

#[test]
fn engine_games_ply_by_ply() {
    replay_games("games_engine.txt");
}

#[test]
fn random_games_ply_by_ply() {
    replay_games("games_random.txt");
}

use super::*;
use crate::fen;
use crate::game::Game;
use crate::position::Position;
use std::time::Duration;

fn games(text: &str) -> Vec<Result<PgnGame, PgnError>> {
    PgnReader::new(text.as_bytes()).collect()
}

fn only(text: &str) -> PgnGame {
    let mut all = games(text);
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn san(game: &PgnGame) -> String {
    let mut position = game.start().clone();
    let mut words = Vec::new();
    for mv in game.moves() {
        words.push(position.san(mv).to_string());
        position.play(mv);
    }
    words.join(" ")
}

/// Written in the archival form, so that writing gives it back letter by letter.
const ANNOTATED: &str = r#"[Event "A \"quoted\" \\ event"]
[Site "?"]
[Result "1/2-1/2"]

{Before the first move} 1. e4 $1 {[%eval 0.25,20] [%clk 0:05:00] best by test}
1... e5 (1... c5 {[%emt 0:00:01.5]} 2. Nf3 (2. c3 d5) (2. f4) 2... d6) (1... e6)
2. Nf3 $5 Nc6 3. -- {a threat} 3... d6 1/2-1/2

"#;

#[test]
fn written_as_it_was_read() {
    let game = only(ANNOTATED);
    assert_eq!(game.to_string(), ANNOTATED);
    assert_eq!(san(&game), "e4 e5 Nf3 Nc6");
    assert_eq!(game.move_count(), 13);
    assert_eq!(game.result, GameResult::Draw);
    assert_eq!(game.tags.get("Event"), Some("A \"quoted\" \\ event"));
}

#[test]
fn the_tree_and_what_is_said_about_it() {
    let game = only(ANNOTATED);
    let e4 = game.main_line().next().unwrap();
    let said = &game.annotation(e4).after[0];
    assert_eq!(said.clock, Some(Duration::from_secs(300)));
    assert_eq!(said.evaluation, Some(Evaluation { worth: Worth::Centipawns(25), depth: Some(20) }));
    assert_eq!(said.text, "best by test");
    assert_eq!(game.annotation(e4).nags, [Nag(1)]);
    assert_eq!(game.annotation(NodeId::ROOT).after, [Comment::text("Before the first move")]);
    let replies: Vec<NodeId> = game.children(e4).collect();
    assert_eq!(replies.len(), 3);
    let sicilian = game.position_at(replies[1]);
    assert_eq!(sicilian.to_epd(), "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -");
    assert_eq!(game.parent(replies[1]), Some(e4));
}

#[test]
fn what_people_write() {
    let game = only(
        "\u{feff}[White \"A \"nick\" B\"]\r\n[ Black  \"B\" ]\r\n\r\n% hidden ( { \r\n1.e4! e5?! 2 . f4 exf4 ; to the } end\r\n\
         3.Nf3 -+\tg5 4.Bc4 $18 ( {only talk} ) 4...g4(4...Bg7 1-0)5.0-0 gxf3 6.Qxf3 {two\r\n\r\n  lines } 6...Qf6 e.p. 0-1 ",
    );
    assert_eq!(san(&game), "e4 e5 f4 exf4 Nf3 g5 Bc4 g4 O-O gxf3 Qxf3 Qf6");
    assert_eq!(game.tags.get("White"), Some("A \"nick\" B"));
    assert_eq!(game.tags.get("Black"), Some("B"));
    let nodes: Vec<NodeId> = game.main_line().collect();
    let nags = |index: usize| game.annotation(nodes[index]).nags.clone();
    assert_eq!(
        (nags(0), nags(1), nags(4), nags(6)),
        (vec![Nag(1)], vec![Nag(6)], vec![Nag(19)], vec![Nag(18)])
    );
    let said = |index: usize| game.annotation(nodes[index]).after[0].text.clone();
    assert_eq!((said(3), said(6), said(10)), ("to the } end".into(), "only talk".into(), "two lines".into()));
    assert_eq!(game.result, GameResult::BlackWins);
}

#[test]
fn names_in_latin_1() {
    let text = b"[White \"M\xfcller\"]\n\n1. e4 {gut, M\xfcller} *\n";
    let game = PgnReader::new(&text[..]).next().unwrap().unwrap();
    assert_eq!(game.tags.get("White"), Some("Müller"));
    assert_eq!(game.annotation(game.main_line().next().unwrap()).after[0].text, "gut, Müller");
}

#[test]
fn games_without_tags_or_last_words() {
    let count =
        |text: &str| games(text).into_iter().map(|game| game.unwrap().move_count()).collect::<Vec<_>>();
    assert_eq!(count(""), []);
    assert_eq!(count(" \n\n% nothing\n"), []);
    assert_eq!(count("1. e4 e5 1-0 1. d4 1/2 1. c4 *"), [2, 1, 1]);
    assert_eq!(count("[Event \"a\"]\n\n1. e4\n\n[Event \"b\"]\n[Result \"1-0\"]\n\n1. d4 d5"), [1, 2]);
    assert_eq!(count("[Event \"a\"]\n\n[Event \"b\"]\n\n*"), [0, 0]);
    assert_eq!(count("[Event \"a\"] [Site \"b\"]\n \t[Event \"b\"] [ Event \"c\"] 1. e4 *"), [0, 0, 1]);
    assert_eq!(count("{first} \n[Event \"a\"]\n1. e4 *"), [1]);
    let results: Vec<GameResult> = games("[Result \"1-0\"]\n\n1. e4\n\n[Result \"?\"]\n\n1. e4")
        .into_iter()
        .map(|g| g.unwrap().result)
        .collect();
    assert_eq!(results, [GameResult::WhiteWins, GameResult::Unknown]);
}

#[test]
fn set_up_positions_and_chess960() {
    let game = only(
        "[Variant \"fischerandom\"]\n[SetUp \"1\"]\n[FEN \"rbbqnkrn/pppppppp/8/8/8/8/PPPPPPPP/RBBQNKRN w GAga - 0 1\"]\n\n1. O-O O-O *\n",
    );
    assert!(game.is_chess960());
    assert_eq!(game.moves().filter(|mv| mv.is_castling()).count(), 2);
    let black = only("[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 3 7\"]\n\n7... Kd7 8. Kd2 *\n");
    assert!(black.to_string().contains("\n7... Kd7 8. Kd2 *\n"), "{black}");
}

#[test]
fn made_from_a_played_game() {
    let mut played = Game::default();
    for text in ["f3", "e5", "g4", "Qh4#"] {
        let mv = played.position().parse_san(text).unwrap();
        played.play(mv).unwrap();
    }
    let mut game = PgnGame::from_game(&played, false);
    game.tags.set("White", "Fool");
    let text = game.to_string();
    assert!(
        text.ends_with("[White \"Fool\"]\n[Black \"?\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"),
        "{text}"
    );
    assert_eq!(only(&text), game);
    assert_eq!(game.to_game().outcome(), played.outcome());
    let other = PgnGame::from_game(&Game::new(Position::chess960(0).unwrap()), true);
    assert_eq!(only(&other.to_string()), other);
}

#[test]
fn moves_are_added_only_where_they_are_legal() {
    let mut game = PgnGame::new(Position::default());
    let e4 = game.start().parse_san("e4").unwrap();
    let d4 = game.start().parse_san("d4").unwrap();
    let node = game.add(NodeId::ROOT, e4).unwrap();
    let variation = game.add(NodeId::ROOT, d4).unwrap();
    assert!(game.add(node, d4).is_err());
    game.annotation_mut(variation).before.push(Comment::text("or a closing } brace"));
    game.comment(node, Comment::text("two\nlines  and %a %b"));
    let text = game.to_string();
    assert!(text.ends_with("1. e4 {two lines  and %a %b} (;or a closing } brace\n1. d4) *\n\n"), "{text}");
}

#[test]
fn lines_stay_below_80_columns_and_read_the_same() {
    let mut game = only("1. e4 e5 *");
    let node = game.main_line().next().unwrap();
    let words: Vec<String> =
        (0..200).map(|n| format!("{}word{n}", if n % 3 == 0 { "%" } else { "" })).collect();
    game.comment(node, Comment::text(&words.join(" ")));
    game.comment(node, Comment { clock: Some(Duration::from_millis(1234)), ..Comment::default() });
    let text = game.to_string();
    assert!(text.lines().all(|line| line.len() < 90 && !line.starts_with('%')), "{text}");
    assert!(text.lines().filter(|line| line.len() > 79).count() < 20, "{text}");
    assert_eq!(only(&text), game);
}

#[test]
fn a_comment_may_speak_of_tags() {
    let game = only("1. e4 {one\n[Event \"two\"]\n[Site \"three\"]} *");
    let said = &game.annotation(game.main_line().next().unwrap()).after[0].text;
    assert_eq!(said, "one [Event \"two\"] [Site \"three\"]");
}

/// Each bad game stands between two good ones: the report names the place, and both neighbours are read.
#[test]
fn a_bad_game_is_reported_and_the_rest_is_read() {
    for (bad, message) in [
        (
            "[Event \"b\"]\n\n1. e4 e5 2. Ke3 d6 *",
            "game 2, line 7, column 13: move 'Ke3' is illegal: no such king",
        ),
        ("[Event \"b\"]\n\n1. é4 *", "game 2, line 7, column 4: 'é4' is not a move"),
        ("[Event \"b\"]\n\n1. e4 {é} xyz *", "game 2, line 7, column 11: 'xyz' is not a move"),
        ("[Event \"b\"]\n\n1. e4 { no end\n\n2. d4", "game 2, line 7, column 7: a comment begins here"),
        ("[Event \"b\"]\n\n1. e4 e5 (1... c5 *", "game 2, line 7, column 10: a variation begins here"),
        ("[Event \"b\"]\n\n1. e4 ) e5 *", "game 2, line 7, column 7: ')' without a '('"),
        ("[Event \"b\"]\n\n( 1. e4 ) e5 *", "game 2, line 7, column 1: '(' before any move"),
        ("[Event \"b\"]\n\n1. e4 } *", "game 2, line 7, column 7: '}' without a '{'"),
        ("[Event \"b\"]\n\n1. e4 ] *", "game 2, line 7, column 7: ']' without a '['"),
        ("[Event \"b\"]\n\n1. e4 [x *", "game 2, line 7, column 7: '[' inside the moves"),
        ("[Event \"b\"]\n\n1. e4 $256 *", "game 2, line 7, column 7: glyph '$256', expected $0 to $255"),
        (
            "[Event \"b\"]\n\n1. e4 e5 2. Qh5 g6 3. Qxe5+ -- *",
            "game 2, line 7, column 29: the turn cannot pass",
        ),
        ("[Event \"b\n\n1. e4 *", "game 2, line 5, column 1: malformed tag: expected '\"]' at its end"),
        (
            "[Event b]\n\n1. e4 *",
            "game 2, line 5, column 1: malformed tag: expected a value in quotation marks",
        ),
        ("[]\n\n1. e4 *", "game 2, line 5, column 1: malformed tag: expected a name"),
        (
            "[Event \"b\"]\n[FEN \"8/8 w - - 0 1\"]\n\n1. e4 *",
            "game 2, line 6, column 1: start position: pieces field",
        ),
        (
            "[Event \"b\"]\n[Variant \"Atomic\"]\n\n1. e4 *",
            "game 2, line 6, column 1: variant 'Atomic' is not played",
        ),
    ] {
        let good = "[Event \"a\"]\n\n1. e4 *\n\n";
        let results: Vec<Option<String>> = games(&format!("{good}{bad}\n\n{good}"))
            .into_iter()
            .map(|game| game.err().map(|e| e.to_string()))
            .collect();
        assert_eq!(results.len(), 3, "{bad}: {results:?}");
        assert_eq!((&results[0], &results[2]), (&None, &None), "{bad}");
        let found = results[1].as_deref().unwrap();
        assert!(found.starts_with(message), "{bad}:\n{found}\n{message}");
    }
}

#[test]
fn a_bad_game_among_games_without_tags() {
    let errors: Vec<bool> = games("1. e4 *\n1. e5 e6 1-0\n1. d4 d5 *\n1. d4 d6\n2. d4 d4\n\n1. c4 *\n")
        .iter()
        .map(Result::is_err)
        .collect();
    assert_eq!(errors, [false, true, false, true, false]);
}

#[test]
fn limits_hold() {
    let limits = Limits { game_bytes: 1000, moves: 10, depth: 3, tags: 4, tag_bytes: 20 };
    let error = |text: &str| {
        let mut reader = PgnReader::with_limits(text.as_bytes(), limits);
        let message = reader.next().unwrap().err().map(|error| error.to_string()).unwrap_or_default();
        // Whatever it was, the reader must come to an end.
        reader.for_each(drop);
        message
    };
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(3);
    assert!(error(&shuffle).contains("more than 10 moves"));
    assert!(error("e4 (d4 (c4 (b4 (a4)))) *").contains("more than 3 deep"));
    assert!(error(&"[A \"b\"]\n".repeat(5)).contains("more than 4 tags"));
    assert!(error(&format!("[A \"{}\"]", "b".repeat(50))).contains("longer than 20 bytes"));
    assert!(error(&format!("e4 {{{}}} *", "b".repeat(2000))).contains("longer than 1000 bytes"));
    assert!(error(&format!("e4 {{{}}} *", "b\n".repeat(600))).contains("longer than 1000 bytes"));
    assert_eq!(error("e4 e5 *"), "");
}

#[test]
fn a_broken_stream_is_an_error_and_then_the_end() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("unplugged"))
        }
    }
    let mut reader = PgnReader::new(std::io::Read::chain(&b"1. e4"[..], Broken));
    assert!(reader.next().unwrap().unwrap_err().to_string().contains("unplugged"));
    assert!(reader.next().is_none());
}

#[test]
fn the_start_is_the_usual_one_unless_told() {
    assert_eq!(only("*").start().to_fen(), fen::START);
}

#[test]
fn a_bad_game_is_kept_up_to_its_fault() {
    let text = "[White \"A\"]\n\n1. e4 e5 (1... c5 2. Nf3 (2. Zz9) 2... d6) 2. Nf3 *\n\n[FEN \"x\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n";
    let mut reader = PgnReader::new(text.as_bytes());
    assert!(reader.next().unwrap().is_err());
    let partial = reader.take_partial().unwrap();
    assert_eq!((partial.tags.get("White"), partial.move_count()), (Some("A"), 4));
    assert!(reader.next().unwrap().is_err());
    assert!(reader.take_partial().is_none(), "without a start there is no game");
    assert!(reader.next().unwrap().is_ok() && reader.take_partial().is_none());
}

#[test]
fn a_line_end_in_a_name_cannot_break_the_file() {
    let mut game = PgnGame::new(Position::default());
    game.tags.set("White", "A\n[Result \"1-0\"]\r\n\n1. e4 B\u{7f}");
    let text = game.to_string();
    let again = only(&text);
    assert_eq!(again.tags.get("White"), Some("A [Result \"1-0\"]   1. e4 B "));
    assert_eq!(again.result, game.result);
    assert_eq!(text.lines().filter(|line| line.contains("1. e4")).count(), 1);
}

//! The facade as a program uses it.

use crate::engine::{Engine, in_shown_units};
use crate::report::Report;
use crate::request::Request;
use crate::settings::Settings;
use chess::{Game, Move};
use eval::Evaluation;
use kernel::time::TimeNumbers;
use kernel::{Clock, Limits, Score};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

struct TestClock(Instant);

impl Clock for TestClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

fn engine() -> Engine {
    let settings = Settings { hash_megabytes: 1, ..Settings::default() };
    Engine::with_settings(Arc::new(TestClock(Instant::now())), settings).unwrap()
}

fn go(engine: &mut Engine, limits: Limits) -> Receiver<Report> {
    let (sender, receiver) = channel();
    engine.go(
        Request::new(limits),
        Box::new(move |report| {
            let _ = sender.send(report);
        }),
    );
    receiver
}

fn best(reports: &Receiver<Report>) -> Option<Move> {
    let bests: Vec<_> = reports
        .iter()
        .filter_map(|report| match report {
            Report::Best { best, .. } => Some(best),
            Report::Information(_) | Report::Remark(_) => None,
        })
        .collect();
    assert_eq!(bests.len(), 1, "exactly one best move for each search");
    bests[0]
}

#[test]
fn one_legal_best_move_for_each_search() {
    let mut engine = engine();
    for limits in [Limits::depth(4), Limits::nodes(2000), Limits::nodes(1)] {
        let reports = go(&mut engine, limits);
        let mv = best(&reports).unwrap();
        assert!(engine.game().position().is_legal(mv));
    }
}

#[test]
fn a_search_can_be_looked_at_and_is_not_mistaken_for_the_next() {
    let mut engine = engine();
    engine.set_option("Threads", Some("2")).unwrap();
    engine.set_option("Parallel", Some("ybwc")).unwrap();
    assert!(engine.progress().is_none());
    let reports = go(&mut engine, Limits::depth(10));
    best(&reports);
    engine.wait();
    let seen = engine.progress().unwrap();
    assert_eq!(seen.workers, 2);
    assert!(seen.counters[kernel::counters::Count::Nodes] > 0);
    assert!(seen.counters[kernel::counters::Count::SplitPoints] > 0, "{:?}", seen.counters);
    assert!((0.0..=1.0).contains(&seen.idle()));
    engine.set_option("UCI_LimitStrength", Some("true")).unwrap();
    let reports = go(&mut engine, Limits::nodes(500));
    best(&reports);
    assert!(engine.progress().is_none());
}

#[test]
fn an_infinite_search_waits_for_its_stop() {
    let mut engine = engine();
    let reports = go(&mut engine, Limits { infinite: true, ..Limits::default() });
    std::thread::sleep(Duration::from_millis(50));
    assert!(engine.is_searching());
    engine.stop();
    assert!(best(&reports).is_some());
}

#[test]
fn a_stop_right_behind_go_is_not_lost() {
    let mut engine = engine();
    for _ in 0..200 {
        let reports = go(&mut engine, Limits { infinite: true, ..Limits::default() });
        engine.stop();
        assert!(best(&reports).is_some());
    }
}

#[test]
fn a_bad_option_changes_nothing() {
    let mut engine = engine();
    for (name, value, reason) in [
        ("Hash", "0", "expected a number from 1"),
        ("Hash", "99999999999999999999", "expected a number"),
        ("Threads", "-1", "expected a number from 1"),
        ("UCI_Chess960", "maybe", "expected true or false"),
        ("Nonsense", "1", "no option is called 'Nonsense'"),
        ("BookFile", "/no/such/büch.bin", "/no/such/büch.bin"),
        ("SyzygyPath", "/no/such/täbles", "/no/such/täbles"),
        ("Techniques", "all,-nothing", "no technique or variant is called 'nothing'"),
        ("time_part", "900", "900, expected 10 to 80"),
        ("razoring", "much", "'much', expected a number"),
    ] {
        let message = engine.set_option(name, Some(value)).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    }
    assert_eq!(engine.settings().hash_megabytes, 1);
    assert_eq!(engine.settings().time_numbers, TimeNumbers::default());
    assert!(best(&go(&mut engine, Limits::depth(2))).is_some());
}

#[test]
fn numbers_of_the_clock_are_set_by_name() {
    let mut engine = engine();
    engine.set_option("time_part", Some("30")).unwrap();
    assert_eq!(engine.settings().time_numbers.time_part, 30);
}

#[test]
fn a_table_too_large_for_any_machine_leaves_the_old_one() {
    let mut engine = engine();
    let message = engine.set_option("Hash", Some("33554432")).unwrap_err().to_string();
    assert!(message.contains("Hash"), "{message}");
    assert!(best(&go(&mut engine, Limits::depth(3))).is_some());
}

#[test]
fn options_change_while_idle_or_searching() {
    let mut engine = engine();
    let reports = go(&mut engine, Limits { infinite: true, ..Limits::default() });
    engine.set_option("Threads", Some("2")).unwrap();
    assert!(best(&reports).is_some(), "the running search ended first");
    engine.set_option("hash", Some("2")).unwrap();
    engine.set_option("Techniques", Some("all,-null-move")).unwrap();
    assert!(best(&go(&mut engine, Limits::depth(4))).is_some());
}

#[test]
fn numbers_of_the_search_hold_from_the_next_search_on() {
    fn nodes(engine: &mut Engine) -> u64 {
        let reports = go(engine, Limits::depth(8));
        let told = reports.iter().filter_map(|report| match report {
            Report::Information(information) => Some(information.nodes),
            Report::Best { .. } | Report::Remark(_) => None,
        });
        told.last().unwrap()
    }
    let mut engine = engine();
    let usual = nodes(&mut engine);
    let futility = engine.settings().parameters.futility.to_string();
    for (name, value) in [("futility", "30"), ("futility_base", "20")] {
        engine.set_option(name, Some(value)).unwrap();
    }
    assert_ne!(nodes(&mut engine), usual);
    engine.set_option("futility", Some(&futility)).unwrap();
    let base = search::Parameters::default().futility_base.to_string();
    engine.set_option("futility_base", Some(&base)).unwrap();
    assert_eq!(nodes(&mut engine), usual);
    let message = engine.set_option("futility", Some("1000000")).unwrap_err().to_string();
    assert!(message.contains("futility"), "{message}");
}

#[test]
fn mated_and_stalemated_roots_have_no_best_move() {
    let mut engine = engine();
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R3k3/8/4K3/8/8/8/8/8 b - - 0 1"] {
        engine.set_game(Game::new(chess::Position::from_fen(fen).unwrap()));
        assert_eq!(best(&go(&mut engine, Limits::depth(4))), None, "{fen}");
    }
}

fn limited(elo: &str) -> Engine {
    let mut engine = engine();
    engine.set_option("UCI_LimitStrength", Some("true")).unwrap();
    engine.set_option("UCI_Elo", Some(elo)).unwrap();
    engine
}

/// The first moves of fresh engines at level 1500, as a program starts them for every game.
fn first_moves(games: usize, seed: Option<&str>) -> std::collections::HashSet<String> {
    let first = |_| {
        let mut engine = limited("1500");
        if let Some(seed) = seed {
            engine.set_option("RandomSeed", Some(seed)).unwrap();
        }
        let first = best(&go(&mut engine, Limits::nodes(500))).unwrap();
        engine.new_game().unwrap();
        let again = best(&go(&mut engine, Limits::nodes(500))).unwrap();
        assert!(seed.is_none() || first == again, "a seed repeats in every game");
        format!("{first:?}")
    };
    (0..games).map(first).collect()
}

#[test]
fn a_limited_engine_varies_its_games_unless_seeded() {
    assert!(first_moves(40, None).len() > 1, "40 games of people do not all start with the same move");
    assert_eq!(first_moves(4, Some("7")).len(), 1);
}

#[test]
fn named_opponents_are_chosen_by_a_word_and_say_who_they_are() {
    let mut engine = limited("1500");
    engine.set_option("Style", Some("french")).unwrap();
    engine.set_option("ThinkingTime", Some("false")).unwrap();
    let e4 = Game::default().position().parse_uci("e2e4").unwrap();
    let mut french = 0;
    for _ in 0..20 {
        let mut game = Game::default();
        game.play(e4).unwrap();
        engine.set_game(game);
        let reports = go(&mut engine, Limits::nodes(500));
        french += usize::from(best(&reports).is_some_and(|mv| format!("{mv:?}") == "e7e6"));
    }
    assert!(french >= 10, "{french} of 20 games are French");
    let refused = engine.set_option("Style", Some("nobody")).unwrap_err().to_string();
    assert!(refused.contains("gambits"), "{refused}");
}

#[test]
fn a_limited_engine_plays_legal_moves_and_strong_levels_take_mates_in_one() {
    let mut engine = limited("2400");
    let position = chess::Position::from_fen("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1").unwrap();
    engine.set_game(Game::new(position));
    for _ in 0..10 {
        let mv = best(&go(&mut engine, Limits::depth(20))).unwrap();
        assert_eq!(format!("{mv:?}"), "d1d8");
    }
}

#[test]
fn an_even_chance_is_told_as_a_hundred_centipawns_and_a_mate_as_a_mate() {
    for evaluation in [Evaluation::default(), Settings::default().evaluation()] {
        let even = Score::centipawns(evaluation.even());
        assert_eq!(evaluation.meant(eval::Centipawns::new(100)), even.value());
        let (sender, receiver) = channel();
        let send = move |report| sender.send(report).unwrap();
        let mut listener = in_shown_units(evaluation, Box::new(send));
        for (score, told) in [
            (even, Score::centipawns(100)),
            (Score::centipawns(-even.value()), Score::centipawns(-100)),
            (Score::mated_in(3), Score::mated_in(3)),
        ] {
            let reports = go(&mut engine(), Limits::depth(1));
            let mut report = reports.iter().next().unwrap();
            let Report::Information(information) = &mut report else { panic!("a line comes first") };
            information.score = score;
            listener(report);
            let Report::Information(information) = receiver.recv().unwrap() else { panic!("still a line") };
            assert_eq!(information.score, told);
        }
    }
}

#[test]
fn contempt_makes_a_draw_the_worse_choice() {
    // The only move takes the rook and leaves two kings: only contempt says what that draw is worth.
    let drawn = "7k/8/8/8/8/8/1r6/K7 w - - 0 1";
    let mut scores = Vec::new();
    for contempt in ["0", "50"] {
        let mut engine = engine();
        engine.set_option("Contempt", Some(contempt)).unwrap();
        engine.set_game(Game::new(chess::Position::from_fen(drawn).unwrap()));
        let reports = go(&mut engine, Limits::depth(4));
        let score = reports.iter().filter_map(|report| match report {
            Report::Information(information) if information.bound == kernel::Bound::Exact => {
                Some(information.score)
            }
            _ => None,
        });
        scores.push(score.last().unwrap());
    }
    assert_eq!(scores, [Score::ZERO, Score::centipawns(-50)]);
}

#[test]
fn terms_of_the_evaluation_can_be_left_out() {
    let mut engine = engine();
    engine.set_option("EvalTerms", Some("material")).unwrap();
    let reports = go(&mut engine, Limits::depth(1));
    let score = reports.iter().find_map(|report| match report {
        Report::Information(information) => Some(information.score),
        _ => None,
    });
    assert_eq!(score, Some(Score::ZERO), "material alone is level at the start");
    assert!(engine.set_option("EvalTerms", Some("magic")).is_err());
    assert_eq!(engine.settings().terms, eval::EvalTerms::MATERIAL);
}

#[test]
fn a_limited_engine_takes_a_persons_time_and_obeys_stop() {
    let mut engine = limited("1200");
    let began = Instant::now();
    let limits = Limits { move_time: Some(Duration::from_millis(900)), ..Limits::default() };
    assert!(best(&go(&mut engine, limits)).is_some());
    assert!(began.elapsed() >= Duration::from_millis(300), "{:?}", began.elapsed());
    let minutes = Limits { move_time: Some(Duration::from_secs(600)), ..Limits::default() };
    let reports = go(&mut engine, minutes);
    engine.stop();
    assert!(best(&reports).is_some());
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_limited_engine_analyses_at_full_strength() {
    let mut engine = limited("600");
    engine.set_option("UCI_AnalyseMode", Some("true")).unwrap();
    let reports = go(&mut engine, Limits::depth(3));
    assert!(reports.iter().all(|report| !matches!(report, Report::Remark(_))));
}

#[test]
fn what_is_told_about_an_opponent_is_checked() {
    let mut engine = engine();
    engine.set_option("UCI_Opponent", Some("GM 2800 human Gary Kasparov")).unwrap();
    for (name, value, reason) in [
        ("UCI_Opponent", "GM 9000 human X", "rating 9000: expected 100 to 4000"),
        ("OpponentElo", "9000", "expected a number from 0 to 4000"),
        ("UCI_Elo", "3500", "expected a number from 600 to 2800"),
        ("Speculative", "always", "expected off or expectimax or bounded"),
        ("HumanWeights", "/no/such/wéights", "/no/such/wéights"),
    ] {
        let message = engine.set_option(name, Some(value)).unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    }
    assert!(best(&go(&mut engine, Limits::depth(2))).is_some());
}

#[test]
fn speculation_plays_legal_moves_and_says_what_it_expects() {
    let middle_game = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7";
    for mode in ["bounded", "expectimax"] {
        let mut engine = engine();
        engine.set_option("Speculative", Some(mode)).unwrap();
        engine.set_option("OpponentElo", Some("1100")).unwrap();
        engine.set_game(Game::new(chess::Position::from_fen(middle_game).unwrap()));
        let reports: Vec<Report> = go(&mut engine, Limits::nodes(8000)).iter().collect();
        let Some(Report::Best { best: Some(mv), .. }) = reports.last() else { panic!("{mode}: no move") };
        assert!(engine.game().position().is_legal(*mv));
        let remarks: Vec<&String> = reports
            .iter()
            .filter_map(|report| if let Report::Remark(text) = report { Some(text) } else { None })
            .collect();
        assert!(!remarks.is_empty() || mode == "bounded", "{mode}");
        let reports =
            go(&mut engine, Limits { move_time: Some(Duration::from_secs(600)), ..Limits::default() });
        engine.stop();
        assert!(best(&reports).is_some(), "{mode} obeys stop");
    }
}

#[test]
fn expectimax_ranks_replies_on_the_opponents_time() {
    for hit in [true, false] {
        let mut engine = engine();
        engine.set_option("Speculative", Some("expectimax")).unwrap();
        let reports: Vec<Report> = go(&mut engine, Limits::nodes(4000)).iter().collect();
        let Some(Report::Best { best: Some(ours), ponder: Some(reply) }) = reports.last() else {
            panic!("nothing to ponder on")
        };
        let mut game = Game::default();
        game.play(*ours).unwrap();
        game.play(*reply).unwrap();
        engine.set_game(game);
        let reports = go(&mut engine, Limits { ponder: true, ..Limits::nodes(4000) });
        std::thread::sleep(Duration::from_millis(60));
        assert!(engine.is_searching(), "it waits for the opponent");
        if hit {
            engine.ponder_hit();
        } else {
            engine.stop();
        }
        assert!(engine.game().position().is_legal(best(&reports).unwrap()));
    }
}

#[test]
fn a_strong_opponent_or_a_program_gets_the_normal_move() {
    for (option, value) in [
        ("OpponentElo", "3000"),
        // Nobody says who it is, and there are no moves to tell.
        ("OpponentElo", "0"),
        ("UCI_Opponent", "none none computer Shredder"),
    ] {
        let mut normal = engine();
        let expected = best(&go(&mut normal, Limits::nodes(6000)));
        let mut engine = engine();
        engine.set_option("Speculative", Some("bounded")).unwrap();
        engine.set_option(option, Some(value)).unwrap();
        assert_eq!(best(&go(&mut engine, Limits::nodes(6000))), expected, "{option}");
    }
}

#[test]
fn speculation_begins_against_an_unknown_opponent_when_the_position_is_won() {
    let mut engine = engine();
    engine.set_option("Speculative", Some("bounded")).unwrap();
    let fen = "r1b1k2r/ppp2ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPQ1PPP/R1B1K2R w KQkq - 0 1";
    let mut game = Game::new(chess::Position::from_fen(fen).unwrap());
    let turns: Vec<u64> = (0..2)
        .map(|_| {
            engine.set_game(game.clone());
            let reports: Vec<Report> = go(&mut engine, Limits::nodes(8000)).iter().collect();
            let Some(Report::Best { best: Some(mv), .. }) = reports.last() else { panic!("no move") };
            game.play(*mv).unwrap();
            let reply = game.position().legal_moves().as_slice()[0];
            game.play(reply).unwrap();
            let nodes = |report: &Report| match report {
                Report::Information(information) => information.nodes,
                _ => 0,
            };
            reports.iter().map(nodes).max().unwrap()
        })
        .collect();
    assert!(turns[0] > 7000, "nothing is known before the first move: {turns:?}");
    assert!((1..=4100).contains(&turns[1]), "a queen more: half of the nodes go to speculation: {turns:?}");
}

/// Also where the search ends after a fail-high: it plays a move whose score is still a bound.
#[test]
fn speculation_that_is_off_plays_as_normal_search() {
    let mut normal = engine();
    let mut told = engine();
    told.set_option("Speculative", Some("bounded")).unwrap();
    told.set_option("OpponentElo", Some("3000")).unwrap();
    for fen in [
        "1k2r2r/1ppq2p1/pb3p2/4n3/3P4/2P1B1Pp/PPQ1BR1P/R5K1 w - - 0 1",
        "r5k1/1p1r2pp/2p1bp2/3q4/Pp1P4/4B2P/3Q1PP1/1R2R1K1 w - - 0 1",
        "5r2/3qb1pk/2npp2p/1p2p2n/1P2P3/3PNNPP/1Q1B1P2/R5K1 w - - 0 1",
        "r1b2rk1/pn2q1b1/1p1p1p2/3Pp1p1/1RP1PnPp/2N2PNP/P3B3/3QK1BR w K - 0 1",
        "2b1r3/3n1nk1/pr1p1qp1/2pP1p2/4P2p/R1N2P1P/1P1Q1NP1/4RBK1 w - - 0 1",
    ] {
        for nodes in (1000..8000).step_by(500) {
            let played = [&mut normal, &mut told].map(|engine| {
                engine.new_game().unwrap();
                engine.set_game(Game::new(chess::Position::from_fen(fen).unwrap()));
                best(&go(engine, Limits::nodes(nodes)))
            });
            assert_eq!(played[0], played[1], "{fen}, {nodes} nodes");
        }
    }
}

#[test]
fn a_network_is_chosen_by_name_or_by_file_and_a_bad_file_changes_nothing() {
    let mut engine = engine();
    let embedded = engine.settings().network.clone().expect("the network plays unless told otherwise");
    engine.set_option("Evaluation", Some("hce")).unwrap();
    engine.set_option("EvalFile", Some("")).unwrap();
    assert!(engine.settings().network.is_none(), "the default of another option does not undo the choice");
    engine.set_option("Evaluation", Some("network")).unwrap();
    assert_eq!(engine.settings().network.as_ref().unwrap().checksum(), embedded.checksum());
    let folder = std::env::temp_dir().join(format!("tabiya-network-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (good, cut) = (folder.join("good.net"), folder.join("cut.net"));
    std::fs::write(&good, eval::nnue::EMBEDDED).unwrap();
    std::fs::write(&cut, &eval::nnue::EMBEDDED[..1000]).unwrap();
    let refused = engine.set_option("EvalFile", cut.to_str()).unwrap_err().to_string();
    assert!(refused.contains("cut.net: truncated: 1000 bytes, expected"), "{refused}");
    assert!(refused.contains("the evaluation stays as it was"), "{refused}");
    assert_eq!(engine.settings().network.as_ref().unwrap().checksum(), embedded.checksum());
    engine.set_option("Evaluation", Some("hce")).unwrap();
    assert!(engine.settings().network.is_none());
    assert!(engine.set_option("Evaluation", Some("magic")).is_err());
    engine.set_option("EvalFile", good.to_str()).unwrap();
    assert!(engine.settings().network.is_some());
    engine.set_option("EvalTerms", Some("material")).unwrap();
    assert!(engine.settings().network.is_none(), "terms are the hand-crafted evaluation's");
    std::fs::remove_dir_all(&folder).unwrap();
}

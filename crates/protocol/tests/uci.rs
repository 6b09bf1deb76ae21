//! Each rule that match runners and programs rely on, one test a rule.

mod common;

use common::Talk;
use std::time::Duration;

#[test]
fn handshake() {
    let mut talk = Talk::new();
    talk.send("uci");
    let lines = talk.until("uciok");
    assert!(lines[0].starts_with("id name Tabiya"));
    assert!(lines[1].starts_with("id author"));
    let options: Vec<&String> = lines.iter().filter(|line| line.starts_with("option name ")).collect();
    for name in [
        "Hash",
        "Threads",
        "Clear Hash",
        "Ponder",
        "MultiPV",
        "UCI_Chess960",
        "Move Overhead",
        "BookFile",
        "SyzygyPath",
    ] {
        let mentions =
            options.iter().filter(|line| line.starts_with(&format!("option name {name} type"))).count();
        assert_eq!(mentions, 1, "{name}");
    }
    assert!(lines.iter().any(|line| line.ends_with("type string default <empty>")));
}

#[test]
fn control_characters_of_the_input_are_escaped() {
    let mut talk = Talk::new();
    for line in ["ju\u{1b}[2Jmp", "setoption name No\u{1b}[2J value 1", "position fen \u{7}8/8 w - - 0 1"] {
        talk.send(line);
        let answer = talk.until("info string").pop().unwrap_or_default();
        assert!(!answer.is_empty() && !answer.contains(char::is_control), "{line:?}: {answer:?}");
    }
}

#[test]
fn isready_is_answered_while_searching() {
    let mut talk = Talk::new();
    talk.send("go infinite");
    talk.until("info depth 1 ");
    talk.send("isready");
    talk.until("readyok");
    talk.send("stop");
    talk.until("bestmove");
}

#[test]
fn infinite_and_ponder_searches_wait() {
    let mut talk = Talk::new();
    talk.send("position fen 7k/8/8/8/8/8/8/K6R w - - 0 1");
    for (go, release) in [
        ("go infinite depth 1", "stop"),
        ("go ponder movetime 1", "ponderhit"),
        ("go ponder depth 1", "stop"),
    ] {
        talk.send(go);
        assert!(!talk.hears("bestmove", Duration::from_millis(200)), "{go}");
        talk.send(release);
        talk.until("bestmove");
        assert!(!talk.hears("bestmove", Duration::from_millis(50)), "one best move for {go}");
    }
    talk.send("stop");
    assert!(!talk.hears("bestmove", Duration::from_millis(100)), "stop when idle is ignored");
}

#[test]
fn the_last_info_is_exact_and_names_the_best_move() {
    let mut talk = Talk::new();
    for go in ["go depth 6", "go nodes 3000", "go movetime 50", "go wtime 100 btime 100"] {
        talk.send("ucinewgame");
        talk.send("position startpos moves e2e4");
        talk.send(go);
        let seen = talk.until("bestmove");
        let best = seen.last().unwrap().split(' ').nth(1).unwrap();
        let info =
            seen.iter().rev().find(|line| line.contains(" pv ")).unwrap_or_else(|| panic!("{go}: no line"));
        assert!(!info.contains("bound"), "{info}");
        let pv = info.split(" pv ").nth(1).unwrap();
        assert_eq!(pv.split(' ').next(), Some(best), "{go}");
        for word in ["depth", "seldepth", "score", "nodes", "nps", "hashfull", "tbhits", "time"] {
            assert!(info.contains(&format!(" {word} ")), "{word}: {info}");
        }
    }
}

#[test]
fn mates_are_exact_and_their_lines_have_the_mates_length() {
    let mut talk = Talk::new();
    for (fen, moves) in [("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", 1), ("7k/8/8/8/8/8/R7/1R5K w - - 0 1", 2)] {
        talk.send("ucinewgame");
        talk.send(&format!("position fen {fen}"));
        talk.send("go depth 8");
        let seen = talk.until("bestmove");
        let info = seen.iter().rev().find(|line| line.contains(" pv ")).unwrap();
        assert!(info.contains(&format!(" score mate {moves} ")), "{info}");
        assert_eq!(info.split(" pv ").nth(1).unwrap().split(' ').count(), 2 * moves - 1, "{info}");
    }
}

#[test]
fn mated_and_stalemated_roots() {
    let mut talk = Talk::new();
    for (fen, score) in
        [("R3k3/8/4K3/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")]
    {
        talk.send(&format!("position fen {fen}"));
        talk.send("go movetime 10");
        let seen = talk.until("bestmove");
        assert!(seen[0].contains("depth 0") && seen[0].contains(&format!("score {score}")), "{}", seen[0]);
        assert_eq!(seen.last().unwrap(), "bestmove (none)");
    }
}

#[test]
fn bad_input_is_told_and_the_last_good_state_stays() {
    let mut talk = Talk::new();
    talk.send("position startpos moves e2e4");
    for (line, told) in [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
        ("position fen nonsense", "1 ranks, expected 8"),
        ("position startpos moves e2e5", "move 1: move 'e2e5' is illegal"),
        ("position startpos moves e2e4 e7e5 e1e8", "move 3: move 'e1e8' is illegal"),
        ("setoption name Hash value 99999999999", "option Hash: '99999999999', expected a number from 1 to"),
        ("setoption name Nothing value 1", "no option is called 'Nothing'"),
        ("setoption name BookFile value /tmp/nö such bo ok.bin", "/tmp/nö such bo ok.bin"),
        ("foo bar", "unknown command 'foo'"),
    ] {
        talk.send(line);
        let said = talk.last("info string");
        assert!(said.contains(told), "{line}: {said}");
    }
    talk.send("d");
    let fen = talk.last("Fen: ");
    assert!(fen.contains("4P3"), "the position after e2e4 stays: {fen}");
}

#[test]
fn a_megabyte_of_garbage_is_survived() {
    let mut talk = Talk::new();
    let mut garbage = vec![0xa7; 1 << 20];
    garbage.extend_from_slice(b"\xffxyz\n");
    talk.send_bytes(&garbage);
    assert!(talk.last("info string").contains("too long"));
    talk.send_bytes(&[b'a'; 900_000]);
    talk.send_bytes(b"\r\n");
    assert!(talk.last("info string").contains("unknown command 'aaa"));
    talk.send("isready");
    talk.until("readyok");
}

#[test]
fn castling_is_accepted_both_ways_in_both_modes() {
    let mut talk = Talk::new();
    for mode in ["false", "true"] {
        talk.send(&format!("setoption name UCI_Chess960 value {mode}"));
        for mv in ["e1g1", "e1h1"] {
            talk.send(&format!("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves {mv}"));
            talk.send("d");
            assert!(talk.last("Fen: ").contains("5RK1"), "{mode} {mv}");
        }
    }
}

#[test]
fn search_moves_are_respected() {
    let mut talk = Talk::new();
    talk.send("go depth 5 searchmoves a2a3 h2h4");
    let best = talk.last("bestmove");
    assert!(best.starts_with("bestmove a2a3") || best.starts_with("bestmove h2h4"), "{best}");
}

#[test]
fn several_lines_are_ranked_and_distinct() {
    let mut talk = Talk::new();
    talk.send("setoption name MultiPV value 3");
    talk.send("go depth 6");
    let seen = talk.until("bestmove");
    let firsts: Vec<String> = (1..=3)
        .map(|rank| {
            let mark = format!(" multipv {rank} ");
            let line = seen.iter().rev().find(|line| line.contains(&mark)).unwrap();
            line.split(" pv ").nth(1).unwrap().split(' ').next().unwrap().to_string()
        })
        .collect();
    assert!(firsts[0] != firsts[1] && firsts[1] != firsts[2] && firsts[0] != firsts[2], "{firsts:?}");
}

#[test]
fn perft_ends_with_its_count() {
    let mut talk = Talk::new();
    talk.send("go perft 3");
    assert_eq!(talk.last("Nodes searched"), "Nodes searched: 8902");
}

#[test]
fn perft_and_bench_are_bounded_and_can_be_stopped() {
    let mut talk = Talk::new();
    for line in ["go perft 100000", "perft 0"] {
        talk.send(line);
        assert!(talk.last("info string").contains("expected 1 to 20"), "{line}");
    }
    for (line, told) in [
        ("go perft 20", "perft: stopped"),
        ("bench 60", "bench: stopped"),
        ("speedtest 1 1 3600", "speedtest: stopped"),
    ] {
        talk.send(line);
        talk.send("isready");
        talk.until("readyok");
        talk.send("stop");
        assert!(talk.last("info string").contains(told), "{line}");
    }
    talk.send("go depth 2");
    talk.until("bestmove");
}

#[test]
fn the_end_of_input_and_quit_end_perft_and_bench() {
    for line in ["go perft 20", "bench 60"] {
        let mut talk = Talk::new();
        talk.send(line);
        assert!(talk.hang_up(), "{line}");
        let mut talk = Talk::new();
        talk.send(line);
        talk.send("quit");
        assert!(talk.ends(), "{line}");
    }
}

#[test]
fn a_failed_write_ends_the_session_in_the_middle_of_a_search() {
    for lines in [&["go infinite"][..], &["xboard", "new", "post", "st 600", "go", "ping 1"]] {
        let error = common::serve_into_full_output(lines);
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull, "{lines:?}");
    }
}

#[test]
fn tables_are_announced_and_their_results_shown() {
    let mut talk = Talk::new();
    talk.send("setoption name UCI_ShowWDL value true");
    talk.send(concat!("setoption name SyzygyPath value ", env!("CARGO_MANIFEST_DIR"), "/../../data/syzygy"));
    let told = talk.last("info string");
    assert!(told.contains("table files found, up to"), "{told}");
    for (fen, wdl) in [
        ("8/8/8/8/8/2k5/8/K1N5 w - - 0 1", " wdl 0 1000 0 "),
        ("8/8/3k4/8/3KP3/8/8/8 b - - 0 1", " wdl 0 1000 0 "),
        ("8/3k4/8/3K4/4P3/8/8/8 b - - 0 1", " wdl 0 0 1000 "),
    ] {
        talk.send(&format!("position fen {fen}"));
        talk.send("go depth 5");
        let seen = talk.until("bestmove");
        let info = seen.iter().rev().find(|line| line.contains(" pv ")).unwrap();
        assert!(info.contains(wdl), "{fen}: {info}");
        assert!(!info.contains(" tbhits 0 "), "{fen}: {info}");
    }
    talk.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    talk.send("go depth 3");
    assert!(talk.last("info depth 0").contains(" wdl 0 1000 0 "), "stalemate");
}

#[test]
fn old_spellings_of_option_values_are_accepted() {
    let mut talk = Talk::new();
    talk.send("setoption name Speculative value seed");
    talk.send("isready");
    assert_eq!(talk.until("readyok").len(), 1, "nothing is said against it");
}

#[test]
fn a_missing_clock_is_no_disaster() {
    let mut talk = Talk::new();
    for go in ["go wtime 100", "go btime 100", "go wtime -5 btime 100", "go winc 10 wtime 50 movestogo 0"] {
        talk.send("position startpos");
        talk.send(go);
        talk.until("bestmove");
    }
}

#[test]
fn the_end_of_input_and_quit_end_the_engine() {
    let mut talk = Talk::new();
    talk.send("go infinite");
    talk.until("info depth 1 ");
    assert!(talk.hang_up());
    let mut talk = Talk::new();
    talk.send("go infinite");
    talk.send("quit");
    assert!(talk.ends());
}

#[test]
fn storms_of_commands_always_end_with_one_best_move_each() {
    let mut talk = Talk::new();
    for round in 0..60 {
        talk.send(if round % 2 == 0 { "go infinite" } else { "go depth 5" });
        if round % 5 == 0 {
            talk.send("setoption name Hash value 4");
        }
        if round % 7 == 0 {
            talk.send("isready");
        }
        talk.send("stop");
    }
    for _ in 0..60 {
        talk.until("bestmove");
    }
    assert!(!talk.hears("bestmove", Duration::from_millis(100)));
}

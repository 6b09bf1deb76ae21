//! Reading what engines say while they think.

use super::player::{Insight, Score};
use std::time::Duration;

/// Takes what a UCI `info` line says into `insight`. Lines of secondary variations and bounds are left out, so that the
/// record holds the last exact score of the move played.
pub fn read_uci(line: &str, insight: &mut Insight) {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return;
    }
    let mut seen = Insight::default();
    let mut exact = true;
    while let Some(word) = words.next() {
        match word {
            "depth" => seen.depth = number(words.next()),
            "seldepth" => seen.selective_depth = number(words.next()),
            "nodes" => seen.nodes = number(words.next()),
            "tbhits" => seen.table_hits = number(words.next()),
            "multipv" if words.next() != Some("1") => return,
            "score" => {
                seen.score = match words.next() {
                    Some("cp") => number(words.next()).map(Score::Centipawns),
                    Some("mate") => number(words.next()).map(Score::Mate),
                    _ => None,
                }
            }
            "lowerbound" | "upperbound" => exact = false,
            // Everything after these is moves or free text.
            "pv" | "string" | "refutation" | "currline" => break,
            _ => {}
        }
    }
    if exact && seen.score.is_some() {
        insight.score = seen.score;
        insight.depth = seen.depth.or(insight.depth);
        insight.selective_depth = seen.selective_depth.or(insight.selective_depth);
    }
    insight.nodes = seen.nodes.or(insight.nodes);
    insight.table_hits = seen.table_hits.or(insight.table_hits);
}

/// The depth, score and first move of an exact UCI line, with the nodes if it says them.
pub fn read_uci_iteration(line: &str) -> Option<(u32, Score, Option<u64>, String)> {
    let mut insight = Insight::default();
    read_uci(line, &mut insight);
    let best = line.split_once(" pv ")?.1.split_whitespace().next()?;
    Some((insight.depth?, insight.score?, insight.nodes, best.to_owned()))
}

/// The time that a UCI `info` line says has gone by.
pub fn read_uci_time(line: &str) -> Option<Duration> {
    let moves = line.find(" pv ").unwrap_or(line.len());
    let milliseconds = line[..moves].split_once(" time ")?.1.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_millis(milliseconds))
}

/// Takes an XBoard thinking line: depth, score, centiseconds, nodes, moves.
pub fn read_xboard(line: &str, insight: &mut Insight) {
    let mut words = line.split_whitespace();
    // Some engines write the depth with a mark, as in `12.` or `12+`.
    let depth = words.next().and_then(|word| word.trim_end_matches(['.', '+', '&', '#', ' ']).parse().ok());
    let (Some(depth), Some(score)) = (depth, number::<i32>(words.next())) else { return };
    let (Some(_), Some(nodes)) = (number::<u64>(words.next()), number::<u64>(words.next())) else { return };
    insight.depth = Some(depth);
    insight.nodes = Some(nodes);
    insight.score = Some(match score {
        // The protocol's convention: 100000 + moves for a mate.
        100_001.. => Score::Mate(score - 100_000),
        ..=-100_001 => Score::Mate(score + 100_000),
        _ => Score::Centipawns(score),
    });
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_told_is_read() {
        let line = "info depth 9 score cp 31 nodes 900 time 1250 pv e2e4";
        assert_eq!(read_uci_time(line), Some(Duration::from_millis(1250)));
        assert_eq!(read_uci_time("info depth 9 score cp 31 pv e2e4 time 3"), None);
        assert_eq!(read_uci_time("info depth 9 time soon"), None);
    }

    #[test]
    fn the_last_exact_score_of_the_first_line_is_kept() {
        let mut insight = Insight::default();
        for line in [
            "info depth 9 seldepth 14 multipv 1 score cp 31 nodes 900 nps 1 pv e2e4",
            "info depth 10 seldepth 15 multipv 1 score cp 90 lowerbound nodes 1000 pv d2d4",
            "info depth 10 multipv 2 score cp -400 nodes 1100 pv a2a3",
            "info string depth 99 score cp 5",
            "info currmove e2e4 currmovenumber 1 nodes 1200",
        ] {
            read_uci(line, &mut insight);
        }
        let expected = Insight {
            score: Some(Score::Centipawns(31)),
            depth: Some(9),
            selective_depth: Some(14),
            nodes: Some(1200),
            table_hits: None,
        };
        assert_eq!(insight, expected);
    }

    #[test]
    fn iterations_are_exact_lines_with_a_move() {
        let found = read_uci_iteration("info depth 9 score cp 31 nodes 900 pv e2e4 e7e5");
        assert_eq!(found, Some((9, Score::Centipawns(31), Some(900), "e2e4".to_owned())));
        assert_eq!(read_uci_iteration("info depth 9 score cp 31 lowerbound pv e2e4"), None);
        assert_eq!(read_uci_iteration("info depth 9 score cp 31"), None);
        assert_eq!(read_uci_iteration("info depth 9 multipv 2 score cp 31 pv e2e4"), None);
    }

    #[test]
    fn nonsense_is_skipped() {
        let mut insight = Insight::default();
        for line in [
            "",
            "info",
            "info score",
            "info score cp",
            "info score cp x depth",
            "bestmove e2e4",
            "info depth -",
        ] {
            read_uci(line, &mut insight);
        }
        assert_eq!(insight, Insight::default());
    }

    #[test]
    fn xboard_thinking_lines() {
        let mut insight = Insight::default();
        read_xboard("  7. 42 15 12345 e4 e5 Nf3", &mut insight);
        assert_eq!(
            (insight.depth, insight.score, insight.nodes),
            (Some(7), Some(Score::Centipawns(42)), Some(12345))
        );
        read_xboard("8 -100003 20 20000 Kh1", &mut insight);
        assert_eq!(insight.score, Some(Score::Mate(-3)));
        read_xboard("Hello from the engine 7", &mut insight);
        assert_eq!(insight.depth, Some(8));
    }
}

//! UCI `info` lines as an analysis shows them: every variation with all of its moves.

use super::info::ReportedScore;
use std::time::Duration;

/// Analyses until `stop`.
pub const GO_INFINITE: &str = "go infinite";
/// The number of variations.
pub const MULTI_PV_OPTION: &str = "MultiPV";
pub const THREADS_OPTION: &str = "Threads";
pub const HASH_OPTION: &str = "Hash";

/// One variation (`multipv`) of an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// 1 is the best.
    pub rank: u32,
    pub depth: u32,
    pub selective_depth: u32,
    pub score: ReportedScore,
    /// The score is no bound.
    pub exact: bool,
    pub nodes: u64,
    pub time: Duration,
    /// How full the hash table is, in permille.
    pub permille_used: u32,
    /// In coordinates.
    pub moves: Vec<String>,
}

/// Reads an `info` line; `None` for every other line and for one without a score and moves.
pub fn variation(line: &str) -> Option<Variation> {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let (mut rank, mut depth, mut selective_depth, mut nodes, mut permille_used) = (1, 0, 0, 0, 0);
    let (mut score, mut exact, mut time) = (None, true, Duration::ZERO);
    while let Some(word) = words.next() {
        match word {
            "multipv" => rank = words.next()?.parse().ok()?,
            "depth" => depth = words.next()?.parse().ok()?,
            "seldepth" => selective_depth = words.next()?.parse().ok()?,
            "nodes" => nodes = words.next()?.parse().ok()?,
            "hashfull" => permille_used = words.next()?.parse().ok()?,
            "time" => time = Duration::from_millis(words.next()?.parse().ok()?),
            "score" => {
                score = Some(match words.next()? {
                    "cp" => ReportedScore::Centipawns(words.next()?.parse().ok()?),
                    "mate" => ReportedScore::Mate(words.next()?.parse().ok()?),
                    _ => return None,
                });
            }
            "lowerbound" | "upperbound" => exact = false,
            "pv" => {
                let moves: Vec<String> = words.map(str::to_owned).collect();
                let found = Variation {
                    rank,
                    depth,
                    selective_depth,
                    score: score?,
                    exact,
                    nodes,
                    time,
                    permille_used,
                    moves,
                };
                return (!found.moves.is_empty()).then_some(found);
            }
            // Free text follows.
            "string" => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variation_is_read_with_its_moves() {
        let line = "info depth 12 seldepth 18 multipv 2 score cp -31 nodes 4711 nps 100 hashfull 7 time 250 pv e7e5 g1f3";
        let found = variation(line).unwrap();
        assert_eq!((found.rank, found.depth, found.selective_depth), (2, 12, 18));
        assert_eq!((found.score, found.exact), (ReportedScore::Centipawns(-31), true));
        assert_eq!((found.nodes, found.permille_used, found.time), (4711, 7, Duration::from_millis(250)));
        assert_eq!(found.moves, ["e7e5", "g1f3"]);
        let bound = variation("info depth 3 score mate -2 upperbound pv a2a3").unwrap();
        assert_eq!((bound.score, bound.exact, bound.rank), (ReportedScore::Mate(-2), false, 1));
    }

    #[test]
    fn other_lines_are_none() {
        for line in [
            "",
            "bestmove e2e4",
            "info string score cp 1 pv e2e4",
            "info depth 3 currmove e2e4",
            "info depth x score cp 1 pv e2e4",
            "info depth 3 pv e2e4",
            "info depth 3 score cp 1 pv",
        ] {
            assert_eq!(variation(line), None, "{line}");
        }
    }
}

//! UCI as the GUI speaks it: commands to an engine, and the engine's lines.

use std::fmt::Write as _;
use std::time::Duration;

use chess::Position;

use super::info::{ReportedScore, SearchInfo};

/// Asks for the engine's name and options.
pub const INTRODUCE: &str = "uci";
/// Asks whether the engine is ready.
pub const IS_READY: &str = "isready";
/// Starts another game.
pub const NEW_GAME: &str = "ucinewgame";
/// The opponent played the move that the engine ponders on.
pub const PONDER_HIT: &str = "ponderhit";
/// Ends the search.
pub const STOP: &str = "stop";
/// Ends the engine.
pub const QUIT: &str = "quit";
/// The option that allows pondering.
pub const PONDER_OPTION: &str = "Ponder";
/// The option that turns on Chess960.
pub const CHESS960_OPTION: &str = "UCI_Chess960";

/// The time of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideClock {
    pub remaining: Option<Duration>,
    pub increment: Duration,
}

/// Everything `go` can say here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    pub ponder: bool,
    /// White's and Black's; left out when the mover has no clock.
    pub clocks: Option<[SideClock; 2]>,
    pub moves_to_go: Option<u32>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
}

impl Go {
    /// The command.
    pub fn command(&self) -> String {
        let mut command = "go".to_owned();
        if self.ponder {
            command.push_str(" ponder");
        }
        let mut say = |name: &str, value: u128| {
            // Writing to a string cannot fail.
            let _ = write!(command, " {name} {value}");
        };
        if let Some([white, black]) = &self.clocks {
            for (clock, name) in [(white, "wtime"), (black, "btime")] {
                if let Some(remaining) = clock.remaining {
                    say(name, remaining.as_millis());
                }
            }
            for (clock, name) in [(white, "winc"), (black, "binc")] {
                if !clock.increment.is_zero() {
                    say(name, clock.increment.as_millis());
                }
            }
            if let Some(moves) = self.moves_to_go {
                say("movestogo", u128::from(moves));
            }
        }
        if let Some(depth) = self.depth {
            say("depth", u128::from(depth));
        }
        if let Some(nodes) = self.nodes {
            say("nodes", u128::from(nodes));
        }
        if let Some(time) = self.move_time {
            say("movetime", time.as_millis());
        }
        command
    }
}

/// `position`: the start of the game and its moves, in coordinates.
pub fn position(start: &Position, moves: &[String], chess960: bool) -> String {
    let mut command = if *start == Position::default() {
        "position startpos".to_owned()
    } else if chess960 {
        format!("position fen {}", start.to_shredder_fen())
    } else {
        format!("position fen {}", start.to_fen())
    };
    if !moves.is_empty() {
        command.push_str(" moves ");
        command.push_str(&moves.join(" "));
    }
    command
}

/// `setoption`; a button has no value.
pub fn set_option(name: &str, value: &str) -> String {
    if value.is_empty() {
        format!("setoption name {name}")
    } else {
        format!("setoption name {name} value {value}")
    }
}

/// A line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name`.
    Name(String),
    /// An option's name as the engine writes it.
    OptionName(String),
    /// `uciok`.
    Introduced,
    /// `readyok`.
    Ready,
    Info(Info),
    /// `bestmove`; `None` when no move follows.
    BestMove {
        best: Option<String>,
        ponder: Option<String>,
    },
    /// Anything else; the protocol asks to skip it.
    Other,
}

/// What one `info` line says. Lines of secondary variations (`multipv` above 1) come back empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    pub values: SearchInfo,
    /// The score is no bound.
    pub exact: bool,
    pub time: Option<Duration>,
    /// The first move of the variation.
    pub best: Option<String>,
}

impl Info {
    /// Takes the values into a record that holds the last exact score of the move played.
    pub fn update(&self, record: &mut SearchInfo) {
        let values = &self.values;
        if self.exact && values.score.is_some() {
            record.score = values.score;
            record.depth = values.depth.or(record.depth);
            record.selective_depth = values.selective_depth.or(record.selective_depth);
        }
        record.nodes = values.nodes.or(record.nodes);
        record.table_base_hits = values.table_base_hits.or(record.table_base_hits);
    }

    /// The depth, score and first move of an exact line: a finished iteration.
    pub fn iteration(&self) -> Option<(u32, ReportedScore, &str)> {
        if !self.exact {
            return None;
        }
        Some((self.values.depth?, self.values.score?, self.best.as_deref()?))
    }
}

/// Reads a line of an engine.
pub fn reply(line: &str) -> Reply {
    let line = line.trim();
    let mut words = line.split_whitespace();
    match words.next() {
        Some("uciok") => Reply::Introduced,
        Some("readyok") => Reply::Ready,
        Some("info") => Reply::Info(info(words)),
        Some("bestmove") => {
            let best = words.next().map(str::to_owned);
            let ponder = if words.next() == Some("ponder") { words.next().map(str::to_owned) } else { None };
            Reply::BestMove { best, ponder }
        }
        Some("id") if words.next() == Some("name") => Reply::Name(rest_after(line, "name")),
        Some("option") if words.next() == Some("name") => {
            let rest = rest_after(line, "name");
            Reply::OptionName(rest.split(" type ").next().unwrap_or(&rest).trim().to_owned())
        }
        _ => Reply::Other,
    }
}

fn rest_after(line: &str, word: &str) -> String {
    line.split_once(word).map_or_else(String::new, |(_, rest)| rest.trim().to_owned())
}

fn info<'a>(mut words: impl Iterator<Item = &'a str>) -> Info {
    let mut line = Info { exact: true, ..Info::default() };
    let values = &mut line.values;
    while let Some(word) = words.next() {
        match word {
            "depth" => values.depth = number(words.next()),
            "seldepth" => values.selective_depth = number(words.next()),
            "nodes" => values.nodes = number(words.next()),
            "tbhits" => values.table_base_hits = number(words.next()),
            "time" => line.time = number(words.next()).map(Duration::from_millis),
            "multipv" if words.next() != Some("1") => return Info::default(),
            "score" => {
                values.score = match words.next() {
                    Some("cp") => number(words.next()).map(ReportedScore::Centipawns),
                    Some("mate") => number(words.next()).map(ReportedScore::Mate),
                    _ => None,
                }
            }
            "lowerbound" | "upperbound" => line.exact = false,
            "pv" => {
                line.best = words.next().map(str::to_owned);
                break;
            }
            // Everything after these is moves or free text.
            "string" | "refutation" | "currline" => break,
            _ => {}
        }
    }
    line
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Info {
        match reply(line) {
            Reply::Info(info) => info,
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn go_says_every_limit_and_both_clocks() {
        let clock = |remaining: u64, increment: u64| SideClock {
            remaining: Some(Duration::from_millis(remaining)),
            increment: Duration::from_millis(increment),
        };
        let clocks = Some([clock(8080, 80), clock(4000, 0)]);
        let go = Go { clocks, moves_to_go: Some(40), ..Go::default() };
        assert_eq!(go.command(), "go wtime 8080 btime 4000 winc 80 movestogo 40");
        let go = Go { nodes: Some(5000), depth: Some(9), ..Go::default() };
        assert_eq!(go.command(), "go depth 9 nodes 5000");
        assert_eq!(Go { ponder: true, ..go }.command(), "go ponder depth 9 nodes 5000");
        let go = Go { move_time: Some(Duration::from_millis(70)), ..Go::default() };
        assert_eq!(go.command(), "go movetime 70");
    }

    #[test]
    fn positions_are_sent_from_their_start() {
        let start = Position::default();
        assert_eq!(position(&start, &[], false), "position startpos");
        assert_eq!(position(&start, &["e2e4".into()], false), "position startpos moves e2e4");
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 40";
        let start = Position::from_fen(fen).unwrap();
        assert_eq!(position(&start, &["e1g1".into()], false), format!("position fen {fen} moves e1g1"));
    }

    #[test]
    fn introductions() {
        assert_eq!(reply("id name Crafty 25.2 "), Reply::Name("Crafty 25.2".into()));
        assert_eq!(reply("id author A. Name"), Reply::Other);
        let option = "option name Clear Hash type button";
        assert_eq!(reply(option), Reply::OptionName("Clear Hash".into()));
        assert_eq!((reply("uciok"), reply(" readyok ")), (Reply::Introduced, Reply::Ready));
        assert_eq!(set_option("Clear Hash", ""), "setoption name Clear Hash");
        assert_eq!(set_option("Hash", "16"), "setoption name Hash value 16");
    }

    #[test]
    fn answers_with_and_without_a_ponder_move() {
        let best = |best: Option<&str>, ponder: Option<&str>| Reply::BestMove {
            best: best.map(str::to_owned),
            ponder: ponder.map(str::to_owned),
        };
        assert_eq!(reply("bestmove e2e4 ponder e7e5"), best(Some("e2e4"), Some("e7e5")));
        assert_eq!(reply("bestmove e2e4"), best(Some("e2e4"), None));
        assert_eq!(reply("bestmove"), best(None, None));
        assert_eq!(reply("bestmoves e2e4"), Reply::Other);
    }

    #[test]
    fn the_reported_time_is_read() {
        let line = "info depth 9 score cp 31 nodes 900 time 1250 pv e2e4";
        assert_eq!(read(line).time, Some(Duration::from_millis(1250)));
        assert_eq!(read("info depth 9 score cp 31 pv e2e4 time 3").time, None);
        assert_eq!(read("info depth 9 time soon").time, None);
    }

    #[test]
    fn the_last_exact_score_of_the_first_line_is_kept() {
        let mut record = SearchInfo::default();
        for line in [
            "info depth 9 seldepth 14 multipv 1 score cp 31 nodes 900 nps 1 pv e2e4",
            "info depth 10 seldepth 15 multipv 1 score cp 90 lowerbound nodes 1000 pv d2d4",
            "info depth 10 multipv 2 score cp -400 nodes 1100 pv a2a3",
            "info string depth 99 score cp 5",
            "info currmove e2e4 currmovenumber 1 nodes 1200",
        ] {
            read(line).update(&mut record);
        }
        let expected = SearchInfo {
            score: Some(ReportedScore::Centipawns(31)),
            depth: Some(9),
            selective_depth: Some(14),
            nodes: Some(1200),
            table_base_hits: None,
        };
        assert_eq!(record, expected);
    }

    #[test]
    fn iterations_are_exact_lines_with_a_move() {
        let line = read("info depth 9 score cp 31 nodes 900 pv e2e4 e7e5");
        assert_eq!(line.iteration(), Some((9, ReportedScore::Centipawns(31), "e2e4")));
        for line in [
            "info depth 9 score cp 31 lowerbound pv e2e4",
            "info depth 9 score cp 31",
            "info depth 9 multipv 2 score cp 31 pv e2e4",
        ] {
            assert_eq!(read(line).iteration(), None, "{line}");
        }
    }

    #[test]
    fn nonsense_is_skipped() {
        let mut record = SearchInfo::default();
        for line in ["info", "info score", "info score cp", "info score cp x depth", "info depth -"] {
            read(line).update(&mut record);
        }
        assert_eq!(record, SearchInfo::default());
        assert_eq!(reply(""), Reply::Other);
    }
}

//! The referee's side: what it sends to a player, and what it reads in the answers.

use super::command::Go;
use super::reply::{BEST_MOVE, UCI_OK};

/// Asks for the name and the options; the answer ends with a line for which [`ends_identification`] holds.
pub const IDENTIFY: &str = "uci";
/// Ends the player.
pub const QUIT: &str = "quit";

/// Whether `line` ends the answer to [`IDENTIFY`].
pub fn ends_identification(line: &str) -> bool {
    line.split_whitespace().next() == Some(UCI_OK)
}

/// Whether `line` ends the answer to `go`.
pub fn ends_search(line: &str) -> bool {
    line.split_whitespace().next() == Some(BEST_MOVE)
}

/// Sets an option.
pub fn set_option(name: &str, value: &str) -> String {
    format!("setoption name {name} value {value}")
}

/// Sets a position: the start position, or a FEN, and the moves played from it.
pub fn position(fen: Option<&str>, moves: &[String]) -> String {
    let base = fen.map_or_else(|| "startpos".to_owned(), |fen| format!("fen {fen}"));
    if moves.is_empty() {
        return format!("position {base}");
    }
    format!("position {base} moves {}", moves.join(" "))
}

/// Starts a search with the first of depth, nodes and clock that is given: the course's players read one of them.
pub fn go(go: &Go) -> String {
    match (go.depth, go.nodes, go.time) {
        (Some(depth), ..) => format!("go depth {depth}"),
        (_, Some(nodes), _) => format!("go nodes {nodes}"),
        (_, _, time) => {
            let time = time.unwrap_or_default().as_millis();
            format!("go time {time} inc {}", go.increment.as_millis())
        }
    }
}

/// The answer to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchAnswer {
    /// The move as text; `none` where the line has no move.
    pub best: String,
    /// Of the last `info` line; 0 where there is none.
    pub depth: i32,
    pub nodes: u64,
}

/// Reads the lines of a search, of which the last is the best move.
pub fn read_search(lines: &[String]) -> SearchAnswer {
    let number = |key: &str| -> Option<u64> {
        lines.iter().rev().find_map(|line| {
            let mut words = line.split_whitespace().skip_while(|word| *word != key);
            words.nth(1).and_then(|word| word.parse().ok())
        })
    };
    let best = lines.last().and_then(|line| line.split_whitespace().nth(1)).unwrap_or("none");
    SearchAnswer {
        best: best.to_owned(),
        depth: number("depth").and_then(|depth| i32::try_from(depth).ok()).unwrap_or(0),
        nodes: number("nodes").unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Base, Command, best_move, info_lines, parse};
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_player_reads_what_the_referee_sends() {
        let moves = vec!["g4L".to_owned()];
        assert_eq!(
            parse(&position(None, &moves)),
            Ok(Command::Position { base: Base::Start, moves: moves.clone() })
        );
        let fen = "ss7/8/8/8/8/8/8/7NN W";
        assert_eq!(
            parse(&position(Some(fen), &[])),
            Ok(Command::Position { base: Base::Fen(fen.to_owned()), moves: vec![] })
        );
        let clock =
            Go { time: Some(Duration::from_secs(3)), increment: Duration::from_millis(5), ..Go::default() };
        for wanted in [Go { depth: Some(3), ..Go::default() }, Go { nodes: Some(9), ..Go::default() }, clock]
        {
            assert_eq!(parse(&go(&wanted)), Ok(Command::Go(wanted)));
        }
    }

    #[test]
    fn the_referee_reads_what_the_player_writes() {
        let text = info_lines(4, 1, Duration::from_micros(9), 77, 12, "g4L");
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.push(best_move(Some("g4L")));
        assert!(ends_search(&lines[2]) && !ends_search(&lines[1]));
        assert_eq!(read_search(&lines), SearchAnswer { best: "g4L".to_owned(), depth: 4, nodes: 77 });
        assert!(ends_identification("uciok\r") && !ends_identification("uciokay"));
    }
}

//! What the engine writes.

use std::fmt::Display;
use std::time::Duration;

use common::escape_control;

/// The answer to `isready`.
pub const READY_OK: &str = "readyok";

/// The word before the chosen move.
pub(super) const BEST_MOVE: &str = "bestmove";
/// The last line of the answer to `uci`.
pub(super) const UCI_OK: &str = "uciok";

/// The answer to `uci`, from the name to `uciok`; `options` are lines of [`option_line`].
pub fn identification(name: &str, author: &str, options: &[String]) -> String {
    let mut lines = vec![format!("id name {name}"), format!("id author {author}")];
    lines.extend(options.iter().cloned());
    lines.push(UCI_OK.to_owned());
    lines.join("\n")
}

/// An option as `uci` lists it.
pub fn option_line(name: &str, value: i64, default: i64, min: i64, max: i64) -> String {
    format!("option name {name} type spin value {value} default {default} min {min} max {max}")
}

/// A message to the user. Control characters are escaped, so that the message stays on its line.
pub fn info_string(message: impl Display) -> String {
    format!("info string {}", escape_control(&message.to_string()))
}

/// The answer to `setoption`.
pub fn setting(name: &str, value: i64) -> String {
    format!("info setting {name} to {value}")
}

/// The answer to a `move` or `eval` that the rules refuse.
pub fn illegal_move(mv: &str, reason: impl Display) -> String {
    escape_control(&format!("Illegal move {mv}: {reason}"))
}

/// One line of the answer to `perft`.
pub fn perft_line(depth: u32, count: u64) -> String {
    format!("perft  {depth} {count}")
}

/// The answer to `eval`.
pub fn evaluation(centipawns: i32) -> String {
    format!("info score cp {centipawns}")
}

/// The two lines the course's player prints when its best move changes.
pub fn info_lines(
    depth: i32,
    move_number: usize,
    time: Duration,
    nodes: u64,
    centipawns: i32,
    line: &str,
) -> String {
    let microseconds = time.as_micros().max(1);
    let rate = u128::from(nodes) * 1_000_000 / microseconds;
    format!(
        "info depth {depth} move_no {move_number} time (microsec) {microseconds} nodes {nodes} nps {rate}\n\
         info score cp {centipawns} pv {line}"
    )
}

/// The move to play; `none` when the game is over. The course's referee takes the rest of the line for the move, so
/// the reply to ponder on is not given.
pub fn best_move(best: Option<impl Display>) -> String {
    match best {
        Some(best) => format!("{BEST_MOVE} {best}"),
        None => format!("{}\n{BEST_MOVE} none", info_string("the game is over")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_is_printed_as_the_course_does() {
        assert_eq!(
            info_lines(1, 2, Duration::from_micros(140), 124, -3, "e1f1"),
            "info depth 1 move_no 2 time (microsec) 140 nodes 124 nps 885714\ninfo score cp -3 pv e1f1"
        );
    }

    #[test]
    fn a_message_stays_on_its_line() {
        assert_eq!(info_string("a\nbestmove g4L"), "info string a\\nbestmove g4L");
        assert_eq!(illegal_move("\u{1b}[2J", "no"), "Illegal move \\u{1b}[2J: no");
    }
}

//! Commands beyond UCI: for developers, testers and OpenBench.

use crate::output::Output;
use chess::{Color, Piece, Position, Square};
use common::{Random, clip};
use engine::{BenchReport, Engine};
use std::fmt::Write as _;
use std::time::Duration;

pub const HELP: &str = "\
Tabiya speaks UCI (and XBoard, after the word xboard). Beyond the standard:
  d                      the position, as a picture and as text
  eval                   the evaluation of the position, term by term
  perft N                count the leaves of the game tree (also: go perft N); stop ends it
  bench [depth]          search a fixed set of positions; the node count identifies the build
  speedtest [threads [hash [seconds]]]   nodes per second over a longer run
  flip                   the same position with colours exchanged
  quit
";

/// Counts on the search thread; `stop`, `quit` and the end of input end it.
pub fn perft(engine: &mut Engine, depth: u32, output: Output) {
    let position = engine.game().position().clone();
    let chess960 = engine.settings().chess960;
    engine.start_perft(depth, move |result| {
        let mut text = String::new();
        match result {
            Ok(Some(moves)) => {
                let mut total = 0_u64;
                for (mv, nodes) in moves {
                    let _ = writeln!(text, "{}: {nodes}", position.uci(mv, chess960));
                    total = total.saturating_add(nodes);
                }
                let _ = writeln!(text, "\nNodes searched: {total}");
            }
            Ok(None) => text.push_str("info string perft: stopped\n"),
            Err(fault) => {
                let _ = writeln!(text, "info string {fault}");
            }
        }
        output.write(&text);
    });
}

pub fn display(engine: &Engine) -> String {
    let position = engine.game().position();
    let mut text = picture(position);
    let _ = writeln!(text, "\nFen: {}", position.to_fen());
    let _ = writeln!(text, "Key: {:016X}", position.key());
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let _ = writeln!(text, "Checkers: {}", checkers.join(" "));
    if let Some(outcome) = engine.game().outcome() {
        let _ = writeln!(text, "Over: {outcome}");
    }
    text
}

fn picture(position: &Position) -> String {
    let mut text = String::from("\n +---+---+---+---+---+---+---+---+\n");
    for rank in (0..8u8).rev() {
        for file in 0..8u8 {
            let piece = position.piece_on(Square::wrapping(rank * 8 + file)).map_or(' ', Piece::to_char);
            let _ = write!(text, " | {piece}");
        }
        let _ = writeln!(text, " | {}\n +---+---+---+---+---+---+---+---+", rank + 1);
    }
    text.push_str("   a   b   c   d   e   f   g   h\n");
    text
}

pub fn evaluation(engine: &Engine) -> String {
    engine.describe_evaluation()
}

/// Mirrored top to bottom with colours exchanged, by way of its own notation.
pub fn flipped(position: &Position) -> Result<Position, String> {
    let fen = position.to_shredder_fen();
    let mut fields: Vec<String> = fen.split(' ').map(str::to_string).collect();
    let swap_case = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() })
            .collect()
    };
    fields[0] = swap_case(&fields[0].split('/').rev().collect::<Vec<_>>().join("/"));
    fields[1] = (!position.turn()).to_char().to_string();
    fields[2] = swap_case(&fields[2]);
    if let Some(square) = position.board().en_passant() {
        fields[3] = square.relative_to(Color::Black).to_string();
    }
    Position::from_fen(&fields.join(" ")).map_err(|error| format!("flip: {error}"))
}

/// Ends with the line OpenBench reads. Runs on the search thread, as [`perft`] does.
pub fn bench(engine: &mut Engine, words: &[&str], output: Output) {
    let depth = words.first().and_then(|word| word.parse().ok()).unwrap_or(engine::BENCH_DEPTH);
    engine.start_bench(depth, move |result| {
        output.write(&match result {
            Ok(Some(report)) => format!("{} nodes {} nps\n", report.nodes, nodes_per_second(&report)),
            Ok(None) => "info string bench: stopped\n".to_string(),
            Err(fault) => format!("info string {fault}\n"),
        });
    });
}

/// `speedtest [threads [hash [seconds]]]`. Runs on the search thread, as [`perft`] does.
pub fn speed_test(engine: &mut Engine, words: &[&str], output: Output) {
    let number = |index: usize, default: u64, most: u64| {
        words.get(index).and_then(|word| word.parse().ok()).unwrap_or(default).clamp(1, most)
    };
    let threads = number(0, engine.settings().threads as u64, 1024) as usize;
    let hash = number(1, 256, 1 << 20) as usize;
    let seconds = number(2, 30, 3600);
    engine.start_speed_test(threads, hash, Duration::from_secs(seconds), move |result| {
        output.write(&match result {
            Ok(Some(report)) => format!(
                "Threads      : {threads}\nHash         : {hash} MB\nTime         : {:.1} s\nNodes        : {}\n\
                 Nodes/second : {}\n",
                report.time.as_secs_f64(),
                report.nodes,
                nodes_per_second(&report)
            ),
            Ok(None) => "info string speedtest: stopped\n".to_string(),
            Err(fault) => format!("info string {fault}\n"),
        });
    });
}

fn nodes_per_second(report: &BenchReport) -> u64 {
    (report.nodes as f64 / report.time.as_secs_f64().max(1e-9)) as u64
}

/// `genfens N seed S book B`: openings for OpenBench's data generation, random but lawful. Only the standard start is
/// offered: `book None`.
pub fn generate_fens(words: &[&str]) -> String {
    let after =
        |name: &str| words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1)).copied();
    let count: usize = words.first().and_then(|word| word.parse().ok()).unwrap_or(1).min(1 << 20);
    let mut random = Random::new(after("seed").and_then(|word| word.parse().ok()).unwrap_or(1));
    let mut text = String::new();
    if let Some(book) = after("book").filter(|book| !book.eq_ignore_ascii_case("none")) {
        let _ = writeln!(
            text,
            "info string genfens: book '{}' is not read; openings start from the initial position",
            clip(book, 60)
        );
    }
    for _ in 0..count {
        let _ = writeln!(text, "info string genfens {}", random_opening(&mut random).to_fen());
    }
    text
}

/// Eight or nine random moves after which the game still goes on.
fn random_opening(random: &mut Random) -> Position {
    loop {
        let mut position = Position::default();
        let plies = 8 + random.below(2);
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.below(moves.len())]);
        }
        if position.has_legal_move() && !position.in_check() {
            return position;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_repeat_by_seed() {
        let lines = |seed: &str| generate_fens(&["5", "seed", seed, "book", "None"]);
        assert_eq!(lines("7"), lines("7"));
        assert_ne!(lines("7"), lines("8"));
        assert_eq!(lines("7").lines().count(), 5);
        for line in lines("7").lines() {
            let fen = line.strip_prefix("info string genfens ").unwrap();
            assert!(Position::from_fen(fen).is_ok(), "{fen}");
        }
    }

    #[test]
    fn flipping_twice_is_the_identity() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let twice = flipped(&flipped(&position).unwrap()).unwrap();
            assert_eq!(twice.to_fen(), position.to_fen());
        }
    }
}

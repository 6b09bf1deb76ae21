//! `tabiya perft`: counts the game tree.

use super::position_from;
use crate::cli::{Command, Failure, Flag, Parsed, Run};
use std::io::Write as _;
use std::time::Instant;

pub const COMMAND: Command = Command {
    name: "perft",
    summary: "Count the leaves of the game tree to a depth: the test of a move generator",
    arguments: "DEPTH",
    flags: &[
        Flag { name: "fen", value: Some("FEN"), help: "the position (default: the start of a game)" },
        Flag { name: "chess960", value: None, help: "write castling as king takes rook" },
        Flag { name: "divide", value: None, help: "one line for each first move" },
        Flag { name: "threads", value: Some("N"), help: "count on N threads (default 1)" },
        Flag { name: "json", value: None, help: "one JSON object instead of lines" },
    ],
    examples: &[
        "tabiya perft 6",
        "tabiya perft 5 --divide --fen \"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\"",
        "tabiya perft 7 --threads 2",
    ],
    run: Run::Parsed(run),
};

/// Deeper counts overflow 64 bits, and no machine would live to see them.
const MAX_DEPTH: u32 = 13;

fn run(parsed: &Parsed) -> Result<(), Failure> {
    let depth = parsed.single_number("DEPTH", 0..=MAX_DEPTH)?;
    let threads = parsed.number("threads", 1usize, 1..=1024)?;
    let position = position_from(parsed)?;
    let json = parsed.has("json");
    let mut out = std::io::stdout().lock();

    let start = Instant::now();
    let mut divided = Vec::new();
    let nodes = if parsed.has("divide") && depth > 0 {
        for &mv in &position.legal_moves() {
            let nodes = chess::perft_parallel(&position.after(mv), depth - 1, threads);
            let name = position.uci(mv, parsed.has("chess960")).to_string();
            if !json {
                writeln!(out, "{name}: {nodes}")?;
            }
            divided.push((name, nodes));
        }
        divided.iter().map(|(_, nodes)| nodes).sum()
    } else {
        chess::perft_parallel(&position, depth, threads)
    };
    let seconds = start.elapsed().as_secs_f64();
    let nps = (nodes as f64 / seconds.max(1e-9)) as u64;

    if json {
        let moves: Vec<String> = divided.iter().map(|(name, nodes)| format!("\"{name}\":{nodes}")).collect();
        writeln!(
            out,
            "{{\"fen\":\"{}\",\"depth\":{depth},\"nodes\":{nodes},\"seconds\":{seconds:.6},\"nps\":{nps},\"divide\":{{{}}}}}",
            position.to_fen(),
            moves.join(",")
        )?;
    } else {
        writeln!(out, "\nTime: {seconds:.3} s, {nps} nps")?;
        writeln!(out, "Nodes searched: {nodes}")?;
    }
    Ok(())
}

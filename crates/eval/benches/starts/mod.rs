//! The benchmarks' positions: up to two plies from openings, middle games and endings, in the order a search comes to them.

use chess::Position;

const STARTS: [&str; 8] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b2rk1/2q1bppp/p2ppn2/1p6/3QPP2/2N1B3/PPP1B1PP/R4RK1 w - - 0 14",
    "8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1",
    "8/3k4/p1pbp1p1/1p1p1p2/3P1P2/PPPBP1P1/4K3/8 w - - 0 1",
    "3r1rk1/p4ppp/1p1qpn2/8/2PP4/5NP1/PP2QP1P/3RR1K1 w - - 0 20",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
];

/// The positions with their plies from the start.
pub fn positions() -> Vec<(Position, usize)> {
    let mut positions = Vec::new();
    for fen in STARTS {
        let Ok(start) = Position::from_fen(fen) else { continue };
        for &first in &start.legal_moves() {
            let child = start.after(first);
            positions.push((child.clone(), 1));
            positions.extend(child.legal_moves().iter().map(|&second| (child.after(second), 2)));
        }
    }
    positions
}

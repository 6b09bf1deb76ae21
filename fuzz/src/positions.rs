//! Positions in which every kind of move exists, for targets that read moves.

use chess::Position;

const FENS: [&str; 8] = [
    chess::fen::START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/3k4/8/1pPp4/8/8/3K4 b - c3 0 1",
    "1r2k2r/8/8/8/8/8/8/1RK4R w HBhb - 0 1",
    "8/k7/8/4Q2Q/8/8/8/1K2Q2Q w - - 0 1",
    "n1n1n3/1P1P1P2/7k/8/8/7K/1p1p1p2/N1N1N3 b - - 0 1",
];

/// The position that the first byte names, and the other bytes.
pub fn choose(data: &[u8]) -> Option<(Position, &[u8])> {
    let (first, rest) = data.split_first()?;
    Some((Position::from_fen(FENS[usize::from(*first) % FENS.len()]).unwrap(), rest))
}

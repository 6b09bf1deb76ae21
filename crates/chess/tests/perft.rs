//! Move generation against the published counts.

use chess::{Position, perft};

/// Small enough to run every time, wherever the project is built.
#[test]
fn known_positions() {
    for (fen, counts) in [
        (chess::fen::START, &[20, 400, 8902, 197_281, 4_865_609][..]),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2039, 97_862, 4_085_603],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43_238, 674_624]),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9467, 422_333]),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1486, 62_379, 2_103_487]),
    ] {
        let position = Position::from_fen(fen).unwrap();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), count, "{fen} at depth {depth}");
        }
    }
}

#[test]
fn threads_count_the_same() {
    let start = Position::default();
    assert_eq!(chess::perft_parallel(&start, 5, 4), perft(&start, 5));
}

#[test]
fn depth_zero_is_one() {
    assert_eq!(perft(&Position::default(), 0), 1);
}

#[test]
fn remembering_changes_nothing() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut table = chess::PerftTable::new(1);
    for fen in [chess::fen::START, kiwipete] {
        let position = Position::from_fen(fen).unwrap();
        for depth in 0..=4 {
            assert_eq!(chess::perft_hashed(&position, depth, &mut table), perft(&position, depth), "{fen}");
        }
    }
}

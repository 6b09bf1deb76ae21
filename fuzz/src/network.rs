//! Any bytes are a network or a reason why not. Behind right lengths and checksums too: a small network whose header and
//! weights the bytes change. One that is accepted evaluates every board without overflow.

use chess::Position;
use common::crc32;
use eval::nnue::{Evaluator, Network};
use std::sync::Arc;

const HEADER: usize = 64;
const HIDDEN: usize = 32;
const BYTES: usize = HEADER + 2 * (768 * HIDDEN + HIDDEN + 8 * 2 * HIDDEN) + 4 * 8;

/// Full boards: the first as usual, the second with more queens than a game has.
const BOARDS: [&str; 2] =
    ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "qqqkqqqq/8/8/8/8/8/8/QQQKQQQQ b - - 0 1"];

/// A whole file of 32 neurons: the header as it should be, weights of zero.
fn small() -> Vec<u8> {
    let mut file = b"TABIYANN".to_vec();
    for word in [1, 1, HIDDEN as u32, 8, 255, 64, 400, 100] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    file.resize(BYTES, 0);
    file
}

pub fn run(bytes: &[u8]) {
    if let Err(error) = Network::from_bytes(bytes) {
        assert!(!error.to_string().is_empty());
    }
    let mut file = small();
    let mut rest = bytes;
    // Records of a place and a value; places below the header's end change the header.
    while let [a, b, c, low, high, more @ ..] = rest {
        let place = 2 * (usize::from(*a) | usize::from(*b) << 8 | usize::from(*c) << 16) % (BYTES - 2);
        file[place] ^= low;
        file[place + 1] ^= high;
        rest = more;
    }
    let sum = crc32(&file[HEADER..]);
    file[56..60].copy_from_slice(&sum.to_le_bytes());
    let sum = crc32(&file[..60]);
    file[60..64].copy_from_slice(&sum.to_le_bytes());
    match Network::from_bytes(&file) {
        Ok(network) => {
            let mut evaluator = Evaluator::new(Arc::new(network));
            for fen in BOARDS {
                if let Ok(position) = Position::from_fen(fen) {
                    let _ = evaluator.evaluate(&position, 0);
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

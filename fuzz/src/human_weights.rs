//! Any bytes are weights of the models of people, or a reason why not. Behind right lengths and checksums too: a header that
//! the bytes choose, with a body of the length that it asks for.

use human_model::openings::Openings;
use human_model::reply::{HeldOutModel, ReplyModel, WeightsError};
use human_model::small_policy::{INPUTS, SmallPolicy, SmallPolicyError};

static OPENINGS: &[u8] = include_bytes!("../../crates/human-model/weights/openings.bin");

/// Columns of each of the small policy's two tables.
const TABLE: usize = 4;

/// A body that is longer takes longer than it is worth.
const LONGEST: usize = 1 << 20;

/// FNV-1a, 64 bits, as at the end of the files.
fn fingerprint(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Magic and words, then the rest over and over up to `length`.
fn file(magic: &[u8; 8], words: &[u32], rest: &[u8], length: usize) -> Vec<u8> {
    let mut file = magic.to_vec();
    for word in words {
        file.extend_from_slice(&word.to_le_bytes());
    }
    let body = rest.iter().chain(&[0]).copied().cycle().take(length.saturating_sub(file.len()));
    file.extend(body.collect::<Vec<u8>>());
    file
}

/// Reads a file whose header says how long it must be, with that length and its checksum.
fn read(magic: &[u8; 8], words: &[u32], rest: &[u8], parse: impl Fn(&[u8]) -> Result<(), WeightsError>) {
    let header = file(magic, words, rest, 0);
    let Err(WeightsError::Length { expected, .. }) = parse(&header) else { return };
    if expected > LONGEST {
        return;
    }
    let mut whole = file(magic, words, rest, expected - 8);
    let sum = fingerprint(&whole);
    whole.extend_from_slice(&sum.to_le_bytes());
    assert_eq!(parse(&whole), Ok(()), "{words:?}");
}

pub fn run(bytes: &[u8]) {
    let reply = |bytes: &[u8]| ReplyModel::from_bytes(bytes).map(|_| ());
    let held_out = |bytes: &[u8]| HeldOutModel::from_bytes(bytes).map(|_| ());
    let _ = reply(bytes).map_err(|error| assert!(!error.to_string().is_empty()));
    let _ = held_out(bytes).map_err(|error| assert!(!error.to_string().is_empty()));
    let _ = SmallPolicy::from_bytes(bytes).map_err(|error| assert!(!error.to_string().is_empty()));

    let mut openings = OPENINGS[..OPENINGS.len().min(4096)].to_vec();
    for (place, &byte) in openings.iter_mut().zip(bytes) {
        *place ^= byte;
    }
    for table in [bytes, openings.as_slice()] {
        let _ = Openings::from_bytes(table).map_err(|error| assert!(!error.to_string().is_empty()));
    }

    let [shape @ .., planes, conditions] = bytes.first_chunk::<8>().copied().unwrap_or_default();
    let [dim, layers, heads, hidden, policy, dynamic] = shape.map(u32::from);
    let (planes, conditions) = (u32::from(planes), u32::from(conditions));
    let rest = bytes.get(8..).unwrap_or_default();
    read(b"TBYREPLY", &[1, dim, layers, heads, hidden, policy, dynamic, planes, conditions], rest, reply);
    read(b"TBYREPL2", &[1, dim, layers, policy, planes, conditions], rest, held_out);
    // The small policy has no checksum; only its length must fit.
    let words = [1, (INPUTS + 2 * TABLE) as u32, dim, layers];
    if let Err(SmallPolicyError::Length { expected, .. }) =
        SmallPolicy::from_bytes(&file(b"TBYSMALL", &words, rest, 0))
        && expected <= LONGEST
    {
        let _ = SmallPolicy::from_bytes(&file(b"TBYSMALL", &words, rest, expected));
    }
}

//! A network and its file.
//!
//! | bytes | header (64) |
//! |---|---|
//! | 8 | `TABIYANN` |
//! | 4 each | version, architecture, hidden neurons, buckets, QA, QB, scale, even score |
//! | 16 | zero |
//! | 4 | CRC-32 of what follows the header |
//! | 4 | CRC-32 of the 60 bytes before |
//!
//! Then, little-endian: first weights (768 rows of `hidden`, i16, times QA), first biases (i16), last weights (8 rows of
//! `2 hidden`, i16, times QB), last biases (8, i32, times QA QB). The output times `scale` is the score the search works
//! with; the even score is what games showed it to be worth (0: nobody has looked).
//! A file whose weights could overflow the arithmetic is refused, so that inference need not look.

use super::NetworkError;
use super::chunk::{Chunk, LANES};
use super::features::{BUCKETS, INPUTS};
use crate::hce::MAX_EVALUATION;
use common::{crc32, read_bounded};
use std::fmt;
use std::path::Path;

const MAGIC: [u8; 8] = *b"TABIYANN";
const VERSION: u32 = 1;
const ARCHITECTURE: u32 = 1;
const HEADER_BYTES: usize = 64;
pub const QA: i32 = 255;
pub const QB: i32 = 64;
/// Most neurons a file may have.
const MOST_HIDDEN: u32 = 4096;
/// Bytes of a file that are read at most: more than twice those of the largest network.
const LARGEST_FILE: u64 = 1 << 24;
/// More pieces than this no board has.
const MOST_PIECES: i64 = 32;
/// So that a hidden value times an output weight fits in sixteen bits.
const LARGEST_OUTPUT_WEIGHT: i64 = i16::MAX as i64 / QA as i64;
/// A network nobody has calibrated is taken at its word.
const UNKNOWN_EVEN: u32 = 100;

/// The network this build carries: the repository's, or the one that `make EVALFILE=` named.
pub static EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/network.net"));

pub struct Network {
    /// Chunks of one view's hidden layer.
    chunks: usize,
    /// A row for each input.
    first: Vec<Chunk>,
    first_bias: Vec<Chunk>,
    /// A row for each bucket: the mover's half, then the other.
    last: Vec<Chunk>,
    last_bias: [i32; BUCKETS],
    scale: i32,
    even: i32,
    checksum: u32,
}

impl Network {
    pub fn open(path: &Path) -> Result<Network, NetworkError> {
        let bytes = read_bounded(path, LARGEST_FILE)
            .map_err(|error| NetworkError::Unreadable { reason: error.to_string() })?;
        Network::from_bytes(&bytes)
    }

    /// The network this build carries.
    pub fn embedded() -> Result<Network, NetworkError> {
        Network::from_bytes(EMBEDDED)
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        let header = Header::read(bytes)?;
        let hidden = header.hidden as usize;
        let mut rest = Words { bytes: &bytes[HEADER_BYTES..] };
        let network = Network {
            chunks: hidden / LANES,
            first: rest.chunks(INPUTS * hidden),
            first_bias: rest.chunks(hidden),
            last: rest.chunks(BUCKETS * 2 * hidden),
            last_bias: std::array::from_fn(|_| rest.number()),
            scale: header.scale,
            even: header.even,
            checksum: header.payload_checksum,
        };
        network.check_ranges()?;
        Ok(network)
    }

    /// Neurons of one view's hidden layer.
    pub fn hidden(&self) -> usize {
        self.chunks * LANES
    }

    /// Names the network: two files with the same number are the same.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// The score at which a game on move 32 is won as often as not.
    pub fn even(&self) -> i32 {
        self.even
    }

    #[inline]
    pub(super) fn chunks(&self) -> usize {
        self.chunks
    }

    #[inline]
    pub(super) fn row(&self, input: usize) -> &[Chunk] {
        &self.first[input * self.chunks..][..self.chunks]
    }

    pub(super) fn bias(&self) -> &[Chunk] {
        &self.first_bias
    }

    #[inline]
    pub(super) fn output(&self, bucket: usize) -> &[Chunk] {
        &self.last[bucket * 2 * self.chunks..][..2 * self.chunks]
    }

    /// From the sum of activated values times weights (QA squared times QB) to centipawns.
    #[inline]
    pub(super) fn centipawns(&self, sum: i32, bucket: usize) -> i32 {
        let output = i64::from(sum / QA) + i64::from(self.last_bias[bucket]);
        let centipawns = output * i64::from(self.scale) / i64::from(QA * QB);
        centipawns.clamp(i64::from(-MAX_EVALUATION), i64::from(MAX_EVALUATION)) as i32
    }

    /// No board may overflow an accumulator, a product or a sum.
    fn check_ranges(&self) -> Result<(), NetworkError> {
        for neuron in 0..self.hidden() {
            let (chunk, lane) = (neuron / LANES, neuron % LANES);
            let weight = |input: usize| i64::from(self.row(input)[chunk].0[lane]).abs();
            let largest = (0..INPUTS).map(weight).max().unwrap_or(0);
            let found = i64::from(self.first_bias[chunk].0[lane]).abs() + MOST_PIECES * largest;
            let most = i64::from(i16::MAX);
            if found > most {
                return Err(NetworkError::Weight { layer: "hidden neuron", index: neuron, found, most });
            }
        }
        for bucket in 0..BUCKETS {
            let weights = || self.output(bucket).iter().flat_map(|chunk| chunk.0).map(|w| i64::from(w).abs());
            let found = weights().max().unwrap_or(0);
            if found > LARGEST_OUTPUT_WEIGHT {
                let most = LARGEST_OUTPUT_WEIGHT;
                return Err(NetworkError::Weight { layer: "a weight of output", index: bucket, found, most });
            }
            let found = weights().sum::<i64>() * i64::from(QA * QA);
            let most = i64::from(i32::MAX);
            if found > most {
                return Err(NetworkError::Weight { layer: "output", index: bucket, found, most });
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network {{ hidden: {}, checksum: {:08x} }}", self.hidden(), self.checksum)
    }
}

struct Header {
    hidden: u32,
    scale: i32,
    even: i32,
    payload_checksum: u32,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Header, NetworkError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkError::Foreign);
        }
        if bytes.len() < HEADER_BYTES {
            return Err(NetworkError::Short { found: bytes.len(), expected: HEADER_BYTES });
        }
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (version, architecture, hidden) = (word(8), word(12), word(16));
        if version != VERSION {
            return Err(NetworkError::Version { found: version, expected: VERSION });
        }
        if architecture != ARCHITECTURE {
            return Err(NetworkError::Architecture { found: architecture, expected: ARCHITECTURE });
        }
        if word(60) != crc32(&bytes[..60]) {
            return Err(NetworkError::Checksum { part: "header" });
        }
        let field = |name, found, good: bool, expected| {
            if good { Ok(()) } else { Err(NetworkError::Field { name, found, expected }) }
        };
        let good_hidden = (1..=MOST_HIDDEN).contains(&hidden) && hidden.is_multiple_of(LANES as u32);
        field("hidden neurons", hidden, good_hidden, "a multiple of 32 up to 4096")?;
        field("output buckets", word(20), word(20) == BUCKETS as u32, "8")?;
        field("QA", word(24), word(24) == QA as u32, "255")?;
        field("QB", word(28), word(28) == QB as u32, "64")?;
        field("scale", word(32), (1..=10_000).contains(&word(32)), "1 to 10000")?;
        let even = if word(36) == 0 { UNKNOWN_EVEN } else { word(36) };
        field("even score", even, (10..=1000).contains(&even), "10 to 1000, or 0")?;
        let hidden_size = hidden as usize;
        let weights = INPUTS * hidden_size + hidden_size + BUCKETS * 2 * hidden_size;
        let expected = HEADER_BYTES + 2 * weights + 4 * BUCKETS;
        let found = bytes.len();
        if found < expected {
            return Err(NetworkError::Short { found, expected });
        }
        if found > expected {
            return Err(NetworkError::Long { found, expected });
        }
        if word(56) != crc32(&bytes[HEADER_BYTES..]) {
            return Err(NetworkError::Checksum { part: "weights" });
        }
        Ok(Header { hidden, scale: word(32) as i32, even: even as i32, payload_checksum: word(56) })
    }
}

/// Numbers from the front of bytes whose length has been checked.
struct Words<'a> {
    bytes: &'a [u8],
}

impl Words<'_> {
    fn chunks(&mut self, count: usize) -> Vec<Chunk> {
        let (front, rest) = self.bytes.split_at(2 * count);
        self.bytes = rest;
        let chunk = |bytes: &[u8]| {
            Chunk(std::array::from_fn(|lane| i16::from_le_bytes([bytes[2 * lane], bytes[2 * lane + 1]])))
        };
        front.chunks_exact(2 * LANES).map(chunk).collect()
    }

    fn number(&mut self) -> i32 {
        let (front, rest) = self.bytes.split_at(4);
        self.bytes = rest;
        i32::from_le_bytes([front[0], front[1], front[2], front[3]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(change: impl Fn(&mut [u8])) -> Vec<u8> {
        let mut bytes = EMBEDDED.to_vec();
        change(&mut bytes);
        let sum = crc32(&bytes[..60]);
        bytes[60..64].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn refusal(bytes: &[u8]) -> String {
        Network::from_bytes(bytes).expect_err("refused").to_string()
    }

    #[test]
    fn the_embedded_network_is_whole() {
        let network = Network::embedded().unwrap();
        assert_eq!(network.hidden() % LANES, 0);
    }

    #[test]
    fn bad_files_are_refused_with_a_reason() {
        let whole = EMBEDDED.len();
        assert!(refusal(b"").contains("does not begin with TABIYANN"));
        assert!(refusal(&EMBEDDED[..30]).contains("truncated: 30 bytes, expected 64"));
        let cut = refusal(&EMBEDDED[..whole - 1]);
        assert!(cut.contains(&format!("truncated: {} bytes, expected {whole}", whole - 1)), "{cut}");
        assert!(refusal(&[EMBEDDED, &[0]].concat()).contains("too long"));
        assert!(refusal(&header(|bytes| bytes[8] = 2)).contains("version 2 of the file format, expected 1"));
        assert!(refusal(&header(|bytes| bytes[12] = 9)).contains("architecture 9, expected 1"));
        assert!(refusal(&header(|bytes| bytes[16] = 33)).contains("expected a multiple of 32 up to 4096"));
        assert!(refusal(&header(|bytes| bytes[20] = 4)).contains("output buckets is 4, expected 8"));
        assert!(refusal(&header(|bytes| bytes[36] = 3)).contains("even score is 3, expected 10 to 1000"));
        let mut changed = EMBEDDED.to_vec();
        changed[40] ^= 1;
        assert!(refusal(&changed).contains("the checksum of the header does not fit"));
        changed[40] ^= 1;
        changed[whole / 2] ^= 1;
        assert!(refusal(&changed).contains("the checksum of the weights does not fit"));
    }

    #[test]
    fn weights_that_could_overflow_are_refused() {
        let with_weight = |at: usize, value: i16| {
            let mut bytes = EMBEDDED.to_vec();
            bytes[at..at + 2].copy_from_slice(&value.to_le_bytes());
            let sum = crc32(&bytes[HEADER_BYTES..]);
            bytes[56..60].copy_from_slice(&sum.to_le_bytes());
            let sum = crc32(&bytes[..60]);
            bytes[60..64].copy_from_slice(&sum.to_le_bytes());
            bytes
        };
        assert!(refusal(&with_weight(HEADER_BYTES + 2, 2000)).contains("hidden neuron 1 could reach"));
        let last = EMBEDDED.len() - 4 * BUCKETS - 2;
        assert!(refusal(&with_weight(last, -200)).contains("a weight of output 7 could reach 200"));
    }

    #[test]
    fn a_missing_file_is_said() {
        let error = Network::open(Path::new("/no/such.net")).expect_err("refused").to_string();
        assert!(error.starts_with("cannot be read: "), "{error}");
    }
}

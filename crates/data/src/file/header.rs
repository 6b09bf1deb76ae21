//! How the games of a file came about.

use super::format::word;
use common::crc32;

pub const HEADER_BYTES: usize = 64;
const MAGIC: [u8; 8] = *b"TABIYAGM";
const VERSION: u32 = 1;
const CHECKED: usize = HEADER_BYTES - 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Header {
    pub seed: u64,
    pub shard: u32,
    pub soft_nodes: u32,
    pub hard_nodes: u32,
    /// The checksum of the network that played; 0: the hand-crafted evaluation.
    pub network: u32,
}

impl Header {
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.shard.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.seed.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.soft_nodes.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.hard_nodes.to_le_bytes());
        bytes[32..36].copy_from_slice(&self.network.to_le_bytes());
        let sum = crc32(&bytes[..CHECKED]);
        bytes[CHECKED..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Header, String> {
        if !bytes.starts_with(&MAGIC) {
            return Err("no file of games: it does not begin with TABIYAGM".to_string());
        }
        if bytes.len() < HEADER_BYTES {
            return Err(format!("the header has {} bytes, expected {HEADER_BYTES}", bytes.len()));
        }
        let version = word(bytes, 8);
        if version != VERSION {
            return Err(format!("version {version}, expected {VERSION}: written by another Tabiya"));
        }
        if word(bytes, CHECKED) != crc32(&bytes[..CHECKED]) {
            return Err("the header's checksum does not fit".to_string());
        }
        let seed = u64::from(word(bytes, 16)) | u64::from(word(bytes, 20)) << 32;
        Ok(Header {
            seed,
            shard: word(bytes, 12),
            soft_nodes: word(bytes, 24),
            hard_nodes: word(bytes, 28),
            network: word(bytes, 32),
        })
    }
}

//! Reads a weights file: a header with the shape, then every tensor in a fixed order, then a checksum.
//!
//! Matrices inside the blocks come as rows of signed bytes, each row with its own scale; the few small ones and all
//! vectors are 32-bit floats, little end first. `trainer/human/export.py` writes the same order.

use super::input::{CONDITIONS, PLANES};
use super::network::{Bend, Block, Linear, Network, Policy, SQUARES, SQUEEZE, Shape};
use super::panels::Panels;
use std::fmt;

const MAGIC: &[u8; 8] = b"TBYREPLY";
const VERSION: u32 = 1;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WeightsError {
    /// This program does not contain the weights, and its host has not given it any.
    NotLoaded,
    NotWeights,
    Version {
        found: u32,
    },
    /// A number in the header is out of range or at odds with another.
    Shape {
        what: &'static str,
        found: u32,
    },
    Length {
        found: usize,
        expected: usize,
    },
    Checksum {
        found: u64,
        expected: u64,
    },
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::NotLoaded => f.write_str("the reply network is not loaded"),
            WeightsError::NotWeights => {
                f.write_str("not a reply network: the file begins with neither TBYREPLY nor TBYREPL2")
            }
            WeightsError::Version { found } => write!(f, "reply network version {found}, expected {VERSION}"),
            WeightsError::Shape { what, found } => {
                write!(f, "reply network header: {what} cannot be {found}")
            }
            WeightsError::Length { found, expected } => {
                write!(f, "reply network: {found} bytes, expected {expected}")
            }
            WeightsError::Checksum { found, expected } => {
                write!(f, "reply network damaged: checksum {found:016x}, expected {expected:016x}")
            }
        }
    }
}

impl std::error::Error for WeightsError {}

pub fn read(bytes: &[u8]) -> Result<Network, WeightsError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err(WeightsError::NotWeights) };
    let mut reader = Reader::new(rest);
    let version = reader.word();
    if version != VERSION {
        return Err(WeightsError::Version { found: version });
    }
    let shape = read_shape(&mut reader)?;
    check_body(bytes, bytes.len() - reader.rest.len(), body_length(&shape))?;
    Ok(read_network(&mut reader, shape))
}

/// Whether the file is as long as its header promises and undamaged: header, body, checksum.
pub fn check_body(bytes: &[u8], header: usize, body: usize) -> Result<(), WeightsError> {
    let expected = header + body + 8;
    if bytes.len() != expected {
        return Err(WeightsError::Length { found: bytes.len(), expected });
    }
    let (body, tail) = bytes.split_at(bytes.len() - 8);
    let expected = Reader::new(tail).long();
    let found = fingerprint(body);
    if found != expected {
        return Err(WeightsError::Checksum { found, expected });
    }
    Ok(())
}

fn read_shape(reader: &mut Reader<'_>) -> Result<Shape, WeightsError> {
    let mut field = |what, low: u32, high: u32| match reader.word() {
        found if (low..=high).contains(&found) => Ok(found as usize),
        found => Err(WeightsError::Shape { what, found }),
    };
    let shape = Shape {
        dim: field("dim", 8, 1024)?,
        layers: field("layers", 1, 64)?,
        heads: field("heads", 1, 64)?,
        hidden: field("hidden", 8, 4096)?,
        policy: field("policy", 8, 1024)?,
        dynamic: field("dynamic", 0, 1024)?,
    };
    field("planes", PLANES as u32, PLANES as u32)?;
    field("conditions", CONDITIONS as u32, CONDITIONS as u32)?;
    if !shape.dim.is_multiple_of(shape.heads) {
        return Err(WeightsError::Shape { what: "heads", found: shape.heads as u32 });
    }
    Ok(shape)
}

fn body_length(shape: &Shape) -> usize {
    let Shape { dim, layers, heads, hidden, policy, dynamic } = *shape;
    let bytes = |rows: usize, columns: usize| rows * (4 + columns);
    let floats = |count: usize| count * 4;
    let mut block = floats(2 * dim) + bytes(3 * dim, dim) + bytes(dim, dim) + bytes(heads * SQUARES, SQUARES);
    block += bytes(hidden, dim) + floats(hidden) + bytes(dim, hidden) + floats(dim);
    let mut patterns = 0;
    if dynamic > 0 {
        block += bytes(SQUEEZE, dim) + bytes(dynamic, SQUARES * SQUEEZE) + floats(2 * dynamic);
        block += bytes(heads * SQUARES, dynamic);
        patterns = bytes(SQUARES, SQUARES * SQUARES);
    }
    let front = floats(dim * (PLANES + CONDITIONS + 1 + SQUARES));
    let back = floats(dim) + Policy::body_length(policy, dim);
    front + layers * block + back + patterns
}

fn read_network(reader: &mut Reader<'_>, shape: Shape) -> Network {
    let dim = shape.dim;
    let planes = panels(&reader.floats(dim * PLANES), PLANES);
    let conditions = reader.floats(dim * CONDITIONS);
    let conditions = Linear { weights: panels(&conditions, CONDITIONS), bias: reader.floats(dim) };
    let place = reader.floats(SQUARES * dim);
    let blocks = (0..shape.layers).map(|_| read_block(reader, &shape)).collect();
    let norm = reader.floats(dim);
    let policy = Policy::read(reader, shape.policy, dim);
    let patterns = (shape.dynamic > 0).then(|| {
        let rows = reader.bytes(SQUARES, SQUARES * SQUARES);
        Panels::new(SQUARES, SQUARES * SQUARES, |row, column| rows[row * SQUARES * SQUARES + column])
    });
    Network { shape, planes, conditions, place, blocks, norm, policy, patterns }
}

impl Policy {
    pub fn read(reader: &mut Reader<'_>, width: usize, dim: usize) -> Policy {
        Policy {
            source: read_linear(reader, width, dim),
            destination: read_linear(reader, width, dim),
            promotion: Linear { weights: panels(&reader.floats(3 * dim), dim), bias: reader.floats(3) },
        }
    }

    /// Bytes in the file.
    pub fn body_length(width: usize, dim: usize) -> usize {
        2 * (width * (4 + dim) + 4 * width) + 4 * (3 * dim + 3)
    }
}

fn read_block(reader: &mut Reader<'_>, shape: &Shape) -> Block {
    let Shape { dim, heads, hidden, dynamic, .. } = *shape;
    Block {
        norm_attention: reader.floats(dim),
        norm_hidden: reader.floats(dim),
        qkv: panels(&reader.bytes(3 * dim, dim), dim),
        out: panels(&reader.bytes(dim, dim), dim),
        bias: reader.bytes(heads * SQUARES, SQUARES),
        up: read_linear(reader, hidden, dim),
        down: read_linear(reader, dim, hidden),
        bend: (dynamic > 0).then(|| Bend {
            squeeze: panels(&reader.bytes(SQUEEZE, dim), dim),
            mix: read_linear(reader, dynamic, SQUARES * SQUEEZE),
            norm: reader.floats(dynamic),
            spread: panels(&reader.bytes(heads * SQUARES, dynamic), dynamic),
        }),
    }
}

pub fn read_linear(reader: &mut Reader<'_>, rows: usize, columns: usize) -> Linear {
    Linear { weights: panels(&reader.bytes(rows, columns), columns), bias: reader.floats(rows) }
}

/// A file holds one row per output; the product wants the transpose.
pub fn panels(rows: &[f32], depth: usize) -> Panels {
    Panels::new(depth, rows.len() / depth, |row, column| rows[column * depth + row])
}

/// FNV-1a, 64 bits: guards against damage, not against malice.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}

/// Reads from the front. Past the end it reads zeros: `read` has compared the length before any tensor is taken.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub fn new(rest: &'a [u8]) -> Reader<'a> {
        Reader { rest }
    }

    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.rest.split_at(count.min(self.rest.len()));
        self.rest = rest;
        taken
    }

    pub fn word(&mut self) -> u32 {
        self.take(4).first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn long(&mut self) -> u64 {
        self.take(8).first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    pub fn floats(&mut self, count: usize) -> Vec<f32> {
        let (words, _) = self.take(4 * count).as_chunks::<4>();
        words.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }

    /// Scales first, then rows of signed bytes.
    pub fn bytes(&mut self, rows: usize, columns: usize) -> Vec<f32> {
        let scales = self.floats(rows);
        let numbers = self.take(rows * columns);
        let cells = numbers.chunks_exact(columns).zip(scales);
        cells.flat_map(|(row, scale)| row.iter().map(move |byte| f32::from(*byte as i8) * scale)).collect()
    }
}

//! Opening books: positions and the move to play in each, as one hash table in one file.
//!
//! A probe looks at one or two neighbouring slots; a list of 10,000 entries, as a player of the 2018 course had, is walked
//! through. A book is read from bytes and written to bytes; files are the caller's business.

use std::collections::BTreeMap;
use std::fmt;

use laser::{Move, Position};

/// What the book says about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    pub mv: Move,
    /// Centipawns from the side to move when the move was found.
    pub score: i16,
    /// Depth of the search that found it.
    pub depth: u8,
}

/// A book in the making, by key; ordered, so that the same entries always give the same file.
pub type BookEntries = BTreeMap<u64, BookMove>;

/// Sixteen bytes: key, move, score, depth, and three that are zero.
const SLOT: usize = 16;
const HEADER: usize = 24;
const MAGIC: &[u8; 8] = b"TABLBK01";

/// A finished book. Slots are probed from the key's own one on; at least a third of them are empty.
#[derive(Clone, Debug, Default)]
pub struct Book {
    slots: Vec<Option<(u64, BookMove)>>,
    count: usize,
}

/// Why bytes are no book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookError {
    /// The first bytes are not a book's.
    Foreign,
    /// Fewer or more bytes than the header promises.
    Length { found: usize, expected: usize },
    /// A slot holds bits that are no move.
    BadMove { slot: usize, bits: u16 },
    /// The header counts other entries than there are.
    Count { found: usize, expected: usize },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Foreign => f.write_str("not a laser book: it does not begin with TABLBK01"),
            BookError::Length { found, expected } => {
                let what = if found < expected { "truncated" } else { "too long" };
                write!(f, "{what}: {found} bytes, expected {expected}")
            }
            BookError::BadMove { slot, bits } => write!(f, "slot {slot}: {bits:#06x} is no move"),
            BookError::Count { found, expected } => write!(f, "{found} entries, the header says {expected}"),
        }
    }
}

impl std::error::Error for BookError {}

impl Book {
    /// A book of these entries.
    pub fn new(entries: &BookEntries) -> Book {
        let size = if entries.is_empty() { 0 } else { entries.len() * 3 / 2 + 2 };
        let mut book = Book { slots: vec![None; size], count: entries.len() };
        for (&key, &entry) in entries {
            let mut index = book.home(key);
            while book.slots[index].is_some() {
                index = (index + 1) % size;
            }
            book.slots[index] = Some((key, entry));
        }
        book
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len() as u128) >> 64) as usize
    }

    /// What the book plays here, if it knows the position and the move may be played.
    #[inline]
    pub fn probe(&self, position: &Position) -> Option<BookMove> {
        self.find(position.key()).filter(|found| position.is_legal(found.mv))
    }

    fn find(&self, key: u64) -> Option<BookMove> {
        if self.slots.is_empty() {
            return None;
        }
        let home = self.home(key);
        let (before, after) = self.slots.split_at(home);
        for slot in after.iter().chain(before) {
            match slot {
                Some((known, found)) if *known == key => return Some(*found),
                Some(_) => {}
                None => return None,
            }
        }
        None
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Slots of the table: its size on disk is sixteen bytes each.
    pub fn slots(&self) -> usize {
        self.slots.len()
    }

    pub fn entries(&self) -> impl Iterator<Item = (u64, BookMove)> + '_ {
        self.slots.iter().flatten().copied()
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + SLOT * self.slots.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&(self.count as u64).to_le_bytes());
        bytes.extend_from_slice(&(self.slots.len() as u64).to_le_bytes());
        for slot in &self.slots {
            let (key, bits, score, depth) = match slot {
                Some((key, entry)) => (*key, entry.mv.bits(), entry.score, entry.depth),
                None => (0, 0, 0, 0),
            };
            bytes.extend_from_slice(&key.to_le_bytes());
            bytes.extend_from_slice(&bits.to_le_bytes());
            bytes.extend_from_slice(&score.to_le_bytes());
            bytes.extend_from_slice(&[depth, 0, 0, 0]);
        }
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Book, BookError> {
        let (header, body) = bytes.split_at_checked(HEADER).ok_or(BookError::Foreign)?;
        if &header[..8] != MAGIC {
            return Err(BookError::Foreign);
        }
        let count = word(&header[8..16]) as usize;
        let slots = word(&header[16..24]);
        let expected = slots.saturating_mul(SLOT as u64).saturating_add(HEADER as u64);
        if bytes.len() as u64 != expected {
            return Err(BookError::Length { found: bytes.len(), expected: expected as usize });
        }
        let read = |(index, slot): (usize, &[u8])| {
            let bits = u16::from_le_bytes([slot[8], slot[9]]);
            if bits == 0 {
                return Ok(None);
            }
            let mv = Move::from_bits(bits).ok_or(BookError::BadMove { slot: index, bits })?;
            let score = i16::from_le_bytes([slot[10], slot[11]]);
            Ok(Some((word(&slot[..8]), BookMove { mv, score, depth: slot[12] })))
        };
        let slots = body.chunks_exact(SLOT).enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
        let found = slots.iter().flatten().count();
        if found != count {
            return Err(BookError::Count { found, expected: count });
        }
        Ok(Book { slots, count })
    }
}

/// Up to eight little-endian bytes.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> (BookEntries, Vec<Position>) {
        let mut entries = BookEntries::new();
        let mut positions = Vec::new();
        for mv in Position::start().moves() {
            let position = Position::start().after(mv);
            let reply = position.moves()[0];
            entries.insert(position.key(), BookMove { mv: reply, score: -3, depth: 9 });
            positions.push(position);
        }
        (entries, positions)
    }

    #[test]
    fn every_entry_is_found_again_before_and_after_the_disk() {
        let (entries, positions) = sample();
        let book = Book::new(&entries);
        let read = Book::from_bytes(&book.to_bytes()).unwrap();
        for book in [&book, &read] {
            // Two pawns can step into their own king's fire on two squares each: four moves, two positions.
            assert_eq!((book.len(), positions.len()), (59, 61));
            assert_eq!(book.entries().count(), book.len());
            for position in &positions {
                assert_eq!(book.probe(position), entries.get(&position.key()).copied());
            }
            assert_eq!(book.probe(&Position::start()), None);
        }
    }

    #[test]
    fn damaged_files_say_what_is_wrong() {
        let bytes = Book::new(&sample().0).to_bytes();
        let cut = &bytes[..bytes.len() - 5];
        let error = Book::from_bytes(cut).unwrap_err().to_string();
        assert!(error.starts_with("truncated: "), "{error}");
        assert_eq!(Book::from_bytes(b"PNG").unwrap_err(), BookError::Foreign);
        let mut wrong = bytes.clone();
        wrong[8] ^= 1;
        assert!(matches!(Book::from_bytes(&wrong), Err(BookError::Count { .. })));
        let mut wrong = bytes;
        let slot = (HEADER..).step_by(SLOT).find(|&start| wrong[start + 8] != 0).unwrap();
        wrong[slot + 9] = 0xff;
        assert!(matches!(Book::from_bytes(&wrong), Err(BookError::BadMove { .. })));
    }
}

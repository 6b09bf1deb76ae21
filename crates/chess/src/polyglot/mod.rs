//! Opening books in the PolyGlot format: sorted 16-byte entries of key, move, weight and learning data.

mod numbers;

use crate::position::Position;
use crate::types::{Color, Move, PieceKind, Square};
use numbers::NUMBERS;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

const ENTRY_SIZE: u64 = 16;
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The key by which books file a position.
pub fn key(position: &Position) -> u64 {
    let board = position.board();
    let mut key = 0;
    for square in board.occupied() {
        if let Some(piece) = board.piece_on(square) {
            // The format counts black pawn 0, white pawn 1, black knight 2, ...
            let kind = 2 * piece.kind().index() + usize::from(piece.color().is_white());
            key ^= NUMBERS[64 * kind + square.index()];
        }
    }
    for (i, (color, kingside)) in
        [(Color::White, true), (Color::White, false), (Color::Black, true), (Color::Black, false)]
            .into_iter()
            .enumerate()
    {
        if board.castling_rook(color, kingside).is_some() {
            key ^= NUMBERS[CASTLING + i];
        }
    }
    // The format counts en passant when a pawn stands ready to capture, even a pinned one; a position here keeps the
    // square only if the capture is legal. Books hardly know the difference.
    if let Some(to) = board.en_passant() {
        key ^= NUMBERS[EN_PASSANT + to.file().index()];
    }
    if position.turn().is_white() {
        key ^= NUMBERS[WHITE_TO_MOVE];
    }
    key
}

/// A move the book knows, legal in the position it was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    pub mv: Move,
    /// How often the book's maker wants it played, against the others.
    pub weight: u16,
}

#[derive(Debug)]
pub enum BookError {
    Io(io::Error),
    /// The file's length is no whole number of entries.
    Truncated {
        bytes: u64,
    },
    /// An entry is smaller than the one before it: not a book, or a damaged one.
    Unsorted {
        entry: u64,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Io(error) => write!(f, "book: {error}"),
            BookError::Truncated { bytes } => {
                write!(
                    f,
                    "book: {bytes} bytes, expected a multiple of {ENTRY_SIZE}: cut off, or not a PolyGlot book"
                )
            }
            BookError::Unsorted { entry } => {
                write!(f, "book: entry {entry} is out of order: damaged, or not a PolyGlot book")
            }
        }
    }
}

impl std::error::Error for BookError {}

impl From<io::Error> for BookError {
    fn from(error: io::Error) -> BookError {
        BookError::Io(error)
    }
}

/// An open book; entries are read when asked for, so its size does not matter.
#[derive(Debug)]
pub struct Book<R = File> {
    reader: R,
    entries: u64,
}

impl Book<File> {
    pub fn open(path: impl AsRef<Path>) -> Result<Book<File>, BookError> {
        // A device has no end to look for.
        if !std::fs::metadata(&path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file").into());
        }
        Book::new(File::open(path)?)
    }
}

impl<R: Read + Seek> Book<R> {
    /// Checks length and order at a few places; a whole check would read the whole file.
    pub fn new(mut reader: R) -> Result<Book<R>, BookError> {
        let bytes = reader.seek(SeekFrom::End(0))?;
        if bytes % ENTRY_SIZE != 0 {
            return Err(BookError::Truncated { bytes });
        }
        let mut book = Book { reader, entries: bytes / ENTRY_SIZE };
        let mut before = 0;
        let step = (book.entries / 64).max(1);
        for entry in (0..book.entries).step_by(step as usize) {
            let (key, ..) = book.entry(entry)?;
            if key < before {
                return Err(BookError::Unsorted { entry });
            }
            before = key;
        }
        Ok(book)
    }

    pub fn len(&self) -> u64 {
        self.entries
    }

    pub fn is_empty(&self) -> bool {
        self.entries == 0
    }

    fn entry(&mut self, index: u64) -> Result<(u64, u16, u16), BookError> {
        let mut bytes = [0; ENTRY_SIZE as usize];
        self.reader.seek(SeekFrom::Start(index * ENTRY_SIZE))?;
        self.reader.read_exact(&mut bytes)?;
        let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, w0, w1, ..] = bytes;
        let key = u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7]);
        Ok((key, u16::from_be_bytes([m0, m1]), u16::from_be_bytes([w0, w1])))
    }

    /// The book's legal moves here, heaviest first.
    pub fn moves(&mut self, position: &Position) -> Result<Vec<BookMove>, BookError> {
        let key = key(position);
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = u64::midpoint(low, high);
            if self.entry(middle)?.0 < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut found: Vec<BookMove> = Vec::new();
        for index in low..self.entries {
            let (entry_key, bits, weight) = self.entry(index)?;
            if entry_key != key {
                break;
            }
            let Some(mv) = decode(position, bits) else { continue };
            if !found.iter().any(|known| known.mv == mv) {
                found.push(BookMove { mv, weight });
            }
        }
        found.sort_by_key(|known| std::cmp::Reverse(known.weight));
        Ok(found)
    }

    /// A move drawn by weight with `random`, any 64 random bits. Moves of weight zero are never played.
    pub fn pick(&mut self, position: &Position, random: u64) -> Result<Option<Move>, BookError> {
        let moves = self.moves(position)?;
        let total: u64 = moves.iter().map(|known| u64::from(known.weight)).sum();
        if total == 0 {
            return Ok(None);
        }
        let mut ticket = random % total;
        for known in &moves {
            let weight = u64::from(known.weight);
            if ticket < weight {
                return Ok(Some(known.mv));
            }
            ticket -= weight;
        }
        Ok(None)
    }
}

/// To-file, to-rank, from-file, from-rank, promotion: three bits each. Castling is king takes rook.
fn decode(position: &Position, bits: u16) -> Option<Move> {
    let three = |shift: u32| (bits >> shift & 7) as u8;
    let to = Square::wrapping(three(3) * 8 + three(0));
    let from = Square::wrapping(three(9) * 8 + three(6));
    let promotion = match three(12) {
        0 => None,
        1 => Some(PieceKind::Knight),
        2 => Some(PieceKind::Bishop),
        3 => Some(PieceKind::Rook),
        4 => Some(PieceKind::Queen),
        _ => return None,
    };
    position
        .legal_moves()
        .iter()
        .copied()
        .find(|mv| mv.from() == from && mv.to() == to && mv.promotes_to() == promotion)
}

/// A book's bytes: the entries sorted by key, the heavier move of a position first.
pub fn write<'a>(entries: impl Iterator<Item = (&'a Position, Move, u16)>) -> Vec<u8> {
    let mut rows: Vec<(u64, u16, u16)> =
        entries.map(|(position, mv, weight)| (key(position), encode(mv), weight)).collect();
    rows.sort_by_key(|(key, bits, weight)| (*key, std::cmp::Reverse(*weight), *bits));
    let row = |(key, bits, weight): (u64, u16, u16)| {
        // The last four bytes are for what a book learns.
        [&key.to_be_bytes()[..], &bits.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    rows.into_iter().flat_map(row).collect()
}

/// The inverse of [`decode`].
fn encode(mv: Move) -> u16 {
    let square = |square: Square| square.file().index() as u16 | (square.rank().index() as u16) << 3;
    let promotion = match mv.promotes_to() {
        Some(PieceKind::Knight) => 1,
        Some(PieceKind::Bishop) => 2,
        Some(PieceKind::Rook) => 3,
        Some(PieceKind::Queen) => 4,
        _ => 0,
    };
    square(mv.to()) | square(mv.from()) << 6 | promotion << 12
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// The keys that the format's own documentation lists.
    #[test]
    fn documented_keys() {
        for (fen, expected) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
        ] {
            assert_eq!(key(&Position::from_fen(fen).unwrap()), expected, "{fen}");
        }
    }

    fn entry(key: u64, from: (u16, u16), to: (u16, u16), weight: u16) -> Vec<u8> {
        let bits = to.0 | to.1 << 3 | from.0 << 6 | from.1 << 9;
        [&key.to_be_bytes()[..], &bits.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    }

    fn book() -> Book<Cursor<Vec<u8>>> {
        let start = key(&Position::default());
        let bytes = [
            entry(start - 1, (0, 1), (0, 2), 9),
            entry(start, (4, 1), (4, 3), 3),
            entry(start, (3, 1), (3, 3), 1),
            entry(start, (4, 1), (4, 5), 7), // illegal: skipped
            entry(start, (0, 1), (0, 2), 0),
            entry(start + 1, (0, 1), (0, 2), 9),
        ]
        .concat();
        Book::new(Cursor::new(bytes)).unwrap()
    }

    #[test]
    fn finds_legal_moves_by_weight() {
        let moves = book().moves(&Position::default()).unwrap();
        let listed: Vec<_> = moves.iter().map(|known| (format!("{:?}", known.mv), known.weight)).collect();
        assert_eq!(listed, [("e2e4".into(), 3), ("d2d4".into(), 1), ("a2a3".into(), 0)]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "3n4/P1P5/4k3/8/8/4K3/8/8 w - - 0 1",
        ];
        let positions = fens.map(|fen| Position::from_fen(fen).unwrap());
        let entries: Vec<(&Position, Move, u16)> = (positions.iter())
            .flat_map(|position| {
                let moves: Vec<Move> = position.legal_moves().iter().copied().collect();
                moves.into_iter().enumerate().map(move |(index, mv)| (position, mv, index as u16 + 1))
            })
            .collect();
        let mut book = Book::new(Cursor::new(write(entries.iter().copied()))).unwrap();
        assert_eq!(book.len() as usize, entries.len());
        for (position, mv, weight) in entries {
            assert!(book.moves(position).unwrap().contains(&BookMove { mv, weight }), "{mv:?}");
        }
    }

    #[test]
    fn picks_in_proportion_and_never_a_weight_of_zero() {
        let mut book = book();
        let start = Position::default();
        let picked: Vec<_> =
            (0..8).map(|random| format!("{:?}", book.pick(&start, random).unwrap().unwrap())).collect();
        assert_eq!(picked, ["e2e4", "e2e4", "e2e4", "d2d4", "e2e4", "e2e4", "e2e4", "d2d4"]);
    }

    #[test]
    fn damaged_files_are_named_as_such() {
        let cut = Book::new(Cursor::new(vec![0; 17])).unwrap_err().to_string();
        assert!(cut.contains("17 bytes"), "{cut}");
        let start = key(&Position::default());
        let mixed = [entry(start, (0, 0), (0, 1), 1), entry(3, (0, 0), (0, 1), 1)].concat();
        assert!(Book::new(Cursor::new(mixed)).unwrap_err().to_string().contains("entry 1 is out of order"));
        assert!(Book::new(Cursor::new(Vec::new())).unwrap().is_empty());
    }
}

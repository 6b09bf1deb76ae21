//! One game as the files keep it: a start of 32 bytes, then four bytes a ply.
//!
//! | bytes | of a start |
//! |---|---|
//! | 8 | occupied squares, one bit each, a1 lowest |
//! | 16 | the pieces on them in that order, four bits each, low half first: 0 pawn to 5 king, 6 a rook that may castle; +8 for Black |
//! | 1 | en passant square (64: none), +128 when Black is to move |
//! | 1 | plies since a capture or pawn move |
//! | 2 | move number |
//! | 1 | result: 0 Black won, 1 draw, 2 White won |
//! | 1 | how it ended (see [`Ending`]) |
//! | 2 | number of plies |
//!
//! A ply is the move as [`Move::bits`] and the score of the position before it, from the side to move. All numbers
//! are little-endian.

use chess::{Color, Move, Piece, PieceKind, Position, Square};
use std::fmt::{self, Write as _};

pub const START_BYTES: usize = 32;
pub const PLY_BYTES: usize = 4;
const CASTLING_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;
const BLACK_TO_MOVE: u8 = 128;
/// Beyond this a score is a mate or a table-base result.
pub const MATE_SCORES: i16 = 30_000;
/// A position nobody has searched, in games that came from elsewhere.
pub const UNSCORED: i16 = i16::MIN;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    BlackWon,
    Draw,
    WhiteWon,
}

impl GameResult {
    pub const fn won_by(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWon,
            Color::Black => GameResult::BlackWon,
        }
    }

    /// 0, 1 or 2 half points for `color`.
    pub const fn half_points(self, color: Color) -> u8 {
        match color {
            Color::White => self as u8,
            Color::Black => 2 - self as u8,
        }
    }

    const fn from_byte(byte: u8) -> Option<GameResult> {
        Some(match byte {
            0 => GameResult::BlackWon,
            1 => GameResult::Draw,
            2 => GameResult::WhiteWon,
            _ => return None,
        })
    }
}

/// Why a game stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Ending {
    /// By the rules of chess.
    Rules,
    /// One side was seen to win for long enough.
    Decided,
    /// Equal for long enough.
    Level,
    /// Too long.
    Length,
}

impl Ending {
    pub const ALL: [Ending; 4] = [Ending::Rules, Ending::Decided, Ending::Level, Ending::Length];
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// What was played.
    pub mv: Move,
    /// What the search thought of the position before it, from the side to move.
    pub score: i16,
}

#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    pub start: Position,
    pub plies: Vec<Ply>,
    pub result: GameResult,
    pub ending: Ending,
}

/// What is wrong with the bytes of a game.
#[derive(Clone, PartialEq, Debug)]
pub enum GameError {
    Short { found: usize, expected: usize },
    Result(u8),
    Ending(u8),
    Pieces { found: u32 },
    Piece { square: Square, code: u8 },
    EnPassant(u8),
    Start(String),
    Illegal { ply: usize, bits: u16, fen: String },
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameError::Short { found, expected } => write!(f, "{found} bytes are left, expected {expected}"),
            GameError::Result(byte) => write!(f, "result {byte}, expected 0, 1 or 2"),
            GameError::Ending(byte) => write!(f, "ending {byte}, expected 0 to 3"),
            GameError::Pieces { found } => write!(f, "{found} pieces, expected at most 32"),
            GameError::Piece { square, code } => {
                write!(f, "piece code {code} on {square}, expected 0 to 6 or 8 to 14")
            }
            GameError::EnPassant(byte) => write!(f, "en passant square {byte}, expected 0 to 64"),
            GameError::Start(reason) => write!(f, "the start is no legal position: {reason}"),
            GameError::Illegal { ply, bits, fen } => {
                write!(f, "ply {ply}: {bits:#06x} is no legal move in {fen}")
            }
        }
    }
}

impl std::error::Error for GameError {}

impl GameRecord {
    /// Each ply with the position before it.
    pub fn walk(&self, mut visit: impl FnMut(&Position, Ply)) {
        let mut position = self.start.clone();
        for &ply in &self.plies {
            visit(&position, ply);
            position.play(ply.mv);
        }
    }

    /// Appends the game's bytes. A game of more than 65,535 plies is cut there.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let count = self.plies.len().min(usize::from(u16::MAX));
        pack(&self.start, bytes);
        bytes.extend_from_slice(&[self.result as u8, self.ending as u8]);
        bytes.extend_from_slice(&(count as u16).to_le_bytes());
        for ply in &self.plies[..count] {
            bytes.extend_from_slice(&ply.mv.bits().to_le_bytes());
            bytes.extend_from_slice(&ply.score.to_le_bytes());
        }
    }

    /// Reads one game from the front of `bytes`, and moves them on. Every move is checked.
    pub fn read(bytes: &mut &[u8]) -> Result<GameRecord, GameError> {
        let head: &[u8; START_BYTES] =
            bytes.first_chunk().ok_or(GameError::Short { found: bytes.len(), expected: START_BYTES })?;
        let result = GameResult::from_byte(head[28]).ok_or(GameError::Result(head[28]))?;
        let ending = *Ending::ALL.get(usize::from(head[29])).ok_or(GameError::Ending(head[29]))?;
        let count = usize::from(u16::from_le_bytes([head[30], head[31]]));
        let length = START_BYTES + count * PLY_BYTES;
        if bytes.len() < length {
            return Err(GameError::Short { found: bytes.len(), expected: length });
        }
        let start = unpack(head)?;
        let mut position = start.clone();
        let mut plies = Vec::with_capacity(count);
        for (ply, word) in bytes[START_BYTES..length].chunks_exact(PLY_BYTES).enumerate() {
            let bits = u16::from_le_bytes([word[0], word[1]]);
            let mv = Move::from_bits(bits)
                .filter(|&mv| position.is_legal(mv))
                .ok_or_else(|| GameError::Illegal { ply, bits, fen: position.to_fen() })?;
            plies.push(Ply { mv, score: i16::from_le_bytes([word[2], word[3]]) });
            position.play(mv);
        }
        *bytes = &bytes[length..];
        Ok(GameRecord { start, plies, result, ending })
    }
}

fn pack(position: &Position, bytes: &mut Vec<u8>) {
    let board = position.board();
    let mut nibbles = [0_u8; 16];
    for (i, square) in board.occupied().into_iter().enumerate().take(32) {
        nibbles[i / 2] |= code(position, square) << (4 * (i % 2));
    }
    let turn = if position.turn() == Color::Black { BLACK_TO_MOVE } else { 0 };
    bytes.extend_from_slice(&board.occupied().0.to_le_bytes());
    bytes.extend_from_slice(&nibbles);
    bytes.push(board.en_passant().map_or(NO_SQUARE, |square| square.index() as u8) | turn);
    bytes.push(position.halfmove_clock().min(255) as u8);
    bytes.extend_from_slice(&position.fullmove_number().to_le_bytes());
}

fn code(position: &Position, square: Square) -> u8 {
    let Some(piece) = position.piece_on(square) else { return 0 };
    let kind = if position.board().castling_rooks().has(square) { CASTLING_ROOK } else { piece.kind() as u8 };
    kind | (piece.color() as u8) << 3
}

/// Through the validating reader of FEN: a start is read once a game, and no half-legal position gets in.
fn unpack(head: &[u8; START_BYTES]) -> Result<Position, GameError> {
    let mut word = [0_u8; 8];
    word.copy_from_slice(&head[..8]);
    let occupied = u64::from_le_bytes(word);
    if occupied.count_ones() > 32 {
        return Err(GameError::Pieces { found: occupied.count_ones() });
    }
    let mut letters = [None; 64];
    let mut castling = String::new();
    for (i, square) in Square::all().filter(|square| occupied >> square.index() & 1 == 1).enumerate() {
        let code = head[8 + i / 2] >> (4 * (i % 2)) & 15;
        let color = if code & 8 == 0 { Color::White } else { Color::Black };
        let kind = match code & 7 {
            CASTLING_ROOK => PieceKind::Rook,
            kind => *PieceKind::ALL.get(usize::from(kind)).ok_or(GameError::Piece { square, code })?,
        };
        letters[square.index()] = Some(Piece::new(color, kind).to_char());
        if code & 7 == CASTLING_ROOK {
            let file = square.file().to_char();
            castling.push(if color == Color::White { file.to_ascii_uppercase() } else { file });
        }
    }
    let mut fen = String::with_capacity(96);
    for rank in (0..8).rev() {
        let mut empty = 0;
        for letter in &letters[8 * rank..8 * rank + 8] {
            match letter {
                None => empty += 1,
                Some(letter) => {
                    if empty > 0 {
                        let _ = write!(fen, "{empty}");
                        empty = 0;
                    }
                    fen.push(*letter);
                }
            }
        }
        if empty > 0 {
            let _ = write!(fen, "{empty}");
        }
        fen.push(if rank > 0 { '/' } else { ' ' });
    }
    fen.push(if head[24] & BLACK_TO_MOVE == 0 { 'w' } else { 'b' });
    let castling = if castling.is_empty() { "-".to_string() } else { castling };
    let square = head[24] & !BLACK_TO_MOVE;
    let en_passant = match Square::from_index(square) {
        Some(square) => square.to_string(),
        None if square == NO_SQUARE => "-".to_string(),
        None => return Err(GameError::EnPassant(square)),
    };
    let number = u16::from_le_bytes([head[26], head[27]]);
    let _ = write!(fen, " {castling} {en_passant} {} {number}", head[25]);
    Position::from_fen(&fen).map_err(|error| GameError::Start(format!("{fen}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::Random;

    fn random_game(fen: &str, seed: u64, length: usize) -> GameRecord {
        let start = Position::from_fen(fen).unwrap();
        let mut random = Random::new(seed);
        let mut position = start.clone();
        let mut plies = Vec::new();
        while plies.len() < length {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            plies.push(Ply { mv, score: random.next_u64() as i16 });
            position.play(mv);
        }
        GameRecord { start, plies, result: GameResult::Draw, ending: Ending::Rules }
    }

    const STARTS: [&str; 4] = [
        chess::fen::START,
        "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b Kq - 7 9",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ];

    #[test]
    fn a_game_comes_back_as_it_was() {
        for (seed, fen) in STARTS.into_iter().enumerate() {
            let game = random_game(fen, seed as u64, 150);
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            assert_eq!(bytes.len(), START_BYTES + PLY_BYTES * game.plies.len());
            let mut rest = bytes.as_slice();
            assert_eq!(GameRecord::read(&mut rest), Ok(game));
            assert!(rest.is_empty());
        }
    }

    #[test]
    fn broken_bytes_are_refused_with_a_reason() {
        let mut bytes = Vec::new();
        random_game(STARTS[0], 1, 10).write(&mut bytes);
        for (at, value, reason) in [
            (28, 3, "result 3, expected 0, 1 or 2"),
            (29, 9, "ending 9, expected 0 to 3"),
            (8, 0x7f, "piece code 15 on a1"),
            (24, 65, "en passant square 65"),
            (0, 0, "the start is no legal position"),
            (START_BYTES, 0xff, "ply 0: "),
        ] {
            let mut broken = bytes.clone();
            broken[at] = value;
            let message = GameRecord::read(&mut broken.as_slice()).unwrap_err().to_string();
            assert!(message.contains(reason), "{at}: {message}");
        }
        let message = GameRecord::read(&mut &bytes[..bytes.len() - 1]).unwrap_err().to_string();
        assert_eq!(message, "71 bytes are left, expected 72");
    }

    #[test]
    fn any_bytes_are_read_or_refused() {
        let mut random = Random::new(5);
        let mut good = Vec::new();
        random_game(STARTS[1], 2, 30).write(&mut good);
        for _ in 0..20_000 {
            let mut bytes = good.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = random.next_u64() as u8;
            }
            let _ = GameRecord::read(&mut bytes.as_slice());
        }
    }
}

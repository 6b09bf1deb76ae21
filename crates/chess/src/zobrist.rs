//! Keys that name positions (Zobrist 1970), whole and by part.

use crate::board::Board;
use crate::types::{Bitboard, Color, Piece, PieceKind, Square};
use common::Random;

/// The random numbers, drawn once at compile time.
struct Numbers {
    pieces: [[u64; 64]; 12],
    /// One for each rook square on which a right to castle can rest.
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

const fn draw() -> Numbers {
    let mut numbers =
        Numbers { pieces: [[0; 64]; 12], castling: [0; 64], en_passant: [0; 8], black_to_move: 0 };
    let mut random = Random::new(0x7461_6269_7961_3634);
    let mut piece = 0;
    while piece < 12 {
        let mut square = 0;
        while square < 64 {
            numbers.pieces[piece][square] = random.next_u64();
            square += 1;
        }
        piece += 1;
    }
    let mut square = 0;
    while square < 64 {
        numbers.castling[square] = random.next_u64();
        square += 1;
    }
    let mut file = 0;
    while file < 8 {
        numbers.en_passant[file] = random.next_u64();
        file += 1;
    }
    numbers.black_to_move = random.next_u64();
    numbers
}

const DRAWN: Numbers = draw();
static NUMBERS: Numbers = DRAWN;

#[inline(always)]
pub(crate) fn piece(piece: Piece, square: Square) -> u64 {
    NUMBERS.pieces[piece.index()][square.index()]
}

/// For tables made at compile time.
pub(crate) const fn piece_at_compile_time(piece: usize, square: usize) -> u64 {
    DRAWN.pieces[piece][square]
}

#[inline(always)]
pub(crate) fn castling(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| key ^ NUMBERS.castling[rook.index()])
}

#[inline(always)]
pub(crate) fn en_passant(square: Option<Square>) -> u64 {
    square.map_or(0, |square| NUMBERS.en_passant[square.file().index()])
}

#[inline(always)]
pub(crate) fn black_to_move() -> u64 {
    NUMBERS.black_to_move
}

pub(crate) const BLACK_TO_MOVE: u64 = DRAWN.black_to_move;

/// The keys of a position. The partial ones index the correction histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// Everything the rules of repetition compare.
    pub whole: u64,
    pub pawn: u64,
    /// Everything but pawns, by colour.
    pub non_pawn: [u64; 2],
    /// Knights, bishops and kings.
    pub minor: u64,
    /// Rooks, queens and kings.
    pub major: u64,
}

impl Keys {
    /// Computed from nothing; the incremental keys must always equal it.
    pub fn of(board: &Board) -> Keys {
        let mut keys = Keys::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                keys.toggle(piece, square);
            }
        }
        keys.whole ^= castling(board.castling_rooks()) ^ en_passant(board.en_passant());
        if board.turn() == Color::Black {
            keys.whole ^= black_to_move();
        }
        keys
    }

    /// Puts a piece on a square or takes it off again.
    #[inline(always)]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        let number = self::piece(piece, square);
        self.whole ^= number;
        match piece.kind() {
            PieceKind::Pawn => self.pawn ^= number,
            kind => {
                self.non_pawn[piece.color().index()] ^= number;
                if kind != PieceKind::Rook && kind != PieceKind::Queen {
                    self.minor ^= number;
                }
                if kind != PieceKind::Knight && kind != PieceKind::Bishop {
                    self.major ^= number;
                }
            }
        }
    }
}

//! The strict reader, field by field; the lenient one reuses its parts.

use super::FenError;
use super::error::{CastlingFault, EnPassantFault};
use super::validate::{has_turn_king_safe, has_valid_pieces};
use crate::board::{Board, back_rank};
use crate::position::Position;
use crate::types::{Bitboard, Color, File, Piece, PieceKind, Rank, Square};

/// Beyond any real game, and small enough for every counter.
pub(super) const MAX_COUNTER: u16 = 9999;

pub(super) fn position(fen: &str) -> Result<Position, FenError> {
    check_length(fen)?;
    let mut fields = fen.split(' ');
    let six = std::array::from_fn(|_| fields.next());
    let (
        [
            Some(pieces),
            Some(turn_field),
            Some(castling_field),
            Some(en_passant_field),
            Some(halfmove),
            Some(fullmove),
        ],
        None,
    ) = (six, fields.next())
    else {
        return Err(FenError::FieldCount { found: fen.split(' ').count() });
    };
    let mut board = self::pieces(pieces)?;
    board.set_turn(turn(turn_field)?);
    has_valid_pieces(&board)?;
    has_turn_king_safe(&board)?;
    board.set_castling(castling(&board, castling_field)?);
    board.set_en_passant(en_passant(&board, en_passant_field)?);
    let halfmove = counter(halfmove, 0).ok_or_else(|| FenError::HalfmoveClock { found: clip(halfmove) })?;
    let fullmove = counter(fullmove, 1).ok_or_else(|| FenError::FullmoveNumber { found: clip(fullmove) })?;
    Ok(Position::from_valid_board(board, halfmove, fullmove))
}

pub(super) fn check_length(fen: &str) -> Result<(), FenError> {
    if fen.len() > super::MAX_LENGTH { Err(FenError::TooLong { length: fen.len() }) } else { Ok(()) }
}

/// A field as an error quotes it: never more than a line.
pub(super) fn clip(text: &str) -> String {
    common::clip(text, 40)
}

pub(super) fn pieces(field: &str) -> Result<Board, FenError> {
    let found = field.bytes().filter(|byte| *byte == b'/').count() + 1;
    if found != 8 {
        return Err(FenError::RankCount { found });
    }
    let mut board = Board::empty();
    for (rank, text) in Rank::all().rev().zip(field.as_bytes().split(|byte| *byte == b'/')) {
        read_rank(&mut board, rank, text)?;
    }
    Ok(board)
}

/// A part of the field between two slashes; bytes, because a position is nothing but ASCII.
fn read_rank(board: &mut Board, rank: Rank, text: &[u8]) -> Result<(), FenError> {
    let name = rank.index() as u8 + 1;
    let mut squares = 0usize;
    let mut after_digit = false;
    for (at, &byte) in text.iter().enumerate() {
        if matches!(byte, b'1'..=b'8') {
            if after_digit {
                return Err(FenError::AdjacentDigits { rank: name });
            }
            after_digit = true;
            squares += usize::from(byte - b'0');
            continue;
        }
        after_digit = false;
        let Some(piece) = Piece::from_char(byte as char) else {
            let letter = String::from_utf8_lossy(&text[at..]).chars().next().unwrap_or(byte as char);
            return Err(FenError::UnknownPiece { rank: name, letter });
        };
        if let Some(file) = u8::try_from(squares).ok().and_then(File::new) {
            board.place(Square::new(file, rank), piece);
        }
        squares += 1;
    }
    if squares == 8 { Ok(()) } else { Err(FenError::RankLength { rank: name, squares }) }
}

pub(super) fn turn(field: &str) -> Result<Color, FenError> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::Turn { found: clip(field) }),
    }
}

fn castling(board: &Board, field: &str) -> Result<Bitboard, FenError> {
    let fault = |reason| FenError::Castling { found: clip(field), reason };
    let mut rooks = Bitboard::EMPTY;
    if field == "-" {
        return Ok(rooks);
    }
    if field.is_empty() || field.contains('-') {
        return Err(fault(CastlingFault::Order));
    }
    for letter in field.chars() {
        let rook = castling_right(board, letter).map_err(fault)?;
        if rooks.has(rook) {
            return Err(fault(CastlingFault::Repeated(letter)));
        }
        rooks |= rook.bitboard();
    }
    for color in Color::BOTH {
        let king = board.king(color);
        let own = rooks & back_rank(color);
        let right = own.into_iter().filter(|rook| *rook > king).count() as u32;
        if right > 1 || own.count() > right + 1 {
            return Err(fault(CastlingFault::TooMany(color)));
        }
    }
    Ok(rooks)
}

/// The rook one letter speaks of: `KQkq` the outermost on its side, a file letter the one on that file.
pub(super) fn castling_right(board: &Board, letter: char) -> Result<Square, CastlingFault> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let king = board.king(color);
    let rank = Rank::FIRST.relative_to(color);
    let rooks = board.pieces(color, PieceKind::Rook) & rank.bitboard();
    let no_rook = CastlingFault::NoRook { letter, color };
    let lower = letter.to_ascii_lowercase();
    if !matches!(lower, 'k' | 'q' | 'a'..='h') {
        return Err(CastlingFault::UnknownLetter(letter));
    }
    if king.rank() != rank {
        return Err(CastlingFault::KingNotOnBackRank(color));
    }
    match (lower, File::from_char(lower)) {
        ('k', _) => rooks.last().filter(|rook| *rook > king).ok_or(no_rook),
        ('q', _) => rooks.first().filter(|rook| *rook < king).ok_or(no_rook),
        (_, Some(file)) if file == king.file() => Err(CastlingFault::WrongSide { letter }),
        (_, Some(file)) => Some(Square::new(file, rank)).filter(|rook| rooks.has(*rook)).ok_or(no_rook),
        _ => Err(CastlingFault::UnknownLetter(letter)),
    }
}

/// The field must make sense; the square is kept only if a pawn can legally capture there.
pub(super) fn en_passant(board: &Board, field: &str) -> Result<Option<Square>, FenError> {
    let fault = |reason| FenError::EnPassant { found: clip(field), reason };
    if field == "-" {
        return Ok(None);
    }
    let target = Square::parse(field).ok_or_else(|| fault(EnPassantFault::NotASquare))?;
    let us = board.turn();
    // As the side to move sees it, the target is on its sixth rank, the pawn one below, its start one above.
    if target.relative_to(us).rank().index() != 5 {
        return Err(fault(EnPassantFault::WrongRank));
    }
    let forward = if us.is_white() { 1 } else { -1 };
    let pawn = target.offset(0, -forward).filter(|s| board.pieces(!us, PieceKind::Pawn).has(*s));
    let origin = target.offset(0, forward);
    match (pawn, origin) {
        (Some(_), Some(origin)) => {
            if board.occupied().has(target) || board.occupied().has(origin) {
                return Err(fault(EnPassantFault::Occupied));
            }
        }
        _ => return Err(fault(EnPassantFault::NoPawn)),
    }
    Ok(board.en_passant_exists(target, us).then_some(target))
}

pub(super) fn counter(field: &str, least: u16) -> Option<u16> {
    if field.is_empty() || !field.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    field.parse().ok().filter(|n| (least..=MAX_COUNTER).contains(n))
}

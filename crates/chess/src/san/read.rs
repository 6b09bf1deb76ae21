//! Reading: first the shape of the text, then which piece it can mean.

use super::error::{IllegalReason, SanError, clip};
use super::forward;
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, File, Move, PieceKind, Rank, Square};

/// What a text says, before asking the position.
struct Shape {
    kind: PieceKind,
    to: Square,
    /// Where the piece may come from, as far as the text says.
    from: Bitboard,
    /// A capture mark, or a pawn's file of origin: a pawn so written does not push.
    captures: bool,
    promotion: Option<PieceKind>,
}

pub(super) fn legal_move(position: &Position, text: &[u8]) -> Result<Move, SanError> {
    let bare = without_suffix(text);
    if let Some(kingside) = castling_side(bare) {
        return castle(position, text, kingside);
    }
    let shape = shape(bare).map_err(|reason| SanError::Malformed { found: clip(text), reason })?;
    let illegal = |reason| SanError::Illegal { found: clip(text), reason };
    if position.board().color(position.turn()).has(shape.to) {
        return Err(illegal(IllegalReason::OwnPiece { to: shape.to }));
    }
    if shape.kind != PieceKind::Pawn && shape.promotion.is_some() {
        return Err(illegal(IllegalReason::NeedlessPromotion));
    }
    let candidates = candidates(position, &shape) & shape.from;
    let Some(first) = candidates.first() else {
        return Err(illegal(IllegalReason::Unreachable { kind: shape.kind, to: shape.to }));
    };
    if shape.kind == PieceKind::Pawn {
        match (shape.promotion, Bitboard::BACK_RANKS.has(shape.to)) {
            (None, true) => return Err(illegal(IllegalReason::MissingPromotion { to: shape.to })),
            (Some(_), false) => return Err(illegal(IllegalReason::NeedlessPromotion)),
            _ => {}
        }
    }
    let mut legal = candidates.into_iter().filter(|&from| position.is_legal(packed(position, &shape, from)));
    match (legal.next(), legal.next()) {
        (Some(from), None) => Ok(packed(position, &shape, from)),
        (None, _) => Err(illegal(IllegalReason::KingInCheck { kind: shape.kind, from: first, to: shape.to })),
        (Some(one), Some(two)) => Err(SanError::Ambiguous {
            found: clip(text),
            kind: shape.kind,
            to: shape.to,
            candidates: legal.fold(one.bitboard() | two.bitboard(), |set, from| set | from.bitboard()),
        }),
    }
}

fn packed(position: &Position, shape: &Shape, from: Square) -> Move {
    match shape.promotion {
        Some(kind) => Move::promotion(from, shape.to, kind),
        None if shape.kind == PieceKind::Pawn
            && position.board().en_passant() == Some(shape.to)
            && from.file() != shape.to.file() =>
        {
            Move::en_passant(from, shape.to)
        }
        None => Move::normal(from, shape.to),
    }
}

/// Our pieces of the kind that reach the destination, checks and pins aside.
fn candidates(position: &Position, shape: &Shape) -> Bitboard {
    let board = position.board();
    let us = position.turn();
    let own = board.pieces(us, shape.kind);
    if shape.kind != PieceKind::Pawn {
        return attacks::piece(shape.kind, shape.to, board.occupied()) & own;
    }
    if shape.captures {
        return attacks::pawn(!us, shape.to) & own;
    }
    if board.occupied().has(shape.to) {
        return Bitboard::EMPTY;
    }
    let one = forward(!us, shape.to.bitboard());
    let two = forward(!us, one & !board.occupied()) & Rank::SECOND.relative_to(us).bitboard();
    (one | two) & own
}

fn castle(position: &Position, text: &[u8], kingside: bool) -> Result<Move, SanError> {
    let illegal = |reason| SanError::Illegal { found: clip(text), reason };
    let board = position.board();
    let rook = board
        .castling_rook(position.turn(), kingside)
        .ok_or_else(|| illegal(IllegalReason::NoCastlingRight { kingside }))?;
    let mv = Move::castling(board.king(position.turn()), rook);
    if position.is_legal(mv) { Ok(mv) } else { Err(illegal(IllegalReason::CastlingBlocked { kingside })) }
}

/// Check marks and opinions say nothing about which move it is; neither does `e.p.`
fn without_suffix(mut text: &[u8]) -> &[u8] {
    loop {
        text = match text {
            [rest @ .., b'+' | b'#' | b'!' | b'?'] | [rest @ .., b'e', b'.', b'p', b'.'] => rest,
            _ => return text,
        };
    }
}

fn castling_side(text: &[u8]) -> Option<bool> {
    match text {
        b"O-O" | b"0-0" | b"o-o" => Some(true),
        b"O-O-O" | b"0-0-0" | b"o-o-o" => Some(false),
        _ => None,
    }
}

fn shape(text: &[u8]) -> Result<Shape, &'static str> {
    let (kind, rest) = match text {
        [letter @ (b'N' | b'B' | b'R' | b'Q' | b'K' | b'P'), rest @ ..] => {
            (PieceKind::from_char(*letter as char).unwrap_or(PieceKind::Pawn), rest)
        }
        _ => (PieceKind::Pawn, text),
    };
    let (rest, promotion) = promotion(rest)?;
    let [before @ .., file, rank] = rest else {
        return Err("expected a destination square, as in Nf3 or e4");
    };
    let to = match (File::from_char(*file as char), Rank::from_char(*rank as char)) {
        (Some(file), Some(rank)) => Square::new(file, rank),
        _ => return Err("expected a destination square a1 to h8 at the end"),
    };
    let (before, mark) = match before {
        [before @ .., b'x' | b':'] => (before, true),
        [before @ .., b'-'] if !before.is_empty() => (before, false),
        before => (before, false),
    };
    let (file, rank) = origin(before)?;
    let on_file = file.map_or(Bitboard::ALL, File::bitboard);
    let on_rank = rank.map_or(Bitboard::ALL, Rank::bitboard);
    let captures = mark || (kind == PieceKind::Pawn && file.is_some_and(|file| file != to.file()));
    Ok(Shape { kind, to, from: on_file & on_rank, captures, promotion })
}

/// The piece behind `=`, or behind the square, or in brackets.
fn promotion(text: &[u8]) -> Result<(&[u8], Option<PieceKind>), &'static str> {
    let ([rest @ .., b'=' | b'/', letter]
    | [rest @ .., b'(', letter, b')']
    | [rest @ .., letter @ (b'N' | b'B' | b'R' | b'Q' | b'K' | b'n' | b'r' | b'q')]) = text
    else {
        return Ok((text, None));
    };
    match PieceKind::from_char(*letter as char) {
        None | Some(PieceKind::Pawn | PieceKind::King) => Err("a pawn promotes to Q, R, B or N"),
        kind => Ok((rest, kind)),
    }
}

fn origin(text: &[u8]) -> Result<(Option<File>, Option<Rank>), &'static str> {
    let file = |letter: u8| File::from_char(letter as char).ok_or("expected a file a to h before the square");
    let rank = |digit: u8| Rank::from_char(digit as char).ok_or("expected a rank 1 to 8 before the square");
    match *text {
        [] => Ok((None, None)),
        [digit @ b'0'..=b'9'] => Ok((None, Some(rank(digit)?))),
        [letter] => Ok((Some(file(letter)?), None)),
        [letter, digit] => Ok((Some(file(letter)?), Some(rank(digit)?))),
        _ => Err("too many characters before the destination square"),
    }
}

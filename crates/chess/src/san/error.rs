//! Why a text is not a move here.

use crate::types::{Bitboard, PieceKind, Square};
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SanError {
    /// Not the shape of a move.
    Malformed { found: String, reason: &'static str },
    /// The shape of a move, but no piece may make it.
    Illegal { found: String, reason: IllegalReason },
    /// More than one piece may make it.
    Ambiguous { found: String, kind: PieceKind, to: Square, candidates: Bitboard },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalReason {
    /// Nothing of the kind can go there, checks and pins aside.
    Unreachable {
        kind: PieceKind,
        to: Square,
    },
    /// One could, but its own king would be in check.
    KingInCheck {
        kind: PieceKind,
        from: Square,
        to: Square,
    },
    OwnPiece {
        to: Square,
    },
    NoCastlingRight {
        kingside: bool,
    },
    CastlingBlocked {
        kingside: bool,
    },
    MissingPromotion {
        to: Square,
    },
    NeedlessPromotion,
}

/// A quotation for an error: never more than a line, whatever the input holds.
pub(super) fn clip(text: &[u8]) -> String {
    common::clip(&String::from_utf8_lossy(text), 20)
}

pub(super) fn name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Knight => "knight",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::Queen => "queen",
        PieceKind::King => "king",
    }
}

impl fmt::Display for SanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SanError::Malformed { found, reason } => write!(f, "'{found}' is not a move: {reason}"),
            SanError::Illegal { found, reason } => write!(f, "move '{found}' is illegal: {reason}"),
            SanError::Ambiguous { found, kind, to, candidates } => {
                write!(f, "move '{found}' is ambiguous: the {}s on ", name(*kind))?;
                for (i, square) in candidates.into_iter().enumerate() {
                    write!(f, "{}{square}", if i == 0 { "" } else { " and " })?;
                }
                write!(f, " can both go to {to}")
            }
        }
    }
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |kingside: &bool| if *kingside { "king's" } else { "queen's" };
        match self {
            IllegalReason::Unreachable { kind, to } => write!(f, "no such {} can go to {to}", name(*kind)),
            IllegalReason::KingInCheck { kind, from, to } => {
                write!(f, "the {} from {from} to {to} would leave its king in check", name(*kind))
            }
            IllegalReason::OwnPiece { to } => write!(f, "a piece of the side to move stands on {to}"),
            IllegalReason::NoCastlingRight { kingside } => {
                write!(f, "no right to castle on the {} side", side(kingside))
            }
            IllegalReason::CastlingBlocked { kingside } => {
                write!(f, "castling on the {} side is blocked by a piece or an attack", side(kingside))
            }
            IllegalReason::MissingPromotion { to } => {
                write!(f, "a pawn reaching {to} must promote, expected a piece as in {to}=Q")
            }
            IllegalReason::NeedlessPromotion => f.write_str("only a pawn reaching the last rank promotes"),
        }
    }
}

impl std::error::Error for SanError {}

//! Odds, as the board asks for them.

pub use crate::messages::Odds;
use chess::{Color, PieceKind, Position};

/// The position without what the giver gives; `None` when that cannot be given here.
pub fn give(position: &Position, giver: Color, odds: Odds) -> Option<Position> {
    let kind = match odds {
        Odds::None => return Some(position.clone()),
        Odds::Pawn => PieceKind::Pawn,
        Odds::Knight => PieceKind::Knight,
        Odds::Bishop => PieceKind::Bishop,
        Odds::Rook => PieceKind::Rook,
        Odds::Queen => PieceKind::Queen,
    };
    human_model::odds::give(position, giver, kind)
}

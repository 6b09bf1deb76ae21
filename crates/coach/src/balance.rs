//! What the moves of a line take, and the names of what is taken.

use chess::{Move, PieceKind, Position, SEE_VALUES};

pub const fn piece_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Knight => "knight",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::Queen => "queen",
        PieceKind::King => "king",
    }
}

/// What the side to move has gained after each ply of the line; `None` where something still hangs: after a capture the
/// other side may take back.
pub(crate) fn settled_balances(position: &Position, line: &[Move]) -> Vec<Option<i32>> {
    let mut at = position.clone();
    let mut balance = 0;
    let mut balances = Vec::with_capacity(line.len());
    for (ply, mv) in line.iter().enumerate() {
        if !at.is_legal(*mv) {
            break;
        }
        balance += if ply % 2 == 0 { gain(&at, *mv) } else { -gain(&at, *mv) };
        at.play(*mv);
        let hangs = at.noisy_moves().iter().any(|reply| at.see_at_least(*reply, 100));
        balances.push((!hangs).then_some(balance));
    }
    balances
}

/// What a move takes, and what it becomes.
pub(crate) fn gain(position: &Position, mv: Move) -> i32 {
    let taken = position.captured(mv).map_or(0, |kind| SEE_VALUES[kind.index()]);
    taken + mv.promotes_to().map_or(0, |kind| SEE_VALUES[kind.index()] - SEE_VALUES[0])
}

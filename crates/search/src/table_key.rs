//! Under which keys the transposition table (TT) knows positions.

use chess::{Move, PieceKind, Position};

/// Under which key the table knows a position. Near the fifty-move limit equal boards are not equal positions: the key tells them
/// apart.
#[inline]
pub fn table_key(position: &Position) -> u64 {
    with_clock(position.key(), position.halfmove_clock())
}

#[inline]
fn with_clock(key: u64, halfmove_clock: u16) -> u64 {
    let clock = u64::from(halfmove_clock);
    if clock < 16 { key } else { key ^ (clock / 8).wrapping_mul(0x9e37_79b9_7f4a_7c15) }
}

/// The [`table_key`] after a move, before the move is made and nearly always right: for prefetching the table.
#[inline]
pub(crate) fn table_key_after(position: &Position, mv: Move) -> u64 {
    let is_final = position.piece_on(mv.to()).is_some()
        || position.piece_on(mv.from()).is_some_and(|piece| piece.kind() == PieceKind::Pawn);
    let clock = if is_final { 0 } else { position.halfmove_clock().saturating_add(1) };
    with_clock(position.key_after(mv), clock)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BENCH_POSITIONS;
    use chess::MoveKind;

    /// The table line of the child is asked for before the move is made, whatever the fifty-move count.
    #[test]
    fn the_expected_key_is_that_of_the_child() {
        let (mut right, mut moves) = (0, 0);
        for fen in BENCH_POSITIONS {
            for clock in [0, 14, 15, 16, 40, 87] {
                let fields: Vec<&str> = fen.split_whitespace().take(3).collect();
                let Ok(position) = Position::from_fen(&format!("{} - {clock} 60", fields.join(" "))) else {
                    continue;
                };
                for &mv in position.legal_moves().iter().filter(|mv| mv.kind() == MoveKind::Normal) {
                    moves += 1;
                    right += u32::from(table_key_after(&position, mv) == table_key(&position.after(mv)));
                }
            }
        }
        // Lost castling rights and double pawn steps beside an enemy pawn are the rest.
        assert!(moves > 5000 && right * 100 > moves * 95, "{right} of {moves}");
    }
}

//! King safety: the shelter of pawns, the storm against it, and the danger from pieces.

use super::features::{
    DANGER_BASE, DANGER_DEFENDER, DANGER_NO_QUEEN, DANGER_PINNED, DANGER_SAFE_CHECK, DANGER_SHIELD,
    DANGER_STORM, DANGER_TURN, DANGER_UNSAFE_CHECK, DANGER_WEAK, DANGER_WING_ATTACKED, DANGER_WING_DEFENDED,
    KING_FILE, KING_PAWN_DISTANCE, SHELTER, STORM,
};
use super::masks::{file_ahead, folded_file, ranks, wing};
use super::setting::EvalContext;
use super::sum::{Sum, side};
use super::trace::Trace;
use chess::{Bitboard, Board, Color, File, PieceKind, Rank, Square, attacks};

/// Pawns around one king; depends on pawns and kings only.
pub(super) fn shelter<const WHITE: bool, T: Trace>(board: &Board, sum: &mut Sum<'_, T>) {
    let us = side::<WHITE>();
    let king = board.king(us);
    let own = board.pieces(us, PieceKind::Pawn);
    let enemy = board.pieces(!us, PieceKind::Pawn);

    // At the edge the shelter is that of the king one file inside.
    let centre = king.file().index().clamp(1, 6);
    for index in centre - 1..=centre + 1 {
        let Some(file) = File::new(index as u8) else { continue };
        let below = Square::new(file, king.rank());
        let in_front = file_ahead(us, below) | below.bitboard();
        let ours = nearest(us, in_front & own);
        let theirs = nearest(us, in_front & enemy);
        let rammed = ours != 0 && theirs == ours + 1;
        sum.add::<WHITE>(SHELTER, folded_file(file) * 8 + ours);
        sum.add::<WHITE>(STORM, usize::from(rammed) * 32 + folded_file(file) * 8 + theirs);
        sum.endanger(us, DANGER_SHIELD, ours, 1);
        sum.endanger(us, DANGER_STORM, if rammed { 0 } else { theirs }, 1);
    }

    let file = king.file().bitboard();
    let closed = usize::from((file & own).any()) * 2 + usize::from((file & enemy).any());
    sum.add::<WHITE>(KING_FILE, closed);
    let distance = own.into_iter().map(|pawn| pawn.distance(king)).min().unwrap_or(0);
    sum.add::<WHITE>(KING_PAWN_DISTANCE, usize::from(distance));
}

/// The relative rank of the pawn closest to our back rank, 0 for none: no pawn stands there.
#[inline(always)]
fn nearest(us: Color, pawns: Bitboard) -> usize {
    let pawn = match us {
        Color::White => pawns.first(),
        Color::Black => pawns.last(),
    };
    pawn.map_or(Rank::FIRST.index(), |square| square.rank().relative_to(us).index())
}

/// What the enemy's pieces threaten against one king. Attackers of the zone were counted with the pieces.
#[inline(always)]
pub(super) fn danger<const WHITE: bool, T: Trace>(
    setting: &EvalContext<'_>,
    turn: Color,
    sum: &mut Sum<'_, T>,
) {
    let us = side::<WHITE>();
    let them = !us;
    let king = setting.king::<WHITE>();
    let ours = &setting.by[us.index()];
    let theirs = &setting.by[them.index()];
    let attacked = setting.attacked[them.index()];
    let defended = setting.attacked[us.index()];
    let king_or_queen = ours[PieceKind::King.index()] | ours[PieceKind::Queen.index()];

    sum.endanger(us, DANGER_BASE, 0, 1);
    if setting.enemy::<WHITE>(PieceKind::Queen).is_empty() {
        sum.endanger(us, DANGER_NO_QUEEN, 0, 1);
    }
    if turn == them {
        sum.endanger(us, DANGER_TURN, 0, 1);
    }

    // Squares they attack that nothing but king or queen holds, and holds once.
    let weak = attacked & !setting.attacked_twice[us.index()] & (!defended | king_or_queen);
    let zone = setting.king_zone[us.index()];
    sum.endanger(us, DANGER_WEAK, 0, (weak & zone).count() as i32);

    let safe = !setting.board.color(them) & (!defended | (weak & setting.attacked_twice[them.index()]));
    let through = setting.occupied ^ setting.own::<WHITE>(PieceKind::Queen);
    let straight = attacks::rook(king, through);
    let diagonal = attacks::bishop(king, through);
    let queen = theirs[PieceKind::Queen.index()] & (straight | diagonal);
    let checks = [
        attacks::knight(king) & theirs[PieceKind::Knight.index()],
        diagonal & theirs[PieceKind::Bishop.index()],
        straight & theirs[PieceKind::Rook.index()],
        // A queen next to a king whose queen holds the square gives nothing but herself.
        queen & !ours[PieceKind::Queen.index()],
    ];
    for (kind, squares) in checks.into_iter().enumerate() {
        let safely = squares & safe;
        if safely.any() {
            sum.endanger(us, DANGER_SAFE_CHECK, kind * 2 + usize::from(safely.more_than_one()), 1);
        } else if (squares & !setting.board.color(them)).any() {
            sum.endanger(us, DANGER_UNSAFE_CHECK, kind, 1);
        }
    }

    let pinned = setting.pinned[us.index()];
    sum.endanger(us, DANGER_PINNED, 0, pinned.count() as i32);
    let camp = wing(king) & ranks(us, 0, 4);
    let on_wing = attacked & camp;
    sum.endanger(us, DANGER_WING_ATTACKED, 0, on_wing.count() as i32);
    sum.endanger(
        us,
        DANGER_WING_ATTACKED,
        1,
        (on_wing & setting.attacked_twice[them.index()]).count() as i32,
    );
    sum.endanger(us, DANGER_WING_DEFENDED, 0, (defended & camp).count() as i32);
    let minors = setting.own::<WHITE>(PieceKind::Knight) | setting.own::<WHITE>(PieceKind::Bishop);
    sum.endanger(us, DANGER_DEFENDER, 0, (minors & zone).count() as i32);
}

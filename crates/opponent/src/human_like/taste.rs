//! What a character likes in a move.

use chess::{Color, Move, PieceKind, Position, Square};

/// Each field is the logarithm of the factor by which moves of a kind are more likely; negative makes them rarer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Taste {
    /// Gives material, by the exchanges on the square it goes to.
    pub sacrifice: f64,
    /// Gives check, or brings a piece nearer to the enemy king.
    pub attack: f64,
    /// Offers or makes an even exchange; of queens it counts twice.
    pub exchange: f64,
    /// Advances a pawn in front of the enemy king.
    pub pawn_storm: f64,
    /// Takes nothing, checks nothing and stays in the own half.
    pub quiet: f64,
}

/// A taste changes the odds of a move by at most this factor: what people never play stays rare.
const MOST: f64 = 8.0;
/// A sacrifice gives at least this much, in centipawns.
const SACRIFICE: i32 = -90;
/// An exchange is even within this.
const EVEN: i32 = 60;

impl Taste {
    pub fn factor(&self, position: &Position, mv: Move) -> f64 {
        let log = self.sacrifice * f64::from(u8::from(!position.see_at_least(mv, SACRIFICE)))
            + self.attack * approach(position, mv)
            + self.exchange * exchange(position, mv)
            + self.pawn_storm * f64::from(u8::from(is_storm(position, mv)))
            + self.quiet * f64::from(u8::from(is_quiet(position, mv)));
        log.exp().clamp(1.0 / MOST, MOST)
    }
}

fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks)
}

fn kind(position: &Position, square: Square) -> Option<PieceKind> {
    position.piece_on(square).map(chess::Piece::kind)
}

/// 1 for a check, a half for a piece that comes nearer to the enemy king, within 4 squares of it.
fn approach(position: &Position, mv: Move) -> f64 {
    if position.after(mv).in_check() {
        return 1.0;
    }
    if matches!(kind(position, mv.from()), Some(PieceKind::Pawn | PieceKind::King) | None) || mv.is_castling()
    {
        return 0.0;
    }
    let king = position.board().king(!position.turn());
    let (from, to) = (distance(mv.from(), king), distance(mv.to(), king));
    if to < from && to <= 4 { 0.5 } else { 0.0 }
}

/// 1 for an even exchange of pieces, 2 for one of queens, a half for offering one.
fn exchange(position: &Position, mv: Move) -> f64 {
    let Some(mover) = kind(position, mv.from()).filter(|kind| *kind != PieceKind::Pawn) else { return 0.0 };
    if let Some(taken) = position.captured(mv).filter(|kind| *kind != PieceKind::Pawn) {
        let even = position.see_at_least(mv, -EVEN) && !position.see_at_least(mv, EVEN + 1);
        let queens = mover == PieceKind::Queen && taken == PieceKind::Queen;
        return if even { 1.0 + f64::from(u8::from(queens)) } else { 0.0 };
    }
    if mv.is_castling() || mover == PieceKind::King || !position.see_at_least(mv, -EVEN) {
        return 0.0;
    }
    // The piece stands where one of its own kind may take it.
    let after = position.after(mv);
    let board = after.board();
    let attackers = board.attackers(mv.to(), board.occupied()) & board.pieces(after.turn(), mover);
    if attackers.any() { 0.5 + 0.5 * f64::from(u8::from(mover == PieceKind::Queen)) } else { 0.0 }
}

fn rank_seen_by(side: Color, square: Square) -> usize {
    square.relative_to(side).rank().index()
}

/// A pawn goes to the fourth rank or further, within a file of the enemy king, away from the own king.
fn is_storm(position: &Position, mv: Move) -> bool {
    let us = position.turn();
    let board = position.board();
    let away = |king: Square| king.file().index().abs_diff(mv.to().file().index());
    kind(position, mv.from()) == Some(PieceKind::Pawn)
        && rank_seen_by(us, mv.to()) >= 3
        && away(board.king(!us)) <= 1
        && away(board.king(us)) > 1
}

fn is_quiet(position: &Position, mv: Move) -> bool {
    !position.is_noisy(mv) && rank_seen_by(position.turn(), mv.to()) < 4 && !position.after(mv).in_check()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Taste = Taste { sacrifice: 0.0, attack: 0.0, exchange: 0.0, pawn_storm: 0.0, quiet: 0.0 };

    fn factor(taste: Taste, fen: &str, mv: &str) -> f64 {
        let position = Position::from_fen(fen).unwrap();
        taste.factor(&position, position.parse_uci(mv).unwrap())
    }

    #[test]
    fn no_taste_changes_nothing() {
        let position = Position::default();
        for mv in &position.legal_moves() {
            assert!((NONE.factor(&position, *mv) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn each_kind_is_told_from_the_others() {
        let greek = "r1bq1rk1/pppn1ppp/4p3/3pP3/1b1P4/2NB1N2/PPP2PPP/R1BQK2R w KQ - 0 1";
        let sacrifice = Taste { sacrifice: 1.0, ..NONE };
        assert!(factor(sacrifice, greek, "d3h7") > 2.0);
        assert!((factor(sacrifice, greek, "a2a3") - 1.0).abs() < 1e-12);
        let attack = Taste { attack: 1.0, ..NONE };
        assert!(factor(attack, greek, "d3h7") > 2.0 && factor(attack, greek, "f3g5") > 1.5);
        assert!((factor(attack, greek, "a1b1") - 1.0).abs() < 1e-12);
        let queens = "4k3/3q4/8/8/3Q4/8/8/4K3 w - - 0 1";
        let exchange = Taste { exchange: 1.0, ..NONE };
        assert!(factor(exchange, queens, "d4d7") > 2.0);
        assert!((factor(exchange, queens, "d4h4") - 1.0).abs() < 1e-12);
        let storm = Taste { pawn_storm: 1.0, ..NONE };
        let opposite = "r4rk1/ppp2ppp/8/8/6P1/8/PPP2P1P/1K1R3R w - - 0 1";
        assert!(factor(storm, opposite, "h2h4") > 2.0 && factor(storm, opposite, "g4g5") > 2.0);
        assert!((factor(storm, opposite, "a2a4") - 1.0).abs() < 1e-12);
        let quiet = Taste { quiet: 1.0, ..NONE };
        assert!(factor(quiet, greek, "a2a3") > 2.0);
        assert!((factor(quiet, greek, "f3g5") - 1.0).abs() < 1e-12);
    }

    #[test]
    fn no_taste_is_stronger_than_the_bound() {
        let wild = Taste { sacrifice: 50.0, ..NONE };
        let greek = "r1bq1rk1/pppn1ppp/4p3/3pP3/1b1P4/2NB1N2/PPP2PPP/R1BQK2R w KQ - 0 1";
        assert!(factor(wild, greek, "d3h7") <= MOST);
    }
}

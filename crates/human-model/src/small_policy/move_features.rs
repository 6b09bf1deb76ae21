//! Features of a move that need no search.

use super::depth_losses::exchange;
use chess::board::Castling;
use chess::{Bitboard, Color, Move, Piece, PieceKind, Position, SEE_VALUES, Square, attacks};

/// Numbers that describe a move.
pub const MOVE_FEATURES: usize = 38;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveFeatures {
    pub numbers: [f32; MOVE_FEATURES],
    /// Whether the exchange on its square loses something.
    pub hangs: bool,
    pub piece: PieceKind,
    /// As the mover sees the board.
    pub from: Square,
    pub to: Square,
}

/// Every move of a list; `past`: the moves played before, the last one just now by the opponent.
pub fn move_features(position: &Position, past: &[Move], moves: &[Move]) -> Vec<MoveFeatures> {
    let context = FeatureContext::new(position, past);
    moves.iter().map(|mv| context.features(*mv)).collect()
}

/// What all moves of a position share.
struct FeatureContext<'a> {
    position: &'a Position,
    turn: Color,
    /// Where the opponent's last move went.
    last: Option<Square>,
    /// Our own last move.
    own: Option<Move>,
    their_pawns: Bitboard,
    their_king: Square,
}

const fn worth(kind: PieceKind) -> i32 {
    match kind {
        PieceKind::King => 1000,
        kind => SEE_VALUES[kind as usize],
    }
}

fn landing(mv: Move) -> Square {
    if mv.is_castling() { Castling::of(mv.from(), mv.to()).king_to } else { mv.to() }
}

/// From the middle of the board, 0 to 3.
fn from_centre(square: Square) -> f32 {
    let away = |index: usize| if index < 4 { 3 - index } else { index - 4 };
    away(square.file().index()).max(away(square.rank().index())) as f32
}

fn flag(yes: bool) -> f32 {
    f32::from(u8::from(yes))
}

/// Whether the piece on a square could be taken with profit: by something cheaper, or for nothing.
fn in_danger(position: &Position, square: Square, kind: PieceKind, owner: Color) -> bool {
    let board = position.board();
    let all = board.attackers(square, board.occupied());
    let attackers = all & board.color(!owner);
    if !attackers.any() {
        return false;
    }
    let cheaper = PieceKind::ALL
        .into_iter()
        .any(|attacker| worth(attacker) < worth(kind) && (attackers & board.kind(attacker)).any());
    cheaper || !(all & board.color(owner)).any()
}

/// The most valuable piece of a side, but for one square, that could be taken with profit, in queens.
fn most_in_danger(position: &Position, owner: Color, except: Option<Square>) -> f32 {
    let board = position.board();
    let mut most = 0;
    for square in board.color(owner) {
        let Some(piece) = board.piece_on(square) else { continue };
        let kind = piece.kind();
        if kind != PieceKind::King
            && worth(kind) > most
            && Some(square) != except
            && in_danger(position, square, kind, owner)
        {
            most = worth(kind);
        }
    }
    most as f32 / 900.0
}

impl FeatureContext<'_> {
    fn new<'a>(position: &'a Position, past: &[Move]) -> FeatureContext<'a> {
        let turn = position.turn();
        let board = position.board();
        FeatureContext {
            position,
            turn,
            last: past.last().map(|mv| landing(*mv)),
            own: past.len().checked_sub(2).map(|index| past[index]),
            their_pawns: attacks::pawns(!turn, board.kind(PieceKind::Pawn) & board.color(!turn)),
            their_king: board.king(!turn),
        }
    }

    fn features(&self, mv: Move) -> MoveFeatures {
        let (position, turn) = (self.position, self.turn);
        let board = position.board();
        let (from, to) = (mv.from(), landing(mv));
        let piece = board.piece_on(from).map_or(PieceKind::Pawn, Piece::kind);
        let victim = position.captured(mv);
        let after = position.after(mv);
        let exchange = exchange(position, mv);
        let (own_from, own_to) = (from.relative_to(turn), to.relative_to(turn));
        let distance = |a: Square, b: Square| f32::from(a.distance(b)) / 7.0;
        let around = board.attackers(to, board.occupied() & !from.bitboard());
        let own_before = self.own.map(|own| (own.from(), landing(own)));
        let minor = matches!(piece, PieceKind::Knight | PieceKind::Bishop);
        let mut numbers = [0.0; MOVE_FEATURES];
        numbers[piece.index()] = 1.0;
        if let Some(victim) = victim {
            // A king is never taken: five kinds.
            numbers[6 + victim.index()] = 1.0;
        }
        let rest = [
            exchange as f32 / 500.0,
            flag(exchange < 0),
            flag(in_danger(position, from, piece, turn)),
            most_in_danger(&after, turn, Some(to)),
            most_in_danger(&after, !turn, None),
            flag(after.in_check()),
            flag(after.is_checkmate()),
            flag(victim.is_some() && self.last == Some(to)),
            flag(mv.is_castling()),
            flag(mv.promotes_to() == Some(PieceKind::Queen)),
            flag(mv.is_promotion() && mv.promotes_to() != Some(PieceKind::Queen)),
            self.last.map_or(0.5, |last| distance(last, to)),
            self.last.map_or(0.5, |last| distance(last, from)),
            flag(own_before.is_some_and(|(_, went)| went == from)),
            flag(own_before == Some((to, from))),
            (own_to.rank().index() as f32 - own_from.rank().index() as f32) / 7.0,
            own_to.rank().index() as f32 / 7.0,
            own_from.rank().index() as f32 / 7.0,
            from_centre(to) / 3.0,
            from_centre(from) / 3.0,
            distance(to, self.their_king),
            distance(to, self.their_king) - distance(from, self.their_king),
            flag(self.their_pawns.has(to)),
            (around & board.color(turn)).count() as f32 / 3.0,
            (around & board.color(!turn)).count() as f32 / 3.0,
            flag(minor && own_from.rank().index() == 0),
            flag(piece == PieceKind::Pawn && own_to.rank().index() == own_from.rank().index() + 2),
        ];
        numbers[11..].copy_from_slice(&rest);
        MoveFeatures { numbers, hangs: exchange < 0, piece, from: own_from, to: own_to }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(fen: &str, mv: &str) -> MoveFeatures {
        let position = Position::from_fen(fen).unwrap();
        move_features(&position, &[], &[position.parse_uci(mv).unwrap()])[0]
    }

    #[test]
    fn both_colours_are_described_alike() {
        let white = "r3k2r/1pp2ppp/p1np1n2/4p3/4P3/2NP1N2/PPP2PPP/R3K2R w KQkq - 0 1";
        let black = "r3k2r/ppp2ppp/2np1n2/4p3/4P3/P1NP1N2/1PP2PPP/R3K2R b KQkq - 0 1";
        for (ours, theirs) in [("e1g1", "e8g8"), ("f3g5", "f6g4"), ("h2h4", "h7h5"), ("a1d1", "a8d8")] {
            assert_eq!(features(white, ours), features(black, theirs), "{ours}");
        }
    }

    #[test]
    fn kinds_of_moves() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
        let mate = features(fen, "h5f7");
        assert_eq!(mate.piece, PieceKind::Queen);
        assert_eq!(
            (mate.numbers[6], mate.numbers[16], mate.numbers[17]),
            (1.0, 1.0, 1.0),
            "takes a pawn, check, mate"
        );
        // The queen stands attacked by a knight: a move of another piece leaves it so.
        assert_eq!(features(fen, "h5e2").numbers[13], 1.0);
        assert_eq!(features(fen, "a2a3").numbers[14], 1.0);
        assert!(features(fen, "h5h6").hangs, "the g-pawn takes");
        let position = Position::from_fen(fen).unwrap();
        let square = |name: &str| Square::parse(name).unwrap();
        let past = [Move::normal(square("d1"), square("h5")), Move::normal(square("g8"), square("f6"))];
        let back = move_features(&position, &past, &[position.parse_uci("h5d1").unwrap()])[0];
        assert_eq!(back.numbers[24..26], [1.0, 1.0], "the same piece, and back again");
    }
}

//! The plan that a line shows, in a sentence: what its side does over several moves. Found by rules from the moves
//! alone; `None` where the line shows no plan.

use crate::balance::piece_name;
use chess::{Color, Move, PieceKind, Position, Square};

/// Own moves a line must have before it shows a plan.
const LEAST_OWN_MOVES: usize = 2;
/// Pieces besides kings and pawns at most, for a king that walks.
const ENDGAME_PIECES: u32 = 4;
/// Pieces that leave the board in a plan of exchanges.
const EXCHANGED: u32 = 4;
/// How far ahead the side is that simplifies, in centipawns.
const AHEAD: i32 = 250;
/// A loss of material that no plan contains, in centipawns.
const LOST: i32 = 200;
/// Moves that bring pieces near the enemy king, for an attack.
const NEAR_MOVES: usize = 2;

/// The plan of the side to move at the start of the line.
pub fn plan(start: &Position, line: &[Move]) -> Option<String> {
    let us = start.turn();
    let mut at = start.clone();
    let mut own: Vec<Step> = Vec::new();
    for (ply, mv) in line.iter().enumerate() {
        if !at.is_legal(*mv) {
            break;
        }
        if ply % 2 == 0 {
            own.push(Step::new(&at, *mv));
        }
        at.play(*mv);
    }
    // What is played while material is lost is no plan.
    if own.len() < LEAST_OWN_MOVES || material(&at, us) <= material(start, us) - LOST {
        return None;
    }
    promotion(&own)
        .or_else(|| pawn_march(&own, us))
        .or_else(|| king_walk(start, &own))
        .or_else(|| exchanges(start, &at, us))
        .or_else(|| manoeuvre(&own))
        .or_else(|| attack(&own))
        .or_else(|| castling(&own))
        .or_else(|| development(&own, us))
}

/// An own move of the line.
struct Step {
    mv: Move,
    kind: PieceKind,
    is_quiet: bool,
    /// A piece comes within 3 squares of the enemy king, from further away, and takes nothing.
    comes_near: bool,
}

impl Step {
    fn new(position: &Position, mv: Move) -> Step {
        let king = position.board().king(!position.turn());
        let kind = position.piece_on(mv.from()).map_or(PieceKind::Pawn, chess::Piece::kind);
        Step {
            mv,
            kind,
            is_quiet: !position.is_noisy(mv) && !position.after(mv).in_check(),
            comes_near: !matches!(kind, PieceKind::King | PieceKind::Pawn)
                && !position.is_noisy(mv)
                && !mv.is_castling()
                && distance(mv.to(), king) <= 3
                && distance(mv.from(), king) > 3,
        }
    }
}

fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    files.max(a.rank().index().abs_diff(b.rank().index()))
}

/// The squares that one piece visits over the line, the first where it stood; the longest such path.
fn longest_path(own: &[Step], wanted: impl Fn(&Step) -> bool) -> Vec<&Step> {
    let mut best: Vec<&Step> = Vec::new();
    for first in 0..own.len() {
        let mut path: Vec<&Step> = Vec::new();
        for step in &own[first..] {
            let follows = path.last().is_none_or(|last| last.mv.to() == step.mv.from());
            if follows && wanted(step) && !step.mv.is_castling() {
                path.push(step);
            }
        }
        if path.len() > best.len() {
            best = path;
        }
    }
    best
}

fn promotion(own: &[Step]) -> Option<String> {
    let step = own.iter().find(|step| step.mv.is_promotion())?;
    Some(format!("promote the pawn on {}", step.mv.to()))
}

fn pawn_march(own: &[Step], us: Color) -> Option<String> {
    let path = longest_path(own, |step| step.kind == PieceKind::Pawn && step.is_quiet);
    let last = path.last().filter(|_| path.len() >= 2)?;
    let far = last.mv.to().relative_to(us).rank().index() >= 4;
    far.then(|| format!("push the pawn from {} to {}", path[0].mv.from(), last.mv.to()))
}

fn pieces(position: &Position) -> u32 {
    let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    kinds.iter().map(|kind| position.board().kind(*kind).count()).sum()
}

fn king_walk(start: &Position, own: &[Step]) -> Option<String> {
    if pieces(start) > ENDGAME_PIECES || start.board().kind(PieceKind::Queen).any() {
        return None;
    }
    let path = longest_path(own, |step| step.kind == PieceKind::King);
    let last = path.last().filter(|_| path.len() >= 2)?;
    let moved = distance(path[0].mv.from(), last.mv.to());
    (moved >= 2).then(|| format!("bring the king from {} to {}", path[0].mv.from(), last.mv.to()))
}

fn material(position: &Position, side: Color) -> i32 {
    let value = |color: Color| -> i32 {
        let count = |kind: PieceKind| position.board().pieces(color, kind).count() as i32;
        PieceKind::ALL.iter().map(|kind| chess::SEE_VALUES[kind.index()] * count(*kind)).sum()
    };
    value(side) - value(!side)
}

fn exchanges(start: &Position, end: &Position, us: Color) -> Option<String> {
    let gone = pieces(start).saturating_sub(pieces(end));
    let is_ahead = material(start, us) >= AHEAD && material(end, us) >= AHEAD;
    (gone >= EXCHANGED && is_ahead).then(|| "exchange pieces while ahead in material".to_string())
}

fn manoeuvre(own: &[Step]) -> Option<String> {
    let is_piece = |step: &Step| step.is_quiet && !matches!(step.kind, PieceKind::Pawn | PieceKind::King);
    let path = longest_path(own, is_piece);
    let last = path.last().filter(|_| path.len() >= 2)?;
    if last.mv.to() == path[0].mv.from() {
        return None;
    }
    let via: Vec<String> = path[..path.len() - 1].iter().map(|step| step.mv.to().to_string()).collect();
    Some(format!("bring the {} by {} to {}", piece_name(last.kind), via.join(" and "), last.mv.to()))
}

fn attack(own: &[Step]) -> Option<String> {
    let near = own.iter().filter(|step| step.comes_near).count();
    (near >= NEAR_MOVES).then(|| "bring pieces towards the enemy king".to_string())
}

fn castling(own: &[Step]) -> Option<String> {
    own.iter().any(|step| step.mv.is_castling()).then(|| "bring the king into safety by castling".to_string())
}

fn development(own: &[Step], us: Color) -> Option<String> {
    let from_home = |step: &&Step| {
        matches!(step.kind, PieceKind::Knight | PieceKind::Bishop)
            && step.is_quiet
            && step.mv.from().relative_to(us).rank().index() == 0
    };
    (own.iter().filter(from_home).count() >= 2).then(|| "develop the pieces".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(fen: &str, moves: &str) -> Option<String> {
        let start = Position::from_fen(fen).unwrap();
        let mut at = start.clone();
        let mut line = Vec::new();
        for word in moves.split(' ') {
            let mv = at.parse_uci(word).unwrap();
            at.play(mv);
            line.push(mv);
        }
        plan(&start, &line)
    }

    #[test]
    fn lines_show_their_plan() {
        for (fen, moves, expected) in [
            ("8/2P5/k7/8/8/8/8/4K3 w - - 0 1", "c7c8q a6b6 c8c3", Some("promote the pawn on c8")),
            ("4k3/8/8/p7/8/8/P2N4/4K3 b - - 0 1", "a5a4 e1d1 a4a3", Some("push the pawn from a5 to a3")),
            ("8/5k2/8/8/3P4/8/8/4K3 w - - 0 1", "e1e2 f7f6 e2e3", Some("bring the king from e1 to e3")),
            (
                "r4rk1/ppp2ppp/8/3p4/8/2N5/PPP2PPP/R4RK1 w - - 0 1",
                "c3e2 a7a6 e2d4",
                Some("bring the knight by e2 to d4"),
            ),
            (
                "r1bqk2r/ppp2ppp/2np1n2/4p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 1",
                "e1g1 a7a6 a2a3",
                Some("bring the king into safety by castling"),
            ),
            ("4k3/8/8/8/8/8/P7/4K2R w - - 0 1", "a2a3 e8d7 h1h5", None),
            ("4k3/8/8/8/8/8/P7/4K2R w - - 0 1", "a2a3", None),
        ] {
            assert_eq!(told(fen, moves).as_deref(), expected, "{fen}: {moves}");
        }
    }

    #[test]
    fn giving_up_the_queen_is_no_plan() {
        // From a report: the rook goes by e5 to e3 while the queen is lost for a knight.
        let fen = "7k/8/8/6R1/5n2/3Q4/8/2K5 w - - 0 1";
        assert_eq!(told(fen, "g5e5 f4d3 c1d2 d3f2 e5e3"), None);
        let kept = "7k/8/n7/6R1/8/8/8/2K5 w - - 0 1";
        assert_eq!(told(kept, "g5e5 h8g8 e5e3").as_deref(), Some("bring the rook by e5 to e3"));
    }

    #[test]
    fn who_is_ahead_exchanges() {
        let fen = "3rr1k1/ppp2ppp/8/8/8/2N5/PPP2PPP/3RR1K1 w - - 0 1";
        let line = "d1d8 e8d8 e1d1 d8d1 c3d1";
        assert_eq!(told(fen, line).as_deref(), Some("exchange pieces while ahead in material"));
        let even = "3rr1k1/ppp2ppp/2n5/8/8/2N5/PPP2PPP/3RR1K1 w - - 0 1";
        assert_ne!(told(even, line).as_deref(), Some("exchange pieces while ahead in material"));
    }
}

//! The reason of an error that wins no material and mates nobody: what the better line has more of.
//!
//! The final positions of both lines are compared term by term with the hand-crafted evaluation, whose terms have
//! names that players know. It explains; how much the error costs comes from the search.

use chess::{Color, Move, Position};
use eval::hce::{Breakdown, Weights};
use eval::{EvalTerms, Term};
use std::fmt;

/// What the mover gets less of than in the better line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawback(Term);

/// Terms that a player can act on, with what a lack of them is called.
const TERMS: [(Term, &str); 10] = [
    (Term::Material, "less material"),
    (Term::KingDanger, "a weaker king"),
    (Term::Shelter, "a weaker shelter of the king"),
    (Term::PassedPawns, "worse passed pawns"),
    (Term::Pawns, "a worse pawn structure"),
    (Term::Threats, "more threats to parry"),
    (Term::Mobility, "less active pieces"),
    (Term::Space, "less space"),
    (Term::PieceSquares, "worse placed pieces"),
    (Term::Rooks, "less active rooks"),
];

impl Drawback {
    /// Material and threats are lost by calculation, the rest by judgement.
    pub fn is_tactical(self) -> bool {
        matches!(self.0, Term::Material | Term::Threats)
    }
}

impl fmt::Display for Drawback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name =
            TERMS.iter().find(|(term, _)| *term == self.0).map_or("a worse position", |(_, name)| name);
        write!(f, "leads to {name}")
    }
}

/// The term in which the mover is worse off most after `played` than after `better`; both lines start at `position`. A line that ends in
/// the middle of a combination may look better than it is: then shorter parts of both are compared, as long as there are.
pub fn drawback(position: &Position, better: &[Move], played: &[Move]) -> Option<Drawback> {
    let mover = position.turn();
    let compared = |better: &[Move], played: &[Move]| {
        let (good, bad) = (values(&last(position, better), mover), values(&last(position, played), mover));
        let worst = TERMS.iter().zip(good.iter().zip(bad)).max_by_key(|(_, (good, bad))| *good - bad);
        worst.filter(|(_, (good, bad))| *good > bad).map(|((term, _), _)| Drawback(*term))
    };
    let common = better.len().min(played.len());
    let shorter = || (1..=common).rev().find_map(|plies| compared(&better[..plies], &played[..plies]));
    compared(better, played).or_else(shorter)
}

fn values(position: &Position, side: Color) -> [i32; TERMS.len()] {
    let breakdown = Breakdown::new(position, &Weights::FITTED);
    let sign = if side.is_white() { 1 } else { -1 };
    TERMS.map(|(term, _)| sign * breakdown.masked(EvalTerms::NONE.with(term)))
}

/// The position at the end of a line.
fn last(position: &Position, line: &[Move]) -> Position {
    let mut at = position.clone();
    for mv in line {
        if !at.is_legal(*mv) {
            break;
        }
        at.play(*mv);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(fen: &str, better: &str, played: &str) -> String {
        let position = Position::from_fen(fen).unwrap();
        let line = |text: &str| vec![position.parse_uci(text).unwrap()];
        drawback(&position, &line(better), &line(played)).map_or(String::new(), |found| found.to_string())
    }

    #[test]
    fn the_largest_difference_is_named() {
        let pawns = "4k3/pp3ppp/8/8/4N3/3b4/PPP2PPP/4K3 w - - 0 1";
        assert_eq!(told(pawns, "c2d3", "e4c3"), "leads to less material");
        // Taking doubles the pawns.
        let doubled = "4k3/1p6/P7/8/8/8/1P6/4K3 w - - 0 1";
        assert_eq!(told(doubled, "a6a7", "a6b7"), "leads to a worse pawn structure");
    }

    #[test]
    fn a_line_that_ends_with_a_check_is_compared_earlier() {
        // Found in a game: 32. Nc6 instead of Bb3; at the ends of these lines no term is worse.
        let position =
            Position::from_fen("3r3r/2Q2pkp/p2p1bp1/P2b4/R2N4/7n/2B2P1P/1R3K2 w - - 6 32").unwrap();
        let line = |text: &str| {
            let mut at = position.clone();
            let mut moves = Vec::new();
            for word in text.split(' ') {
                let mv = at.parse_uci(word).unwrap();
                at.play(mv);
                moves.push(mv);
            }
            moves
        };
        let better = line("c2b3 d8b8 c7d6 h8d8 d6g3 h3g5 b3a2");
        let played = line("d4c6 d8c8 c7d7 h3g5 b1b6 d5e6 d7d6 e6h3");
        assert!(drawback(&position, &better, &played).is_some());
    }

    #[test]
    fn equal_ends_have_no_drawback() {
        let position = Position::default();
        assert_eq!(drawback(&position, &[], &[]), None);
    }
}

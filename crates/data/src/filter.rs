//! Which positions of a game are worth learning from.

use crate::game::{MATE_SCORES, Ply, UNSCORED};
use chess::Position;

/// Why a position is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exclusion {
    /// A static evaluation is never asked for in check.
    InCheck,
    /// The best move takes or promotes: the search will see it, the evaluation need not.
    Noisy,
    /// A mate is no evaluation.
    Mate,
    /// Nobody has searched it.
    Unscored,
    /// The result says little about so one-sided a position, and the score is no longer a measure.
    Decided,
}

impl Exclusion {
    pub const ALL: [Exclusion; 5] =
        [Exclusion::InCheck, Exclusion::Noisy, Exclusion::Mate, Exclusion::Unscored, Exclusion::Decided];
}

/// Scores beyond this are left out.
pub const DECIDED: i16 = 3000;

/// `None`: keep it.
pub fn exclusion(position: &Position, ply: Ply) -> Option<Exclusion> {
    if position.in_check() {
        Some(Exclusion::InCheck)
    } else if ply.score == UNSCORED {
        Some(Exclusion::Unscored)
    } else if ply.score.saturating_abs() >= MATE_SCORES {
        Some(Exclusion::Mate)
    } else if ply.score.saturating_abs() > DECIDED {
        Some(Exclusion::Decided)
    } else if position.is_noisy(ply.mv) {
        Some(Exclusion::Noisy)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_quiet_positions_stay() {
        for (fen, mv, score, expected) in [
            (chess::fen::START, "e2e4", 30, None),
            (chess::fen::START, "e2e4", -31_990, Some(Exclusion::Mate)),
            (chess::fen::START, "e2e4", UNSCORED, Some(Exclusion::Unscored)),
            (chess::fen::START, "e2e4", -3001, Some(Exclusion::Decided)),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 30, Some(Exclusion::Noisy)),
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 900, Some(Exclusion::Noisy)),
            ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1f1", 30, Some(Exclusion::InCheck)),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.parse_uci(mv).unwrap();
            assert_eq!(exclusion(&position, Ply { mv, score }), expected, "{fen}");
        }
    }
}

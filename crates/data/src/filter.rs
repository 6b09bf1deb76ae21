//! Which positions of a game are worth learning from.

use crate::game::{MATE_SCORES, Ply, UNSCORED};
use chess::Position;

/// Why a position is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeftOut {
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

impl LeftOut {
    pub const ALL: [LeftOut; 5] =
        [LeftOut::InCheck, LeftOut::Noisy, LeftOut::Mate, LeftOut::Unscored, LeftOut::Decided];
}

/// Scores beyond this are left out.
pub const DECIDED: i16 = 3000;

/// `None`: keep it.
pub fn left_out(position: &Position, ply: Ply) -> Option<LeftOut> {
    if position.in_check() {
        Some(LeftOut::InCheck)
    } else if ply.score == UNSCORED {
        Some(LeftOut::Unscored)
    } else if ply.score.saturating_abs() >= MATE_SCORES {
        Some(LeftOut::Mate)
    } else if ply.score.saturating_abs() > DECIDED {
        Some(LeftOut::Decided)
    } else if position.is_noisy(ply.mv) {
        Some(LeftOut::Noisy)
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
            (chess::fen::START, "e2e4", -31_990, Some(LeftOut::Mate)),
            (chess::fen::START, "e2e4", UNSCORED, Some(LeftOut::Unscored)),
            (chess::fen::START, "e2e4", -3001, Some(LeftOut::Decided)),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", 30, Some(LeftOut::Noisy)),
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 900, Some(LeftOut::Noisy)),
            ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1f1", 30, Some(LeftOut::InCheck)),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.parse_uci(mv).unwrap();
            assert_eq!(left_out(&position, Ply { mv, score }), expected, "{fen}");
        }
    }
}

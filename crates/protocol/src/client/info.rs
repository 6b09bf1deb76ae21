//! What an engine reports about its search, in either protocol.

/// A score from the point of view of the side to move, as an engine writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportedScore {
    Centipawns(i32),
    /// Moves to mate; negative when being mated.
    Mate(i32),
}

impl ReportedScore {
    /// One scale for adjudication: mates lie beyond every number of centipawns.
    pub fn ordinal(self) -> i32 {
        const MATE: i32 = 1_000_000;
        match self {
            Self::Centipawns(centipawns) => centipawns.clamp(-MATE / 2, MATE / 2),
            Self::Mate(moves) if moves > 0 => MATE - moves.min(MATE / 4),
            Self::Mate(moves) => -MATE - moves.max(-MATE / 4),
        }
    }
}

impl std::fmt::Display for ReportedScore {
    /// As PGN comments write it: pawns with a sign, or mate with an M.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Centipawns(centipawns) => write!(f, "{:+.2}", f64::from(*centipawns) / 100.0),
            Self::Mate(moves) if *moves > 0 => write!(f, "+M{moves}"),
            Self::Mate(moves) => write!(f, "-M{}", moves.unsigned_abs()),
        }
    }
}

/// What an engine reported so far; what it did not say is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    pub score: Option<ReportedScore>,
    pub depth: Option<u32>,
    pub selective_depth: Option<u32>,
    pub nodes: Option<u64>,
    pub table_base_hits: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nearer_mate_is_worth_more_and_a_farther_loss_too() {
        let ordered = [
            ReportedScore::Mate(-1),
            ReportedScore::Mate(-5),
            ReportedScore::Mate(i32::MIN),
            ReportedScore::Centipawns(-30_000),
            ReportedScore::Centipawns(12),
            ReportedScore::Mate(i32::MAX),
            ReportedScore::Mate(9),
            ReportedScore::Mate(2),
        ];
        assert!(ordered.windows(2).all(|pair| pair[0].ordinal() < pair[1].ordinal()));
    }

    #[test]
    fn scores_as_pgn_comments_write_them() {
        assert_eq!(ReportedScore::Centipawns(34).to_string(), "+0.34");
        assert_eq!(ReportedScore::Centipawns(-5).to_string(), "-0.05");
        assert_eq!(ReportedScore::Mate(3).to_string(), "+M3");
        assert_eq!(ReportedScore::Mate(-12).to_string(), "-M12");
        assert_eq!(ReportedScore::Mate(i32::MIN).to_string(), "-M2147483648");
    }
}

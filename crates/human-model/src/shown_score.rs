//! A search's score in the units that people read.

use eval::{Centipawns, Evaluation};
use kernel::{Kind, Score};
use std::ops::Neg;

/// A score whose centipawns are shown units, whatever evaluation searched; mates and tablebase results are unchanged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ShownScore(Score);

impl ShownScore {
    pub const DRAW: ShownScore = ShownScore(Score::ZERO);

    /// Converts a score of a search that used `evaluation`.
    pub fn of(score: Score, evaluation: &Evaluation) -> ShownScore {
        match score.kind() {
            Kind::Centipawns(value) => ShownScore::centipawns(evaluation.shown(value)),
            _ => ShownScore(score),
        }
    }

    pub fn centipawns(value: Centipawns) -> ShownScore {
        ShownScore(Score::centipawns(value.value()))
    }

    pub fn mate_in(plies: usize) -> ShownScore {
        ShownScore(Score::mate_in(plies))
    }

    pub fn mated_in(plies: usize) -> ShownScore {
        ShownScore(Score::mated_in(plies))
    }

    pub fn kind(self) -> Kind {
        self.0.kind()
    }

    /// A proven win.
    pub fn is_win(self) -> bool {
        self.0.is_win()
    }

    /// A proven loss.
    pub fn is_loss(self) -> bool {
        self.0.is_loss()
    }

    /// `None` for proven results.
    pub fn as_centipawns(self) -> Option<Centipawns> {
        match self.kind() {
            Kind::Centipawns(value) => Some(Centipawns::new(value)),
            _ => None,
        }
    }
}

impl Neg for ShownScore {
    type Output = ShownScore;

    fn neg(self) -> ShownScore {
        ShownScore(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::hce::{EVEN, EvalTerms};

    #[test]
    fn only_heuristic_scores_are_converted() {
        let hand_crafted = Evaluation::HandCrafted(EvalTerms::ALL);
        let shown = |score| ShownScore::of(score, &hand_crafted);
        assert_eq!(shown(Score::centipawns(EVEN)).as_centipawns(), Some(Centipawns::new(100)));
        assert_eq!(shown(Score::mate_in(3)), ShownScore::mate_in(3));
        assert_eq!(-shown(Score::mate_in(3)), ShownScore::mated_in(3));
        assert_eq!(shown(Score::ZERO), ShownScore::DRAW);
    }
}

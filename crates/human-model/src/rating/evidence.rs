//! What one move says about the rating of its player.

use crate::reply::{Circumstances, Rating, ReplyModel, Situation};
use chess::Move;

/// Ratings at which the network is evaluated; between them the logarithm is interpolated. The curves are smooth, and 45
/// evaluations a move would take 9 times as long.
pub const KNOTS: [u16; 5] = [700, 1200, 1700, 2200, 2700];

/// The logarithm of the move's likelihood at each knot.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Evidence {
    logs: [f64; KNOTS.len()],
    legal_moves: usize,
}

impl Evidence {
    /// For tests and studies: any curve.
    pub fn from_fn(legal_moves: usize, log: impl Fn(f64) -> f64) -> Evidence {
        Evidence { logs: KNOTS.map(|rating| log(f64::from(rating))), legal_moves: legal_moves.max(1) }
    }

    /// The likelihood for a player of this rating; beyond the outer knots it stays.
    pub fn likelihood(&self, rating: f64) -> f64 {
        let upper = KNOTS.iter().position(|knot| f64::from(*knot) >= rating);
        let log = match upper {
            None => self.logs[KNOTS.len() - 1],
            Some(0) => self.logs[0],
            Some(upper) => {
                let (low, high) = (f64::from(KNOTS[upper - 1]), f64::from(KNOTS[upper]));
                let share = (rating - low) / (high - low);
                self.logs[upper - 1] * (1.0 - share) + self.logs[upper] * share
            }
        };
        log.exp()
    }

    /// The likelihood of a move drawn at random.
    pub fn chance(&self) -> f64 {
        1.0 / self.legal_moves as f64
    }
}

/// Turns moves into evidence.
pub struct EvidenceModel<'a> {
    pub model: &'a ReplyModel,
    /// Everything but the rating, which is what is asked for.
    pub circumstances: Circumstances,
}

impl EvidenceModel<'_> {
    /// `None` for a forced move, which says nothing.
    pub fn evidence(&self, situation: &Situation<'_>, mv: Move) -> Option<Evidence> {
        let legal_moves = situation.position().legal_moves().len();
        if legal_moves < 2 {
            return None;
        }
        let logs = KNOTS.map(|rating| {
            let rating = Rating::new(rating).unwrap_or(self.circumstances.rating);
            // The opponent is about as strong: pairings are, and nothing better is known.
            let opponent = self.circumstances.opponent.map(|_| rating);
            let circumstances = Circumstances { rating, opponent, ..self.circumstances };
            f64::from(self.model.replies(situation, &circumstances).probability(mv)).max(1e-6).ln()
        });
        Some(Evidence { logs, legal_moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::Scale;
    use chess::Position;

    #[test]
    fn curves_pass_through_their_knots() {
        let evidence = Evidence::from_fn(20, |rating| -rating / 1000.0);
        for rating in [700.0, 1000.0, 1700.0, 2700.0] {
            assert!((evidence.likelihood(rating) - (-rating / 1000.0f64).exp()).abs() < 1e-12);
        }
        assert_eq!(evidence.likelihood(100.0), evidence.likelihood(700.0));
        assert_eq!(evidence.likelihood(9000.0), evidence.likelihood(2700.0));
    }

    #[test]
    fn a_missed_scholars_mate_speaks_for_a_beginner() {
        let model = ReplyModel::shared().unwrap();
        let rating = Rating::new(1500).unwrap();
        let evidence_model =
            EvidenceModel { model, circumstances: Circumstances::new(rating, Scale::Lichess) };
        let threat =
            Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3").unwrap();
        let evidence =
            evidence_model.evidence(&Situation::bare(&threat), threat.parse_uci("a7a6").unwrap()).unwrap();
        assert!(evidence.likelihood(800.0) > 2.0 * evidence.likelihood(2150.0));
        let forced = Position::from_fen("7k/6Q1/8/8/8/8/8/K7 b - - 0 1").unwrap();
        assert_eq!(
            evidence_model.evidence(&Situation::bare(&forced), forced.parse_uci("h8g7").unwrap()),
            None
        );
    }
}

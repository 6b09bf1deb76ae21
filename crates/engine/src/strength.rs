//! Playing below full strength: fewer nodes, and now and then the second-best move.
//!
//! The engine looks at a budget of nodes that grows with the wanted rating, keeps several lines, and picks among them
//! with a bias towards the best that grows too. It never looks away from a capture, so it does not hang pieces like a
//! machine pretending; a proper model of human errors is the sparring partner's business.

use crate::report::{Listener, Report};
use crate::settings::Settings;
use chess::Move;
use kernel::Limits;
use std::ops::RangeInclusive;

pub const ELO_RANGE: RangeInclusive<u16> = 1000..=3000;
pub const DEFAULT_ELO: u16 = 1800;

/// Lines to choose among when weakened.
const LINES: usize = 4;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Strength {
    Full,
    Limited { elo: u16 },
}

impl Strength {
    pub fn of(settings: &Settings) -> Strength {
        if settings.limit_strength && !settings.analyse_mode {
            Strength::Limited { elo: settings.elo.clamp(*ELO_RANGE.start(), *ELO_RANGE.end()) }
        } else {
            Strength::Full
        }
    }

    pub fn lines(self) -> usize {
        match self {
            Strength::Full => 1,
            Strength::Limited { .. } => LINES,
        }
    }

    /// A hundred rating points for each doubling, from a few hundred nodes on.
    pub fn limit(self, mut limits: Limits) -> Limits {
        if let Strength::Limited { elo } = self {
            let doublings = f64::from(elo - ELO_RANGE.start()) / 110.0;
            let budget = (400.0 * doublings.exp2()) as u64;
            limits.nodes = Some(limits.nodes.map_or(budget, |nodes| nodes.min(budget)));
        }
        limits
    }

    /// Stands between the search and the listener and, when weakened, chooses among the last lines.
    pub fn filter(self, mut listener: Box<Listener>, seed: u64) -> Box<Listener> {
        let Strength::Limited { elo } = self else { return listener };
        let mut lines: Vec<(Move, i32)> = Vec::new();
        let mut generator = seed | 1;
        Box::new(move |report| match report {
            Report::Information(information) => {
                if information.rank == 1 {
                    lines.clear();
                }
                if let Some(&mv) = information.line.first() {
                    lines.push((mv, information.score.value()));
                }
                if information.rank == 1 {
                    listener(Report::Information(information));
                }
            }
            Report::Best { best, ponder } => {
                let chosen = choose(&lines, elo, &mut generator).or(best);
                let ponder = if chosen == best { ponder } else { None };
                listener(Report::Best { best: chosen, ponder });
            }
        })
    }
}

/// Each line's score gets a random bonus, larger for weaker play; the best sum wins.
fn choose(lines: &[(Move, i32)], elo: u16, generator: &mut u64) -> Option<Move> {
    let spread = f64::from(*ELO_RANGE.end() - elo) / 2000.0 * 120.0;
    lines
        .iter()
        .map(|&(mv, score)| {
            *generator ^= *generator << 13;
            *generator ^= *generator >> 7;
            *generator ^= *generator << 17;
            let unit = (*generator >> 11) as f64 / (1u64 << 53) as f64;
            (mv, f64::from(score) + unit * spread)
        })
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(mv, _)| mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Square;

    #[test]
    fn budgets_grow_with_the_rating() {
        let budget = |elo| Strength::Limited { elo }.limit(Limits::default()).nodes.unwrap();
        assert!(budget(1000) < budget(1500) && budget(1500) < budget(2500));
        assert_eq!(Strength::Full.limit(Limits::default()).nodes, None);
        assert_eq!(Strength::Limited { elo: 2000 }.limit(Limits::nodes(10)).nodes, Some(10));
    }

    #[test]
    fn a_blunder_is_never_drawn_and_a_near_equal_sometimes() {
        let (a, b) = (Move::normal(Square::A1, Square::H1), Move::normal(Square::A1, Square::A8));
        let mut generator = 99;
        let picks = |gap: i32, generator: &mut u64| {
            (0..200).filter(|_| choose(&[(a, 0), (b, -gap)], 1500, generator) == Some(b)).count()
        };
        assert_eq!(picks(300, &mut generator), 0);
        assert!(picks(10, &mut generator) > 40);
    }
}

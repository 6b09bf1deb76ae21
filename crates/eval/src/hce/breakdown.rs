//! The evaluation term by term, for people and for switching terms off.

use super::features::{Feature, Term};
use super::parameters::Weights;
use super::tapered::Tapered;
use super::terms::EvalTerms;
use super::trace::Trace;
use super::{add_up, mix};
use chess::{Color, Position};
use std::fmt;

const TERMS: usize = Term::ALL.len();

/// What each term gives each side.
pub struct Breakdown {
    sides: [[Tapered; TERMS]; 2],
    position: Position,
}

struct Collector([[Tapered; TERMS]; 2]);

impl Trace for Collector {
    const WATCHING: bool = true;

    fn count(&mut self, color: Color, feature: Feature, _: usize, times: i32, weight: Tapered) {
        self.0[color.index()][feature.term.index()] += weight * times;
    }
}

impl Breakdown {
    pub fn new(position: &Position, weights: &Weights) -> Breakdown {
        let mut collector = Collector([[Tapered::ZERO; TERMS]; 2]);
        add_up(position, weights, &mut collector, None);
        Breakdown { sides: collector.0, position: position.clone() }
    }

    /// What a term gives a side.
    pub fn term(&self, color: Color, term: Term) -> Tapered {
        self.sides[color.index()][term.index()]
    }

    /// White's score if only `terms` counted.
    pub fn masked(&self, terms: EvalTerms) -> i32 {
        let mut total = Tapered::ZERO;
        for term in terms.iter() {
            total += self.term(Color::White, term) - self.term(Color::Black, term);
        }
        mix(&self.position, total)
    }

    /// White's score with every term.
    pub fn white(&self) -> i32 {
        self.masked(EvalTerms::ALL)
    }
}

/// The table of the `eval` command, in pawns.
impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = "---------------+---------------+---------------+---------------";
        writeln!(f, "          Term |     White     |     Black     |     Total")?;
        writeln!(f, "               |   MG     EG   |   MG     EG   |   MG     EG")?;
        writeln!(f, "{rule}")?;
        let mut total = Tapered::ZERO;
        for term in Term::ALL {
            let (white, black) = (self.term(Color::White, term), self.term(Color::Black, term));
            total += white - black;
            writeln!(f, "{:>14} |{} |{} |{}", term.name(), Pawns(white), Pawns(black), Pawns(white - black))?;
        }
        writeln!(f, "{rule}")?;
        writeln!(f, "{:>14} |               |               |{}", "Total", Pawns(total))?;
        let pawns = f64::from(self.white()) / 100.0;
        writeln!(f, "\nEvaluation: {pawns:+.2} (White's side)")
    }
}

struct Pawns(Tapered);

impl fmt::Display for Pawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        write!(f, "{:6.2} {:6.2}", pawns(self.0.middlegame()), pawns(self.0.endgame()))
    }
}

//! The evaluation term by term, for people and for switching terms off.

use super::conclude::{conclude, cost};
use super::features::{Feature, Term};
use super::parameters::Weights;
use super::sum::Tally;
use super::tapered::Tapered;
use super::terms::EvalTerms;
use super::trace::Trace;
use super::{endings, watch};
use chess::{Board, Color, Position};
use std::fmt;

const TERMS: usize = Term::ALL.len();

/// What each term gives each side.
pub struct Breakdown<'a> {
    sides: [[Tapered; TERMS]; 2],
    winnable: i32,
    known: Option<i32>,
    board: &'a Board,
    weights: &'a Weights,
}

struct Collector([[Tapered; TERMS]; 2]);

impl Trace for Collector {
    fn count(&mut self, color: Color, feature: Feature, _: usize, times: i32, weight: Tapered) {
        self.0[color.index()][feature.term.index()] += weight * times;
    }
}

impl<'a> Breakdown<'a> {
    pub fn new(position: &'a Position, weights: &'a Weights) -> Breakdown<'a> {
        let mut collector = Collector([[Tapered::ZERO; TERMS]; 2]);
        let tally = watch(position, weights, &mut collector);
        Breakdown {
            sides: collector.0,
            winnable: tally.winnable,
            known: endings::known(position),
            board: position.board(),
            weights,
        }
    }

    /// What a term gives a side. King danger is what it costs that side; `Winnable` and `Scale` belong to neither.
    pub fn term(&self, color: Color, term: Term) -> Tapered {
        let sum = self.sides[color.index()][term.index()];
        match term {
            Term::KingDanger => -cost(sum),
            Term::Winnable | Term::Scale => Tapered::ZERO,
            _ => sum,
        }
    }

    /// White's score if only `terms` counted. Knowledge of single endings is part of `Scale`.
    pub fn masked(&self, terms: EvalTerms) -> i32 {
        if let (Some(known), true) = (self.known, terms.has(Term::Scale)) {
            return known;
        }
        let mut total = Tapered::ZERO;
        for term in terms.iter().filter(|&term| term != Term::KingDanger) {
            total += self.term(Color::White, term) - self.term(Color::Black, term);
        }
        let danger = Color::BOTH.map(|color| self.sides[color.index()][Term::KingDanger.index()]);
        let tally = Tally { total, danger, winnable: self.winnable };
        conclude(&tally, self.board, self.weights, terms)
    }

    /// White's score with every term.
    pub fn white(&self) -> i32 {
        self.masked(EvalTerms::ALL)
    }
}

/// The table of the `eval` command, in pawns.
impl fmt::Display for Breakdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = "---------------+---------------+---------------+---------------";
        writeln!(f, "          Term |     White     |     Black     |     Total")?;
        writeln!(f, "               |    MG     EG  |    MG     EG  |    MG     EG")?;
        writeln!(f, "{rule}")?;
        let mut total = Tapered::ZERO;
        for term in Term::ALL {
            if matches!(term, Term::Winnable | Term::Scale) {
                continue;
            }
            let (white, black) = (self.term(Color::White, term), self.term(Color::Black, term));
            total += white - black;
            writeln!(f, "{:>14} |{} |{} |{}", term.name(), Pawns(white), Pawns(black), Pawns(white - black))?;
        }
        writeln!(f, "{rule}")?;
        writeln!(f, "{:>14} |               |               |{}", "Sum", Pawns(total))?;
        let pawns = |terms| f64::from(self.masked(terms)) / 100.0;
        let plain = EvalTerms::ALL.without(Term::Scale);
        let mixed = pawns(plain.without(Term::Winnable));
        writeln!(f, "{:>14} |{mixed:>+7.2}", "Mixed by phase")?;
        writeln!(f, "{:>14} |{:>+7.2}", "Winnable", pawns(plain) - mixed)?;
        let scale = if self.known.is_some() { "Known ending" } else { "Scale" };
        writeln!(f, "{scale:>14} |{:>+7.2}", pawns(EvalTerms::ALL) - pawns(plain))?;
        writeln!(f, "\nEvaluation: {:+.2} (White's side)", pawns(EvalTerms::ALL))
    }
}

struct Pawns(Tapered);

impl fmt::Display for Pawns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |centipawns: i32| f64::from(centipawns) / 100.0;
        write!(f, "{:>7.2}{:>7.2}", pawns(self.0.middlegame()), pawns(self.0.endgame()))
    }
}

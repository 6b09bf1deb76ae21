//! The evaluation a worker uses: hand-crafted or a network.

use crate::centipawns::Centipawns;
use crate::hce::{self, EvalTerms, Weights};
use crate::nnue;
use chess::Position;
use std::sync::{Arc, OnceLock};

/// Which evaluation to use: what every worker of an engine makes its evaluator from.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// Terms a person can name; play uses all of them.
    HandCrafted(EvalTerms),
    /// A trained network.
    Network(Arc<nnue::Network>),
}

impl Default for Evaluation {
    fn default() -> Evaluation {
        Evaluation::HandCrafted(EvalTerms::ALL)
    }
}

impl Evaluation {
    /// Tells networks apart; 0 stands for the hand-crafted evaluation.
    pub fn checksum(&self) -> u32 {
        match self {
            Evaluation::HandCrafted(_) => 0,
            Evaluation::Network(network) => network.checksum(),
        }
    }

    /// The score at which a game on move 32 is won as often as not.
    pub fn even(&self) -> i32 {
        match self {
            Evaluation::HandCrafted(_) => hce::EVEN,
            Evaluation::Network(network) => network.even(),
        }
    }

    /// The evaluation that plays: the network this build carries, read once, or the hand-crafted evaluation where that
    /// network cannot be read.
    pub fn shipped() -> Evaluation {
        static SHIPPED: OnceLock<Option<Arc<nnue::Network>>> = OnceLock::new();
        match SHIPPED.get_or_init(|| nnue::Network::embedded().ok().map(Arc::new)) {
            Some(network) => Evaluation::Network(Arc::clone(network)),
            None => Evaluation::HandCrafted(EvalTerms::ALL),
        }
    }

    /// A score of the search as it is shown: on move 32, 100 centipawns win as often as not.
    pub fn shown(&self, score: i32) -> Centipawns {
        Centipawns::new((f64::from(score) * 100.0 / f64::from(self.even())).round() as i32)
    }

    /// The search's score for one in the units that are shown.
    pub fn meant(&self, shown: Centipawns) -> i32 {
        (f64::from(shown.value()) * f64::from(self.even()) / 100.0).round() as i32
    }

    /// An evaluator for one worker.
    pub fn evaluator(&self) -> Evaluator {
        match self {
            Evaluation::HandCrafted(terms) => {
                Evaluator::HandCrafted(Box::new(hce::Evaluator::with_terms(Weights::FITTED, *terms)))
            }
            Evaluation::Network(network) => {
                Evaluator::Network(Box::new(nnue::Evaluator::new(Arc::clone(network))))
            }
        }
    }
}

/// Two networks are equal when their files are.
impl PartialEq for Evaluation {
    fn eq(&self, other: &Evaluation) -> bool {
        match (self, other) {
            (Evaluation::HandCrafted(one), Evaluation::HandCrafted(two)) => one == two,
            (Evaluation::Network(one), Evaluation::Network(two)) => one.checksum() == two.checksum(),
            _ => false,
        }
    }
}

/// One worker's evaluator.
pub enum Evaluator {
    /// Terms a person can name.
    HandCrafted(Box<hce::Evaluator>),
    /// A trained network.
    Network(Box<nnue::Evaluator>),
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluation::default().evaluator()
    }
}

impl Evaluator {
    /// Centipawns from the side to move. `ply` is how deep in a search the position stands: a hint that makes a network
    /// quicker and changes no value.
    #[inline]
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> i32 {
        match self {
            Evaluator::HandCrafted(evaluator) => evaluator.evaluate(position),
            Evaluator::Network(evaluator) => match hce::known_ending(position) {
                Some(known) => known,
                None => evaluator.evaluate(position, ply),
            },
        }
    }

    /// Clears its caches; evaluations do not depend on them.
    pub fn clear(&mut self) {
        if let Evaluator::HandCrafted(evaluator) = self {
            evaluator.clear();
        }
    }
}

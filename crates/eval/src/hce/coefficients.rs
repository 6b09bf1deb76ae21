//! How often an evaluation uses each weight: what the tuner fits on.

use super::conclude::scale;
use super::features::{COUNT, Feature, Term};
use super::parameters::Weights;
use super::tapered::Tapered;
use super::trace::Trace;
use super::{endings, phase, watch};
use chess::{Color, Position};

/// A place in the table of weights, and how often it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    pub place: u16,
    pub times: i16,
}

/// The evaluation of one position as a function of the weights.
///
/// With `m` and `e` the halves of the linear sum: the cost of danger to Black's king is added and to White's taken
/// off, the endgame half is multiplied by the scale of the side it favours plus `winnable`, and the
/// phase mixes the two (see [`super::conclude`]).
pub struct Coefficients {
    /// White's uses minus Black's; only those that are not zero.
    pub linear: Vec<Use>,
    /// Danger to White's king and to Black's.
    pub danger: [Vec<Use>; 2],
    pub winnable: Vec<Use>,
    /// The place of the scale that applies if White, if Black stands better.
    pub scale: [u16; 2],
    pub phase: i32,
}

struct Counter {
    linear: [i16; COUNT],
    danger: [Vec<Use>; 2],
    winnable: Vec<Use>,
}

impl Trace for Counter {
    fn count(&mut self, color: Color, feature: Feature, index: usize, times: i32, _: Tapered) {
        if times == 0 {
            return;
        }
        let place = feature.offset + index;
        let one_use = Use { place: place as u16, times: times as i16 };
        match feature.term {
            Term::KingDanger => self.danger[color.index()].push(one_use),
            Term::Winnable => self.winnable.push(one_use),
            _ if color == Color::White => self.linear[place] += one_use.times,
            _ => self.linear[place] -= one_use.times,
        }
    }
}

impl Coefficients {
    /// None where the evaluation knows the ending and asks no weights.
    pub fn new(position: &Position) -> Option<Coefficients> {
        if endings::known(position).is_some() {
            return None;
        }
        let mut counter =
            Counter { linear: [0; COUNT], danger: [Vec::new(), Vec::new()], winnable: Vec::new() };
        watch(position, &Weights::ZERO, &mut counter);
        let uses = |(place, times)| Use { place, times };
        let linear = (0..).zip(counter.linear).filter(|&(_, times)| times != 0).map(uses).collect();
        let board = position.board();
        let scale = Color::BOTH.map(|better| {
            let (feature, index) = scale(board, better);
            (feature.offset + index) as u16
        });
        Some(Coefficients {
            linear,
            danger: counter.danger,
            winnable: counter.winnable,
            scale,
            phase: phase::phase(board),
        })
    }
}

//! How often an evaluation uses each weight: what the tuner fits on.

use super::features::{COUNT, Feature};
use super::parameters::Weights;
use super::tapered::Tapered;
use super::trace::Trace;
use super::{add_up, phase};
use chess::{Color, Position};

/// The evaluation of one position as a function of the weights.
pub struct Coefficients {
    /// White's uses minus Black's, by place in the table; only those that are not zero.
    pub linear: Vec<(u16, i16)>,
    pub phase: i32,
}

struct Counter {
    counts: [i16; COUNT],
}

impl Trace for Counter {
    const WATCHING: bool = true;

    fn count(&mut self, color: Color, feature: Feature, index: usize, times: i32, _: Tapered) {
        let times = if color == Color::White { times } else { -times };
        self.counts[feature.offset + index] += times as i16;
    }
}

impl Coefficients {
    pub fn new(position: &Position) -> Coefficients {
        let mut counter = Counter { counts: [0; COUNT] };
        add_up(position, &Weights::FITTED, &mut counter, None);
        let linear = (0u16..).zip(counter.counts).filter(|&(_, count)| count != 0).collect();
        Coefficients { linear, phase: phase::phase(position.board()) }
    }
}

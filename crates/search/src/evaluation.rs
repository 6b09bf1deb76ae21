//! The static evaluation as the search uses it: changed by the correction histories, scaled down as the fifty-move rule
//! nears.

use crate::correction::Corrections;
use crate::frame::StaticEval;
use crate::parameters::fixed;
use crate::phase::Phase;
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::Position;
use kernel::{Policy, Score};

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// Evaluates a position that is not in check; `known` is the raw value from the table.
    #[inline]
    pub(crate) fn evaluate(&mut self, position: &Position, ply: usize, known: Option<Score>) -> StaticEval {
        let (last, before) = (self.stack.back(ply, 1).piece_to, self.stack.back(ply, 2).piece_to);
        let fourth = self.stack.back(ply, 4).piece_to;
        let slots = Corrections::slots(position, last, before, fourth);
        let raw = known.unwrap_or_else(|| {
            self.corrections.prefetch(position, &slots);
            self.in_phase(Phase::Evaluation, |worker| {
                Score::centipawns(worker.evaluator.evaluate(position, ply))
            })
        });
        let correction = self.corrections.get(position, &slots, &self.correction_weights);
        let scaled = self.scale_by_fifty_move_rule(position, raw.value());
        StaticEval { raw, corrected: Score::centipawns(scaled + correction), slots }
    }

    /// A won position that makes no progress is worth less and less (Stockfish).
    #[inline]
    fn scale_by_fifty_move_rule(&self, position: &Position, value: i32) -> i32 {
        if !self.uses(Technique::FiftyMoveScaling) {
            return value;
        }
        let scale = fixed::FIFTY_MOVE_SCALE;
        value * (scale - i32::from(position.halfmove_clock()).min(100)) / scale
    }
}

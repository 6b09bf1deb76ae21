//! Quiescence search (QS): zaps of enemy pieces only, until the static value (stand pat) is good enough.
//!
//! Every move fires, so "capture" here means "after this move the beam ends on an enemy". Two cases: the beam already
//! stands on an enemy pawn, then any move that leaves the beam alone zaps it, and a few such moves stand for all; or a
//! move that touches the beam turns it onto one.

use arrayvec::ArrayVec;
use kernel::{Bound, Depth, Entry, MAX_PLY, Policy, Score, Stop, Window};
use laser::{MAX_MOVES, Move, Position};

use super::history::PieceTo;
use super::parallel::Scheduler;
use super::technique::Technique;
use super::victim::Victim;
use super::worker::Worker;
use super::zap_generator::ZapGenerator;
use crate::eval::Beams;
use kernel::NodeKind;

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    pub(crate) fn quiescence<N: NodeKind>(
        &mut self,
        position: &Position,
        beams: &Beams,
        mut window: Window,
        ply: usize,
    ) -> Result<Score, Stop> {
        self.node_counter.tick_quiescence()?;
        self.lines[ply].clear();
        self.selective_depth = self.selective_depth.max(ply);
        let side = position.side_to_move();
        if self.is_draw(position) {
            return Ok(self.draw_score(side));
        }
        if let Some(score) = self.solved(position, ply) {
            return Ok(score);
        }
        if ply >= MAX_PLY - 1 || !self.uses(Technique::Quiescence) {
            return Ok(self.evaluate(position));
        }

        let entry = if self.uses(Technique::Table) { self.probe(position.key()) } else { None };
        if let Some(entry) = &entry {
            let score = Score::from_table(entry.score, ply);
            if !N::PV && window.is_answered_by(score, entry.bound) {
                return Ok(score);
            }
        }

        // Stand pat: the static value, plus a little for having the move.
        let (stand, eval) = self.stand(position, beams, window, ply, entry.and_then(|entry| entry.eval));
        if window.fails_high(stand) {
            if entry.is_none() && eval.is_some() {
                self.remember(position, ply, None, stand, eval, Bound::Lower);
            }
            return Ok(stand);
        }
        let asked = window;
        window.raise(stand);

        let parameters = &self.shared.parameters;
        // Delta pruning: no zap of a pawn can lift the value to alpha.
        let delta_pruned = window.fails_low(stand + parameters.delta_margin);
        let standing_zaps = parameters.standing_zaps as usize;
        let Some(generator) = ZapGenerator::new(position, beams.path(side)) else { return Ok(stand) };
        let mut zaps = ArrayVec::<(i32, Move), MAX_MOVES>::new();
        let mut wins = None;
        let forbidden = position.ko_move();
        generator.for_each_touching(position, |mv, victim| match victim {
            Victim::King if forbidden != Some(mv) => wins = Some(mv),
            Victim::Pawn if !delta_pruned && forbidden != Some(mv) => {
                zaps.push((self.histories.score(side, mv, PieceTo::of(position, mv), None), mv));
            }
            _ => {}
        });
        match generator.current_victim(position) {
            Victim::King => position.for_each_still_move_of(side, generator.path(), |mv| wins = Some(mv)),
            Victim::Pawn if !delta_pruned => {
                let touching = zaps.len();
                position.for_each_still_move_of(side, generator.path(), |mv| {
                    zaps.push((self.histories.score(side, mv, PieceTo::of(position, mv), None), mv));
                });
                // The best of the moves that only wait for the shot stand for all of them.
                zaps[touching..].sort_unstable_by_key(|&(score, mv)| (-score, mv));
                zaps.truncate(touching + standing_zaps);
            }
            _ => {}
        }
        if let Some(mv) = wins {
            self.tried += 1;
            self.lines[ply + 1].clear();
            self.extend_line(ply, mv);
            return Ok(Score::mate_in(ply + 1));
        }

        zaps.sort_unstable_by_key(|&(score, mv)| (-score, mv));
        let mut best = stand;
        let mut best_move = None;
        let mut made = 0;
        self.enter(position.key());
        for (_, mv) in zaps {
            made += 1;
            let mut next = *position;
            next.play(mv);
            self.shared.table.prefetch(next.key());
            let score = -self.quiescence::<N>(&next, &Beams::of(&next), -window, ply + 1)?;
            if score > best {
                best = score;
                if score > window.alpha() {
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_line(ply, mv);
                    }
                }
                if window.fails_high(score) {
                    break;
                }
                window.raise(score);
            }
        }
        self.leave();
        // Every move was looked at for what it zaps; after a cut only those made count.
        self.tried += if window.fails_high(best) { made } else { position.move_count() };
        self.remember(position, ply, best_move, best, eval, asked.bound(best));
        Ok(best)
    }

    fn remember(
        &self,
        position: &Position,
        ply: usize,
        best: Option<Move>,
        score: Score,
        eval: Option<Score>,
        bound: Bound,
    ) {
        if self.uses(Technique::Table) {
            let entry = Entry {
                best: best.map(Move::nonzero_bits),
                score: score.to_table(ply),
                eval,
                depth: Depth::ZERO,
                bound,
                pv: false,
            };
            self.enter_in_table(position.key(), entry);
        }
    }

    /// The stand-pat value, and the full static value if it was needed.
    #[inline]
    fn stand(
        &mut self,
        position: &Position,
        beams: &Beams,
        window: Window,
        ply: usize,
        known: Option<Score>,
    ) -> (Score, Option<Score>) {
        let having_the_move = self.shared.parameters.having_the_move;
        if let Some(eval) = known {
            self.inherit_coverage(ply);
            return (eval + having_the_move, known);
        }
        let below = self.shared.parameters.delta_margin;
        let lazy = self.uses(Technique::LazyEvaluation).then_some((window, 0, below));
        let (eval, exact) = self.static_value(position, beams, ply, lazy);
        (eval + having_the_move, exact.then_some(eval))
    }
}

//! Quiescence search (QS): captures and promotions until the position is quiet, evasions when in check (Shannon 1950).

use crate::frame::{Frame, TtProbe};
use crate::move_picker::{MovePicker, OrderingContext, Purpose};
use crate::parameters::piece_value;
use crate::table_key::table_key;
use crate::team::Scheduler;
use crate::technique::Technique;
use crate::worker::Worker;
use chess::{Bitboard, Move, PieceKind, Position};
use kernel::NodeKind;
use kernel::{Bound, Depth, Policy, Score, Stop, Window};

impl<P: Policy<Technique>, S: Scheduler> Worker<P, S> {
    /// The value of a position when only noisy moves are looked at.
    pub(crate) fn quiescence<N: NodeKind>(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
    ) -> Result<Score, Stop> {
        self.quiescence_from::<N>(position, window, ply, ply)
    }

    /// The same at `ply` of a quiescence search that began at the ply `began`.
    fn quiescence_from<N: NodeKind>(
        &mut self,
        position: &Position,
        mut window: Window,
        ply: usize,
        began: usize,
    ) -> Result<Score, Stop> {
        self.node_counter.tick_quiescence()?;
        self.scheduler.check()?;
        if N::PV {
            self.lines[ply].clear();
            self.selective_depth = self.selective_depth.max(ply);
        }

        // Step 1: draws, the end of the stack, and a repetition within reach.
        if let Some(score) = self.draw_or_leaf_score(position, ply) {
            return Ok(score);
        }
        if let Some(score) = self.upcoming_repetition(position, &mut window, ply) {
            return Ok(score);
        }

        // Step 2: what the table knows.
        let key = table_key(position);
        let tt = self.probe_tt_quiescence(position, key, ply);
        if !N::PV
            && let Some(score) = tt.score
            && window.is_answered_by(score, tt.bound)
        {
            return Ok(score);
        }

        // Step 3: stand pat.
        let in_check = position.in_check();
        if !self.uses(Technique::Quiescence) {
            return Ok(self.evaluate(position, ply, tt.eval).corrected);
        }
        let static_eval = (!in_check).then(|| self.evaluate(position, ply, tt.eval));
        self.stack[ply].eval = static_eval.map(|static_eval| static_eval.corrected);
        let opening = window;
        let stand_pat = static_eval.map(|static_eval| tt.refine(static_eval.corrected));
        let frame = Frame {
            depth: Depth::ZERO,
            ply,
            cut_node: false,
            in_check,
            improving: false,
            eval: stand_pat,
            static_eval,
            tt,
            table_pv: N::PV || tt.pv,
            threats: Bitboard::EMPTY,
            excluded: None,
        };
        if let Some(score) = stand_pat {
            if window.fails_high(score) && self.uses(Technique::AlphaBeta) {
                if tt.bound == Bound::None {
                    self.store_quiescence(key, &frame, None, score, Bound::Lower);
                }
                return Ok(self.blend_quiescence(score, opening));
            }
            window.raise(score);
        }

        // Step 4: the moves.
        let context = self.context(ply);
        let noisy_or_evasion = tt.mv.filter(|&mv| in_check || position.is_noisy(mv));
        let mut picker = MovePicker::new(Purpose::Quiescence, noisy_or_evasion, None, in_check, &self.arena);
        let mark = picker.start();
        let mut best_score = stand_pat;
        let mut best_move = None;
        let mut searched = 0;
        loop {
            let ordering = OrderingContext {
                position,
                histories: &self.histories,
                context: &context,
                threats: frame.threats,
                policy: &self.policy,
                phase_probe: &self.phase_probe,
            };
            let Some(mv) = picker.next(&mut self.arena, &ordering) else { break };

            // Step 4a: skip what cannot reach alpha or loses material.
            if let Some(best) = best_score
                && !best.is_loss()
            {
                if in_check {
                    // One evasion that does not lose is enough to look at captures only.
                    picker.skip_quiets();
                    if !position.is_noisy(mv) {
                        continue;
                    }
                } else if self.underpromotion_pruning(mv) {
                    continue;
                } else if self.move_count_pruning_quiescence(position, mv, searched, ply - began) {
                    break;
                }
                if let Some(best_case) = self.delta_pruning(position, mv, stand_pat, window) {
                    best_score = Some(best.max(best_case));
                    continue;
                }
                if self.see_pruning_quiescence(position, mv) {
                    continue;
                }
            }

            // Step 4b: search it.
            let child = self.enter(position, mv, ply, None);
            let asked = if self.uses(Technique::AlphaBeta) { -window } else { Window::FULL };
            let score = -self.quiescence_from::<N::Child>(&child, asked, ply + 1, began)?;
            self.leave();
            searched += 1;
            if best_score.is_some_and(|best| score <= best) {
                continue;
            }
            best_score = Some(score);
            if window.fails_low(score) {
                continue;
            }
            best_move = Some(mv);
            if N::PV {
                let (here, below) = self.lines.split_at_mut(ply + 1);
                here[ply].prepend(mv, &below[0]);
            }
            if window.fails_high(score) && self.uses(Technique::AlphaBeta) {
                break;
            }
            window.raise(score);
        }
        self.arena.release(mark);

        // Step 5: in check and no move at all.
        let Some(score) = best_score else { return Ok(Score::mated_in(ply)) };
        let score = if best_move.is_some() { self.blend_quiescence(score, opening) } else { score };
        let bound = if opening.fails_high(score) { Bound::Lower } else { Bound::Upper };
        self.store_quiescence(key, &frame, best_move, score, bound);
        Ok(score)
    }

    #[inline]
    fn probe_tt_quiescence(&self, position: &Position, key: u64, ply: usize) -> TtProbe {
        if !self.uses(Technique::Table) || !self.uses(Technique::QuiescenceTable) {
            return TtProbe::default();
        }
        let use_move = self.uses(Technique::TableMove);
        self.probe(key).map_or_else(TtProbe::default, |entry| TtProbe::new(&entry, position, ply, use_move))
    }

    #[inline]
    fn store_quiescence(&self, key: u64, frame: &Frame, best: Option<Move>, score: Score, bound: Bound) {
        if self.uses(Technique::QuiescenceTable) {
            self.store(key, frame, best, score, bound);
        }
    }

    /// Promotions to less than a queen are left to the full search (Stockfish).
    #[inline]
    fn underpromotion_pruning(&self, mv: Move) -> bool {
        self.uses(Technique::QuiescenceMoveCount)
            && mv.promotes_to().is_some_and(|kind| kind != PieceKind::Queen)
    }

    /// Move count pruning in quiescence: so many plies deep, after so many moves, the rest is skipped from the first on that
    /// gives no check (after Stockfish). Without it a board full of promotions takes millions of nodes.
    #[inline]
    fn move_count_pruning_quiescence(
        &self,
        position: &Position,
        mv: Move,
        searched: i32,
        plies: usize,
    ) -> bool {
        let numbers = self.parameters();
        plies as i32 >= numbers.quiescence_moves_ply
            && searched >= numbers.quiescence_moves
            && self.uses(Technique::QuiescenceMoveCount)
            && !position.gives_check(mv)
    }

    /// Fail-high score blending in quiescence: the mean of the score and beta (Stockfish).
    #[inline]
    fn blend_quiescence(&self, score: Score, window: Window) -> Score {
        let beta = window.beta();
        let applies = score > beta
            && score.is_heuristic()
            && beta.is_heuristic()
            && self.uses(Technique::QuiescenceBlend);
        if applies { Score::centipawns(i32::midpoint(score.value(), beta.value())) } else { score }
    }

    /// Delta pruning: even winning the victim for nothing would not reach alpha. The answer is the most
    /// the move could reach (chess programming wiki).
    #[inline]
    fn delta_pruning(
        &self,
        position: &Position,
        mv: Move,
        stand_pat: Option<Score>,
        window: Window,
    ) -> Option<Score> {
        let stand_pat = stand_pat?;
        if mv.is_promotion() || !window.alpha().is_heuristic() || !self.uses(Technique::QuiescenceFutility) {
            return None;
        }
        let base = stand_pat + self.parameters().quiescence_futility;
        let best_case = base + position.captured(mv).map_or(0, piece_value);
        if window.fails_low(best_case) && !position.gives_check(mv) {
            return Some(Score::centipawns(best_case.value()));
        }
        (window.fails_low(base) && !self.see_at_least(position, mv, 1))
            .then(|| Score::centipawns(base.value()))
    }

    /// SEE pruning: a capture that loses material is skipped (chess programming wiki).
    #[inline]
    fn see_pruning_quiescence(&self, position: &Position, mv: Move) -> bool {
        self.uses(Technique::QuiescenceExchange) && !self.see_at_least(position, mv, 0)
    }
}

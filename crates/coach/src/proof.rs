//! Verification of errors: only what deeper searches confirm is reported.

use super::drawback::{Drawback, drawback};
use super::motif::{Motif, has_result, motifs, refutation_motifs};
use super::plan::plan;
use super::tactics::Track;
use super::visible_depth::{Visibility, visibility};
use chess::{Game, Move, Position};
use human_model::expected::Expected;
use human_model::oracle::{Line, Oracle, Question, Stopped};
use human_model::shown_score::ShownScore;

/// A verified error. Both lines come from one deeper search, and for all but large errors from a much longer one.
#[derive(Clone, PartialEq, Debug)]
pub struct Proof {
    /// What should have been played, and how it goes on.
    pub better: Line,
    /// The move played and its refutation; the scores are the mover's.
    pub refutation: Line,
    pub motifs: Vec<Motif>,
    /// What the better line shows, where it wins something.
    pub missed: Vec<Motif>,
    /// What the better line goes for, where it shows a plan and no tactics.
    pub plan: Option<String>,
    /// Present where the lines show no tactical motif.
    pub drawback: Option<Drawback>,
    /// How far ahead one must look to see it.
    pub seen_at: Visibility,
}

/// A move that many people of the level play and that loses.
#[derive(Clone, PartialEq, Debug)]
pub struct Trap {
    pub bait: Move,
    pub share: f32,
    pub loss: f64,
    /// The bait and its refutation.
    pub line: Line,
    pub fell_in: bool,
}

/// A verification searches this many times the nodes of the first look.
pub(super) const DEEPER: u64 = 4;
/// What is left of an error after the punishing reply was searched again must be at least this much of it.
const CONFIRMED: f64 = 0.6;
/// A loss that every search puts above this is a blunder, however far they differ beyond it.
const CERTAIN_LOSS: f64 = 0.20;
/// A smaller loss counts as none.
pub(super) const LEAST_ERROR: f64 = 0.05;
/// A first look errs by some 0.03 points: a move that loses this much by it is searched again.
pub(super) const SUSPECT: f64 = 0.04;
/// A deeper search that finds less than this is believed.
const DISPUTED: f64 = 0.055;
/// Between that and this, both moves are searched once more with so many times the nodes, and that search decides alone. Shorter
/// searches may be on either side: where all of them had to agree, errors of 0.15 points were passed over (`results/human`).
const CLEAR: f64 = 0.25;
const LONGER: u64 = 4;
/// What the longest search must find. A higher bound misses more and is wrong less often (`results/human`).
const NAMED: f64 = 0.095;
/// From here on a position counts as good, in expected points.
const GOOD: f64 = 0.6;
/// A trap costs at least this much.
pub(super) const BAIT_LOSS: f64 = 0.10;
const SHOWN_PLIES: usize = 7;
/// A move, its reply and the answer, unless the game ends before.
const LEAST_SHOWN_PLIES: usize = 3;

/// What a position is worth to the side that just moved.
pub(super) fn score_for_mover(game: &Game, look: Option<&Line>) -> ShownScore {
    match (look, game.position().in_check()) {
        (Some(line), _) => -line.score,
        (None, true) => ShownScore::mate_in(1),
        (None, false) => ShownScore::DRAW,
    }
}

/// What deeper searches make of a move that looked like an error.
pub(super) enum Verification {
    Confirmed(Box<Proof>),
    /// Nothing can be said. The loss is the smallest that any of the searches found, in expected points.
    Unconfirmed {
        loss: f64,
    },
}

/// Searches both moves deeper, side by side, and then the position after the refutation once more. What is not
/// confirmed twice is not said.
pub(super) fn verify(
    game: &Game,
    mv: Move,
    nodes: u64,
    oracle: &mut dyn Oracle,
) -> Result<Verification, Stopped> {
    let none = Ok(Verification::Unconfirmed { loss: 0.0 });
    let Some(best) = oracle.best(game, DEEPER * nodes)? else { return none };
    if best.mv == mv {
        return none;
    }
    let lines = oracle.ask(&Question::each(game, &[best.mv, mv], 2 * DEEPER * nodes))?;
    let find = |wanted: Move| lines.iter().find(|line| line.mv == wanted).cloned();
    let (Some(mut better), Some(mut refutation)) = (find(best.mv), find(mv)) else { return none };
    let mut loss = better.expected().loss_to(refutation.expected());
    let mut after = game.clone();
    if loss < DISPUTED || after.play(mv).is_err() {
        return Ok(Verification::Unconfirmed { loss });
    }
    let is_clear = loss >= CLEAR && {
        let kept = after_refutation(&after, &refutation, DEEPER * nodes, oracle)?;
        let held = after_move(game, better.mv, DEEPER * nodes, oracle)?;
        let least =
            better.expected().loss_to(kept).min(held.loss_to(kept)).min(held.loss_to(refutation.expected()));
        least >= (CONFIRMED * loss).min(CERTAIN_LOSS)
    };
    if !is_clear {
        let moves = [better.mv, mv];
        let again = oracle.ask(&Question::each(game, &moves, 2 * LONGER * DEEPER * nodes))?;
        let worth = |wanted: Move| again.iter().find(|line| line.mv == wanted).cloned();
        let (Some(good), Some(bad)) = (worth(better.mv), worth(mv)) else { return none };
        loss = good.expected().loss_to(bad.expected());
        if loss < NAMED {
            return Ok(Verification::Unconfirmed { loss });
        }
        // The longest search has the word, with its own numbers and lines.
        let known = if bad.moves.len() > 1 { bad.moves.clone() } else { refutation.moves };
        (better, refutation) = (good, Line { moves: known, ..bad });
    }
    // A search that was cut short may know what a move is worth and not yet why.
    if refutation.moves.len() < 2
        && let Some(line) = oracle.best(&after, DEEPER * nodes)?
    {
        refutation.moves = std::iter::once(mv).chain(line.moves).collect();
    }
    extend(game, &mut better, LEAST_SHOWN_PLIES, nodes, oracle)?;
    // The same after the move played: a bare check is no refutation that one can follow.
    extend(game, &mut refutation, 1 + LEAST_SHOWN_PLIES, nodes, oracle)?;
    let answer: Vec<Move> = refutation.moves.iter().skip(1).copied().take(SHOWN_PLIES).collect();
    let mut found = refutation_motifs(game.position(), mv, &answer, -shifted(refutation.score));
    let mut missed =
        motifs(game.position(), &better.moves[..better.moves.len().min(SHOWN_PLIES)], better.score);
    // In a position that stays bad only what is taken counts.
    if better.expected().points() <= GOOD {
        missed
            .retain(|motif| motif.takes_a_piece() || matches!(motif, Motif::Wins(_) | Motif::PerpetualCheck));
    }
    // A fork, a pin or a check that brings nothing is no reason.
    if !has_result(&missed) {
        missed.clear();
    }
    better.moves.truncate(SHOWN_PLIES);
    refutation.moves.truncate(SHOWN_PLIES + 1);
    let is_tactical = better.score.is_win() || !missed.is_empty();
    let plan = if is_tactical { None } else { plan(game.position(), &better.moves) };
    let has_reason = has_result(&found) || better.score.is_win();
    let drawback =
        if has_reason { None } else { drawback(game.position(), &better.moves, &refutation.moves) };
    if drawback.is_some() {
        found.clear();
    }
    let is_tactical = is_tactical
        || !found.is_empty()
        || drawback.is_some_and(Drawback::is_tactical)
        || has_check(game.position(), &refutation.moves);
    let seen_at = match visibility(game.position(), &better, &refutation, is_tactical) {
        // A piece that the reply takes is seen there, even where the line shown ends before its gain is settled.
        Visibility::Plies(plies) if plies <= 2 => Visibility::Plies(plies),
        _ if found.iter().any(Motif::takes_a_piece) => Visibility::Plies(2),
        _ if missed.iter().any(Motif::takes_a_piece) => Visibility::Plies(1),
        seen => seen,
    };
    Ok(Verification::Confirmed(Box::new(Proof {
        better,
        refutation,
        motifs: found,
        missed,
        plan,
        drawback,
        seen_at,
    })))
}

/// Whether the other side checks in a line that begins with a move of the side to move.
fn has_check(position: &Position, line: &[Move]) -> bool {
    let track = Track::new(position, line);
    track.positions().iter().step_by(2).skip(1).any(Position::in_check)
}

/// A line that a search cut short is continued: a better move is shown with what follows it.
fn extend(
    game: &Game,
    line: &mut Line,
    least: usize,
    nodes: u64,
    oracle: &mut dyn Oracle,
) -> Result<(), Stopped> {
    while line.moves.len() < least {
        let mut at = game.clone();
        if line.moves.iter().any(|mv| at.play(*mv).is_err()) || at.outcome().is_some() {
            return Ok(());
        }
        match oracle.best(&at, nodes)? {
            Some(rest) => line.moves.extend(rest.moves),
            None => return Ok(()),
        }
    }
    Ok(())
}

/// What the mover has left after a move and its refutation, by a search of the position there.
fn after_refutation(
    after: &Game,
    refutation: &Line,
    nodes: u64,
    oracle: &mut dyn Oracle,
) -> Result<Expected, Stopped> {
    let mut after = after.clone();
    match refutation.moves.get(1) {
        Some(&reply) if after.play(reply).is_err() => Ok(refutation.expected()),
        Some(_) => Ok(match oracle.best(&after, nodes)? {
            Some(line) => line.expected(),
            // The reply ended the game: mate, or a draw.
            None if after.position().in_check() => Expected::LOST,
            None => Expected::EVEN,
        }),
        // No reply is known: the move ended the game, or the search was cut short.
        None => Ok(Expected::of(score_for_mover(&after, oracle.best(&after, nodes)?.as_ref()))),
    }
}

/// What a move is worth to its mover by a search of the position after it.
fn after_move(game: &Game, mv: Move, nodes: u64, oracle: &mut dyn Oracle) -> Result<Expected, Stopped> {
    let mut after = game.clone();
    if after.play(mv).is_err() {
        return Ok(Expected::LOST);
    }
    let look = oracle.best(&after, nodes)?;
    Ok(Expected::of(score_for_mover(&after, look.as_ref())))
}

/// A mate counted from the position before the move, counted from after it.
fn shifted(score: ShownScore) -> ShownScore {
    match score.kind() {
        kernel::Kind::MatedIn(plies) => ShownScore::mated_in(plies.saturating_sub(1) as usize),
        kernel::Kind::MateIn(plies) => ShownScore::mate_in(plies.saturating_sub(1) as usize),
        _ => score,
    }
}

/// The trap in a position that the player did not fall into: `bait` is what most people play.
pub(super) fn avoided_trap(
    game: &Game,
    best: Move,
    bait: Move,
    share: f32,
    nodes: u64,
    oracle: &mut dyn Oracle,
) -> Result<Option<Trap>, Stopped> {
    let lines = oracle.ask(&Question::each(game, &[best, bait], 2 * nodes))?;
    let value = |mv: Move| lines.iter().find(|line| line.mv == mv);
    let (Some(good), Some(bad)) = (value(best), value(bait)) else { return Ok(None) };
    if good.expected().loss_to(bad.expected()) < BAIT_LOSS {
        return Ok(None);
    }
    let Verification::Confirmed(proof) = verify(game, bait, nodes, oracle)? else { return Ok(None) };
    let loss = proof.loss();
    Ok((loss >= BAIT_LOSS).then_some(Trap { bait, share, loss, line: proof.refutation, fell_in: false }))
}

/// The same for a player who did: the error's own proof says what it cost, so that the two cannot disagree.
pub(super) fn sprung_trap(proof: &Proof, bait: Move, share: f32) -> Option<Trap> {
    let loss = proof.loss();
    (loss >= BAIT_LOSS).then(|| Trap { bait, share, loss, line: proof.refutation.clone(), fell_in: true })
}

impl Proof {
    /// The motifs of the refutation and what was missed, without figures, or else the drawback.
    pub fn themes(&self) -> Vec<String> {
        let named = |motif: &&Motif| !matches!(motif, Motif::Wins(_));
        let mut themes: Vec<String> =
            self.motifs.iter().chain(&self.missed).filter(named).map(Motif::theme).collect();
        themes.extend(self.drawback.filter(|_| themes.is_empty()).map(|drawback| drawback.to_string()));
        themes.sort();
        themes.dedup();
        themes
    }

    /// Expected points given away.
    pub fn loss(&self) -> f64 {
        self.better.expected().loss_to(self.refutation.expected())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::Centipawns;
    use kernel::Score;

    const NODES: u64 = 1000;

    /// Says what a better and a worse move are worth in searches of so many nodes; elsewhere everything is level.
    struct Table {
        moves: [Move; 2],
        /// Nodes, and centipawns of the better move; the worse is level.
        worth: Vec<(u64, i32)>,
        asked: Vec<u64>,
    }

    fn line(mv: Move, centipawns: i32) -> Line {
        let score = ShownScore::centipawns(Centipawns::new(centipawns));
        Line { mv, score, search_score: Score::ZERO, moves: vec![mv], depth: 1 }
    }

    impl Oracle for Table {
        fn ask(&mut self, question: &Question<'_>) -> Result<Vec<Line>, Stopped> {
            self.asked.push(question.nodes);
            if question.game.moves().is_empty() {
                let worth = self.worth.iter().rev().find(|(nodes, _)| *nodes <= question.nodes);
                let lines =
                    [line(self.moves[0], worth.map_or(0, |(_, worth)| *worth)), line(self.moves[1], 0)];
                return Ok(lines.into_iter().take(question.lines).collect());
            }
            let is_better = question.game.moves().first() == Some(&self.moves[0]);
            let worth = if is_better { self.worth[0].1 } else { 0 };
            let first = question.game.position().legal_moves().first().copied();
            Ok(first.map(|mv| line(mv, -worth)).into_iter().collect())
        }

        fn nodes(&self) -> u64 {
            self.asked.last().copied().unwrap_or(0)
        }
    }

    fn verified(worth: &[(u64, i32)]) -> (Option<f64>, Vec<u64>) {
        let game = Game::default();
        let moves = ["d2d4", "a2a3"].map(|text| game.position().parse_uci(text).unwrap());
        let mut table = Table { moves, worth: worth.to_vec(), asked: Vec::new() };
        let loss = match verify(&game, moves[1], NODES, &mut table).unwrap() {
            Verification::Confirmed(proof) => Some(proof.loss()),
            Verification::Unconfirmed { .. } => None,
        };
        (loss, table.asked)
    }

    #[test]
    fn near_the_bound_the_longest_search_decides_alone() {
        // 77 centipawns are 0.07 points, 177 are 0.16: the searches before it would have passed the error over.
        let (loss, asked) = verified(&[(0, 77), (32 * NODES, 177)]);
        assert!(loss.is_some_and(|loss| (loss - 0.157).abs() < 0.01), "{loss:?}");
        assert_eq!(
            asked[..3],
            [4 * NODES, 8 * NODES, 32 * NODES],
            "the budget scales with the nodes of a position"
        );
        // And the other way round: an error of 0.16 that the longest search does not find is not told.
        assert_eq!(verified(&[(0, 177), (32 * NODES, 77)]).0, None);
    }

    #[test]
    fn what_is_far_from_the_bound_is_not_searched_for_long() {
        for (centipawns, is_error) in [(40, false), (600, true)] {
            let (loss, asked) = verified(&[(0, centipawns)]);
            assert_eq!(loss.is_some(), is_error, "{centipawns}");
            assert!(asked.iter().all(|nodes| *nodes <= 8 * NODES), "{centipawns}: {asked:?}");
        }
    }
}

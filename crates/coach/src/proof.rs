//! Verification of errors: only what deeper searches confirm is reported.

use super::drawback::{Drawback, drawback};
use super::motif::{Motif, motifs, refutation_motifs};
use super::plan::plan;
use super::visible_depth;
use chess::{Game, Move};
use human_model::expected::Expected;
use human_model::oracle::{Line, Oracle, Question, Stopped};
use human_model::shown_score::ShownScore;

/// A verified error. Both lines come from one deeper search, the refutation was searched again, and small errors a third
/// time.
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
    /// The depth at which the error is seen; see [`visible_depth`].
    pub seen_at: Option<u32>,
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
pub(super) const LEAST_ERROR: f64 = 0.05;
/// Every search must find at least this much: at the limit itself a longer search would revert half of the errors.
const PROVEN: f64 = 0.06;
/// An error smaller than this is searched once more, with so many times the nodes, and must then be at least so large: all that
/// a much longer search took back of 234 errors was below the first.
const RECHECK_BELOW: f64 = 0.20;
const LONGER: u64 = 4;
const SURE: f64 = 0.08;
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
    let loss = better.expected().loss_to(refutation.expected());
    let mut after = game.clone();
    if loss < LEAST_ERROR || after.play(mv).is_err() {
        return Ok(Verification::Unconfirmed { loss });
    }
    // A search that was cut short may know what a move is worth and not yet why.
    if refutation.moves.len() < 2
        && let Some(line) = oracle.best(&after, DEEPER * nodes)?
    {
        refutation.moves = std::iter::once(mv).chain(line.moves).collect();
    }
    let kept = match refutation.moves.get(1) {
        Some(&reply) if after.play(reply).is_err() => return none,
        Some(_) => match oracle.best(&after, DEEPER * nodes)? {
            Some(line) => line.expected(),
            // The reply ended the game: mate, or a draw.
            None if after.position().in_check() => Expected::LOST,
            None => Expected::EVEN,
        },
        // The move itself ended it, and did not mate: a draw was not what could be had.
        None => Expected::EVEN,
    };
    let held = after_move(game, better.mv, DEEPER * nodes, oracle)?;
    // The least that any of the searches says: what is near the limit is left unsaid.
    let least =
        better.expected().loss_to(kept).min(held.loss_to(kept)).min(held.loss_to(refutation.expected()));
    if least < PROVEN.max((CONFIRMED * loss).min(CERTAIN_LOSS)) {
        return Ok(Verification::Unconfirmed { loss: least });
    }
    if least < RECHECK_BELOW {
        let moves = [better.mv, mv];
        let again = oracle.ask(&Question::each(game, &moves, 2 * LONGER * DEEPER * nodes))?;
        let worth = |wanted: Move| again.iter().find(|line| line.mv == wanted).map(Line::expected);
        let (Some(good), Some(bad)) = (worth(better.mv), worth(mv)) else { return none };
        if good.loss_to(bad) < SURE.max((CONFIRMED * loss).min(CERTAIN_LOSS)) {
            return Ok(Verification::Unconfirmed { loss: least.min(good.loss_to(bad)) });
        }
    }
    extend(game, &mut better, LEAST_SHOWN_PLIES, nodes, oracle)?;
    // The same after the move played: a bare check is no refutation that one can follow.
    extend(game, &mut refutation, 1 + LEAST_SHOWN_PLIES, nodes, oracle)?;
    let answer: Vec<Move> = refutation.moves.iter().skip(1).copied().take(SHOWN_PLIES).collect();
    let found = refutation_motifs(game.position(), mv, &answer, -shifted(refutation.score));
    let missed = if better.expected() > Expected::new(0.6) {
        motifs(game.position(), &better.moves[..better.moves.len().min(SHOWN_PLIES)], better.score)
    } else {
        Vec::new()
    };
    better.moves.truncate(SHOWN_PLIES);
    refutation.moves.truncate(SHOWN_PLIES + 1);
    let is_tactical = better.score.is_win() || !missed.is_empty();
    let plan = if is_tactical { None } else { plan(game.position(), &better.moves) };
    let has_reason = !found.is_empty() || better.score.is_win();
    let drawback =
        if has_reason { None } else { drawback(game.position(), &better.moves, &refutation.moves) };
    let seen_at = match (visible_depth::seen_at(game, better.mv, mv, loss), refutation.score.kind()) {
        // A mate is seen as far away as it is, whatever else there was.
        (seen, kernel::Kind::MatedIn(plies)) => Some(seen.map_or(plies, |depth| depth.min(plies))),
        // A piece that the reply takes is seen there, even where short searches misjudge the better move.
        (seen, _) if found.iter().any(Motif::takes_a_piece) => Some(seen.map_or(2, |depth| depth.min(2))),
        (seen, _) => seen,
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

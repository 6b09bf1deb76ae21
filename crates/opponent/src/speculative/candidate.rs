//! The expectation of one candidate move over the replies that people are likely to play.

use super::choice::{Choice, SpeculationSettings};
use chess::{Game, Move};
use human_model::expected::Expected;
use human_model::oracle::{Line, Oracle, Stopped};
use human_model::reply::Replies;
use human_model::shown_score::ShownScore;
use kernel::Kind;

/// Replies that hold this much of the probability are searched; the rest counts as the best reply.
const MASS: f32 = 0.95;
pub(super) const MOST_REPLIES: usize = 6;
/// A reply that gives away this much is a mistake.
const MISTAKE: f64 = 0.10;
/// A reply after which the game is over for practical purposes.
const OVER: f64 = 0.97;
/// Worth of an immediate decision: what ends the game sooner is preferred among equals.
const SPEED: f64 = 0.03;

/// What a score is worth to us.
pub(super) type Unit = fn(ShownScore) -> f64;

/// The most that any score is worth in any unit.
const MOST: f64 = 1.0 + MATE_BONUS;
const MATE_BONUS: f64 = 0.2;
/// A mate this many plies away is no better than a great advantage.
const LONG_MATE: f64 = 40.0;
/// Log-odds a centipawn: a third of what it is for points, so that a queen more still counts when a rook won already.
const PROGRESS_SLOPE: f64 = 0.0012;

pub(super) fn points(score: ShownScore) -> f64 {
    Expected::of(score).points()
}

/// Progress towards the end of a won game: material, then the length of the mate.
pub(super) fn progress(score: ShownScore) -> f64 {
    match score.kind() {
        Kind::MateIn(plies) => 1.0 + MATE_BONUS * (1.0 - f64::from(plies) / LONG_MATE).max(0.0),
        Kind::Centipawns(value) => 1.0 / (1.0 + (-PROGRESS_SLOPE * f64::from(value)).exp()),
        _ => points(score),
    }
}

/// A candidate and what people answer it.
pub(super) struct CandidateEvaluation<'a> {
    pub line: &'a Line,
    pub after: Game,
    pub replies: Replies,
    pub unit: Unit,
}

/// One candidate's expectation over modelled replies.
#[derive(Default)]
pub(super) struct Expectation {
    /// In the unit of the evaluation, and in points.
    value: f64,
    points: f64,
    mistake: f64,
    decided: f64,
    likely_mistake: Option<(f64, Vec<Move>)>,
    replies: Vec<(Move, f32)>,
}

impl Expectation {
    pub fn choice(self, line: &Line, best: &Line) -> Choice {
        let intended = self.likely_mistake.map_or_else(|| line.moves.clone(), |(_, moves)| moves);
        Choice {
            expectation: Expected::new(self.points),
            mistake_probability: self.mistake,
            intended,
            replies: self.replies,
            ..Choice::plain(line, best)
        }
    }
}

impl CandidateEvaluation<'_> {
    pub fn utility(&self, found: &Expectation, terms: &SpeculationSettings) -> f64 {
        let trust = 1.0 - terms.distrust;
        trust * (found.value + SPEED * found.decided) + terms.distrust * (self.unit)(self.line.score)
    }

    /// `Ok(None)` when it cannot reach `floor` (Star1: even if every reply not yet searched were the greatest gift, the sum
    /// would stay below).
    pub fn expect(
        &self,
        terms: &SpeculationSettings,
        nodes: u64,
        floor: Option<f64>,
        oracle: &mut dyn Oracle,
    ) -> Result<Option<Expectation>, Stopped> {
        // No reply is better for them than the best one: a candidate's own score is the least there is.
        let least = self.line.score;
        let covering = self.replies.covering(MASS).iter().take(MOST_REPLIES);
        let likely: Vec<(Move, f32)> = covering.map(|reply| (reply.mv, reply.probability)).collect();
        let mut unsearched: f64 = likely.iter().map(|(_, share)| f64::from(*share)).sum();
        // What the model does not see counts as the best reply.
        let unseen = (1.0 - unsearched).max(0.0);
        let mut found = Expectation {
            value: unseen * (self.unit)(least),
            points: unseen * points(least),
            replies: likely.clone(),
            ..Expectation::default()
        };
        for (reply, share) in likely {
            let share = f64::from(share);
            let gift = Expectation {
                value: found.value + MOST * unsearched,
                decided: found.decided + unsearched,
                ..Expectation::default()
            };
            if floor.is_some_and(|floor| self.utility(&gift, terms) <= floor) {
                return Ok(None);
            }
            let mut next = self.after.clone();
            if next.play(reply).is_err() {
                continue;
            }
            // The reply plain search expects: its value is known, and by a deeper search.
            let is_expected = self.line.moves.get(1) == Some(&reply);
            let answer = if is_expected { None } else { oracle.best(&next, nodes)? };
            let score = match (&answer, next.outcome()) {
                (Some(line), _) => line.score.max(least),
                // Their own move cannot have mated them: the game ended in their favour or in a draw.
                (None, Some(outcome)) if outcome.winner().is_some() => ShownScore::mated_in(1),
                (None, Some(_)) => ShownScore::DRAW,
                (None, None) => least,
            };
            unsearched -= share;
            found.value += share * (self.unit)(score);
            found.points += share * points(score);
            let gain = points(score) - points(least);
            if gain >= MISTAKE {
                found.mistake += share;
                if found.likely_mistake.as_ref().is_none_or(|(most, _)| share * gain > *most) {
                    let mut moves = vec![self.line.mv, reply];
                    moves.extend(answer.iter().flat_map(|line| line.moves.iter().copied()));
                    found.likely_mistake = Some((share * gain, moves));
                }
            }
            if points(score) > OVER {
                found.decided += share;
            }
        }
        Ok(Some(found))
    }
}

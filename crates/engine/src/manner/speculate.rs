//! `Speculative=bounded`: plain search finds the candidates, the model of people decides among them.

use super::{Network, Turn};
use crate::consultant::Consultant;
use crate::report::{Information, Listener, Report};
use chess::{Game, Position};
use human_model::rating::{EvidenceModel, Posterior};
use human_model::reply::{Circumstances, Rating, Scale, Situation};
use kernel::Limits;
use opponent::speculative::{Bounded, Choice, PLAIN_SHARE, SpeculationSettings};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Asking the model costs some 15 ms a position on one core, half a dozen times a move: below this much time for a move, or on the clock with
/// the increments of twenty moves, plain search plays alone.
const LEAST_MOVE_TIME: Duration = Duration::from_millis(400);
const LEAST_ON_CLOCK: Duration = Duration::from_secs(15);
/// Opening moves say what somebody has read, not how strong they are.
const SILENT_PLIES: usize = 10;
/// Shown of the intended line.
const SHOWN: usize = 5;

/// What is kept from turn to turn. Shared with the turn being played.
#[derive(Clone, Default)]
pub(crate) struct Memory(Arc<Mutex<Mind>>);

#[derive(Default)]
struct Mind {
    bounded: Bounded,
    /// What the opponent's moves say of their strength.
    posterior: Option<Posterior>,
    told_off: bool,
}

impl Memory {
    pub fn new_game(&self) {
        let mut mind = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        mind.bounded = Bounded::default();
        mind.told_off = false;
    }
}

pub(crate) struct Speculate {
    pub network: Network,
    pub told: Option<Rating>,
    pub budget: f64,
    pub distrust: f64,
    /// Lines the user wants to see.
    pub lines: usize,
    pub memory: Memory,
}

impl Speculate {
    pub fn play(self, turn: &Turn, consultant: &mut Consultant<'_>, mut listener: Box<Listener>) {
        let mut mind = self.memory.0.lock().unwrap_or_else(PoisonError::into_inner);
        let limits = &turn.request.limits;
        let in_haste = is_hasty(limits);
        let opponent = self.told.unwrap_or_else(|| self.listen(&mut mind, &turn.game, in_haste));
        let distrust = if in_haste { 1.0 } else { self.distrust };
        let mut terms =
            SpeculationSettings { budget: self.budget, distrust, opponent, scale: Scale::Lichess, nodes: 0 };
        let on = mind.bounded.is_on(&terms);
        // While pondering the session of `go` must be used: it knows when our clock begins to run.
        let split = (on && !limits.ponder).then(|| reduced(limits));
        let shown = self.lines as u32;
        let allowed = &turn.request.search_moves;
        let found = consultant.first_search(
            &turn.game,
            allowed,
            self.lines,
            split,
            &mut |information: Information| {
                if information.rank <= shown {
                    listener(Report::Information(information));
                }
            },
        );
        let Some(best) = found.ok().and_then(|lines| lines.into_iter().next()) else {
            let fallback = turn.game.position().legal_moves().as_slice().first().copied();
            listener(Report::Best { best: fallback, ponder: None });
            return;
        };
        if let Some(reply) = turn.game.moves().last() {
            mind.bounded.learn(*reply, best.expected());
        }
        terms.nodes = (consultant.nodes as f64 * (1.0 - PLAIN_SHARE) / PLAIN_SHARE) as u64;
        let choice =
            mind.bounded.choose(&turn.game, allowed, &best, &terms, self.network.model(), consultant);
        mind.bounded.commit(&choice);
        if mind.bounded.is_switched_off() && !mind.told_off {
            mind.told_off = true;
            listener(Report::Remark("speculation is off: the model of this opponent was wrong twice".into()));
        } else if choice.mistake_probability > 0.0 {
            listener(Report::Remark(remark(turn.game.position(), &choice, opponent)));
        }
        let ponder = choice.line.moves.get(1).copied();
        listener(Report::Best { best: Some(choice.mv), ponder });
    }

    /// Takes in the opponent's last move, unless there is no time to; answers what they seem to be worth.
    fn listen(&self, mind: &mut Mind, game: &Game, in_haste: bool) -> Rating {
        let posterior = mind.posterior.get_or_insert_with(|| Posterior::broad(Scale::Lichess));
        if !in_haste
            && game.moves().len() > SILENT_PLIES
            && let Some(reply) = game.moves().last().copied()
        {
            let mut before = game.clone();
            before.take_back();
            let guess = Rating::new(posterior.estimate().mean as i64).unwrap_or(Rating::LOWEST);
            let witness = EvidenceModel {
                model: self.network.model(),
                circumstances: Circumstances::new(guess, Scale::Lichess),
            };
            if let Some(evidence) = witness.evidence(&Situation::of(&before), reply) {
                posterior.update(&evidence);
            }
        }
        Rating::new(posterior.estimate().mean as i64).unwrap_or(Rating::LOWEST)
    }
}

/// Too little time to ask what people would play.
fn is_hasty(limits: &Limits) -> bool {
    let on_clock = limits.clock.as_ref().map(|clock| clock.remaining + 20 * clock.increment);
    limits.move_time.is_some_and(|time| time < LEAST_MOVE_TIME)
        || on_clock.is_some_and(|time| time < LEAST_ON_CLOCK)
}

/// The part of the limits that plain search may use.
fn reduced(limits: &Limits) -> Limits {
    let mut part = limits.clone();
    part.nodes = limits.nodes.map(|nodes| ((nodes as f64 * PLAIN_SHARE) as u64).max(1));
    part.move_time = limits.move_time.map(|time| time.mul_f64(PLAIN_SHARE));
    if let Some(clock) = &mut part.clock {
        clock.remaining = clock.remaining.mul_f64(PLAIN_SHARE);
        clock.increment = clock.increment.mul_f64(PLAIN_SHARE);
    }
    part
}

fn remark(position: &Position, choice: &Choice, opponent: Rating) -> String {
    let mut text = format!(
        "speculative: P(mistake) {:.0} % at {}, concession {:.1} points in a hundred, expectation {:.0} against {:.0}; intended",
        100.0 * choice.mistake_probability,
        opponent.points(),
        100.0 * choice.concession(),
        choice.expectation.percent(),
        choice.worth.percent()
    );
    let mut at = position.clone();
    for mv in choice.intended.iter().take(SHOWN) {
        if !at.is_legal(*mv) {
            break;
        }
        let _ = write!(text, " {}", at.san(*mv));
        at.play(*mv);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::PlayClock;

    #[test]
    fn plain_search_gets_its_share_of_every_limit() {
        let limits = reduced(&Limits { nodes: Some(1000), ..Limits::default() });
        assert_eq!(limits.nodes, Some(500));
        let limits = Limits { move_time: Some(Duration::from_secs(10)), ..Limits::default() };
        assert_eq!(reduced(&limits).move_time, Some(Duration::from_secs(5)));
        assert_eq!(reduced(&Limits::depth(7)), Limits::depth(7));
    }

    #[test]
    fn nobody_speculates_in_haste() {
        let clock = |remaining: u64, increment: u64| Limits {
            clock: Some(PlayClock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go: None,
            }),
            ..Limits::default()
        };
        let move_time = |ms: u64| Limits { move_time: Some(Duration::from_millis(ms)), ..Limits::default() };
        for (limits, hasty) in [
            (clock(100, 10), true),
            (clock(60_000, 0), false),
            (clock(2_000, 1_000), false),
            (move_time(100), true),
            (move_time(1_000), false),
            (Limits::depth(8), false),
            (Limits { nodes: Some(5_000), ..Limits::default() }, false),
        ] {
            assert_eq!(is_hasty(&limits), hasty, "{limits:?}");
        }
    }
}

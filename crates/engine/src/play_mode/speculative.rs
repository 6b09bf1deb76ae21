//! `Speculative=bounded`: normal search finds the candidates, the model of human replies decides among them.

use super::network::Network;
use super::normal::Normal;
use super::turn::{Choice, Play, Reports, Turn};
use super::turn_search::{Found, TurnSearch};
use crate::policy_pool::SearchTerms;
use crate::report::{Information, Report};
use chess::{Game, Position};
use human_model::expected::Expected;
use human_model::rating::{Estimate, EvidenceModel, Posterior};
use human_model::reply::{Circumstances, Rating, Scale, Situation};
use human_model::shown_score::ShownScore;
use kernel::Limits;
use opponent::speculative::{Bounded, Choice as BoundedChoice, PLAIN_SHARE, SpeculationSettings, Strength};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Asking the model costs some 15 ms a position on one core, half a dozen times a move: below this much time for a
/// move, or on the clock with the increments of 20 moves, normal search decides alone.
const LEAST_MOVE_TIME: Duration = Duration::from_millis(400);
const LEAST_ON_CLOCK: Duration = Duration::from_secs(15);
/// Opening moves are often learnt by heart and say little about strength.
const OPENING_PLIES: usize = 10;
/// Moves shown of the intended line.
const SHOWN: usize = 5;

/// What is kept from turn to turn. Shared with the turn being played.
#[derive(Clone, Default)]
pub(crate) struct SharedState(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    bounded: Bounded,
    /// The estimate of the opponent's strength from their moves.
    posterior: Option<Posterior>,
    is_off_told: bool,
}

impl SharedState {
    pub fn new_game(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.bounded = Bounded::default();
        state.is_off_told = false;
    }
}

pub(crate) struct BoundedSpeculation {
    pub network: Network,
    pub told: Option<Rating>,
    pub budget: f64,
    pub distrust: f64,
    /// Of normal search, which plays where speculation makes no sense.
    pub normal: SearchTerms,
    pub state: SharedState,
}

impl Play for BoundedSpeculation {
    fn play(self: Box<Self>, turn: &Turn, search: &mut TurnSearch<'_>, reports: &mut Reports) -> Choice {
        let mut state = self.state.0.lock().unwrap_or_else(PoisonError::into_inner);
        let limits = &turn.request.limits;
        let is_short_of_time = lacks_time(limits);
        let opponent = match self.told {
            Some(rating) => Strength::Told(rating),
            None => Strength::Estimated(self.estimate_opponent(&mut state, &turn.game, is_short_of_time)),
        };
        let distrust = if is_short_of_time { 1.0 } else { self.distrust };
        let mut terms =
            SpeculationSettings { budget: self.budget, distrust, opponent, scale: Scale::Lichess, nodes: 0 };
        if !state.bounded.is_on(&terms) {
            state.bounded.pass();
            let (choice, score) = Normal { terms: self.normal }.play_and_tell(turn, search, reports);
            if let Some(score) = score {
                state.bounded.note(Expected::of(ShownScore::of(score, &search.evaluation)));
            }
            return choice;
        }
        // While pondering the session of `go` must be used: it knows when our clock begins to run.
        let split = (!limits.ponder).then(|| reduced(limits));
        let shown = self.normal.lines as u32;
        let allowed = &turn.request.search_moves;
        let found = search.first_search(
            &turn.game,
            allowed,
            self.normal.lines,
            split,
            &mut |information: Information| {
                if information.rank <= shown {
                    reports.send(Report::Information(information));
                }
            },
        );
        let Ok(Found { lines, best: Some(mv) }) = found else {
            return Choice { best: turn.any_move(), ponder: None };
        };
        let Some(best) = lines.into_iter().next().filter(|line| line.mv == mv) else {
            // The search ended while another move had just become better: nothing to weigh it against.
            state.bounded.pass();
            return Choice { best: Some(mv), ponder: None };
        };
        if let Some(reply) = turn.game.moves().last() {
            state.bounded.learn(*reply, best.expected());
        }
        state.bounded.note(best.expected());
        terms.nodes = (search.nodes as f64 * (1.0 - PLAIN_SHARE) / PLAIN_SHARE) as u64;
        let choice = state.bounded.choose(&turn.game, allowed, &best, &terms, self.network.model(), search);
        state.bounded.commit(&choice);
        if state.bounded.is_switched_off() && !state.is_off_told {
            state.is_off_told = true;
            reports.remark("speculation is off: the model of this opponent was wrong twice");
        } else if choice.mistake_probability > 0.0 {
            reports.remark(remark(turn.game.position(), &choice, opponent.rating()));
        }
        let ponder = choice.line.moves.get(1).copied();
        Choice { best: Some(choice.mv), ponder }
    }
}

impl BoundedSpeculation {
    /// The opponent's estimated rating, their last move included, unless there is no time for it.
    fn estimate_opponent(&self, state: &mut State, game: &Game, is_short_of_time: bool) -> Estimate {
        let posterior = state.posterior.get_or_insert_with(|| Posterior::broad(Scale::Lichess));
        if !is_short_of_time
            && game.moves().len() > OPENING_PLIES
            && let Some(reply) = game.moves().last().copied()
        {
            let mut before = game.clone();
            before.take_back();
            let guess = Rating::new(posterior.estimate().mean as i64).unwrap_or(Rating::LOWEST);
            let evidence_model = EvidenceModel {
                model: self.network.model(),
                circumstances: Circumstances::new(guess, Scale::Lichess),
            };
            if let Some(evidence) = evidence_model.evidence(&Situation::of(&before), reply) {
                posterior.update(&evidence);
            }
        }
        posterior.estimate()
    }
}

/// Too little time to ask what people would play.
fn lacks_time(limits: &Limits) -> bool {
    let on_clock = limits.clock.as_ref().map(|clock| clock.remaining + 20 * clock.increment);
    limits.move_time.is_some_and(|time| time < LEAST_MOVE_TIME)
        || on_clock.is_some_and(|time| time < LEAST_ON_CLOCK)
}

/// The part of the limits that normal search may use.
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

fn remark(position: &Position, choice: &BoundedChoice, opponent: Rating) -> String {
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
    fn normal_search_gets_its_share_of_every_limit() {
        let limits = reduced(&Limits { nodes: Some(1000), ..Limits::default() });
        assert_eq!(limits.nodes, Some(500));
        let limits = Limits { move_time: Some(Duration::from_secs(10)), ..Limits::default() };
        assert_eq!(reduced(&limits).move_time, Some(Duration::from_secs(5)));
        assert_eq!(reduced(&Limits::depth(7)), Limits::depth(7));
    }

    #[test]
    fn no_speculation_when_short_of_time() {
        let clock = |remaining: u64, increment: u64| Limits {
            clock: Some(PlayClock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go: None,
            }),
            ..Limits::default()
        };
        let move_time = |ms: u64| Limits { move_time: Some(Duration::from_millis(ms)), ..Limits::default() };
        for (limits, short) in [
            (clock(100, 10), true),
            (clock(60_000, 0), false),
            (clock(2_000, 1_000), false),
            (move_time(100), true),
            (move_time(1_000), false),
            (Limits::depth(8), false),
            (Limits { nodes: Some(5_000), ..Limits::default() }, false),
        ] {
            assert_eq!(lacks_time(&limits), short, "{limits:?}");
        }
    }
}

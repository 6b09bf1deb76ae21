//! Thinking time like a person's: short for known moves, long where many moves are likely.

use chess::Game;
use common::Random;
use human_model::reply::Replies;
use std::time::Duration;

/// How much of an ordinary move's time this one takes: 1 is ordinary.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace(f64);

/// What decides how long a person thinks about a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moment {
    /// Of the replies, in nats.
    entropy: f64,
    /// The share of the favourite.
    favourite: f64,
    /// The favourite takes back what was just taken.
    takes_back: bool,
    in_check: bool,
    legal_moves: usize,
    ply: usize,
    /// Pieces and pawns on the board.
    pieces: u32,
}

impl Moment {
    pub fn of(game: &Game, replies: &Replies) -> Moment {
        let position = game.position();
        let entropy: f64 = replies
            .as_slice()
            .iter()
            .map(|reply| f64::from(reply.probability))
            .filter(|share| *share > 0.0)
            .map(|share| -share * share.ln())
            .sum();
        let favourite = replies.favourite();
        let takes_back = favourite.zip(game.moves().last()).is_some_and(|(favourite, last)| {
            favourite.mv.to() == last.to()
                && position.captured(favourite.mv).is_some()
                && favourite.probability > 0.5
        });
        Moment {
            entropy,
            favourite: favourite.map_or(0.0, |reply| f64::from(reply.probability)),
            takes_back,
            in_check: position.in_check(),
            legal_moves: position.legal_moves().len(),
            ply: game.moves().len(),
            pieces: position.board().occupied().count(),
        }
    }

    /// As numbers, for a study that fits them to times of people.
    pub fn features(&self) -> [f64; 7] {
        [
            self.entropy,
            self.favourite,
            f64::from(u8::from(self.takes_back)),
            f64::from(u8::from(self.in_check)),
            self.legal_moves as f64,
            self.ply as f64,
            f64::from(self.pieces),
        ]
    }
}

/// The mover's clock, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeLeft {
    /// Nobody measures: no reason to wait.
    Untimed,
    /// So long for this move at most.
    Fixed(Duration),
    Clock {
        remaining: Duration,
        increment: Duration,
        moves_to_go: Option<u32>,
    },
}

/// The shortest time in which a person moves.
const REACTION: Duration = Duration::from_millis(350);
/// Standard deviation of the logarithm of the time that [`Moment`] does not explain.
const SPREAD: f64 = 0.87;
/// Moves a person expects still to come.
const HORIZON: f64 = 38.0;

impl Pace {
    /// Only one move was legal.
    pub const fn instant() -> Pace {
        Pace(0.12)
    }

    /// The move was known: an opening, a mating technique.
    pub const fn known() -> Pace {
        Pace(0.3)
    }

    /// The logarithm is a sum, fitted by least squares to the thinking times of held-out players (`human-study pace`,
    /// `tools/fit_pace.py`): long where many moves are likely, in check, and from move 20 on; short in the opening.
    pub fn of(moment: &Moment) -> Pace {
        let &Moment { entropy, in_check, legal_moves, ply, .. } = moment;
        let log = -2.74 + 0.786 * entropy - 0.146 * entropy * entropy
            + 0.55 * f64::from(u8::from(in_check))
            + 0.148 * (legal_moves.max(1) as f64).ln()
            + 0.25 * (ply.min(12) as f64 / 12.0)
            + 1.525 * (ply.min(40) as f64 / 40.0);
        Pace(log.exp())
    }

    /// The time as a multiple of an ordinary move's.
    pub const fn factor(self) -> f64 {
        self.0
    }

    /// The time for one move; people take twice as long or half as long for no reason one sees (a log-normal spread).
    pub fn think(self, left: TimeLeft, random: &mut Random) -> Duration {
        let spread = (SPREAD * random.normal()).exp();
        let (ordinary, most) = match left {
            TimeLeft::Untimed => return Duration::ZERO,
            TimeLeft::Fixed(most) => (most.mul_f64(0.6), most.mul_f64(0.95)),
            TimeLeft::Clock { remaining, increment, moves_to_go } => {
                let moves = moves_to_go.map_or(HORIZON, |moves| f64::from(moves.clamp(2, 60)) + 1.0);
                (remaining.div_f64(moves) + increment.mul_f64(0.8), remaining.mul_f64(0.2))
            }
        };
        let wanted = ordinary.mul_f64((self.0 * spread).clamp(0.05, 5.0)).max(REACTION);
        wanted.min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLITZ: TimeLeft = TimeLeft::Clock {
        remaining: Duration::from_secs(180),
        increment: Duration::from_secs(2),
        moves_to_go: None,
    };

    fn median(pace: Pace, left: TimeLeft) -> Duration {
        let mut random = Random::new(3);
        let mut times: Vec<Duration> = (0..501).map(|_| pace.think(left, &mut random)).collect();
        times.sort();
        times[250]
    }

    #[test]
    fn hard_choices_take_longer_than_known_ones() {
        assert!(median(Pace::instant(), BLITZ) < median(Pace::known(), BLITZ));
        assert!(median(Pace::known(), BLITZ) < median(Pace(1.0), BLITZ));
        let ordinary = median(Pace(1.0), BLITZ);
        assert!((4..9).contains(&ordinary.as_secs()), "{ordinary:?}");
    }

    #[test]
    fn people_think_long_in_hard_moments_of_the_middlegame() {
        let easy = Moment {
            entropy: 0.2,
            favourite: 0.95,
            takes_back: false,
            in_check: false,
            legal_moves: 30,
            ply: 40,
            pieces: 24,
        };
        let factor = |moment: Moment| Pace::of(&moment).factor();
        assert!(factor(Moment { entropy: 2.0, ..easy }) > 1.5 * factor(easy));
        assert!(factor(Moment { ply: 6, ..easy }) < 0.5 * factor(easy));
        assert!(factor(Moment { in_check: true, ..easy }) > factor(easy));
        assert!((0.1..3.0).contains(&factor(easy)));
    }

    #[test]
    fn nobody_waits_untimed_and_nobody_oversteps() {
        let mut random = Random::new(9);
        assert_eq!(Pace(3.0).think(TimeLeft::Untimed, &mut random), Duration::ZERO);
        for millis in [1, 50, 400, 5000, 600_000] {
            let remaining = Duration::from_millis(millis);
            let clock =
                TimeLeft::Clock { remaining, increment: Duration::from_secs(30), moves_to_go: Some(1) };
            for _ in 0..200 {
                assert!(Pace(2.0).think(clock, &mut random) <= remaining.mul_f64(0.2));
                assert!(Pace(2.0).think(TimeLeft::Fixed(remaining), &mut random) <= remaining.mul_f64(0.95));
            }
        }
    }

    /// A whole bullet game of hard moves: the flag never falls.
    #[test]
    fn a_game_never_runs_out_of_time() {
        let mut random = Random::new(11);
        let mut remaining = Duration::from_secs(60);
        for _ in 0..300 {
            let clock = TimeLeft::Clock { remaining, increment: Duration::ZERO, moves_to_go: None };
            remaining -= Pace(1.5).think(clock, &mut random);
        }
        assert!(remaining > Duration::ZERO);
    }
}

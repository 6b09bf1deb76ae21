//! Sharing out the clock.
//!
//! Two limits: the hard one is never crossed (workers poll it), the soft one decides whether a new
//! iteration is begun, and bends with what the search has seen: how long the best move has stood,
//! how much of the effort went into it, and whether the score is falling.

use crate::limits::{Limits, PlayClock};
use std::time::Duration;

crate::tunables! {
    /// The numbers by which a clock is shared out.
    pub struct TimeNumbers {
        /// part of the clock for a move at the first ply, in thousandths
        time_part: 10..=80 = 26;
        /// how much that part grows up to ply 100, in thousandths
        time_part_growth: 0..=80 = 30;
        /// part of the increment for a move, in hundredths
        time_increment: 30..=100 = 85;
        /// hard limit, in tenths of the soft one
        time_hard: 15..=100 = 45;
        /// effort: time at an undivided tree, in hundredths
        time_effort: 80..=300 = 219;
        /// effort: less for the share of nodes below the best move, in hundredths
        time_effort_share: 40..=250 = 135;
        /// stability: time after a change of the best move, in hundredths
        time_stability: 100..=220 = 138;
        /// stability: less for each iteration without a change, in hundredths
        time_stability_step: 0..=15 = 7;
        /// changes: more for each recent change of the best move, in hundredths
        time_changes: 0..=60 = 0;
        /// falling score: more for each centipawn, in ten-thousandths
        time_falling: 0..=150 = 60;
    }
}

/// How the engine keeps time, fixed by its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeSettings {
    /// Time lost outside the search on each move.
    pub overhead: Duration,
    /// Count nodes instead of time, so many to the millisecond: for reproducible games.
    pub nodes_per_millisecond: Option<u64>,
    /// How a clock is shared out.
    pub numbers: TimeNumbers,
}

impl Default for TimeSettings {
    fn default() -> Self {
        Self {
            overhead: Duration::from_millis(10),
            nodes_per_millisecond: None,
            numbers: TimeNumbers::default(),
        }
    }
}

/// What the finished iterations say about the need for more.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimeFactors {
    /// Iterations since the best move last changed.
    pub stable_iterations: u32,
    /// Changes of the best move, each iteration since then halving its weight.
    pub recent_changes: f64,
    /// Share of all nodes spent under the best move, 0 to 1.
    pub best_move_share: f64,
    /// Centipawns lost since the earlier iterations; negative when the score rises.
    pub score_drop: i32,
    /// Only one legal move: thinking cannot change it.
    pub is_forced: bool,
}

/// The two limits of one search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimeManager {
    soft: Option<Duration>,
    hard: Option<Duration>,
    numbers: TimeNumbers,
}

/// No limit is ever below this: the first iteration needs something.
const LEAST: Duration = Duration::from_millis(1);

impl TimeManager {
    /// Reads the limits of a search.
    pub fn new(limits: &Limits, settings: &TimeSettings) -> Self {
        let fixed = limits.move_time.map(|time| usable(time, settings.overhead));
        let shared = limits.clock.map(|clock| share(&clock, limits.ply, settings));
        let hard = match (fixed, shared) {
            (Some(fixed), Some((_, hard))) => Some(fixed.min(hard)),
            (fixed, shared) => fixed.or(shared.map(|(_, hard)| hard)),
        };
        Self { soft: shared.map(|(soft, _)| soft), hard, numbers: settings.numbers.clone() }
    }

    /// The time after which no node may be searched.
    pub fn hard(&self) -> Option<Duration> {
        self.hard
    }

    /// The time after which no iteration may begin.
    pub fn soft(&self, factors: &TimeFactors) -> Option<Duration> {
        let soft = self.soft?;
        let scaled = soft.mul_f64(if factors.is_forced { 0.05 } else { factors.scale(&self.numbers) });
        Some(self.hard.map_or(scaled, |hard| scaled.min(hard)))
    }
}

impl TimeFactors {
    fn scale(&self, numbers: &TimeNumbers) -> f64 {
        // After Caissa and Stockfish: effort spent elsewhere means the choice is open.
        let effort =
            hundredths(numbers.time_effort) - hundredths(numbers.time_effort_share) * self.best_move_share;
        let stability = hundredths(numbers.time_stability)
            - hundredths(numbers.time_stability_step) * f64::from(self.stable_iterations.min(9));
        let changes = 1.0 + hundredths(numbers.time_changes) * self.recent_changes;
        let falling = 1.0 + f64::from(numbers.time_falling * self.score_drop.clamp(-25, 70)) / 10_000.0;
        (effort * stability * changes * falling).max(0.05)
    }
}

fn hundredths(number: i32) -> f64 {
    f64::from(number) / 100.0
}

/// What is left of `time` after the overhead, and something even when there is too little.
fn usable(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead).max(time / 10).max(LEAST)
}

/// Kept back from a playing clock at all times: on a busy machine a wake-up can take this long.
const RESERVE: Duration = Duration::from_millis(100);

/// A playing clock below this is to grow again: the less is left, the more of each increment is saved.
const COMFORT: Duration = Duration::from_millis(600);

/// The soft and hard share of a playing clock.
fn share(clock: &PlayClock, ply: u32, settings: &TimeSettings) -> (Duration, Duration) {
    let TimeSettings { overhead, ref numbers, .. } = *settings;
    let left = usable(clock.remaining, overhead + RESERVE.min(clock.remaining / 3));
    let (part, ceiling) = match clock.moves_to_go {
        // The last move before the control may use nearly everything.
        Some(moves) if moves <= 1 => (0.8, 0.9),
        Some(moves) => (0.95 / f64::from(moves.min(40)), 0.7),
        None => {
            let grown = f64::from(numbers.time_part_growth) * f64::from(ply.min(100)) / 100.0;
            ((f64::from(numbers.time_part) + grown) / 1000.0, 0.5)
        }
    };
    let comfort = (clock.remaining.as_secs_f64() / COMFORT.as_secs_f64()).min(1.0);
    // The overhead eats into every increment.
    let soft = left.mul_f64(part)
        + clock.increment.saturating_sub(overhead).mul_f64(hundredths(numbers.time_increment) * comfort);
    // The increment arrives only after the move: it cannot be spent before.
    let soft = soft.min(left.mul_f64(ceiling));
    let hard = soft.mul_f64(f64::from(numbers.time_hard) / 10.0).min(left.mul_f64(ceiling));
    (soft.max(LEAST), hard.max(LEAST))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALM: TimeFactors = TimeFactors {
        stable_iterations: 4,
        recent_changes: 0.0,
        best_move_share: 0.6,
        score_drop: 0,
        is_forced: false,
    };

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            clock: Some(PlayClock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
                moves_to_go,
            }),
            ..Limits::default()
        }
    }

    #[test]
    fn no_clock_no_limit() {
        let manager = TimeManager::new(&Limits::depth(9), &TimeSettings::default());
        assert_eq!((manager.hard(), manager.soft(&CALM)), (None, None));
    }

    #[test]
    fn a_short_clock_recovers_even_when_every_wake_up_is_late() {
        let (mut remaining, increment, late) = (120, 50, 20);
        for _ in 0..40 {
            let limits = clock(remaining, increment, None);
            let soft = TimeManager::new(&limits, &TimeSettings::default()).soft(&CALM).unwrap();
            let used = soft.as_millis() as u64 + late;
            assert!(used < remaining, "{used} of {remaining} ms");
            remaining = remaining - used + increment;
        }
        assert!(remaining > 250, "{remaining} ms");
    }

    #[test]
    fn a_fixed_time_is_used_up_to_the_overhead() {
        let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        let manager = TimeManager::new(&limits, &TimeSettings::default());
        assert_eq!(manager.hard(), Some(Duration::from_millis(90)));
        assert_eq!(manager.soft(&CALM), None);
    }

    #[test]
    fn limits_are_ordered_and_inside_the_clock() {
        for remaining in [1, 5, 11, 20, 100, 1000, 60_000, 7_200_000] {
            for increment in [0, 10, 1000, 60_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let limits = clock(remaining, increment, moves_to_go);
                    let manager = TimeManager::new(&limits, &TimeSettings::default());
                    let hard = manager.hard().unwrap();
                    let soft = manager.soft(&CALM).unwrap();
                    let case = format!("{remaining}+{increment}/{moves_to_go:?}: {soft:?} {hard:?}");
                    assert!(soft <= hard && hard >= LEAST, "{case}");
                    if remaining > 20 {
                        assert!(
                            hard + Duration::from_millis(10) <= Duration::from_millis(remaining),
                            "{case}"
                        );
                    }
                }
            }
        }
    }

    /// A whole game in which every move uses the hard limit plus the promised overhead.
    #[test]
    fn a_game_played_at_the_hard_limit_never_loses_on_time() {
        for (start, increment) in [(1000_u64, 10_u64), (5000, 50), (60_000, 600), (1000, 100)] {
            let increment = Duration::from_millis(increment);
            let mut remaining = Duration::from_millis(start);
            for number in 0..400 {
                let limits = Limits {
                    clock: Some(PlayClock { remaining, increment, moves_to_go: None }),
                    ..Limits::default()
                };
                let hard = TimeManager::new(&limits, &TimeSettings::default()).hard().unwrap();
                let spent = hard + Duration::from_millis(8);
                assert!(spent < remaining, "move {number}: {spent:?} of {remaining:?}");
                remaining = remaining.saturating_sub(spent) + increment;
            }
        }
    }

    #[test]
    fn later_moves_get_more_of_the_same_clock() {
        let soft = |ply| {
            let limits = Limits { ply, ..clock(60_000, 0, None) };
            TimeManager::new(&limits, &TimeSettings::default()).soft(&CALM).unwrap()
        };
        assert!(soft(0) < soft(20) && soft(20) < soft(80));
        assert_eq!(soft(100), soft(u32::MAX));
    }

    #[test]
    fn numbers_change_the_shares() {
        let with = |name: &str, value: i32| {
            let mut settings = TimeSettings::default();
            settings.numbers.set(name, value).unwrap();
            let limits = Limits { ply: 50, ..clock(60_000, 500, None) };
            let manager = TimeManager::new(&limits, &settings);
            (manager.soft(&TimeFactors { recent_changes: 1.0, score_drop: 30, ..CALM }), manager.hard())
        };
        for spec in TimeNumbers::SPECS {
            assert_ne!(with(spec.name, spec.min), with(spec.name, spec.max), "{}", spec.name);
        }
        assert!(TimeNumbers::default().set("time_part", 900).is_err());
    }

    #[test]
    fn trouble_takes_longer_and_certainty_is_quick() {
        let manager = TimeManager::new(&clock(60_000, 0, None), &TimeSettings::default());
        let soft = |factors: TimeFactors| manager.soft(&factors).unwrap();
        assert!(soft(TimeFactors { score_drop: 50, ..CALM }) > soft(CALM));
        assert!(soft(TimeFactors { stable_iterations: 0, ..CALM }) > soft(CALM));
        assert!(soft(TimeFactors { best_move_share: 0.95, ..CALM }) < soft(CALM));
        assert!(soft(TimeFactors { is_forced: true, ..CALM }) < soft(CALM) / 4);
    }
}

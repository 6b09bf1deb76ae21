//! The engine of one game: one search at a time; a result counts only if it is still needed.

use crate::events::{GameState, Player};
use crate::settings::PlaySettings;
use chess::{Color, Game, Move};
use engine::{Clock, Engine, Report, Request, Settings};
use kernel::{Limits, PlayClock, Score};
use std::sync::Arc;
use std::time::Duration;

/// Time for a move of a game without a clock, where the site allows days.
const WITHOUT_CLOCK: Duration = Duration::from_secs(10);
/// Time for the first moves: the clocks do not run yet, and the site aborts a game whose first moves take too long.
const FIRST_MOVES: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    Move,
    /// Our answer to the move the opponent is expected to make.
    Ponder,
}

struct Running {
    purpose: Purpose,
    /// The moves that lead to the position searched.
    moves: Vec<Move>,
}

/// Receives the number of a search and its reports.
pub type ReportSink = Arc<dyn Fn(u32, Report) + Send + Sync>;

pub struct GameSearch {
    engine: Engine,
    sink: ReportSink,
    number: u32,
    running: Option<Running>,
    ponders: bool,
    /// Moves to the position after our last choice, and the reply expected there.
    expected: Option<(Vec<Move>, Move)>,
    /// Of the last search, from our side.
    score: Score,
    latest: Option<(Score, u32)>,
}

/// The limits of the search for a move.
pub fn limits(has_clock: bool, side: Color, state: &GameState, ply: usize, since: Duration) -> Limits {
    if !has_clock {
        return Limits { move_time: Some(WITHOUT_CLOCK), ..Limits::default() };
    }
    let (left, increment) = match side {
        Color::White => (state.wtime, state.winc),
        Color::Black => (state.btime, state.binc),
    };
    let milliseconds = |value: i64| Duration::from_millis(value.max(0) as u64);
    if ply < 2 {
        let share = (milliseconds(left) / 40).clamp(Duration::from_millis(50), FIRST_MOVES);
        return Limits { move_time: Some(share), ..Limits::default() };
    }
    let remaining = milliseconds(left).saturating_sub(since).max(Duration::from_millis(1));
    let clock = PlayClock { remaining, increment: milliseconds(increment), moves_to_go: None };
    Limits { clock: Some(clock), ..Limits::default() }
}

impl GameSearch {
    pub fn new(
        settings: &PlaySettings,
        clock: &Arc<dyn Clock>,
        sink: ReportSink,
    ) -> Result<GameSearch, String> {
        let engine = make_engine(settings, clock)?;
        let ponders = settings.ponder && !engine.settings().limit_strength;
        Ok(GameSearch {
            engine,
            sink,
            number: 0,
            running: None,
            ponders,
            expected: None,
            score: Score::default(),
            latest: None,
        })
    }

    /// Sets `UCI_Opponent`.
    pub fn set_opponent(&mut self, opponent: &Player) {
        let word = |text: &str| text.split_whitespace().collect::<Vec<_>>().join("_");
        let title = opponent.title.as_deref().map_or("none".to_string(), word);
        let rating = opponent.rating.map_or("none".to_string(), |rating| rating.to_string());
        let kind = if opponent.is_bot() { "computer" } else { "human" };
        let value = format!("{title} {rating} {kind} {}", word(&opponent.name));
        // A rating out of bounds leaves the opponent unknown; the game goes on.
        let _ = self.engine.set_option("UCI_Opponent", Some(&value));
    }

    /// Searches our move. A search of this position goes on; a ponder search of it becomes a normal one.
    pub fn search_move(&mut self, game: &Game, limits: Limits) {
        if let Some(running) = self.running.as_mut().filter(|running| running.moves == game.moves()) {
            if running.purpose == Purpose::Ponder {
                running.purpose = Purpose::Move;
                self.engine.ponder_hit();
            }
            return;
        }
        self.go(game.clone(), limits, Purpose::Move);
    }

    /// The opponent is to move: searches the position after the expected reply, if there is one.
    pub fn ponder(&mut self, game: &Game, limits: &Limits) {
        let Some(expected) =
            self.expected.as_ref().filter(|(moves, _)| moves == game.moves()).map(|(_, mv)| *mv)
        else {
            self.stop();
            return;
        };
        let mut ahead = game.clone();
        if !self.ponders
            || limits.clock.is_none()
            || ahead.play(expected).is_err()
            || ahead.outcome().is_some()
        {
            self.stop();
            return;
        }
        if self.running.as_ref().is_some_and(|running| running.moves == ahead.moves()) {
            return;
        }
        self.go(ahead, Limits { ponder: true, ..limits.clone() }, Purpose::Ponder);
    }

    fn go(&mut self, game: Game, limits: Limits, purpose: Purpose) {
        self.stop();
        self.number += 1;
        self.latest = None;
        self.running = Some(Running { purpose, moves: game.moves().to_vec() });
        let (number, sink) = (self.number, Arc::clone(&self.sink));
        self.engine.set_game(game);
        self.engine.go(Request::new(limits), Box::new(move |report| sink(number, report)));
    }

    /// Takes a report; when it ends the current search, returns its purpose and its best move.
    pub fn take_report(&mut self, number: u32, report: Report) -> Option<(Purpose, Option<Move>)> {
        if number != self.number {
            return None;
        }
        match report {
            Report::Information(found) => {
                if found.rank == 1 {
                    self.latest = Some((found.score, found.depth));
                }
                None
            }
            Report::Remark(_) => None,
            Report::Best { best, ponder } => {
                let running = self.running.take()?;
                if let Some((score, _)) = self.latest {
                    self.score = score;
                }
                self.expected = best.zip(ponder).map(|(best, ponder)| {
                    let mut moves = running.moves;
                    moves.push(best);
                    (moves, ponder)
                });
                Some((running.purpose, best))
            }
        }
    }

    /// From our side, in centipawns.
    pub fn score(&self) -> i32 {
        self.score.value()
    }

    pub fn score_text(&self) -> String {
        let depth = self.latest.map_or(0, |(_, depth)| depth);
        format!("{:+.2}, depth {depth}", f64::from(self.score()) / 100.0)
    }

    pub fn stop(&mut self) {
        self.number += 1;
        self.running = None;
        self.engine.finish();
    }
}

/// An engine with these settings; the error is a sentence.
pub fn make_engine(settings: &PlaySettings, clock: &Arc<dyn Clock>) -> Result<Engine, String> {
    let own = Settings {
        hash_megabytes: settings.hash_megabytes,
        threads: settings.threads,
        move_overhead: settings.overhead,
        ..Settings::default()
    };
    let mut engine = Engine::with_settings(Arc::clone(clock), own).map_err(|error| error.to_string())?;
    for (name, value) in &settings.options {
        engine.set_option(name, Some(value)).map_err(|error| error.to_string())?;
    }
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_of_the_site_less_the_time_since() {
        let state =
            GameState { wtime: 60_000, btime: 30_000, winc: 1000, binc: 2000, ..GameState::default() };
        let found = limits(true, Color::Black, &state, 10, Duration::from_millis(500)).clock.unwrap();
        assert_eq!(
            (found.remaining, found.increment),
            (Duration::from_millis(29_500), Duration::from_secs(2))
        );
        let late = limits(true, Color::White, &state, 10, Duration::from_secs(90)).clock.unwrap();
        assert_eq!(late.remaining, Duration::from_millis(1));
        let first = limits(true, Color::White, &state, 0, Duration::ZERO);
        assert_eq!(first.move_time, Some(Duration::from_millis(1500)));
        let days = GameState { wtime: 259_200_000, ..GameState::default() };
        assert_eq!(limits(true, Color::White, &days, 1, Duration::ZERO).move_time, Some(FIRST_MOVES));
        assert_eq!(limits(false, Color::White, &days, 30, Duration::ZERO).move_time, Some(WITHOUT_CLOCK));
    }
}

//! Reviews the player's games one after another, on one thread for the whole server.

use super::found::Waiting;
use super::progress::Reviewed;
use super::store::Library;
use crate::import::READING;
use crate::messages::OwnReviewing;
use crate::problem::Problem;
use chess::Color;
use chess::pgn::PgnReader;
use coach::summary::Phase;
use coach::{Coach, CoachError, MoveClass, Review};
use common::background::Background;
use engine::Clock;
use human_model::openings::Openings;
use human_model::oracle::{Line, Oracle, PoolOracle, Question, Stopped};
use human_model::reply::{ReplyModel, Scale};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Nodes for each position; errors get 4 times as many.
const NODES: u64 = 10_000;
const HASH_MEGABYTES: usize = 32;

#[derive(Default)]
struct State {
    wanted: AtomicBool,
    running: AtomicBool,
    done: AtomicU32,
    total: AtomicU32,
}

#[derive(Default)]
pub struct Reviewer {
    state: Arc<State>,
    work: Mutex<Option<Background>>,
}

struct Stoppable {
    oracle: PoolOracle,
    state: Arc<State>,
}

impl Oracle for Stoppable {
    fn ask(&mut self, question: &Question<'_>) -> Result<Vec<Line>, Stopped> {
        if self.state.wanted.load(Ordering::Relaxed) { self.oracle.ask(question) } else { Err(Stopped) }
    }

    fn nodes(&self) -> u64 {
        self.oracle.nodes()
    }
}

impl Reviewer {
    pub fn status(&self) -> OwnReviewing {
        OwnReviewing {
            running: self.state.running.load(Ordering::Acquire),
            done: self.state.done.load(Ordering::Relaxed),
            total: self.state.total.load(Ordering::Relaxed),
        }
    }

    /// Reviews at most so many games that wait for it; one run at a time.
    pub fn start(
        &self,
        library: &Arc<Library>,
        most: usize,
        clock: Arc<dyn Clock>,
    ) -> Result<OwnReviewing, Problem> {
        let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
        if self.state.running.load(Ordering::Acquire) {
            return Ok(self.status());
        }
        let mut waiting = library.waiting()?;
        waiting.truncate(most);
        self.state.wanted.store(true, Ordering::Relaxed);
        self.state.done.store(0, Ordering::Relaxed);
        self.state.total.store(waiting.len() as u32, Ordering::Relaxed);
        if waiting.is_empty() {
            return Ok(self.status());
        }
        self.state.running.store(true, Ordering::Release);
        let (state, library) = (Arc::clone(&self.state), Arc::clone(library));
        let thread = std::thread::Builder::new()
            .name("reviewer".to_string())
            // The search recurses deeply on this very thread.
            .stack_size(if cfg!(target_family = "wasm") { 8 << 20 } else { 64 << 20 });
        let started = Background::start(thread, move || {
            // What cannot be reviewed waits for the next run.
            let _ = review_all(&waiting, &library, &state, clock);
            state.running.store(false, Ordering::Release);
        });
        match started {
            Ok(started) => *work = Some(started),
            Err(error) => {
                self.state.running.store(false, Ordering::Release);
                return Err(Problem::new(
                    format!("The review cannot start: {error}."),
                    "Close other programs.",
                ));
            }
        }
        Ok(self.status())
    }

    /// Asks for an end after the search that runs.
    pub fn interrupt(&self) {
        self.state.wanted.store(false, Ordering::Relaxed);
    }

    /// Ends after the search that runs.
    pub fn stop(&self) -> OwnReviewing {
        self.interrupt();
        let work = self.work.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(work) = work {
            work.join();
        }
        self.status()
    }
}

fn review_all(
    waiting: &[Waiting],
    library: &Library,
    state: &Arc<State>,
    clock: Arc<dyn Clock>,
) -> Result<(), String> {
    let oracle = PoolOracle::new(HASH_MEGABYTES, clock, &eval::Evaluation::shipped())
        .map_err(|error| error.to_string())?;
    let mut oracle = Stoppable { oracle, state: Arc::clone(state) };
    let model = ReplyModel::shared().map_err(|error| error.to_string())?;
    let openings = Openings::shared().map_err(|error| error.to_string())?;
    for game in waiting {
        let Some(Ok(pgn)) = PgnReader::with_limits(game.pgn.as_bytes(), READING).next() else { continue };
        let player = if game.player_is_white { Color::White } else { Color::Black };
        let coach = Coach {
            model,
            openings,
            scale: Scale::Lichess,
            ratings: [None; 2],
            student: Some(player),
            nodes: NODES,
        };
        match coach.review(&pgn, &mut oracle, &mut |_, _| {}) {
            Ok(review) => {
                library.save_review(game.id, &kept(&review, player)).map_err(|problem| problem.what)?;
            }
            Err(CoachError::Stopped) => return Ok(()),
            // A Chess960 game has no review and must not wait for one for ever.
            Err(CoachError::NoMoves | CoachError::Chess960) => {
                library.save_review(game.id, &Reviewed::default()).map_err(|problem| problem.what)?;
            }
        }
        state.done.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

fn kept(review: &Review, player: Color) -> Reviewed {
    let side = &review.sides[player.index()];
    let mut kept = Reviewed {
        accuracy: side.accuracy,
        rating: side.rating.map(|rating| [rating.interval80.0, rating.mean, rating.interval80.1]),
        ..Reviewed::default()
    };
    for (played, before) in review.moves.iter().zip(review.positions()) {
        let counts = played.class.is_judged() || played.class == MoveClass::Book;
        if played.color != player || !counts {
            continue;
        }
        let phase = Phase::of(&before, played.ply);
        let (moves, errors, loss) = &mut kept.phases[phase as usize];
        *moves += 1;
        *errors += u32::from(played.class.is_error());
        *loss += played.loss;
        kept.themes.extend(played.proof.iter().flat_map(coach::Proof::themes));
    }
    kept
}

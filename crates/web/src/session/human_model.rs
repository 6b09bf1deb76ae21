//! The model of people: the moves they play in a position, by rating, and the coach's report on a game.

use super::context::{CountedSearch, SessionContext};
use crate::messages::{CoachReport, CoachedMove, Event, PeopleMove};
use crate::problem::Problem;
use crate::puzzles::from_game;
use crate::session_input::{CoachUpdate, SessionInput};
use chess::pgn::PgnGame;
use chess::{Game, Move, Position};
use coach::{Coach, Review, report};
use common::background::Background;
use engine::Clock;
use human_model::openings::{Openings, RatingBand};
use human_model::oracle::{Line, Oracle, PoolOracle, Question, Stopped};
use human_model::reply::{Circumstances, Rating, ReplyModel, Scale, Situation};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

/// Moves that are sent.
const SHOWN: usize = 8;
/// Moves of a line that a person plays through.
const SHOWN_PLIES: usize = 10;
/// Megabytes of hash for the coach's engine.
const HASH: usize = 32;

fn level(rating: u16) -> Result<Rating, Problem> {
    Rating::new(i64::from(rating)).map_err(|error| Problem::new(error.to_string(), "Set another rating."))
}

#[allow(clippy::needless_pass_by_value)] // so that it fits map_err
fn missing(error: impl ToString) -> Problem {
    Problem::new(
        format!("The model of people cannot be read: {}.", error.to_string()),
        "Build the program again.",
    )
}

/// The moves that people of a rating play here.
pub fn replies(game: &Game, rating: u16) -> Result<Event, Problem> {
    let level = level(rating)?;
    let model = ReplyModel::shared().map_err(missing)?;
    let openings = Openings::shared().map_err(missing)?;
    let position = game.position();
    let found = model.replies(&Situation::of(game), &Circumstances::new(level, Scale::Lichess));
    let counted = openings.moves(position, RatingBand::of(level, Scale::Lichess));
    let moves = found.as_slice().iter().take(SHOWN).map(|reply| PeopleMove {
        san: position.san(reply.mv).to_string(),
        uci: position.uci(reply.mv, false).to_string(),
        share: f64::from(reply.probability),
        games: counted.iter().find(|known| known.mv == reply.mv).map_or(0, |known| known.count),
    });
    Ok(Event::People {
        fen: position.to_fen(),
        rating: level.points(),
        games: counted.iter().map(|known| known.count).sum(),
        moves: moves.collect(),
    })
}

/// The coach on a thread of its own; dropping it ends the work at the next position.
pub struct CoachSession {
    number: u32,
    wanted: Arc<AtomicBool>,
    work: Option<Background>,
}

impl Drop for CoachSession {
    /// Waits for the end of the running search: then the memory of its hash table is free again.
    fn drop(&mut self) {
        self.interrupt();
        if let Some(work) = self.work.take() {
            work.join();
        }
    }
}

/// An oracle that refuses once its session has ended.
struct StoppableOracle {
    oracle: PoolOracle,
    wanted: Arc<AtomicBool>,
}

impl Oracle for StoppableOracle {
    fn ask(&mut self, question: &Question<'_>) -> Result<Vec<Line>, Stopped> {
        if self.wanted.load(Ordering::Relaxed) { self.oracle.ask(question) } else { Err(Stopped) }
    }

    fn nodes(&self) -> u64 {
        self.oracle.nodes()
    }
}

impl CoachSession {
    pub fn start(
        number: u32,
        game: &Game,
        rating: u16,
        kilonodes: u32,
        context: &SessionContext,
    ) -> Result<CoachSession, Problem> {
        let level = level(rating)?;
        let wanted = Arc::new(AtomicBool::new(true));
        let clock: Arc<dyn Clock> = Arc::clone(&context.shared.clock);
        let oracle = PoolOracle::new(HASH, clock, &eval::Evaluation::shipped()).map_err(missing)?;
        let oracle = StoppableOracle { oracle, wanted: Arc::clone(&wanted) };
        let record = PgnGame::from_game(game, false);
        let inputs = context.inputs.clone();
        let counted = CountedSearch::new(&context.shared.searches);
        let nodes = u64::from(kilonodes) * 1000;
        let thread = std::thread::Builder::new()
            .name("coach".to_string())
            // The search recurses deeply on this very thread.
            .stack_size(if cfg!(target_family = "wasm") { 8 << 20 } else { 64 << 20 });
        let coaching = Background::start(thread, move || {
            let update = work(number, &record, level, nodes, oracle, &inputs);
            drop(counted);
            // A session that has ended needs no report.
            let _ = inputs.send(SessionInput::Coach { number, update });
        });
        let coaching = coaching.map_err(|error| {
            Problem::new(format!("The coach cannot start: {error}."), "Close other tabs.")
        })?;
        Ok(CoachSession { number, wanted, work: Some(coaching) })
    }

    /// Ends the work at the next position.
    pub fn interrupt(&self) {
        self.wanted.store(false, Ordering::Relaxed);
    }

    pub fn is_current(&self, number: u32) -> bool {
        self.number == number
    }
}

fn work(
    number: u32,
    record: &PgnGame,
    level: Rating,
    nodes: u64,
    mut oracle: StoppableOracle,
    inputs: &Sender<SessionInput>,
) -> CoachUpdate {
    let mut review = || -> Result<Review, String> {
        let openings = Openings::shared().map_err(|error| error.to_string())?;
        let coach = Coach {
            model: ReplyModel::shared().map_err(|error| error.to_string())?,
            openings,
            scale: Scale::Lichess,
            ratings: [Some(level); 2],
            student: None,
            nodes,
        };
        let mut progress = |done: usize, total: usize| {
            let update = CoachUpdate::Progress { done: done as u32, total: total as u32 };
            let _ = inputs.send(SessionInput::Coach { number, update });
        };
        coach.review(record, &mut oracle, &mut progress).map_err(|error| error.to_string())
    };
    match review() {
        Ok(review) => CoachUpdate::Done(Box::new(written(&review))),
        Err(why) => CoachUpdate::Failed(why),
    }
}

/// As the page shows it: only the moves that have a comment.
fn written(review: &Review) -> CoachReport {
    let positions = review.positions();
    let moves = review.moves.iter().zip(report::comments(review)).filter(|(_, comment)| !comment.is_empty());
    let moves = moves.map(|(played, comment)| CoachedMove {
        ply: played.ply as u32 + 1,
        comment,
        find_best: played.people.map(|people| f64::from(people.find_best)),
        play_this: played.people.map(|people| f64::from(people.play_this)),
        better: played
            .proof
            .as_ref()
            .map_or_else(Vec::new, |proof| coordinates(&positions[played.ply], &proof.better.moves)),
        refutation: played
            .proof
            .as_ref()
            .map_or_else(Vec::new, |proof| coordinates(&positions[played.ply], &proof.refutation.moves)),
    });
    let [white, black] = review
        .sides
        .each_ref()
        .map(|side| side.rating.map(|rating| [rating.interval80.0, rating.mean, rating.interval80.1]));
    CoachReport { moves: moves.collect(), white, black, puzzles: from_game(&review.puzzles) }
}

/// As far as the moves are legal.
fn coordinates(start: &Position, moves: &[Move]) -> Vec<String> {
    let mut at = start.clone();
    let mut words = Vec::new();
    for mv in moves.iter().take(SHOWN_PLIES) {
        if !at.is_legal(*mv) {
            break;
        }
        words.push(at.uci(*mv, true).to_string());
        at.play(*mv);
    }
    words
}

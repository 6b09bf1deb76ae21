//! Reviewing a game.

use super::accuracy::{game_accuracy, move_accuracy};
use super::class::MoveClass;
use super::motif::{Motif, motifs, punishing_motifs};
use super::puzzles::{self, OwnPuzzle};
use super::vision;
use crate::expected::Expected;
use crate::openings::{self, Openings};
use crate::oracle::{Line, Oracle, Question, Stopped};
use crate::rating::{Estimate, Posterior, Side, rate_game};
use crate::reply::{Circumstances, Rating, ReplyModel, Scale, Situation};
use chess::pgn::PgnGame;
use chess::{Color, Game, Move, Position};
use kernel::Score;
use std::fmt;

/// What a verified error rests on: both lines come from one deeper search, the punishing reply was
/// searched again, and what was still in doubt both moves once more.
#[derive(Clone, PartialEq, Debug)]
pub struct Proof {
    /// What should have been played, and how it goes on.
    pub better: Line,
    /// The move played and its punishment; the scores are the mover's.
    pub punishment: Line,
    pub motifs: Vec<Motif>,
    /// What the better line shows, where it wins something.
    pub missed: Vec<Motif>,
    /// The depth at which the error is seen; see [`vision`].
    pub seen_at: Option<u32>,
}

/// What people of the player's level do here.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct People {
    /// The share who play the best move.
    pub find_best: f32,
    /// The share who play what was played.
    pub play_this: f32,
}

/// A move that many people of the level play and that loses.
#[derive(Clone, PartialEq, Debug)]
pub struct Trap {
    pub bait: Move,
    pub share: f32,
    pub loss: f64,
    /// The bait and its punishment.
    pub line: Line,
    pub fell_in: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct MoveReview {
    /// Plies from the start of the game, from 0.
    pub ply: usize,
    pub color: Color,
    pub number: u16,
    pub mv: Move,
    pub san: String,
    /// The mover's prospects before and after.
    pub before: Expected,
    pub after: Expected,
    /// The mover's score after the move.
    pub score: Score,
    pub loss: f64,
    pub accuracy: f64,
    pub class: MoveClass,
    pub best: Move,
    pub people: Option<People>,
    /// Present for every error that is commented.
    pub proof: Option<Proof>,
    pub trap: Option<Trap>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct SideReview {
    pub side: Side,
    /// The level that comments speak of.
    pub level: Rating,
    pub accuracy: Option<f64>,
    /// Mean expected points lost a move, in percent.
    pub mean_loss: f64,
    /// In the order of [`MoveClass::ALL`].
    pub classes: [u32; MoveClass::ALL.len()],
    pub rating: Estimate,
    /// Errors by the depth at which they are seen.
    pub vision: Vec<(Option<u32>, u32)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The game as it was handed in.
    pub game: PgnGame,
    pub moves: Vec<MoveReview>,
    /// White, then Black.
    pub sides: [SideReview; 2],
    pub puzzles: Vec<OwnPuzzle>,
    /// White's prospects before the first move and after every move.
    pub course: Vec<Expected>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CoachError {
    /// Nothing to say about an empty game.
    NoMoves,
    Chess960,
    Stopped,
}

impl fmt::Display for CoachError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CoachError::NoMoves => "the game has no moves",
            CoachError::Chess960 => "the game is Chess960, which the model of people has never seen",
            CoachError::Stopped => "stopped",
        })
    }
}

impl std::error::Error for CoachError {}

impl From<Stopped> for CoachError {
    fn from(_: Stopped) -> CoachError {
        CoachError::Stopped
    }
}

pub struct Coach<'a> {
    pub model: &'a ReplyModel,
    pub openings: &'a Openings,
    pub scale: Scale,
    /// Overrides what the file says about a side's rating.
    pub ratings: [Option<Rating>; 2],
    /// Whose puzzles are wanted; `None` for both.
    pub student: Option<Color>,
    /// Nodes for each position; errors are verified with four times as many.
    pub nodes: u64,
}

/// A verification searches this many times the nodes of the first look.
const DEEPER: u64 = 4;
/// What is left of an error after the punishing reply was searched again must be at least this much of it.
const CONFIRMED: f64 = 0.6;
/// A loss that every search puts above this is a blunder, however far they differ beyond it.
const BEYOND_DOUBT: f64 = 0.20;
const LEAST_ERROR: f64 = 0.05;
const LEAST_BOOK_ERROR: f64 = 0.10;
/// Every search must find at least this much: at the limit itself half the verdicts would fall to a longer look.
const PROVEN: f64 = 0.06;
/// An error smaller than this is searched once more, with so many times the nodes, and must then be at least so large: all that
/// a much longer search took back of 234 errors was below the first.
const DOUBTFUL: f64 = 0.20;
const LONGER: u64 = 4;
const SURE: f64 = 0.08;
/// A move this popular that loses this much is a trap.
const BAIT_SHARE: f32 = 0.25;
const BAIT_LOSS: f64 = 0.10;
/// Found by fewer people than this, a best move that alone holds the game is great.
const RARELY_FOUND: f32 = 0.20;
const ONLY_MOVE: f64 = 0.10;
const SHOWN_PLIES: usize = 7;
const PUZZLES: usize = 3;

impl Coach<'_> {
    /// `progress` is told how many of how many positions are done.
    pub fn review(
        &self,
        pgn: &PgnGame,
        oracle: &mut dyn Oracle,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Review, CoachError> {
        if pgn.is_chess960() {
            return Err(CoachError::Chess960);
        }
        let games = positions(pgn);
        let count = games.len() - 1;
        if count == 0 {
            return Err(CoachError::NoMoves);
        }
        let looks = self.first_look(&games, oracle, progress)?;
        let sides = Color::BOTH.map(|color| Side::of(pgn, color));
        let ratings = sides.clone().map(|side| self.rate(pgn, side));
        let levels = [0, 1].map(|index: usize| {
            let estimated = Rating::new(ratings[index].mean as i64).ok();
            self.ratings[index].or(sides[index].told).or(estimated).unwrap_or(Rating::LOWEST)
        });
        let mut moves = Vec::with_capacity(count);
        for ply in 0..count {
            let level = levels[games[ply].position().turn().index()];
            moves.push(self.review_move(&games, &looks, ply, level, oracle)?);
            progress(games.len() + ply + 1, games.len() + count);
        }
        let course = course(&games, &looks, &moves);
        let first_is_white = games[0].position().turn().is_white();
        let [white, black] = sides;
        let side = |side: Side, index: usize| {
            let own = || moves.iter().filter(|review| review.color.index() == index);
            let mut classes = [0; MoveClass::ALL.len()];
            own().for_each(|review| classes[review.class as usize] += 1);
            SideReview {
                accuracy: game_accuracy(&course, first_is_white, index == 0),
                mean_loss: 100.0 * own().map(|review| review.loss).sum::<f64>() / own().count().max(1) as f64,
                classes,
                rating: ratings[index],
                level: levels[index],
                vision: by_vision(own()),
                side,
            }
        };
        let sides = [side(white, 0), side(black, 1)];
        let puzzles = puzzles::collect(&games, &moves, self.student, PUZZLES, DEEPER * self.nodes, oracle)?;
        Ok(Review { game: pgn.clone(), moves, sides, puzzles, course })
    }

    fn rate(&self, pgn: &PgnGame, side: Side) -> Estimate {
        rate_game(self.model, self.openings, pgn, side, self.scale, Posterior::broad(self.scale)).estimate
    }

    /// The best line of every position; `None` where the game is over.
    fn first_look(
        &self,
        games: &[Game],
        oracle: &mut dyn Oracle,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Vec<Option<Line>>, Stopped> {
        let mut looks = vec![None; games.len()];
        // From the end to the start: the table then knows what later positions came to.
        for (index, game) in games.iter().enumerate().rev() {
            looks[index] = oracle.best(game, self.nodes)?;
            progress(games.len() - index, 2 * games.len() - 1);
        }
        Ok(looks)
    }

    fn review_move(
        &self,
        games: &[Game],
        looks: &[Option<Line>],
        ply: usize,
        level: Rating,
        oracle: &mut dyn Oracle,
    ) -> Result<MoveReview, Stopped> {
        let (game, next) = (&games[ply], &games[ply + 1]);
        let position = game.position();
        let mv = next.moves().last().copied().unwrap_or_else(|| position.legal_moves().as_slice()[0]);
        let legal = position.legal_moves().len();
        let score = verdict(next, looks[ply + 1].as_ref());
        let (mut best, mut before) = match &looks[ply] {
            Some(line) => (line.mv, line.expected()),
            None => (mv, Expected::of(score)),
        };
        // A move that turned out better than the best line is the best line.
        let mut after = Expected::of(score);
        if best == mv || after > before {
            (best, before) = (mv, after);
        }
        let known = self.openings.moves(position, openings::Level::of(level, self.scale));
        let is_book = known.iter().any(|entry| entry.mv == mv);
        let mut proof = None;
        // Openings that many people play are a matter of taste until they cost real points.
        let least = if is_book { LEAST_BOOK_ERROR } else { LEAST_ERROR };
        if legal > 1 && before.loss_to(after) >= least {
            proof = verify(game, mv, self.nodes, oracle)?;
            match &proof {
                Some(found) => {
                    (best, before, after) =
                        (found.better.mv, found.better.expected(), found.punishment.expected());
                }
                // Not confirmed: nothing is said, and nothing held against the player.
                None => before = after,
            }
        }
        let loss = before.loss_to(after);
        let circumstances = Circumstances::new(level, self.scale);
        let replies = (legal > 1).then(|| self.model.replies(&Situation::of(game), &circumstances));
        let people = replies.as_ref().map(|replies| People {
            find_best: replies.probability(best),
            play_this: replies.probability(mv),
        });
        let favourite = replies.as_ref().and_then(crate::reply::Replies::favourite);
        let mut trap = match favourite {
            Some(reply) if reply.probability >= BAIT_SHARE && reply.mv != best && !is_book => {
                trap(game, best, reply.mv, reply.probability, mv, self.nodes, oracle)?
            }
            _ => None,
        };
        // Whoever fell in has been told what it cost, by the same searches.
        if trap.as_ref().is_some_and(|trap| trap.fell_in) && proof.is_some() {
            trap = trap.map(|trap| Trap { loss, ..trap }).filter(|trap| trap.loss >= BAIT_LOSS);
        }
        let class = if proof.is_some() {
            MoveClass::of_loss(loss)
        } else if is_book {
            MoveClass::Book
        } else if legal == 1 {
            MoveClass::Forced
        } else if best == mv {
            // Mates in one are underrated by the model: no praise for what everybody sees.
            let rare = people.is_some_and(|people| people.find_best < RARELY_FOUND)
                && next.position().has_legal_move();
            let great = rare && only_move(game, mv, self.nodes, oracle)?;
            if great { MoveClass::Great } else { MoveClass::Best }
        } else {
            MoveClass::Good
        };
        Ok(MoveReview {
            ply,
            color: position.turn(),
            number: position.fullmove_number(),
            mv,
            san: position.san(mv).to_string(),
            before,
            after,
            score,
            loss,
            accuracy: move_accuracy(before, after),
            class,
            best,
            people,
            proof,
            trap,
        })
    }
}

/// The game at each of its positions, the start included.
fn positions(pgn: &PgnGame) -> Vec<Game> {
    let mut games = vec![Game::new(pgn.start().clone())];
    let mut game = games[0].clone();
    for mv in pgn.moves() {
        if game.play(mv).is_err() {
            break;
        }
        games.push(game.clone());
    }
    games
}

/// What a position is worth to the side that just moved.
fn verdict(game: &Game, look: Option<&Line>) -> Score {
    match (look, game.position().in_check()) {
        (Some(line), _) => -line.score,
        (None, true) => Score::mate_in(1),
        (None, false) => Score::ZERO,
    }
}

/// Searches both moves deeper, side by side, and then the position after the punishing reply once more. What is not
/// confirmed twice is not said.
fn verify(game: &Game, mv: Move, nodes: u64, oracle: &mut dyn Oracle) -> Result<Option<Proof>, Stopped> {
    let Some(best) = oracle.best(game, DEEPER * nodes)? else { return Ok(None) };
    if best.mv == mv {
        return Ok(None);
    }
    let lines = oracle.ask(&Question::each(game, &[best.mv, mv], 2 * DEEPER * nodes))?;
    let find = |wanted: Move| lines.iter().find(|line| line.mv == wanted).cloned();
    let (Some(mut better), Some(mut punishment)) = (find(best.mv), find(mv)) else { return Ok(None) };
    let loss = better.expected().loss_to(punishment.expected());
    let mut after = game.clone();
    if loss < LEAST_ERROR || after.play(mv).is_err() {
        return Ok(None);
    }
    // A search that was cut short may know what a move is worth and not yet why.
    if punishment.moves.len() < 2
        && let Some(line) = oracle.best(&after, DEEPER * nodes)?
    {
        punishment.moves = std::iter::once(mv).chain(line.moves).collect();
    }
    let kept = match punishment.moves.get(1) {
        Some(&reply) if after.play(reply).is_err() => return Ok(None),
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
        better.expected().loss_to(kept).min(held.loss_to(kept)).min(held.loss_to(punishment.expected()));
    if least < PROVEN.max((CONFIRMED * loss).min(BEYOND_DOUBT)) {
        return Ok(None);
    }
    if least < DOUBTFUL {
        let moves = [better.mv, mv];
        let again = oracle.ask(&Question::each(game, &moves, 2 * LONGER * DEEPER * nodes))?;
        let worth = |wanted: Move| again.iter().find(|line| line.mv == wanted).map(Line::expected);
        let (Some(good), Some(bad)) = (worth(better.mv), worth(mv)) else { return Ok(None) };
        if good.loss_to(bad) < SURE.max((CONFIRMED * loss).min(BEYOND_DOUBT)) {
            return Ok(None);
        }
    }
    let answer: Vec<Move> = punishment.moves.iter().skip(1).copied().take(SHOWN_PLIES).collect();
    let found = punishing_motifs(game.position(), mv, &answer, -shifted(punishment.score));
    let missed = if better.expected() > Expected::new(0.6) {
        motifs(game.position(), &better.moves[..better.moves.len().min(SHOWN_PLIES)], better.score)
    } else {
        Vec::new()
    };
    better.moves.truncate(SHOWN_PLIES);
    punishment.moves.truncate(SHOWN_PLIES + 1);
    let seen_at = match (vision::seen_at(game, better.mv, mv, loss), punishment.score.kind()) {
        // A mate is seen as far away as it is, whatever else there was.
        (seen, kernel::Kind::MatedIn(plies)) => Some(seen.map_or(plies, |depth| depth.min(plies))),
        (seen, _) => seen,
    };
    Ok(Some(Proof { better, punishment, motifs: found, missed, seen_at }))
}

/// What a move is worth to its mover by a search of the position after it.
fn after_move(game: &Game, mv: Move, nodes: u64, oracle: &mut dyn Oracle) -> Result<Expected, Stopped> {
    let mut after = game.clone();
    if after.play(mv).is_err() {
        return Ok(Expected::LOST);
    }
    let look = oracle.best(&after, nodes)?;
    Ok(Expected::of(verdict(&after, look.as_ref())))
}

/// A mate counted from the position before the move, counted from after it.
fn shifted(score: Score) -> Score {
    match score.kind() {
        kernel::Kind::MatedIn(plies) => Score::mated_in(plies.saturating_sub(1) as usize),
        kernel::Kind::MateIn(plies) => Score::mate_in(plies.saturating_sub(1) as usize),
        _ => score,
    }
}

fn trap(
    game: &Game,
    best: Move,
    bait: Move,
    share: f32,
    played: Move,
    nodes: u64,
    oracle: &mut dyn Oracle,
) -> Result<Option<Trap>, Stopped> {
    let lines = oracle.ask(&Question::each(game, &[best, bait], 2 * nodes))?;
    let worth = |mv: Move| lines.iter().find(|line| line.mv == mv);
    let (Some(good), Some(bad)) = (worth(best), worth(bait)) else { return Ok(None) };
    if good.expected().loss_to(bad.expected()) < BAIT_LOSS {
        return Ok(None);
    }
    let Some(proof) = verify(game, bait, nodes, oracle)? else { return Ok(None) };
    let loss = proof.better.expected().loss_to(proof.punishment.expected());
    Ok((loss >= BAIT_LOSS).then(|| Trap {
        bait,
        share,
        loss,
        line: proof.punishment,
        fell_in: bait == played,
    }))
}

/// Whether every other move is clearly worse.
fn only_move(game: &Game, mv: Move, nodes: u64, oracle: &mut dyn Oracle) -> Result<bool, Stopped> {
    let lines = oracle.ask(&Question { game, allowed: &[], lines: 2, nodes: 2 * nodes, depth: None })?;
    let [best, second, ..] = &lines[..] else { return Ok(false) };
    Ok(best.mv == mv && best.expected().loss_to(second.expected()) >= ONLY_MOVE)
}

/// White's prospects along the game, verified values where there are such.
fn course(games: &[Game], looks: &[Option<Line>], moves: &[MoveReview]) -> Vec<Expected> {
    let white = |expected: Expected, color: Color| if color.is_white() { expected } else { expected.other() };
    let start =
        looks[0].as_ref().map_or(Expected::EVEN, |line| white(line.expected(), games[0].position().turn()));
    std::iter::once(start).chain(moves.iter().map(|review| white(review.after, review.color))).collect()
}

fn by_vision<'a>(moves: impl Iterator<Item = &'a MoveReview>) -> Vec<(Option<u32>, u32)> {
    let mut counts: Vec<(Option<u32>, u32)> = Vec::new();
    for proof in moves.filter_map(|review| review.proof.as_ref()) {
        // Depths that are said in the same words are one.
        match counts.iter_mut().find(|(depth, _)| vision::words(*depth) == vision::words(proof.seen_at)) {
            Some((_, count)) => *count += 1,
            None => counts.push((proof.seen_at, 1)),
        }
    }
    // What is seen at a glance first; what nobody sees last.
    counts.sort_by_key(|(depth, _)| depth.unwrap_or(u32::MAX));
    counts
}

impl Review {
    /// The position before each move.
    pub fn positions(&self) -> Vec<Position> {
        let mut at = self.game.start().clone();
        self.moves
            .iter()
            .map(|review| {
                let before = at.clone();
                at.play(review.mv);
                before
            })
            .collect()
    }
}

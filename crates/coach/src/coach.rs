//! The coach: reviews a game move by move.

use super::accuracy::{game_accuracy, move_accuracy};
use super::class::MoveClass;
use super::proof::{
    DEEPER, LEAST_ERROR, SUSPECT, Verification, avoided_trap, score_for_mover, sprung_trap, verify,
};
use super::puzzles;
use super::review::{HumanShares, MoveReview, Review, SideReview};
use super::visible_depth::Visibility;
use chess::pgn::PgnGame;
use chess::{Color, Game, Move, Position};
use human_model::expected::Expected;
use human_model::openings::{Openings, RatingBand};
use human_model::oracle::{Line, Oracle, Question, Stopped};
use human_model::rating::{Estimate, Posterior, Side, rate_game, time_control};
use human_model::reply::{Circumstances, Rating, ReplyModel, Scale, Situation, TimeControl};
use std::fmt;

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
    /// Nodes for each position; what may be an error is searched with 4 and 16 times as many for each of the two moves.
    pub nodes: u64,
}

/// Whose game it is: the levels that comments speak of, White's first, and the time control.
struct Players {
    levels: [Option<Rating>; 2],
    time_control: Option<TimeControl>,
}

const LEAST_BOOK_ERROR: f64 = 0.10;
/// The largest loss that counts without a proof: just below an inaccuracy.
const MOST_UNCONFIRMED: f64 = LEAST_ERROR - 0.001;
/// A move this popular that loses this much is a trap.
const BAIT_SHARE: f32 = 0.25;
/// Found by fewer people than this, a best move that alone holds the game is great.
const RARELY_FOUND: f32 = 0.20;
const ONLY_MOVE: f64 = 0.10;
const PUZZLES: usize = 3;
/// Centipawns by static exchange; less is a pawn offered.
const LEAST_SACRIFICE: i32 = 150;

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
        let rated = sides.clone().map(|side| self.rate(pgn, side));
        let ratings = [0, 1].map(|index: usize| rated[index].last().copied());
        let levels = [0, 1].map(|index: usize| {
            let estimated = ratings[index].and_then(|estimate| Rating::new(estimate.mean as i64).ok());
            self.ratings[index].or(sides[index].told).or(estimated)
        });
        let players = Players { levels, time_control: time_control(pgn) };
        let mut moves = Vec::with_capacity(count);
        for ply in 0..count {
            let previous = moves.last();
            moves.push(self.review_move(&games, &looks, ply, &players, previous, oracle)?);
            progress(games.len() + ply + 1, games.len() + count);
        }
        let course = course(&games, &looks, &moves);
        let first_is_white = games[0].position().turn().is_white();
        let [white, black] = sides;
        let side = |side: Side, index: usize| {
            let own = || moves.iter().filter(|review| review.color.index() == index);
            let counted = own().filter(|review| review.class.is_judged()).count();
            let losses: f64 = own().map(|review| review.loss).sum();
            let mut classes = [0; MoveClass::ALL.len()];
            own().for_each(|review| classes[review.class as usize] += 1);
            SideReview {
                accuracy: game_accuracy(&course, first_is_white, index == 0).filter(|_| counted > 0),
                mean_loss: (counted > 0).then(|| 100.0 * losses / own().count() as f64),
                classes,
                rating: ratings[index],
                rating_course: rated[index].clone(),
                level: levels[index],
                errors_by_depth: count_by_depth(own()),
                side,
            }
        };
        let sides = [side(white, 0), side(black, 1)];
        let puzzles = puzzles::collect(&games, &moves, self.student, PUZZLES, DEEPER * self.nodes, oracle)?;
        Ok(Review { game: pgn.clone(), moves, sides, puzzles, course })
    }

    /// The estimate after each counted move. Empty when no move was counted: the prior alone is no estimate of this player.
    fn rate(&self, pgn: &PgnGame, side: Side) -> Vec<Estimate> {
        rate_game(self.model, self.openings, pgn, side, self.scale, Posterior::broad(self.scale)).course
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
        players: &Players,
        previous: Option<&MoveReview>,
        oracle: &mut dyn Oracle,
    ) -> Result<MoveReview, Stopped> {
        let (game, next) = (&games[ply], &games[ply + 1]);
        let position = game.position();
        let mv = next.moves().last().copied().unwrap_or_else(|| position.legal_moves().as_slice()[0]);
        let legal = position.legal_moves().len();
        let score = score_for_mover(next, looks[ply + 1].as_ref());
        let (mut best, mut before) = match &looks[ply] {
            Some(line) => (line.mv, line.expected()),
            None => (mv, Expected::of(score)),
        };
        // A move that turned out better than the best line is the best line.
        let mut after = Expected::of(score);
        if best == mv || after > before {
            (best, before) = (mv, after);
        }
        let turn = position.turn();
        let level = players.levels[turn.index()];
        // Opening theory does not need a level: without one, a common band decides.
        let band = level.map_or(RatingBand::OnlineBelow2000, |level| RatingBand::of(level, self.scale));
        let known = self.openings.moves(position, band);
        let is_book = known.iter().any(|entry| entry.mv == mv);
        let mut proof = None;
        // Openings that many people play are a matter of taste until they cost real points.
        let least = if is_book { LEAST_BOOK_ERROR } else { SUSPECT };
        let is_doubtful = !is_book && (gives_up_material(position, mv) || misses_punishment(previous, mv));
        if legal > 1 && (is_doubtful || before.loss_to(after) >= least) {
            match verify(game, mv, self.nodes, oracle)? {
                Verification::Confirmed(found) => {
                    (best, before, after) =
                        (found.better.mv, found.better.expected(), found.refutation.expected());
                    proof = Some(*found);
                }
                // Nothing is said, but what every search found counts, up to the least that would be an error.
                Verification::Unconfirmed { loss } if best != mv => {
                    before = Expected::new(after.points() + loss.min(MOST_UNCONFIRMED));
                }
                Verification::Unconfirmed { .. } => {}
            }
        }
        let loss = before.loss_to(after);
        // All that the game tells: with the real opponent and time control the shares are nearer to what people play.
        let circumstances = level.map(|level| Circumstances {
            opponent: players.levels[(!turn).index()],
            time_control: players.time_control,
            ..Circumstances::new(level, self.scale)
        });
        let replies = circumstances
            .filter(|_| legal > 1)
            .map(|circumstances| self.model.replies(&Situation::of(game), &circumstances));
        let people = replies.as_ref().map(|replies| HumanShares {
            find_best: replies.probability(best),
            play_this: replies.probability(mv),
        });
        let favourite = replies.as_ref().and_then(human_model::reply::Replies::favourite);
        let trap = match (favourite, &proof) {
            (Some(reply), _) if reply.probability < BAIT_SHARE || reply.mv == best || is_book => None,
            (Some(reply), Some(proof)) if reply.mv == mv => sprung_trap(proof, mv, reply.probability),
            // Beside an error of another kind a trap avoided is no merit, and without a proof this move is no trap.
            (Some(reply), None) if reply.mv != mv => {
                avoided_trap(game, best, reply.mv, reply.probability, self.nodes, oracle)?
            }
            _ => None,
        };
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

/// Whether the exchange on the move's square loses material: a first look may believe in a sacrifice that a longer one refutes.
fn gives_up_material(position: &Position, mv: Move) -> bool {
    !position.see_at_least(mv, -LEAST_SACRIFICE)
}

/// Whether the move before was an error and this is not the reply that punishes it: a longer search found that reply, and a first
/// look may have missed it as the player did.
fn misses_punishment(previous: Option<&MoveReview>, mv: Move) -> bool {
    let proof = previous.and_then(|before| before.proof.as_ref());
    proof.and_then(|proof| proof.refutation.moves.get(1)).is_some_and(|&reply| reply != mv)
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

fn count_by_depth<'a>(moves: impl Iterator<Item = &'a MoveReview>) -> Vec<(Visibility, u32)> {
    let mut counts: Vec<(Visibility, u32)> = Vec::new();
    for proof in moves.filter_map(|review| review.proof.as_ref()) {
        // Depths that are said in the same words are one.
        match counts.iter_mut().find(|(seen, _)| seen.words() == proof.seen_at.words()) {
            Some((_, count)) => *count += 1,
            None => counts.push((proof.seen_at, 1)),
        }
    }
    // What is near first, what no line shows last.
    counts.sort_by_key(|(seen, _)| *seen);
    counts
}

//! Puzzles from a reviewed game: positions where 1 move was right and was not played.

use crate::puzzle_maker::last_move;
use crate::review::{GamePuzzle, MoveReview};
use chess::{Color, Game};
use human_model::oracle::{Line, Oracle, Question, Stopped};

/// A puzzle has one answer: the next best move must be worse by this much.
const UNIQUE: f64 = 0.10;
/// And it must be worth solving.
const STAKE: f64 = 0.12;
const SHOWN_PLIES: usize = 5;

/// At most `most` puzzles for a side, the largest stakes first. Only verified errors count.
pub fn collect(
    games: &[Game],
    moves: &[MoveReview],
    side: Option<Color>,
    most: usize,
    nodes: u64,
    oracle: &mut dyn Oracle,
) -> Result<Vec<GamePuzzle>, Stopped> {
    let mut chances: Vec<(&MoveReview, &Game)> = (moves.iter())
        .filter(|review| side.is_none_or(|side| review.color == side))
        .filter(|review| review.loss >= STAKE && review.proof.is_some())
        .filter_map(|review| Some((review, games.get(review.ply)?)))
        .collect();
    chances.sort_by(|a, b| b.0.loss.total_cmp(&a.0.loss));
    let mut puzzles = Vec::new();
    for (review, game) in chances {
        if puzzles.len() == most {
            break;
        }
        let lines = oracle.ask(&Question { game, allowed: &[], lines: 2, nodes, depth: None })?;
        let [best, second] = &lines[..] else { continue };
        let gap = Line::expected(best).loss_to(second.expected());
        // A winning choice between two mates is no puzzle; neither is a best move that was played.
        if gap < UNIQUE || best.mv == review.mv {
            continue;
        }
        puzzles.push(GamePuzzle {
            before: last_move(game).map(|(before, mv)| (before.clone(), mv)),
            position: game.position().clone(),
            solver: review.color,
            solution: best.moves.iter().copied().take(SHOWN_PLIES).collect(),
            played: review.mv,
            ply: review.ply,
            worth: review.loss,
        });
    }
    Ok(puzzles)
}

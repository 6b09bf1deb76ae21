//! Puzzles from a reviewed game: positions where 1 move was right and was not played.

use crate::puzzle_maker::last_move;
use crate::review::{GamePuzzle, MoveReview};
use chess::{Color, Game};
use human_model::oracle::{Line, Oracle, Question, Stopped};
use kernel::Kind;

/// A puzzle has one answer: the next best move must be worse by this much.
const UNIQUE: f64 = 0.10;
/// A mate in so many moves is one answer as well, unless another move mates as soon: what else wins does not count then.
const SHORT_MATE: u32 = 3;
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
        // A best move that was played is no puzzle.
        if !is_only_answer(best, second) || best.mv == review.mv {
            continue;
        }
        puzzles.push(GamePuzzle {
            before: last_move(game).map(|(before, mv)| (before.clone(), mv)),
            position: game.position().clone(),
            solver: review.color,
            solution: best.moves.iter().copied().take(SHOWN_PLIES).collect(),
            played: review.mv,
            ply: review.ply,
            mate: mates_in(best).filter(|moves| *moves <= SHORT_MATE),
            worth: review.loss,
        });
    }
    Ok(puzzles)
}

/// Does no other move do what the best one does?
fn is_only_answer(best: &Line, second: &Line) -> bool {
    match mates_in(best).filter(|moves| *moves <= SHORT_MATE) {
        Some(moves) => mates_in(second).is_none_or(|other| other > moves),
        None => best.expected().loss_to(second.expected()) >= UNIQUE,
    }
}

/// Moves to a mate that the line's first move forces.
fn mates_in(line: &Line) -> Option<u32> {
    match line.score.kind() {
        Kind::MateIn(plies) => Some(plies.div_ceil(2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Position;
    use human_model::shown_score::ShownScore;
    use kernel::Score;

    fn line(score: ShownScore) -> Line {
        let mv = Position::default().legal_moves()[0];
        Line { mv, score, search_score: Score::ZERO, moves: vec![mv], depth: 1 }
    }

    /// A missed mate in 1 was no puzzle where another move wins, too: both are worth the whole point.
    #[test]
    fn a_short_mate_is_one_answer_unless_another_move_mates_as_soon() {
        let (mate, later) = (line(ShownScore::mate_in(1)), line(ShownScore::mate_in(3)));
        let (long, longer) = (line(ShownScore::mate_in(9)), line(ShownScore::mate_in(11)));
        let draw = line(ShownScore::DRAW);
        assert!(is_only_answer(&mate, &draw) && is_only_answer(&mate, &later));
        assert!(!is_only_answer(&mate, &mate), "2 mates in 1");
        assert!(is_only_answer(&long, &draw));
        assert!(!is_only_answer(&long, &longer), "2 long mates");
        assert!(!is_only_answer(&draw, &draw));
        assert_eq!([&mate, &later, &long, &draw].map(mates_in), [Some(1), Some(2), Some(5), None]);
    }
}

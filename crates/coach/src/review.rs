//! The result of a review, as values.

use crate::class::MoveClass;
use crate::proof::{Proof, Trap};
use crate::visible_depth::Visibility;
use chess::pgn::PgnGame;
use chess::{Color, Move, Position};
use human_model::expected::Expected;
use human_model::rating::{Estimate, Side};
use human_model::reply::Rating;
use human_model::shown_score::ShownScore;

/// What people of the player's level do here.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HumanShares {
    /// The share who play the best move.
    pub find_best: f32,
    /// The share who play what was played.
    pub play_this: f32,
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
    pub score: ShownScore,
    pub loss: f64,
    pub accuracy: f64,
    pub class: MoveClass,
    pub best: Move,
    pub people: Option<HumanShares>,
    /// Present for every error that is commented.
    pub proof: Option<Proof>,
    pub trap: Option<Trap>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct SideReview {
    pub side: Side,
    /// The level that comments speak of; `None` when no rating is known and no move tells of one.
    pub level: Option<Rating>,
    /// `None` when every move was from the opening table or forced.
    pub accuracy: Option<f64>,
    /// Mean expected points lost a move, in percent; `None` as the accuracy.
    pub mean_loss: Option<f64>,
    /// In the order of [`MoveClass::ALL`].
    pub classes: [u32; MoveClass::ALL.len()],
    /// `None` when no move was counted.
    pub rating: Option<Estimate>,
    /// The same after each counted move.
    pub rating_course: Vec<Estimate>,
    /// Errors by how far ahead one must look to see them.
    pub errors_by_depth: Vec<(Visibility, u32)>,
}

/// A position from the game in which 1 move was right and was not played.
#[derive(Clone, PartialEq, Debug)]
pub struct GamePuzzle {
    /// The position before and the move that led here, if any.
    pub before: Option<(Position, Move)>,
    pub position: Position,
    pub solver: Color,
    /// The solver's move, and how it goes on.
    pub solution: Vec<Move>,
    pub played: Move,
    pub ply: usize,
    /// Moves to mate, where a short mate is the answer.
    pub mate: Option<u32>,
    /// Expected points at stake.
    pub worth: f64,
}

impl GamePuzzle {
    /// Who moves and what to find: `White to move, mate in 2`.
    pub fn task(&self) -> String {
        let mate = self.mate.map_or(String::new(), |moves| format!(", mate in {moves}"));
        format!("{} to move{mate}", self.solver)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The game as it was handed in.
    pub game: PgnGame,
    pub moves: Vec<MoveReview>,
    /// White, then Black.
    pub sides: [SideReview; 2],
    pub puzzles: Vec<GamePuzzle>,
    /// White's prospects before the first move and after every move.
    pub course: Vec<Expected>,
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

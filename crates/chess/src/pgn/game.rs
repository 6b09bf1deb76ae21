//! One game: tags, moves, opinions, result.

use super::tree::{Annotation, NodeId, Step, Tree};
use super::{Comment, GameResult, Nag, Tags};
use crate::game::{Game, IllegalMove};
use crate::position::Position;
use crate::types::Move;

/// The start position is fixed when the game is made; its `FEN` tag tells it to others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    pub tags: Tags,
    pub result: GameResult,
    pub(super) start: Position,
    pub(super) tree: Tree,
}

impl PgnGame {
    /// No moves yet, the seven tags unknown, and tags for the position if it is not the usual one.
    pub fn new(start: Position) -> PgnGame {
        let mut tags = Tags::roster();
        if start != Position::default() {
            tags.set("SetUp", "1");
            tags.set("FEN", &start.to_fen());
        }
        PgnGame { tags, result: GameResult::Unknown, start, tree: Tree::new() }
    }

    /// A played game. Whoever played Chess960 says so: a position alone may not tell.
    pub fn from_game(game: &Game, chess960: bool) -> PgnGame {
        let mut pgn = PgnGame::new(game.start().clone());
        if chess960 {
            pgn.tags.set("Variant", "Chess960");
        }
        let mut last = NodeId::ROOT;
        for mv in game.moves() {
            last = pgn.tree.add(last, Step::Move(*mv));
        }
        if let Some(outcome) = game.outcome() {
            pgn.set_result(outcome.into());
        }
        pgn
    }

    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The last word of the game, and its tag.
    pub fn set_result(&mut self, result: GameResult) {
        self.result = result;
        self.tags.set("Result", result.as_str());
    }

    /// Whether the `Variant` tag says Chess960.
    pub fn is_chess960(&self) -> bool {
        self.tags.get("Variant").is_some_and(|name| Variant::named(name) == Some(Variant::Chess960))
    }

    /// Adds a move behind a node: the first is its continuation, later ones are variations.
    pub fn add(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, IllegalMove> {
        if self.position_at(parent).is_legal(mv) {
            Ok(self.tree.add(parent, Step::Move(mv)))
        } else {
            Err(IllegalMove(mv))
        }
    }

    /// What is said about a node; about [`NodeId::ROOT`], what is said before the first move.
    pub fn annotation(&self, node: NodeId) -> &Annotation {
        self.tree.annotation(node)
    }

    pub fn annotation_mut(&mut self, node: NodeId) -> &mut Annotation {
        self.tree.annotation_mut(node)
    }

    /// Adds a comment behind a move.
    pub fn comment(&mut self, node: NodeId, comment: Comment) {
        self.annotation_mut(node).after.push(comment);
    }

    pub fn add_nag(&mut self, node: NodeId, nag: Nag) {
        self.annotation_mut(node).nags.push(nag);
    }

    pub fn step(&self, node: NodeId) -> Step {
        self.tree.node(node).step
    }

    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.tree.node(node).parent
    }

    /// The continuation first, then the variations.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        self.tree.children(node)
    }

    /// The nodes of the game as it was played, the start left out.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.tree.node(NodeId::ROOT).first_child, |node| {
            self.tree.node(*node).first_child
        })
    }

    /// The moves as played, up to the end or to a null move (which no played game has).
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.main_line().map_while(|node| match self.step(node) {
            Step::Move(mv) => Some(mv),
            Step::Start | Step::Null => None,
        })
    }

    /// Moves in all lines.
    pub fn move_count(&self) -> usize {
        self.tree.len()
    }

    /// The position after a node, played from the start.
    pub fn position_at(&self, node: NodeId) -> Position {
        let path = std::iter::successors(Some(node), |node| self.parent(*node));
        let steps: Vec<Step> = path.map(|node| self.step(node)).collect();
        let mut position = self.start.clone();
        for step in steps.into_iter().rev() {
            play(&mut position, step);
        }
        position
    }

    /// The game as played, to go on from.
    pub fn to_game(&self) -> Game {
        let mut game = Game::new(self.start.clone());
        for mv in self.moves() {
            // Every move in the tree was legal when it was added.
            if game.play(mv).is_err() {
                break;
            }
        }
        game
    }
}

pub(super) fn play(position: &mut Position, step: Step) {
    match step {
        Step::Start => {}
        Step::Move(mv) => position.play(mv),
        Step::Null => position.play_null(),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Variant {
    Standard,
    Chess960,
}

impl Variant {
    /// Programs spell them in many ways: case, blanks and signs do not count.
    pub fn named(name: &str) -> Option<Variant> {
        let letters: String =
            name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
        match letters.as_str() {
            "" | "standard" | "chess" | "normal" | "fromposition" => Some(Variant::Standard),
            "chess960" | "fischerandom" | "fischerrandom" | "960" | "frc" | "dfrc" | "freestyle" => {
                Some(Variant::Chess960)
            }
            _ => None,
        }
    }
}

//! As comments, glyphs and variations of the game itself.

use super::sentences::about;
use crate::review::Review;
use chess::pgn::{Comment, Evaluation, Nag, NodeId, PgnGame, Worth};
use chess::{Color, Move};
use human_model::shown_score::ShownScore;
use kernel::Kind;

/// The game with the coach's remarks added; what it already said stays.
pub fn annotate(review: &Review) -> PgnGame {
    let mut game = review.game.clone();
    let nodes: Vec<NodeId> = game.main_line().collect();
    let positions = review.positions();
    for ((played, node), before) in review.moves.iter().zip(nodes).zip(&positions) {
        let level = review.sides[played.color.index()].level;
        let text = about(played, before, level).join(" ");
        let worth = worth(played.score, played.color);
        let comment =
            Comment { text, evaluation: Some(Evaluation { worth, depth: None }), ..Comment::default() };
        game.comment(node, comment);
        if let Some(nag) = played.class.nag() {
            game.add_nag(node, Nag(nag));
        }
        if let (Some(proof), Some(parent)) = (&played.proof, game.parent(node)) {
            add_line(&mut game, parent, &proof.better.moves);
        }
    }
    let [white, black] = &review.sides;
    for (side, prefix) in [(white, "White"), (black, "Black")] {
        if let Some(accuracy) = side.accuracy {
            game.tags.set(&format!("{prefix}Accuracy"), &format!("{accuracy:.1}"));
        }
    }
    game.tags.set("Annotator", "Tabiya");
    game
}

fn add_line(game: &mut PgnGame, parent: NodeId, moves: &[Move]) {
    let mut last = parent;
    for mv in moves {
        match game.add(last, *mv) {
            Ok(node) => last = node,
            Err(_) => break,
        }
    }
}

/// From White's side, mates in moves.
fn worth(score: ShownScore, mover: Color) -> Worth {
    let sign = if mover == Color::White { 1 } else { -1 };
    match score.kind() {
        Kind::MateIn(plies) => Worth::Mate(sign * (plies.div_ceil(2).max(1) as i32)),
        Kind::MatedIn(plies) => Worth::Mate(-sign * (plies.div_ceil(2).max(1) as i32)),
        Kind::TableWin(_) => Worth::Centipawns(sign * 10_000),
        Kind::TableLoss(_) => Worth::Centipawns(-sign * 10_000),
        Kind::Centipawns(value) => Worth::Centipawns(sign * value),
    }
}

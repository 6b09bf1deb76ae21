//! What is said about a move: plain sentences, each backed by a verified line.

use crate::class::MoveClass;
use crate::motif::Motif;
use crate::proof::{Proof, Trap};
use crate::review::{MoveReview, Review};
use crate::visible_depth;
use chess::{Color, Move, Position};
use human_model::reply::Rating;
use std::fmt::Write as _;

/// `12. Nf3` or `12... Nf6`.
pub fn numbered(review: &MoveReview) -> String {
    let dots = if review.color == Color::White { "." } else { "..." };
    format!("{}{dots} {}{}", review.number, review.san, review.class.sign())
}

/// A line in the notation people read, with move numbers.
pub fn line(position: &Position, moves: &[Move]) -> String {
    let mut at = position.clone();
    let mut text = String::new();
    for (index, mv) in moves.iter().enumerate() {
        if !at.is_legal(*mv) {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        if at.turn() == Color::White {
            let _ = write!(text, "{}. ", at.fullmove_number());
        } else if index == 0 {
            let _ = write!(text, "{}... ", at.fullmove_number());
        }
        text.push_str(at.san(*mv).as_str());
        at.play(*mv);
    }
    text
}

/// The comment on each move of the game; empty for most moves.
pub fn comments(review: &Review) -> Vec<String> {
    let comment = |(played, before): (&MoveReview, &Position)| {
        about(played, before, review.sides[played.color.index()].level).join(" ")
    };
    review.moves.iter().zip(&review.positions()).map(comment).collect()
}

/// Everything worth saying about a move, in order; empty for most moves.
pub fn about(review: &MoveReview, before: &Position, level: Rating) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(proof) = &review.proof {
        said.push(fault(review, proof, before));
        said.push(better(review, proof, before, level));
    }
    if let Some(trap) = &review.trap {
        said.push(about_trap(trap, before, level));
    }
    if let (MoveClass::Great, Some(people)) = (review.class, review.people) {
        said.push(format!(
            "The only good move, and {} at {} find it.",
            share(people.find_best),
            level.points()
        ));
    }
    said
}

fn fault(review: &MoveReview, proof: &Proof, before: &Position) -> String {
    let mut text = format!(
        "Gives away {:.0} points in a hundred ({:.0} to {:.0})",
        100.0 * review.loss,
        review.before.percent(),
        review.after.percent()
    );
    let after = before.after(review.mv);
    match &proof.refutation.moves[..] {
        [] | [_] => text.push_str(": the game is drawn"),
        [_, answer @ ..] => {
            let _ = write!(text, ": {}", line(&after, answer));
        }
    }
    if let Some(what) = describe(&proof.motifs) {
        let _ = write!(text, " ({what})");
    }
    text.push('.');
    // How deep a slight difference lies is noise; of a real error it is the lesson.
    if review.loss >= 0.10 {
        let _ = write!(text, " One sees it {}.", visible_depth::words(proof.seen_at));
    }
    text
}

fn better(review: &MoveReview, proof: &Proof, before: &Position, level: Rating) -> String {
    let mut text = format!("Better: {}", line(before, &proof.better.moves));
    if let Some(what) = describe(&proof.missed) {
        let _ = write!(text, " ({what})");
    }
    if let Some(people) = review.people {
        let _ = write!(
            text,
            ". Found by {} at {}; {} play {}",
            share(people.find_best),
            level.points(),
            share(people.play_this),
            review.san
        );
    }
    text.push('.');
    text
}

fn about_trap(trap: &Trap, before: &Position, level: Rating) -> String {
    let bait = before.san(trap.bait);
    let line = line(&before.after(trap.bait), &trap.line.moves[1..]);
    let who = format!("{} at {}", share(trap.share), level.points());
    if trap.fell_in {
        format!("A trap: {who} play {bait} here and lose {:.0} points in a hundred.", 100.0 * trap.loss)
    } else {
        format!(
            "A trap avoided: {who} play {bait}, which loses {:.0} points in a hundred to {line}.",
            100.0 * trap.loss
        )
    }
}

fn describe(motifs: &[Motif]) -> Option<String> {
    // A mate says all; what it wins on the way does not matter.
    let shown: Vec<String> = match motifs.first()? {
        mate @ Motif::Mate(_) => std::iter::once(mate)
            .chain(motifs.iter().filter(|motif| **motif == Motif::BackRank))
            .map(ToString::to_string)
            .collect(),
        _ => motifs.iter().map(ToString::to_string).collect(),
    };
    Some(shown.join(", "))
}

/// A share as people say it.
pub fn share(probability: f32) -> String {
    match probability {
        p if p < 0.01 => "fewer than 1 %".to_string(),
        p if p > 0.99 => "nearly all".to_string(),
        p => format!("{:.0} %", 100.0 * p),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_as_people_do() {
        let start = Position::default();
        let mut at = start.clone();
        let moves: Vec<Move> = ["e2e4", "e7e5", "g1f3"]
            .iter()
            .map(|text| {
                let mv = at.parse_uci(text).unwrap();
                at.play(mv);
                mv
            })
            .collect();
        assert_eq!(line(&start, &moves), "1. e4 e5 2. Nf3");
        assert_eq!(line(&start.after(moves[0]), &moves[1..]), "1... e5 2. Nf3");
        assert_eq!(line(&start, &[]), "");
    }

    #[test]
    fn shares_are_rounded_honestly() {
        assert_eq!([share(0.003), share(0.234), share(0.999)], ["fewer than 1 %", "23 %", "nearly all"]);
    }
}

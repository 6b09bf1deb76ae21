//! What is said about a move: plain sentences, each backed by a verified line.

use crate::class::MoveClass;
use crate::motif::Motif;
use crate::proof::{Proof, Trap};
use crate::review::{MoveReview, Review};
use crate::visible_depth;
use chess::{Color, Move, Position};
use human_model::reply::Rating;
use kernel::Kind;
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
pub fn about(review: &MoveReview, before: &Position, level: Option<Rating>) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(proof) = &review.proof {
        said.push(fault(review, proof, before));
        said.push(better(review, proof, before, level));
    }
    if let (Some(trap), Some(level)) = (&review.trap, level) {
        said.push(about_trap(review, trap, before, level));
    }
    if let (MoveClass::Great, Some(people), Some(level)) = (review.class, review.people, level) {
        said.push(format!(
            "The only good move, and {} at {} find it.",
            share(people.find_best),
            level.points()
        ));
    }
    said
}

fn fault(review: &MoveReview, proof: &Proof, before: &Position) -> String {
    let after = before.after(review.mv);
    let answer = match &proof.refutation.moves[..] {
        [] | [_] => "the game is drawn".to_string(),
        [_, answer @ ..] => line(&after, answer),
    };
    let mate = Motif::mate_in(&proof.motifs);
    let mut text = match (mate, proof.better.score.kind()) {
        // A mate is told as a mate, whatever the position was worth before.
        (Some(moves), _) => format!("Allows mate in {moves}: {answer}"),
        (None, Kind::MateIn(plies)) => {
            format!("Misses mate in {} and gives away {}: {answer}", plies.div_ceil(2), points(review))
        }
        _ => format!("Gives away {}: {answer}", points(review)),
    };
    let reason = describe(&proof.motifs).or_else(|| proof.drawback.map(|drawback| drawback.to_string()));
    if let Some(what) = reason {
        let _ = write!(text, " ({what})");
    }
    text.push('.');
    // The depth of a slight difference is noise.
    if review.loss >= 0.10 {
        let _ = write!(text, " One sees it {}.", visible_depth::words(proof.seen_at));
    }
    text
}

/// The difference of the two numbers shown.
fn points_lost(review: &MoveReview) -> f64 {
    (review.before.percent().round() - review.after.percent().round()).max(0.0)
}

/// The loss with the two numbers it is the difference of.
fn points(review: &MoveReview) -> String {
    let (before, after) = (review.before.percent().round(), review.after.percent().round());
    let lost = points_lost(review);
    let noun = if lost == 1.0 { "point" } else { "points" };
    format!("{lost} {noun} in a hundred ({before} to {after})")
}

fn better(review: &MoveReview, proof: &Proof, before: &Position, level: Option<Rating>) -> String {
    let mut text = format!("Better: {}", line(before, &proof.better.moves));
    if let Some(moves) = Motif::mate_in(&proof.missed) {
        let _ = write!(text, " (mate in {moves})");
    } else if let Some(what) = describe(&proof.missed) {
        let _ = write!(text, " ({what})");
    }
    if let Some(plan) = &proof.plan {
        let _ = write!(text, ". The plan is to {plan}");
    }
    if let (Some(people), Some(level)) = (review.people, level) {
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

fn about_trap(review: &MoveReview, trap: &Trap, before: &Position, level: Rating) -> String {
    let bait = before.san(trap.bait);
    let line = line(&before.after(trap.bait), trap.line.moves.get(1..).unwrap_or_default());
    let who = format!("{} at {}", share(trap.share), level.points());
    let cost = match trap.line.score.kind() {
        Kind::MatedIn(plies) => format!("allows mate in {}", plies.saturating_sub(1).div_ceil(2)),
        // The move itself: the same number as in the sentence on the error.
        _ if trap.fell_in => format!("loses {} points in a hundred", points_lost(review)),
        _ => format!("loses {:.0} points in a hundred", 100.0 * trap.loss),
    };
    if trap.fell_in {
        format!("A trap: {who} play {bait} here, which {cost}.")
    } else {
        format!("A trap avoided: {who} play {bait}, which {cost} to {line}.")
    }
}

/// The motifs in words; a mate is told apart, and what it wins on the way does not matter.
fn describe(motifs: &[Motif]) -> Option<String> {
    let has_mate = Motif::mate_in(motifs).is_some();
    let shown: Vec<String> = motifs
        .iter()
        .filter(|motif| if has_mate { **motif == Motif::BackRank } else { true })
        .map(ToString::to_string)
        .collect();
    (!shown.is_empty()).then(|| shown.join(", "))
}

/// `1 move`, `2 moves`.
pub fn count_of(count: u32, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
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

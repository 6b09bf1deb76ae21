//! Checks that a review does not contradict itself.

use crate::class::MoveClass;
use crate::motif::Motif;
use crate::proof::Proof;
use crate::report::comments;
use crate::review::{MoveReview, Review};

/// What is wrong with a review, one sentence each; empty for every review that may be shown.
pub fn contradictions(review: &Review) -> Vec<String> {
    let mut found = Vec::new();
    for (played, comment) in review.moves.iter().zip(comments(review)) {
        let dots = if played.color.is_white() { "." } else { "..." };
        let mut add =
            |what: &str| found.push(format!("{}{dots} {}: {what}: {comment}", played.number, played.san));
        check_class(played, &mut add);
        check_words(played, &comment, &mut add);
    }
    found
}

fn check_class(played: &MoveReview, add: &mut dyn FnMut(&str)) {
    if played.class.is_error() != played.proof.is_some() {
        add("an error without a proof, or a proof without an error");
    }
    if let Some(trap) = &played.trap {
        if trap.fell_in != (trap.bait == played.mv) {
            add("a trap that was both sprung and avoided");
        }
        if trap.fell_in != played.class.is_error() {
            add("a trap that disagrees with the class of the move");
        }
    }
    match &played.proof {
        Some(_) if played.best == played.mv => add("the best move is called an error"),
        Some(proof)
            if proof.motifs.is_empty() && proof.drawback.is_none() && !proof.better.score.is_win() =>
        {
            add("an error without a reason");
        }
        None if played.loss >= 0.05 && played.class != MoveClass::Book => add("a loss that nobody mentions"),
        _ => {}
    }
}

fn check_words(played: &MoveReview, comment: &str, add: &mut dyn FnMut(&str)) {
    let is_mated = played.proof.as_ref().is_some_and(|proof| proof.refutation.score.is_loss());
    if is_mated != comment.contains("Allows mate") {
        add("a mate that is not told as a mate");
    }
    if comment.contains("A trap avoided") && comment.contains("gives away") {
        add("praise beside blame");
    }
    let shown = comment.split_once(" points in a hundred (").and_then(|(head, tail)| {
        let lost: f64 = head.rsplit(' ').next()?.parse().ok()?;
        let (from, to) = tail.split_once(')')?.0.split_once(" to ")?;
        Some((lost, from.parse::<f64>().ok()? - to.parse::<f64>().ok()?))
    });
    if shown.is_some_and(|(lost, difference)| lost != difference) {
        add("points that do not subtract");
    }
    let of_trap = comment.split_once("A trap: ").and_then(|(_, tail)| {
        let (head, _) = tail.split_once(" points in a hundred")?;
        head.rsplit(' ').next()?.parse::<f64>().ok()
    });
    if shown.zip(of_trap).is_some_and(|((lost, _), again)| lost != again) {
        add("two numbers for one loss");
    }
    // A piece that the reply takes is seen by whoever looks at the reply.
    let takes = |proof: &Proof| proof.motifs.iter().any(Motif::takes_a_piece);
    if played.proof.as_ref().is_some_and(takes) && comment.contains("deep") {
        add("a piece taken at once that one sees only deep");
    }
}

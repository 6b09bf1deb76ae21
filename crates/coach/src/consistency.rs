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
        let comment = comment.join(" ");
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
    if comment.contains("A trap avoided") && comment.contains("Winning chances fall") {
        add("praise beside blame");
    }
    // `from 51 % to 28 %` after some words.
    let fall = |words: &str| {
        let (from, tail) = comment.split_once(words)?.1.split_once(" % to ")?;
        let (to, _) = tail.split_once(" %")?;
        Some((from.parse::<f64>().ok()?, to.parse::<f64>().ok()?))
    };
    let shown = fall("Winning chances fall from ");
    if shown.is_some_and(|(from, to)| from <= to) {
        add("chances that do not fall");
    }
    let [before, after] = [played.before, played.after].map(|expected| expected.percent().round());
    if shown.is_some_and(|shown| shown != (before, after)) {
        add("chances that are not those of the move");
    }
    if comment.contains("Easy to spot") && played.people.is_some_and(|people| people.find_best < 0.25) {
        add("what few people find is called easy");
    }
    if comment.contains("A common trap")
        && played.people.is_some_and(|people| people.find_best > people.play_this)
    {
        add("a move that is chosen most often, and less often than another");
    }
    // A piece that the reply takes is seen by whoever looks at the reply.
    let takes = |proof: &Proof| proof.motifs.iter().any(Motif::takes_a_piece);
    if played.proof.as_ref().is_some_and(takes) && comment.contains("calculation") {
        add("a piece taken at once that one sees only deep");
    }
}

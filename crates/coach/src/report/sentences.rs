//! What is said about a move: plain sentences, each backed by a verified line.

use crate::class::MoveClass;
use crate::motif::Motif;
use crate::proof::{Proof, Trap};
use crate::review::{MoveReview, Review, SideReview};
use chess::{Color, Move, Position};
use human_model::reply::Rating;
use kernel::Kind;
use std::fmt::Write as _;

/// What fewer people find is not called easy.
const RARELY_FOUND: f32 = 0.25;

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

/// The sentences on each move of the game; none for most moves.
pub fn comments(review: &Review) -> Vec<Vec<String>> {
    let comment = |(played, before): (&MoveReview, &Position)| {
        paragraphs(played, before, review.sides[played.color.index()].level).concat()
    };
    review.moves.iter().zip(&review.positions()).map(comment).collect()
}

/// Everything worth saying about a move, in order, a paragraph each; empty for most moves.
pub fn about(review: &MoveReview, before: &Position, level: Option<Rating>) -> Vec<String> {
    paragraphs(review, before, level).iter().map(|sentences| sentences.join(" ")).collect()
}

/// The page translates whole sentences (`web/src/server.words.ts`), so each is made in one piece.
fn paragraphs(review: &MoveReview, before: &Position, level: Option<Rating>) -> Vec<Vec<String>> {
    let mut said = Vec::new();
    if let Some(proof) = &review.proof {
        let mut wrong = vec![fault(review, proof, before)];
        // The depth of a slight difference is noise.
        if review.loss >= 0.10 {
            let few = review.people.is_some_and(|people| people.find_best < RARELY_FOUND);
            wrong.push(format!(
                "{}.",
                if few { proof.seen_at.words_if_rare() } else { proof.seen_at.words() }
            ));
        }
        let mut right = vec![better(proof, before)];
        right.extend(proof.plan.as_ref().map(|plan| format!("The plan is to {plan}.")));
        if let (Some(people), Some(level)) = (review.people, level) {
            let (found, chosen) = (players(people.find_best, level), share(people.play_this));
            right.push(format!("Found by {found}; {chosen} choose {}.", review.san));
        }
        said.extend([wrong, right]);
    }
    if let (Some(trap), Some(level)) = (&review.trap, level) {
        said.push(vec![about_trap(review, trap, before, level)]);
    }
    if let (MoveClass::Great, Some(people), Some(level)) = (review.class, review.people, level) {
        said.push(vec![format!("The only good move, and {} find it.", players(people.find_best, level))]);
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
            let (moves, fall) = (plies.div_ceil(2), fall(review, loss_shown(review)));
            format!("Misses mate in {moves}. Winning chances fall {fall}: {answer}")
        }
        _ => format!("Winning chances fall {}: {answer}", fall(review, loss_shown(review))),
    };
    let reason = describe(&proof.motifs).or_else(|| proof.drawback.map(|drawback| drawback.to_string()));
    if let Some(what) = reason {
        let _ = write!(text, " ({what})");
    }
    text.push('.');
    text
}

/// The difference of the two numbers shown, in percent.
fn loss_shown(review: &MoveReview) -> f64 {
    (review.before.percent().round() - review.after.percent().round()).max(0.0)
}

/// `from 51 % to 28 %`: what could be expected before the move, and what after a loss.
fn fall(review: &MoveReview, loss: f64) -> String {
    let before = review.before.percent().round();
    format!("from {before} % to {} %", (before - loss).max(0.0))
}

fn better(proof: &Proof, before: &Position) -> String {
    let mut text = format!("Better: {}", line(before, &proof.better.moves));
    if let Some(moves) = Motif::mate_in(&proof.missed) {
        let _ = write!(text, " (mate in {moves})");
    } else if let Some(what) = describe(&proof.missed) {
        let _ = write!(text, " ({what})");
    }
    text.push('.');
    text
}

fn about_trap(review: &MoveReview, trap: &Trap, before: &Position, level: Rating) -> String {
    // The sentences on the error have told the rest.
    if trap.fell_in {
        return "A common trap: no move is chosen more often here.".to_string();
    }
    let bait = before.san(trap.bait);
    let line = line(&before.after(trap.bait), trap.line.moves.get(1..).unwrap_or_default());
    let who = players(trap.share, level);
    let cost = match trap.line.score.kind() {
        Kind::MatedIn(plies) => format!("allows mate in {}", plies.saturating_sub(1).div_ceil(2)),
        _ => format!("lets winning chances fall {}", fall(review, (100.0 * trap.loss).round())),
    };
    format!("A trap avoided: {who} choose {bait}, which {cost} after {line}.")
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

/// The name of a player; the color where the file has none.
pub fn player(report: &SideReview) -> &str {
    match (report.side.name.as_str(), report.side.color) {
        ("?" | "", Color::White) => "White",
        ("?" | "", Color::Black) => "Black",
        (name, _) => name,
    }
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

/// `41 % of 1500-rated players`.
fn players(probability: f32, level: Rating) -> String {
    let of = if probability > 0.99 { "" } else { "of " };
    format!("{} {of}{}-rated players", share(probability), level.points())
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
        let level = Rating::new(1500).unwrap();
        assert_eq!(
            [players(0.41, level), players(0.999, level)],
            ["41 % of 1500-rated players", "nearly all 1500-rated players"]
        );
    }
}

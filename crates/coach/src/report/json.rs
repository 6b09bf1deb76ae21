//! For programs.

use super::sentences::{about, line};
use crate::class::MoveClass;
use crate::review::{MoveReview, Review, SideReview};
use chess::{Move, Position};
use serde_json::{Value, json};

/// Probabilities and points to four digits: more would be noise.
fn round(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

pub fn json(review: &Review) -> String {
    let positions = review.positions();
    let moves: Vec<Value> = (review.moves.iter().zip(&positions))
        .map(|(played, before)| describe(played, before, review))
        .collect();
    let puzzles: Vec<Value> = review
        .puzzles
        .iter()
        .map(|puzzle| {
            json!({
                "fen": puzzle.position.to_fen(),
                "ply": puzzle.ply,
                "mate": puzzle.mate,
                "solution": coordinates(&puzzle.position, &puzzle.solution),
                "solution_san": line(&puzzle.position, &puzzle.solution),
                "worth": round(puzzle.worth),
            })
        })
        .collect();
    let value = json!({
        "white": side(&review.sides[0]),
        "black": side(&review.sides[1]),
        "start": review.game.start().to_fen(),
        "result": review.game.result.as_str(),
        "course": review.course.iter().map(|expected| round(expected.points())).collect::<Vec<_>>(),
        "moves": moves,
        "puzzles": puzzles,
    });
    format!("{value:#}\n")
}

fn side(report: &SideReview) -> Value {
    let classes: serde_json::Map<String, Value> = MoveClass::ALL
        .iter()
        .zip(report.classes)
        .map(|(class, count)| (class.name().to_string(), json!(count)))
        .collect();
    let seen: Vec<Value> = report
        .errors_by_depth
        .iter()
        .map(|(seen, count)| json!({ "depth": seen.plies(), "seen": seen.words(), "errors": count }))
        .collect();
    json!({
        "name": report.side.name,
        "rating_told": report.side.told.map(human_model::reply::Rating::points),
        "is_computer": report.side.is_computer,
        "level": report.level.map(human_model::reply::Rating::points),
        "accuracy": report.accuracy.map(round),
        "mean_loss_percent": report.mean_loss.map(round),
        "classes": classes,
        "rating": report.rating.map(|rating| json!({
            "mean": rating.mean.round(),
            "interval80": [rating.interval80.0.round(), rating.interval80.1.round()],
            "interval90": [rating.interval90.0.round(), rating.interval90.1.round()],
            "moves": rating.moves,
        })),
        "rating_course": report.rating_course.iter().map(|estimate| json!([
            estimate.moves,
            estimate.mean.round(),
            estimate.interval80.0.round(),
            estimate.interval80.1.round(),
        ])).collect::<Vec<_>>(),
        "errors_by_depth": seen,
    })
}

fn describe(played: &MoveReview, before: &Position, review: &Review) -> Value {
    let level = review.sides[played.color.index()].level;
    let proof = played.proof.as_ref().map(|proof| {
        json!({
            "better": coordinates(before, &proof.better.moves),
            "better_san": line(before, &proof.better.moves),
            "refutation": coordinates(before, &proof.refutation.moves),
            "refutation_san": line(before, &proof.refutation.moves),
            "motifs": proof.motifs.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "plan": proof.plan,
            "drawback": proof.drawback.map(|drawback| drawback.to_string()),
            "seen_at_depth": proof.seen_at.plies(),
            "seen": proof.seen_at.words(),
        })
    });
    let trap = played.trap.as_ref().map(|trap| {
        json!({
            "bait": before.san(trap.bait).to_string(),
            "share": round(f64::from(trap.share)),
            "loss": round(trap.loss),
            "fell_in": trap.fell_in,
            "line": line(before, &trap.line.moves),
        })
    });
    json!({
        "ply": played.ply,
        "number": played.number,
        "color": played.color.to_string(),
        "san": played.san,
        "uci": before.uci(played.mv, false).to_string(),
        "class": played.class.name(),
        "expected_before": round(played.before.points()),
        "expected_after": round(played.after.points()),
        "loss": round(played.loss),
        "accuracy": round(played.accuracy),
        "best_san": before.san(played.best).to_string(),
        "best_found_by": played.people.map(|people| round(f64::from(people.find_best))),
        "played_by": played.people.map(|people| round(f64::from(people.play_this))),
        "proof": proof,
        "trap": trap,
        "comment": about(played, before, level).join(" "),
    })
}

fn coordinates(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut at = position.clone();
    moves
        .iter()
        .map_while(|mv| {
            at.is_legal(*mv).then(|| {
                let text = at.uci(*mv, false).to_string();
                at.play(*mv);
                text
            })
        })
        .collect()
}

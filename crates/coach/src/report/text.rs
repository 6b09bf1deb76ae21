//! For terminals.

use super::sentences::{about, count_of, line, numbered, player};
use crate::class::MoveClass;
use crate::review::{Review, SideReview};
use chess::Color;
use std::fmt::Write as _;

const WIDTH: usize = 96;

/// The whole report as plain text; `side` leaves out what concerns the other player only.
pub fn text(review: &Review, side: Option<Color>) -> String {
    let mut out = String::new();
    let name = |index: usize| player(&review.sides[index]);
    let _ = writeln!(out, "{} - {}   {}\n", name(0), name(1), review.game.result.as_str());
    for (index, report) in review.sides.iter().enumerate() {
        if side.is_none_or(|side| side.index() == index) {
            summary(report, &mut out);
        }
    }
    let _ = writeln!(out, "Moments\n");
    let positions = review.positions();
    let mut any = false;
    for (played, before) in review.moves.iter().zip(&positions) {
        if side.is_some_and(|side| side != played.color) {
            continue;
        }
        let level = review.sides[played.color.index()].level;
        let sentences = about(played, before, level);
        if sentences.is_empty() {
            continue;
        }
        any = true;
        let _ = writeln!(out, "  {}   {}", numbered(played), played.class);
        for sentence in sentences {
            wrap(&sentence, "    ", &mut out);
        }
        out.push('\n');
    }
    if !any {
        let _ = writeln!(out, "  Nothing to point out: no error was confirmed.\n");
    }
    if !review.puzzles.is_empty() {
        let _ = writeln!(out, "Puzzles from this game\n");
        for (index, puzzle) in review.puzzles.iter().enumerate() {
            let _ = writeln!(out, "  {}. {}: {}", index + 1, puzzle.task(), puzzle.position.to_fen());
        }
        let _ = writeln!(out, "\n  Solutions");
        for (index, puzzle) in review.puzzles.iter().enumerate() {
            let _ = writeln!(out, "  {}. {}", index + 1, line(&puzzle.position, &puzzle.solution));
        }
    }
    out
}

fn summary(report: &SideReview, out: &mut String) {
    let told = report.side.told.map_or(String::new(), |rating| format!(" ({})", rating.points()));
    let bot = if report.side.is_computer { ", a program: what people play says little about it" } else { "" };
    let name = if report.side.name == "?" { String::new() } else { format!(": {}", report.side.name) };
    let _ = writeln!(out, "{}{name}{told}{bot}", report.side.color);
    if let (Some(accuracy), Some(loss)) = (report.accuracy, report.mean_loss) {
        let _ = writeln!(out, "  accuracy   {accuracy:.1} %, winning chances lost per move: {loss:.1} %");
    }
    if let Some(estimate) = report.rating {
        let (low, high) = estimate.interval80;
        let _ = writeln!(
            out,
            "  played like {:.0}, between {low:.0} and {high:.0} with a chance of 80 % ({})",
            estimate.mean,
            count_of(estimate.moves, "move")
        );
    } else {
        let _ = writeln!(out, "  rating     not estimated: no move beyond the opening was counted");
    }
    let counts: Vec<String> = MoveClass::ALL
        .iter()
        .zip(report.classes)
        .filter(|(_, count)| *count > 0)
        .map(|(class, count)| class.counted(count))
        .collect();
    let _ = writeln!(out, "  moves      {}", counts.join(", "));
    if !report.errors_by_depth.is_empty() {
        let seen: Vec<String> = report
            .errors_by_depth
            .iter()
            .map(|(seen, count)| format!("{count}: {}", seen.words().to_lowercase()))
            .collect();
        let _ = writeln!(out, "  errors     {}", seen.join("; "));
    }
    out.push('\n');
}

fn wrap(sentence: &str, indent: &str, out: &mut String) {
    let mut column = 0;
    for word in sentence.split(' ') {
        let width = word.chars().count();
        if column == 0 || column + 1 + width > WIDTH {
            if column > 0 {
                out.push('\n');
            }
            out.push_str(indent);
            column = indent.len();
        } else {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out.push('\n');
}

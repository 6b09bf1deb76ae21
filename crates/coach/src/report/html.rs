//! For browsers: one file, no scripts, nothing fetched. Light or dark as the reader's system is; readable on paper.

use super::board::board;
use super::sentences::{about, line, numbered, player};
use crate::class::MoveClass;
use crate::review::{MoveReview, Review, SideReview};
use chess::{Color, Position};
use human_model::rating::Estimate;
use std::fmt::Write as _;

static STYLE: &str = include_str!("style.css");

pub fn html(review: &Review, side: Option<Color>) -> String {
    let [white, black] = &review.sides;
    let title = format!("{} - {}", player(white), player(black));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{0}</title>\n<style>{STYLE}</style></head>\n\
         <body><main><h1>{0}</h1><p class=\"sub\">{1}</p>\n",
        escape(&title),
        escape(&subtitle(review))
    );
    page.push_str("<section class=\"cards\" aria-label=\"Players\">");
    for report in &review.sides {
        card(report, &mut page);
    }
    page.push_str("</section>\n<h2>The game</h2>\n");
    chart(review, &mut page);
    move_list(review, &mut page);
    moments(review, side, &mut page);
    puzzles(review, &mut page);
    page.push_str(
        "<h2>How to read this</h2><p class=\"note\">Winning chances are the score in percent that a person could expect from the position (a draw counts half) \
         on average. Accuracy is counted as on Lichess: one move that throws the game away lowers it more than several small errors. Every line shown was searched again, deeper, before it was written; an error that a deeper search did not confirm \
         is not mentioned. Shares of players come from a model of rated games and know averages, not persons. \
         The rating is read from the moves of one game, and one game says little, so the interval is wide.</p></main></body></html>\n",
    );
    page
}

fn subtitle(review: &Review) -> String {
    let tag =
        |name: &str| review.game.tags.get(name).filter(|value| !value.is_empty() && !value.starts_with('?'));
    let parts: Vec<&str> =
        [tag("Event"), tag("Date"), Some(review.game.result.as_str())].into_iter().flatten().collect();
    parts.join(" · ")
}

fn card(report: &SideReview, page: &mut String) {
    let told =
        report.side.told.map_or(String::new(), |rating| format!(" <small>{}</small>", rating.points()));
    let _ = write!(
        page,
        "<article class=\"card\"><h3>{} · {}{told}</h3>",
        report.side.color,
        escape(&report.side.name)
    );
    if report.side.is_computer {
        page.push_str("<p class=\"note\">A program: what people play says little about it.</p>");
    }
    if let Some(accuracy) = report.accuracy {
        let _ = write!(page, "<div class=\"big\">{accuracy:.1}<small> % accuracy</small></div>");
    }
    rating_curve(&report.rating_course, page);
    page.push_str("<dl>");
    if let Some(rating) = report.rating {
        let (low, high) = rating.interval80;
        let _ = write!(
            page,
            "<dt>Played like</dt><dd>{:.0} <span class=\"note\">({low:.0} to {high:.0}, 80 %)</span></dd>",
            rating.mean
        );
    }
    if let Some(loss) = report.mean_loss {
        let _ = write!(page, "<dt>Winning chances lost per move</dt><dd>{loss:.1} %</dd>");
    }
    let errors: Vec<String> = MoveClass::ALL
        .iter()
        .zip(report.classes)
        .filter(|(class, count)| *count > 0 && (class.is_error() || **class == MoveClass::Great))
        .map(|(class, count)| format!("{count} <span class=\"tag {0}\">{0}</span>", class.name()))
        .collect();
    let errors = if errors.is_empty() { "none confirmed".to_string() } else { errors.join(" ") };
    let _ = write!(page, "<dt>Moments</dt><dd>{errors}</dd>");
    if !report.errors_by_depth.is_empty() {
        let seen: Vec<String> = report
            .errors_by_depth
            .iter()
            .map(|(seen, count)| format!("{count}: {}", seen.words().to_lowercase()))
            .collect();
        let _ = write!(page, "<dt>Errors seen</dt><dd>{}</dd>", seen.join("<br>"));
    }
    page.push_str("</dl></article>");
}

/// The estimate after each counted move: the mean as a line, the 80 % interval around it as an area.
fn rating_curve(course: &[Estimate], page: &mut String) {
    const WIDTH: f64 = 320.0;
    const HEIGHT: f64 = 90.0;
    const LEAST_MOVES: usize = 5;
    if course.len() < LEAST_MOVES {
        return;
    }
    let values = || course.iter().flat_map(|estimate| [estimate.interval80.0, estimate.interval80.1]);
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let last = (course.len() - 1) as f64;
    let point = |index: usize, rating: f64| {
        let (x, y) = (WIDTH * index as f64 / last, HEIGHT * (high - rating) / (high - low).max(1.0));
        format!("{x:.1},{y:.1}")
    };
    let along = |value: &dyn Fn(&Estimate) -> f64| -> Vec<String> {
        course.iter().enumerate().map(|(index, estimate)| point(index, value(estimate))).collect()
    };
    let mean = along(&|estimate| estimate.mean);
    let mut border = along(&|estimate| estimate.interval80.1);
    let mut lower = along(&|estimate| estimate.interval80.0);
    lower.reverse();
    border.extend(lower);
    let _ = write!(
        page,
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"The rating read from the moves, move by move\">\
         <title>From {low:.0} to {high:.0}</title><polygon class=\"area\" points=\"{}\"/><polyline class=\"curve\" points=\"{}\"/></svg>",
        border.join(" "),
        mean.join(" ")
    );
}

/// White's prospects over the game; errors are dots that lead to their moment.
fn chart(review: &Review, page: &mut String) {
    const WIDTH: f64 = 960.0;
    const HEIGHT: f64 = 220.0;
    let last = review.course.len().saturating_sub(1).max(1) as f64;
    let point = |index: usize| {
        let expected = review.course[index].points();
        (12.0 + (WIDTH - 24.0) * index as f64 / last, 10.0 + (HEIGHT - 20.0) * (1.0 - expected))
    };
    let mut path = String::new();
    for index in 0..review.course.len() {
        let (x, y) = point(index);
        let _ = write!(path, "{}{x:.1},{y:.1}", if index == 0 { "M" } else { "L" });
    }
    let (end, _) = point(review.course.len() - 1);
    let middle = HEIGHT / 2.0;
    let _ = write!(
        page,
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"White's prospects move by move\">\
         <line class=\"mid\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{middle}\" y2=\"{middle}\"/>\
         <path class=\"area\" d=\"{path}L{end:.1},{middle}L12,{middle}Z\"/><path class=\"curve\" d=\"{path}\"/>"
    );
    for played in review.moves.iter().filter(|played| is_moment(played)) {
        let (x, y) = point(played.ply + 1);
        let _ = write!(
            page,
            "<a href=\"#m{}\"><title>{}</title><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5.5\" fill=\"var(--{})\"/></a>",
            played.ply,
            escape(&numbered(played)),
            colour(played)
        );
    }
    page.push_str(
        "</svg>\n<p class=\"note\">White's expected score, move by move; up is good for White.</p>\n",
    );
}

fn colour(played: &MoveReview) -> &'static str {
    if played.class.is_error() { played.class.name() } else { "great" }
}

fn is_moment(played: &MoveReview) -> bool {
    played.proof.is_some() || played.trap.is_some() || played.class == MoveClass::Great
}

fn move_list(review: &Review, page: &mut String) {
    page.push_str("<p class=\"moves\">");
    for played in &review.moves {
        if played.color == Color::White || played.ply == 0 {
            let dots = if played.color == Color::White { "." } else { "..." };
            let _ = write!(page, "<span class=\"n\">{}{dots}</span>", played.number);
        }
        let text = format!("{}{}", escape(&played.san), played.class.sign());
        if is_moment(played) {
            let _ = write!(page, "<a class=\"c-{}\" href=\"#m{}\">{text}</a>", colour(played), played.ply);
        } else {
            let _ = write!(page, "<span>{text}</span>");
        }
    }
    page.push_str("</p>\n");
}

fn moments(review: &Review, side: Option<Color>, page: &mut String) {
    let positions = review.positions();
    let wanted = |played: &&MoveReview| is_moment(played) && side.is_none_or(|side| side == played.color);
    page.push_str("<h2>Moments</h2>\n");
    let mut any = false;
    for played in review.moves.iter().filter(wanted) {
        let Some(before) = positions.get(played.ply) else { continue };
        any = true;
        moment(review, played, before, page);
    }
    if !any {
        page.push_str("<p>Nothing to point out: no error was confirmed.</p>");
    }
}

fn moment(review: &Review, played: &MoveReview, before: &Position, page: &mut String) {
    let level = review.sides[played.color.index()].level;
    let mut arrows = vec![(played.mv, "var(--accent)")];
    if let Some(proof) = &played.proof {
        arrows = vec![(played.mv, "var(--blunder)"), (proof.better.mv, "var(--good)")];
    } else if let Some(trap) = &played.trap {
        arrows.push((trap.bait, "var(--blunder)"));
    }
    let tag = match (played.class, &played.trap) {
        (class, _) if class.is_error() || class == MoveClass::Great => {
            format!("<span class=\"tag {0}\">{0}</span>", class.name())
        }
        (_, Some(_)) => "<span class=\"tag trap\">trap avoided</span>".to_string(),
        _ => String::new(),
    };
    let _ = write!(
        page,
        "<article class=\"moment\" id=\"m{}\"><div>{}</div><div><h3>{} {tag}</h3>",
        played.ply,
        board(before, played.color, &arrows),
        escape(&numbered(played))
    );
    for sentence in about(played, before, level) {
        let _ = write!(page, "<p>{}</p>", escape(&sentence));
    }
    page.push_str("</div></article>\n");
}

fn puzzles(review: &Review, page: &mut String) {
    if review.puzzles.is_empty() {
        return;
    }
    page.push_str("<h2>Puzzles from this game</h2>\n<section class=\"puzzles\">");
    for puzzle in &review.puzzles {
        let _ = write!(
            page,
            "<article>{}<p>{}.</p><details><summary>Solution</summary><p>{}</p></details></article>",
            board(&puzzle.position, puzzle.solver, &[]),
            puzzle.task(),
            escape(&line(&puzzle.position, &puzzle.solution))
        );
    }
    page.push_str("</section>\n");
}

/// Names come from files: nothing in them may become markup.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(letter),
        }
    }
    out
}

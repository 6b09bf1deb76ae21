//! Bars: results as stacks, counts as columns, ratings as dots with their intervals.

use super::figure::figure;
use crate::svg::{Axis, Canvas, colour, fit_text, short, text_width};

/// One horizontal bar of parts.
#[derive(Clone, Debug)]
pub struct Stack {
    pub label: String,
    pub parts: Vec<f64>,
}

/// Horizontal bars whose parts are shares of the whole, as wins, draws and losses are; `x_label` says of what.
pub fn stacked(stacks: &[Stack], names: &[&str], colours: &[usize], x_label: &str, caption: &str) -> String {
    let row = 30.0;
    let left = label_room(stacks.iter().map(|stack| stack.label.as_str()));
    let mut canvas = Canvas::new(stacks.len() as f64 * row + 60.0, left);
    canvas.right = 24.0;
    canvas.draw_percent(x_label);
    for (place, stack) in stacks.iter().enumerate() {
        let y = canvas.top + place as f64 * row;
        let total: f64 = stack.parts.iter().sum();
        canvas.text(left - 8.0, y + 17.0, "end", "tick", &fit_text(&stack.label, left - 12.0));
        let mut from = 0.0;
        for (part, value) in stack.parts.iter().enumerate() {
            let share = if total > 0.0 { value / total } else { 0.0 };
            let (x1, x2) = (canvas.x(from), canvas.x(from + share));
            let name = names.get(part).copied().unwrap_or("");
            let title = format!("{}: {} {name} ({:.1} %)", stack.label, short(*value), share * 100.0);
            canvas.rectangle(
                x1,
                y,
                x2 - x1,
                row - 8.0,
                &colour(colours.get(part).copied().unwrap_or(part)),
                &title,
            );
            let inside = short(*value);
            if x2 - x1 > text_width(&inside) + 6.0 {
                canvas.text(f64::midpoint(x1, x2), y + 16.0, "middle", "inbar", &inside);
            }
            from += share;
        }
    }
    let legend: Vec<(String, usize)> = names
        .iter()
        .enumerate()
        .map(|(part, name)| ((*name).to_owned(), colours.get(part).copied().unwrap_or(part)))
        .collect();
    figure(&canvas.finish(caption), &legend, caption)
}

/// One value with its interval.
#[derive(Clone, Debug)]
pub struct Bar {
    pub label: String,
    pub value: f64,
    pub error: f64,
}

/// Values as dots with error bars, one per row.
pub fn intervals(bars: &[Bar], x_label: &str, caption: &str) -> String {
    let row = 28.0;
    let left = label_room(bars.iter().map(|bar| bar.label.as_str()));
    let axis = Axis::fit(bars.iter().flat_map(|bar| [bar.value - bar.error, bar.value + bar.error]), x_label);
    let mut canvas = Canvas::new(bars.len() as f64 * row + 70.0, left);
    canvas.draw_grid(&axis);
    canvas.draw_horizontal(&axis);
    for (place, bar) in bars.iter().enumerate() {
        let y = canvas.top + (place as f64 + 0.5) * row;
        canvas.text(left - 8.0, y + 4.0, "end", "tick", &fit_text(&bar.label, left - 12.0));
        let (low, high) =
            (canvas.x(axis.place(bar.value - bar.error)), canvas.x(axis.place(bar.value + bar.error)));
        canvas.path(&[(low, y), (high, y)], &colour(0), false);
        for end in [low, high] {
            canvas.path(&[(end, y - 5.0), (end, y + 5.0)], &colour(0), false);
        }
        let title = format!("{}: {:.1} ± {:.1}", bar.label, bar.value, bar.error);
        canvas.dot(canvas.x(axis.place(bar.value)), y, 4.5, &colour(0), &title);
    }
    figure(&canvas.finish(caption), &[], caption)
}

/// Amounts under names too long for columns, one bar below the other.
pub fn named_bars(bars: &[(String, f64)], x_label: &str, caption: &str) -> String {
    let row = 28.0;
    let left = label_room(bars.iter().map(|bar| bar.0.as_str()));
    let axis = Axis::fit(bars.iter().map(|bar| bar.1).chain([0.0]), x_label);
    let mut canvas = Canvas::new(bars.len() as f64 * row + 60.0, left);
    canvas.right = 24.0;
    canvas.draw_grid(&axis);
    canvas.draw_horizontal(&axis);
    let start = canvas.x(axis.place(0.0));
    for (place, (label, value)) in bars.iter().enumerate() {
        let y = canvas.top + place as f64 * row;
        canvas.text(left - 8.0, y + 15.0, "end", "tick", &fit_text(label, left - 12.0));
        let end = canvas.x(axis.place(*value));
        canvas.rectangle(
            start,
            y + 1.0,
            end - start,
            row - 8.0,
            &colour(0),
            &format!("{label}: {}", short(*value)),
        );
        let inside = short(*value);
        if end - start > text_width(&inside) + 6.0 {
            canvas.text(f64::midpoint(start, end), y + 15.0, "middle", "inbar", &inside);
        } else {
            canvas.text(end + 5.0, y + 15.0, "start", "tick", &inside);
        }
    }
    figure(&canvas.finish(caption), &[], caption)
}

/// Counts of labelled columns.
pub fn histogram(columns: &[(String, f64)], x_label: &str, y_label: &str, caption: &str) -> String {
    let axis = Axis::fit(columns.iter().map(|column| column.1).chain([0.0]), y_label);
    let mut canvas = Canvas::new(260.0, 70.0);
    canvas.draw_vertical(&axis);
    let slot = 1.0 / columns.len().max(1) as f64;
    let bottom = canvas.y(0.0);
    let slot_width = canvas.x(slot) - canvas.x(0.0);
    let widest = columns.iter().map(|column| text_width(&column.0)).fold(0.0, f64::max);
    let every = (widest / slot_width).ceil().max(1.0) as usize;
    for (place, (label, value)) in columns.iter().enumerate() {
        let (x1, x2) = (canvas.x(place as f64 * slot) + 1.0, canvas.x((place + 1) as f64 * slot) - 1.0);
        let y = canvas.y(axis.place(*value));
        canvas.rectangle(x1, y, x2 - x1, bottom - y, &colour(0), &format!("{label}: {}", short(*value)));
        if place % every == 0 {
            canvas.text(f64::midpoint(x1, x2), bottom + 18.0, "middle", "tick", label);
        }
    }
    canvas.line(canvas.left, bottom, canvas.width - canvas.right, bottom, "frame");
    canvas.text(canvas.x(0.5), canvas.height - 8.0, "middle", "label", x_label);
    figure(&canvas.finish(caption), &[], caption)
}

/// Room for labels on the left: as much as the longest needs, but not half the picture.
fn label_room<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    labels.map(text_width).fold(60.0, f64::max).min(260.0) + 16.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_have_an_axis_of_shares() {
        let stacks = [Stack { label: "x".to_owned(), parts: vec![1.0, 3.0] }];
        let svg = stacked(&stacks, &["won", "lost"], &[2, 1], "share of games", "A caption.");
        for text in [">0 %<", ">100 %<", ">share of games<", "x: 3 lost (75.0 %)"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }

    #[test]
    fn long_names_are_all_shown() {
        let names = ["the reference evaluation", "the tables", "the tables and one path per beam"];
        let bars: Vec<(String, f64)> = names.map(|name| (name.to_owned(), 5.0)).into();
        let svg = named_bars(&bars, "seconds", "A caption.");
        for text in names.iter().chain(&["seconds"]) {
            assert!(svg.contains(&format!(">{text}</text>")), "{text}: {svg}");
        }
    }
}

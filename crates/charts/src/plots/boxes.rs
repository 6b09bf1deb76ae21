//! Box-and-whisker plots: quartiles as boxes, extremes as whiskers, a trend through the medians.

use super::figure::figure;
use crate::svg::{Axis, Canvas, colour, fit_text, short};
use stats::summary::Summary;

/// One box.
#[derive(Clone, Debug)]
pub struct BoxGroup {
    /// Under the box.
    pub label: String,
    /// Boxes of one series share a colour.
    pub series: usize,
    pub summary: Summary,
}

/// What is drawn besides the boxes.
#[derive(Clone, Copy, Debug)]
pub struct BoxPlot<'a> {
    pub groups: &'a [BoxGroup],
    /// The series.
    pub names: &'a [String],
    /// A value to compare with: 1 for a speedup.
    pub guide: Option<f64>,
    /// A line through the boxes of each series: one value per box, `None` where there is none.
    pub trend: &'a [Option<f64>],
    pub x_label: &'a str,
    pub y_label: &'a str,
    pub caption: &'a str,
}

/// Draws boxes from left to right, the name of each series under its boxes.
pub fn box_plot(plot: BoxPlot<'_>) -> String {
    let BoxPlot { groups, names, guide, trend, x_label, y_label, caption } = plot;
    let mut values: Vec<f64> =
        groups.iter().flat_map(|group| [group.summary.minimum, group.summary.maximum]).collect();
    values.extend(guide);
    values.extend(trend.iter().flatten());
    let axis = Axis::fit(values, y_label);
    let mut canvas = Canvas::new(360.0, 70.0);
    // Labels of the boxes, names of the series and the title of the axis, below each other.
    canvas.bottom = 66.0;
    canvas.draw_vertical(&axis);
    let bottom = canvas.y(0.0);
    canvas.line(canvas.left, bottom, canvas.width - canvas.right, bottom, "frame");
    if let Some(guide) = guide {
        let y = canvas.y(axis.place(guide));
        canvas.line(canvas.left, y, canvas.width - canvas.right, y, "guide");
    }
    let slot = 1.0 / groups.len().max(1) as f64;
    let slot_width = canvas.x(slot) - canvas.x(0.0);
    let width = (slot_width * 0.6).min(60.0);
    let mut medians = Vec::new();
    for (place, group) in groups.iter().enumerate() {
        let summary = &group.summary;
        let x = canvas.x((place as f64 + 0.5) * slot);
        let colour = colour(group.series);
        let y = |value: f64| canvas.y(axis.place(value));
        let (minimum, lower, median, upper, maximum) = (
            y(summary.minimum),
            y(summary.lower_quartile),
            y(summary.median),
            y(summary.upper_quartile),
            y(summary.maximum),
        );
        let title = format!(
            "{}: min {}, quartiles {} to {}, median {}, max {}",
            group.label,
            short(summary.minimum),
            short(summary.lower_quartile),
            short(summary.upper_quartile),
            short(summary.median),
            short(summary.maximum)
        );
        canvas.path(&[(x, minimum), (x, lower)], &colour, false);
        canvas.path(&[(x, upper), (x, maximum)], &colour, false);
        for end in [minimum, maximum] {
            canvas.path(&[(x - width / 4.0, end), (x + width / 4.0, end)], &colour, false);
        }
        canvas.rectangle(x - width / 2.0, upper, width, (lower - upper).max(1.0), &colour, &title);
        canvas.line(x - width / 2.0, median, x + width / 2.0, median, "median");
        canvas.text(x, bottom + 18.0, "middle", "tick", &fit_text(&group.label, slot_width));
        medians.push((x, place));
    }
    for (series, name) in names.iter().enumerate() {
        let of_series: Vec<(f64, usize)> =
            medians.iter().copied().filter(|(_, place)| groups[*place].series == series).collect();
        let (Some((first, _)), Some((last, _))) = (of_series.first(), of_series.last()) else { continue };
        let room = last - first + slot_width;
        canvas.text(f64::midpoint(*first, *last), bottom + 36.0, "middle", "tick", &fit_text(name, room));
        let line: Vec<(f64, f64)> = of_series
            .iter()
            .filter_map(|(x, place)| Some((*x, canvas.y(axis.place(trend.get(*place).copied().flatten()?)))))
            .collect();
        if line.len() > 1 {
            canvas.path(&line, &colour(series), true);
        }
    }
    canvas.text(canvas.x(0.5), canvas.height - 8.0, "middle", "label", x_label);
    let legend: Vec<(String, usize)> =
        names.iter().enumerate().map(|(series, name)| (name.clone(), series)).collect();
    figure(&canvas.finish(caption), &legend, caption)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The heights at which texts stand, by what they say.
    fn height(svg: &str, text: &str) -> f64 {
        let end = svg.find(&format!(">{text}</text>")).unwrap_or_else(|| panic!("no text {text}"));
        let start = svg[..end].rfind(" y=\"").unwrap() + 4;
        svg[start..].split('"').next().unwrap().parse().unwrap()
    }

    #[test]
    fn names_and_titles_stand_below_each_other_and_each_series_has_its_trend() {
        let summary = Summary::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        let group = |label: &str, series| BoxGroup { label: label.into(), series, summary };
        let groups = [group("1", 0), group("2", 0), group("1", 1), group("2", 1)];
        let names = ["first".to_owned(), "second".to_owned()];
        let trend = [Some(1.0), Some(1.5), None, Some(2.0)];
        let svg = box_plot(BoxPlot {
            groups: &groups,
            names: &names,
            guide: Some(1.0),
            trend: &trend,
            x_label: "threads",
            y_label: "speedup",
            caption: "A caption.",
        });
        let [label, name, title] = ["1", "first", "threads"].map(|text| height(&svg, text));
        assert!(name - label >= 14.0 && title - name >= 14.0, "{label} {name} {title}");
        assert_eq!(height(&svg, "second"), name);
        // A dashed line for the first series only: the second has one point.
        assert_eq!(svg.matches("stroke-dasharray").count(), 1, "{svg}");
    }
}

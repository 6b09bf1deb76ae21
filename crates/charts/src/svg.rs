//! Drawing: axes, scales and text as inline SVG. Colours are CSS variables, so a plot follows the page's scheme.

use std::fmt::Write as _;

/// Escapes text for HTML and SVG, content and attributes alike.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// A number with as many digits as it deserves, without trailing zeros.
pub fn short(value: f64) -> String {
    let magnitude = value.abs();
    if !value.is_finite() {
        return if value.is_nan() {
            "-".to_owned()
        } else if value > 0.0 {
            "∞".to_owned()
        } else {
            "-∞".to_owned()
        };
    }
    let digits = match magnitude {
        m if m >= 1_000_000_000.0 => return format!("{}G", short(value / 1e9)),
        m if m >= 1_000_000.0 => return format!("{}M", short(value / 1e6)),
        m if m >= 10_000.0 => return format!("{}k", short(value / 1e3)),
        m if m >= 100.0 => 0,
        m if m >= 10.0 => 1,
        m if m >= 1.0 => 2,
        m if m >= 0.01 || m == 0.0 => 3,
        _ => 5,
    };
    let text = format!("{value:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// One direction of a plot.
#[derive(Clone, Debug)]
pub struct Axis {
    pub low: f64,
    pub high: f64,
    pub logarithmic: bool,
    pub label: String,
    pub ticks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis that holds all values with a little air, ending on round numbers.
    pub fn fit(values: impl IntoIterator<Item = f64>, label: &str) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(|value| value.is_finite()) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-9 * high.abs().max(1e-3) {
            let air = if high == 0.0 { 1.0 } else { high.abs() * 0.1 };
            (low, high) = (low - air, high + air);
        }
        let step = nice_step((high - low) / 5.0);
        let first = (low / step).floor();
        let last = (high / step).ceil();
        let count = (last - first).round() as i32;
        let ticks = (0..=count)
            .map(|tick| (first + f64::from(tick)) * step)
            .map(|value| (value, short(if value.abs() < step * 1e-6 { 0.0 } else { value })))
            .collect();
        Self { low: first * step, high: last * step, logarithmic: false, label: label.to_owned(), ticks }
    }

    /// A logarithmic axis with a tick at every value given, for doubling thread counts and the like.
    pub fn doubling(values: &[f64], label: &str) -> Self {
        let mut values: Vec<f64> = values.iter().copied().filter(|value| *value > 0.0).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let low = values.first().copied().unwrap_or(1.0);
        let high = values.last().copied().unwrap_or(2.0);
        let (low, high) = if high > low { (low / 1.1, high * 1.1) } else { (low / 2.0, high * 2.0) };
        let ticks = values.iter().map(|value| (*value, short(*value))).collect();
        Self { low, high, logarithmic: true, label: label.to_owned(), ticks }
    }

    /// Where a value lies, 0 to 1.
    pub fn place(&self, value: f64) -> f64 {
        let (value, low, high) = if self.logarithmic {
            (value.max(f64::MIN_POSITIVE).ln(), self.low.ln(), self.high.ln())
        } else {
            (value, self.low, self.high)
        };
        ((value - low) / (high - low)).clamp(-0.02, 1.02)
    }
}

/// 1, 2 or 5 times a power of ten, at least `rough`.
fn nice_step(rough: f64) -> f64 {
    let power = 10_f64.powf(rough.log10().floor());
    let factor =
        [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough * 0.999).unwrap_or(10.0);
    factor * power
}

/// A drawing in the making.
#[derive(Clone, Debug)]
pub struct Canvas {
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    body: String,
}

impl Canvas {
    /// Room for the plot and for labels around it.
    pub fn new(height: f64, left: f64) -> Self {
        Self { width: 760.0, height, left, right: 16.0, top: 14.0, bottom: 46.0, body: String::new() }
    }

    /// Horizontal position of a share of the plot's width.
    pub fn x(&self, share: f64) -> f64 {
        self.left + share * (self.width - self.left - self.right)
    }

    /// Vertical position of a share of the plot's height, from below.
    pub fn y(&self, share: f64) -> f64 {
        self.height - self.bottom - share * (self.height - self.top - self.bottom)
    }

    /// Adds raw SVG.
    pub fn push(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// A straight line with a class.
    pub fn line(&mut self, x1: f64, y1: f64, x2: f64, y2: f64, class: &str) {
        let line =
            format!("<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>");
        self.push(&line);
    }

    /// A filled rectangle in a colour.
    pub fn rectangle(&mut self, x: f64, y: f64, width: f64, height: f64, colour: &str, title: &str) {
        let rectangle = format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"><title>{}</title></rect>",
            width.max(0.0),
            height.max(0.0),
            escape(title)
        );
        self.push(&rectangle);
    }

    /// A dot.
    pub fn dot(&mut self, x: f64, y: f64, radius: f64, colour: &str, title: &str) {
        let dot = format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{colour}\"><title>{}</title></circle>",
            escape(title)
        );
        self.push(&dot);
    }

    /// A line through points; dashed for fits and guides.
    pub fn path(&mut self, points: &[(f64, f64)], colour: &str, dashed: bool) {
        let mut data = String::new();
        for (place, (x, y)) in points.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(data, "{}{x:.1} {y:.1}", if place == 0 { "M" } else { "L" });
        }
        let dash = if dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        self.push(&format!(
            "<path d=\"{data}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dash}/>"
        ));
    }

    /// Text; `anchor` is start, middle or end.
    pub fn text(&mut self, x: f64, y: f64, anchor: &str, class: &str, text: &str) {
        let text = escape(text);
        self.push(&format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>"
        ));
    }

    /// Grid, ticks and label of the vertical axis.
    pub fn draw_vertical(&mut self, axis: &Axis) {
        for (value, text) in &axis.ticks {
            let y = self.y(axis.place(*value));
            self.line(self.left, y, self.width - self.right, y, "grid");
            self.text(self.left - 7.0, y + 4.0, "end", "tick", text);
        }
        let middle = self.y(0.5);
        let label = format!(
            "<text transform=\"translate(14 {middle:.1}) rotate(-90)\" text-anchor=\"middle\" class=\"label\">{}</text>",
            escape(&axis.label)
        );
        self.push(&label);
    }

    /// A horizontal axis from 0 to 100 %, with its grid above.
    pub fn draw_percent(&mut self, label: &str) {
        let axis = Axis {
            low: 0.0,
            high: 100.0,
            logarithmic: false,
            label: label.to_owned(),
            ticks: [0.0, 25.0, 50.0, 75.0, 100.0].map(|value| (value, format!("{value:.0} %"))).into(),
        };
        self.draw_grid(&axis);
        self.draw_horizontal(&axis);
    }

    /// Upright lines at the ticks of a horizontal axis.
    pub fn draw_grid(&mut self, axis: &Axis) {
        for (value, _) in &axis.ticks {
            let x = self.x(axis.place(*value));
            self.line(x, self.top, x, self.y(0.0), "grid");
        }
    }

    /// Ticks and label of the horizontal axis. Ticks that would run into each other are thinned out.
    pub fn draw_horizontal(&mut self, axis: &Axis) {
        let bottom = self.y(0.0);
        self.line(self.left, bottom, self.width - self.right, bottom, "frame");
        let mut free_from = f64::NEG_INFINITY;
        for (value, text) in &axis.ticks {
            let x = self.x(axis.place(*value));
            self.line(x, bottom, x, bottom + 4.0, "frame");
            let half = text_width(text) / 2.0;
            if x - half > free_from {
                self.text(x, bottom + 18.0, "middle", "tick", text);
                free_from = x + half + 4.0;
            }
        }
        self.text(self.x(0.5), self.height - 8.0, "middle", "label", &axis.label);
    }

    /// The finished element; `title` is what a screen reader says.
    pub fn finish(self, title: &str) -> String {
        format!(
            "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
            self.width,
            self.height,
            escape(title),
            self.body
        )
    }
}

/// A generous guess of a text's width at the size used for ticks.
pub fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 7.4
}

/// Shortens a label that would not fit into `width`.
pub fn fit_text(text: &str, width: f64) -> String {
    let room = (width / 7.4) as usize;
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let kept: String = text.chars().take(room.saturating_sub(1)).collect();
    format!("{kept}…")
}

/// Colours of series that a page has; more series than that share some.
pub const COLOURS: usize = 12;

/// The colour of a series.
pub fn colour(series: usize) -> String {
    format!("var(--c{})", series % COLOURS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (0.25, "0.25"),
            (12.34, "12.3"),
            (1234.0, "1234"),
            (20_000.0, "20k"),
            (1_500_000.0, "1.5M"),
            (f64::INFINITY, "∞"),
            (0.00012, "0.00012"),
        ] {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn axes_end_on_round_numbers_and_hold_all_values() {
        let axis = Axis::fit([3.0, 97.0], "x");
        assert_eq!((axis.low, axis.high, axis.ticks.len()), (0.0, 100.0, 6));
        assert_eq!(axis.place(50.0), 0.5);
        let flat = Axis::fit([5.0, 5.0], "x");
        assert!(flat.low < 5.0 && flat.high > 5.0);
        let nothing = Axis::fit([], "x");
        assert!(nothing.low < nothing.high);
        let odd = Axis::fit([f64::NAN, f64::INFINITY, 1.0, 2.0], "x");
        assert!(odd.low <= 1.0 && odd.high >= 2.0 && odd.high < 10.0);
    }

    #[test]
    fn doubling_axes_place_powers_evenly() {
        let axis = Axis::doubling(&[1.0, 2.0, 4.0], "threads");
        let gap = axis.place(2.0) - axis.place(1.0);
        assert!((axis.place(4.0) - axis.place(2.0) - gap).abs() < 1e-9);
    }

    #[test]
    fn text_is_escaped() {
        assert_eq!(escape("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
        assert_eq!(fit_text("a very long engine name", 60.0), "a very …");
        assert_eq!(fit_text("short", 60.0), "short");
    }
}

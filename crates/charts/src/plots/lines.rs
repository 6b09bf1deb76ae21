//! Curves and clouds of points over a numeric axis: Elo over threads, likelihood ratio over pairs, index against time.

use super::figure::figure;
use crate::svg::{Axis, Canvas, colour, short};

/// More points than this are thinned out: nobody sees them and the file grows.
const MOST_POINTS: usize = 500;

/// One point, perhaps with an interval.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub interval: Option<(f64, f64)>,
}

impl From<(f64, f64)> for Point {
    fn from((x, y): (f64, f64)) -> Self {
        Self { x, y, interval: None }
    }
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    pub points: Vec<Point>,
    /// Joined by a line; otherwise a cloud.
    pub joined: bool,
    /// A fit or a model rather than a measurement.
    pub dashed: bool,
    /// Which colour; series and their fits share one.
    pub colour: usize,
}

/// A horizontal line with a name.
#[derive(Clone, Debug)]
pub struct Guide {
    pub at: f64,
    pub name: String,
}

/// A chart of series.
#[derive(Clone, Debug)]
pub struct LineChart<'a> {
    pub series: &'a [Series],
    pub guides: &'a [Guide],
    pub x_label: &'a str,
    pub y_label: &'a str,
    /// The horizontal axis doubles, with a tick at every x.
    pub doubling: bool,
    pub caption: &'a str,
}

/// Pixels that the name of a guide needs above its line.
const NAME_HEIGHT: f64 = 18.0;
/// Pixels between the intervals of two series at the same place.
const BESIDE: f64 = 5.0;

impl LineChart<'_> {
    /// Draws it.
    pub fn draw(&self) -> String {
        let every = || self.series.iter().flat_map(|series| series.points.iter());
        let xs: Vec<f64> = every().map(|point| point.x).collect();
        let mut ys: Vec<f64> = every().map(|point| point.y).collect();
        ys.extend(every().filter_map(|point| point.interval).flat_map(|(low, high)| [low, high]));
        ys.extend(self.guides.iter().map(|guide| guide.at));
        let horizontal =
            if self.doubling { Axis::doubling(&xs, self.x_label) } else { Axis::fit(xs, self.x_label) };
        let vertical = Axis::fit(ys, self.y_label);
        let mut canvas = Canvas::new(320.0, 70.0);
        canvas.draw_vertical(&vertical);
        canvas.draw_horizontal(&horizontal);
        for guide in self.guides {
            let y = canvas.y(vertical.place(guide.at));
            canvas.line(canvas.left, y, canvas.width - canvas.right, y, "guide");
            // Above the line, or below it where the chart has no room above.
            let text = if y < NAME_HEIGHT { y + NAME_HEIGHT } else { y - 4.0 };
            canvas.text(canvas.width - canvas.right - 2.0, text, "end", "tick", &guide.name);
        }
        // Series with intervals stand beside each other, so that no interval hides another.
        let with_intervals = |series: &Series| series.points.iter().any(|point| point.interval.is_some());
        let beside = self.series.iter().filter(|series| with_intervals(series)).count();
        let mut drawn = 0;
        for series in self.series {
            let colour = colour(series.colour);
            let mut aside = 0.0;
            if with_intervals(series) {
                aside = BESIDE * (f64::from(drawn) - (beside as f64 - 1.0) / 2.0);
                drawn += 1;
            }
            let place = |point: &Point| {
                (canvas.x(horizontal.place(point.x)) + aside, canvas.y(vertical.place(point.y)))
            };
            let points = thinned(&series.points);
            let placed: Vec<(f64, f64)> = points.iter().map(place).collect();
            let spans: Vec<Option<(f64, f64)>> = points
                .iter()
                .map(|point| {
                    let (low, high) = point.interval?;
                    Some((canvas.y(vertical.place(low)), canvas.y(vertical.place(high))))
                })
                .collect();
            if series.joined {
                canvas.path(&placed, &colour, series.dashed);
            }
            for ((point, (x, y)), span) in points.iter().zip(&placed).zip(spans) {
                if let Some((low, high)) = span {
                    canvas.path(&[(*x, low), (*x, high)], &colour, false);
                }
                if !series.joined || points.len() <= 40 && !series.dashed {
                    let title = format!("{}: {}, {}", series.name, short(point.x), short(point.y));
                    canvas.dot(*x, *y, if series.joined { 3.5 } else { 2.6 }, &colour, &title);
                }
            }
        }
        let legend: Vec<(String, usize)> =
            self.series.iter().map(|series| (series.name.clone(), series.colour)).collect();
        figure(&canvas.finish(self.caption), &legend, self.caption)
    }
}

fn thinned(points: &[Point]) -> Vec<Point> {
    let points: Vec<Point> =
        points.iter().filter(|point| point.x.is_finite() && point.y.is_finite()).copied().collect();
    if points.len() <= MOST_POINTS {
        return points;
    }
    let step = points.len() as f64 / MOST_POINTS as f64;
    let mut kept: Vec<Point> = (0..MOST_POINTS).map(|place| points[(place as f64 * step) as usize]).collect();
    // The last point is where things stand now.
    kept.extend(points.last());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where the text stands.
    fn height(svg: &str, text: &str) -> f64 {
        let before = svg.split_once(&format!(">{text}</text>")).unwrap().0;
        let y = before.rsplit_once(" y=\"").unwrap().1;
        y.split_once('"').unwrap().0.parse().unwrap()
    }

    #[test]
    fn the_name_of_a_guide_stays_inside_of_the_chart() {
        let points = vec![(1.0, 0.0).into(), (2.0, 1.0).into()];
        let series = [Series { name: "a".to_owned(), points, joined: true, dashed: false, colour: 0 }];
        let guides = [("top", 1.0), ("middle", 0.5)].map(|(name, at)| Guide { at, name: name.to_owned() });
        let (x_label, y_label, caption) = ("x", "y", "Names.");
        let svg =
            LineChart { series: &series, guides: &guides, x_label, y_label, doubling: false, caption }.draw();
        // Letters reach 13 pixels above their line.
        assert!(height(&svg, "top") > 13.0, "{svg}");
        assert!(height(&svg, "middle") < 320.0 / 2.0, "above its line: {svg}");
    }
}

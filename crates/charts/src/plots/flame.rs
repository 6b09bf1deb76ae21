//! Flame graphs: who called whom, as wide as the time spent. The outermost function lies at the bottom.

use std::collections::BTreeMap;

use super::figure::figure;
use crate::svg::{Canvas, colour, escape, text_width};

const ROW: f64 = 19.0;
/// Cells narrower than this, in points, nobody can see or hit.
const NARROWEST: f64 = 0.8;

/// A function and what it called.
#[derive(Default)]
struct Cell<'a> {
    total: f64,
    inner: BTreeMap<&'a str, Cell<'a>>,
}

impl<'a> Cell<'a> {
    fn add(&mut self, names: &mut std::str::Split<'a, char>, count: f64) {
        self.total += count;
        if let Some(name) = names.next() {
            self.inner.entry(name).or_default().add(names, count);
        }
    }

    fn height(&self) -> usize {
        self.inner.values().map(|cell| 1 + cell.height()).max().unwrap_or(0)
    }
}

/// Draws paths (functions from the outermost inwards, joined by `;`) with the number of times each was seen.
pub fn flame_graph(paths: &BTreeMap<String, f64>, caption: &str) -> String {
    let mut root = Cell::default();
    for (path, count) in paths {
        root.add(&mut path.split(';'), *count);
    }
    // Room on both sides for half the text of the first and the last tick.
    let mut canvas = Canvas::new(root.height().max(1) as f64 * ROW + 54.0, 24.0);
    canvas.right = 24.0;
    canvas.draw_percent("share of samples; callers below, what they call above");
    let (left, width, bottom) = (canvas.left, canvas.width - canvas.left - canvas.right, canvas.y(0.0) - 1.0);
    draw(&mut canvas, &root, left, width / root.total.max(1.0), bottom, root.total);
    figure(&canvas.finish(caption), &[], caption)
}

/// The cells above one, side by side, the widest first.
fn draw(canvas: &mut Canvas, cell: &Cell<'_>, left: f64, scale: f64, bottom: f64, all: f64) {
    let mut inner: Vec<(&&str, &Cell<'_>)> = cell.inner.iter().collect();
    inner.sort_by(|one, other| other.1.total.total_cmp(&one.1.total));
    let mut x = left;
    for (name, cell) in inner {
        let width = cell.total * scale;
        if width < NARROWEST {
            break;
        }
        let title = format!("{name}: {:.1} % ({} samples)", 100.0 * cell.total / all.max(1.0), cell.total);
        let y = bottom - ROW;
        // Softened towards the paper, so that ink is readable on it in both schemes.
        canvas.push(&format!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\" \
             style=\"fill:color-mix(in srgb, {} 45%, var(--paper))\"><title>{}</title></rect>",
            (width - 0.6).max(0.4),
            ROW - 1.0,
            colour(hue(name)),
            escape(&title)
        ));
        if let Some(label) = label(name, width - 8.0) {
            canvas.text(x + 4.0, y + 13.5, "start", "flame", &label);
        }
        draw(canvas, cell, x, scale, y, all);
        x += width;
    }
}

/// As much of a name as there is room for: its end says most.
fn label(name: &str, room: f64) -> Option<String> {
    let words: Vec<&str> = name.split("::").collect();
    (0..words.len()).map(|skipped| words[skipped..].join("::")).find(|text| text_width(text) * 0.92 <= room)
}

/// Functions of one module share a colour.
fn hue(name: &str) -> usize {
    let end = name.rfind("::").unwrap_or(name.len());
    let module = name[..end].split("::").take(2);
    module.flat_map(str::bytes).fold(5, |sum, byte| sum * 31 % 1021 + usize::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_as_wide_as_their_share_and_stand_on_their_callers() {
        let paths = BTreeMap::from([
            ("search::node".to_owned(), 25.0),
            ("search::node;eval::evaluate".to_owned(), 75.0),
        ]);
        let svg = flame_graph(&paths, "where time goes");
        assert!(svg.contains("search::node: 100.0 % (100 samples)"), "{svg}");
        assert!(svg.contains("eval::evaluate: 75.0 % (75 samples)"), "{svg}");
        assert!(svg.contains(">eval::evaluate</text>"));
        // 712 points of width, three quarters of them.
        assert!(svg.contains("width=\"533.4\""), "{svg}");
        assert!(svg.contains(">share of samples; callers below, what they call above</text>"));
    }

    #[test]
    fn labels_keep_their_end() {
        assert_eq!(label("search::picker::MovePicker::next", 110.0).as_deref(), Some("MovePicker::next"));
        assert_eq!(label("search::picker::MovePicker::next", 20.0), None);
    }

    #[test]
    fn no_paths_are_no_trouble() {
        assert!(flame_graph(&BTreeMap::new(), "nothing").contains("<svg"));
    }
}

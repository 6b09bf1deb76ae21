//! Tables of numbers as colours: who scores against whom.

use super::figure::figure;
use crate::svg::{Canvas, escape, fit_text};

/// A grid of shares from 0 to 1; a cell without a value is left open. `texts` are written into the cells; the columns stand
/// under `x_label`, the rows beside `y_label`.
pub fn heat_map(
    rows: &[String],
    columns: &[String],
    cells: &[Vec<Option<(f64, String)>>],
    [x_label, y_label]: [&str; 2],
    caption: &str,
) -> String {
    let left = 186.0;
    let row_height = 30.0;
    let mut canvas = Canvas::new(rows.len() as f64 * row_height + 64.0, left);
    let slot = (canvas.width - left - canvas.right) / columns.len().max(1) as f64;
    canvas.text(f64::midpoint(left, canvas.width - canvas.right), 16.0, "middle", "label", x_label);
    let middle = 52.0 + rows.len() as f64 * row_height / 2.0;
    canvas.push(&format!(
        "<text transform=\"translate(14 {middle:.1}) rotate(-90)\" text-anchor=\"middle\" class=\"label\">{}</text>",
        escape(y_label)
    ));
    for (place, column) in columns.iter().enumerate() {
        let x = left + (place as f64 + 0.5) * slot;
        canvas.text(x, 40.0, "middle", "tick", &fit_text(column, slot - 4.0));
    }
    for (row, name) in rows.iter().enumerate() {
        let y = 50.0 + row as f64 * row_height;
        canvas.text(left - 8.0, y + 19.0, "end", "tick", &fit_text(name, left - 36.0));
        for (column, cell) in cells.get(row).into_iter().flatten().enumerate() {
            let Some((share, text)) = cell else { continue };
            let x = left + column as f64 * slot;
            // Mixed by the browser from the scheme's own colours, so that text stays readable in both.
            let percent = (share.clamp(0.0, 1.0) * 100.0).round();
            let title = format!("{name} against {}: {text}", columns.get(column).map_or("", String::as_str));
            canvas.push(&format!(
                "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\" \
                 style=\"fill:color-mix(in srgb, var(--hot) {percent}%, var(--cold))\"><title>{}</title></rect>",
                x + 1.0,
                slot - 2.0,
                row_height - 2.0,
                escape(&title)
            ));
            canvas.text(x + slot / 2.0, y + 19.0, "middle", "cell", &fit_text(text, slot - 4.0));
        }
    }
    figure(&canvas.finish(caption), &[], caption)
}

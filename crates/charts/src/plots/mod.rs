//! The plots of the reports. Each takes numbers and gives one `<figure>`; legends are HTML, so they wrap on small screens.

mod bars;
mod boxes;
mod flame;
mod heat;
mod lines;

pub use bars::{Bar, Stack, histogram, intervals, stacked};
pub use boxes::{BoxGroup, box_plot};
pub use flame::flame_graph;
pub use heat::heat_map;
pub use lines::{Guide, LineChart, Point, Series};

use std::fmt::Write as _;

use super::svg::{colour, escape};

/// A figure with a legend above and a caption below.
fn figure(svg: &str, legend: &[(String, usize)], caption: &str) -> String {
    let mut keys = String::new();
    if legend.len() > 1 {
        keys.push_str("<div class=\"legend\">");
        for (name, series) in legend {
            let colour = colour(*series);
            let name = escape(name);
            // Writing to a string cannot fail.
            let _ = write!(keys, "<span><i style=\"background:{colour}\"></i>{name}</span>");
        }
        keys.push_str("</div>");
    }
    format!(
        "<figure>{keys}<div class=\"plot\">{svg}</div><figcaption>{}</figcaption></figure>\n",
        escape(caption)
    )
}

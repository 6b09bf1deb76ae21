//! The frame of a plot: legend, drawing, caption.

use std::fmt::Write as _;

use crate::svg::{colour, escape};

/// A figure with a legend above and a caption below.
pub(super) fn figure(svg: &str, legend: &[(String, usize)], caption: &str) -> String {
    let mut keys = String::new();
    if legend.len() > 1 {
        keys.push_str("<div class=\"legend\">");
        let mut named: Vec<&(String, usize)> = Vec::new();
        for key in legend {
            // The two ends of an interval are one key.
            if named.contains(&key) {
                continue;
            }
            named.push(key);
            let (name, series) = key;
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

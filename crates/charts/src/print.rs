//! The parts of a finished report for a paper: each figure as an SVG file that stands alone, each table as CSV and LaTeX.
//!
//! They are taken from the page itself, so what is printed is what the report shows, and reports of earlier versions work too.

use std::fmt::Write as _;

/// The light colours of a page, by the names of its CSS variables: other programs do not know these.
const COLOURS: [(&str, &str); 23] = [
    ("--paper", "#ffffff"),
    ("--ink", "#1d2226"),
    ("--soft", "#5c666e"),
    ("--rule", "#d9d6cd"),
    ("--card", "#ffffff"),
    ("--accent", "#1f5f8b"),
    ("--good", "#2c7a4b"),
    ("--bad", "#b03a2e"),
    ("--even", "#8a8f98"),
    ("--hot", "#7fc7a0"),
    ("--cold", "#f0b9a6"),
    ("--c0", "#1f6fa8"),
    ("--c1", "#d1662b"),
    ("--c2", "#3b8f5a"),
    ("--c3", "#8a5bb0"),
    ("--c4", "#b8860b"),
    ("--c5", "#a33b52"),
    ("--c6", "#2b8f95"),
    ("--c7", "#6b7280"),
    ("--c8", "#d63a8c"),
    ("--c9", "#4f6d1f"),
    ("--c10", "#3d3fa8"),
    ("--c11", "#7a4a24"),
];

const STYLE: &str = "text{font-family:Helvetica,Arial,sans-serif;fill:#1d2226}.tick,.cell,.inbar{font-size:12.5px}\
.label{font-size:13px;fill:#5c666e}.inbar{fill:#fff;font-weight:600}.flame{font-size:11.5px}.grid{stroke:#d9d6cd}\
.frame{stroke:#5c666e}.guide{stroke:#5c666e;stroke-dasharray:3 4}.median{stroke:#1d2226;stroke-width:2.2}";

/// A file made of a part of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintFile {
    /// Such as `figure-1.svg`.
    pub name: String,
    pub content: String,
}

/// All figures and tables of a page, in their order.
pub fn files(html: &str) -> Vec<PrintFile> {
    let mut files = Vec::new();
    for (number, figure) in elements(html, "figure").into_iter().enumerate() {
        if let Some(content) = stand_alone(figure) {
            files.push(PrintFile { name: format!("figure-{}.svg", number + 1), content });
        }
    }
    for (number, table) in elements(html, "table").into_iter().enumerate() {
        let rows = cells(table);
        files.push(PrintFile { name: format!("table-{}.csv", number + 1), content: csv(&rows) });
        files.push(PrintFile { name: format!("table-{}.tex", number + 1), content: latex(&rows) });
    }
    files
}

/// What stands between the tags of each such element; none of those asked for is nested in itself.
fn elements<'a>(html: &'a str, name: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find(&open) {
        rest = &rest[start + open.len()..];
        // `<th` is not `<thead`.
        if !rest.starts_with(['>', ' ']) {
            continue;
        }
        let Some(end) = rest.find(&close) else { break };
        if let Some(inner) = rest[..end].find('>') {
            found.push(&rest[inner + 1..end]);
        }
        rest = &rest[end..];
    }
    found
}

/// A figure's drawing with its legend above, its colours and its caption inside.
fn stand_alone(figure: &str) -> Option<String> {
    let start = figure.find("<svg")?;
    let end = figure.find("</svg>")?;
    let body = &figure[start..end];
    let inner = &body[body.find('>')? + 1..];
    let size = attribute(body, "viewBox")?;
    let mut numbers = size.split(' ').skip(2).filter_map(|number| number.parse::<f64>().ok());
    let (width, height) = (numbers.next()?, numbers.next()?);
    let legend = legend(figure);
    let (keys, lines) = draw_legend(&legend, width);
    let top = f64::from(lines) * 20.0;
    let caption = elements(figure, "figcaption").first().copied().unwrap_or_default();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {}\" width=\"{width}\" height=\"{}\">\n\
         <title>{caption}</title>\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{keys}\
         <g transform=\"translate(0 {top})\">{inner}</g>\n</svg>\n",
        height + top,
        height + top,
    );
    for (name, colour) in COLOURS {
        svg = svg.replace(&format!("var({name})"), colour);
    }
    Some(mixed(&svg))
}

/// Mixtures of colours worked out: programs that draw for print do not know `color-mix`.
fn mixed(svg: &str) -> String {
    const OPEN: &str = "color-mix(in srgb, ";
    let mut text = String::with_capacity(svg.len());
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once(OPEN) {
        text.push_str(before);
        let Some((inside, behind)) = after.split_once(')') else {
            text.push_str(OPEN);
            rest = after;
            continue;
        };
        match mix(inside) {
            Some(colour) => text.push_str(&colour),
            None => {
                // Writing to a string cannot fail.
                let _ = write!(text, "{OPEN}{inside})");
            }
        }
        rest = behind;
    }
    text + rest
}

/// `#rrggbb P%, #rrggbb` as one colour.
fn mix(text: &str) -> Option<String> {
    let (first, second) = text.split_once(", ")?;
    let (first, percent) = first.rsplit_once(' ')?;
    let share = percent.strip_suffix('%')?.parse::<f64>().ok()? / 100.0;
    let parts = |colour: &str| -> Option<[u8; 3]> {
        let number =
            u32::from_str_radix(colour.trim().strip_prefix('#').filter(|hex| hex.len() == 6)?, 16).ok()?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some([red, green, blue])
    };
    let (one, other) = (parts(first)?, parts(second)?);
    let part = |at: usize| (f64::from(one[at]) * share + f64::from(other[at]) * (1.0 - share)).round() as u8;
    Some(format!("#{:02x}{:02x}{:02x}", part(0), part(1), part(2)))
}

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = element.split_once(&format!("{name}=\""))?;
    value.split_once('"').map(|(value, _)| value)
}

/// The series of a figure: colour, and name as it stands in the page (escaped).
fn legend(figure: &str) -> Vec<(&str, &str)> {
    let of_key = |key: &'_ str| -> Option<(usize, usize, usize)> {
        let colour = key.find("background:")? + "background:".len();
        Some((colour, key[colour..].find('"')? + colour, key.find("</i>")? + "</i>".len()))
    };
    let key = |key| of_key(key).map(|(from, to, name)| (&key[from..to], &key[name..]));
    elements(figure, "span").into_iter().filter_map(key).collect()
}

/// The legend as SVG, and how many lines it takes.
fn draw_legend(legend: &[(&str, &str)], width: f64) -> (String, u32) {
    let (mut svg, mut x, mut line) = (String::new(), 12.0, 0_u32);
    for (colour, name) in legend {
        let room = unescape(name).chars().count() as f64 * 7.4 + 36.0;
        if x > 12.0 && x + room > width {
            (x, line) = (12.0, line + 1);
        }
        let y = f64::from(line) * 20.0;
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" rx=\"3\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{}\" class=\"tick\">{name}</text>",
            y + 4.0,
            x + 18.0,
            y + 14.0
        );
        x += room;
    }
    (svg, if legend.is_empty() { 0 } else { line + 1 })
}

/// Header and rows of a table, as text.
fn cells(table: &str) -> Vec<Vec<String>> {
    let row = |row: &str| {
        let tag = if row.contains("<th") { "th" } else { "td" };
        elements(row, tag).into_iter().map(unescape).collect()
    };
    elements(table, "tr").into_iter().map(row).collect()
}

fn unescape(text: &str) -> String {
    let mut text = text.to_owned();
    for (escaped, plain) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
        text = text.replace(escaped, plain);
    }
    text
}

/// RFC 4180.
fn csv(rows: &[Vec<String>]) -> String {
    let cell = |cell: &String| {
        if cell.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell.clone()
        }
    };
    rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n").collect()
}

/// A `tabular` without packages: the first column left, the others right, as in the page.
fn latex(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let mut text = format!("\\begin{{tabular}}{{l{}}}\n\\hline\n", "r".repeat(columns.saturating_sub(1)));
    for (number, row) in rows.iter().enumerate() {
        text.push_str(&row.iter().map(|cell| latex_text(cell)).collect::<Vec<_>>().join(" & "));
        text.push_str(if number == 0 { " \\\\\n\\hline\n" } else { " \\\\\n" });
    }
    text.push_str("\\hline\n\\end{tabular}\n");
    text
}

fn latex_text(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', letter]),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '<' => escaped.push_str("$<$"),
            '>' => escaped.push_str("$>$"),
            '±' => escaped.push_str("$\\pm$"),
            '×' => escaped.push_str("$\\times$"),
            '²' => escaped.push_str("$^2$"),
            '∞' => escaped.push_str("$\\infty$"),
            '-' if escaped.is_empty() && text[1..].starts_with(|next: char| next.is_ascii_digit()) => {
                escaped.push_str("$-$");
            }
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::Page;
    use crate::plots::{LineChart, Series};

    fn page() -> String {
        let series = |name: &str, colour| Series {
            name: name.to_owned(),
            points: vec![(1.0, 1.0).into(), (2.0, 1.8).into()],
            joined: true,
            dashed: false,
            colour,
        };
        let chart = LineChart {
            series: &[series("a<b", 0), series("lazy", 1)],
            guides: &[],
            x_label: "threads",
            y_label: "speedup",
            doubling: true,
            caption: "Speedup & threads.",
        };
        let mut page = Page::new("t", "s");
        page.figure(&chart.draw());
        page.table(
            &["engine", "Elo, 95 %"],
            &[vec!["a<b_1".to_owned(), "-3 ± 2".to_owned()], vec!["say \"x\"".to_owned(), "1,5".to_owned()]],
        );
        page.finish()
    }

    #[test]
    fn a_figure_stands_alone() {
        let files = files(&page());
        assert_eq!(
            files.iter().map(|file| &*file.name).collect::<Vec<_>>(),
            ["figure-1.svg", "table-1.csv", "table-1.tex"]
        );
        let svg = &files[0].content;
        assert!(
            svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 340\""),
            "{svg}"
        );
        assert!(!svg.contains("var("), "{svg}");
        for part in [
            "<title>Speedup &amp; threads.</title>",
            ">a&lt;b</text>",
            ">lazy</text>",
            ">threads</text>",
            ">speedup</text>",
        ] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
    }

    #[test]
    fn tables_keep_every_cell() {
        let files = files(&page());
        assert_eq!(files[1].content, "engine,\"Elo, 95 %\"\na<b_1,-3 ± 2\n\"say \"\"x\"\"\",\"1,5\"\n");
        assert_eq!(
            files[2].content,
            "\\begin{tabular}{lr}\n\\hline\nengine & Elo, 95 \\% \\\\\n\\hline\na$<$b\\_1 & $-$3 $\\pm$ 2 \\\\\n\
             say \"x\" & 1,5 \\\\\n\\hline\n\\end{tabular}\n"
        );
    }

    #[test]
    fn mixtures_are_worked_out() {
        let names = ["a".to_owned(), "b".to_owned()];
        let cells = vec![vec![None, Some((0.25, "25 %".to_owned()))]];
        let map = crate::plots::heat_map(&names[..1], &names, &cells, ["against", "engine"], "Scores.");
        let svg = stand_alone(map.split_once("<figure>").unwrap().1).unwrap();
        // A quarter of #7fc7a0 and three quarters of #f0b9a6.
        assert!(svg.contains("fill:#d4bda5\"") && !svg.contains("color-mix"), "{svg}");
        assert!(svg.contains(">against</text>") && svg.contains(">engine</text>"), "{svg}");
        assert_eq!(
            mixed("color-mix(in srgb, red 5%, blue) color-mix(in srgb, "),
            "color-mix(in srgb, red 5%, blue) color-mix(in srgb, "
        );
    }

    #[test]
    fn a_page_that_is_no_report_has_no_parts() {
        for html in ["", "<figure", "<figure>no drawing</figure>", "<table", "<svg></figure>"] {
            assert_eq!(files(html), [], "{html}");
        }
    }
}

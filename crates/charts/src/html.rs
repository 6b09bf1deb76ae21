//! The page around the pictures.

use std::fmt::Write as _;

use super::svg::escape;

const STYLE: &str = "
:root { color-scheme: light dark; --paper:#fbfaf7; --ink:#1d2226; --soft:#5c666e; --rule:#d9d6cd; --card:#ffffff;
  --accent:#1f5f8b; --good:#2c7a4b; --bad:#b03a2e; --even:#8a8f98; --hot:#7fc7a0; --cold:#f0b9a6;
  --c0:#1f6fa8; --c1:#d1662b; --c2:#3b8f5a; --c3:#8a5bb0; --c4:#b8860b; --c5:#a33b52; --c6:#2b8f95; --c7:#6b7280;
  --c8:#d63a8c; --c9:#4f6d1f; --c10:#3d3fa8; --c11:#7a4a24; }
@media screen and (prefers-color-scheme: dark) { :root { --paper:#14181b; --ink:#e6e4de; --soft:#9aa4ac; --rule:#333a40; --card:#1b2024;
  --accent:#7db8e0; --good:#6cc48e; --bad:#ef8a7d; --even:#7d868f; --hot:#2f6b4a; --cold:#6e3b2f;
  --c0:#64aee0; --c1:#f0955c; --c2:#74c793; --c3:#bd93de; --c4:#dfb54a; --c5:#e07f94; --c6:#63c6cc; --c7:#a3abb5;
  --c8:#ff8fc4; --c9:#b5cf6b; --c10:#9a9cf2; --c11:#d3a27a; } }
* { box-sizing: border-box; }
body { margin:0; background:var(--paper); color:var(--ink); font:16px/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { max-width:880px; margin:0 auto; padding:28px 20px 60px; }
h1 { font-size:1.7rem; line-height:1.2; margin:0 0 .2em; overflow-wrap:anywhere; }
h2 { font-size:1.15rem; margin:2.2em 0 .5em; padding-bottom:.2em; border-bottom:1px solid var(--rule); }
p.sub { color:var(--soft); margin:0 0 1.4em; overflow-wrap:anywhere; }
.conclusion { background:var(--card); border:1px solid var(--rule); border-left:4px solid var(--accent); padding:14px 18px;
  border-radius:6px; }
.conclusion p { margin:.3em 0; }
.scroll, .plot { overflow-x:auto; }
table { border-collapse:collapse; width:100%; font-variant-numeric:tabular-nums; font-size:.88rem; }
th, td { text-align:right; padding:5px 7px; border-bottom:1px solid var(--rule); white-space:nowrap; }
th:first-child, td:first-child { text-align:left; }
td.wide { text-align:left; white-space:normal; overflow-wrap:anywhere; }
th { color:var(--soft); font-weight:600; white-space:normal; vertical-align:bottom; line-height:1.25; }
table.facts { width:auto; min-width:50%; } table.facts td, table.facts th { text-align:left; }
.scroll { margin:0 0 1.4em; }
figure { margin:1.4em 0; }
figcaption { color:var(--soft); font-size:.9rem; }
svg { display:block; width:100%; min-width:520px; height:auto; font-family:inherit; }
svg text { fill:var(--ink); } svg .tick { font-size:12.5px; } svg .label { font-size:13px; fill:var(--soft); }
svg .inbar { font-size:12.5px; fill:var(--card); font-weight:600; } svg .cell { font-size:12.5px; }
svg .flame { font-size:11.5px; }
svg .grid { stroke:var(--rule); stroke-width:1; } svg .frame { stroke:var(--soft); stroke-width:1; }
svg .guide { stroke:var(--soft); stroke-width:1; stroke-dasharray:3 4; } svg .median { stroke:var(--ink); stroke-width:2.2; }
.legend { display:flex; flex-wrap:wrap; gap:4px 18px; font-size:.9rem; margin-bottom:4px; }
.legend i { display:inline-block; width:12px; height:12px; border-radius:3px; margin-right:6px; vertical-align:-1px; }
pre { background:var(--card); border:1px solid var(--rule); border-radius:6px; padding:12px; white-space:pre-wrap;
  overflow-wrap:anywhere; font-size:.86rem; }
@media screen and (max-width:900px) { table { font-size:.8rem; } th, td { padding:4px 6px; } }
@media print { :root { color-scheme: light; --paper:#fff; --ink:#000; --soft:#444; --rule:#ccc; --card:#fff; }
  main { max-width:none; padding:0; } .legend i { print-color-adjust:exact; -webkit-print-color-adjust:exact; }
  h2 { break-after:avoid; } figure, .conclusion, tr { break-inside:avoid; } svg { min-width:0; } body { font-size:11pt; }
  .scroll, .plot { overflow:visible; } table { font-size:8pt; } th, td { padding:3px 4px; } }
";

/// A page in the making.
#[derive(Debug, Default)]
pub struct Page {
    title: String,
    body: String,
}

impl Page {
    /// Begins with the title and a line under it.
    pub fn new(title: &str, subtitle: &str) -> Self {
        let body = format!("<h1>{}</h1>\n<p class=\"sub\">{}</p>\n", escape(title), escape(subtitle));
        Self { title: title.to_owned(), body }
    }

    /// Writing to a string cannot fail.
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        let _ = self.body.write_fmt(text);
    }

    /// A heading.
    pub fn heading(&mut self, text: &str) {
        self.add(format_args!("<h2>{}</h2>\n", escape(text)));
    }

    /// A paragraph.
    pub fn paragraph(&mut self, text: &str) {
        self.add(format_args!("<p>{}</p>\n", escape(text)));
    }

    /// What the numbers say, in a box of its own.
    pub fn conclusion(&mut self, sentences: &[String]) {
        self.body.push_str("<div class=\"conclusion\">\n");
        for sentence in sentences {
            self.paragraph(sentence);
        }
        self.body.push_str("</div>\n");
    }

    /// A figure made by `plots`.
    pub fn figure(&mut self, figure: &str) {
        self.body.push_str(figure);
    }

    /// A table; the first column is left-aligned, numbers right.
    pub fn table(&mut self, header: &[&str], rows: &[Vec<String>]) {
        self.body.push_str("<div class=\"scroll\">");
        // Two columns are a name and what is to be said about it; more are numbers to compare.
        self.body.push_str(if header.len() == 2 { "<table class=\"facts\">" } else { "<table>" });
        self.body.push_str("\n<thead><tr>");
        for name in header {
            self.add(format_args!("<th scope=\"col\">{}</th>", escape(name)));
        }
        self.body.push_str("</tr></thead>\n<tbody>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for cell in row {
                // Long words wrap instead of pushing the page wide.
                let class = if cell.chars().count() > 40 { " class=\"wide\"" } else { "" };
                self.add(format_args!("<td{class}>{}</td>", escape(cell)));
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</tbody></table></div>\n");
    }

    /// Text as it is, such as a configuration.
    pub fn preformatted(&mut self, text: &str) {
        self.add(format_args!("<pre>{}</pre>\n", escape(text)));
    }

    /// The whole document.
    pub fn finish(self) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
             <main>\n{}</main>\n</body>\n</html>\n",
            escape(&self.title),
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_stands_alone_and_escapes_what_it_is_given() {
        let mut page = Page::new("A <match>", "x & y");
        page.conclusion(&["It is so.".to_owned()]);
        page.table(&["engine", "score"], &[vec!["a<b".to_owned(), "1".to_owned()]]);
        let html = page.finish();
        assert!(html.contains("A &lt;match&gt;") && html.contains("a&lt;b"));
        for outside in ["http:", "https:", "<script", "<link", "@import", "url("] {
            assert!(!html.contains(outside), "{outside}");
        }
    }

    /// Browsers leave out backgrounds in print, and the colours of the dark scheme are too bright for paper.
    #[test]
    fn in_print_the_colours_are_those_of_the_light_scheme_and_the_legend_keeps_them() {
        assert!(!STYLE.contains("@media (prefers-color-scheme: dark)"));
        let print = &STYLE[STYLE.find("@media print").unwrap()..];
        assert!(print.contains("color-scheme: light;"));
        assert!(print.contains(".legend i { print-color-adjust:exact;"));
        assert!(print.contains("h2 { break-after:avoid; }"), "no heading alone at the end of a page");
    }

    #[test]
    fn every_colour_of_a_series_is_there_once_in_both_schemes() {
        for series in 0..crate::svg::COLOURS {
            assert_eq!(STYLE.matches(&format!("--c{series}:")).count(), 2, "colour {series}");
        }
        let colours: Vec<&str> =
            STYLE.match_indices("--c").filter_map(|(at, _)| STYLE[at..].split([':', ';']).nth(1)).collect();
        let hex: Vec<&&str> = colours.iter().filter(|colour| colour.starts_with('#')).collect();
        let distinct: std::collections::BTreeSet<&&&str> = hex.iter().collect();
        assert_eq!(distinct.len(), hex.len(), "{hex:?}");
    }
}

//! Every report of `results/` comes from rows that are committed beside it: each table is imported, and its report must be
//! the committed page, letter for letter. `TABIYA_WRITE_REPORTS=1` writes the pages instead.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

#[allow(dead_code, reason = "other tests use the rest of it")]
mod common;

use std::io::Read;
use std::path::{Path, PathBuf};

use common::Folder;
use experiment::store::ABOUT;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// The page of a table: its name up to `.csv` or `-rows.csv`.
fn page_of(table: &Path) -> PathBuf {
    let name = table.file_name().unwrap().to_str().unwrap();
    let stem = name.split(".csv").next().unwrap();
    table.with_file_name(format!("{}.html", stem.trim_end_matches("-rows")))
}

fn is_exported(path: &Path) -> bool {
    let mut start = Vec::new();
    let reader = chess::compressed::open(path).unwrap();
    reader.take(ABOUT.len() as u64).read_to_end(&mut start).unwrap();
    start == ABOUT.as_bytes()
}

fn import(table: &Path, folder: &Path) -> (u8, String) {
    let words =
        ["import".to_owned(), table.display().to_string(), "--out".to_owned(), folder.display().to_string()];
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = lab::cli::run(&words, &mut out, &mut err);
    (code, String::from_utf8(out).unwrap() + &String::from_utf8(err).unwrap())
}

#[test]
fn every_committed_report_is_drawn_from_its_rows() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let mut all = Vec::new();
    files(&results, &mut all);
    let ends = |path: &PathBuf, end: &str| path.to_string_lossy().ends_with(end);
    let tables: Vec<_> = (all.iter())
        .filter(|path| ends(path, ".csv") || ends(path, ".csv.zst"))
        .filter(|path| is_exported(path))
        .collect();
    let write = std::env::var("TABIYA_WRITE_REPORTS").is_ok();
    for table in &tables {
        let folder = Folder::new("committed-report");
        let (code, said) = import(table, folder.path());
        assert_eq!(code, 0, "{}: {said}", table.display());
        let drawn = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
        let page = page_of(table);
        if write {
            std::fs::write(&page, drawn).unwrap();
        } else {
            let committed = std::fs::read_to_string(&page).unwrap_or_default();
            assert!(committed == drawn, "{}: is not the report of its rows", page.display());
        }
    }
    for page in all.iter().filter(|path| ends(path, ".html")) {
        let has_rows = tables.iter().any(|table| page_of(table) == *page);
        assert!(has_rows, "{}: its rows are not there", page.display());
    }
}

/// A page names the builds it is of: a commit, or the bench that identifies the search.
#[test]
fn every_page_of_results_names_its_build() {
    /// Whether this many such digits stand behind the word, at one of its places.
    fn follows(text: &str, word: &str, least: usize, digit: fn(char) -> bool) -> bool {
        text.match_indices(word).any(|(at, _)| {
            text[at + word.len()..].chars().take_while(|letter| digit(*letter)).count() >= least
        })
    }
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let mut all = Vec::new();
    files(&results, &mut all);
    // The lists of pages have no figures.
    let lists = [results.join("README.md"), results.join("papers.md")];
    for page in all.iter().filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let text = std::fs::read_to_string(page).unwrap().to_lowercase();
        let is_named = follows(&text, "commit ", 7, |letter| letter.is_ascii_hexdigit())
            || follows(&text, "bench ", 6, |letter| letter.is_ascii_digit());
        assert!(is_named || lists.contains(page), "{}: names no build", page.display());
    }
}

#[test]
fn a_damaged_table_is_refused_with_its_line() {
    let folder = Folder::new("damaged-table");
    std::fs::create_dir_all(folder.path()).unwrap();
    let about = r#"{"kind":"toy","name":"x","created":"2026-01-01","configuration":{}}"#;
    for (number, (text, reason)) in [
        ("task,a\n".to_owned(), "line 1: expected '# tabiya-lab'"),
        (format!("{ABOUT}{{}}\n"), "line 1: no kind"),
        (format!("{ABOUT}{about}\n"), "line 2: expected the names of the columns"),
        (format!("{ABOUT}{about}\ntask,a\nx\n"), "line 3: 1 fields, expected 2"),
        (format!("{ABOUT}{about}\ntask,a\n\"x,1\n"), "line 3: a quotation mark is not closed"),
        (format!("{ABOUT}{about}\nnumber,pair\n0,0\n"), "no column 'result'"),
    ]
    .into_iter()
    .enumerate()
    {
        let table = folder.path().join("rows.csv");
        std::fs::write(&table, text).unwrap();
        let out = folder.path().join(number.to_string());
        let (code, said) = import(&table, &out);
        assert!(code != 0 && said.contains(reason) && said.contains("rows.csv"), "{number}: {code} {said}");
        assert!(!out.join("lab.sqlite").exists(), "{number}: nothing is made");
    }
}

/// The figures and tables of every committed report are to be had as files: drawings that name all their colours, tables whose
/// lines have one number of cells.
#[test]
fn every_committed_report_gives_figures_for_print() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
    let mut all = Vec::new();
    files(&results, &mut all);
    let out = Folder::new("figures-for-print");
    let mut drawings = 0;
    for page in all.iter().filter(|path| path.extension().is_some_and(|end| end == "html")) {
        let words = ["figures".to_owned(), page.display().to_string(), out.path().display().to_string()];
        let (mut said, mut err) = (Vec::new(), Vec::new());
        let code = lab::cli::run(&words, &mut said, &mut err);
        assert_eq!(code, 0, "{}: {}", page.display(), String::from_utf8_lossy(&err));
        let html = std::fs::read_to_string(page).unwrap();
        for number in 1..=html.matches("<figure>").count() {
            let svg = std::fs::read_to_string(out.path().join(format!("figure-{number}.svg"))).unwrap();
            assert!(svg.starts_with("<svg xmlns=") && !svg.contains("var("), "{}: {number}", page.display());
            drawings += 1;
        }
        for number in 1..=html.matches("<table").count() {
            let tex = std::fs::read_to_string(out.path().join(format!("table-{number}.tex"))).unwrap();
            let lines: Vec<&str> = tex.lines().filter(|line| line.ends_with(" \\\\")).collect();
            let cells = |line: &&str| line.replace("\\&", "").matches('&').count();
            assert!(
                lines.iter().all(|line| cells(line) == cells(&lines[0])),
                "{}: {number}: {tex}",
                page.display()
            );
        }
    }
    assert!(drawings > 20, "{drawings}");
}

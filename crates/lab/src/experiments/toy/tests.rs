//! The guide holds: the toy kind works everywhere, and nothing but its folder and one line knows of it.

use std::path::{Path, PathBuf};

use crate::cli;

fn lab(words: &str, folder: &Path) -> (u8, String) {
    let arguments: Vec<String> = words
        .split_whitespace()
        .map(|word| if word == "DIR" { folder.display().to_string() } else { word.to_owned() })
        .collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = cli::run(&arguments, &mut out, &mut err);
    (code, String::from_utf8(out).unwrap() + &String::from_utf8(err).unwrap())
}

#[test]
fn the_kind_has_help_flags_a_store_a_report_and_resumes() {
    let folder = std::env::temp_dir().join(format!("tabiya-lab-toy-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    assert!(lab("help", &folder).1.contains("lab toy [FILE.toml] [flags]"));
    assert!(lab("toy --help", &folder).1.contains("--flips N"));
    let (code, text) = lab("toy --flips 5 --out DIR", &folder);
    assert_eq!((code, text.contains("in 5 flips\n")), (0, true), "{text}");
    let (code, text) = lab("toy --flips 8 --out DIR", &folder);
    assert_eq!((code, text.contains("in 8 flips\n")), (0, true), "{text}");
    assert_eq!(lab("report DIR", &folder).0, 0);
    assert_eq!(lab("resume DIR", &folder).0, 0);
    assert!(lab("list DIR", &folder).1.contains("Coin flips"));
    assert!(std::fs::read_to_string(folder.join("report.html")).unwrap().contains("in 8 flips, 95 % interval"));
    assert!(lab("toy --flips many --out DIR", &folder).1.contains("expected a whole number"));
    std::fs::remove_dir_all(&folder).unwrap();
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn nothing_but_its_folder_and_one_line_knows_the_kind() {
    let lab = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for name in ["lab", "experiment", "engine-studies", "match-runner", "charts", "stats", "web", "tabiya"] {
        sources(&lab.join("..").join(name).join("src"), &mut files);
    }
    let own = Path::new("src/experiments/toy");
    let mut lines = Vec::new();
    for path in files.iter().filter(|path| path.parent().is_none_or(|folder| !folder.ends_with(own))) {
        let text = std::fs::read_to_string(path).unwrap();
        let names_it = |line: &&str| {
            line.split(|letter: char| !letter.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("toy"))
        };
        lines.extend(text.lines().filter(names_it).map(|line| line.trim().to_owned()));
    }
    assert_eq!(lines, ["#[cfg(test)] mod toy: TOY;"]);
}

#[test]
fn the_guide_shows_the_file_that_is_tested() {
    let guide = include_str!("../README.md");
    assert!(guide.contains(include_str!("kind.rs")), "the guide's text of kind.rs is out of date");
    assert!(guide.contains("mod toy: TOY;"));
}

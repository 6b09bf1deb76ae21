//! The command line of `tabiya tune`.

use crate::extract::Selection;
use crate::fit::Settings;
use common::clip;
use std::path::PathBuf;

/// How the command is used.
pub const HELP: &str = "\
Fit the hand-crafted evaluation to game results.

Usage: tabiya tune GAMES.tsv.zst[:N[:B]] ... [options]

GAMES is a file of games, one a line; N positions are taken from each of its games (default 24). The first file
gives a centipawn its meaning: with steepness k, a score s there is expected to bring 1 / (1 + exp(-k s)) points.
A position's label is the result of its game; with B (from 0 to 1, default 0) that share of it is the expected
points of the file's own evaluation. Use it for games of our own: `tabiya data export` writes them.

Options:
  --out FILE         write the weights there as Rust source (crates/eval/src/hce/weights.rs)
  --report FILE      write what was done and measured there, as Markdown
  --epochs N         passes over the data (default 24)
  --batch N          positions a step (default 16384)
  --learning-rate X  centipawns a step moves a weight, at first (default 1)
  --final-learning-rate X
                     and at last (default 0.02)
  --steepness X      of the first file's results, per centipawn (default 0.005); the others' are fitted
  --one-in N         one game in N is kept out of the fit (default 10)
  --book-plies N     plies always taken as book (default 12)
  --threads N        (default 1)
  --seed N           (default 1)
";

#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    pub path: PathBuf,
    pub per_game: usize,
    /// Share of the file's own evaluations in the labels.
    pub blend: f32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    pub sources: Vec<Source>,
    pub out: Option<PathBuf>,
    pub report: Option<PathBuf>,
    pub steepness: f32,
    pub held_out: u64,
    pub book_plies: usize,
    pub settings: Settings,
}

impl Options {
    pub fn selection(&self, source: &Source) -> Selection {
        Selection { book_plies: self.book_plies, per_game: source.per_game }
    }

    pub fn parse(arguments: &[String]) -> Result<Options, String> {
        let mut options = Options {
            sources: Vec::new(),
            out: None,
            report: None,
            steepness: 0.005,
            held_out: 10,
            book_plies: 12,
            settings: Settings::default(),
        };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let Some(flag) = word.strip_prefix("--") else {
                options.sources.push(source(word)?);
                continue;
            };
            let value = words.next().ok_or_else(|| format!("--{flag}: expected a value after it"))?;
            let settings = &mut options.settings;
            match flag {
                "out" => options.out = Some(PathBuf::from(value)),
                "report" => options.report = Some(PathBuf::from(value)),
                "epochs" => settings.epochs = number(flag, value, 1, 100_000)?,
                "batch" => settings.batch = number(flag, value, 1, 1 << 24)?,
                "threads" => settings.threads = number(flag, value, 1, 1024)?,
                "seed" => settings.seed = number(flag, value, 0, usize::MAX)? as u64,
                "steepness" => options.steepness = positive(flag, value)?,
                // The second spelling of each is the earlier one.
                "learning-rate" | "rate" => settings.learning_rate = positive(flag, value)?,
                "final-learning-rate" | "last-rate" => {
                    settings.final_learning_rate = positive(flag, value)?;
                }
                "one-in" | "held-out" => options.held_out = number(flag, value, 2, 1_000_000)? as u64,
                "book-plies" => options.book_plies = number(flag, value, 0, 1000)?,
                _ => return Err(format!("--{}: no such option (see --help)", clip(flag, 60))),
            }
        }
        if options.sources.is_empty() {
            return Err("expected at least one file of games".to_string());
        }
        if options.sources.len() > 256 {
            return Err(format!("{} files, expected at most 256", options.sources.len()));
        }
        Ok(options)
    }
}

fn source(word: &str) -> Result<Source, String> {
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    let is_share = |text: &str| text.parse().is_ok_and(|share: f32| (0.0..=1.0).contains(&share));
    let per_game = |text: &str| number("positions a game", text, 1, 10_000);
    let parts: Vec<&str> = word.rsplitn(3, ':').collect();
    match parts[..] {
        [share, count, path] if is_count(count) && is_share(share) => Ok(Source {
            path: PathBuf::from(path),
            per_game: per_game(count)?,
            blend: share.parse().unwrap_or_default(),
        }),
        [count, ..] if parts.len() > 1 && is_count(count) => {
            let path = PathBuf::from(&word[..word.len() - count.len() - 1]);
            Ok(Source { path, per_game: per_game(count)?, blend: 0.0 })
        }
        _ => Ok(Source { path: PathBuf::from(word), per_game: 24, blend: 0.0 }),
    }
}

fn number(name: &str, text: &str, least: usize, most: usize) -> Result<usize, String> {
    let expected = || format!("{name}: '{}', expected a number from {least} to {most}", clip(text, 60));
    text.parse().ok().filter(|n| (least..=most).contains(n)).ok_or_else(expected)
}

fn positive(name: &str, text: &str) -> Result<f32, String> {
    let expected = || format!("{name}: '{}', expected a number above 0", clip(text, 60));
    text.parse().ok().filter(|&x: &f32| x > 0.0 && x.is_finite()).ok_or_else(expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let words: Vec<String> = line.split(' ').map(str::to_string).collect();
        Options::parse(&words)
    }

    #[test]
    fn files_and_numbers() {
        let options = parse("a.tsv b.tsv.zst:8 --epochs 3 --learning-rate 0.5 --out w.rs").unwrap();
        assert_eq!(options.sources[0], Source { path: "a.tsv".into(), per_game: 24, blend: 0.0 });
        assert_eq!(options.sources[1], Source { path: "b.tsv.zst".into(), per_game: 8, blend: 0.0 });
        assert_eq!(
            parse("c:/d.tsv:8:0.5").unwrap().sources[0],
            Source { path: "c:/d.tsv".into(), per_game: 8, blend: 0.5 }
        );
        assert_eq!((options.settings.epochs, options.settings.learning_rate), (3, 0.5));
        assert_eq!(options.out, Some("w.rs".into()));
        let earlier = parse("a.tsv --rate 0.5 --last-rate 0.1 --held-out 7").unwrap();
        assert_eq!(earlier, parse("a.tsv --learning-rate 0.5 --final-learning-rate 0.1 --one-in 7").unwrap());
    }

    #[test]
    fn refusals_say_what_was_expected() {
        for (line, reason) in [
            ("--epochs 3", "at least one file"),
            ("a --epochs", "--epochs: expected a value"),
            ("a --epochs 0", "expected a number from 1"),
            ("a --rate -1", "expected a number above 0"),
            ("a --frob 1", "--frob: no such option"),
        ] {
            let message = parse(line).unwrap_err();
            assert!(message.contains(reason), "{line}: {message}");
        }
    }
}

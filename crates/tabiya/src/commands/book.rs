//! `tabiya book`: opening books made from what people play.

use super::human::scale;
use crate::cli::{Command, Failure, Flag, Parsed, Run};
use chess::Color;
use coach::traps::{Trap, TrapFinder, TrapLimits, json, polyglot_book, text};
use human_model::openings::Openings;
use human_model::oracle::PoolOracle;
use human_model::reply::{Rating, ReplyModel};
use std::io::{IsTerminal as _, Write as _};
use std::path::Path;

pub const COMMAND: Command = Command {
    name: "book",
    summary: "A book of gambits and traps against players of a rating (traps), every entry proven by search",
    arguments: "traps",
    flags: &[
        Flag { name: "rating", value: Some("N,..."), help: "whom it is against (default 1000,1400,1800)" },
        Flag {
            name: "scale",
            value: Some("lichess|fics|fide|mixed"),
            help: "whose rating points (default lichess)",
        },
        Flag { name: "color", value: Some("white|black"), help: "traps for one side only" },
        Flag { name: "plies", value: Some("N"), help: "the last ply a trap is set at (default 12)" },
        Flag {
            name: "reach",
            value: Some("PERCENT"),
            help: "opponents who must come so far when we steer for it (default 2)",
        },
        Flag {
            name: "positions",
            value: Some("N"),
            help: "positions looked at for each rating (default 150)",
        },
        Flag {
            name: "cost",
            value: Some("PERCENT"),
            help: "the most a trap may cost against the best reply (default 8)",
        },
        Flag { name: "chance", value: Some("PERCENT"), help: "the least chance of a mistake (default 15)" },
        Flag {
            name: "surplus",
            value: Some("PERCENT"),
            help: "the least by which P(mistake) x gain must exceed the cost (default 2)",
        },
        Flag {
            name: "nodes",
            value: Some("N"),
            help: "nodes for each position and reply (default 10000); the proof takes eight times as many",
        },
        Flag { name: "json", value: None, help: "for programs" },
        Flag { name: "polyglot", value: Some("FILE.bin"), help: "write a PolyGlot book; one rating only" },
    ],
    examples: &[
        "tabiya book traps --rating 1200",
        "tabiya book traps --rating 1500 --color white --polyglot traps.bin",
        "tabiya book traps --json > traps.json",
    ],
    run: Run::Parsed(run),
};

fn run(parsed: &Parsed) -> Result<(), Failure> {
    match parsed.positional() {
        [word] if word == "traps" => traps(parsed),
        [] => Err(parsed.usage("expected traps")),
        [word, ..] => Err(parsed.usage(&format!("'{word}', expected traps"))),
    }
}

fn ratings(parsed: &Parsed) -> Result<Vec<Rating>, Failure> {
    let rating = |word: &str| {
        let points: i64 = word
            .trim()
            .parse()
            .map_err(|_| parsed.usage(&format!("--rating '{word}', expected a number")))?;
        Rating::new(points).map_err(|error| parsed.usage(&format!("--rating: {error}")))
    };
    parsed.text("rating").unwrap_or("1000,1400,1800").split(',').map(rating).collect()
}

fn terms(parsed: &Parsed, rating: Rating) -> Result<TrapLimits, Failure> {
    let usual = TrapLimits::against(rating, scale(parsed)?);
    let percent = |flag: &str, default: f64| {
        parsed.number(flag, 100.0 * default, 0.0..=100.0).map(|percent| percent / 100.0)
    };
    Ok(TrapLimits {
        color: match parsed.text("color") {
            None => None,
            Some("white") => Some(Color::White),
            Some("black") => Some(Color::Black),
            Some(other) => return Err(parsed.usage(&format!("--color '{other}', expected white or black"))),
        },
        plies: parsed.number("plies", usual.plies, 0..=16)?,
        reach: percent("reach", usual.reach)?.max(1e-4),
        positions: parsed.number("positions", usual.positions, 1..=10_000)?,
        most_cost: percent("cost", usual.most_cost)?,
        least_chance: percent("chance", usual.least_chance)?,
        least_surplus: percent("surplus", usual.least_surplus)?,
        nodes: parsed.number("nodes", usual.nodes, 100..=100_000_000)?,
        ..usual
    })
}

fn traps(parsed: &Parsed) -> Result<(), Failure> {
    let model = ReplyModel::shared().map_err(Failure::failed)?;
    let openings = Openings::shared().map_err(Failure::failed)?;
    let ratings = ratings(parsed)?;
    let book = parsed.text("polyglot");
    if book.is_some() && ratings.len() > 1 {
        return Err(parsed.usage("--polyglot: a book is against one rating; say which with --rating N"));
    }
    let mut out = std::io::stdout();
    let mut books = Vec::new();
    for rating in ratings {
        let terms = terms(parsed, rating)?;
        let found = make(&TrapFinder { model, openings, terms })?;
        if parsed.has("json") {
            books.push(json(&found, &terms));
        } else {
            writeln!(out, "{}", text(&found, &terms))?;
        }
        if let Some(path) = book {
            std::fs::write(Path::new(path), polyglot_book(&found))
                .map_err(|error| Failure::Failed(format!("--polyglot {path}: {error}")))?;
        }
    }
    if parsed.has("json") {
        let list: Vec<String> = books.iter().map(|book| format!("{book:#}")).collect();
        writeln!(out, "[{}]", list.join(",\n"))?;
    }
    Ok(())
}

/// With a line of progress on a terminal.
fn make(maker: &TrapFinder<'_>) -> Result<Vec<Trap>, Failure> {
    let clock = crate::clock::system();
    let mut oracle =
        PoolOracle::new(64, clock.clone(), &eval::Evaluation::shipped()).map_err(Failure::failed)?;
    let shown = std::io::stderr().is_terminal();
    let begun = clock.now();
    let mut progress = |done: usize, all: usize, found: usize| {
        if shown {
            let spent = clock.now().saturating_sub(begun).as_secs_f64();
            let left = if done > 0 { spent / done as f64 * (all - done) as f64 } else { 0.0 };
            let _ = write!(
                std::io::stderr(),
                "\r{}: {done} of {all} positions, {found} found, {left:.0} s left   ",
                maker.terms.rating.points()
            );
        }
    };
    let found = maker.find(&mut oracle, &mut progress).map_err(|_| Failure::failed("stopped"))?;
    if shown {
        let _ = write!(std::io::stderr(), "\r{:60}\r", "");
    }
    Ok(found)
}

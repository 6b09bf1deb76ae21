//! The queue: tests, one after another, each on all cores.
//!
//! One test a line, fields separated by `|`:
//!
//!     sprt   | name | new side | old side | elo0 elo1 | nodes | book | most games
//!     screen | name | a ; b ; c                       | nodes | book | games
//!
//! In place of nodes a move, `8000+80@50` is a clock of 8 s and 80 ms a move that 50 nodes run down by 1 ms.
//!
//! A screen estimates several ideas at once: in every pair of games one side has a random half of them, the other side the
//! other half, so every game counts for every idea (a factorial design). Each of `a ; b ; c` switches one idea off.

use crate::Result;
use crate::ledger::{Ledger, Row};
use crate::play::{Budget, play_pair};
use crate::side::Side;
use chess::Position;
use stats::score::{Games, Pairs};
use stats::sprt::{Model, Sprt, SprtDecision};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// What is asked.
enum Question {
    Sprt { new: String, old: String, elo0: f64, elo1: f64 },
    Screen { without: Vec<String> },
}

pub struct Test {
    name: String,
    question: Question,
    budget: Budget,
    book: String,
    games: u64,
}

/// Reads the tests of a file; `#` begins a comment.
pub fn read(path: &str) -> Result<Vec<Test>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let lines = text
        .lines()
        .map(str::trim)
        .enumerate()
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|(at, line)| parse(line).map_err(|error| format!("{path}:{}: {error}", at + 1).into()))
        .collect()
}

fn parse(line: &str) -> Result<Test> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let (question, name, [nodes, book, games]) = match fields[..] {
        ["sprt", name, new, old, bounds, nodes, book, games] => {
            let (elo0, elo1) = bounds.split_once(' ').ok_or("two bounds")?;
            let (new, old) = (new.to_string(), old.to_string());
            (
                Question::Sprt { new, old, elo0: elo0.parse()?, elo1: elo1.trim().parse()? },
                name,
                [nodes, book, games],
            )
        }
        ["screen", name, without, nodes, book, games] => {
            let without = without.split(';').map(|side| side.trim().to_string()).collect();
            (Question::Screen { without }, name, [nodes, book, games])
        }
        _ => return Err("sprt with 8 fields or screen with 6".into()),
    };
    let (budget, games) = (nodes.parse()?, games.parse()?);
    Ok(Test { name: name.to_string(), question, budget, book: book.to_string(), games })
}

/// What a queue may use.
pub struct Resources {
    pub threads: usize,
    /// When it ends, in the middle of a test if need be: what was played is written.
    pub deadline: Option<Instant>,
}

impl Resources {
    fn is_time_up(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// Runs the tests that the ledger does not have yet.
pub fn run(tests: &[Test], path: &Path, resources: &Resources) -> Result<()> {
    let mut ledger = Ledger::open(path)?;
    let bench = Side::parse("")?.bench()?;
    for test in tests {
        if ledger.has(&test.name) {
            println!("{}: in the ledger already", test.name);
            continue;
        }
        if resources.is_time_up() {
            println!("{}: no time left for it", test.name);
            continue;
        }
        println!("{}: {} nodes, {} games at most", test.name, test.budget, test.games);
        let rows = match &test.question {
            Question::Sprt { new, old, elo0, elo1 } => {
                vec![sprt(
                    test,
                    &[new, old],
                    Sprt::new(*elo0, *elo1, 0.05, 0.05, Model::Normalised)?,
                    resources,
                )?]
            }
            Question::Screen { without } => screen(test, without, resources)?,
        };
        for row in rows {
            ledger.add(&Row { bench, ..row })?;
        }
    }
    Ok(())
}

fn sprt(test: &Test, [new, old]: &[&String; 2], sprt: Sprt, resources: &Resources) -> Result<Row> {
    let (new_side, old_side) = (Side::parse(new)?, Side::parse(old)?);
    let found = Mutex::new((Pairs::default(), Games::default()));
    each_pair(test, resources, |start, _| {
        let results = play_pair(start, &mut new_side.pool()?, &mut old_side.pool()?, test.budget)?;
        let mut found = found.lock().map_err(|_| "another thread failed")?;
        // A pair that another thread was playing when the bound was reached is not part of the test.
        if sprt.decision(sprt.llr_of_pairs(&found.0)) != SprtDecision::Continue {
            return Ok(false);
        }
        found.0.add(results[0], results[1]);
        for result in results {
            found.1.add(result);
        }
        let llr = sprt.llr_of_pairs(&found.0);
        if found.0.total() % 50 == 0 {
            let elo = found.0.estimate().map_or(0.0, |estimate| estimate.elo());
            println!("  {} games, {elo:+.1} Elo, LLR {llr:.2}", found.1.total());
        }
        Ok(sprt.decision(llr) == SprtDecision::Continue)
    })?;
    let (pairs, games) = found.into_inner().map_err(|_| "a thread failed")?;
    let llr = sprt.llr_of_pairs(&pairs);
    let verdict = match sprt.decision(llr) {
        SprtDecision::Continue => "undecided",
        _ if llr > 0.0 => "accepted",
        _ => "rejected",
    };
    let estimate = pairs.estimate().ok_or("no games")?;
    let (elo0, elo1) = sprt.elo_bounds();
    Ok(Row {
        idea: format!("{} against {}", named(new), named(old)),
        bounds: format!("[{elo0}; {elo1}]"),
        games: games.total(),
        results: Some([games.wins, games.draws, games.losses]),
        elo: (estimate.elo(), estimate.elo_error()),
        llr: Some(llr),
        verdict: verdict.into(),
        ..Row::of(&test.name, &test.budget.to_string(), &test.book)
    })
}

fn named(side: &str) -> &str {
    if side.is_empty() { "all" } else { side }
}

/// Elo per unit of score near one half.
const ELO_PER_SCORE: f64 = 1600.0 / std::f64::consts::LN_10;

fn screen(test: &Test, without: &[String], resources: &Resources) -> Result<Vec<Row>> {
    let off: Vec<String> = without.to_vec();
    let found = Mutex::new((vec![0.0; off.len()], 0.0, 0_u64));
    each_pair(test, resources, |start, random| {
        let has = |idea: usize| random >> (idea % 64) & 1 == 1;
        let side = |of_first: bool| {
            let names = off.iter().enumerate().filter(|&(idea, _)| has(idea) != of_first);
            Side::parse(&names.map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(" "))
        };
        let results = play_pair(start, &mut side(true)?.pool()?, &mut side(false)?.pool()?, test.budget)?;
        let points = (results[0].score() + results[1].score() - 1.0) / 2.0;
        let mut found = found.lock().map_err(|_| "another thread failed")?;
        for (idea, sum) in found.0.iter_mut().enumerate() {
            *sum += if has(idea) { points } else { -points };
        }
        found.1 += points * points;
        found.2 += 2;
        if found.2 % 500 == 0 {
            println!("  {} games of {}", found.2, test.games);
        }
        Ok(true)
    })?;
    let (sums, squares, games) = found.into_inner().map_err(|_| "a thread failed")?;
    if games == 0 {
        return Err("no games".into());
    }
    let pairs = games as f64 / 2.0;
    let error = 1.96 * squares.sqrt() / pairs * ELO_PER_SCORE;
    Ok(off
        .iter()
        .zip(sums)
        .map(|(idea, sum)| Row {
            idea: format!("all against {}", named(idea)),
            games,
            elo: (sum / pairs * ELO_PER_SCORE, error),
            verdict: "estimate".into(),
            ..Row::of(&test.name, &test.budget.to_string(), &test.book)
        })
        .collect())
}

/// Gives openings and random numbers to `work` on every thread until it says stop, fails, the games are
/// played or the time is up. Two sides play an opening the same way each time, so a sequential test has each opening
/// once and ends with the book; in a screen the sides differ from pair to pair.
fn each_pair(
    test: &Test,
    resources: &Resources,
    work: impl Fn(&Position, u64) -> Result<bool> + Sync,
) -> Result<()> {
    let text = std::fs::read_to_string(&test.book).map_err(|error| format!("{}: {error}", test.book))?;
    let mut book: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if book.is_empty() {
        return Err(format!("{}: no positions", test.book).into());
    }
    // The same order for the same book.
    common::Random::new(1).shuffle(&mut book);
    let mut pairs = test.games / 2;
    if matches!(test.question, Question::Sprt { .. }) && pairs > book.len() as u64 {
        pairs = book.len() as u64;
        println!("  {} has {pairs} openings: {} games at most", test.book, 2 * pairs);
    }
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let thread = || -> Result<()> {
        while !stop.load(Ordering::Relaxed) && !resources.is_time_up() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= pairs {
                break;
            }
            let opening = book[(number % book.len() as u64) as usize];
            let board: Vec<&str> = opening.split_whitespace().take(4).collect();
            let start = Position::from_fen(&format!("{} 0 1", board.join(" ")))?;
            if !work(&start, random(2 * number + 1)).inspect_err(|_| stop.store(true, Ordering::Relaxed))? {
                stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..resources.threads.max(1)).map(|_| scope.spawn(thread)).collect();
        handles.into_iter().try_for_each(|handle| handle.join().map_err(|_| "a thread panicked")?)
    })
}

/// A random number for each count (splitmix64).
fn random(count: u64) -> u64 {
    let mut mixed = (count + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

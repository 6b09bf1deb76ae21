//! Building an opening book ply by ply, as a player of the 2018 course did.
//!
//! At each position every move is searched a little and the best few are followed; each position on the way gets a
//! deeper search of its own, and that move goes into the book. What a book already has is not searched again, so an
//! interrupted build goes on where it stopped.

use std::collections::HashSet;
use std::ops::ControlFlow;

use kernel::{Event, Limits};
use laser::{DrawRules, Game, Move, Position};

use crate::book::{Book, BookEntries, BookMove};
use crate::engine::Engine;

/// How large and how good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookPlan {
    /// Plies from the start that the book covers.
    pub plies: usize,
    /// Moves followed from each position.
    pub best: usize,
    /// Depth of the searches that rank the moves.
    pub rank_depth: i32,
    /// Depth of the searches whose moves are kept.
    pub depth: i32,
}

/// How far a build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub ply: usize,
    /// Positions of this ply done and in all.
    pub done: usize,
    pub total: usize,
    pub entries: usize,
}

/// Called after every position; may end the build.
pub type Report<'a> = dyn FnMut(Progress, &BookEntries) -> ControlFlow<()> + 'a;

/// Adds to `entries` until the plan is fulfilled or `report` breaks off. Returns whether it was fulfilled.
pub fn build_book(
    engine: &mut Engine,
    plan: &BookPlan,
    start: Position,
    entries: &mut BookEntries,
    report: &mut Report<'_>,
) -> bool {
    let mut level = vec![start];
    let mut seen = HashSet::from([start.key()]);
    for ply in 0..=plan.plies {
        let mut next = Vec::new();
        for (index, position) in level.iter().enumerate() {
            let known =
                entries.get(&position.key()).is_some_and(|entry| i32::from(entry.depth) >= plan.depth);
            if !known && let Some(entry) = search(engine, position, plan.depth) {
                entries.insert(position.key(), entry);
            }
            if ply < plan.plies {
                let chosen = entries.get(&position.key()).map(|entry| entry.mv);
                for mv in ranked(engine, position, plan, chosen) {
                    let child = position.after(mv);
                    if child.winner().is_none() && seen.insert(child.key()) {
                        next.push(child);
                    }
                }
            }
            let progress = Progress { ply, done: index + 1, total: level.len(), entries: entries.len() };
            if report(progress, entries).is_break() {
                return false;
            }
        }
        level = next;
    }
    true
}

/// The best moves by shallow searches of what they lead to, the book's own move first.
fn ranked(engine: &mut Engine, position: &Position, plan: &BookPlan, chosen: Option<Move>) -> Vec<Move> {
    let mut scored: Vec<(i32, Move)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let next = position.after(mv);
            let score = match next.winner() {
                Some(winner) if winner == position.side_to_move() => i32::MAX - 1,
                Some(_) => i32::MIN + 1,
                None if chosen == Some(mv) => i32::MAX,
                None => -search(engine, &next, plan.rank_depth).map_or(0, |entry| i32::from(entry.score)),
            };
            (score, mv)
        })
        .collect();
    scored.sort_unstable_by_key(|&(score, mv)| (-i64::from(score), mv));
    scored.into_iter().take(plan.best).map(|(_, mv)| mv).collect()
}

fn search(engine: &mut Engine, position: &Position, depth: i32) -> Option<BookMove> {
    let game = Game::new(*position, DrawRules::RULE_BOOK);
    let found = engine.search(&game, Limits::depth(depth), &mut |_: Event<'_, Move>| ());
    let mv = found.best?;
    Some(BookMove { mv, score: found.score.value() as i16, depth: depth.clamp(0, 255) as u8 })
}

/// The entries of a book, to go on from.
pub fn entries_of(book: &Book) -> BookEntries {
    book.entries().collect()
}

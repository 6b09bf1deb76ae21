//! The player's own games together with the saved games of this board.

use crate::messages::{OwnFilter, OwnGames, OwnReviewing};
use crate::problem::Problem;
use crate::session::game::export as export_game;
use crate::shared::Shared;
use std::sync::Arc;

/// Games that one press of the button reviews, at most.
const REVIEWED: usize = 500;
/// Saved games that are taken over into the library.
const SAVED: u32 = 5_000;

/// Finished games of this board are the player's own too.
fn take_over(shared: &Shared) -> Result<(), Problem> {
    let (saved, _) = shared.archive.list("", SAVED)?;
    for entry in saved.iter().filter(|entry| entry.record.result != "*") {
        // Reading a game again takes longer than looking it up.
        if !shared.library.take(entry.id) {
            continue;
        }
        if let Ok((_, pgn)) = export_game(entry.id, shared) {
            let imported = shared.library.import(pgn.as_bytes(), &shared.openings)?;
            let record = &entry.record;
            let player = if record.white_is_player { &record.white } else { &record.black };
            let mut names = shared.library.names()?;
            if imported.added > 0 && !names.iter().any(|name| name.eq_ignore_ascii_case(player)) {
                names.push(player.clone());
                shared.library.set_names(&names)?;
            }
        }
    }
    Ok(())
}

pub fn list(shared: &Shared, filter: &OwnFilter) -> Result<OwnGames, Problem> {
    take_over(shared)?;
    shared.library.list(filter)
}

/// How own games went on from a position: the key of the next position, and the player's half points.
pub fn continuations(shared: &Shared, fen: &str) -> Result<Vec<(u64, u32)>, Problem> {
    take_over(shared)?;
    shared.library.continuations(fen)
}

/// Reviews what waits for it.
pub fn review(shared: &Shared) -> Result<OwnReviewing, Problem> {
    take_over(shared)?;
    shared.reviewer.start(&shared.library, REVIEWED, Arc::clone(&shared.clock))
}

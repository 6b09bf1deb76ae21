//! Searching the positions of games anew.

use crate::file::{FileError, Header, Writer, read_all};
use crate::play::{Play, Player};
use kernel::clock::ManualClock;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Writes the games with scores of this engine at so many soft nodes; answers how many.
pub fn rescore(
    inputs: &[PathBuf],
    out: &Path,
    nodes: u32,
    broken: &mut dyn FnMut(FileError),
) -> Result<u64, FileError> {
    let play = Play { soft_nodes: nodes, hard_nodes: nodes.saturating_mul(20), ..Play::default() };
    let header = Header { soft_nodes: play.soft_nodes, hard_nodes: play.hard_nodes, ..Header::default() };
    let mut writer = Writer::open(out, &header)?;
    // Nothing here goes by time.
    let mut player = Player::new(play, 16, Arc::new(ManualClock::new()))
        .map_err(|error| FileError::of_file(out, error.to_string()))?;
    // Stopped and started again, it goes on behind the games that are there.
    let (mut number, done) = (0, writer.games());
    let mut failure = None;
    for path in inputs {
        let visit = |game| {
            number += 1;
            if number > done && failure.is_none() {
                failure = writer.write(&player.rescore(&game)).err();
            }
        };
        read_all(path, visit, &mut *broken)?;
    }
    match failure {
        Some(error) => Err(error),
        None => writer.flush().map(|()| writer.games()),
    }
}

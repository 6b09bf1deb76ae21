//! Splitting games into a training file and a held-out file.

use crate::file::{FileError, Header, Writer, read_all};
use crate::game::GameRecord;
use common::mix;
use std::path::{Path, PathBuf};

/// Which games are held out: one in `one_in`.
///
/// The choice depends on the start and the moves of a game and on the seed, not on its place in a file. A game that
/// occurs twice, or with other scores, is on the same side each time, so no held-out position is trained on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HeldOut {
    /// 0: none.
    pub one_in: u64,
    pub seed: u64,
}

impl HeldOut {
    pub fn has(self, game: &GameRecord) -> bool {
        if self.one_in == 0 {
            return false;
        }
        let start = mix(game.start.key() ^ mix(self.seed));
        let key = game.plies.iter().fold(start, |key, ply| mix(key ^ u64::from(ply.mv.bits())));
        key.is_multiple_of(self.one_in)
    }
}

/// Where the games go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outputs<'a> {
    pub training: &'a Path,
    pub held_out: &'a Path,
    /// Start anew where the files exist; else that is an error.
    pub overwrite: bool,
}

impl Outputs<'_> {
    /// Makes both files or neither.
    fn create(&self, inputs: &[PathBuf]) -> Result<[Writer; 2], FileError> {
        let Outputs { training, held_out, overwrite } = *self;
        if same_file(training, held_out) {
            return Err(FileError::of_file(held_out, "is the training file too, expected another"));
        }
        for path in [training, held_out] {
            if inputs.iter().any(|input| same_file(input, path)) {
                return Err(FileError::of_file(path, "is an input too, expected another file"));
            }
            if !overwrite && path.exists() {
                return Err(FileError::of_file(path, "exists; --overwrite starts anew"));
            }
        }
        let header = Header::default();
        Ok([Writer::create(training, &header, overwrite)?, Writer::create(held_out, &header, overwrite)?])
    }
}

/// Whether two paths name one file, whether it exists or not.
fn same_file(one: &Path, other: &Path) -> bool {
    let absolute = |path: &Path| path.canonicalize().or_else(|_| std::path::absolute(path)).ok();
    one == other || absolute(one).is_some_and(|one| absolute(other) == Some(one))
}

/// Sends the held-out games to their file, the others to the training file; answers how many each got.
pub fn split(
    inputs: &[PathBuf],
    outputs: &Outputs<'_>,
    choice: HeldOut,
    broken: &mut dyn FnMut(FileError),
) -> Result<[u64; 2], FileError> {
    let mut writers = outputs.create(inputs)?;
    let mut failure = None;
    for path in inputs {
        let visit = |game| {
            if failure.is_none() {
                failure = writers[usize::from(choice.has(&game))].write(&game).err();
            }
        };
        read_all(path, visit, &mut *broken)?;
    }
    if let Some(error) = failure {
        return Err(error);
    }
    for writer in &mut writers {
        writer.flush()?;
    }
    Ok(writers.map(|writer| writer.games()))
}

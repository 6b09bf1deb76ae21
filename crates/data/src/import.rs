//! Games from elsewhere, as positions only: nobody's scores come along, and their results are not used as labels.

use crate::file::{FileError, Header, Writer};
use crate::game::{Ending, GameRecord, GameResult, Ply, UNSCORED};
use crate::game_lines::GameLine;
use chess::Position;
use std::path::{Path, PathBuf};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Imported {
    pub games: u64,
    pub plies: u64,
    pub refused: u64,
    pub first_refusal: Option<String>,
}

/// Reads files of one game a line into a new file of games; at most `most` games of each.
pub fn import(inputs: &[PathBuf], most: u64, out: &Path, overwrite: bool) -> Result<Imported, FileError> {
    if !overwrite && out.exists() {
        return Err(FileError::of_file(out, "exists; --overwrite starts anew"));
    }
    let mut writer = Writer::create(out, &Header::default(), overwrite)?;
    let mut done = Imported::default();
    let mut failure = None;
    for path in inputs {
        let mut taken = 0;
        let read = crate::game_lines::read(path, |line| {
            if taken >= most || failure.is_some() {
                return;
            }
            taken += 1;
            match record(&line) {
                Ok(game) => {
                    done.games += 1;
                    done.plies += game.plies.len() as u64;
                    failure = writer.write(&game).err();
                }
                Err(reason) => {
                    done.refused += 1;
                    done.first_refusal
                        .get_or_insert_with(|| format!("{}, game {taken}: {reason}", path.display()));
                }
            }
        });
        read.map_err(|error| FileError::of_file(path, error.to_string()))?;
    }
    match failure {
        Some(error) => Err(error),
        None => writer.flush().map(|()| done),
    }
}

fn record(line: &GameLine) -> Result<GameRecord, String> {
    let start = if line.start.is_empty() {
        Position::default()
    } else {
        Position::from_fen_lenient(&line.start).map_err(|error| error.to_string())?.0
    };
    let mut position = start.clone();
    let mut plies = Vec::new();
    for word in line.moves.split_whitespace() {
        let mv = position.parse_uci(word).map_err(|error| format!("ply {}: {error}", plies.len()))?;
        plies.push(Ply { mv, score: UNSCORED });
        position.play(mv);
    }
    let result = match line.result {
        result if result > 0.75 => GameResult::WhiteWon,
        result if result < 0.25 => GameResult::BlackWon,
        _ => GameResult::Draw,
    };
    Ok(GameRecord { start, plies, result, ending: Ending::Rules })
}

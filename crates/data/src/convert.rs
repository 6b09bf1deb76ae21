//! From games to samples, on several threads, in an order that does not depend on their number.

use crate::file::{Block, FileError, Reader};
use crate::filter::exclusion;
use crate::game::GameRecord;
use crate::lambda_return::TdLambda;
use crate::sample::{GameLabel, Label, SAMPLE_BYTES, sample};
use crate::split::HeldOut;
use chess::Position;
use common::Random;
use eval::hce::Evaluator;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::thread::{Builder, ScopedJoinHandle};

#[derive(Clone, PartialEq, Debug)]
pub struct Conversion {
    pub td: TdLambda,
    /// One game in so many goes to the held-out file; 0: none.
    pub one_in: u64,
    /// Moves tried from each position whose children are labelled by the evaluator alone; 0: the games' own positions
    /// with the search's scores.
    pub children: usize,
    pub seed: u64,
    pub threads: usize,
}

/// What came of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Converted {
    pub games: u64,
    pub plies: u64,
    pub training: u64,
    pub held_out: u64,
    /// Blocks that could not be read, and why.
    pub broken: Vec<String>,
}

/// Blocks handed to the threads at a time.
const CHUNK: usize = 64;

/// Converts files of games; `held_out` takes the samples of the games that are kept out of training.
pub fn convert(
    inputs: &[PathBuf],
    conversion: &Conversion,
    training: &Path,
    held_out: Option<&Path>,
) -> Result<Converted, FileError> {
    let mut done = Converted::default();
    let mut training = Output::create(training)?;
    let mut held_out = held_out.map(Output::create).transpose()?;
    for (number, path) in inputs.iter().enumerate() {
        let mut reader = Reader::open(path)?;
        let mut index = 0;
        loop {
            let mut blocks = Vec::with_capacity(CHUNK);
            let mut ended = false;
            while blocks.len() < CHUNK {
                let before = reader.offset();
                match reader.next_block() {
                    Ok(Some(block)) => {
                        blocks.push((index, block));
                        index += 1;
                    }
                    Ok(None) => ended = true,
                    Err(error) => {
                        done.broken.push(error.to_string());
                        ended = reader.offset() == before;
                    }
                }
                if ended {
                    break;
                }
            }
            for part in on_threads(&blocks, number as u64, conversion) {
                let part = match part {
                    Ok(part) => part,
                    Err(error) => {
                        done.broken.push(error.to_string());
                        continue;
                    }
                };
                done.games += part.games;
                done.plies += part.plies;
                done.training += training.write(&part.training)?;
                if let Some(held_out) = &mut held_out {
                    done.held_out += held_out.write(&part.held_out)?;
                }
            }
            if ended {
                break;
            }
        }
    }
    training.finish()?;
    held_out.map_or(Ok(()), Output::finish)?;
    Ok(done)
}

struct Output {
    file: BufWriter<File>,
    path: PathBuf,
    written: u64,
}

impl Output {
    fn create(path: &Path) -> Result<Output, FileError> {
        let fault = |error| FileError::of_file(path, format!("cannot be made: {error}"));
        let file = File::create(path).map_err(fault)?;
        Ok(Output { file: BufWriter::with_capacity(1 << 20, file), path: path.to_path_buf(), written: 0 })
    }

    fn fault(&self, error: &std::io::Error) -> FileError {
        FileError {
            path: self.path.clone(),
            offset: self.written,
            what: format!("could not be written: {error}"),
        }
    }

    /// Answers the number of samples.
    fn write(&mut self, bytes: &[u8]) -> Result<u64, FileError> {
        self.file.write_all(bytes).map_err(|error| self.fault(&error))?;
        self.written += bytes.len() as u64;
        Ok((bytes.len() / SAMPLE_BYTES) as u64)
    }

    fn finish(mut self) -> Result<(), FileError> {
        self.file.flush().map_err(|error| self.fault(&error))
    }
}

/// What one block gave.
#[derive(Default)]
struct Part {
    games: u64,
    plies: u64,
    training: Vec<u8>,
    held_out: Vec<u8>,
}

fn on_threads(blocks: &[(u64, Block)], file: u64, conversion: &Conversion) -> Vec<Result<Part, FileError>> {
    let share = blocks.len().div_ceil(conversion.threads.max(1)).max(1);
    std::thread::scope(|scope| {
        let convert = |share: &[(u64, Block)]| {
            let mut evaluator = Evaluator::default();
            share.iter().map(|block| one_block(block, file, conversion, &mut evaluator)).collect::<Vec<_>>()
        };
        // A share for which the system gives no thread is converted here.
        let shares: Vec<_> = blocks
            .chunks(share)
            .map(|share| {
                Builder::new().spawn_scoped(scope, move || convert(share)).map_err(|_| convert(share))
            })
            .collect();
        let parts = |share: Result<ScopedJoinHandle<'_, Vec<_>>, Vec<_>>| match share {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(here) => here,
        };
        shares.into_iter().flat_map(parts).collect()
    })
}

fn one_block(
    (index, block): &(u64, Block),
    file: u64,
    conversion: &Conversion,
    evaluator: &mut Evaluator,
) -> Result<Part, FileError> {
    let mut random = Random::of_game(conversion.seed, file as u32, *index);
    let choice = HeldOut { one_in: conversion.one_in, seed: conversion.seed };
    let mut part = Part::default();
    for game in block.games()? {
        part.games += 1;
        part.plies += game.plies.len() as u64;
        let out = if choice.has(&game) { &mut part.held_out } else { &mut part.training };
        if conversion.children == 0 {
            positions(&game, conversion.td, out);
        } else {
            children(&game, conversion, evaluator, &mut random, out);
        }
    }
    Ok(part)
}

/// The positions of a game with the search's scores.
fn positions(game: &GameRecord, td: TdLambda, out: &mut Vec<u8>) {
    let returns = td.returns(game);
    let mut returns = returns.iter();
    game.walk(|position, ply| {
        let Some(&lambda_return) = returns.next() else { return };
        if exclusion(position, ply).is_none() {
            let half_points = game.result.half_points(position.turn());
            let game = Some(GameLabel { half_points, lambda_return });
            out.extend_from_slice(&sample(position, Label { game, ..Label::of_score(ply.score) }));
        }
    });
}

/// Positions one random move beside the game, as a search meets them, with the evaluator's score.
fn children(
    game: &GameRecord,
    conversion: &Conversion,
    evaluator: &mut Evaluator,
    random: &mut Random,
    out: &mut Vec<u8>,
) {
    let mut label = |position: &Position| {
        if position.in_check() || !position.has_legal_move() {
            return;
        }
        let score = evaluator.evaluate(position) as i16;
        out.extend_from_slice(&sample(position, Label::of_score(score)));
    };
    game.walk(|position, _| {
        label(position);
        let moves = position.legal_moves();
        for _ in 0..conversion.children {
            if !moves.is_empty() {
                label(&position.after(moves[random.below(moves.len())]));
            }
        }
    });
}

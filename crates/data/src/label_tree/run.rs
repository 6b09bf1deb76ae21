//! Labelling whole files of games on several threads, in an order that does not depend on their number. Stopped, it goes
//! on where it was.

use super::progress::{Output, Progress, Samples};
use super::tree::{TreeLabeller, TreeLabels};
use crate::file::{Block, FileError, Reader};
use crate::split::HeldOut;
use chess::Game;
use common::Random;
use eval::Evaluation;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is labelled, and where the samples go.
#[derive(Clone, PartialEq, Debug)]
pub struct LabelTree {
    pub inputs: Vec<PathBuf>,
    pub out: PathBuf,
    /// The samples of one game in so many go there instead.
    pub held_out: Option<(PathBuf, u64)>,
    pub labels: TreeLabels,
    pub evaluation: Evaluation,
    pub seed: u64,
    pub threads: usize,
    /// Size of each thread's table.
    pub megabytes: usize,
}

/// Blocks searched between two writes, for each thread.
const CHUNK: usize = 4;

/// Searches positions of the games and writes the samples of their trees; `report` is called with what is there at first,
/// and after every chunk. Killed and started again, it goes on behind the last whole chunk.
pub fn label_tree(
    settings: &LabelTree,
    report: &mut dyn FnMut(&Progress),
    broken: &mut dyn FnMut(FileError),
) -> Result<Progress, FileError> {
    let mut blocks = Vec::new();
    for (number, path) in settings.inputs.iter().enumerate() {
        read_blocks(path, number as u32, &mut blocks, broken)?;
    }
    let output = output_of(settings);
    let mut done = output.open(blocks.len() as u64)?;
    let mut labellers = Vec::new();
    for _ in 0..settings.threads.max(1) {
        let labeller = TreeLabeller::new(settings.labels, &settings.evaluation, settings.megabytes)
            .map_err(|error| FileError::of_file(&settings.out, error.to_string()))?;
        labellers.push(labeller);
    }
    report(&done);
    while (done.blocks as usize) < blocks.len() {
        let rest = &blocks[done.blocks as usize..];
        let chunk = &rest[..rest.len().min(CHUNK * labellers.len())];
        for samples in label_chunk(chunk, settings, &mut labellers) {
            match samples {
                Ok(samples) => output.append(&mut done, &samples)?,
                Err(error) => broken(error),
            }
            done.blocks += 1;
        }
        output.save(&done)?;
        report(&done);
    }
    Ok(done)
}

/// A block, and where it stands: the number of its file and its own.
type Input = (u32, u64, Block);

fn read_blocks(
    path: &Path,
    file: u32,
    blocks: &mut Vec<Input>,
    broken: &mut dyn FnMut(FileError),
) -> Result<(), FileError> {
    let mut reader = Reader::open(path)?;
    for number in 0.. {
        let before = reader.offset();
        match reader.next_block() {
            Ok(None) => break,
            Ok(Some(block)) => blocks.push((file, number, block)),
            Err(error) => {
                let stuck = reader.offset() == before;
                broken(error);
                if stuck {
                    break;
                }
            }
        }
    }
    Ok(())
}

fn label_chunk(
    inputs: &[Input],
    settings: &LabelTree,
    labellers: &mut [TreeLabeller],
) -> Vec<Result<Samples, FileError>> {
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<Result<Samples, FileError>>>> =
        inputs.iter().map(|_| Mutex::new(None)).collect();
    let work = |labeller: &mut TreeLabeller| {
        while let Some(place) =
            Some(next.fetch_add(1, Ordering::Relaxed)).filter(|place| *place < inputs.len())
        {
            let samples = one_block(&inputs[place], settings, labeller);
            if let Ok(mut slot) = results[place].lock() {
                *slot = Some(samples);
            }
        }
    };
    let Some((first, others)) = labellers.split_first_mut() else { return Vec::new() };
    std::thread::scope(|scope| {
        for labeller in others {
            // Where the system gives fewer threads, fewer blocks are labelled at a time.
            if std::thread::Builder::new().spawn_scoped(scope, || work(labeller)).is_err() {
                break;
            }
        }
        work(first);
    });
    // Every place was taken by some thread, or the scope has panicked.
    results.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect()
}

fn one_block(
    (file, number, block): &Input,
    settings: &LabelTree,
    labeller: &mut TreeLabeller,
) -> Result<Samples, FileError> {
    let mut random = Random::of_game(settings.seed, *file, *number);
    let one_in = settings.held_out.as_ref().map_or(0, |(_, one_in)| *one_in);
    let choice = HeldOut { one_in, seed: settings.seed };
    let mut samples = Samples::default();
    for record in block.games()? {
        let out = if choice.has(&record) { &mut samples.held_out } else { &mut samples.training };
        // A game starts with a clean table, so that it gives the same samples whatever came before.
        labeller.clear();
        let first = random.below(settings.labels.every.max(1));
        let mut game = Game::new(record.start.clone());
        for (ply, step) in record.plies.iter().enumerate() {
            if ply % settings.labels.every.max(1) == first && game.outcome().is_none() {
                labeller.search(&game, out);
            }
            if game.play(step.mv).is_err() {
                break;
            }
        }
    }
    Ok(samples)
}

/// The files of a run, and the words that identify it.
fn output_of(settings: &LabelTree) -> Output<'_> {
    let LabelTree { inputs, out, held_out, labels, evaluation, seed, .. } = settings;
    let names: Vec<_> = inputs.iter().map(|path| path.display().to_string()).collect();
    let one_in = held_out.as_ref().map_or(0, |(_, one_in)| *one_in);
    let TreeLabels { nodes, depth, every } = labels;
    let evaluation = match evaluation.checksum() {
        0 => "the hand-crafted evaluation".to_string(),
        network => format!("network {network:08x}"),
    };
    let how = format!("nodes {nodes} depth {depth} every {every} one-in {one_in} seed {seed}");
    let plan = format!("{how} by {evaluation} of {}", names.join(" "));
    Output::new(out, held_out.as_ref().map(|(path, _)| path.as_path()), &plan)
}

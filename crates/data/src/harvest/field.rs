//! Harvesting whole files of games, on several threads, in an order that does not depend on their number; stopped, it goes on where it was.

use super::{Reap, Reaper};
use crate::file::{Block, FileError, Reader};
use crate::sample::SAMPLE_BYTES;
use chess::Game;
use common::Random;
use eval::Evaluation;
use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is harvested, and where to.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    pub inputs: Vec<PathBuf>,
    pub out: PathBuf,
    /// The samples of one game in so many go there instead.
    pub held_out: Option<(PathBuf, u64)>,
    pub reap: Reap,
    pub evaluation: Evaluation,
    pub seed: u64,
    pub threads: usize,
    /// Size of each thread's table.
    pub megabytes: usize,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Yield {
    pub blocks: u64,
    pub all_blocks: u64,
    pub samples: u64,
    pub held_out: u64,
}

/// Blocks searched between two writes, for each thread.
const CHUNK: usize = 4;

/// Searches positions of the games and writes the samples of their trees; `report` hears of what is there at first, and of every chunk. Killed and started again, it goes
/// on behind the last whole chunk.
pub fn harvest(
    field: &Field,
    report: &mut dyn FnMut(&Yield),
    broken: &mut dyn FnMut(FileError),
) -> Result<Yield, FileError> {
    let mut blocks = Vec::new();
    for (number, path) in field.inputs.iter().enumerate() {
        read_blocks(path, number as u32, &mut blocks, broken)?;
    }
    let barn = Barn::new(field);
    let mut done = barn.open(blocks.len() as u64)?;
    let mut reapers = Vec::new();
    for _ in 0..field.threads.max(1) {
        let reaper = Reaper::new(field.reap, &field.evaluation, field.megabytes)
            .map_err(|error| fault(&field.out, error.to_string()))?;
        reapers.push(reaper);
    }
    report(&done);
    while (done.blocks as usize) < blocks.len() {
        let rest = &blocks[done.blocks as usize..];
        let chunk = &rest[..rest.len().min(CHUNK * reapers.len())];
        for sheaf in on_threads(chunk, field, &mut reapers) {
            match sheaf {
                Ok(sheaf) => barn.store(&mut done, &sheaf)?,
                Err(error) => broken(error),
            }
            done.blocks += 1;
        }
        barn.note(&done)?;
        report(&done);
    }
    Ok(done)
}

/// A block, and where it stands: the number of its file and its own.
type Plot = (u32, u64, Block);

fn read_blocks(
    path: &Path,
    file: u32,
    blocks: &mut Vec<Plot>,
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

/// The samples of one block.
#[derive(Default)]
struct Sheaf {
    training: Vec<u8>,
    held_out: Vec<u8>,
}

fn on_threads(plots: &[Plot], field: &Field, reapers: &mut [Reaper]) -> Vec<Result<Sheaf, FileError>> {
    let next = AtomicUsize::new(0);
    let sheaves: Vec<Mutex<Option<Result<Sheaf, FileError>>>> =
        plots.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for reaper in reapers {
            let (next, sheaves) = (&next, &sheaves);
            scope.spawn(move || {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(plot) = plots.get(place) else { break };
                    let sheaf = one_block(plot, field, reaper);
                    if let Ok(mut slot) = sheaves[place].lock() {
                        *slot = Some(sheaf);
                    }
                }
            });
        }
    });
    // Every place was taken by some thread, or the scope has panicked.
    sheaves.into_iter().filter_map(|slot| slot.into_inner().ok().flatten()).collect()
}

fn one_block((file, number, block): &Plot, field: &Field, reaper: &mut Reaper) -> Result<Sheaf, FileError> {
    let mut random = Random::of_game(field.seed, *file, *number);
    let mut sheaf = Sheaf::default();
    for record in block.games()? {
        let one_in = field.held_out.as_ref().map(|(_, one_in)| *one_in);
        let is_kept_out = one_in.is_some_and(|one_in| random.next_u64().is_multiple_of(one_in));
        let out = if is_kept_out { &mut sheaf.held_out } else { &mut sheaf.training };
        // A game starts with a clean table, so that it gives the same samples whatever came before.
        reaper.clear();
        let first = random.below(field.reap.every.max(1));
        let mut game = Game::new(record.start.clone());
        for (ply, step) in record.plies.iter().enumerate() {
            if ply % field.reap.every.max(1) == first && game.outcome().is_none() {
                reaper.search(&game, out);
            }
            if game.play(step.mv).is_err() {
                break;
            }
        }
    }
    Ok(sheaf)
}

/// The files a harvest goes to, and the note beside them of how far it has come.
struct Barn<'a> {
    field: &'a Field,
    note: PathBuf,
}

impl<'a> Barn<'a> {
    fn new(field: &'a Field) -> Self {
        let mut note = field.out.clone().into_os_string();
        note.push(".progress");
        Barn { field, note: note.into() }
    }

    /// What is searched, in words: another harvest is not continued.
    fn plan(&self) -> String {
        let Field { inputs, held_out, reap, evaluation, seed, .. } = self.field;
        let names: Vec<_> = inputs.iter().map(|path| path.display().to_string()).collect();
        let one_in = held_out.as_ref().map_or(0, |(_, one_in)| *one_in);
        let Reap { nodes, depth, every } = reap;
        let by = match evaluation.checksum() {
            0 => "the hand-crafted evaluation".to_string(),
            network => format!("network {network:08x}"),
        };
        let how = format!("nodes {nodes} depth {depth} every {every} hold-out {one_in} seed {seed}");
        format!("{how} by {by} of {}", names.join(" "))
    }

    /// Cuts the files back to what the note vouches for.
    fn open(&self, all_blocks: u64) -> Result<Yield, FileError> {
        let mut done = Yield { all_blocks, ..Yield::default() };
        if let Ok(text) = std::fs::read_to_string(&self.note) {
            let (figures, plan) = text.trim_end().split_once('\n').unwrap_or_default();
            let figures: Vec<u64> = figures.split(' ').filter_map(|figure| figure.parse().ok()).collect();
            let [blocks, samples, held_out] = figures[..] else {
                return Err(fault(&self.note, "expected three numbers in its first line"));
            };
            if plan != self.plan() {
                let what = format!("is of another harvest ({plan}), expected {}", self.plan());
                return Err(fault(&self.note, what));
            }
            done = Yield { blocks, samples, held_out, ..done };
        }
        cut(&self.field.out, done.samples)?;
        if let Some((path, _)) = &self.field.held_out {
            cut(path, done.held_out)?;
        }
        Ok(done)
    }

    fn store(&self, done: &mut Yield, sheaf: &Sheaf) -> Result<(), FileError> {
        done.samples += append(&self.field.out, &sheaf.training)?;
        if let Some((path, _)) = &self.field.held_out {
            done.held_out += append(path, &sheaf.held_out)?;
        }
        Ok(())
    }

    /// Written aside and renamed, so that it is whole whenever it is there.
    fn note(&self, done: &Yield) -> Result<(), FileError> {
        let text = format!("{} {} {}\n{}\n", done.blocks, done.samples, done.held_out, self.plan());
        let part = self.note.with_extension("part");
        let written = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, &self.note));
        written.map_err(|error| fault(&self.note, format!("could not be written: {error}")))
    }
}

fn fault(path: &Path, what: impl Into<String>) -> FileError {
    FileError { path: path.to_path_buf(), offset: 0, what: what.into() }
}

fn writable(path: &Path) -> Result<File, FileError> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| fault(path, format!("cannot be opened for writing: {error}")))
}

fn cut(path: &Path, samples: u64) -> Result<(), FileError> {
    let length = samples * SAMPLE_BYTES as u64;
    let file = writable(path)?;
    let there = file.metadata().map_err(|error| fault(path, error.to_string()))?.len();
    if there < length {
        let what = format!("{there} bytes, expected the {length} of an earlier run");
        return Err(fault(path, what));
    }
    file.set_len(length).map_err(|error| fault(path, error.to_string()))
}

/// Answers the number of samples.
fn append(path: &Path, bytes: &[u8]) -> Result<u64, FileError> {
    let mut file = writable(path)?;
    let written = file.seek(SeekFrom::End(0)).and_then(|_| file.write_all(bytes));
    written.map_err(|error| fault(path, format!("could not be written: {error}")))?;
    Ok((bytes.len() / SAMPLE_BYTES) as u64)
}

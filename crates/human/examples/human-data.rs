//! Games for the trainer.
//!
//!     human-data pack < games.tsv > games.bin
//!     human-data expand games.bin FOLDER [KEEP-ONE-IN]
//!     human-data openings < games.tsv > openings.bin

use human::dataset::{Expanded, GameRecord, PackedGame, Packer, expand, unpack};
use human::openings::{Counter, Openings};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["pack"] => pack(),
        ["openings"] => openings(),
        ["expand", input, folder] => expand_all(input, Path::new(folder), 1),
        ["expand", input, folder, one_in] => expand_all(input, Path::new(folder), one_in.parse()?),
        _ => Err("expected 'pack', 'openings' or 'expand FILE FOLDER [KEEP-ONE-IN]'".into()),
    }
}

fn pack() -> Outcome<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut packer = Packer::default();
    let mut out = Vec::new();
    text.lines().for_each(|line| packer.meet(line));
    // A refused line is counted; the tally tells how many.
    text.lines().for_each(|line| packer.pack(line, &mut out).unwrap_or_default());
    std::io::stdout().write_all(&out)?;
    eprintln!("{:?}, {} bytes", packer.tally(), out.len());
    Ok(())
}

/// Counts the games of everyone who is not held out for testing or validation (buckets 0 to 4).
fn openings() -> Outcome<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut counter = Counter::default();
    let records = text.lines().filter_map(|line| GameRecord::parse(line).ok());
    records.filter(|game| game.players.iter().all(|id| id.bucket() > 4)).for_each(|game| counter.add(&game));
    let table = counter.table();
    std::io::stdout().write_all(&table)?;
    eprintln!("{} positions, {} bytes", Openings::from_bytes(&table)?.positions(), table.len());
    Ok(())
}

fn expand_all(input: &str, folder: &Path, one_in: usize) -> Outcome<()> {
    let bytes = std::fs::read(input)?;
    let games = unpack(&bytes).step_by(one_in.max(1)).collect::<Result<Vec<_>, _>>();
    let games = games.map_err(|at| format!("{input}: the game at byte {at} runs past the end"))?;
    let parts = expand_parallel(&games)?;
    let write = |name: &str, field: fn(&Expanded) -> &[u8]| -> Outcome<()> {
        let mut file = BufWriter::new(File::create(folder.join(name))?);
        for part in &parts {
            file.write_all(field(part))?;
        }
        Ok(file.flush()?)
    };
    write("boards", |part| &part.boards)?;
    write("ply", |part| &part.ply)?;
    write("game", |part| &part.game)?;
    write("count", |part| &part.count)?;
    write("target", |part| &part.target)?;
    write("extra", |part| &part.extra)?;
    write("mv", |part| &part.moves)?;
    write("clock", |part| &part.clock)?;
    write("legal", |part| &part.legal)?;
    // Headers without the count of plies: sixteen bytes a game.
    let headers: Vec<u8> = games.iter().flat_map(|game| game.header[..16].iter().copied()).collect();
    std::fs::write(folder.join("games"), headers)?;
    eprintln!("{} games expanded", games.len());
    Ok(())
}

/// Every core takes the next chunk of games; the parts come back in the order of the games.
fn expand_parallel(games: &[PackedGame<'_>]) -> Outcome<Vec<Expanded>> {
    const CHUNK: usize = 512;
    let threads = std::thread::available_parallelism()?.get();
    let chunks: Vec<&[PackedGame<'_>]> = games.chunks(CHUNK).collect();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Expanded)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| -> Outcome<()> {
        let work = || -> Outcome<()> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(chunk) = chunks.get(number) else { return Ok(()) };
                let mut part = Expanded::default();
                for (offset, game) in chunk.iter().enumerate() {
                    let id = number * CHUNK + offset;
                    expand(game, id as u32, &mut part)
                        .map_err(|ply| format!("game {id}, ply {ply}: no such move"))?;
                }
                done.lock().unwrap_or_else(PoisonError::into_inner).push((number, part));
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a worker stopped")?)
    })?;
    let mut parts = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    parts.sort_by_key(|(number, _)| *number);
    Ok(parts.into_iter().map(|(_, part)| part).collect())
}

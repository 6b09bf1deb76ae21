//! Games for the trainer.
//!
//!     human-data pack < games.tsv > games.bin
//!     human-data expand games.bin FOLDER [KEEP-ONE-IN]
//!     human-data openings < games.tsv > openings.bin
//!     human-data small-policy games.bin FOLDER TRAIN-ONE-IN TEST-ONE-IN [SECONDS]
//!
//! `small-policy` writes the training data of the small policy (`trainer/human/small_policy.py` reads it): in `positions` twelve bytes each
//! (0 training, 1 validation, 2 test; source; then 16-bit rating, ply, number of legal moves, number of the one played, and whether a
//! teacher probability exists), in `rows` for each legal move 32-bit numbers: the losses at each depth, the move features, piece and squares, the teacher's
//! probability; in `position_features` for each position the best value at each depth and the features of the position. After SECONDS no
//! further games are begun: shuffle the games before they are packed.

use chess::Game;
use eval::Evaluator;
use human_model::dataset::{Expanded, GameRecord, PackedGame, Packer, expand, ordered_moves, unpack};
use human_model::openings::{Counter, Openings};
use human_model::oracle::PoolOracle;
use human_model::reply::{ReplyModel, Situation};
use human_model::small_policy::{DepthLosses, PositionFeatures, move_features, training_evaluation};
use kernel::clock::ManualClock;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["pack"] => pack(),
        ["openings"] => openings(),
        ["expand", input, folder] => expand_all(input, Path::new(folder), 1),
        ["expand", input, folder, one_in] => expand_all(input, Path::new(folder), one_in.parse()?),
        ["small-policy", input, folder, train, test] => {
            small_policy_data(input, Path::new(folder), [train.parse()?, test.parse()?], u64::MAX)
        }
        ["small-policy", input, folder, train, test, seconds] => {
            small_policy_data(input, Path::new(folder), [train.parse()?, test.parse()?], seconds.parse()?)
        }
        _ => Err("expected 'pack', 'openings', 'expand FILE FOLDER [KEEP-ONE-IN]' or 'small-policy FILE FOLDER TRAIN-ONE-IN TEST-ONE-IN [SECONDS]'".into()),
    }
}

fn pack() -> Outcome<()> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mut packer = Packer::default();
    let mut out = Vec::new();
    text.lines().for_each(|line| packer.count_players(line));
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

/// What one game gives to the small model.
#[derive(Default)]
struct SmallPolicyData {
    positions: Vec<u8>,
    rows: Vec<f32>,
    position_features: Vec<f32>,
}

/// Plies from which on the model is trained and judged.
const FIRST_PLY: usize = 10;

/// Every core takes the next games. A hash of game and ply decides which positions are kept, so the sample does not depend on the cores.
fn small_policy_data(input: &str, folder: &Path, one_in: [u64; 2], seconds: u64) -> Outcome<()> {
    const CHUNK: usize = 16;
    let bytes = std::fs::read(input)?;
    let games = unpack(&bytes).collect::<Result<Vec<_>, _>>();
    let games = games.map_err(|at| format!("{input}: the game at byte {at} runs past the end"))?;
    let model = ReplyModel::shared()?;
    let (began, chunks) = (Instant::now(), games.len().div_ceil(CHUNK));
    let threads = std::thread::available_parallelism()?.get();
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, SmallPolicyData)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| -> Outcome<()> {
        let work = || -> Outcome<()> {
            let mut writer = SampleWriter {
                evaluator: training_evaluation().evaluator(),
                oracle: PoolOracle::new(1, Arc::new(ManualClock::new()), &training_evaluation())?,
            };
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(chunk) = games.chunks(CHUNK).nth(number) else { return Ok(()) };
                if began.elapsed().as_secs() >= seconds {
                    return Ok(());
                }
                let mut part = SmallPolicyData::default();
                for (offset, game) in chunk.iter().enumerate() {
                    let id = (number * CHUNK + offset) as u64;
                    writer.add(game, id, one_in, model, &mut part)?;
                }
                let mut finished = done.lock().unwrap_or_else(PoisonError::into_inner);
                finished.push((number, part));
                if finished.len().is_multiple_of(chunks.div_ceil(20).max(1)) {
                    let spent = began.elapsed().as_secs_f64();
                    let left = spent / finished.len() as f64 * (chunks - finished.len()) as f64;
                    eprintln!(
                        "{:.0} % of the games, {left:.0} s left",
                        100.0 * finished.len() as f64 / chunks as f64
                    );
                }
            }
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().map_err(|_| "a worker stopped")?)
    })?;
    let mut parts = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    parts.sort_by_key(|(number, _)| *number);
    let write = |name: &str, field: &dyn Fn(&SmallPolicyData) -> Vec<u8>| -> Outcome<()> {
        let mut file = BufWriter::new(File::create(folder.join(name))?);
        for (_, part) in &parts {
            file.write_all(&field(part))?;
        }
        Ok(file.flush()?)
    };
    let flat = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    write("positions", &|part| part.positions.clone())?;
    write("rows", &|part| flat(&part.rows))?;
    write("position_features", &|part| flat(&part.position_features))?;
    eprintln!("{} positions", parts.iter().map(|(_, part)| part.positions.len() / 12).sum::<usize>());
    Ok(())
}

struct SampleWriter {
    evaluator: Evaluator,
    oracle: PoolOracle,
}

impl SampleWriter {
    fn add(
        &mut self,
        packed: &PackedGame<'_>,
        id: u64,
        one_in: [u64; 2],
        model: &ReplyModel,
        out: &mut SmallPolicyData,
    ) -> Outcome<()> {
        let held_out = packed.buckets().iter().any(|bucket| *bucket < 5);
        let mut game = Game::default();
        for (ply, choice) in packed.numbers.iter().enumerate() {
            let moves = ordered_moves(game.position());
            let mv = *moves.get(usize::from(*choice)).ok_or("no such move")?;
            let set = match (packed.buckets()[ply % 2], held_out) {
                (0..=3, _) => Some(2u8),
                (4, _) => Some(1),
                // The reserved teach another model.
                (5..=16, _) | (_, true) => None,
                _ => Some(0),
            };
            let hash = (id * 1024 + ply as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            if let Some(set) = set
                && ply >= FIRST_PLY
                && moves.len() > 1
                && hash < (1 << 24) / one_in[usize::from(set > 0)].max(1)
                && let Some(circumstances) = packed.circumstances(ply)
            {
                self.oracle.clear();
                let depth_losses = DepthLosses::search(&game, &moves, &mut self.evaluator, &mut self.oracle)
                    .map_err(|_| "stopped")?;
                let teacher = (set == 0).then(|| model.replies(&Situation::of(&game), &circumstances));
                out.positions.extend([set, packed.header[0]]);
                for word in [
                    circumstances.rating.points(),
                    ply as u16,
                    moves.len() as u16,
                    u16::from(*choice),
                    u16::from(teacher.is_some()),
                ] {
                    out.positions.extend(word.to_le_bytes());
                }
                out.position_features.extend(depth_losses.best);
                out.position_features
                    .extend(PositionFeatures::of(game.position(), moves.len(), &circumstances).0);
                let drawn = move_features(game.position(), game.moves(), &moves);
                for ((features, losses), mv) in drawn.iter().zip(&depth_losses.losses).zip(&moves) {
                    out.rows.extend(losses);
                    out.rows.extend(features.numbers);
                    let places = [features.piece.index(), features.from.index(), features.to.index()];
                    out.rows.extend(places.map(|place| place as f32));
                    out.rows.push(teacher.as_ref().map_or(0.0, |replies| replies.probability(*mv)));
                }
            }
            game.play(mv)?;
        }
        Ok(())
    }
}

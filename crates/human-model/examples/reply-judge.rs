//! The shipped network and opening table on players they never saw (buckets 0 to 3), end to end in Rust.
//!
//!     zstd -dc human/*.tsv.zst | reply-judge ONE-POSITION-IN
//!     zstd -dc human/*.tsv.zst | reply-judge ONE-POSITION-IN SECOND.bin
//!
//! With a file: the held-out network, its temperature fitted on the validation players (bucket 4), then judged on the others, by band.

use chess::{Game, Move};
use human_model::dataset::GameRecord;
use human_model::openings::{Openings, RatingBand};
use human_model::reply::{Circumstances, Clocks, HeldOutModel, Rating, ReplyModel, Situation};
use std::error::Error;
use std::io::BufRead;

#[derive(Default)]
struct Sum {
    positions: f64,
    hits: f64,
    loss: f64,
}

impl Sum {
    fn add(&mut self, hit: bool, probability: f32) {
        self.positions += 1.0;
        self.hits += f64::from(u8::from(hit));
        self.loss -= f64::from(probability.max(1e-9)).ln();
    }

    fn show(&self, name: &str) {
        let share = self.hits / self.positions;
        let deviation = (share * (1.0 - share) / self.positions).sqrt();
        println!(
            "{name}: {} positions, top-1 {:.2} % (+-{:.2}), {:.4} nats",
            self.positions,
            100.0 * share,
            196.0 * deviation,
            self.loss / self.positions
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let one_in: u64 = std::env::args().nth(1).ok_or("expected: one position in how many")?.parse()?;
    if let Some(path) = std::env::args().nth(2) {
        return judge_second(one_in, &HeldOutModel::from_bytes(&std::fs::read(path)?)?);
    }
    let model = ReplyModel::shipped()?;
    let openings = Openings::shipped()?;
    let [mut late, mut early, mut table, mut beside] = std::array::from_fn(|_| Sum::default());
    let mut number = 0u64;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Ok(record) = GameRecord::parse(&line) else { continue };
        let mut game = Game::default();
        for (ply, text) in record.moves.split_whitespace().enumerate() {
            let Ok(mv) = game.position().parse_uci(text) else { break };
            if record.players[ply % 2].bucket() < 4 {
                number += 1;
                // A multiplicative hash spreads the sample over games and plies.
                if number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 < (1 << 24) / one_in
                    && let Some(circumstances) = circumstances(&record, ply)
                {
                    let replies = model.replies(&Situation::of(&game), &circumstances);
                    let hit = |favourite: Option<Move>| favourite == Some(mv);
                    let chance = replies.probability(mv);
                    let favourite = replies.favourite().map(|reply| reply.mv);
                    if ply >= 10 {
                        late.add(hit(favourite), chance);
                    } else {
                        early.add(hit(favourite), chance);
                        let level = RatingBand::of(circumstances.rating, circumstances.scale);
                        let counted = openings.moves(game.position(), level);
                        if let Some(first) = counted.first() {
                            let share =
                                counted.iter().find(|entry| entry.mv == mv).map_or(0.0, |e| e.probability);
                            // One part in fifty for what nobody played: a table alone would lose without bound.
                            let rest = 1.0 / game.position().legal_moves().len() as f32;
                            table.add(hit(Some(first.mv)), 0.98 * share + 0.02 * rest);
                            beside.add(hit(favourite), chance);
                        }
                    }
                }
            }
            game.play(mv)?;
        }
    }
    late.show("network, plies from 10");
    early.show("network, plies 0-9");
    table.show("opening table where it has the position");
    beside.show("network on the same positions");
    Ok(())
}

/// What the held-out network said of one position, at temperature 1.
struct Said {
    is_test: bool,
    band: u16,
    probabilities: Vec<f32>,
    /// The move played among them, likeliest first.
    played: usize,
}

impl Said {
    fn at_temperature(&self, temperature: f32) -> f32 {
        let scaled = |probability: f32| probability.max(1e-12).powf(1.0 / temperature);
        scaled(self.probabilities[self.played]) / self.probabilities.iter().copied().map(scaled).sum::<f32>()
    }
}

fn judge_second(one_in: u64, second: &HeldOutModel) -> Result<(), Box<dyn Error>> {
    let mut all: Vec<Said> = Vec::new();
    let mut number = 0u64;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Ok(record) = GameRecord::parse(&line) else { continue };
        let mut game = Game::default();
        for (ply, text) in record.moves.split_whitespace().enumerate() {
            let Ok(mv) = game.position().parse_uci(text) else { break };
            let bucket = record.players[ply % 2].bucket();
            if bucket < 5 && ply >= 10 {
                number += 1;
                // Validation players are a fifth: they are drawn four times as often.
                let one_in = if bucket == 4 { one_in.div_ceil(4) } else { one_in };
                if number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 < (1 << 24) / one_in
                    && let Some(circumstances) = circumstances(&record, ply)
                {
                    let replies = second.replies_at(&Situation::of(&game), &circumstances, 1.0);
                    let replies = replies.as_slice();
                    all.push(Said {
                        is_test: bucket < 4,
                        band: circumstances.rating.points() / 200 * 200,
                        probabilities: replies.iter().map(|reply| reply.probability).collect(),
                        played: replies
                            .iter()
                            .position(|reply| reply.mv == mv)
                            .ok_or("a move nobody could play")?,
                    });
                }
            }
            game.play(mv)?;
        }
    }
    let sum = |temperature: f32, chosen: &dyn Fn(&Said) -> bool| {
        let mut sum = Sum::default();
        all.iter()
            .filter(|said| chosen(said))
            .for_each(|said| sum.add(said.played == 0, said.at_temperature(temperature)));
        sum
    };
    let mut best = (f64::INFINITY, 1.0);
    for step in 0..=8 {
        let temperature = 1.0 + 0.05 * step as f32;
        let found = sum(temperature, &|said| !said.is_test);
        println!(
            "validation, temperature {temperature:.2}: {:.4} nats of {}",
            found.loss / found.positions,
            found.positions
        );
        if found.loss < best.0 {
            best = (found.loss, temperature);
        }
    }
    println!("temperature {:.2}", best.1);
    sum(best.1, &|said| said.is_test).show("test");
    let bands: std::collections::BTreeSet<u16> = all.iter().map(|said| said.band).collect();
    for band in bands {
        sum(best.1, &|said| said.is_test && said.band == band).show(&format!("test, {band}"));
    }
    Ok(())
}

fn circumstances(record: &GameRecord<'_>, ply: usize) -> Option<Circumstances> {
    let rating = |player: usize| Rating::new(record.ratings[player % 2]).ok();
    let base = record.time_control.map(|control| control.base_seconds);
    let after = |ply: usize| -> Option<f32> {
        let centis: f32 = record.clocks?.split(',').nth(ply)?.parse().ok()?;
        Some(centis / 100.0)
    };
    let clock = |back: usize| ply.checked_sub(back).map_or(record.clocks.and(base), after);
    Some(Circumstances {
        rating: rating(ply)?,
        scale: record.source.scale(),
        opponent: rating(ply + 1),
        time_control: record.time_control,
        clocks: clock(2)
            .zip(clock(1))
            .map(|(own_seconds, opponent_seconds)| Clocks { own_seconds, opponent_seconds }),
    })
}

//! Calibration of the shares that the coach and the page show: "36 % at 1500 play this".
//!
//! The same positions of held-out players are asked about with different knowledge: the rating alone (what is shown
//! where a game tells nothing), an assumed opponent and time control beside it, the real ones (what the coach knows),
//! and the position without its history. The calibration error is the mean distance between said and seen over all moves given 2 % or
//! more, in 20 bins, weighted by moves.

use super::positions::{Faced, is_picked, visit};
use chess::{Game, Move};
use human_model::reply::{Circumstances, Rating, Replies, ReplyModel, Scale, Situation, TimeControl};
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const NAMES: [&str; 4] =
    ["rating alone", "assumed 600+0 and equal opponent", "the game's own", "rating alone, no history"];
/// The place of what the coach knows in [`NAMES`].
const OWN: usize = 2;
const LEAST_SHARE: f32 = 0.02;
const BINS: usize = 20;

struct Case {
    game: Game,
    played: Move,
    rating: u16,
    opponent: u16,
    time_control: Option<TimeControl>,
}

#[derive(Clone, Default)]
struct Tally {
    count: f64,
    hits: f64,
    nats: f64,
    /// Moves, said and seen by bin.
    bins: [[f64; 3]; BINS],
}

impl Tally {
    fn add(&mut self, replies: &Replies, played: Move) {
        self.count += 1.0;
        self.hits += f64::from(u8::from(replies.favourite().is_some_and(|reply| reply.mv == played)));
        self.nats -= f64::from(replies.probability(played)).max(1e-9).ln();
        for reply in replies.as_slice().iter().filter(|reply| reply.probability >= LEAST_SHARE) {
            let bin = &mut self.bins[((reply.probability * BINS as f32) as usize).min(BINS - 1)];
            *bin = [
                bin[0] + 1.0,
                bin[1] + f64::from(reply.probability),
                bin[2] + f64::from(u8::from(reply.mv == played)),
            ];
        }
    }

    fn merge(&mut self, other: &Tally) {
        self.count += other.count;
        self.hits += other.hits;
        self.nats += other.nats;
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            *bin = [bin[0] + more[0], bin[1] + more[1], bin[2] + more[2]];
        }
    }

    fn calibration_error(&self) -> f64 {
        let moves: f64 = self.bins.iter().map(|bin| bin[0]).sum();
        self.bins.iter().map(|bin| (bin[1] - bin[2]).abs()).sum::<f64>() / moves.max(1.0)
    }

    /// Said and seen of the moves given 40 % or more, with the standard error of what is seen.
    fn confident(&self) -> String {
        let bins = &self.bins[BINS * 2 / 5..];
        let [moves, said, seen] = [0, 1, 2].map(|part| bins.iter().map(|bin| bin[part]).sum::<f64>());
        let (said, seen) = (said / moves.max(1.0), seen / moves.max(1.0));
        format!("{said:.3}\t{seen:.3} +-{:.3}", (seen * (1.0 - seen) / moves.max(1.0)).sqrt())
    }

    fn print(&self, name: &str) {
        let n = self.count.max(1.0);
        println!(
            "{name}\t{}\t{:.1} %\t{:.4}\t{:.4}\t{}",
            self.count,
            100.0 * self.hits / n,
            self.nats / n,
            self.calibration_error(),
            self.confident()
        );
    }
}

pub fn study(one_in: u64) -> Result<(), Box<dyn Error>> {
    let mut cases = Vec::new();
    let mut number = 0;
    visit(|faced| {
        number += 1;
        if is_picked(number, one_in) {
            let Faced { game, played, rating, opponent, time_control } = *faced;
            cases.push(Case { game: game.clone(), played, rating, opponent, time_control });
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let model = ReplyModel::shared()?;
    let next = AtomicUsize::new(0);
    let done = Mutex::new((vec![Tally::default(); NAMES.len()], BTreeMap::<u16, Tally>::new()));
    let threads = std::thread::available_parallelism()?.get();
    std::thread::scope(|scope| {
        let work = || {
            while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                let Ok(found) = ask(model, case) else { continue };
                let mut sums = done.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                for (tally, replies) in sums.0.iter_mut().zip(&found) {
                    tally.add(replies, case.played);
                }
                sums.1.entry(case.rating / 200 * 200).or_default().add(&found[OWN], case.played);
            }
        };
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    let (tallies, bands) = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    println!("told\tpositions\ttop-1\tnats\tcalibration error\tfrom 40 %: said\tseen");
    for (name, tally) in NAMES.iter().zip(&tallies) {
        tally.print(name);
    }
    println!("\nband, the game's own\tpositions\ttop-1\tnats\tcalibration error\tfrom 40 %: said\tseen");
    let mut all = Tally::default();
    for (band, tally) in &bands {
        tally.print(&band.to_string());
        all.merge(tally);
    }
    println!("\nsaid\tseen\tmoves");
    for bin in all.bins.iter().filter(|bin| bin[0] > 0.0) {
        println!("{:.3}\t{:.3}\t{}", bin[1] / bin[0], bin[2] / bin[0], bin[0]);
    }
    Ok(())
}

/// The replies in the order of [`NAMES`].
fn ask(model: &ReplyModel, case: &Case) -> Result<[Replies; 4], Box<dyn Error>> {
    let rating = Rating::new(case.rating)?;
    let alone = Circumstances::new(rating, Scale::Lichess);
    let time_control = Some(TimeControl { base_seconds: 600.0, increment_seconds: 0.0 });
    let assumed = Circumstances { opponent: Some(rating), time_control, ..alone };
    let own =
        Circumstances { opponent: Rating::new(case.opponent).ok(), time_control: case.time_control, ..alone };
    let whole = Situation::of(&case.game);
    Ok([
        model.replies(&whole, &alone),
        model.replies(&whole, &assumed),
        model.replies(&whole, &own),
        model.replies(&Situation::bare(case.game.position()), &alone),
    ])
}

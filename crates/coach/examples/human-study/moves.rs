//! What people give away a move, and the partner and simulated people in the same positions.

use super::foresight;
use super::positions::{Faced, is_picked, visit};
use chess::Move;
use human_model::expected::Expected;
use human_model::openings::Openings;
use human_model::oracle::{Line, Oracle, PoolOracle, Question};
use human_model::reply::{Circumstances, HeldOutModel, Rating, ReplyModel, Scale, Situation};
use kernel::clock::ManualClock;
use opponent::human_like::{HumanLikePlayer, Level};
use opponent::simulated_human::SimulatedHuman;
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The judge sees this much further than the partner.
const JUDGE_NODES: u64 = 30_000;
/// A mistake gives away this many expected points, a blunder this many.
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.15;
/// Positions taken from a band at most.
const MOST_IN_A_BAND: f64 = 400.0;

#[derive(Default)]
struct Band {
    positions: f64,
    /// People, partner, softmax, second network, network alone: points given away a move, and blunders.
    loss: [f64; 5],
    blunders: [f64; 5],
    /// Squares of what people give away, for the error of its mean.
    loss_squared: f64,
    /// Network, softmax, second network: favourites that were played, and nats.
    hits: [f64; 3],
    nats: [f64; 3],
}

pub fn study(one_in: u64, second: &HeldOutModel) -> Result<(), Box<dyn Error>> {
    let openings = Openings::shipped()?;
    let mut observer = Observer {
        partner: HumanLikePlayer { model: ReplyModel::shared()?, openings: &openings, character: None },
        second,
        judge: PoolOracle::new(16, Arc::new(ManualClock::new()), &eval::Evaluation::shipped())?,
        shallow: PoolOracle::new(4, Arc::new(ManualClock::new()), &eval::Evaluation::shipped())?,
        foreseen: Vec::new(),
    };
    let mut bands: BTreeMap<u16, Band> = BTreeMap::new();
    let mut number = 0;
    visit(|faced| {
        number += 1;
        let band = bands.entry(faced.band()).or_default();
        if is_picked(number, one_in) && band.positions < MOST_IN_A_BAND {
            observer.study(faced, band)?;
        }
        Ok(ControlFlow::Continue(()))
    })?;
    bands.retain(|_, band| band.positions > 0.0);
    print(&bands);
    foresight::print(&mut observer.foreseen, MISTAKE);
    Ok(())
}

struct Observer<'a> {
    partner: HumanLikePlayer<'a>,
    second: &'a HeldOutModel,
    judge: PoolOracle,
    shallow: PoolOracle,
    /// What was said of each position, and whether it came to a mistake.
    foreseen: Vec<(f64, bool)>,
}

impl Observer<'_> {
    fn study(&mut self, faced: &Faced<'_>, band: &mut Band) -> Result<(), Box<dyn Error>> {
        let Faced { game, played, rating, .. } = *faced;
        let stopped = |_| "stopped";
        let circumstances = Circumstances::new(Rating::new(rating)?, Scale::Lichess);
        let replies = self.partner.model.replies(&Situation::of(game), &circumstances);
        let mut candidates: Vec<Move> =
            replies.covering(0.97).iter().map(|reply| reply.mv).take(10).collect();
        let Ok(Some(best)) = self.judge.best(game, JUDGE_NODES) else { return Ok(()) };
        for extra in [played, best.mv] {
            if !candidates.contains(&extra) {
                candidates.push(extra);
            }
        }
        let judged = self.judge.ask(&Question::each(game, &candidates, 3 * JUDGE_NODES)).map_err(stopped)?;
        let top = judged.iter().map(Line::expected).fold(Expected::LOST, |a, b| if a < b { b } else { a });
        let loss = |mv: Move| {
            judged.iter().find(|line| line.mv == mv).map_or(0.0, |line| top.loss_to(line.expected()))
        };
        let level = Level::nearest(f64::from(rating));
        let partner = self.partner.shares(game, level, &mut self.shallow).map_err(stopped)?;
        let softmax = SimulatedHuman::new(Rating::new(rating)?)
            .distribution(game, &mut self.shallow)
            .map_err(stopped)?;
        let second = self.second.replies(&Situation::of(game), &circumstances);
        let share = |list: &[(Move, f64)], mv: Move| {
            list.iter().find(|entry| entry.0 == mv).map_or(0.0, |entry| entry.1)
        };
        let by_partner = |mv: Move| share(&partner, mv);
        let by_softmax = |mv: Move| share(&softmax, mv);
        let by_second = |mv: Move| f64::from(second.probability(mv));
        let by_network = |mv: Move| f64::from(replies.probability(mv));

        band.positions += 1.0;
        band.loss[0] += loss(played);
        band.loss_squared += loss(played).powi(2);
        band.blunders[0] += f64::from(u8::from(loss(played) >= BLUNDER));
        let populations: [&dyn Fn(Move) -> f64; 4] = [&by_partner, &by_softmax, &by_second, &by_network];
        for (index, population) in populations.into_iter().enumerate() {
            // Moves the judge did not look at count with the candidates' mean.
            let seen: f64 = candidates.iter().map(|mv| population(*mv)).sum();
            let mean = |value: &dyn Fn(Move) -> f64| {
                candidates.iter().map(|mv| population(*mv) * value(*mv)).sum::<f64>() / seen.max(1e-9)
            };
            band.loss[index + 1] += mean(&loss);
            band.blunders[index + 1] += mean(&|mv| f64::from(u8::from(loss(mv) >= BLUNDER)));
        }
        let favourite = softmax.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|entry| entry.0);
        let favourites =
            [replies.favourite().map(|reply| reply.mv), favourite, second.favourite().map(|reply| reply.mv)];
        for (index, chance) in
            [by_network(played), by_softmax(played), by_second(played)].into_iter().enumerate()
        {
            band.hits[index] += f64::from(u8::from(favourites[index] == Some(played)));
            band.nats[index] -= chance.max(1e-6).ln();
        }
        let said: f64 = candidates.iter().filter(|mv| loss(**mv) >= MISTAKE).map(|mv| by_network(*mv)).sum();
        self.foreseen.push((said, loss(played) >= MISTAKE));
        Ok(())
    }
}

fn print(bands: &BTreeMap<u16, Band>) {
    println!("band\tn\tnetwork top-1, nats\tRegan's softmax top-1, nats\tsecond network top-1, nats");
    let mut all = (0.0, [0.0; 3], [0.0; 3]);
    let predicted = |name: &str, n: f64, hits: &[f64; 3], nats: &[f64; 3]| {
        let parts = [0, 1, 2].map(|i: usize| format!("{:.1} %, {:.2}", 100.0 * hits[i] / n, nats[i] / n));
        println!("{name}\t{n}\t{}", parts.join("\t"));
    };
    for (band, sum) in bands {
        predicted(&band.to_string(), sum.positions, &sum.hits, &sum.nats);
        all.0 += sum.positions;
        for index in 0..3 {
            all.1[index] += sum.hits[index];
            all.2[index] += sum.nats[index];
        }
    }
    predicted("all", all.0, &all.1, &all.2);
    println!(
        "\nband\tn\tpoints in a hundred given away a move: people (95 %)\tpartner\tsoftmax\tsecond\tnetwork\tblunders of {BLUNDER}: people (95 %)\tpartner\tsoftmax\tsecond\tnetwork"
    );
    for (band, sum) in bands {
        let n = sum.positions;
        let mean = sum.loss[0] / n;
        let error = 1.96 * ((sum.loss_squared / n - mean * mean).max(0.0) / n).sqrt();
        let losses: Vec<String> =
            sum.loss[1..].iter().map(|loss| format!("{:.2}", 100.0 * loss / n)).collect();
        let share = sum.blunders[0] / n;
        let of_people = format!("{:.1} +-{:.1} %", 100.0 * share, 196.0 * (share * (1.0 - share) / n).sqrt());
        let others = sum.blunders[1..].iter().map(|count| format!("{:.1} %", 100.0 * count / n));
        let blunders: Vec<String> = std::iter::once(of_people).chain(others).collect();
        println!(
            "{band}\t{n}\t{:.2} +-{:.2}\t{}\t{}",
            100.0 * mean,
            100.0 * error,
            losses.join("\t"),
            blunders.join("\t")
        );
    }
}

//! Off-policy check of speculation on games between people.
//!
//! In some positions a person plays the move that bounded speculation would choose against the other player. The reply
//! is then a real person's: its loss is compared with the predicted one.

use super::positions::{Faced, is_picked, visit};
use chess::Game;
use human_model::oracle::{Line, Oracle, PoolOracle, Question};
use human_model::reply::{Rating, ReplyModel, Scale};
use kernel::clock::ManualClock;
use opponent::speculative::{Bounded, SpeculationSettings, Strength};
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Nodes by which the reply is judged, for itself and the best reply.
const JUDGE_NODES: u64 = 120_000;
const MISTAKE: f64 = 0.10;
/// One position in so many, so that they come from many games.
const ONE_IN: u64 = 7;

/// Expected points and mistakes, predicted and real.
#[derive(Default)]
struct Tally {
    count: f64,
    predicted: f64,
    given: f64,
    /// Squares of the difference, for its error.
    squares: f64,
    said: f64,
    seen: f64,
}

pub fn study(records: usize, nodes: u64) -> Result<(), Box<dyn Error>> {
    let model = ReplyModel::shared()?;
    let mut oracle = PoolOracle::new(16, Arc::new(ManualClock::new()), &eval::Evaluation::shipped())?;
    let mut judge = PoolOracle::new(16, Arc::new(ManualClock::new()), &eval::Evaluation::shipped())?;
    // Moves that plain search would have played as well, and moves of speculation alone.
    let mut tallies = [Tally::default(), Tally::default()];
    let (mut number, mut tried) = (0, 0);
    visit(|faced| {
        number += 1;
        let Faced { game, played: reply, rating, .. } = *faced;
        let Some(ours) = game.moves().last().copied() else { return Ok(ControlFlow::Continue(())) };
        if !is_picked(number, ONE_IN) {
            return Ok(ControlFlow::Continue(()));
        }
        let mut before = game.clone();
        before.take_back();
        let terms = SpeculationSettings {
            budget: 0.15,
            distrust: 0.2,
            opponent: Strength::Told(Rating::new(rating)?),
            scale: Scale::Lichess,
            nodes: 0,
        };
        oracle.clear();
        tried += 1;
        let Some(choice) = Bounded::default().think(&before, &terms, nodes, model, &mut oracle) else {
            return Ok(ControlFlow::Continue(()));
        };
        if choice.mv != ours || !choice.is_speculative() {
            return Ok(ControlFlow::Continue(()));
        }
        let given = given_away(game, reply, &mut judge)?;
        let tally = &mut tallies[usize::from(choice.concession() > 0.0)];
        let predicted = choice.expectation.points() - choice.worth.points();
        tally.count += 1.0;
        tally.predicted += predicted;
        tally.given += given;
        tally.squares += (given - predicted).powi(2);
        tally.said += choice.mistake_probability;
        tally.seen += f64::from(u8::from(given >= MISTAKE));
        let enough = tallies.iter().map(|tally| tally.count).sum::<f64>() >= records as f64;
        Ok(if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    println!("{tried} positions tried");
    println!("moves\tn\tpredicted\tgiven away\tdifference (95 %)\tmistakes said\tseen");
    for (name, tally) in ["plain search's choice as well", "speculation's alone"].into_iter().zip(&tallies) {
        let n = tally.count.max(1.0);
        let difference = (tally.given - tally.predicted) / n;
        let error = 1.96 * ((tally.squares / n - difference * difference).max(0.0) / n).sqrt();
        println!(
            "{name}\t{}\t{:.4}\t{:.4}\t{difference:+.4} +-{error:.4}\t{:.1} %\t{:.1} %",
            tally.count,
            tally.predicted / n,
            tally.given / n,
            100.0 * tally.said / n,
            100.0 * tally.seen / n
        );
    }
    Ok(())
}

/// What a reply gives away against the best one, both searched side by side.
fn given_away(game: &Game, reply: chess::Move, judge: &mut PoolOracle) -> Result<f64, Box<dyn Error>> {
    judge.clear();
    let stopped = |_| "stopped";
    let best = judge.best(game, JUDGE_NODES / 2).map_err(stopped)?.ok_or("no reply")?;
    if best.mv == reply {
        return Ok(0.0);
    }
    let lines = judge.ask(&Question::each(game, &[best.mv, reply], JUDGE_NODES)).map_err(stopped)?;
    let worth = |mv| lines.iter().find(|line| line.mv == mv).map(Line::expected);
    let (Some(good), Some(bad)) = (worth(best.mv), worth(reply)) else { return Ok(0.0) };
    Ok(good.loss_to(bad))
}

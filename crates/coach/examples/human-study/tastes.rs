//! What the named opponents do differently: kinds of moves and strength, in positions of held-out players.

use super::positions::{Faced, is_picked, visit};
use chess::{Move, PieceKind, Position};
use human_model::openings::Openings;
use human_model::oracle::{Line, Oracle, PoolOracle, Question};
use human_model::reply::ReplyModel;
use kernel::clock::ManualClock;
use opponent::human_like::{Character, HumanLikePlayer, Level};
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;

const JUDGE_NODES: u64 = 60_000;

/// Sums over positions: share of moves that give material, that check, that take a piece, that neither take nor check, points
/// given away, their squares against those of the player without a taste.
#[derive(Clone, Copy, Default)]
struct Sums {
    kinds: [f64; 4],
    loss: f64,
    difference: f64,
    squares: f64,
}

pub fn study(one_in: u64, most: usize) -> Result<(), Box<dyn Error>> {
    let openings = Openings::shared()?;
    let plain = HumanLikePlayer { model: ReplyModel::shared()?, openings, character: None };
    let mut judge = PoolOracle::new(16, Arc::new(ManualClock::new()), &eval::Evaluation::shipped())?;
    let mut shallow = PoolOracle::new(4, Arc::new(ManualClock::new()), &eval::Evaluation::shipped())?;
    let players: Vec<Option<&'static Character>> =
        std::iter::once(None).chain(Character::ALL.iter().map(Some)).collect();
    let mut sums = vec![Sums::default(); players.len()];
    let (mut number, mut count) = (0, 0);
    visit(|faced| {
        number += 1;
        if !is_picked(number, one_in) {
            return Ok(ControlFlow::Continue(()));
        }
        let Faced { game, rating, .. } = *faced;
        let level = Level::nearest(f64::from(rating));
        let position = game.position();
        let mut of_all = Vec::new();
        for character in &players {
            shallow.clear();
            let player = HumanLikePlayer { character: *character, ..plain };
            of_all.push(player.shares(game, level, &mut shallow).map_err(|_| "stopped")?);
        }
        let moves: Vec<Move> = of_all[0].iter().map(|entry| entry.0).collect();
        judge.clear();
        let judged = judge.ask(&Question::each(game, &moves, JUDGE_NODES)).map_err(|_| "stopped")?;
        let Some(best) = judged.first().map(Line::expected) else { return Ok(ControlFlow::Continue(())) };
        let loss = |mv: Move| {
            judged.iter().find(|line| line.mv == mv).map_or(0.0, |line| best.loss_to(line.expected()))
        };
        let mean = |shares: &[(Move, f64)], value: &dyn Fn(Move) -> f64| {
            shares.iter().map(|(mv, share)| share * value(*mv)).sum::<f64>()
        };
        let neutral = mean(&of_all[0], &loss);
        for (sum, shares) in sums.iter_mut().zip(&of_all) {
            for (total, kind) in sum.kinds.iter_mut().zip(KINDS) {
                *total += mean(shares, &|mv| f64::from(u8::from(kind(position, mv))));
            }
            let own = mean(shares, &loss);
            sum.loss += own;
            sum.difference += own - neutral;
            sum.squares += (own - neutral).powi(2);
        }
        count += 1;
        Ok(if count >= most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    let n = f64::from(count as u32).max(1.0);
    println!("{count} positions");
    println!(
        "opponent\tgives material\tchecks\ttakes a piece\tquiet\tpoints in a hundred lost a move\tmore than without a taste (95 %)"
    );
    for (character, sum) in players.iter().zip(&sums) {
        let kinds = sum.kinds.map(|share| format!("{:.1} %", 100.0 * share / n));
        let more = sum.difference / n;
        let error = 1.96 * ((sum.squares / n - more * more).max(0.0) / n).sqrt();
        println!(
            "{}\t{}\t{:.2}\t{:+.2} +-{:.2}",
            character.map_or("none", |character| character.id),
            kinds.join("\t"),
            100.0 * sum.loss / n,
            100.0 * more,
            100.0 * error
        );
    }
    Ok(())
}

const KINDS: [fn(&Position, Move) -> bool; 4] = [
    |position, mv| !position.see_at_least(mv, -90),
    |position, mv| position.after(mv).in_check(),
    |position, mv| position.captured(mv).is_some_and(|kind| kind != PieceKind::Pawn),
    |position, mv| !position.is_noisy(mv) && !position.after(mv).in_check(),
];

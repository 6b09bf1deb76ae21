//! Mates in one and recaptures: how often people of each band play them, and the partner of that level.

use super::positions::{Faced, is_picked, visit};
use chess::{Game, Move};
use human_model::openings::Openings;
use human_model::oracle::PoolOracle;
use human_model::reply::ReplyModel;
use kernel::clock::ManualClock;
use opponent::human_like::{HumanLikePlayer, Level};
use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Recaptures are everywhere; one in so many is looked at, so that they come from many games.
const ONE_RECAPTURE_IN: u64 = 10;

#[derive(Default, Clone, Copy)]
struct Habit {
    met: f64,
    people: f64,
    partner: f64,
}

pub fn study(a_band: u32) -> Result<(), Box<dyn Error>> {
    let openings = Openings::shipped()?;
    let partner = HumanLikePlayer { model: ReplyModel::shared()?, openings: &openings, character: None };
    let mut oracle = PoolOracle::new(4, Arc::new(ManualClock::new()), &eval::Evaluation::shipped())?;
    let mut bands: BTreeMap<u16, [Habit; 2]> = BTreeMap::new();
    let mut number = 0;
    visit(|faced| {
        let habits = bands.entry(faced.band()).or_default();
        let wanted = |habit: &Habit| habit.met < f64::from(a_band);
        let position = faced.game.position();
        let is_mate = |mv: Move| position.after(mv).is_checkmate();
        if wanted(&habits[0]) && position.legal_moves().iter().any(|mv| is_mate(*mv)) {
            note(&mut habits[0], faced, &partner, &mut oracle, &is_mate)?;
        }
        let is_recapture = |mv: Move| retakes(faced.game, mv);
        if wanted(&habits[1]) && position.legal_moves().iter().any(|mv| is_recapture(*mv)) {
            number += 1;
            if is_picked(number, ONE_RECAPTURE_IN) {
                note(&mut habits[1], faced, &partner, &mut oracle, &is_recapture)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    println!(
        "band\tmates in one\tplayed by people (95 %)\tby the partner\trecaptures\tplayed by people (95 %)\tby the partner"
    );
    for (band, habits) in &bands {
        let parts = habits.map(|habit| {
            let share = habit.people / habit.met.max(1.0);
            let error = 1.96 * (share * (1.0 - share) / habit.met.max(1.0)).sqrt();
            let partner = habit.partner / habit.met.max(1.0);
            format!("{}\t{:.1} +-{:.1} %\t{:.1} %", habit.met, 100.0 * share, 100.0 * error, 100.0 * partner)
        });
        println!("{band}\t{}", parts.join("\t"));
    }
    Ok(())
}

fn note(
    habit: &mut Habit,
    faced: &Faced<'_>,
    partner: &HumanLikePlayer<'_>,
    oracle: &mut PoolOracle,
    is_one: &dyn Fn(Move) -> bool,
) -> Result<(), Box<dyn Error>> {
    oracle.clear();
    let level = Level::nearest(f64::from(faced.rating));
    let shares = partner.shares(faced.game, level, oracle).map_err(|_| "stopped")?;
    habit.met += 1.0;
    habit.people += f64::from(u8::from(is_one(faced.played)));
    habit.partner += shares.iter().filter(|entry| is_one(entry.0)).map(|entry| entry.1).sum::<f64>();
    Ok(())
}

/// Takes what has just taken something.
fn retakes(game: &Game, mv: Move) -> bool {
    let (Some(last), [.., before, _]) = (game.moves().last(), game.positions()) else { return false };
    before.captured(*last).is_some() && mv.to() == last.to() && game.position().captured(mv).is_some()
}

//! `tabiya laser book` for end-game tables: build, probe and describe them.

use laser::Position;
use laser_search::{Endgame, EndgameResult};

use crate::arguments::Arguments;
use crate::environment::{Environment, Failure};
use crate::files;

/// Decides layer after layer, saving each, so that an interrupted build goes on where it stopped.
pub(crate) fn build(
    path: &str,
    arguments: &Arguments<'_>,
    environment: &mut Environment<'_>,
) -> Result<(), Failure> {
    let most: usize = arguments.number("layers")?.unwrap_or(usize::MAX);
    let mut table = if std::fs::exists(path)? {
        files::load_endgame(path).map_err(Failure::Failed)?
    } else {
        let pawns = arguments.number("pawns")?.unwrap_or(1);
        Endgame::new(pawns).map_err(|error| Failure::Failed(format!("{path}: {error}")))?
    };
    writeln!(
        environment.output,
        "{path}: up to {} pawns, going on from layer {}",
        table.pawns(),
        table.layers()
    )?;
    for _ in 0..most {
        if table.is_complete() {
            break;
        }
        let began = environment.clock.now();
        let decided = table.advance();
        files::save(path, &table.to_bytes())?;
        let seconds = environment.clock.now().saturating_sub(began).as_secs_f64();
        writeln!(
            environment.output,
            "layer {}: {decided} positions decided, {seconds:.1} s",
            table.layers()
        )?;
        environment.output.flush()?;
    }
    let state = if table.is_complete() { "complete" } else { "to be continued" };
    writeln!(environment.output, "{path}: {} layers, {state}", table.layers())?;
    Ok(())
}

pub(crate) fn probe(
    path: &str,
    position: &Position,
    environment: &mut Environment<'_>,
) -> Result<(), Failure> {
    let table = files::load_endgame(path).map_err(Failure::Failed)?;
    match table.probe(position) {
        Some(EndgameResult::Win(plies)) => writeln!(environment.output, "win in {plies} plies")?,
        Some(EndgameResult::Loss(plies)) => writeln!(environment.output, "loss in {plies} plies")?,
        Some(EndgameResult::Draw) => writeln!(environment.output, "draw")?,
        None if !table.is_complete() => writeln!(environment.output, "the table is not complete yet")?,
        None => writeln!(environment.output, "not in the table: at most {} pawns", table.pawns())?,
    }
    Ok(())
}

pub(crate) fn stats(path: &str, environment: &mut Environment<'_>) -> Result<(), Failure> {
    let table = files::load_endgame(path).map_err(Failure::Failed)?;
    let census = table.census();
    let sum = |odd: usize| census.decided.iter().skip(odd).step_by(2).sum::<usize>();
    let state = if table.is_complete() { "complete" } else { "not complete" };
    writeln!(
        environment.output,
        "{path}: up to {} pawns, {} layers, {state}: {} won, {} lost, {} drawn for the side to move",
        table.pawns(),
        table.layers(),
        sum(1),
        sum(0),
        census.draws
    )?;
    for (plies, count) in census.decided.iter().enumerate().filter(|(_, count)| **count > 0) {
        let what = if plies % 2 == 1 { "won" } else { "lost" };
        writeln!(environment.output, "{what} in {plies} plies: {count}")?;
    }
    let endgame: Position =
        laser::ENDGAME_FEN.parse().map_err(|error| Failure::Failed(format!("position: {error}")))?;
    let rounds = 1_000_000_u32;
    let began = environment.clock.now();
    let mut won = 0_u32;
    for _ in 0..rounds {
        let result = std::hint::black_box(&table).probe(std::hint::black_box(&endgame));
        won += u32::from(matches!(result, Some(EndgameResult::Win(_))));
    }
    let spent = environment.clock.now().saturating_sub(began);
    writeln!(
        environment.output,
        "{rounds} probes of the bare kings' start ({won} wins) took {} ns each",
        spent.as_nanos() / u128::from(rounds)
    )?;
    Ok(())
}

//! The conditions of games as descriptions state them: openings, adjudication, tablebases.

use std::path::PathBuf;

use match_runner::adjudicate::{AdjudicationRules, DrawRule, ResignRule};
use match_runner::openings::{Openings, Order, Reading};
use match_runner::tables::TableJudge;

use crate::spec::{Reader, Spec};

/// `openings`: the book and how it is read; without `to_play` only its name.
pub fn read_openings(
    spec: Option<Spec>,
    seed: u64,
    place: &str,
    to_play: bool,
) -> Result<(Openings, String), String> {
    let Some(spec) = spec else { return Ok((Openings::start_position(), "start position".to_owned())) };
    let mut reader = spec.reader(&format!("{place}: openings"));
    let file = reader.text("file")?.map(PathBuf::from);
    let order = match reader.text("order")?.as_deref() {
        None | Some("random") => Order::Random,
        Some("sequential") => Order::Sequential,
        Some(other) => return Err(format!("{place}: order = '{other}', expected random or sequential")),
    };
    let plies = reader.value("plies", "a whole number of plies")?.unwrap_or(16);
    reader.finish()?;
    let Some(file) = file else { return Err(format!("{place}: openings without a file")) };
    let name = file
        .file_name()
        .map_or_else(|| "book".to_owned(), |name| common::escape_control(&name.to_string_lossy()));
    if !to_play {
        return Ok((Openings::start_position(), name));
    }
    Ok((Openings::read(&file, Reading { order, seed, plies })?, name))
}

/// `resign`, `draw` and `max_moves`.
pub fn read_adjudication(reader: &mut Reader) -> Result<AdjudicationRules, String> {
    Ok(AdjudicationRules {
        resign: reader.table("resign")?.map(read_resign).transpose()?,
        draw: reader.table("draw")?.map(read_draw).transpose()?,
        max_moves: reader.value("max_moves", "a whole number")?,
    })
}

/// `tables`: folders of Syzygy tables that end games; without `to_play` they are not needed and may be gone.
pub fn read_tables(spec: Option<Spec>, place: &str, to_play: bool) -> Result<Option<TableJudge>, String> {
    let Some(spec) = spec else { return Ok(None) };
    let mut reader = spec.reader(&format!("{place}: tables"));
    let path = reader.text("path")?;
    let pieces = reader.value("pieces", "a whole number")?;
    reader.finish()?;
    let Some(path) = path else { return Err(format!("{place}: tables without a path")) };
    if !to_play {
        return Ok(None);
    }
    TableJudge::open(&path, pieces).map(Some).map_err(|reason| format!("{place}: {reason}"))
}

fn read_resign(spec: Spec) -> Result<ResignRule, String> {
    let mut reader = spec.reader("resign");
    let rule = ResignRule {
        moves: reader.value("moves", "a whole number")?.unwrap_or(3),
        score: reader.value("score", "centipawns")?.unwrap_or(600),
        both: reader.switch("both")?,
    };
    reader.finish()?;
    if rule.moves == 0 || rule.score <= 0 {
        return Err("resign: moves and score must be above zero, or every game is over at once".to_owned());
    }
    Ok(rule)
}

fn read_draw(spec: Spec) -> Result<DrawRule, String> {
    let mut reader = spec.reader("draw");
    let rule = DrawRule {
        from: reader.value("from", "a move number")?.unwrap_or(40),
        moves: reader.value("moves", "a whole number")?.unwrap_or(8),
        score: reader.value("score", "centipawns")?.unwrap_or(10),
    };
    reader.finish()?;
    if rule.moves == 0 || rule.score < 0 {
        return Err("draw: moves must be above zero and score not below".to_owned());
    }
    Ok(rule)
}

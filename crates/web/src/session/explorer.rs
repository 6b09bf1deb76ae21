//! The opening explorer: how often each move was played in a position, by rating, and how one's own games went.

use super::context::SessionContext;
use crate::describe;
use crate::messages::{Event, ExplorerMove, Line, OwnResults};
use crate::problem::Problem;
use chess::{Color, Game, Move};
use human_model::openings::{Openings, RatingBand};

/// Saved games that are searched, the latest first.
const SEARCHED: u32 = 2_000;

const BANDS: [(RatingBand, &str); RatingBand::COUNT] = [
    (RatingBand::OnlineBelow1200, "online below 1200"),
    (RatingBand::OnlineBelow1600, "online 1200 to 1599"),
    (RatingBand::OnlineBelow2000, "online 1600 to 1999"),
    (RatingBand::OnlineFrom2000, "online from 2000"),
    (RatingBand::FideBelow2000, "FIDE below 2000"),
    (RatingBand::FideBelow2400, "FIDE 2000 to 2399"),
    (RatingBand::FideFrom2400, "FIDE from 2400"),
];

#[derive(Default)]
struct Counts {
    games: [u32; RatingBand::COUNT],
    own: OwnResults,
}

fn counts_of(counts: &mut Vec<(Move, Counts)>, mv: Move) -> &mut Counts {
    let at = counts.iter().position(|(known, _)| *known == mv).unwrap_or_else(|| {
        counts.push((mv, Counts::default()));
        counts.len() - 1
    });
    &mut counts[at].1
}

pub fn explore(game: &Game, context: &SessionContext) -> Result<Event, Problem> {
    let position = game.position();
    let table = Openings::shared().map_err(|error| {
        Problem::new(format!("The opening table cannot be read: {error}."), "Build the program again.")
    })?;
    let mut counts: Vec<(Move, Counts)> = Vec::new();
    for (index, (band, _)) in BANDS.iter().enumerate() {
        for found in table.moves(position, *band) {
            counts_of(&mut counts, found.mv).games[index] += found.count;
        }
    }
    for (mv, result) in own_games(game, context)? {
        let own = &mut counts_of(&mut counts, mv).own;
        match result {
            OwnResult::Win => own.wins += 1,
            OwnResult::Draw => own.draws += 1,
            OwnResult::Loss => own.losses += 1,
        }
    }
    let mut moves: Vec<ExplorerMove> = counts
        .into_iter()
        .map(|(mv, counts)| ExplorerMove {
            san: position.san(mv).to_string(),
            uci: position.uci(mv, true).to_string(),
            games: counts.games.to_vec(),
            own: counts.own,
            opening: context.shared.openings.name(&position.after(mv)).map(str::to_string),
        })
        .collect();
    let played =
        |one: &ExplorerMove| one.games.iter().sum::<u32>() + one.own.wins + one.own.draws + one.own.losses;
    moves.sort_by_key(|one| std::cmp::Reverse(played(one)));
    let bands = BANDS.iter().map(|(_, name)| name.to_string()).collect();
    Ok(Event::Explored { fen: position.to_fen(), bands, moves })
}

enum OwnResult {
    Win,
    Draw,
    Loss,
}

/// The moves that saved and finished games played in this position, with their results for the player.
fn own_games(game: &Game, context: &SessionContext) -> Result<Vec<(Move, OwnResult)>, Problem> {
    let (saved, _) = context.shared.archive.list("", SEARCHED)?;
    let wanted = game.position().key();
    let mut found = Vec::new();
    for record in saved.into_iter().map(|entry| entry.record) {
        let player = if record.white_is_player { Color::White } else { Color::Black };
        let result = match (record.result.as_str(), player) {
            ("1-0", Color::White) | ("0-1", Color::Black) => OwnResult::Win,
            ("1-0", Color::Black) | ("0-1", Color::White) => OwnResult::Loss,
            ("1/2-1/2", _) => OwnResult::Draw,
            _ => continue,
        };
        let moves = record.moves.split_whitespace().map(str::to_string).collect();
        // A game that cannot be read again has nothing to add.
        let Ok(played) = describe::game(&Line { start: Some(record.start), moves }) else { continue };
        let at = played.positions().iter().position(|position| position.key() == wanted);
        if let Some(mv) = at.and_then(|at| played.moves().get(at)) {
            found.push((*mv, result));
        }
    }
    Ok(found)
}

//! The opening explorer: how often each move was played in a position, by rating, and how one's own games went.

use super::context::SessionContext;
use crate::messages::{Event, ExplorerMove, OwnResults};
use crate::own_games;
use crate::problem::Problem;
use chess::{Game, Move};
use human_model::openings::{Openings, RatingBand};

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
    results: [Option<[u8; 2]>; RatingBand::COUNT],
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
            let one = counts_of(&mut counts, found.mv);
            one.games[index] += found.count;
            one.results[index] = found.results.map(|results| [results.white, results.drawn]);
        }
    }
    let legal: Vec<(u64, Move)> =
        position.legal_moves().iter().map(|mv| (position.after(*mv).key(), *mv)).collect();
    for (next, half_points) in own_games::continuations(&context.shared, &position.to_fen())? {
        let Some((_, mv)) = legal.iter().find(|(key, _)| *key == next) else { continue };
        let own = &mut counts_of(&mut counts, *mv).own;
        match half_points {
            0 => own.losses += 1,
            1 => own.draws += 1,
            _ => own.wins += 1,
        }
    }
    let mut moves: Vec<ExplorerMove> = counts
        .into_iter()
        .map(|(mv, counts)| ExplorerMove {
            san: position.san(mv).to_string(),
            uci: position.uci(mv, true).to_string(),
            games: counts.games.to_vec(),
            results: counts.results.to_vec(),
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

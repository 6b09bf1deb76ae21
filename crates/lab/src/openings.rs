//! Opening sets of our own: walks through the counts of what people play, kept when the engine's score of the position
//! reached lies within given bounds. The same seed gives the same set.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use chess::{Game, Position};
use common::Random;
use experiment::session::Session;
use human_model::openings::{Openings, RatingBand};
use match_runner::limits::{Clock, Limits};
use match_runner::player::{Player, Turn};
use protocol::client::info::ReportedScore;

/// The bands of the counts by the words of the command line.
pub const BANDS: [(&str, RatingBand); 7] = [
    ("online-below-1200", RatingBand::OnlineBelow1200),
    ("online-below-1600", RatingBand::OnlineBelow1600),
    ("online-below-2000", RatingBand::OnlineBelow2000),
    ("online-from-2000", RatingBand::OnlineFrom2000),
    ("fide-below-2000", RatingBand::FideBelow2000),
    ("fide-below-2400", RatingBand::FideBelow2400),
    ("fide-from-2400", RatingBand::FideFrom2400),
];

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Different positions wanted.
    pub count: usize,
    /// Plies by the counts; a walk that leaves them earlier is dropped.
    pub plies: usize,
    /// Plies after them, uniform over the legal moves.
    pub random_plies: usize,
    /// Whose games are counted.
    pub band: RatingBand,
    /// Bounds of the absolute score, in centipawns.
    pub least: i32,
    pub most: i32,
    /// Depth of the search that scores.
    pub depth: u32,
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            count: 500,
            plies: 8,
            random_plies: 0,
            band: RatingBand::FideFrom2400,
            least: 0,
            most: 50,
            depth: 8,
            seed: 1,
        }
    }
}

/// Walks without a new position after which the counts are taken to have no more.
const MOST_FAILURES: usize = 20_000;

/// The set as EPD, one position a line, with White's score as `ce` of the side to move.
pub fn draw(plan: Plan, player: &mut dyn Player, session: &mut Session<'_>) -> Result<String, String> {
    let counts = Openings::shipped().map_err(|error| error.to_string())?;
    let mut random = Random::new(plan.seed);
    let mut seen = BTreeSet::new();
    let (mut text, mut found, mut failures, mut searched) = (String::new(), 0, 0, 0_u32);
    while found < plan.count {
        if session.stop.is_raised() {
            return Err("stopped".to_owned());
        }
        if failures > MOST_FAILURES {
            return Err(format!(
                "only {found} of {} openings: no other position of {} plies has a score of {} to {} centipawns",
                plan.count,
                plan.plies + plan.random_plies,
                plan.least,
                plan.most
            ));
        }
        failures += 1;
        let Some(position) = walk(plan, &counts, &mut random) else { continue };
        if !seen.insert(position.key()) {
            continue;
        }
        searched += 1;
        let Some(score) = score(plan, &position, player)? else { continue };
        if !(plan.least..=plan.most).contains(&score.abs()) {
            continue;
        }
        failures = 0;
        found += 1;
        let fen = position.to_fen();
        let mut fields = fen.split(' ');
        let board: Vec<&str> = fields.by_ref().take(4).collect();
        let (half, full) = (fields.next().unwrap_or("0"), fields.next().unwrap_or("1"));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} hmvc {half}; fmvn {full}; ce {score};", board.join(" "));
        if found.is_multiple_of(100) {
            session.say(&format!("{found} of {} openings, {searched} positions searched", plan.count));
        }
    }
    Ok(text)
}

/// A position reached by the counts and then by chance; `None` when the counts or the game end early.
fn walk(plan: Plan, counts: &Openings, random: &mut Random) -> Option<Position> {
    let mut game = Game::default();
    for ply in 0..plan.plies + plan.random_plies {
        let position = game.position();
        let mv = if ply < plan.plies {
            let moves = counts.moves(position, plan.band);
            let weights: Vec<f64> = moves.iter().map(|entry| f64::from(entry.probability)).collect();
            moves[random.weighted_index(&weights)?].mv
        } else {
            let moves = position.legal_moves();
            *moves.as_slice().get(random.below(moves.len()))?
        };
        game.play(mv).ok()?;
    }
    game.outcome().is_none().then(|| game.position().clone())
}

/// The score for the side to move; `None` for a mate.
fn score(plan: Plan, position: &Position, player: &mut dyn Player) -> Result<Option<i32>, String> {
    let game = Game::new(position.clone());
    let clock = Clock::new(Limits { depth: Some(plan.depth), ..Limits::default() });
    let patience = Duration::from_secs(600);
    let turn = Turn { game: &game, moves: &[], chess960: false, white: &clock, black: &clock, patience };
    player.new_game(false).map_err(|fault| fault.to_string())?;
    let result = player.search(&turn).map_err(|fault| fault.to_string())?;
    Ok(match result.info.score {
        Some(ReportedScore::Centipawns(score)) => Some(score),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use match_runner::internal::InternalPlayer;
    use match_runner::stop::StopFlag;
    use std::collections::BTreeMap;

    fn drawn(plan: Plan) -> Result<String, String> {
        let options = BTreeMap::from([("Hash".to_owned(), "1".to_owned())]);
        let mut player = InternalPlayer::start("own", &options, &StopFlag::default()).unwrap();
        let mut session =
            Session { progress: &mut std::io::sink(), stop: StopFlag::default(), verbose: false };
        draw(plan, &mut player, &mut session)
    }

    #[test]
    fn a_set_repeats_by_its_seed_and_keeps_its_bounds() {
        let plan = Plan { count: 6, plies: 4, depth: 3, least: 20, most: 60, ..Plan::default() };
        let text = drawn(plan).unwrap();
        assert_eq!(text, drawn(plan).unwrap());
        assert_ne!(text, drawn(Plan { seed: 2, ..plan }).unwrap());
        assert_eq!(text.lines().count(), 6);
        for line in text.lines() {
            let epd = chess::epd::Epd::parse(line).unwrap();
            let score = epd.number("ce").unwrap();
            assert!((20..=60).contains(&score.abs()), "{line}");
        }
    }

    #[test]
    fn a_set_that_cannot_be_had_is_refused() {
        let error = drawn(Plan { count: 30, plies: 1, depth: 1, ..Plan::default() }).unwrap_err();
        assert!(error.contains("of 30 openings"), "{error}");
    }
}

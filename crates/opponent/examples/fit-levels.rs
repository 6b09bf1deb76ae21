//! Games between levels of the human-like player whose parameters are given: for fitting `Level`.
//!
//!     fit-levels GAMES SEED LEVEL[:CAUTION[:NODES]] LEVEL[:CAUTION[:NODES]]
//!
//! Every second game has the colours exchanged. Openings come from the table of the level; a game of 240 plies is drawn.

use chess::{Color, Game, Move};
use common::Random;
use human_model::openings::Openings;
use human_model::oracle::{Line, Oracle, PoolOracle, Question};
use human_model::reply::{Circumstances, ReplyModel, Scale, Situation};
use kernel::clock::ManualClock;
use opponent::human_like::{HumanLikePlayer, Level, Reason};
use std::error::Error;
use std::sync::Arc;

const LONGEST: usize = 240;
const OPENING_PLIES: usize = 10;
/// As in the player.
const MASS: f32 = 0.99;
const CANDIDATES: usize = 16;

#[derive(Clone, Copy)]
struct Side {
    level: Level,
    caution: f64,
    nodes: u64,
}

impl Side {
    fn parse(text: &str) -> Result<Side, Box<dyn Error>> {
        let words: Vec<&str> = text.split(':').collect();
        let level = Level::new(words[0].parse::<i64>()?)?;
        let caution = words.get(1).map_or(Ok(level.caution()), |word| word.parse())?;
        let nodes = words.get(2).map_or(Ok(level.nodes()), |word| word.parse())?;
        Ok(Side { level, caution, nodes })
    }

    /// A move and what such draws lose on average, by the search of this level.
    fn choose(
        &self,
        game: &Game,
        player: &HumanLikePlayer<'_>,
        oracle: &mut PoolOracle,
        random: &mut Random,
    ) -> Option<(Move, f64)> {
        // Where the table or technique decides, the draw is the player's own.
        let is_early = game.moves().len() < OPENING_PLIES;
        if is_early || game.position().board().occupied().count() < 6 {
            let choice =
                player.choose(game, self.level, &[], oracle, if is_early { 300 } else { 40_000 }, random)?;
            if choice.reason != Reason::Drawn {
                return Some((choice.mv, 0.0));
            }
        }
        let legal = game.position().legal_moves();
        if let [only] = legal.as_slice() {
            return Some((*only, 0.0));
        }
        let circumstances = Circumstances::new(self.level.rating(), Scale::Lichess);
        let replies = player.model.replies(&Situation::of(game), &circumstances);
        let mut moves: Vec<Move> =
            replies.covering(MASS).iter().map(|reply| reply.mv).take(CANDIDATES).collect();
        let question = Question { game, allowed: &[], lines: 1, nodes: self.nodes / 3, depth: None };
        for line in &oracle.ask(&question).ok()? {
            if !moves.contains(&line.mv) {
                moves.push(line.mv);
            }
        }
        let nodes = (self.nodes * 2 / 3).max(150 * moves.len() as u64);
        let lines = oracle.ask(&Question::each(game, &moves, nodes)).ok()?;
        let best = lines.first()?;
        if best.expected().points() > 0.95 && game.position().reversible_plies() >= 24 {
            return Some((best.mv, 0.0));
        }
        let loss = |line: &Line| best.expected().loss_to(line.expected());
        let weight = |line: &Line| {
            let scores = best.score.as_centipawns().zip(line.score.as_centipawns());
            let drop = scores.map_or(0, |(best, this)| best.value() - this.value());
            let is_vetoed = loss(line) > self.level.worst_loss()
                || self.level.worst_drop().is_some_and(|worst| drop > worst);
            let shunned = if is_vetoed { 0.0 } else { (-self.caution * loss(line)).exp() };
            f64::from(replies.probability(line.mv)) * shunned
        };
        let weights: Vec<f64> = lines.iter().map(weight).collect();
        let sum: f64 = weights.iter().sum();
        let mean = lines.iter().zip(&weights).map(|(line, weight)| weight * loss(line)).sum::<f64>()
            / sum.max(1e-12);
        Some((random.weighted_index(&weights).map_or(best.mv, |index| lines[index].mv), mean))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [games, seed, first, second] = &words[..] else {
        return Err("expected GAMES SEED LEVEL[:CAUTION[:NODES]] LEVEL[:CAUTION[:NODES]]".into());
    };
    let sides = [Side::parse(first)?, Side::parse(second)?];
    let player =
        HumanLikePlayer { model: ReplyModel::shared()?, openings: Openings::shared()?, character: None };
    let oracle = || PoolOracle::new(8, Arc::new(ManualClock::new()), &eval::Evaluation::shipped());
    let mut oracles = [oracle()?, oracle()?];
    let mut random = Random::new(seed.parse()?);
    let [mut wins, mut draws, mut losses] = [0.0f64; 3];
    // Moves of each side and the sum of their expected losses.
    let mut given = [[0.0; 2]; 2];
    for number in 0..games.parse::<usize>()? {
        oracles.iter_mut().for_each(PoolOracle::clear);
        let mut game = Game::default();
        while game.outcome().is_none() && game.moves().len() < LONGEST {
            let side = (game.moves().len() + number) % 2;
            let Some((mv, loss)) = sides[side].choose(&game, &player, &mut oracles[side], &mut random) else {
                break;
            };
            given[side][0] += 1.0;
            given[side][1] += loss;
            game.play(mv)?;
        }
        let first_color = if number % 2 == 0 { Color::White } else { Color::Black };
        match game.outcome().and_then(chess::Outcome::winner) {
            None => draws += 1.0,
            Some(winner) if winner == first_color => wins += 1.0,
            Some(_) => losses += 1.0,
        }
        if number % 20 == 19 {
            let n = wins + draws + losses;
            let share = (wins + 0.5 * draws) / n;
            let variance =
                wins * (1.0 - share).powi(2) + draws * (0.5 - share).powi(2) + losses * share.powi(2);
            let error = 1.96 * variance.sqrt() / n;
            let elo = |share: f64| -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10();
            println!(
                "{first} against {second}: +{wins} ={draws} -{losses}, {:.0} ({:.0} to {:.0}) Elo; lost a move {:.4}, {:.4}",
                elo(share),
                elo(share - error),
                elo(share + error),
                given[0][1] / given[0][0],
                given[1][1] / given[1][0]
            );
        }
    }
    Ok(())
}

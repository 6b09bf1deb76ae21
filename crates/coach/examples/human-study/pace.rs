//! Thinking times: those of people beside what the human-like player would take.
//!
//! Reads games with clocks. For one position in so many the file gets a line with what a model of time may use; the
//! rank correlation (Spearman) of the real time with the player's is printed, over all positions and within games.

use super::positions::is_picked;
use chess::Game;
use human_model::dataset::GameRecord;
use human_model::reply::{Circumstances, Clocks, Rating, ReplyModel, Scale, Situation};
use opponent::human_like::{Moment, Pace};
use std::error::Error;
use std::io::{BufRead, Write as _};

const FIRST_PLY: usize = 4;

/// One move of a game with clocks.
struct Thought {
    game: u64,
    spent: f64,
    predicted: f64,
}

pub fn study(one_in: u64, most: usize, file: &str) -> Result<(), Box<dyn Error>> {
    let model = ReplyModel::shared()?;
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    let mut thoughts: Vec<Thought> = Vec::new();
    let mut number = 0;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Ok(record) = GameRecord::parse(&line) else { continue };
        let (Some(clocks), Some(control)) = (record.clocks, record.time_control) else { continue };
        let clocks: Vec<f64> =
            clocks.split(',').map_while(|text| text.parse::<f64>().ok()).map(|c| c / 100.0).collect();
        number += 1;
        if record.source.scale() != Scale::Lichess || !is_picked(number, one_in) {
            continue;
        }
        let (base, increment) = (f64::from(control.base_seconds), f64::from(control.increment_seconds));
        let mut game = Game::default();
        let mut last_spent = 0.0;
        for (ply, text) in record.moves.split_whitespace().enumerate() {
            let Ok(mv) = game.position().parse_uci(text) else { break };
            let Some(now) = clocks.get(ply) else { break };
            let before = if ply < 2 { base } else { clocks[ply - 2] };
            let spent = (before - now + increment).max(0.0);
            let held_out = record.players[ply % 2].bucket() < 4;
            let opponent_left = if ply < 1 { base } else { clocks[ply - 1] };
            if held_out && ply >= FIRST_PLY && game.position().legal_moves().len() > 1 {
                let rating = Rating::new(record.ratings[ply % 2].max(600))?;
                let circumstances = Circumstances {
                    time_control: Some(control),
                    clocks: Some(Clocks {
                        own_seconds: before as f32,
                        opponent_seconds: opponent_left as f32,
                    }),
                    ..Circumstances::new(rating, Scale::Lichess)
                };
                let replies = model.replies(&Situation::of(&game), &circumstances);
                let moment = Moment::of(&game, &replies);
                let ordinary = before / 38.0 + 0.8 * increment;
                let predicted = ordinary * Pace::of(&moment).factor();
                let features = moment.features().map(|value| format!("{value:.4}"));
                writeln!(
                    out,
                    "{number}\t{ply}\t{base}\t{increment}\t{before}\t{opponent_left}\t{spent}\t{last_spent}\t{}\t{}",
                    rating.points(),
                    features.join("\t")
                )?;
                thoughts.push(Thought { game: number, spent, predicted });
            }
            last_spent = spent;
            game.play(mv)?;
        }
        if thoughts.len() >= most {
            break;
        }
    }
    let all: Vec<(f64, f64)> = thoughts.iter().map(|thought| (thought.spent, thought.predicted)).collect();
    let (mut sum, mut weight) = (0.0, 0.0);
    for game in thoughts.chunk_by(|a, b| a.game == b.game).filter(|game| game.len() >= 10) {
        let pairs: Vec<(f64, f64)> = game.iter().map(|thought| (thought.spent, thought.predicted)).collect();
        sum += spearman(&pairs) * pairs.len() as f64;
        weight += pairs.len() as f64;
    }
    println!(
        "{} moves: rank correlation {:.3} over all, {:.3} within games; seconds: people {:.2}, player {:.2}",
        all.len(),
        spearman(&all),
        sum / f64::max(weight, 1.0),
        all.iter().map(|pair| pair.0).sum::<f64>() / all.len().max(1) as f64,
        all.iter().map(|pair| pair.1).sum::<f64>() / all.len().max(1) as f64
    );
    Ok(())
}

/// Spearman's rank correlation; equal values share their rank.
fn spearman(pairs: &[(f64, f64)]) -> f64 {
    let ranks = |values: Vec<f64>| {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
        let mut ranks = vec![0.0; values.len()];
        let mut first = 0;
        for tie in order.chunk_by(|a, b| values[*a] == values[*b]) {
            for index in tie {
                ranks[*index] = first as f64 + (tie.len() - 1) as f64 / 2.0;
            }
            first += tie.len();
        }
        ranks
    };
    let (a, b) =
        (ranks(pairs.iter().map(|pair| pair.0).collect()), ranks(pairs.iter().map(|pair| pair.1).collect()));
    let mean = (pairs.len() as f64 - 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt().max(1e-12)
}

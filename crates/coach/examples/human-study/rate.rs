//! Ratings from moves: what the evidence says of players nobody trained on.

use chess::Game;
use human_model::dataset::GameRecord;
use human_model::rating::{Evidence, EvidenceModel, KNOTS, Posterior};
use human_model::reply::{Circumstances, Rating, ReplyModel, Scale, Situation};
use std::error::Error;
use std::io::{BufRead, Write as _};

/// Moves used of each player.
const MOST_MOVES: usize = 40;

/// The first moves of a player, as evidence.
struct Player {
    truth: f64,
    is_test: bool,
    evidence: Vec<Evidence>,
}

/// Reads one game of each player and appends a line to the file: bucket, rating, then for each move the number of legal moves and the
/// logarithms of its likelihood at the knots.
pub fn collect(wanted: usize, file: &str) -> Result<(), Box<dyn Error>> {
    let model = ReplyModel::shared()?;
    let known = std::fs::read_to_string(file).unwrap_or_default().lines().count();
    let mut out = std::fs::OpenOptions::new().create(true).append(true).open(file)?;
    let mut seen = std::collections::HashSet::new();
    let [mut validation, mut test, mut done] = [0usize; 3];
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Ok(record) = GameRecord::parse(&line) else { continue };
        let plies = record.moves.split_whitespace().count();
        if record.source.scale() != Scale::Lichess || plies < 60 {
            continue;
        }
        for side in 0..2 {
            let id = record.players[side];
            let points = record.ratings[side];
            let is_test = id.bucket() < 4;
            if id.bucket() > 4 || !(600..=2800).contains(&points) || done >= wanted || !seen.insert(id) {
                continue;
            }
            // As many of one kind as of the other: validation players are a fifth of these.
            if is_test && test > validation {
                continue;
            }
            *(if is_test { &mut test } else { &mut validation }) += 1;
            done += 1;
            if done <= known {
                continue;
            }
            let circumstances = Circumstances {
                time_control: record.time_control,
                ..Circumstances::new(Rating::new(1500)?, Scale::Lichess)
            };
            let evidence_model = EvidenceModel { model, circumstances };
            let mut game = Game::default();
            let mut words = vec![id.bucket().to_string(), points.to_string()];
            for (ply, text) in record.moves.split_whitespace().enumerate() {
                let Ok(mv) = game.position().parse_uci(text) else { break };
                if ply % 2 == side
                    && ply >= 10
                    && words.len() < MOST_MOVES + 2
                    && let Some(evidence) = evidence_model.evidence(&Situation::of(&game), mv)
                {
                    let logs =
                        KNOTS.map(|rating| format!("{:.4}", evidence.likelihood(f64::from(rating)).ln()));
                    words.push(format!("{},{}", game.position().legal_moves().len(), logs.join(",")));
                }
                game.play(mv)?;
            }
            writeln!(out, "{}", words.join("\t"))?;
        }
    }
    eprintln!("{done} players in {file}, {test} of them for testing");
    Ok(())
}

fn read_evidence(file: &str) -> Result<Vec<Player>, Box<dyn Error>> {
    let mut players = Vec::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let mut words = line.split('\t');
        let (Some(bucket), Some(truth)) = (words.next(), words.next()) else { continue };
        let mut evidence = Vec::new();
        for word in words {
            let numbers: Vec<f64> = word.split(',').map(str::parse).collect::<Result<_, _>>()?;
            let [legal, logs @ ..] = &numbers[..] else { continue };
            let at = |rating: f64| {
                let knot = KNOTS.iter().position(|knot| f64::from(*knot) == rating);
                knot.and_then(|knot| logs.get(knot).copied()).unwrap_or(-10.0)
            };
            evidence.push(Evidence::from_fn(*legal as usize, at));
        }
        players.push(Player { truth: truth.parse()?, is_test: bucket.parse::<u8>()? < 4, evidence });
    }
    Ok(players)
}

/// What a posterior with an evidence weight says of players after so many moves.
#[derive(Default)]
struct Quality {
    players: f64,
    error: f64,
    constant: f64,
    covered: [f64; 2],
    width: f64,
    /// Nats by which the true rating is more likely than under the prior.
    insight: f64,
}

fn quality<'a>(
    players: impl Iterator<Item = &'a Player>,
    moves: usize,
    weight: f64,
    constant: f64,
) -> Quality {
    let mut sum = Quality::default();
    for player in players.filter(|player| player.evidence.len() >= moves) {
        let mut posterior = Posterior::broad(Scale::Lichess);
        let density = |posterior: &Posterior| {
            let near = posterior.weights().filter(|(rating, _)| (rating - player.truth).abs() <= 50.0);
            near.map(|(_, share)| share).sum::<f64>().max(1e-9).ln()
        };
        let before = density(&posterior);
        player.evidence[..moves].iter().for_each(|evidence| posterior.update_weighted(evidence, weight));
        let found = posterior.estimate();
        let inside =
            |(low, high): (f64, f64)| f64::from(u8::from(low <= player.truth && player.truth <= high));
        sum.players += 1.0;
        sum.error += (found.mean - player.truth).abs();
        sum.constant += (constant - player.truth).abs();
        sum.covered[0] += inside(found.interval80);
        sum.covered[1] += inside(found.interval90);
        sum.width += found.interval80.1 - found.interval80.0;
        sum.insight += density(&posterior) - before;
    }
    sum
}

const WEIGHTS: [f64; 12] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5];

pub fn fit_weight(file: &str) -> Result<(), Box<dyn Error>> {
    let players = read_evidence(file)?;
    let of = |is_test: bool| players.iter().filter(move |player| player.is_test == is_test);
    let count = of(false).count().max(1) as f64;
    let constant = of(false).map(|player| player.truth).sum::<f64>() / count;
    println!(
        "{} players, {} of them for testing; the constant guess is {constant:.0}, the validation players' mean",
        players.len(),
        of(true).count()
    );
    println!("nats gained on validation players by weight, over 5, 10, 20 and 40 moves:");
    let insight = |weight: f64| -> f64 {
        let parts = [5, 10, 20, 40].map(|moves| {
            let found = quality(of(false), moves, weight, constant);
            found.insight / found.players.max(1.0)
        });
        parts.iter().sum::<f64>() / 4.0
    };
    let mut best = (f64::NEG_INFINITY, 0.0);
    for weight in WEIGHTS {
        let found = insight(weight);
        println!("{weight}\t{found:.4}");
        if found > best.0 {
            best = (found, weight);
        }
    }
    println!("best: {}", best.1);
    println!("set\tmoves\tweight\tplayers\tMAE\tconstant\tcovered by 80 %\tby 90 %\twidth of 80 %");
    for is_test in [false, true] {
        for moves in [5, 10, 20, 40] {
            for weight in [0.55, best.1] {
                let found = quality(of(is_test), moves, weight, constant);
                let n = found.players.max(1.0);
                println!(
                    "{}\t{moves}\t{weight}\t{}\t{:.0}\t{:.0}\t{:.0} %\t{:.0} %\t{:.0}",
                    if is_test { "test" } else { "validation" },
                    found.players,
                    found.error / n,
                    found.constant / n,
                    100.0 * found.covered[0] / n,
                    100.0 * found.covered[1] / n,
                    found.width / n
                );
            }
        }
    }
    println!("\nband of test players, after 40 moves or all\tplayers\tmean error\tMAE\tcovered by 90 %");
    for band in (600..2800).step_by(200) {
        let inside = |player: &&Player| (f64::from(band)..f64::from(band + 200)).contains(&player.truth);
        let [mut count, mut error, mut distance, mut covered] = [0.0; 4];
        for player in of(true).filter(inside) {
            let mut posterior = Posterior::broad(Scale::Lichess);
            player.evidence.iter().for_each(|evidence| posterior.update(evidence));
            let found = posterior.estimate();
            count += 1.0;
            error += found.mean - player.truth;
            distance += (found.mean - player.truth).abs();
            let (low, high) = found.interval90;
            covered += f64::from(u8::from(low <= player.truth && player.truth <= high));
        }
        if count > 0.0 {
            let (error, distance) = (error / count, distance / count);
            println!("{band}\t{count}\t{error:+.0}\t{distance:.0}\t{:.0} %", 100.0 * covered / count);
        }
    }
    Ok(())
}

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
    opponent: Vec<Evidence>,
}

/// Stands between a player's moves and the opponent's.
const AGAINST: &str = "against";

/// Reads one game of each player and appends a line to the file: bucket, rating, then for each move the number of legal moves and the
/// logarithms of its likelihood at the knots; then the opponent's moves.
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
            let mut moves: [Vec<String>; 2] = [Vec::new(), Vec::new()];
            for (ply, text) in record.moves.split_whitespace().enumerate() {
                let Ok(mv) = game.position().parse_uci(text) else { break };
                let words = &mut moves[(ply + side) % 2];
                if ply >= 10
                    && words.len() < MOST_MOVES
                    && let Some(evidence) = evidence_model.evidence(&Situation::of(&game), mv)
                {
                    let logs =
                        KNOTS.map(|rating| format!("{:.4}", evidence.likelihood(f64::from(rating)).ln()));
                    words.push(format!("{},{}", game.position().legal_moves().len(), logs.join(",")));
                }
                game.play(mv)?;
            }
            let [own, opponent] = moves.map(|words| words.join("\t"));
            writeln!(out, "{}\t{points}\t{own}\t{AGAINST}\t{opponent}", id.bucket())?;
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
        let [mut evidence, mut opponent] = [Vec::new(), Vec::new()];
        let mut is_own = true;
        for word in words.filter(|word| !word.is_empty()) {
            if word == AGAINST {
                is_own = false;
                continue;
            }
            let numbers: Vec<f64> = word.split(',').map(str::parse).collect::<Result<_, _>>()?;
            let [legal, logs @ ..] = &numbers[..] else { continue };
            let at = |rating: f64| {
                let knot = KNOTS.iter().position(|knot| f64::from(*knot) == rating);
                knot.and_then(|knot| logs.get(knot).copied()).unwrap_or(-10.0)
            };
            let list = if is_own { &mut evidence } else { &mut opponent };
            list.push(Evidence::from_fn(*legal as usize, at));
        }
        players.push(Player {
            truth: truth.parse()?,
            is_test: bucket.parse::<u8>()? < 4,
            evidence,
            opponent,
        });
    }
    Ok(players)
}

/// What the estimate is made from.
#[derive(Clone, Copy, PartialEq)]
enum Basis {
    Own,
    Both,
}

/// What posteriors with an evidence weight say of players after so many moves.
#[derive(Default)]
struct Quality {
    players: f64,
    error: f64,
    signed: f64,
    constant: f64,
    covered: [f64; 2],
    width: f64,
    /// Nats by which the true rating is more likely than under the prior.
    insight: f64,
}

fn estimate(player: &Player, moves: usize, basis: Basis, weight: Option<f64>) -> Posterior {
    let mut posterior = Posterior::broad(Scale::Lichess);
    let own = &player.evidence[..moves.min(player.evidence.len())];
    let opponent = &player.opponent[..moves.min(player.opponent.len())];
    match (basis, weight) {
        (Basis::Own, None) => {
            for evidence in own {
                posterior.update(evidence);
            }
        }
        (Basis::Own, Some(weight)) => {
            for evidence in own {
                posterior.update_weighted(evidence, weight);
            }
        }
        (Basis::Both, None) => posterior.update_by_both(own, opponent),
        (Basis::Both, Some(weight)) => posterior.update_by_both_weighted(own, opponent, weight),
    }
    posterior
}

fn quality<'a>(
    players: impl Iterator<Item = &'a Player>,
    moves: usize,
    basis: Basis,
    weight: Option<f64>,
    constant: f64,
) -> Quality {
    let near = |posterior: &Posterior, truth: f64| {
        let near = posterior.weights().filter(|(rating, _)| (rating - truth).abs() <= 50.0);
        near.map(|(_, share)| share).sum::<f64>().max(1e-9).ln()
    };
    let prior = Posterior::broad(Scale::Lichess);
    let mut sum = Quality::default();
    let has_enough = |player: &&Player| {
        player.evidence.len() >= moves && (basis == Basis::Own || player.opponent.len() >= moves - 1)
    };
    for player in players.filter(has_enough) {
        let posterior = estimate(player, moves, basis, weight);
        let found = posterior.estimate();
        let inside =
            |(low, high): (f64, f64)| f64::from(u8::from(low <= player.truth && player.truth <= high));
        sum.players += 1.0;
        sum.error += (found.mean - player.truth).abs();
        sum.signed += found.mean - player.truth;
        sum.constant += (constant - player.truth).abs();
        sum.covered[0] += inside(found.interval80);
        sum.covered[1] += inside(found.interval90);
        sum.width += found.interval80.1 - found.interval80.0;
        sum.insight += near(&posterior, player.truth) - near(&prior, player.truth);
    }
    sum
}

const WEIGHTS: [f64; 9] = [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2];
const STEPS: [usize; 4] = [5, 10, 20, 40];

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
    for (basis, name) in [(Basis::Own, "own moves"), (Basis::Both, "both players' moves")] {
        println!(
            "\n{name}: validation players by weight, over 5, 10, 20 and 40 moves: nats gained, covered by 90 %"
        );
        for weight in WEIGHTS {
            let parts = STEPS.map(|moves| quality(of(false), moves, basis, Some(weight), constant));
            let mean = |value: &dyn Fn(&Quality) -> f64| {
                parts.iter().map(|found| value(found) / found.players.max(1.0)).sum::<f64>() / 4.0
            };
            println!("{weight}\t{:.4}\t{:.1} %", mean(&|q| q.insight), 100.0 * mean(&|q| q.covered[1]));
        }
        println!("{name}, as the program has it:");
        println!("set\tmoves\tplayers\tMAE\tconstant\tcovered by 80 %\tby 90 %\twidth of 80 %");
        for is_test in [false, true] {
            for moves in STEPS {
                let found = quality(of(is_test), moves, basis, None, constant);
                let n = found.players.max(1.0);
                println!(
                    "{}\t{moves}\t{}\t{:.0}\t{:.0}\t{:.1} %\t{:.1} %\t{:.0}",
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
        println!("band of test players, after 20 moves\tplayers\tmean error\tMAE\tcovered by 90 %");
        for band in (600..2800).step_by(200) {
            let inside = |player: &&Player| (f64::from(band)..f64::from(band + 200)).contains(&player.truth);
            let found = quality(of(true).filter(inside), 20, basis, None, constant);
            let n = found.players;
            if n > 0.0 {
                println!(
                    "{band}\t{n}\t{:+.0}\t{:.0}\t{:.0} %",
                    found.signed / n,
                    found.error / n,
                    100.0 * found.covered[1] / n
                );
            }
        }
    }
    Ok(())
}

//! Measures the models on players they never saw.
//!
//!     zstd -dc human/levels.tsv.zst human/lichess-rapid.tsv.zst | human-study moves ONE-POSITION-IN SECOND.bin
//!     zstd -dc human/levels.tsv.zst | human-study rate PLAYERS EVIDENCE.tsv
//!     human-study temper EVIDENCE.tsv
//!     zstd -dc human/lichess-rapid.tsv.zst | human-study coach GAMES
//!
//! `moves`: what people of each band give away a move beside what the sparring partner of that level would in the same
//! positions, at several strengths of caution, and what simulated people would (the second network of that file, and Regan's softmax); mates in one and recaptures; whether mistakes are foreseen (area under
//! the ROC curve, calibration). `rate`: hears the moves of players nobody trained on, half of them for validation, and keeps the evidence in a
//! file (players already there are not heard again). `temper`: from that file, the temper that fits the validation players best, then
//! errors and coverage on the others beside the constant guess.

use chess::{Game, Move};
use human::dataset::GameRecord;
use human::expected::Expected;
use human::oracle::{CrewOracle, Line, Oracle, Question};
use human::rating::{Evidence, Posterior, Witness};
use human::reply::{Circumstances, Rating, ReplyModel, Scale, SecondModel, Situation};
use human::simulant::Simulant;
use human::sparring::Level;
use kernel::clock::ManualClock;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, Write as _};
use std::sync::Arc;

/// The judge sees this much further than the partner.
const JUDGE_NODES: u64 = 30_000;
const CAUTIONS: [f64; 7] = [0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
/// A mistake gives away this many expected points.
const MISTAKE: f64 = 0.10;

const USAGE: &str = "expected: moves ONE-POSITION-IN SECOND.bin, rate PLAYERS EVIDENCE.tsv, temper EVIDENCE.tsv, or coach GAMES";

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["moves", one_in, second] => {
            moves(one_in.parse()?, &SecondModel::from_bytes(&std::fs::read(second)?)?)
        }
        ["rate", players, file] => rate(players.parse()?, file),
        ["temper", file] => temper(file),
        ["coach", games] => coach(games.parse()?),
        _ => Err(USAGE.into()),
    }
}

#[derive(Default)]
struct Band {
    positions: f64,
    human_loss: f64,
    human_blunders: f64,
    /// At each caution, and at the level's own.
    partner_loss: [f64; CAUTIONS.len() + 1],
    partner_blunders: f64,
    mates: f64,
    human_mates: f64,
    partner_mates: f64,
    recaptures: f64,
    human_recaptures: f64,
    partner_recaptures: f64,
    /// Network, then the simulated people, softmax and second network: favourites that were played, and nats.
    hits: [f64; 3],
    nats: [f64; 3],
    /// Softmax, second network.
    simulant_loss: [f64; 2],
    simulant_blunders: [f64; 2],
}

fn moves(one_in: u64, second: &SecondModel) -> Result<(), Box<dyn Error>> {
    let model = ReplyModel::shared()?;
    let mut judge = CrewOracle::new(16, Arc::new(ManualClock::new()))?;
    let mut eye = CrewOracle::new(4, Arc::new(ManualClock::new()))?;
    let mut bands: BTreeMap<u16, Band> = BTreeMap::new();
    let mut foreseen: Vec<(f64, bool)> = Vec::new();
    let mut number = 0u64;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Ok(record) = GameRecord::parse(&line) else { continue };
        if record.source.scale() != Scale::Lichess {
            continue;
        }
        let mut game = Game::default();
        for (ply, text) in record.moves.split_whitespace().enumerate() {
            let Ok(mv) = game.position().parse_uci(text) else { break };
            let points = record.ratings[ply % 2];
            if record.players[ply % 2].bucket() < 4 && ply >= 10 && (500..2900).contains(&points) {
                number += 1;
                if number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 < (1 << 24) / one_in
                    && game.position().legal_moves().len() > 1
                {
                    let band = bands.entry(points / 200 * 200).or_default();
                    if band.positions < 160.0 {
                        study(model, second, &game, mv, points, &mut judge, &mut eye, band, &mut foreseen)?;
                    }
                }
            }
            game.play(mv)?;
        }
    }
    print_bands(&bands);
    print_foresight(&mut foreseen);
    Ok(())
}

#[allow(clippy::too_many_arguments)]
fn study(
    model: &ReplyModel,
    second: &SecondModel,
    game: &Game,
    played: Move,
    points: u16,
    judge: &mut CrewOracle,
    eye: &mut CrewOracle,
    band: &mut Band,
    foreseen: &mut Vec<(f64, bool)>,
) -> Result<(), Box<dyn Error>> {
    let level = Level::nearest(f64::from(points));
    let circumstances = Circumstances::new(Rating::new(points)?, Scale::Lichess);
    let replies = model.replies(&Situation::of(game), &circumstances);
    let mut candidates: Vec<Move> = replies.covering(0.97).iter().map(|reply| reply.mv).take(10).collect();
    let Ok(Some(best)) = judge.best(game, JUDGE_NODES) else { return Ok(()) };
    for extra in [played, best.mv] {
        if !candidates.contains(&extra) {
            candidates.push(extra);
        }
    }
    let stopped = |_| "stopped";
    let deep = judge.ask(&Question::each(game, &candidates, 3 * JUDGE_NODES)).map_err(stopped)?;
    let seen = eye.ask(&Question::each(game, &candidates, level.nodes())).map_err(stopped)?;
    let top = deep.iter().map(Line::expected).fold(Expected::LOST, |a, b| if a < b { b } else { a });
    let worth = |lines: &[Line], mv: Move| {
        lines.iter().find(|line| line.mv == mv).map(|line| (line.expected(), line.score))
    };
    let loss = |mv: Move| worth(&deep, mv).map_or(0.0, |(expected, _)| top.loss_to(expected));
    let Some(first) = seen.first() else { return Ok(()) };
    let (seen_top, seen_score) = (first.expected(), first.score);
    let weight = |mv: Move, caution: f64, veto: bool| {
        let Some((expected, score)) = worth(&seen, mv) else { return 0.0 };
        let seen_loss = seen_top.loss_to(expected);
        let vetoed = veto
            && (seen_loss > level.worst_loss()
                || level.worst_drop().is_some_and(|most| {
                    seen_score.is_heuristic() && score.is_heuristic() && seen_score - score > most
                }));
        let share = f64::from(replies.probability(mv));
        if vetoed { 0.0 } else { share * (-caution * seen_loss).exp() }
    };
    let mean = |caution: f64, veto: bool, value: &dyn Fn(Move) -> f64| {
        let total: f64 = candidates.iter().map(|mv| weight(*mv, caution, veto)).sum();
        candidates.iter().map(|mv| weight(*mv, caution, veto) * value(*mv)).sum::<f64>() / total.max(1e-12)
    };
    let simulated = Simulant::new(Rating::new(points)?).distribution(game, eye).map_err(stopped)?;
    let share = |mv: Move| simulated.iter().find(|entry| entry.0 == mv).map_or(0.0, |entry| entry.1);
    let favourite = simulated.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|entry| entry.0);
    let others = second.replies(&Situation::of(game), &circumstances);
    let favourites =
        [replies.favourite().map(|reply| reply.mv), favourite, others.favourite().map(|reply| reply.mv)];
    let chances =
        [f64::from(replies.probability(played)), share(played), f64::from(others.probability(played))];
    for (index, chance) in chances.into_iter().enumerate() {
        band.hits[index] += f64::from(u8::from(favourites[index] == Some(played)));
        band.nats[index] -= chance.max(1e-6).ln();
    }
    let other_share = |mv: Move| f64::from(others.probability(mv));
    for (index, share) in [&share as &dyn Fn(Move) -> f64, &other_share].into_iter().enumerate() {
        // Moves the judge did not look at count with the candidates' mean.
        let judged: f64 = candidates.iter().map(|mv| share(*mv)).sum();
        let mean = |value: &dyn Fn(Move) -> f64| {
            candidates.iter().map(|mv| share(*mv) * value(*mv)).sum::<f64>() / judged.max(1e-9)
        };
        band.simulant_loss[index] += mean(&loss);
        band.simulant_blunders[index] += mean(&|mv| f64::from(u8::from(loss(mv) >= 0.15)));
    }
    band.positions += 1.0;
    band.human_loss += loss(played);
    band.human_blunders += f64::from(u8::from(loss(played) >= 0.15));
    for (sum, caution) in band.partner_loss.iter_mut().zip(CAUTIONS) {
        *sum += mean(caution, false, &loss);
    }
    band.partner_loss[CAUTIONS.len()] += mean(level.caution(), true, &loss);
    let is = |yes: bool| f64::from(u8::from(yes));
    band.partner_blunders += mean(level.caution(), true, &|mv| is(loss(mv) >= 0.15));
    let position = game.position();
    let mates = |mv: Move| position.after(mv).is_checkmate();
    if position.legal_moves().iter().any(|mv| mates(*mv)) {
        band.mates += 1.0;
        band.human_mates += is(mates(played));
        band.partner_mates += mean(level.caution(), true, &|mv| is(mates(mv)));
    }
    if let Some(last) = game.moves().last() {
        let before = &game.positions()[game.positions().len() - 2];
        let back = |mv: Move| mv.to() == last.to() && position.captured(mv).is_some();
        if before.captured(*last).is_some() && position.legal_moves().iter().any(|mv| back(*mv)) {
            band.recaptures += 1.0;
            band.human_recaptures += is(back(played));
            band.partner_recaptures += mean(level.caution(), true, &|mv| is(back(mv)));
        }
    }
    let predicted: f64 = candidates
        .iter()
        .filter(|mv| loss(**mv) >= MISTAKE)
        .map(|mv| f64::from(replies.probability(*mv)))
        .sum();
    foreseen.push((predicted, loss(played) >= MISTAKE));
    Ok(())
}

fn print_bands(bands: &BTreeMap<u16, Band>) {
    println!(
        "band\tn\tnetwork top-1, nats\tRegan's softmax top-1, nats\tsecond network top-1, nats\tloss human/softmax/second\tblunders human/softmax/second"
    );
    for (band, sum) in bands {
        let of = |value: f64| value / sum.positions;
        println!(
            "{band}\t{}\t{:.1} %, {:.2}\t{:.1} %, {:.2}\t{:.1} %, {:.2}\t{:.2}/{:.2}/{:.2}\t{:.1}/{:.1}/{:.1}",
            sum.positions,
            100.0 * of(sum.hits[0]),
            of(sum.nats[0]),
            100.0 * of(sum.hits[1]),
            of(sum.nats[1]),
            100.0 * of(sum.hits[2]),
            of(sum.nats[2]),
            100.0 * of(sum.human_loss),
            100.0 * of(sum.simulant_loss[0]),
            100.0 * of(sum.simulant_loss[1]),
            100.0 * of(sum.human_blunders),
            100.0 * of(sum.simulant_blunders[0]),
            100.0 * of(sum.simulant_blunders[1])
        );
    }
    println!(
        "loss: percent of a point given away a move; partner at cautions {CAUTIONS:?} and at its own, vetoes included"
    );
    println!(
        "band\tn\thuman\tpartner\t\t\t\t\t\t\town\tblunders human/partner\tmate in one played human/partner of n\trecaptures human/partner of n"
    );
    for (band, sum) in bands {
        let losses: Vec<String> =
            sum.partner_loss.iter().map(|loss| format!("{:.2}", 100.0 * loss / sum.positions)).collect();
        let share = |part: f64, whole: f64| if whole > 0.0 { 100.0 * part / whole } else { f64::NAN };
        println!(
            "{band}\t{}\t{:.2}\t{}\t{:.1}/{:.1}\t{:.0}/{:.0} of {}\t{:.0}/{:.0} of {}",
            sum.positions,
            100.0 * sum.human_loss / sum.positions,
            losses.join("\t"),
            share(sum.human_blunders, sum.positions),
            share(sum.partner_blunders, sum.positions),
            share(sum.human_mates, sum.mates),
            share(sum.partner_mates, sum.mates),
            sum.mates,
            share(sum.human_recaptures, sum.recaptures),
            share(sum.partner_recaptures, sum.recaptures),
            sum.recaptures
        );
    }
}

/// Whether mistakes are foreseen: the chance that a position with a mistake was rated riskier than one without.
fn print_foresight(foreseen: &mut [(f64, bool)]) {
    foreseen.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mistakes = foreseen.iter().filter(|entry| entry.1).count() as f64;
    let fine = foreseen.len() as f64 - mistakes;
    // Ranks, equal predictions sharing theirs.
    let mut ranks = 0.0;
    let mut from = 0;
    while from < foreseen.len() {
        let to = from + foreseen[from..].iter().take_while(|entry| entry.0 == foreseen[from].0).count();
        let shared = (from + 1 + to) as f64 / 2.0;
        ranks += shared * foreseen[from..to].iter().filter(|entry| entry.1).count() as f64;
        from = to;
    }
    let area = (ranks - mistakes * (mistakes + 1.0) / 2.0) / (mistakes * fine);
    // Hanley and McNeil's standard error.
    let (q1, q2) = (area / (2.0 - area), 2.0 * area * area / (1.0 + area));
    let error =
        ((area * (1.0 - area) + (mistakes - 1.0) * (q1 - area * area) + (fine - 1.0) * (q2 - area * area))
            / (mistakes * fine))
            .sqrt();
    println!(
        "mistakes of {MISTAKE} points or more: {mistakes} of {}; AUC {area:.3} (+-{:.3})",
        foreseen.len(),
        1.96 * error
    );
    println!("said\tseen\tpositions");
    let mut calibration = 0.0;
    for part in foreseen.chunks(foreseen.len().div_ceil(10).max(1)) {
        let said = part.iter().map(|entry| entry.0).sum::<f64>() / part.len() as f64;
        let seen = part.iter().filter(|entry| entry.1).count() as f64 / part.len() as f64;
        calibration += (said - seen).abs() * part.len() as f64 / foreseen.len() as f64;
        println!("{said:.3}\t{seen:.3}\t{}", part.len());
    }
    let mean = |values: &dyn Fn(&(f64, bool)) -> f64| {
        foreseen.iter().map(values).sum::<f64>() / foreseen.len() as f64
    };
    println!(
        "calibration error {calibration:.4}; said {:.4} on average, seen {:.4}",
        mean(&|e| e.0),
        mean(&|e| f64::from(u8::from(e.1)))
    );
}

/// Ratings at which the evidence is written down: those at which the network is asked.
const KNOTS: [u16; 5] = [800, 1250, 1700, 2150, 2600];
/// Moves heard of each player.
const HEARD: usize = 40;

/// The first moves of a player, as evidence.
struct Player {
    truth: f64,
    is_test: bool,
    evidence: Vec<Evidence>,
}

/// Hears one game of each player and appends a line to the file: bucket, rating, then for each move the number of legal moves and the
/// logarithms of its likelihood at the knots.
fn rate(wanted: usize, file: &str) -> Result<(), Box<dyn Error>> {
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
            let witness = Witness { model, circumstances };
            let mut game = Game::default();
            let mut words = vec![id.bucket().to_string(), points.to_string()];
            for (ply, text) in record.moves.split_whitespace().enumerate() {
                let Ok(mv) = game.position().parse_uci(text) else { break };
                if ply % 2 == side
                    && ply >= 10
                    && words.len() < HEARD + 2
                    && let Some(heard) = witness.hear(&Situation::of(&game), mv)
                {
                    let logs = KNOTS.map(|rating| format!("{:.4}", heard.likelihood(f64::from(rating)).ln()));
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

/// What a posterior made with a temper says of players after so many moves.
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
    temper: f64,
    constant: f64,
) -> Quality {
    let mut sum = Quality::default();
    for player in players.filter(|player| player.evidence.len() >= moves) {
        let mut posterior = Posterior::broad(Scale::Lichess);
        let density = |posterior: &Posterior| {
            let near = posterior.weights().filter(|(rating, _)| (rating - player.truth).abs() <= 50.0);
            near.map(|(_, weight)| weight).sum::<f64>().max(1e-9).ln()
        };
        let before = density(&posterior);
        player.evidence[..moves].iter().for_each(|heard| posterior.update_tempered(heard, temper));
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

const TEMPERS: [f64; 12] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.5];

fn temper(file: &str) -> Result<(), Box<dyn Error>> {
    let players = read_evidence(file)?;
    let of = |is_test: bool| players.iter().filter(move |player| player.is_test == is_test);
    let count = of(false).count().max(1) as f64;
    let constant = of(false).map(|player| player.truth).sum::<f64>() / count;
    println!(
        "{} players, {} of them for testing; the constant guess is {constant:.0}, the validation players' mean",
        players.len(),
        of(true).count()
    );
    println!("nats gained on validation players by temper, over 5, 10, 20 and 40 moves:");
    let insight = |temper: f64| -> f64 {
        let parts = [5, 10, 20, 40].map(|moves| {
            let found = quality(of(false), moves, temper, constant);
            found.insight / found.players.max(1.0)
        });
        parts.iter().sum::<f64>() / 4.0
    };
    let mut best = (f64::NEG_INFINITY, 0.0);
    for temper in TEMPERS {
        let found = insight(temper);
        println!("{temper}\t{found:.4}");
        if found > best.0 {
            best = (found, temper);
        }
    }
    println!("best: {}", best.1);
    println!("set\tmoves\ttemper\tplayers\tMAE\tconstant\tcovered by 80 %\tby 90 %\twidth of 80 %");
    for is_test in [false, true] {
        for moves in [5, 10, 20, 40] {
            for temper in [0.55, best.1] {
                let found = quality(of(is_test), moves, temper, constant);
                let n = found.players.max(1.0);
                println!(
                    "{}\t{moves}\t{temper}\t{}\t{:.0}\t{:.0}\t{:.0} %\t{:.0} %\t{:.0}",
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
    Ok(())
}

/// Nodes the coach gets for each position, and the judge of its lines for each of them.
const COACH_NODES: u64 = 5_000;
const DEEPER_JUDGE: u64 = 400_000;

/// Reviews games of people nobody trained on and judges every line the coach shows by a search twenty times as long as its own
/// verification: the better move must still be better by an inaccuracy, the punishment must still hold.
fn coach(wanted: usize) -> Result<(), Box<dyn Error>> {
    let openings = human::openings::Openings::shipped()?;
    let coach = human::coach::Coach {
        model: ReplyModel::shared()?,
        openings: &openings,
        scale: Scale::Lichess,
        ratings: [None, None],
        student: None,
        nodes: COACH_NODES,
    };
    let mut oracle = CrewOracle::new(16, Arc::new(ManualClock::new()))?;
    let mut judge = CrewOracle::new(64, Arc::new(ManualClock::new()))?;
    let (mut games, mut lines, mut kept, mut halved) = (0, 0, 0, 0);
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let Ok(record) = GameRecord::parse(&line) else { continue };
        let plies = record.moves.split_whitespace().count();
        if record.players.iter().all(|player| player.bucket() >= 4) || !(30..120).contains(&plies) {
            continue;
        }
        let mut game = Game::default();
        for text in record.moves.split_whitespace() {
            let mv = game.position().parse_uci(text)?;
            game.play(mv)?;
        }
        let mut pgn = chess::pgn::PgnGame::from_game(&game, false);
        for (tag, points) in ["WhiteElo", "BlackElo"].into_iter().zip(record.ratings) {
            pgn.tags.set(tag, &points.to_string());
        }
        oracle.clear();
        let review = coach.review(&pgn, &mut oracle, &mut |_, _| {})?;
        let mut before = Game::default();
        for played in &review.moves {
            if let Some(proof) = &played.proof {
                judge.clear();
                let moves = [proof.better.mv, played.mv];
                let judged =
                    judge.ask(&Question::each(&before, &moves, DEEPER_JUDGE)).map_err(|_| "stopped")?;
                let worth = |mv: Move| judged.iter().find(|line| line.mv == mv).map(Line::expected);
                let (Some(better), Some(bad)) = (worth(proof.better.mv), worth(played.mv)) else { continue };
                let loss = better.loss_to(bad);
                lines += 1;
                kept += usize::from(loss >= 0.05);
                halved += usize::from(loss < 0.025);
                if loss < 0.05 {
                    println!(
                        "game {games}, ply {}: {} said {:.3}, judged {loss:.3}  {}",
                        played.ply,
                        played.san,
                        played.loss,
                        before.position().to_fen()
                    );
                }
            }
            before.play(played.mv)?;
        }
        games += 1;
        println!(
            "after {games} games: {lines} errors commented, {kept} still errors by the deeper judge, {halved} below half an inaccuracy"
        );
        if games == wanted {
            break;
        }
    }
    Ok(())
}

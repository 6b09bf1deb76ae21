//! The study: does speculation win sooner against simulated people, and what does it cost?
//!
//!     zstd -dc books/popularpos_lichess_v3.epd.zst | human-duel play OUT.csv PAIRS NODES RATING,... ARM,... [WHO]
//!     human-duel report OUT.csv
//!     zstd -dc books/popularpos_lichess_v3.epd.zst | human-duel levels OUT.csv PAIRS LEVEL,...
//!
//! The arms are those of [`human::arena`].
//! Every arm meets the same simulated people from the same openings with both colours and the same seeds. WHO they are: a file with the second
//! reply network (`crates/human/weights/second.bin`: another form, other players), or without it Regan's softmax ([`human::simulant`]).
//! Rows already in the file are not played again. Games without a win count 200
//! plies.

use chess::{Color, Game, Position};
use human::arena::{Arm, Crowd, Duel, LONGEST};
use human::openings::Openings;
use human::oracle::CrewOracle;
use human::random::Random;
use human::reply::{Rating, ReplyModel, SecondModel};
use human::sparring::{Level, Partner};
use kernel::clock::ManualClock;
use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::fs::OpenOptions;
use std::io::{BufRead, Write};
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["play", file, pairs, nodes, ratings, arms, ref who @ ..] if who.len() < 2 => {
            let ratings: Vec<u16> = ratings.split(',').map(str::parse).collect::<Result<_, _>>()?;
            let arms: Vec<&str> = arms.split(',').collect();
            let crowd = match who.first() {
                None => Crowd::Softmax,
                Some(path) => Crowd::Network(Box::new(SecondModel::from_bytes(&std::fs::read(path)?)?)),
            };
            play(file, pairs.parse()?, nodes.parse()?, &ratings, &arms, &crowd)
        }
        ["report", file] => report(file),
        ["levels", file, pairs, levels] => {
            let levels: Vec<u16> = levels.split(',').map(str::parse).collect::<Result<_, _>>()?;
            round_robin(file, pairs.parse()?, &levels)
        }
        _ => Err("expected: play OUT.csv PAIRS NODES RATING,... ARM,... [WHO], report OUT.csv, or levels OUT.csv PAIRS LEVEL,...".into()),
    }
}

fn play(
    file: &str,
    pairs: usize,
    nodes: u64,
    ratings: &[u16],
    arms: &[&str],
    crowd: &Crowd,
) -> Result<(), Box<dyn Error>> {
    let model = ReplyModel::shared()?;
    let done: HashSet<String> = std::fs::read_to_string(file)
        .unwrap_or_default()
        .lines()
        .map(|line| line.split(',').take(4).collect::<Vec<_>>().join(","))
        .collect();
    let mut out = OpenOptions::new().create(true).append(true).open(file)?;
    let openings = openings(pairs)?;
    for (number, opening) in openings.iter().enumerate() {
        for color in Color::BOTH {
            for rating in ratings {
                for arm in arms {
                    let key = format!("{arm},{rating},{number},{color}");
                    if done.contains(&key) {
                        continue;
                    }
                    let duel = Duel {
                        opening: opening.clone(),
                        color,
                        arm: Arm::named(arm)?,
                        rating: Rating::new(*rating)?,
                        nodes,
                        seed: (number as u64 + 1) * 7919 + u64::from(*rating) * 31 + color.index() as u64,
                    };
                    let Some(played) = duel.play(model, crowd, &|| false)? else { continue };
                    let plies = played.game.moves().len();
                    writeln!(out, "{key},{},{plies},{:.4}", played.points, played.spent)?;
                    out.flush()?;
                }
            }
        }
    }
    Ok(())
}

/// Positions from standard input.
fn openings(wanted: usize) -> Result<Vec<Position>, Box<dyn Error>> {
    let mut openings = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let fen: Vec<&str> = line.split_whitespace().take(4).collect();
        if let Ok(position) = Position::from_fen(&format!("{} 0 1", fen.join(" "))) {
            openings.push(position);
        }
        if openings.len() == wanted {
            break;
        }
    }
    Ok(openings)
}

/// Sparring levels against each other, every opening with both colours; a row for each game, then a table.
fn round_robin(file: &str, pairs: usize, levels: &[u16]) -> Result<(), Box<dyn Error>> {
    let table = Openings::shipped()?;
    let partner = Partner { model: ReplyModel::shared()?, openings: &table };
    let mut out = OpenOptions::new().create(true).append(true).open(file)?;
    let mut points: BTreeMap<(u16, u16), (f64, u32)> = BTreeMap::new();
    for (number, opening) in openings(pairs)?.iter().enumerate() {
        for (index, weak) in levels.iter().enumerate() {
            for strong in &levels[index + 1..] {
                for color in Color::BOTH {
                    let seed = (number as u64 + 1) * 104_729
                        + u64::from(*weak) * 7
                        + u64::from(*strong)
                        + color.index() as u64;
                    let result = spar(&partner, opening, color, *strong, *weak, seed)?;
                    writeln!(out, "{strong},{weak},{number},{color},{result}")?;
                    out.flush()?;
                    let sum = points.entry((*strong, *weak)).or_default();
                    *sum = (sum.0 + result, sum.1 + 1);
                }
            }
        }
    }
    for ((strong, weak), (sum, games)) in points {
        println!("{strong} against {weak}: {sum} of {games}");
    }
    Ok(())
}

/// The stronger level's points; games of 240 plies are drawn.
fn spar(
    partner: &Partner<'_>,
    opening: &Position,
    color: Color,
    strong: u16,
    weak: u16,
    seed: u64,
) -> Result<f64, Box<dyn Error>> {
    let mut eye = CrewOracle::new(2, Arc::new(ManualClock::new()))?;
    let mut random = Random::new(seed);
    let mut game = Game::new(opening.clone());
    while game.moves().len() < 240 {
        if let Some(outcome) = game.outcome() {
            return Ok(match outcome.winner() {
                None => 0.5,
                Some(winner) => f64::from(u8::from(winner == color)),
            });
        }
        let level = Level::new(if game.position().turn() == color { strong } else { weak })?;
        let choice = partner.choose(&game, level, &[], &mut eye, u64::MAX, &mut random).ok_or("no move")?;
        game.play(choice.mv)?;
    }
    Ok(0.5)
}

/// Points, plies (censored) and concession.
type Played = (f64, f64, f64);
/// A game of an arm, plain search's from the same start, and the opening.
type Pair<'a> = (&'a Played, &'a Played, &'a str);

#[derive(Default, Clone)]
struct Results {
    /// By rating, opening and colour.
    games: BTreeMap<(String, String, String), Played>,
}

fn report(file: &str) -> Result<(), Box<dyn Error>> {
    let mut arms: BTreeMap<String, Results> = BTreeMap::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let fields: Vec<&str> = line.split(',').collect();
        let [arm, rating, number, color, result, plies, spent] = fields[..] else { continue };
        let result: f64 = result.parse()?;
        let plies = if result == 1.0 { plies.parse()? } else { LONGEST as f64 };
        let key = (rating.to_string(), number.to_string(), color.to_string());
        arms.entry(arm.to_string()).or_default().games.insert(key, (result, plies, spent.parse()?));
    }
    let Some(plain) = arms.get("plain").cloned() else { return Err("no games of the plain arm".into()) };
    println!(
        "arm\tgames\twins\tscore\tmean plies to win (200 if none)\tratio to plain (95 %)\tscore less plain's (95 %)\tconcession a game"
    );
    for (name, arm) in &arms {
        let shared: Vec<Pair<'_>> = arm
            .games
            .iter()
            .filter_map(|(key, game)| Some((game, plain.games.get(key)?, key.1.as_str())))
            .collect();
        if shared.is_empty() {
            continue;
        }
        let n = shared.len() as f64;
        let mean =
            |value: &dyn Fn(&Played) -> f64| shared.iter().map(|(game, _, _)| value(game)).sum::<f64>() / n;
        let wins = mean(&|game| f64::from(u8::from(game.0 == 1.0)));
        let (ratio, difference) = bootstrap(&shared);
        println!(
            "{name}\t{}\t{:.1} %\t{:.1} %\t{:.1}\t{:.3} ({:.3} to {:.3})\t{:+.1} % ({:+.1} to {:+.1})\t{:.3}",
            shared.len(),
            100.0 * wins,
            100.0 * mean(&|game| game.0),
            mean(&|game| game.1),
            ratio.0,
            ratio.1,
            ratio.2,
            100.0 * difference.0,
            100.0 * difference.1,
            100.0 * difference.2,
            mean(&|game| game.2)
        );
    }
    Ok(())
}

type Interval = (f64, f64, f64);

/// Resamples openings, so that games from one opening stay together.
fn bootstrap(shared: &[Pair<'_>]) -> (Interval, Interval) {
    let mut openings: BTreeMap<&str, [f64; 5]> = BTreeMap::new();
    for (game, plain, opening) in shared {
        let sums = openings.entry(opening).or_default();
        for (sum, value) in sums.iter_mut().zip([game.1, plain.1, game.0, plain.0, 1.0]) {
            *sum += value;
        }
    }
    let groups: Vec<[f64; 5]> = openings.into_values().collect();
    let figure = |picked: &[[f64; 5]]| {
        let total = |index: usize| picked.iter().map(|group| group[index]).sum::<f64>();
        (total(0) / total(1), (total(2) - total(3)) / total(4))
    };
    let mut random = Random::new(1);
    let mut resampled: Vec<(f64, f64)> = (0..2000)
        .map(|_| {
            let picked: Vec<[f64; 5]> =
                groups.iter().map(|_| groups[(random.next() % groups.len() as u64) as usize]).collect();
            figure(&picked)
        })
        .collect();
    let point = figure(&groups);
    resampled.sort_by(|a, b| a.0.total_cmp(&b.0));
    let ratio = (point.0, resampled[50].0, resampled[1949].0);
    resampled.sort_by(|a, b| a.1.total_cmp(&b.1));
    (ratio, (point.1, resampled[50].1, resampled[1949].1))
}

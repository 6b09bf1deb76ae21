//! `tabiya puzzles`: makes puzzles from games and judges them.

use super::human::games;
use super::serve::data_folder;
use crate::cli::{Command, Failure, Flag, Parsed, Run, remark};
use chess::Game;
use coach::puzzle_maker::{Difficulty, Effort, Objection, find, judge, play_game};
use coach::quiz::{Puzzle, Quiz};
use common::{Random, entropy_seed};
use human_model::oracle::PoolOracle;
use human_model::rating::Posterior;
use human_model::reply::{Rating, ReplyModel, Scale};
use std::collections::HashSet;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

pub const COMMAND: Command = Command {
    name: "puzzles",
    summary: "Make puzzles from games for the trainer of the board (make), or judge a file of puzzles (check)",
    arguments: "make [GAMES.pgn...] | check PUZZLES.tsv",
    flags: &[
        Flag {
            name: "self-play",
            value: Some("N"),
            help: "make: play so many games between simulated people first",
        },
        Flag {
            name: "count",
            value: Some("N"),
            help: "make: stop after so many new puzzles (default: no limit)",
        },
        Flag {
            name: "out",
            value: Some("FILE"),
            help: "make: add to this file, - for the terminal (default: puzzles.tsv in your data folder)",
        },
        Flag { name: "seed", value: Some("N"), help: "make: the same games between simulated people again" },
        Flag {
            name: "nodes",
            value: Some("N"),
            help: "nodes for each move of a solution (default: make 300000, check 2000000)",
        },
    ],
    examples: &[
        "tabiya puzzles make games.pgn",
        "tabiya puzzles make --self-play 20 --out puzzles.tsv",
        "tabiya puzzles check puzzles.tsv --nodes 3000000",
    ],
    run: Run::Parsed(run),
};

/// Ratings of the simulated people.
const RATINGS: [i64; 6] = [1000, 1200, 1400, 1600, 1800, 2000];
/// Plies after which a game between them is broken off.
const LONGEST: usize = 160;
const HASH_MEGABYTES: usize = 64;

fn run(parsed: &Parsed) -> Result<(), Failure> {
    match parsed.positional() {
        [word, files @ ..] if word == "make" => make(parsed, files),
        [word, file] if word == "check" => check(parsed, file),
        [word] if word == "check" => Err(parsed.usage("check: expected a file of puzzles")),
        [] => Err(parsed.usage("expected make or check")),
        [word, ..] => Err(parsed.usage(&format!("'{word}', expected make or check"))),
    }
}

fn oracle() -> Result<PoolOracle, Failure> {
    PoolOracle::new(HASH_MEGABYTES, crate::clock::system(), &eval::Evaluation::shipped())
        .map_err(Failure::failed)
}

fn read(path: &std::path::Path) -> Result<Vec<Puzzle>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
    let quiz = Quiz::from_text(&text, Posterior::broad(Scale::Lichess), Random::new(0));
    Ok(quiz.map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?.into_puzzles())
}

/// Where the puzzles go.
enum Target {
    Terminal,
    File(PathBuf),
}

fn make(parsed: &Parsed, files: &[String]) -> Result<(), Failure> {
    let self_play: u32 = parsed.number("self-play", 0, 0..=1_000_000)?;
    if files.is_empty() && self_play == 0 {
        return Err(parsed.usage("make: expected PGN files or --self-play N"));
    }
    let most: usize = parsed.number("count", usize::MAX, 1..=usize::MAX)?;
    let verify: u64 = parsed.number("nodes", Effort::default().verify, 1_000..=1_000_000_000)?;
    let seed: u64 = parsed.number("seed", entropy_seed(), 0..=u64::MAX)?;
    let target = match parsed.text("out") {
        Some("-") => Target::Terminal,
        Some(path) => Target::File(PathBuf::from(path)),
        None => Target::File(data_folder()?.join("puzzles.tsv")),
    };
    let mut known: HashSet<String> = match &target {
        Target::File(path) if path.exists() => {
            read(path)?.iter().map(|puzzle| puzzle.position.to_fen()).collect()
        }
        _ => HashSet::new(),
    };
    let model = ReplyModel::shared().map_err(Failure::failed)?;
    let mut maker = Maker {
        oracle: oracle()?,
        difficulty: Difficulty::new(model).map_err(Failure::failed)?,
        effort: Effort { verify, ..Effort::default() },
        made: Vec::new(),
        games: 0,
    };
    for file in files {
        for (index, game) in games(file)?.enumerate() {
            match game {
                Ok(game) if game.is_chess960() => {}
                Ok(game) => maker.add(&game.to_game(), &mut known)?,
                Err(error) => remark(&format!("tabiya: {file}, game {}: {error}; skipped", index + 1)),
            }
            if maker.made.len() >= most {
                break;
            }
        }
    }
    let mut random = Random::new(seed);
    for _ in 0..self_play {
        if maker.made.len() >= most {
            break;
        }
        let mut rating = || Rating::new(RATINGS[random.below(RATINGS.len())]).map_err(Failure::failed);
        let ratings = [rating()?, rating()?];
        maker.add(&play_game(model, ratings, LONGEST, &mut random), &mut known)?;
    }
    maker.made.truncate(most);
    let text: String = maker.made.iter().map(|puzzle| puzzle.line() + "\n").collect();
    match target {
        Target::Terminal => std::io::stdout().write_all(text.as_bytes())?,
        Target::File(path) => {
            let words = |error: std::io::Error| Failure::Failed(format!("{}: {error}", path.display()));
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(words)?;
            }
            let mut file =
                std::fs::OpenOptions::new().append(true).create(true).open(&path).map_err(words)?;
            file.write_all(text.as_bytes()).map_err(words)?;
            remark(&format!("{} puzzles from {} games in {}", maker.made.len(), maker.games, path.display()));
        }
    }
    Ok(())
}

struct Maker<'a> {
    oracle: PoolOracle,
    difficulty: Difficulty<'a>,
    effort: Effort,
    made: Vec<Puzzle>,
    games: u32,
}

impl Maker<'_> {
    fn add(&mut self, game: &Game, known: &mut HashSet<String>) -> Result<(), Failure> {
        let found = find(game, self.effort, &mut self.oracle)
            .map_err(|_| Failure::Failed("the search was stopped".to_string()))?;
        self.games += 1;
        for mut puzzle in found {
            if known.insert(puzzle.position.to_fen()) {
                puzzle.rating = self.difficulty.rating(&puzzle);
                self.made.push(puzzle);
            }
        }
        if std::io::stderr().is_terminal() {
            let _ = write!(std::io::stderr(), "\r{} games, {} puzzles ", self.games, self.made.len());
        }
        Ok(())
    }
}

/// A line for each puzzle, and how many a longer search agrees with. It starts with an empty hash table.
fn check(parsed: &Parsed, file: &str) -> Result<(), Failure> {
    let nodes: u64 = parsed.number("nodes", 2_000_000, 1_000..=1_000_000_000)?;
    let puzzles = read(std::path::Path::new(file))?;
    let mut oracle = oracle()?;
    let mut out = std::io::stdout().lock();
    let mut agreed = 0;
    for (index, puzzle) in puzzles.iter().enumerate() {
        oracle.clear();
        let objections = judge(puzzle, nodes, &mut oracle)
            .map_err(|_| Failure::Failed("the search was stopped".to_string()))?;
        let words: Vec<String> = objections.iter().map(|objection| words(puzzle, objection)).collect();
        agreed += usize::from(objections.is_empty());
        let verdict = if words.is_empty() { "agreed".to_string() } else { words.join("; ") };
        writeln!(out, "{}\t{}\t{}\t{verdict}", index + 1, puzzle.rating, puzzle.themes)?;
    }
    writeln!(out, "{agreed} of {} puzzles agreed at {nodes} nodes a move", puzzles.len())?;
    if agreed == puzzles.len() { Ok(()) } else { Err(Failure::Silent(1)) }
}

fn words(puzzle: &Puzzle, objection: &Objection) -> String {
    // The move is of a later position: its squares say enough.
    let squares = |mv: chess::Move| format!("{}{}", mv.from(), mv.to());
    match objection {
        Objection::Other { number, preferred } => format!("move {number}: {} is better", squares(*preferred)),
        Objection::Second { number, second } => format!("move {number}: {} wins too", squares(*second)),
        Objection::Themes(judged) => format!("themes '{judged}', not '{}'", puzzle.themes),
    }
}

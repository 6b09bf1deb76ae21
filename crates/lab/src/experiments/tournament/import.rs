//! Games that others ran (fastchess, cutechess, OpenBench's workers) as an experiment of the lab: PGN files become a store
//! with standings, ratings and a report like any other.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use chess::pgn::{GameResult as Told, PgnGame, PgnReader};
use chess::{Game, Outcome as Ending};

use super::config::{IMPORTED, Kind};
use experiment::spec::{Node, Spec};
use match_runner::game::{GameRecord, GameResult, PlayedMove, Termination};
use protocol::client::info::{ReportedScore, SearchInfo};
use match_runner::schedule::GameTask;

/// What the files hold, ready for a store.
#[derive(Debug)]
pub struct Import {
    pub kind: Kind,
    pub spec: Spec,
    pub games: Vec<Imported>,
    /// Games left out, and why: file, place and reason.
    pub left_out: Vec<String>,
    players: Vec<String>,
}

impl Import {
    /// Who played, in the order of the standings.
    pub(super) fn players(&self) -> impl Iterator<Item = &str> {
        self.players.iter().map(String::as_str)
    }

    /// Makes the second of two players the first.
    pub(super) fn swap_players(&mut self) {
        self.players.reverse();
        self.spec.reverse("engine");
        for game in &mut self.games {
            std::mem::swap(&mut game.task.white, &mut game.task.black);
        }
    }
}

/// One game and its place in the order of pairs.
#[derive(Debug)]
pub struct Imported {
    pub task: GameTask,
    pub white: String,
    pub black: String,
    pub record: GameRecord,
}

/// How games of a pair are known: the two players, the round and the position they started from.
type PairKey = (usize, usize, String, String);

/// Games on their way from files into a store.
#[derive(Default)]
pub(super) struct Collector {
    players: Vec<String>,
    /// First games that wait for their second, with the pair's number.
    waiting: BTreeMap<PairKey, (u64, usize)>,
    pairs: u64,
    time_control: Option<String>,
    games: Vec<Imported>,
    left_out: Vec<String>,
}

/// Reads PGN files, plain or zstd. `each` says what the files do not, such as the time control; `ratings` are known
/// ratings of some of the players.
pub fn read(
    files: &[std::path::PathBuf],
    each: Spec,
    ratings: &BTreeMap<String, String>,
) -> Result<Import, String> {
    let mut collector = Collector::default();
    for path in files {
        collector.read_file(path).map_err(|reason| format!("{}: {reason}", path.display()))?;
    }
    collector.finish(each, ratings)
}

impl Collector {
    fn read_file(&mut self, path: &Path) -> Result<(), String> {
        let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
        let plain = chess::compressed::reader(file).map_err(|error| error.to_string())?;
        self.read_games(&path.display().to_string(), plain);
        Ok(())
    }

    /// Takes what can be taken; the rest is noted with the name of where it stood.
    pub(super) fn read_games(&mut self, name: &str, plain: impl std::io::Read) {
        for (number, game) in PgnReader::new(plain).enumerate() {
            let taken = match game {
                Ok(game) => self.take(&game).map_err(|reason| format!("game {}: {reason}", number + 1)),
                Err(error) => Err(error.to_string()),
            };
            if let Err(reason) = taken {
                self.left_out.push(format!("{name}: {reason}"));
            }
        }
    }

    fn take(&mut self, pgn: &PgnGame) -> Result<(), String> {
        let name = |tag: &str| pgn.tags.get(tag).filter(|name| !name.is_empty() && *name != "?");
        let (Some(white), Some(black)) = (name("White"), name("Black")) else {
            return Err("it does not say who played".to_owned());
        };
        if white == black {
            return Err(format!("'{white}' plays against itself"));
        }
        let result = match pgn.result {
            Told::WhiteWins => GameResult::WhiteWins,
            Told::BlackWins => GameResult::BlackWins,
            Told::Draw => GameResult::Draw,
            Told::Unknown => return Err("it has no result".to_owned()),
        };
        let record = record(pgn, result)?;
        let places = [self.place(white), self.place(black)];
        let task = self.task(places, pgn);
        if self.time_control.is_none() {
            self.time_control = name("TimeControl").filter(|text| *text != "-").map(str::to_owned);
        }
        self.games.push(Imported { task, white: white.to_owned(), black: black.to_owned(), record });
        Ok(())
    }

    fn place(&mut self, name: &str) -> usize {
        self.players.iter().position(|known| known == name).unwrap_or_else(|| {
            self.players.push(name.to_owned());
            self.players.len() - 1
        })
    }

    /// The second game of a pair has the same round and start and the colours swapped; all else begins a pair.
    fn task(&mut self, [white, black]: [usize; 2], pgn: &PgnGame) -> GameTask {
        let round = pgn.tags.get("Round").unwrap_or("").split('.').next().unwrap_or("").to_owned();
        let key = (white.min(black), white.max(black), round, pgn.start().to_fen());
        let task =
            |pair: u64, second: u64| GameTask { number: 2 * pair + second, pair, round: pair, white, black };
        match self.waiting.get(&key) {
            Some(&(pair, first_white)) if first_white == black => {
                self.waiting.remove(&key);
                task(pair, 1)
            }
            _ => {
                let pair = self.pairs;
                self.pairs += 1;
                self.waiting.insert(key, (pair, white));
                task(pair, 0)
            }
        }
    }

    pub(super) fn finish(self, mut each: Spec, ratings: &BTreeMap<String, String>) -> Result<Import, String> {
        if self.games.is_empty() {
            let reason =
                self.left_out.first().map_or_else(String::new, |reason| format!("; the first: {reason}"));
            return Err(format!("no game could be read, {} left out{reason}", self.left_out.len()));
        }
        for name in ratings.keys() {
            if !self.players.contains(name) {
                return Err(format!(
                    "rating: nobody is called '{name}'; players: {}",
                    self.players.join(", ")
                ));
            }
        }
        let says_limit = ["tc", "st", "nodes", "depth"].iter().any(|name| each.text(name).is_some());
        match (&self.time_control, says_limit) {
            (_, true) => {}
            (Some(control), false) => each.set("tc", Node::Text(control.clone())),
            (None, false) => {
                return Err(
                    "the games do not say their time control; say it with --each tc=8+0.08".to_owned()
                );
            }
        }
        let kind = if self.players.len() == 2 { Kind::Match } else { Kind::Ratings };
        let mut spec = Spec::default();
        spec.set("experiment", Node::Text(kind.as_str().to_owned()));
        spec.set(IMPORTED, Node::Text("true".to_owned()));
        spec.set("pairs", Node::Text(self.pairs.to_string()));
        // What the heading says instead of a book's name.
        spec.set_in("openings", "file", Node::Text("imported games".to_owned()));
        spec.set("each", Node::Table(each));
        for name in &self.players {
            let mut engine = Spec::default();
            engine.set("name", Node::Text(name.clone()));
            engine.set("cmd", Node::Text(name.clone()));
            if let Some(rating) = ratings.get(name) {
                engine.set("rating", Node::Text(rating.clone()));
            }
            spec.push("engine", Node::Table(engine));
        }
        Ok(Import { kind, spec, games: self.games, left_out: self.left_out, players: self.players })
    }
}

fn record(pgn: &PgnGame, result: GameResult) -> Result<GameRecord, String> {
    let mut game = Game::new(pgn.start().clone());
    let mut moves = Vec::new();
    let mut duration = Duration::ZERO;
    for (node, mv) in pgn.main_line().zip(pgn.moves()) {
        let text = game.position().uci(mv, false).to_string();
        let comment = pgn.annotation(node).after.first().map_or("", |comment| comment.text.as_str());
        let (info, used) = read_comment(comment);
        duration += used;
        moves.push(PlayedMove { text, info, used });
        game.play(mv).map_err(|error| error.to_string())?;
    }
    let told = pgn.tags.get("Termination").unwrap_or("");
    let termination = termination(told, result, game.outcome());
    let detail = if told.is_empty() { termination.as_str() } else { told }.to_owned();
    Ok(GameRecord { result, termination, detail, game, moves, duration, broken: None })
}

/// `+0.55/16 0.304s`, as fastchess and cutechess write it; anything else says nothing.
fn read_comment(text: &str) -> (SearchInfo, Duration) {
    let mut words = text.split([' ', ',']);
    let mut info = SearchInfo::default();
    if let Some((score, depth)) = words.next().and_then(|word| word.split_once('/')) {
        info.score = read_score(score);
        info.depth = depth.parse().ok();
    }
    let seconds =
        words.next().and_then(|word| word.strip_suffix('s')).and_then(|word| word.parse::<f64>().ok());
    let used = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or_default();
    (info, used)
}

fn read_score(text: &str) -> Option<ReportedScore> {
    let (sign, size) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    if let Some(moves) = size.strip_prefix('M') {
        return moves.parse::<i32>().ok().map(|moves| ReportedScore::Mate(sign * moves));
    }
    let pawns: f64 = size.parse().ok()?;
    Some(ReportedScore::Centipawns(sign * (pawns * 100.0).round() as i32))
}

/// What the tag says in other programs' words, or else what the last position says.
fn termination(told: &str, result: GameResult, ending: Option<Ending>) -> Termination {
    let told = told.to_ascii_lowercase();
    let says = |word: &str| told.contains(word);
    match ending {
        _ if says("time") => Termination::TimeForfeit,
        _ if says("illegal") || says("rules infraction") => Termination::IllegalMove,
        _ if says("disconnect") || says("abandoned") => Termination::Disconnect,
        _ if says("stall") => Termination::Stall,
        Some(Ending::Checkmate { .. }) => Termination::Checkmate,
        Some(Ending::Stalemate) => Termination::Stalemate,
        Some(Ending::InsufficientMaterial) => Termination::InsufficientMaterial,
        Some(Ending::ThreefoldRepetition) => Termination::Repetition,
        Some(Ending::FiftyMoves) => Termination::FiftyMoves,
        None if says("adjudication") && result == GameResult::Draw => Termination::AdjudicatedDraw,
        None if says("adjudication") => Termination::AdjudicatedWin,
        None if result == GameResult::Draw => Termination::AgreedDraw,
        None => Termination::Resignation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn import(pgn: &str) -> Result<Import, String> {
        let path =
            std::env::temp_dir().join(format!("tabiya-import-{}-{}.pgn", std::process::id(), pgn.len()));
        std::fs::write(&path, pgn).unwrap();
        let import = read(std::slice::from_ref(&path), Spec::default(), &BTreeMap::new());
        std::fs::remove_file(path).unwrap();
        import
    }

    fn game(white: &str, black: &str, round: &str, result: &str, more: &str) -> String {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n[Result \"{result}\"]\n\
             [TimeControl \"5+0.05\"]\n{more}\n1. e4 {{+0.31/12 0.250s}} e5 {{-M3/9 0.1s}} {result}\n\n"
        )
    }

    #[test]
    fn pairs_are_found_again_and_notes_are_read() {
        let text = [
            game("a", "b", "1", "1-0", "[Termination \"adjudication\"]\n"),
            game("a", "c", "2", "1/2-1/2", ""),
            game("b", "a", "1", "0-1", "[Termination \"time forfeit\"]\n"),
            game("a", "b", "3", "*", ""),
        ]
        .concat();
        let import = import(&text).unwrap();
        assert_eq!(import.kind, Kind::Ratings);
        let numbers: Vec<u64> = import.games.iter().map(|game| game.task.number).collect();
        assert_eq!(numbers, [0, 2, 1]);
        assert_eq!(import.games[0].record.termination, Termination::AdjudicatedWin);
        assert_eq!(import.games[2].record.termination, Termination::TimeForfeit);
        let moves = &import.games[0].record.moves;
        assert_eq!((moves[0].info.score, moves[0].info.depth), (Some(ReportedScore::Centipawns(31)), Some(12)));
        assert_eq!(
            (moves[1].info.score, moves[0].used),
            (Some(ReportedScore::Mate(-3)), Duration::from_millis(250))
        );
        assert_eq!(import.left_out.len(), 1);
        assert!(import.left_out[0].contains("no result"), "{:?}", import.left_out);
        let tournament = super::super::config::Tournament::recall(import.kind, &import.spec).unwrap();
        assert_eq!(tournament.engines.len(), 3);
        let refused = super::super::config::Tournament::read(import.kind, &import.spec).unwrap_err();
        assert!(refused.contains("nothing to play"), "{refused}");
    }

    #[test]
    fn what_is_missing_is_asked_for() {
        let text = game("a", "b", "1", "1-0", "").replace("[TimeControl \"5+0.05\"]\n", "");
        assert!(import(&text).unwrap_err().contains("--each tc="));
        assert!(import("hello").unwrap_err().contains("no game"));
    }
}

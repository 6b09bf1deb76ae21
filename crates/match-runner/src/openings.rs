//! Opening positions: read from a file, ordered by a seed, each played twice with colours swapped.

use std::path::Path;

use chess::{Game, Position};

use common::Random;

use super::files;

/// Openings made from a `PolyGlot` book.
const POLYGLOT_LINES: usize = 2000;

/// Where a game begins: a position and moves already played from it.
#[derive(Clone, Debug)]
pub struct Opening {
    pub game: Game,
    /// What the file calls it, if it says.
    pub name: Option<String>,
}

/// In which order openings are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Sequential,
    /// Shuffled by the experiment's seed.
    Random,
}

/// A book: never empty. Lines are kept as text, since a book may hold hundreds of thousands and a run uses few.
#[derive(Clone, Debug)]
pub struct Openings {
    list: Vec<Source>,
}

/// What an opening is made from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Source {
    /// A line of an EPD or FEN file.
    Epd(String),
    /// Moves in coordinates from a position.
    Moves { start: String, moves: Vec<String> },
}

impl Source {
    fn of(game: &Game) -> Self {
        Self::Moves { start: game.start().to_fen(), moves: super::game::coordinates(game, false) }
    }

    fn opening(&self) -> Result<Opening, String> {
        match self {
            Self::Epd(line) => epd_opening(line),
            Self::Moves { start, moves } => {
                let mut game = Game::new(Position::from_fen(start).map_err(|error| error.to_string())?);
                for text in moves {
                    let mv = game.position().parse_uci(text).map_err(|error| error.to_string())?;
                    game.play(mv).map_err(|error| error.to_string())?;
                }
                Ok(Opening { game, name: None })
            }
        }
    }
}

/// Which file, in which order, how deep.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    pub order: Order,
    pub seed: u64,
    /// Moves taken from a PGN game or a `PolyGlot` book, in plies.
    pub plies: usize,
}

impl Openings {
    /// The usual start only.
    pub fn start_position() -> Self {
        Self { list: vec![Source::of(&Game::default())] }
    }

    /// Reads an EPD or FEN file (one position a line), or the beginnings of PGN games, either of them plain or zstd, or walks through a `PolyGlot` book (`.bin`).
    pub fn read(path: &Path, reading: Reading) -> Result<Self, String> {
        let told = |reason: String| format!("{}: {reason}", path.display());
        if path.extension().is_some_and(|extension| extension == "bin") {
            return Self::from_polyglot(path, reading).map_err(told);
        }
        let name = path.to_string_lossy();
        if name.ends_with(".pgn") || name.ends_with(".pgn.zst") {
            return Self::from_pgn(path, reading);
        }
        Self::from_epd(&files::read_text(path)?, reading.order, reading.seed).map_err(told)
    }

    /// The beginnings of the games of a PGN file; games that are over by then are left out.
    fn from_pgn(path: &Path, reading: Reading) -> Result<Self, String> {
        let mut list = Vec::new();
        for pgn in chess::pgn::PgnReader::new(files::open(path)?) {
            let pgn = pgn.map_err(|error| format!("{}: {error}", path.display()))?;
            let mut game = Game::new(pgn.start().clone());
            for mv in pgn.moves().take(reading.plies) {
                game.play(mv).map_err(|error| error.to_string())?;
            }
            if game.outcome().is_none() {
                list.push(Source::of(&game));
            }
        }
        Self::ordered(list, reading.order, reading.seed)
    }

    fn ordered(mut list: Vec<Source>, order: Order, seed: u64) -> Result<Self, String> {
        if list.is_empty() {
            return Err("holds no opening".to_owned());
        }
        if order == Order::Random {
            Random::new(seed).shuffle(&mut list);
        }
        Ok(Self { list })
    }

    /// Different random walks through a `PolyGlot` book, moves drawn by weight.
    fn from_polyglot(path: &Path, reading: Reading) -> Result<Self, String> {
        let mut book = chess::polyglot::Book::open(path).map_err(|error| error.to_string())?;
        let mut rng = Random::new(reading.seed);
        let mut seen = std::collections::BTreeSet::new();
        let mut list = Vec::new();
        // A small book runs out of new lines; the walk then ends rather than search for ever.
        for _ in 0..4 * POLYGLOT_LINES {
            let mut game = Game::default();
            while game.moves().len() < reading.plies {
                let picked = book.pick(game.position(), rng.next_u64()).map_err(|error| error.to_string())?;
                let Some(mv) = picked else { break };
                game.play(mv).map_err(|error| error.to_string())?;
            }
            if !game.moves().is_empty() && game.outcome().is_none() && seen.insert(game.position().key()) {
                list.push(Source::of(&game));
            }
            if list.len() == POLYGLOT_LINES {
                break;
            }
        }
        if list.is_empty() {
            return Err("holds no move for the usual start".to_owned());
        }
        Ok(Self { list })
    }

    /// Reads EPD lines; lines that are empty or begin with `#` are skipped. A broken line is an error even if no game
    /// would use it, so that a run cannot fail on it hours later.
    pub fn from_epd(text: &str, order: Order, seed: u64) -> Result<Self, String> {
        let mut list = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            epd_opening(line).map_err(|reason| format!("line {}: {reason}", number + 1))?;
            list.push(Source::Epd(line.to_owned()));
        }
        Self::ordered(list, order, seed)
    }

    /// How many openings there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The opening of a pair; after the last comes the first again.
    pub fn of_pair(&self, pair: u64) -> (usize, Result<Opening, String>) {
        let index = (pair % self.list.len() as u64) as usize;
        (index, self.list[index].opening())
    }
}

/// Four position fields, then either the two FEN counters or EPD operations.
fn epd_opening(line: &str) -> Result<Opening, String> {
    let fields: Vec<&str> = line.splitn(5, char::is_whitespace).collect();
    if fields.len() < 4 {
        return Err(format!("'{line}': expected at least four fields of a position"));
    }
    let rest = fields.get(4).copied().unwrap_or("").trim();
    let operation = |name: &str| {
        rest.split(';')
            .map(str::trim)
            .find_map(|part| part.strip_prefix(name))
            .map(|value| value.trim().trim_matches('"'))
    };
    let mut counters = rest.split_whitespace();
    let (halfmove, fullmove) = match (counters.next(), counters.next()) {
        (Some(half), Some(full)) if is_number(half) && is_number(full.trim_end_matches(';')) => {
            (half, full.trim_end_matches(';'))
        }
        _ => (operation("hmvc ").unwrap_or("0"), operation("fmvn ").unwrap_or("1")),
    };
    let fen = format!("{} {} {} {} {halfmove} {fullmove}", fields[0], fields[1], fields[2], fields[3]);
    let position = Position::from_fen(&fen).map_err(|error| error.to_string())?;
    if !position.has_legal_move() {
        return Err(format!("'{fen}': the game is already over"));
    }
    Ok(Opening { game: Game::new(position), name: operation("id ").map(str::to_owned) })
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOOK: &str = "\
# three openings
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"open game\";

rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2; id \"sicilian\";
";

    const READING: Reading = Reading { order: Order::Random, seed: 1, plies: 4 };

    #[test]
    fn beginnings_of_pgn_games() {
        let path = std::env::temp_dir().join(format!("tabiya-lab-openings-{}.pgn", std::process::id()));
        let text = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0\n\n[Event \"b\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
        std::fs::write(&path, text).unwrap();
        let book = Openings::read(&path, READING);
        std::fs::remove_file(&path).unwrap();
        let book = book.unwrap();
        assert_eq!(book.count(), 1, "a game that is over cannot be begun");
        assert_eq!(opening(&book, 0).game.moves().len(), 4);
    }

    #[test]
    fn walks_through_a_polyglot_book() {
        // e2e4 (weight 3), d2d4 (1), and e7e5 after e2e4; the keys are the published ones of these positions.
        let start = Position::default();
        let after = |moves: &[&str]| {
            moves
                .iter()
                .fold(start.clone(), |position, text| position.after(position.parse_uci(text).unwrap()))
        };
        let mut entries =
            [(start.clone(), "e2e4", 3_u16), (start.clone(), "d2d4", 1), (after(&["e2e4"]), "e7e5", 1)].map(
                |(position, text, weight)| {
                    let mv = position.parse_uci(text).unwrap();
                    let (from, to) = (mv.from(), mv.to());
                    let square =
                        |s: chess::Square| ((s.rank().index() as u16) << 3) | s.file().index() as u16;
                    (chess::polyglot::key(&position), (square(from) << 6) | square(to), weight)
                },
            );
        entries.sort_unstable();
        let path = std::env::temp_dir().join(format!("tabiya-lab-book-{}.bin", std::process::id()));
        let bytes: Vec<u8> = entries
            .iter()
            .flat_map(|(key, mv, weight)| {
                [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
            })
            .collect();
        std::fs::write(&path, bytes).unwrap();
        let book = Openings::read(&path, READING).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(book.count(), 2, "e2e4 e7e5 and d2d4, each once");
        let lengths: Vec<usize> = (0..2).map(|pair| opening(&book, pair).game.moves().len()).collect();
        assert_eq!(lengths.iter().sum::<usize>(), 3);
    }

    fn opening(book: &Openings, pair: u64) -> Opening {
        book.of_pair(pair).1.unwrap()
    }

    #[test]
    fn positions_with_counters_and_operations() {
        let book = Openings::from_epd(BOOK, Order::Sequential, 0).unwrap();
        assert_eq!(book.count(), 3);
        assert_eq!(opening(&book, 0).name.as_deref(), Some("open game"));
        assert_eq!((book.of_pair(4).0, opening(&book, 4).game.position().fullmove_number()), (1, 2));
        assert_eq!(opening(&book, 2).name.as_deref(), Some("sicilian"));
        assert_eq!(opening(&book, 2).game.position().fullmove_number(), 2);
    }

    #[test]
    fn a_seed_gives_one_order() {
        let many: String =
            (0..30).fold(String::new(), |text, n| text + &format!("4k3/8/8/8/8/8/8/R3K3 w - - {n} 40\n"));
        let order = |seed| {
            let book = Openings::from_epd(&many, Order::Random, seed).unwrap();
            (0..30).map(|pair| opening(&book, pair).game.position().halfmove_clock()).collect::<Vec<_>>()
        };
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
    }

    #[test]
    fn broken_books_are_refused_with_the_line() {
        let read = |text| Openings::from_epd(text, Order::Sequential, 0).unwrap_err();
        assert!(read("").contains("no opening"));
        assert!(read("# nothing\n\n").contains("no opening"));
        assert!(
            read("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\nhello there\n")
                .contains("line 2")
        );
        assert!(read("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").contains("already over"));
        let missing = Openings::read(Path::new("/no/such.epd"), READING).unwrap_err();
        assert!(missing.contains("/no/such.epd"), "{missing}");
    }
}

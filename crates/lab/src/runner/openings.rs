//! Opening positions: read from a file, ordered by a seed, each played twice with colours swapped.

use std::path::Path;

use chess::{Game, Position};

use crate::stats::rng::Rng;

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
    list: Vec<String>,
}

impl Openings {
    /// The usual start only.
    pub fn start_position() -> Self {
        Self { list: vec![Position::default().to_fen()] }
    }

    /// Reads an EPD or FEN file (one position a line, `.zst` allowed).
    pub fn read(path: &Path, order: Order, seed: u64) -> Result<Self, String> {
        let text = read_text(path)?;
        Self::from_epd(&text, order, seed).map_err(|reason| format!("{}: {reason}", path.display()))
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
            list.push(line.to_owned());
        }
        if list.is_empty() {
            return Err("holds no opening, expected one EPD or FEN position a line".to_owned());
        }
        if order == Order::Random {
            Rng::new(seed).shuffle(&mut list);
        }
        Ok(Self { list })
    }

    /// How many openings there are.
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The opening of a pair; after the last comes the first again.
    pub fn of_pair(&self, pair: u64) -> (usize, Result<Opening, String>) {
        let index = (pair % self.list.len() as u64) as usize;
        (index, epd_opening(&self.list[index]))
    }
}

/// A text file, unpacked when its name ends in `.zst`.
pub fn read_text(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let bytes = if path.extension().is_some_and(|extension| extension == "zst") {
        let unpack = |error: &dyn std::fmt::Display| format!("{}: broken zstd data: {error}", path.display());
        let mut decoder =
            ruzstd::decoding::StreamingDecoder::new(bytes.as_slice()).map_err(|error| unpack(&error))?;
        let mut plain = Vec::new();
        std::io::Read::read_to_end(&mut decoder, &mut plain).map_err(|error| unpack(&error))?;
        plain
    } else {
        bytes
    };
    String::from_utf8(bytes).map_err(|_| format!("{}: not a text file", path.display()))
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
        let missing = Openings::read(Path::new("/no/such.epd"), Order::Random, 1).unwrap_err();
        assert!(missing.contains("/no/such.epd"), "{missing}");
    }
}

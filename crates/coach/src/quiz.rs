//! A short quiz: rated puzzles, each chosen to tell most about the person who solves it.

use chess::{Move, Position};
use human_model::rating::{Estimate, Posterior};
use std::fmt;

#[derive(Clone, PartialEq, Debug)]
pub struct Puzzle {
    pub position: Position,
    /// The solver's moves and the replies between them.
    pub solution: Vec<Move>,
    pub rating: u16,
    pub themes: String,
}

/// A line of the puzzle file that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleError {
    pub line: usize,
    pub reason: String,
}

impl fmt::Display for PuzzleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "puzzles, line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for PuzzleError {}

impl Puzzle {
    /// Tab-separated rating, position, solution in coordinates, themes.
    fn parse(text: &str) -> Result<Puzzle, String> {
        let fields: Vec<&str> = text.split('\t').collect();
        let [rating, fen, solution, themes] = fields[..] else {
            return Err(format!("{} tab-separated fields, expected 4", fields.len()));
        };
        let rating = rating.parse().map_err(|_| format!("rating '{rating}', expected a number"))?;
        let position = Position::from_fen(&format!("{fen} 0 1")).map_err(|error| error.to_string())?;
        let mut at = position.clone();
        let mut moves = Vec::new();
        for word in solution.split_whitespace() {
            let mv = at.parse_uci(word).map_err(|error| error.to_string())?;
            at.play(mv);
            moves.push(mv);
        }
        if moves.is_empty() {
            return Err("no solution".into());
        }
        Ok(Puzzle { position, solution: moves, rating, themes: themes.to_string() })
    }

    /// Whether the solver's `number`th move, from 0, is right; any mate is as good as the mate that was meant.
    pub fn accepts(&self, position: &Position, number: usize, mv: Move) -> bool {
        self.solution.get(2 * number) == Some(&mv) || position.after(mv).is_checkmate()
    }
}

static SHIPPED: &str = include_str!("../data/quiz.tsv");

pub struct Quiz {
    left: Vec<Puzzle>,
    posterior: Posterior,
    tried: u32,
}

/// A quiz rating holds for games only about so closely.
const TRANSFER: f64 = 150.0;

impl Quiz {
    /// The puzzles that come with the program.
    pub fn shipped(prior: Posterior) -> Result<Quiz, PuzzleError> {
        Quiz::from_text(SHIPPED, prior)
    }

    pub fn from_text(text: &str, prior: Posterior) -> Result<Quiz, PuzzleError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
        let left = lines
            .map(|(number, line)| {
                Puzzle::parse(line).map_err(|reason| PuzzleError { line: number + 1, reason })
            })
            .collect::<Result<_, _>>()?;
        Ok(Quiz { left, posterior: prior, tried: 0 })
    }

    /// The puzzle nearest to what is believed of the person, which tells most; each is given once.
    pub fn next_puzzle(&mut self) -> Option<Puzzle> {
        let mean = self.posterior.estimate().mean;
        let nearest = (0..self.left.len()).min_by(|a, b| {
            let distance = |index: &usize| (f64::from(self.left[*index].rating) - mean).abs();
            distance(a).total_cmp(&distance(b))
        })?;
        Some(self.left.swap_remove(nearest))
    }

    pub fn answer(&mut self, puzzle: &Puzzle, solved: bool) {
        self.posterior.solved(f64::from(puzzle.rating), solved);
        self.tried += 1;
    }

    pub fn tried(&self) -> u32 {
        self.tried
    }

    /// On the puzzles' own scale.
    pub fn estimate(&self) -> Estimate {
        self.posterior.estimate()
    }

    /// A prior for games.
    pub fn prior(&self) -> Posterior {
        self.posterior.widened(TRANSFER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use common::Random;
    use human_model::reply::Scale;

    #[test]
    fn a_simulated_solver_is_found() {
        for truth in [900.0, 1500.0, 2200.0] {
            let mut quiz = Quiz::shipped(Posterior::broad(Scale::Lichess)).unwrap();
            let mut random = Random::new(truth as u64);
            for _ in 0..40 {
                let puzzle = quiz.next_puzzle().unwrap();
                let chance = 1.0 / (1.0 + 10f64.powf((f64::from(puzzle.rating) - truth) / 400.0));
                quiz.answer(&puzzle, random.unit() < chance);
            }
            let found = quiz.estimate();
            assert!((found.mean - truth).abs() < 250.0, "{truth}: {found}");
        }
    }

    #[test]
    fn every_shipped_puzzle_is_legal_and_given_once() {
        let mut quiz = Quiz::shipped(Posterior::broad(Scale::Lichess)).unwrap();
        let mut count = 0;
        let mut seen = Vec::new();
        while let Some(puzzle) = quiz.next_puzzle() {
            assert!(puzzle.accepts(&puzzle.position, 0, puzzle.solution[0]));
            let fen = puzzle.position.to_fen();
            assert!(!seen.contains(&fen));
            seen.push(fen);
            count += 1;
        }
        assert!(count > 100, "{count}");
    }

    #[test]
    fn broken_lines_are_named() {
        let error =
            |text: &str| Quiz::from_text(text, Posterior::broad(Scale::Lichess)).err().unwrap().to_string();
        assert_eq!(error("# x\n1500\ta"), "puzzles, line 2: 2 tab-separated fields, expected 4");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert!(error(&format!("1500\t{start}\te2e5\tx")).starts_with("puzzles, line 1: "));
        assert_eq!(
            error(&format!("many\t{start}\te2e4\tx")),
            "puzzles, line 1: rating 'many', expected a number"
        );
    }
}

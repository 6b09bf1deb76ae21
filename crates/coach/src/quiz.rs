//! A quiz that estimates a rating: rated puzzles, each drawn among those near the present estimate.

use chess::{Move, Position};
use common::Random;
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

    /// The line of a puzzle file.
    pub fn line(&self) -> String {
        let mut at = self.position.clone();
        let mut solution = Vec::new();
        for &mv in &self.solution {
            solution.push(at.uci(mv, false).to_string());
            at.play(mv);
        }
        let fen = self.position.to_fen();
        // Without the counters of moves, which are no part of the position.
        let placed: Vec<&str> = fen.split(' ').take(4).collect();
        format!("{}\t{}\t{}\t{}", self.rating, placed.join(" "), solution.join(" "), self.themes)
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
    random: Random,
}

/// The next puzzle is drawn among so many, those nearest to the estimate: about 30 rating points either way, which
/// costs next to nothing of what an answer tells, and no two quizzes are the same.
const DRAWN_AMONG: usize = 96;

/// A quiz rating holds for games only about so closely.
const TRANSFER: f64 = 150.0;

impl Quiz {
    /// The puzzles that come with the program.
    pub fn shipped(prior: Posterior, random: Random) -> Result<Quiz, PuzzleError> {
        Quiz::from_text(SHIPPED, prior, random)
    }

    pub fn from_text(text: &str, prior: Posterior, random: Random) -> Result<Quiz, PuzzleError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
        let left = lines
            .map(|(number, line)| {
                Puzzle::parse(line).map_err(|reason| PuzzleError { line: number + 1, reason })
            })
            .collect::<Result<_, _>>()?;
        Ok(Quiz { left, posterior: prior, tried: 0, random })
    }

    /// Every puzzle not given yet, in the order of the file.
    pub fn into_puzzles(self) -> Vec<Puzzle> {
        self.left
    }

    /// A puzzle near the estimate, where an answer tells most; each is given once. `None` when all were given.
    pub fn next_puzzle(&mut self) -> Option<Puzzle> {
        let mean = self.posterior.estimate().mean;
        let distance = |puzzle: &Puzzle| (f64::from(puzzle.rating) - mean).abs();
        self.left.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
        let drawn = self.random.below(self.left.len().min(DRAWN_AMONG));
        (drawn < self.left.len()).then(|| self.left.swap_remove(drawn))
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
    use human_model::reply::Scale;

    #[test]
    fn a_simulated_solver_is_found() {
        for truth in [900.0, 1500.0, 2200.0] {
            let mut quiz = Quiz::shipped(Posterior::broad(Scale::Lichess), Random::new(1)).unwrap();
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
    fn quizzes_differ_by_their_seed_and_repeat_with_it() {
        let first = |seed: u64| {
            let mut quiz = Quiz::shipped(Posterior::broad(Scale::Lichess), Random::new(seed)).unwrap();
            let mut next = || quiz.next_puzzle().unwrap().position.to_fen();
            [next(), next(), next()]
        };
        assert_eq!(first(1), first(1));
        let starts: std::collections::HashSet<String> = (0..20).map(|seed| first(seed)[0].clone()).collect();
        assert!(starts.len() >= 12, "20 quizzes start with {} different puzzles", starts.len());
    }

    #[test]
    fn every_shipped_puzzle_is_legal_and_given_once() {
        let mut quiz = Quiz::shipped(Posterior::broad(Scale::Lichess), Random::new(1)).unwrap();
        let mut count = 0;
        let mut seen = std::collections::HashSet::new();
        while let Some(puzzle) = quiz.next_puzzle() {
            assert!(puzzle.accepts(&puzzle.position, 0, puzzle.solution[0]));
            let fen = puzzle.position.to_fen();
            assert!(seen.insert(fen));
            count += 1;
        }
        assert!(count >= 3000, "{count}");
    }

    #[test]
    fn broken_lines_are_named() {
        let error = |text: &str| {
            Quiz::from_text(text, Posterior::broad(Scale::Lichess), Random::new(1)).err().unwrap().to_string()
        };
        assert_eq!(error("# x\n1500\ta"), "puzzles, line 2: 2 tab-separated fields, expected 4");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert!(error(&format!("1500\t{start}\te2e5\tx")).starts_with("puzzles, line 1: "));
        assert_eq!(
            error(&format!("many\t{start}\te2e4\tx")),
            "puzzles, line 1: rating 'many', expected a number"
        );
    }
}

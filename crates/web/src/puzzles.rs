//! Puzzles for the trainer: those that come with the program, and those of `puzzles.tsv` in the data folder.

use crate::limits;
use crate::messages::PuzzleFacts;
use crate::problem::Problem;
use coach::GamePuzzle;
use coach::puzzle_maker::{Difficulty, themes};
use coach::quiz::{Puzzle, Quiz};
use common::Random;
use human_model::rating::Posterior;
use human_model::reply::{ReplyModel, Scale};
use human_model::shown_score::ShownScore;
use std::path::{Path, PathBuf};

/// Of a puzzle that no model can rate.
const UNRATED: u16 = 1500;

pub struct Puzzles {
    /// Tab-separated rating, position, solution in coordinates, themes; may be missing.
    own: PathBuf,
}

impl Puzzles {
    pub fn new(data: &Path) -> Puzzles {
        Puzzles { own: data.join("puzzles.tsv") }
    }

    /// The easiest first. Each is listed once, wherever it comes from.
    pub fn list(&self) -> Result<Vec<PuzzleFacts>, Problem> {
        let shipped = Quiz::shipped(Posterior::broad(Scale::Lichess), Random::new(0));
        let mut quizzes = vec![shipped.map_err(|error| Problem::new(error, "Reinstall the program."))?];
        match common::read_bounded(&self.own, limits::PGN as u64) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes);
                let own = Quiz::from_text(&text, Posterior::broad(Scale::Lichess), Random::new(0)).map_err(
                    |error| {
                        Problem::new(format!("{}: {error}", self.own.display()), "Make the puzzles again.")
                    },
                )?;
                quizzes.push(own);
            }
            Err(_) if !self.own.exists() => {}
            Err(error) => return Err(Problem::new(error, "Make the puzzles again.")),
        }
        let puzzles = quizzes.into_iter().flat_map(Quiz::into_puzzles);
        let mut facts: Vec<PuzzleFacts> = puzzles.map(|puzzle| describe(&puzzle)).collect();
        facts.sort_by(|one, other| (one.rating, &one.id).cmp(&(other.rating, &other.id)));
        facts.dedup_by(|one, other| one.id == other.id);
        Ok(facts)
    }
}

/// Puzzles of a reviewed game as the trainer gives them: rated by the model of people, with themes. They end with a move of
/// the solver.
pub fn from_game(found: &[GamePuzzle]) -> Vec<PuzzleFacts> {
    let difficulty = ReplyModel::shared().ok().and_then(|model| Difficulty::new(model).ok());
    let facts = found.iter().map(|game_puzzle| {
        let mut solution = game_puzzle.solution.clone();
        if solution.len() % 2 == 0 {
            solution.pop();
        }
        let mut puzzle = Puzzle {
            position: game_puzzle.position.clone(),
            solution,
            rating: UNRATED,
            themes: String::new(),
        };
        let before = game_puzzle.before.as_ref().map(|(position, mv)| (position, *mv));
        puzzle.themes = themes(before, &puzzle.position, &puzzle.solution, ShownScore::DRAW)
            .split_whitespace()
            .filter(|theme| !["advantage", "crushing"].contains(theme))
            .collect::<Vec<_>>()
            .join(" ");
        if let Some(difficulty) = &difficulty {
            puzzle.rating = difficulty.rating(&puzzle);
        }
        describe(&puzzle)
    });
    facts.filter(|puzzle| !puzzle.solution.is_empty()).collect()
}

fn describe(puzzle: &Puzzle) -> PuzzleFacts {
    let fen = puzzle.position.to_fen();
    let mut position = puzzle.position.clone();
    let mut solution = Vec::new();
    for &mv in &puzzle.solution {
        solution.push(position.uci(mv, true).to_string());
        position.play(mv);
    }
    PuzzleFacts {
        id: format!("{:08x}", common::crc32(format!("{fen} {}", solution.join(" ")).as_bytes())),
        fen,
        solution,
        rating: puzzle.rating,
        themes: puzzle.themes.split_whitespace().map(str::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("tabiya-puzzles-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn shipped_puzzles_are_listed_by_rating() {
        let list = Puzzles::new(&folder("shipped")).list().unwrap();
        assert!(list.len() > 100 && list.is_sorted_by_key(|puzzle| puzzle.rating));
        assert!(list.iter().all(|puzzle| puzzle.solution.len() % 2 == 1 && !puzzle.themes.is_empty()));
    }

    #[test]
    fn puzzles_of_the_data_folder_are_added_once() {
        let folder = folder("own");
        let known = Puzzles::new(&folder).list().unwrap().len();
        let line = "1234\t6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -\ta1a8\tbackRankMate mateIn1\n";
        std::fs::write(folder.join("puzzles.tsv"), line.repeat(2)).unwrap();
        let list = Puzzles::new(&folder).list().unwrap();
        let own: Vec<_> =
            list.iter().filter(|puzzle| puzzle.fen.starts_with("6k1/5ppp/8/8/8/8/5PPP/R5K1 ")).collect();
        assert_eq!((list.len(), own[0].solution[0].as_str()), (known + 1, "a1a8"));
        std::fs::write(folder.join("puzzles.tsv"), "nonsense").unwrap();
        assert!(Puzzles::new(&folder).list().unwrap_err().what.contains("puzzles.tsv"));
    }
}

//! Many games of one player together: where the errors happen, and puzzles to train on.

use crate::class::MoveClass;
use crate::report::{count_of, line};
use crate::review::{GamePuzzle, MoveReview, Review};
use chess::{Color, PieceKind, Position};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A part of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

/// The opening ends after so many plies.
const OPENING_PLIES: usize = 20;
/// An endgame has at most so many pieces besides kings and pawns, as in the game divider of Lichess.
const ENDGAME_PIECES: u32 = 6;

impl Phase {
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    pub fn of(position: &Position, ply: usize) -> Phase {
        let board = position.board();
        let kinds = [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
        let pieces: u32 = kinds.iter().map(|kind| board.kind(*kind).count()).sum();
        match (pieces <= ENDGAME_PIECES, ply < OPENING_PLIES) {
            (true, _) => Phase::Endgame,
            (false, true) => Phase::Opening,
            (false, false) => Phase::Middlegame,
        }
    }

    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }
}

/// Moves and errors of one kind of position.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Count {
    pub moves: u32,
    pub errors: u32,
    /// Expected points lost in all.
    pub loss: f64,
}

impl Count {
    fn add(&mut self, played: &MoveReview) {
        self.moves += 1;
        self.errors += u32::from(played.class.is_error());
        self.loss += played.loss;
    }

    /// Points in a hundred lost a move; `None` without moves.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| 100.0 * self.loss / f64::from(self.moves))
    }
}

/// The reviews of many games, summed up.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    games: u32,
    accuracies: Vec<f64>,
    phases: BTreeMap<Phase, Count>,
    openings: BTreeMap<String, Count>,
    motifs: BTreeMap<String, u32>,
    puzzles: Vec<GamePuzzle>,
}

/// Openings and motifs that are listed.
const LISTED: usize = 8;
const PUZZLES: usize = 20;

impl Summary {
    /// Adds a game; `side` is the player, `None` for both. `opening` names the game's opening.
    pub fn add(&mut self, review: &Review, side: Option<Color>, opening: &str) {
        self.games += 1;
        let is_player = |color: Color| side.is_none_or(|side| side == color);
        for report in review.sides.iter().filter(|report| is_player(report.side.color)) {
            self.accuracies.extend(report.accuracy);
        }
        for (played, before) in review.moves.iter().zip(review.positions()) {
            if !is_player(played.color) || !played.class.is_judged() && played.class != MoveClass::Book {
                continue;
            }
            self.phases.entry(Phase::of(&before, played.ply)).or_default().add(played);
            self.openings.entry(opening.to_string()).or_default().add(played);
            for motif in played.proof.iter().flat_map(super::proof::Proof::themes) {
                *self.motifs.entry(motif).or_default() += 1;
            }
        }
        self.puzzles.extend(review.puzzles.iter().filter(|puzzle| is_player(puzzle.solver)).cloned());
    }

    pub fn phase(&self, phase: Phase) -> Count {
        self.phases.get(&phase).copied().unwrap_or_default()
    }

    /// The puzzles with the largest stakes.
    pub fn puzzles(&self) -> Vec<&GamePuzzle> {
        let mut puzzles: Vec<&GamePuzzle> = self.puzzles.iter().collect();
        puzzles.sort_by(|a, b| b.worth.total_cmp(&a.worth));
        puzzles.truncate(PUZZLES);
        puzzles
    }

    pub fn text(&self) -> String {
        let mut out = format!("{}\n", count_of(self.games, "game"));
        if !self.accuracies.is_empty() {
            let mean = self.accuracies.iter().sum::<f64>() / self.accuracies.len() as f64;
            let _ = writeln!(out, "  accuracy   {mean:.1} % on average");
        }
        let _ = writeln!(out, "\nErrors by phase\n");
        for phase in Phase::ALL {
            row(phase.name(), &self.phase(phase), &mut out);
        }
        let mut openings: Vec<(&String, &Count)> = self.openings.iter().collect();
        openings.sort_by(|a, b| b.1.loss.total_cmp(&a.1.loss));
        let _ = writeln!(out, "\nOpenings, most points lost first\n");
        for (name, count) in openings.into_iter().take(LISTED) {
            row(name, count, &mut out);
        }
        let mut motifs: Vec<(&String, &u32)> = self.motifs.iter().collect();
        motifs.sort_by(|a, b| b.1.cmp(a.1));
        if !motifs.is_empty() {
            let _ = writeln!(out, "\nThemes of the errors\n");
            for (name, count) in motifs.into_iter().take(LISTED) {
                let _ = writeln!(out, "  {name}: {count}");
            }
        }
        let puzzles = self.puzzles();
        if !puzzles.is_empty() {
            let _ = writeln!(out, "\nPuzzles from these games\n");
            for (index, puzzle) in puzzles.iter().enumerate() {
                let _ = writeln!(out, "  {}. {}: {}", index + 1, puzzle.task(), puzzle.position.to_fen());
            }
            let _ = writeln!(out, "\n  Solutions");
            for (index, puzzle) in puzzles.iter().enumerate() {
                let _ = writeln!(out, "  {}. {}", index + 1, line(&puzzle.position, &puzzle.solution));
            }
        }
        out
    }
}

fn row(name: &str, count: &Count, out: &mut String) {
    let Some(loss) = count.mean_loss() else { return };
    let (moves, errors) = (count_of(count.moves, "move"), count_of(count.errors, "error"));
    let _ = writeln!(out, "  {name}: {moves}, {errors}, winning chances lost per move: {loss:.1} %");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_by_ply_and_pieces() {
        let start = Position::default();
        assert_eq!(Phase::of(&start, 0), Phase::Opening);
        assert_eq!(Phase::of(&start, 20), Phase::Middlegame);
        let ending = Position::from_fen("4k3/pp3r2/8/8/8/8/PP3R2/4K3 w - - 0 1").unwrap();
        assert_eq!(Phase::of(&ending, 4), Phase::Endgame);
    }

    #[test]
    fn nothing_is_averaged_over_no_moves() {
        let empty = Summary::default();
        assert_eq!(empty.phase(Phase::Endgame).mean_loss(), None);
        assert_eq!(empty.text().lines().next(), Some("0 games"));
        assert!(!empty.text().contains("NaN"));
    }
}

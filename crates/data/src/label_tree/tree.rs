//! One search and the samples of its tree.

use crate::filter::{DECIDED, exclusion};
use crate::game::Ply;
use crate::sample::{Label, sample};
use chess::{Game, Move, Position};
use eval::Evaluation;
use kernel::table::{Entry, Table, TableTooLarge};
use kernel::{Bound, Event, Limits, Release, Score};
use search::{SearchPool, table_key};
use std::collections::HashSet;
use std::num::NonZeroU16;
use std::sync::Arc;

/// What is searched, and what of it is kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeLabels {
    /// Nodes of each search.
    pub nodes: u32,
    /// The least depth of a search whose score is a label.
    pub depth: i32,
    /// One position in so many of a game is searched.
    pub every: usize,
}

/// Plies below the root that are looked at; deeper ones are few.
const DEEPEST: usize = 12;
/// A search that differs from the evaluation by more has seen a tactic that no static evaluation can know.
const TACTICAL: i32 = 300;

/// An engine that searches positions of games and keeps what its table then knows.
pub(super) struct TreeLabeller {
    pool: SearchPool<Release>,
    wanted: TreeLabels,
    visited: HashSet<u64>,
}

impl TreeLabeller {
    pub(super) fn new(
        wanted: TreeLabels,
        evaluation: &Evaluation,
        megabytes: usize,
    ) -> Result<TreeLabeller, TableTooLarge> {
        // Nothing here goes by time.
        let clock = Arc::new(kernel::clock::ManualClock::new());
        let mut pool = SearchPool::new(Release, megabytes, clock)?;
        let evaluation = evaluation.clone();
        pool.set_evaluator(move || evaluation.evaluator());
        Ok(TreeLabeller { pool, wanted, visited: HashSet::new() })
    }

    /// Searches the position and adds the samples of its tree.
    pub(super) fn search(&mut self, game: &Game, samples: &mut Vec<u8>) {
        let limits = Limits { nodes: Some(u64::from(self.wanted.nodes)), ..Limits::default() };
        self.pool.search(game, &[], limits, &mut |_: Event<'_, Move>| {});
        self.visited.clear();
        let walk = Walk { table: &self.pool.shared().table, least: self.wanted.depth };
        walk.visit(game.position(), 0, &mut self.visited, samples);
    }

    pub(super) fn clear(&mut self) {
        self.pool.clear();
    }
}

/// A walk through the positions a table knows.
struct Walk<'a> {
    table: &'a Table,
    least: i32,
}

impl Walk<'_> {
    fn visit(&self, position: &Position, ply: usize, visited: &mut HashSet<u64>, samples: &mut Vec<u8>) {
        let key = table_key(position);
        let Some(entry) = self.table.probe(key) else { return };
        let deep = entry.bound != Bound::None && entry.depth >= self.least;
        if !deep || !agrees(position, &entry) || !visited.insert(key) {
            return;
        }
        if let Some(label) = label(position, &entry) {
            samples.extend_from_slice(&sample(position, label));
        }
        if ply < DEEPEST {
            for &mv in &position.legal_moves() {
                self.visit(&position.after(mv), ply + 1, visited, samples);
            }
        }
    }
}

/// Sixteen bits of a key do not prove that an entry is this position's: its move must at least be legal.
fn agrees(position: &Position, entry: &Entry) -> bool {
    let best = entry.best.map(NonZeroU16::get).and_then(Move::from_bits);
    best.is_none_or(|mv| position.is_legal(mv))
}

/// The label that an entry gives its position; `None`: nothing that an evaluation could know.
fn label(position: &Position, entry: &Entry) -> Option<Label> {
    let score = Score::from_table(entry.score, 0);
    let eval = entry.eval?;
    let is_tactical = (score.value() - eval.value()).abs() > TACTICAL;
    if !score.is_heuristic() || is_tactical || position.in_check() {
        return None;
    }
    let score = i16::try_from(score.value()).ok().filter(|score| score.abs() <= DECIDED)?;
    let best = entry.best.map(NonZeroU16::get).and_then(Move::from_bits);
    if best.is_some_and(|mv| exclusion(position, Ply { mv, score }).is_some()) {
        return None;
    }
    Some(Label { bound: entry.bound, ..Label::of_score(score) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::SAMPLE_BYTES;

    fn samples_of(fen: &str, wanted: TreeLabels) -> Vec<u8> {
        let mut labeller = TreeLabeller::new(wanted, &Evaluation::default(), 4).unwrap();
        let mut samples = Vec::new();
        labeller.search(&Game::new(Position::from_fen(fen).unwrap()), &mut samples);
        samples
    }

    #[test]
    fn a_search_labels_many_positions_of_its_tree() {
        let wanted = TreeLabels { nodes: 5000, depth: 3, every: 1 };
        let shallow = samples_of(chess::fen::START, wanted);
        let deep = samples_of(chess::fen::START, TreeLabels { depth: 5, ..wanted });
        assert!(shallow.len() > 50 * SAMPLE_BYTES, "{}", shallow.len());
        assert!(deep.len() > 5 * SAMPLE_BYTES && deep.len() < shallow.len(), "{}", deep.len());
    }

    #[test]
    fn each_position_once_with_all_three_kinds_of_labels() {
        // Exact scores are few: one search may have none in a quiet position.
        let quiet = [
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4",
            "rnbqkb1r/ppp1pppp/5n2/3p4/3P4/5N2/PPP1PPPP/RNBQKB1R w KQkq - 2 3",
            "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R b KQkq - 1 5",
            "8/5pk1/6p1/3p4/3P4/4PK2/5P2/8 w - - 0 40",
        ];
        let wanted = TreeLabels { nodes: 20_000, depth: 3, every: 1 };
        let bytes: Vec<u8> = quiet.iter().flat_map(|fen| samples_of(fen, wanted)).collect();
        let samples: Vec<&[u8]> = bytes.chunks_exact(SAMPLE_BYTES).collect();
        for side in 0..3 {
            assert!(samples.iter().any(|sample| sample[31] & 3 == side), "no label of kind {side}");
        }
        let places: HashSet<&[u8]> = samples.iter().map(|sample| &sample[..24]).collect();
        assert!(places.len() * 10 > samples.len() * 9, "{} of {}", places.len(), samples.len());
    }

    #[test]
    fn entries_without_a_label_are_left_out() {
        let position = Position::default();
        let entry =
            Entry { score: 40, eval: Some(Score::centipawns(20)), bound: Bound::Lower, ..Entry::default() };
        let found = label(&position, &entry).unwrap();
        assert_eq!((found.score, found.bound), (40, Bound::Lower));
        let tactic = Entry { eval: Some(Score::centipawns(-261)), ..entry };
        let mate = Entry { score: Score::mate_in(5).to_table(0), ..entry };
        let unseen = Entry { eval: None, ..entry };
        let taking = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
        let capture = taking.parse_uci("e4d5").unwrap();
        let noisy = Entry { best: NonZeroU16::new(capture.bits()), ..entry };
        assert_eq!(label(&position, &tactic), None);
        assert_eq!(label(&position, &mate), None);
        assert_eq!(label(&position, &unseen), None);
        assert_eq!(label(&taking, &noisy), None);
        assert!(!agrees(&position, &noisy), "a move of another position");
    }
}

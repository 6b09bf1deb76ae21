//! Random positions, played on our board and on shakmaty's side by side, and where the shared data lies.

#![allow(dead_code, reason = "each test program uses its own part")]

use chess::{Move, Position};
pub use common::Random;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError, fen::Fen};
use std::path::PathBuf;

/// One position on two boards.
pub struct Pair {
    pub ours: Position,
    pub theirs: Chess,
}

impl Pair {
    pub fn standard() -> Pair {
        Pair { ours: Position::default(), theirs: Chess::default() }
    }

    /// Read by shakmaty from our Shredder-FEN. A check that no move can have given is no reason to refuse: we play on
    /// from such positions too.
    pub fn of(ours: Position) -> Pair {
        let fen: Fen = ours.to_shredder_fen().parse().expect("shakmaty reads our FEN");
        let theirs = fen
            .into_position(CastlingMode::Chess960)
            .or_else(PositionError::ignore_impossible_check)
            .expect("shakmaty accepts our position");
        Pair { ours, theirs }
    }

    /// A start position (one of 960, or 960 by 960 with the sides apart) and up to 120 random plies, each played on
    /// both boards.
    pub fn random(rng: &mut Random, chess960: bool) -> Pair {
        let mut pair = if chess960 {
            let white = rng.below(960) as u16;
            let black = if rng.below(2) == 0 { white } else { rng.below(960) as u16 };
            Pair::of(Position::double_fischer(white, black).unwrap())
        } else {
            Pair::standard()
        };
        for _ in 0..rng.below(121) {
            let moves = pair.ours.legal_moves();
            if moves.is_empty() {
                break;
            }
            pair.play(moves[rng.below(moves.len())]);
        }
        pair
    }

    pub fn play(&mut self, mv: Move) {
        let theirs = self.translate(mv);
        self.ours.play(mv);
        self.theirs.play_unchecked(theirs);
    }

    /// Our move in shakmaty's words, found in its list of legal moves.
    pub fn translate(&self, mv: Move) -> shakmaty::Move {
        let moves = self.theirs.legal_moves();
        let found = moves.iter().find(|theirs| their_code(**theirs) == code(mv));
        *found.unwrap_or_else(|| panic!("{mv:?} in {:?}", self.ours))
    }

    /// Shakmaty's FEN of this position.
    pub fn their_fen(&self) -> String {
        Fen::from_position(&self.theirs, EnPassantMode::Legal).to_string()
    }
}

/// From, to and promotion as one number, castling as king takes rook: the common language.
pub fn code(mv: Move) -> usize {
    let promotion = mv.promotes_to().map_or(0, |kind| kind.index() + 1);
    mv.from().index() | mv.to().index() << 6 | promotion << 12
}

/// The same of shakmaty's move; its roles count from the pawn, 1.
pub fn their_code(mv: shakmaty::Move) -> usize {
    let from = mv.from().map_or(0, usize::from);
    from | usize::from(mv.to()) << 6 | mv.promotion().map_or(0, usize::from) << 12
}

/// A file or folder of the repository's `data/`.
pub fn data(path: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data")).join(path)
}

//! Ending games by what end-game tables know.

use std::sync::Arc;

use chess::{Color, Position};
use search::{TablebaseResult, Tablebases};

use super::result::GameResult;

/// Tables that may end a game.
#[derive(Clone)]
pub struct TableJudge {
    tables: Arc<Tablebases>,
    most_pieces: u32,
}

impl std::fmt::Debug for TableJudge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "tables of up to {} pieces", self.most_pieces)
    }
}

impl TableJudge {
    /// Opens the tables in some folders, to be asked when at most so many pieces are left.
    pub fn open(folders: &str, most_pieces: Option<u32>) -> Result<Self, String> {
        let tables = Tablebases::open(folders).map_err(|error| error.to_string())?;
        if tables.files() == 0 {
            return Err(format!("{folders}: no Syzygy table there"));
        }
        let most_pieces = most_pieces.unwrap_or(u32::MAX).min(tables.max_pieces());
        Ok(Self { tables: Arc::new(tables), most_pieces })
    }

    /// The result with perfect play, the fifty-move rule included. Asked only right after a capture or a pawn move: then
    /// the count is zero and their result holds; castling is not in them.
    pub fn result(&self, position: &Position) -> Option<GameResult> {
        let board = position.board();
        if position.halfmove_clock() != 0
            || board.occupied().count() > self.most_pieces
            || board.castling_rooks().any()
        {
            return None;
        }
        let mover_is_white = position.turn() == Color::White;
        Some(match self.tables.probe_wdl(position)?.with_rule(true) {
            TablebaseResult::Win if mover_is_white => GameResult::WhiteWins,
            TablebaseResult::Loss if !mover_is_white => GameResult::WhiteWins,
            TablebaseResult::Win | TablebaseResult::Loss => GameResult::BlackWins,
            _ => GameResult::Draw,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_tables_is_told() {
        let error = TableJudge::open("/nowhere/at/all", None).unwrap_err();
        assert!(error.contains("/nowhere/at/all"), "{error}");
        let empty = std::env::temp_dir().join(format!("tabiya-no-tables-{}", std::process::id()));
        std::fs::create_dir_all(&empty).unwrap();
        let error = TableJudge::open(&empty.display().to_string(), None).unwrap_err();
        std::fs::remove_dir(&empty).unwrap();
        assert!(error.contains("no Syzygy table"), "{error}");
    }

    #[test]
    fn wins_losses_and_draws_are_seen_from_both_sides() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/syzygy");
        let judge = TableJudge::open(folder, None).unwrap();
        for (fen, expected) in [
            ("8/8/8/8/8/2k5/8/K2R4 w - - 0 1", Some(GameResult::WhiteWins)),
            ("8/8/8/8/8/2k5/8/K2R4 b - - 0 1", Some(GameResult::WhiteWins)),
            ("k2r4/8/2K5/8/8/8/8/8 b - - 0 1", Some(GameResult::BlackWins)),
            ("8/8/8/8/8/2kr4/8/K2R4 b - - 0 1", Some(GameResult::BlackWins)),
            ("8/8/8/8/8/2k5/8/K2R4 w - - 3 1", None),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", None),
        ] {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(judge.result(&position), expected, "{fen}");
        }
        let fewer = TableJudge::open(folder, Some(2)).unwrap();
        assert_eq!(fewer.result(&Position::from_fen("8/8/8/8/8/2k5/8/K2R4 w - - 0 1").unwrap()), None);
    }
}

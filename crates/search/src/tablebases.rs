//! Syzygy tables: what perfect play gives when few pieces are left.
//!
//! Reading the files is the work of `shakmaty-syzygy`, which answers a missing or corrupt table
//! with an error; here that is simply "not known". Tables are shared and never change.

use chess::{Bitboard, Color, Move, PieceKind, Position};
use shakmaty::{ByColor, ByRole, CastlingMode, Chess, Setup};
use shakmaty_syzygy::{Dtz, Tablebase, Wdl};
use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;

/// The tables found in some folders.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
}

/// A folder of tables could not be read.
#[derive(Debug)]
pub struct TablebaseError {
    /// Which folder.
    pub folder: PathBuf,
    /// Why.
    pub reason: String,
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tables in {}: {}", self.folder.display(), self.reason)
    }
}

impl std::error::Error for TablebaseError {}

/// When tables are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TablebaseSettings {
    /// Least depth of a node at which the largest tables are asked.
    pub probe_depth: i32,
    /// Most pieces, kings and pawns included.
    pub probe_limit: u32,
    /// A win that takes more than fifty moves is a draw.
    pub fifty_move_rule: bool,
}

impl Default for TablebaseSettings {
    fn default() -> Self {
        Self { probe_depth: 1, probe_limit: 7, fifty_move_rule: true }
    }
}

/// The result with perfect play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TablebaseResult {
    /// Lost.
    Loss,
    /// Lost, but saved by the fifty-move rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the fifty-move rule.
    CursedWin,
    /// Won.
    Win,
}

impl TablebaseResult {
    /// With or without the fifty-move rule.
    pub fn with_rule(self, fifty_move_rule: bool) -> Self {
        match self {
            Self::BlessedLoss | Self::CursedWin if fifty_move_rule => Self::Draw,
            Self::BlessedLoss => Self::Loss,
            Self::CursedWin => Self::Win,
            other => other,
        }
    }
}

/// What the tables know about a root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootProbe {
    /// The moves that keep the best result.
    pub moves: Vec<Move>,
    /// The result, for the side to move.
    pub result: TablebaseResult,
    /// Positions that were probed.
    pub probes: usize,
}

impl Tablebases {
    /// Opens the tables in a list of folders, separated as the system separates paths.
    #[cfg(not(target_family = "wasm"))]
    pub fn open(folders: &str) -> Result<Self, TablebaseError> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        for folder in std::env::split_paths(folders).filter(|folder| !folder.as_os_str().is_empty()) {
            files += tables
                .add_directory(&folder)
                .map_err(|error| TablebaseError { folder: folder.clone(), reason: error.to_string() })?;
        }
        Ok(Self { tables, files })
    }

    /// A program in a web page has no folders.
    #[cfg(target_family = "wasm")]
    pub fn open(folders: &str) -> Result<Self, TablebaseError> {
        let reason = "this program runs in WebAssembly and reads no folders".to_string();
        Err(TablebaseError { folder: PathBuf::from(folders), reason })
    }

    /// Number of table files.
    pub fn files(&self) -> usize {
        self.files
    }

    /// Most pieces of any table.
    pub fn max_pieces(&self) -> u32 {
        self.tables.max_pieces() as u32
    }

    /// The result on a position whose fifty-move count is zero; `None` when no table knows.
    pub fn probe_wdl(&self, position: &Position) -> Option<TablebaseResult> {
        let wdl = self.tables.probe_wdl_after_zeroing(&translate(position)?).ok()?;
        Some(match wdl {
            Wdl::Loss => TablebaseResult::Loss,
            Wdl::BlessedLoss => TablebaseResult::BlessedLoss,
            Wdl::Draw => TablebaseResult::Draw,
            Wdl::CursedWin => TablebaseResult::CursedWin,
            Wdl::Win => TablebaseResult::Win,
        })
    }

    /// Plies to the next capture or pawn move with perfect play, positive when winning.
    fn distance(&self, position: &Position) -> Option<i32> {
        let Dtz(plies) = self.tables.probe_dtz(&translate(position)?).ok()?.ignore_rounding();
        Some(plies)
    }

    /// The best result at the root and the moves that keep it; `None` when the tables do not know all moves.
    ///
    /// Every safe win is kept, so that the search may choose the quickest; but once a position has
    /// been repeated, or the fifty-move count grows dangerous, only those that make progress.
    pub fn best_moves(
        &self,
        position: &Position,
        repeated: bool,
        fifty_move_rule: bool,
    ) -> Option<RootProbe> {
        let clock = i32::from(position.halfmove_clock());
        let mut ranked = Vec::new();
        for &mv in &position.legal_moves() {
            let child = position.after(mv);
            ranked.push((self.rank(&child, clock, repeated, fifty_move_rule)?, mv));
        }
        let best = ranked.iter().map(|&(rank, _)| rank).max()?;
        let probes = ranked.len();
        let moves = ranked.into_iter().filter(|&(rank, _)| rank == best).map(|(_, mv)| mv).collect();
        Some(RootProbe { moves, result: result_of(best).with_rule(fifty_move_rule), probes })
    }

    /// How good the position after a move is for the side that made it.
    fn rank(&self, child: &Position, clock: i32, repeated: bool, fifty_move_rule: bool) -> Option<i32> {
        if child.is_checkmate() {
            return Some(2 * SURE);
        }
        let is_zeroing = child.halfmove_clock() == 0;
        let distance = if is_zeroing {
            match self.probe_wdl(child)? {
                TablebaseResult::Loss => 1,
                TablebaseResult::BlessedLoss => 101,
                TablebaseResult::Draw => 0,
                TablebaseResult::CursedWin => -101,
                TablebaseResult::Win => -1,
            }
        } else {
            let theirs = self.distance(child)?;
            -theirs + -theirs.signum()
        };
        let used = if is_zeroing { 0 } else { clock };
        let limit = if fifty_move_rule { 99 } else { i32::MAX };
        Some(match distance {
            0 => 0,
            plies if plies > 0 && plies.saturating_add(used) <= limit => {
                // The count includes rounding by one ply: near the limit nothing is taken for granted.
                if repeated || plies + used > 80 { SURE - plies } else { SURE }
            }
            plies if plies > 0 => SURE / 4 - plies.min(200),
            plies if used.saturating_sub(plies) <= limit => -SURE - plies,
            plies => -SURE / 4 - plies.max(-200),
        })
    }
}

/// The rank of a sure win.
const SURE: i32 = 1000;

/// The result that a rank means.
fn result_of(rank: i32) -> TablebaseResult {
    match rank {
        0 => TablebaseResult::Draw,
        _ if rank > SURE / 2 => TablebaseResult::Win,
        _ if rank > 0 => TablebaseResult::CursedWin,
        _ if rank < -SURE / 2 => TablebaseResult::Loss,
        _ => TablebaseResult::BlessedLoss,
    }
}

/// The same position in the other crate's words; `None` where tables do not reach.
fn translate(position: &Position) -> Option<Chess> {
    let board = position.board();
    if board.castling_rooks().any() {
        return None;
    }
    let kind = |kind: PieceKind| bits(board.kind(kind));
    let by_role = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let by_color = ByColor { black: bits(board.color(Color::Black)), white: bits(board.color(Color::White)) };
    let setup = Setup {
        board: shakmaty::Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: if position.turn().is_white() { shakmaty::Color::White } else { shakmaty::Color::Black },
        ep_square: board.en_passant().map(|square| shakmaty::Square::new(square.index() as u32)),
        halfmoves: u32::from(position.halfmove_clock()),
        fullmoves: NonZeroU32::MIN,
        ..Setup::empty()
    };
    setup.position(CastlingMode::Standard).ok()
}

fn bits(bitboard: Bitboard) -> shakmaty::Bitboard {
    shakmaty::Bitboard(bitboard.0)
}

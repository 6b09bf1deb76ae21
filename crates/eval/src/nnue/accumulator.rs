//! The hidden layer's sums, brought up to date from a board that differs little.
//!
//! Nobody tells the accumulators what was played: they compare boards. Each ply keeps the sums of the last board that was
//! evaluated there; a new board starts from whichever of its parent's, its sibling's or a remembered board has the fewest
//! squares in another state, and adds and subtracts the rows of the pieces that differ in one pass. So positions that are never
//! evaluated cost nothing, a search may jump wherever it likes, and a wrong hint can cost time but never a wrong value.
//! When a king crosses the middle its view is mirrored: then the remembered boards, one for each view and mirroring, are
//! the place to start (the refresh table of Koivisto).

use super::chunk::Chunk;
use super::features::{input, is_mirrored};
use super::network::Network;
use super::simd::Level;
use chess::{Bitboard, Board, Color, PieceKind};

/// Plies that have a slot of their own; deeper ones share the last.
const SLOTS: usize = 128;
/// Rows that one update may add, and subtract.
const MOST_ROWS: usize = 32;

/// Both views of one board.
struct Slot {
    board: Board,
    /// `None` until the slot is first used.
    mirrored: Option<[bool; 2]>,
    halves: [Box<[Chunk]>; 2],
}

/// One view of some board.
struct Remembered {
    board: Board,
    half: Box<[Chunk]>,
}

pub struct Accumulators {
    slots: Vec<Slot>,
    /// By view, then by mirroring.
    remembered: [[Remembered; 2]; 2],
    /// Where the next sums are made: nothing is ever read and written in one pass.
    spare: Box<[Chunk]>,
}

impl Accumulators {
    pub fn new(network: &Network) -> Accumulators {
        let blank = || vec![Chunk::ZERO; network.chunks()].into_boxed_slice();
        let empty = || Remembered { board: Board::empty(), half: network.bias().into() };
        let slot = || Slot { board: Board::empty(), mirrored: None, halves: [blank(), blank()] };
        Accumulators {
            slots: (0..SLOTS).map(|_| slot()).collect(),
            remembered: [[empty(), empty()], [empty(), empty()]],
            spare: blank(),
        }
    }

    /// The sums of both views of a board, White's first.
    #[inline]
    pub(super) fn update(
        &mut self,
        network: &Network,
        board: &Board,
        ply: usize,
        level: Level,
    ) -> [&[Chunk]; 2] {
        let here = ply.min(SLOTS - 1);
        let before = here.saturating_sub(1);
        let from_parent = changed(&self.slots[before].board, board);
        let from_sibling = changed(&self.slots[here].board, board);
        let mirrored = [is_mirrored(board, Color::White), is_mirrored(board, Color::Black)];
        for view in Color::BOTH {
            let side = view.index();
            let fits = |slot: &Slot| slot.mirrored.is_some_and(|old| old[side] == mirrored[side]);
            let cost = |slot: &Slot, squares: Bitboard| if fits(slot) { squares.count() } else { u32::MAX };
            let parent_cost = cost(&self.slots[before], from_parent);
            let sibling_cost = cost(&self.slots[here], from_sibling);
            let nearest = parent_cost.min(sibling_cost);
            let memory = &mut self.remembered[side][usize::from(mirrored[side])];
            // A move changes two squares, castling four: anything within two moves is near enough to look no further.
            let from_memory = if nearest > 6 { changed(&memory.board, board) } else { Bitboard::ALL };
            let rows = |old: &Board, squares| Rows::new(old, board, squares, view, mirrored[side]);
            if from_memory.count() < nearest {
                rows(&memory.board, from_memory).apply(network, &memory.half, &mut self.spare, level);
                memory.board = *board;
                memory.half.copy_from_slice(&self.spare);
            } else {
                let (slot, squares) = if parent_cost <= sibling_cost {
                    (&self.slots[before], from_parent)
                } else {
                    (&self.slots[here], from_sibling)
                };
                rows(&slot.board, squares).apply(network, &slot.halves[side], &mut self.spare, level);
            }
            std::mem::swap(&mut self.spare, &mut self.slots[here].halves[side]);
            // The other view still reads the sibling's board and this view's mirroring is no longer asked for.
        }
        let slot = &mut self.slots[here];
        slot.board = *board;
        slot.mirrored = Some(mirrored);
        [&slot.halves[0], &slot.halves[1]]
    }
}

/// Squares whose state differs.
#[inline]
fn changed(old: &Board, new: &Board) -> Bitboard {
    let colors = Color::BOTH.into_iter().map(|color| old.color(color) ^ new.color(color));
    let kinds = PieceKind::ALL.into_iter().map(|kind| old.kind(kind) ^ new.kind(kind));
    colors.chain(kinds).fold(Bitboard::EMPTY, |all, one| all | one)
}

/// Inputs that a change of board switches on and off.
struct Rows {
    added: [u16; MOST_ROWS],
    added_count: usize,
    removed: [u16; MOST_ROWS],
    removed_count: usize,
}

impl Rows {
    #[inline]
    fn new(old: &Board, new: &Board, squares: Bitboard, view: Color, mirrored: bool) -> Rows {
        let mut rows =
            Rows { added: [0; MOST_ROWS], added_count: 0, removed: [0; MOST_ROWS], removed_count: 0 };
        for square in squares {
            // No legal board has more than 32 pieces: neither list can overflow.
            if let Some(piece) = old.piece_on(square) {
                rows.removed[rows.removed_count % MOST_ROWS] = input(view, mirrored, piece, square) as u16;
                rows.removed_count += 1;
            }
            if let Some(piece) = new.piece_on(square) {
                rows.added[rows.added_count % MOST_ROWS] = input(view, mirrored, piece, square) as u16;
                rows.added_count += 1;
            }
        }
        rows
    }

    /// One pass over the sums, whatever changes.
    #[inline]
    fn apply(&self, network: &Network, source: &[Chunk], out: &mut [Chunk], level: Level) {
        let (added, removed) = (&self.added, &self.removed);
        let row = |input: u16| network.row(usize::from(input));
        match (self.added_count, self.removed_count) {
            (1, 1) => level.update(source, out, [row(added[0])], [row(removed[0])]),
            (1, 2) => level.update(source, out, [row(added[0])], [row(removed[0]), row(removed[1])]),
            (2, 2) => {
                level.update(source, out, [row(added[0]), row(added[1])], [row(removed[0]), row(removed[1])]);
            }
            (0, 0) => out.copy_from_slice(source),
            (more, fewer) => {
                let added = added[..more.min(MOST_ROWS)].iter().map(|&input| row(input));
                let removed = removed[..fewer.min(MOST_ROWS)].iter().map(|&input| row(input));
                out.copy_from_slice(source);
                added.for_each(|row| level.add(out, row));
                removed.for_each(|row| level.subtract(out, row));
            }
        }
    }
}

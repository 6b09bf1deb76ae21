//! Repetitions: those that happened, and those the side to move could bring about.
//!
//! The keys of earlier positions are the caller's (a game, a search stack), oldest first, without the present one.

use crate::attacks::slow;
use crate::geometry::between;
use crate::position::Position;
use crate::types::Square;
use crate::zobrist;

impl Position {
    /// How many plies ago the same position stood on the board last, if no irreversible move lies between.
    #[inline]
    pub fn repeats(&self, earlier: &[u64]) -> Option<usize> {
        self.equal_plies(earlier).next()
    }

    /// How often the same position stood on the board before.
    pub fn repetitions(&self, earlier: &[u64]) -> usize {
        self.equal_plies(earlier).count()
    }

    /// Distances, in plies, to equal positions. The side to move alternates, so only even distances from four on.
    #[inline]
    fn equal_plies<'a>(&self, earlier: &'a [u64]) -> impl Iterator<Item = usize> + 'a {
        let reach = (self.reversible_plies() as usize).min(earlier.len());
        let key = self.key();
        (4..=reach).step_by(2).filter(move |back| earlier[earlier.len() - back] == key)
    }

    /// Whether the side to move has a move that repeats an earlier position (van Kervinck's cuckoo tables, 2013).
    ///
    /// `ply` is the distance from the root of the search: a position reached inside the search counts at once, one
    /// from the game before it only if it had already been repeated there.
    pub fn can_repeat(&self, earlier: &[u64], ply: usize) -> bool {
        let reach = (self.reversible_plies() as usize).min(earlier.len());
        if reach < 3 {
            return false;
        }
        let at = |back: usize| earlier[earlier.len() - back];
        let occupied = self.board().occupied();
        // The keys differ by one reversible move of the opponent's, undone, when everything else cancels out.
        let mut others = self.key() ^ at(1) ^ zobrist::black_to_move();
        for back in (3..=reach).step_by(2) {
            others ^= at(back - 1) ^ at(back) ^ zobrist::black_to_move();
            if others != 0 {
                continue;
            }
            let Some((from, to)) = reversible_move(self.key() ^ at(back)) else { continue };
            if (between(from, to) & occupied).any() {
                continue;
            }
            if ply > back || self.repeated_before(earlier, back) {
                return true;
            }
        }
        false
    }

    /// Whether the position `back` plies ago had itself stood on the board before.
    fn repeated_before(&self, earlier: &[u64], back: usize) -> bool {
        let here = earlier.len() - back;
        let reach = (self.reversible_plies() as usize).saturating_sub(back).min(here);
        (4..=reach).step_by(2).any(|further| earlier[here - further] == earlier[here])
    }
}

const SLOTS: usize = 8192;

/// Two hash functions of a difference of keys; each move rests in one of its two slots.
const fn first_slot(difference: u64) -> usize {
    difference as usize % SLOTS
}
const fn second_slot(difference: u64) -> usize {
    (difference >> 16) as usize % SLOTS
}

struct Cuckoo {
    differences: [u64; SLOTS],
    moves: [(u8, u8); SLOTS],
}

static CUCKOO: Cuckoo = cuckoo();

/// Every reversible move of every piece, filed under the change it makes to the key.
const fn cuckoo() -> Cuckoo {
    let mut table = Cuckoo { differences: [0; SLOTS], moves: [(0, 0); SLOTS] };
    let mut piece = 0;
    while piece < 12 {
        let mut a = 0;
        while a < 64 {
            let mut b = a + 1;
            while b < 64 {
                if piece % 6 != 0 && reaches(piece % 6, a, b) {
                    insert(&mut table, piece, a, b);
                }
                b += 1;
            }
            a += 1;
        }
        piece += 1;
    }
    table
}

const fn insert(table: &mut Cuckoo, piece: usize, a: usize, b: usize) {
    let mut difference = zobrist::piece_at_compile_time(piece, a)
        ^ zobrist::piece_at_compile_time(piece, b)
        ^ zobrist::BLACK_TO_MOVE;
    let mut mv = (a as u8, b as u8);
    let mut slot = first_slot(difference);
    // Whoever is displaced moves to its other slot; the tables are less than half full, so this ends.
    loop {
        let (old_difference, old_move) = (table.differences[slot], table.moves[slot]);
        table.differences[slot] = difference;
        table.moves[slot] = mv;
        if old_difference == 0 {
            return;
        }
        difference = old_difference;
        mv = old_move;
        let (first, second) = (first_slot(difference), second_slot(difference));
        slot = if slot == first { second } else { first };
    }
}

/// Whether a piece (1 knight ... 5 king) moves from `a` to `b` on an empty board.
const fn reaches(kind: usize, a: usize, b: usize) -> bool {
    let files = (a % 8).abs_diff(b % 8);
    let ranks = (a / 8).abs_diff(b / 8);
    let straight = slow::sliding(a, 0, slow::ROOK_DIRECTIONS) >> b & 1 == 1;
    let diagonal = slow::sliding(a, 0, slow::BISHOP_DIRECTIONS) >> b & 1 == 1;
    match kind {
        1 => files + ranks == 3 && files != 0 && ranks != 0,
        2 => diagonal,
        3 => straight,
        4 => straight || diagonal,
        _ => files <= 1 && ranks <= 1,
    }
}

#[inline]
fn reversible_move(difference: u64) -> Option<(Square, Square)> {
    [first_slot(difference), second_slot(difference)]
        .into_iter()
        .find(|&slot| CUCKOO.differences[slot] == difference)
        .map(|slot| CUCKOO.moves[slot])
        .map(|(a, b)| (Square::wrapping(a), Square::wrapping(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn the_table_holds_every_reversible_move() {
        // 3668 is the known number: every unordered pair a non-pawn moves between, for both colours.
        assert_eq!(CUCKOO.differences.iter().filter(|d| **d != 0).count(), 3668);
    }

    fn game(fen: &str, moves: &str) -> Game {
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        for text in moves.split_whitespace() {
            let mv = game.position().parse_uci(text).unwrap();
            game.play(mv).unwrap();
        }
        game
    }

    #[test]
    fn counts_repetitions() {
        let game = game(crate::fen::START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
        assert_eq!(game.position().repeats(game.earlier_keys()), Some(4));
        assert_eq!(game.position().repetitions(game.earlier_keys()), 2);
    }

    #[test]
    fn a_pawn_move_ends_the_memory() {
        let game = game(crate::fen::START, "g1f3 g8f6 f3g1 f6g8 e2e4 e7e5 g1f3 g8f6 f3g1 f6g8");
        assert_eq!(game.position().repetitions(game.earlier_keys()), 1);
    }

    /// The cuckoo tables against the plain definition, in searches that began `ply` plies ago.
    #[test]
    fn sees_an_upcoming_repetition_exactly_when_there_is_one() {
        let fen = "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1";
        for moves in
            ["d2d3 e8e7 d3d2", "d2d3 e8e7 d3d4 e7e8 d4d2", "d2d3 e8e7 d3d4 e7e6 d4d2", "d2d3 e8e7 e1e2"]
        {
            let game = game(fen, moves);
            let position = game.position();
            let mut keys = game.earlier_keys().to_vec();
            keys.push(position.key());
            let expected =
                position.legal_moves().iter().any(|&mv| position.after(mv).repeats(&keys).is_some());
            let ply = game.moves().len() + 1;
            assert_eq!(position.can_repeat(game.earlier_keys(), ply), expected, "{moves}");
        }
    }

    #[test]
    fn a_position_before_the_root_must_have_been_repeated() {
        let game = game("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", "d2d3 e8e7 d3d2");
        assert!(!game.position().can_repeat(game.earlier_keys(), 0));
    }
}

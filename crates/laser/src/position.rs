//! A position: who stands where, who is to move, and what Ko forbids.
//!
//! Seven 64-bit words, cheap enough to copy that searching copies instead of taking moves back. The board is five
//! sets of squares (two colours, the kings, and the two bits of every orientation): see
//! `results/laser/board-representation.md` for the measurement that chose it over a padded array with piece lists.

use crate::bitboard::Bitboard;
use crate::colour::Colour;
use crate::direction::Compass;
use crate::mirrors::Mirrors;
use crate::moves::Move;
use crate::piece::{Kind, Orientation, Piece};
use crate::square::Square;
use crate::zobrist;

/// A piece removed by a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zapped {
    pub piece: Piece,
    pub square: Square,
}

/// A position. Equality includes the Ko move and the quiet counter; [`Position::same_board`] does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    colours: [Bitboard; 2],
    kings: Bitboard,
    /// Bit 0 and bit 1 of the orientation of the piece on each square; clear where there is none.
    orientations: [Bitboard; 2],
    key: u64,
    /// The one reply that would restore the position before the last move, if it zaps nothing.
    ko: Option<Move>,
    quiet_plies: u16,
    side: Colour,
}

const _: () = assert!(size_of::<Position>() <= 56);

impl Position {
    pub(crate) fn empty(side: Colour) -> Position {
        Position {
            colours: [Bitboard::EMPTY; 2],
            kings: Bitboard::EMPTY,
            orientations: [Bitboard::EMPTY; 2],
            key: if side == Colour::Black { zobrist::BLACK_TO_MOVE } else { 0 },
            ko: None,
            quiet_plies: 0,
            side,
        }
    }

    /// The start position of the 2018 edition.
    pub fn start() -> Position {
        let mut position = Position::empty(Colour::White);
        let (north_west, south_east) = (Orientation::wrapping(0), Orientation::wrapping(2));
        let white = [
            (Kind::King, 0, 7, Orientation::wrapping(0)),
            (Kind::Pawn, 8, 3, north_west),
            (Kind::Pawn, 16, 4, north_west),
            (Kind::Pawn, 24, 5, north_west),
            (Kind::Pawn, 32, 6, north_west),
            (Kind::Pawn, 8, 4, south_east),
            (Kind::Pawn, 16, 5, south_east),
            (Kind::Pawn, 24, 6, south_east),
        ];
        for (kind, rank_start, file, orientation) in white {
            let square = Square::wrapping(rank_start + file);
            let piece = Piece::new(Colour::White, kind, orientation);
            position.put(square, piece);
            // Black's camp is White's, turned by half a circle.
            position.put(square.rotated(), piece.rotated());
        }
        position
    }

    /// A position of these pieces without history; `None` if two stand on one square or a side has not just one king.
    pub fn of_pieces(side: Colour, pieces: impl IntoIterator<Item = (Square, Piece)>) -> Option<Position> {
        let mut position = Position::empty(side);
        for (square, piece) in pieces {
            if position.occupied().contains(square) {
                return None;
            }
            position.put(square, piece);
        }
        let whole = |colour| (position.kings & position.pieces(colour)).len() == 1;
        Colour::ALL.into_iter().all(whole).then_some(position)
    }

    #[inline]
    pub fn side_to_move(&self) -> Colour {
        self.side
    }

    /// Squares held by a side.
    #[inline]
    pub fn pieces(&self, colour: Colour) -> Bitboard {
        self.colours[colour.index()]
    }

    /// Pawns of a side.
    #[inline]
    pub fn pawns(&self, colour: Colour) -> Bitboard {
        self.pieces(colour) & !self.kings
    }

    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colours[0] | self.colours[1]
    }

    /// The king's square; `None` after it has been zapped.
    #[inline]
    pub fn king(&self, colour: Colour) -> Option<Square> {
        (self.kings & self.pieces(colour)).first()
    }

    /// What a beam can tell apart on this board.
    #[inline]
    pub fn mirrors(&self) -> Mirrors {
        Mirrors { occupied: self.occupied(), kings: self.kings, orientations: self.orientations }
    }

    /// The orientation of whatever stands on a square; meaningless where nothing does.
    #[inline]
    pub(crate) fn orientation_at(&self, square: Square) -> Orientation {
        self.mirrors().orientation_at(square)
    }

    /// The direction in which a side's king would fire.
    pub fn facing(&self, colour: Colour) -> Option<Compass> {
        self.king(colour).map(|king| self.orientation_at(king).facing())
    }

    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        self.occupied().contains(square).then(|| self.piece_on(square))
    }

    /// The piece on a square known to be occupied.
    #[inline]
    fn piece_on(&self, square: Square) -> Piece {
        let black = self.colours[1].0 >> square.index() & 1;
        let king = self.kings.0 >> square.index() & 1;
        Piece::from_code((black << 3 | king << 2) as u8 | self.orientation_at(square).number())
    }

    /// The piece that a playable move moves, as it stands afterwards.
    #[inline]
    pub fn mover_after(&self, mv: Move) -> Piece {
        self.piece_on(mv.from()).turned_by(mv.decoded().quarters())
    }

    /// A hash of board and side to move; equal positions have equal keys.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The same hash computed from nothing, to check the incremental one against.
    pub fn fresh_key(&self) -> u64 {
        let side = if self.side == Colour::Black { zobrist::BLACK_TO_MOVE } else { 0 };
        self.occupied()
            .into_iter()
            .fold(side, |key, square| key ^ zobrist::piece_key(self.piece_on(square), square))
    }

    /// Plies since the last zap (or since the position was set up).
    #[inline]
    pub fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// The side that won by zapping the other's king (or by the other's suicide).
    #[inline]
    pub fn winner(&self) -> Option<Colour> {
        Colour::ALL.into_iter().find(|&colour| !self.kings.intersects(self.pieces(!colour)))
    }

    /// Whether board and side to move are the same: what Ko and repetition compare.
    #[inline]
    pub fn same_board(&self, other: &Position) -> bool {
        self.colours == other.colours
            && self.kings == other.kings
            && self.orientations == other.orientations
            && self.side == other.side
    }

    /// Adds a piece to an empty square.
    #[inline]
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        let bit = Bitboard::of(square);
        let code = piece.code() as u64;
        self.colours[piece.colour().index()] |= bit;
        self.kings.0 |= (code >> 2 & 1) << square.index();
        self.orientations[0].0 |= (code & 1) << square.index();
        self.orientations[1].0 |= (code >> 1 & 1) << square.index();
        self.key ^= zobrist::piece_key(piece, square);
    }

    /// Removes the piece from an occupied square.
    #[inline]
    fn lift(&mut self, square: Square) -> Piece {
        let piece = self.piece_on(square);
        let keep = !Bitboard::of(square);
        self.colours[0] &= keep;
        self.colours[1] &= keep;
        self.kings &= keep;
        self.orientations[0] &= keep;
        self.orientations[1] &= keep;
        self.key ^= zobrist::piece_key(piece, square);
        piece
    }

    /// Moves without firing and without passing the turn.
    #[inline]
    pub fn place(&mut self, mv: Move) {
        let decoded = mv.decoded();
        let piece = self.lift(mv.from());
        if decoded.is_swap() {
            let middle = mv.via_or_from(decoded);
            let enemy = self.lift(middle);
            self.put(mv.from(), enemy);
        }
        self.put(mv.to(), piece.turned_by(decoded.quarters()));
    }

    /// Plays a turn: the move, then the shot. The move must be one that [`Position::is_playable`] accepts; Ko is the
    /// caller's to ask about.
    #[inline]
    pub fn play(&mut self, mv: Move) -> Option<Zapped> {
        self.place(mv);
        let shot = self.shot(self.side);
        self.side = !self.side;
        self.key ^= zobrist::BLACK_TO_MOVE;
        if let Some(square) = shot.victim {
            let piece = self.lift(square);
            self.quiet_plies = 0;
            self.ko = None;
            return Some(Zapped { piece, square });
        }
        self.quiet_plies = self.quiet_plies.saturating_add(1);
        self.ko = mv.restoring_reply();
        None
    }

    /// The position after a turn; see [`Position::play`].
    #[inline]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = *self;
        next.play(mv);
        next
    }

    /// Whether the pieces stand so that this move can be made: everything but Ko.
    pub fn is_playable(&self, mv: Move) -> bool {
        let own = self.pieces(self.side);
        let empty = |square| !self.occupied().contains(square);
        let lands = mv.turn().is_some() || empty(mv.to());
        let swaps = mv.via().is_none_or(|middle| self.pieces(!self.side).contains(middle));
        self.winner().is_none() && own.contains(mv.from()) && lands && swaps
    }

    /// Whether Ko forbids a playable move: it would restore the position before the opponent's last move.
    ///
    /// Only one reply can. A turned enemy cannot be turned back by us, a stepped one cannot be moved back (its old
    /// square is empty, and we only move enemies by standing there), and a zap is for ever. What remains is a swap
    /// `f i t` with t beside f, answered by `f t i`; it restores the board unless that answer zaps something.
    #[inline]
    pub fn is_ko(&self, mv: Move) -> bool {
        self.ko == Some(mv) && {
            let mut restored = *self;
            restored.place(mv);
            restored.shot(self.side).victim.is_none()
        }
    }

    /// The move that Ko forbids now, if any.
    pub fn ko_move(&self) -> Option<Move> {
        self.ko.filter(|&mv| self.is_ko(mv))
    }

    /// Whether the move may be played: [`Position::is_playable`] and not [`Position::is_ko`].
    pub fn is_legal(&self, mv: Move) -> bool {
        self.is_playable(mv) && !self.is_ko(mv)
    }

    /// The same position seen from the other side of the table with colours exchanged.
    pub fn rotated(&self) -> Position {
        let mut turned = Position::empty(!self.side);
        for square in self.occupied() {
            turned.put(square.rotated(), self.piece_on(square).rotated());
        }
        turned.ko = self.ko.map(Move::rotated);
        turned.quiet_plies = self.quiet_plies;
        turned
    }
}

impl Move {
    /// The only reply that could undo this move; see [`Position::is_ko`].
    #[inline]
    fn restoring_reply(self) -> Option<Move> {
        let decoded = self.decoded();
        if !decoded.is_swap() || decoded.quarters() != 0 {
            return None;
        }
        let (from, middle, to) = (self.from(), self.via_or_from(decoded), self.to());
        if !Bitboard::neighbours(from).contains(to) {
            return None;
        }
        Some(Move::swap_step_unchecked(Move::swap_base(from, to), to, middle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_position_reads_as_the_rule_book_prints_it() {
        assert_eq!(Position::start().to_string(), crate::START_FEN);
        assert_eq!(Position::start().rotated().side_to_move(), Colour::Black);
        let mut turned = Position::start().rotated();
        turned.side = Colour::White;
        turned.key ^= zobrist::BLACK_TO_MOVE;
        assert_eq!(turned, Position::start(), "the camps are symmetric");
    }

    #[test]
    fn a_zapped_king_ends_the_game() {
        let position: Position = "8/2ee1SW3/8/8/8/ne7/5NN2/6NE1 W".parse().unwrap();
        let mut after = position;
        let zapped = after.play("e6f6".parse().unwrap()).unwrap();
        assert_eq!((zapped.piece.name(), zapped.square.to_string().as_str()), ("ee", "c6"));
        assert_eq!(after.winner(), Some(Colour::White));
        assert_eq!(after.king(Colour::Black), None);
        assert_eq!(after.move_count(), 0);
        assert_eq!(after.key(), after.fresh_key());
    }
}

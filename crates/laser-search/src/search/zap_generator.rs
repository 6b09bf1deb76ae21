//! What each move that can change the beam would zap, without making most of them.
//!
//! The same savings as in the coverage builder; see [`crate::eval::beam_path`].

use laser::{Bitboard, Colour, Compass, Move, Orientation, Position, Square, Turn};

use super::victim::Victim;
use crate::eval::beam_path::{BeamBoard, BeamPath};

/// The mover's king and its beam as it goes now.
pub(crate) struct ZapGenerator<'a> {
    side: Colour,
    king: Square,
    facing: Compass,
    present: &'a BeamPath,
}

/// A piece in the air: the beam without it, and what that beam zaps.
struct Lifted<'a> {
    board: &'a BeamBoard,
    beam: &'a BeamPath,
    /// The enemy it has changed places with: from where to where.
    swapped: Option<(Square, Square)>,
    victim: Victim,
}

impl<'a> ZapGenerator<'a> {
    /// `None` once a king is gone. `present` is the beam of the side to move.
    #[inline]
    pub(crate) fn new(position: &Position, present: &'a BeamPath) -> Option<ZapGenerator<'a>> {
        let side = position.side_to_move();
        let (king, facing) = (position.king(side)?, position.facing(side)?);
        position.king(!side)?;
        Some(ZapGenerator { side, king, facing, present })
    }

    #[inline]
    pub(crate) fn path(&self) -> Bitboard {
        self.present.path
    }

    /// What every move that leaves the beam alone zaps.
    #[inline]
    pub(crate) fn current_victim(&self, position: &Position) -> Victim {
        self.present.victim.map_or(Victim::Nothing, |square| self.who(position, square))
    }

    /// Who stands on an occupied square.
    #[inline]
    fn who(&self, position: &Position, square: Square) -> Victim {
        let own = position.pieces(self.side).contains(square);
        let king =
            !position.pawns(self.side).contains(square) && !position.pawns(!self.side).contains(square);
        match (king, own) {
            (true, true) => Victim::OwnKing,
            (true, false) => Victim::King,
            (false, true) => Victim::OwnPawn,
            (false, false) => Victim::Pawn,
        }
    }

    /// Who stands there when the enemy of a swap has moved.
    #[inline]
    fn who_now(&self, position: &Position, square: Square, swapped: Option<(Square, Square)>) -> Victim {
        match swapped {
            Some((middle, from)) if square == from => self.who(position, middle),
            _ => self.who(position, square),
        }
    }

    /// What the beam ends on when a lifted pawn comes down on a square.
    #[inline]
    fn landed(
        &self,
        position: &Position,
        lifted: &Lifted<'_>,
        to: Square,
        orientation: Orientation,
    ) -> Victim {
        if !lifted.beam.path.contains(to) {
            return lifted.victim;
        }
        let Some((_, segment)) = lifted.beam.entry(to) else { return lifted.victim };
        let Some(away) = orientation.reflect(segment.direction) else { return Victim::OwnPawn };
        let mut mirrors = lifted.board.mirrors;
        mirrors.put_pawn(to, orientation);
        match mirrors.victim_from(to, away) {
            None => Victim::Nothing,
            Some(hit) if hit == to => Victim::OwnPawn,
            Some(hit) => self.who_now(position, hit, lifted.swapped),
        }
    }

    /// What a king's beam from a square ends on.
    #[inline]
    fn fired(
        &self,
        position: &Position,
        board: &BeamBoard,
        king: Square,
        facing: Compass,
        swapped: Option<(Square, Square)>,
    ) -> Victim {
        match board.mirrors.victim_from(king, facing) {
            None => Victim::Nothing,
            Some(hit) if hit == king => Victim::OwnKing,
            Some(hit) => self.who_now(position, hit, swapped),
        }
    }

    /// Every move that moves the king or touches the beam, with what it zaps.
    #[inline]
    pub(crate) fn for_each_touching(&self, position: &Position, mut visit: impl FnMut(Move, Victim)) {
        let board = BeamBoard::of(position, self.side);
        let empty = !position.occupied();
        let (pawns, path) = (position.pawns(self.side), self.present.path);
        self.king_moves(position, &board, empty, &mut visit);
        for pawn in pawns & path {
            let orientation = board.mirrors.orientation_at(pawn);
            let without = board.without(pawn);
            let mut beam = BeamPath::empty();
            self.present.reroute(&without, Bitboard::of(pawn), &mut beam);
            let lifted = self.lifted(position, &without, &beam, None);
            for turn in Turn::ALL {
                let victim = self.landed(position, &lifted, pawn, orientation.turned(turn));
                visit(Move::turn_in_place(pawn, turn), victim);
            }
            for to in Bitboard::neighbours(pawn) & empty {
                visit(Move::step_unchecked(pawn, to), self.landed(position, &lifted, to, orientation));
            }
            self.swaps(position, &board, pawn, empty, &mut visit);
        }
        for pawn in pawns & !path {
            let steps = Bitboard::neighbours(pawn) & empty & path;
            if !steps.is_empty() {
                let orientation = board.mirrors.orientation_at(pawn);
                let without = board.without(pawn);
                let lifted = self.lifted(position, &without, self.present, None);
                for to in steps {
                    visit(Move::step_unchecked(pawn, to), self.landed(position, &lifted, to, orientation));
                }
            }
            self.swaps(position, &board, pawn, empty, &mut visit);
        }
    }

    #[inline]
    fn lifted<'b>(
        &self,
        position: &Position,
        board: &'b BeamBoard,
        beam: &'b BeamPath,
        swapped: Option<(Square, Square)>,
    ) -> Lifted<'b> {
        let victim = beam.victim.map_or(Victim::Nothing, |hit| self.who_now(position, hit, swapped));
        Lifted { board, beam, swapped, victim }
    }

    #[inline]
    fn swaps(
        &self,
        position: &Position,
        board: &BeamBoard,
        from: Square,
        empty: Bitboard,
        visit: &mut impl FnMut(Move, Victim),
    ) {
        let path = self.present.path;
        for middle in Bitboard::neighbours(from) & board.enemies {
            let touched = Bitboard::of(from) | Bitboard::of(middle);
            let steps = Bitboard::neighbours(middle) & empty;
            let disturbed = path.intersects(touched);
            if !disturbed && !path.intersects(steps) {
                continue;
            }
            let base = Move::swap_base(from, middle);
            let orientation = board.mirrors.orientation_at(from);
            let swapped = board.swapped(from, middle);
            if disturbed {
                let mut beam = BeamPath::empty();
                self.present.reroute(&swapped, touched, &mut beam);
                let lifted = self.lifted(position, &swapped, &beam, Some((middle, from)));
                for turn in Turn::ALL {
                    let victim = self.landed(position, &lifted, middle, orientation.turned(turn));
                    visit(Move::swap_turn_unchecked(base, turn), victim);
                }
                for to in steps {
                    let victim = self.landed(position, &lifted, to, orientation);
                    visit(Move::swap_step_unchecked(base, middle, to), victim);
                }
            } else {
                let lifted = self.lifted(position, &swapped, self.present, Some((middle, from)));
                for to in steps & path {
                    let victim = self.landed(position, &lifted, to, orientation);
                    visit(Move::swap_step_unchecked(base, middle, to), victim);
                }
            }
        }
    }

    #[inline]
    fn king_moves(
        &self,
        position: &Position,
        board: &BeamBoard,
        empty: Bitboard,
        visit: &mut impl FnMut(Move, Victim),
    ) {
        let king = self.king;
        let turned = |turn: Turn| Compass::wrapping(self.facing as u8 + turn.quarters());
        for turn in Turn::ALL {
            let victim = self.fired(position, board, king, turned(turn), None);
            visit(Move::turn_in_place(king, turn), victim);
        }
        let without = board.without(king);
        for to in Bitboard::neighbours(king) & empty {
            let mut moved = without;
            moved.mirrors.put_king(to);
            let victim = self.fired(position, &moved, to, self.facing, None);
            visit(Move::step_unchecked(king, to), victim);
        }
        for middle in Bitboard::neighbours(king) & board.enemies {
            let base = Move::swap_base(king, middle);
            let swapped = Some((middle, king));
            let lifted = board.swapped(king, middle);
            let mut there = lifted;
            there.mirrors.put_king(middle);
            for turn in Turn::ALL {
                let victim = self.fired(position, &there, middle, turned(turn), swapped);
                visit(Move::swap_turn_unchecked(base, turn), victim);
            }
            for to in Bitboard::neighbours(middle) & empty {
                let mut moved = lifted;
                moved.mirrors.put_king(to);
                let victim = self.fired(position, &moved, to, self.facing, swapped);
                visit(Move::swap_step_unchecked(base, middle, to), victim);
            }
        }
    }
}

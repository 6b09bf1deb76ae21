//! What each move that can change the beam would zap, without making most of them.
//!
//! The same savings as in the coverage sweep: a pawn stepping onto the beam changes it only from there on, a pawn
//! turned in the beam likewise, and a pawn that leaves it lets it run on the same way wherever it goes, unless it lands
//! in the way.

use arrayvec::ArrayVec;
use laser::{Bitboard, Colour, Compass, Mirrors, Move, Orientation, Position, Square, Turn};

use super::picker::Prey;

/// A pawn reflects a beam once at most, so 14 pawns make at most 15 straight stretches.
const MAX_STRETCHES: usize = 16;

/// The mover's king and its beam as it goes now.
pub(crate) struct Aim {
    side: Colour,
    king: Square,
    facing: Compass,
    path: Bitboard,
    victim: Option<Square>,
    stretches: ArrayVec<(Bitboard, Compass), MAX_STRETCHES>,
}

impl Aim {
    /// `None` once a king is gone.
    #[inline]
    pub(crate) fn new(position: &Position) -> Option<Aim> {
        let side = position.side_to_move();
        let (king, facing) = (position.king(side)?, position.facing(side)?);
        position.king(!side)?;
        let mirrors = position.mirrors();
        let mut aim =
            Aim { side, king, facing, path: Bitboard::EMPTY, victim: None, stretches: ArrayVec::new() };
        let (mut start, mut direction) = (king, facing);
        loop {
            let ray = Bitboard::ray(start, direction);
            let hit = mirrors.nearest(start, direction);
            let squares = hit.map_or(ray, |hit| ray ^ Bitboard::ray(hit, direction));
            aim.path |= squares;
            if aim.stretches.try_push((squares, direction)).is_err() {
                return Some(aim);
            }
            let Some(hit) = hit else { return Some(aim) };
            let Some(turned) = mirrors.deflect(hit, direction) else {
                aim.victim = Some(hit);
                return Some(aim);
            };
            (start, direction) = (hit, turned);
        }
    }

    #[inline]
    pub(crate) fn path(&self) -> Bitboard {
        self.path
    }

    /// What every move that leaves the beam alone zaps.
    #[inline]
    pub(crate) fn standing_prey(&self, position: &Position) -> Prey {
        self.victim.map_or(Prey::Nothing, |square| self.who(position, square))
    }

    /// Who stands on an occupied square.
    #[inline]
    fn who(&self, position: &Position, square: Square) -> Prey {
        let own = position.pieces(self.side).contains(square);
        let king =
            !position.pawns(self.side).contains(square) && !position.pawns(!self.side).contains(square);
        match (king, own) {
            (true, true) => Prey::OwnKing,
            (true, false) => Prey::King,
            (false, true) => Prey::OwnPawn,
            (false, false) => Prey::Pawn,
        }
    }

    /// What a beam on an altered board ends on, when one own pawn has gone from `left` to `arrived`.
    #[inline]
    fn prey(
        &self,
        position: &Position,
        mirrors: &Mirrors,
        start: Square,
        direction: Compass,
        arrived: Square,
    ) -> Prey {
        match mirrors.victim_from(start, direction) {
            None => Prey::Nothing,
            Some(hit) if hit == arrived => Prey::OwnPawn,
            Some(hit) => self.who(position, hit),
        }
    }

    /// What any playable move zaps: makes it and follows the beam from the king.
    #[inline(never)]
    pub(crate) fn prey_of(&self, position: &Position, mv: Move) -> Prey {
        let mut mirrors = position.mirrors();
        mirrors.place(mv);
        let king = if mv.from() == self.king { mv.to() } else { self.king };
        let Some(hit) = mirrors.victim_from(king, mirrors.orientation_at(king).facing()) else {
            return Prey::Nothing;
        };
        // Pieces have moved: ask who came to this square.
        if hit == mv.to() {
            self.who(position, mv.from())
        } else {
            self.who(position, mv.via().filter(|_| hit == mv.from()).unwrap_or(hit))
        }
    }

    /// Every move that moves the king or touches the beam, with what it zaps.
    #[inline]
    pub(crate) fn for_each_touching(&self, position: &Position, mut visit: impl FnMut(Move, Prey)) {
        let mirrors = position.mirrors();
        let empty = !position.occupied();
        let enemies = position.pieces(!self.side);
        self.king_moves(position, &mirrors, empty, &mut visit);
        for pawn in position.pawns(self.side) & self.path {
            self.pawn_on_beam(position, &mirrors, empty, pawn, &mut visit);
        }
        for pawn in position.pawns(self.side) & !self.path {
            let near = Bitboard::neighbours(pawn);
            for to in near & empty & self.path {
                let Some(mv) = Move::step(pawn, to) else { continue };
                visit(mv, self.step_onto(position, &mirrors, pawn, to));
            }
            if near.intersects(enemies) {
                position.for_each_swap_touching(pawn, self.path, |mv| visit(mv, self.prey_of(position, mv)));
            }
        }
    }

    #[inline]
    fn king_moves(
        &self,
        position: &Position,
        mirrors: &Mirrors,
        empty: Bitboard,
        visit: &mut impl FnMut(Move, Prey),
    ) {
        let king = self.king;
        for turn in Turn::ALL {
            let direction = Compass::wrapping(self.facing as u8 + turn.quarters());
            let prey =
                mirrors.victim_from(king, direction).map_or(Prey::Nothing, |hit| self.who(position, hit));
            visit(Move::turn_in_place(king, turn), prey);
        }
        for to in Bitboard::neighbours(king) & empty {
            let Some(mv) = Move::step(king, to) else { continue };
            let mut moved = *mirrors;
            moved.remove(king);
            moved.put_king(to);
            let prey = match moved.victim_from(to, self.facing) {
                None => Prey::Nothing,
                Some(hit) if hit == to => Prey::OwnKing,
                Some(hit) => self.who(position, hit),
            };
            visit(mv, prey);
        }
        if Bitboard::neighbours(king).intersects(position.pieces(!self.side)) {
            let here = Bitboard::of(king);
            position.for_each_swap_touching(king, here, |mv| visit(mv, self.prey_of(position, mv)));
        }
    }

    /// The direction in which the beam first enters a square of its path, and the squares before that stretch's end.
    #[inline]
    fn entry(&self, square: Square) -> Option<(usize, Compass)> {
        let index = self.stretches.iter().position(|(squares, _)| squares.contains(square))?;
        Some((index, self.stretches[index].1))
    }

    #[inline]
    fn step_onto(&self, position: &Position, mirrors: &Mirrors, pawn: Square, to: Square) -> Prey {
        let orientation = mirrors.orientation_at(pawn);
        let Some((_, direction)) = self.entry(to) else { return Prey::Nothing };
        let Some(away) = orientation.reflect(direction) else { return Prey::OwnPawn };
        let mut moved = *mirrors;
        moved.remove(pawn);
        moved.put_pawn(to, orientation);
        self.prey(position, &moved, to, away, to)
    }

    #[inline]
    fn pawn_on_beam(
        &self,
        position: &Position,
        mirrors: &Mirrors,
        empty: Bitboard,
        pawn: Square,
        visit: &mut impl FnMut(Move, Prey),
    ) {
        let Some((index, direction)) = self.entry(pawn) else { return };
        let orientation = mirrors.orientation_at(pawn);
        let mut gone = *mirrors;
        gone.remove(pawn);
        for turn in Turn::ALL {
            let turned = Orientation::wrapping(orientation.number() + turn.quarters());
            let prey = match turned.reflect(direction) {
                None => Prey::OwnPawn,
                Some(away) => {
                    let mut moved = gone;
                    moved.put_pawn(pawn, turned);
                    self.prey(position, &moved, pawn, away, pawn)
                }
            };
            visit(Move::turn_in_place(pawn, turn), prey);
        }
        let targets = Bitboard::neighbours(pawn) & empty;
        let before =
            self.stretches[..=index].iter().fold(Bitboard::EMPTY, |set, (squares, _)| set | *squares);
        let onward = gone.shot_from(pawn, direction);
        let onward_prey = onward.victim.map_or(Prey::Nothing, |hit| self.who(position, hit));
        for to in targets {
            let Some(mv) = Move::step(pawn, to) else { continue };
            let prey =
                if (before | onward.path).contains(to) { self.prey_of(position, mv) } else { onward_prey };
            visit(mv, prey);
        }
        if Bitboard::neighbours(pawn).intersects(position.pieces(!self.side)) {
            position.for_each_swap_touching(pawn, self.path, |mv| visit(mv, self.prey_of(position, mv)));
        }
    }
}

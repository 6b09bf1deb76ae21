//! What each move that can change the beam would zap, without making most of them.
//!
//! The same savings as in the coverage sweep; see [`crate::eval::trail`].

use laser::{Bitboard, Colour, Compass, Move, Orientation, Position, Square, Turn};

use super::picker::Prey;
use crate::eval::trail::{Scene, Trail};

/// The mover's king and its beam as it goes now.
pub(crate) struct Aim<'a> {
    side: Colour,
    king: Square,
    facing: Compass,
    present: &'a Trail,
}

/// A piece in the air: the beam without it, and what that beam zaps.
struct Lifted<'a> {
    scene: &'a Scene,
    trail: &'a Trail,
    /// The enemy it has changed places with: from where to where.
    swapped: Option<(Square, Square)>,
    prey: Prey,
}

impl<'a> Aim<'a> {
    /// `None` once a king is gone. `present` is the beam of the side to move.
    #[inline]
    pub(crate) fn new(position: &Position, present: &'a Trail) -> Option<Aim<'a>> {
        let side = position.side_to_move();
        let (king, facing) = (position.king(side)?, position.facing(side)?);
        position.king(!side)?;
        Some(Aim { side, king, facing, present })
    }

    #[inline]
    pub(crate) fn path(&self) -> Bitboard {
        self.present.path
    }

    /// What every move that leaves the beam alone zaps.
    #[inline]
    pub(crate) fn standing_prey(&self, position: &Position) -> Prey {
        self.present.victim.map_or(Prey::Nothing, |square| self.who(position, square))
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

    /// Who stands there when the enemy of a swap has moved.
    #[inline]
    fn who_now(&self, position: &Position, square: Square, swapped: Option<(Square, Square)>) -> Prey {
        match swapped {
            Some((middle, from)) if square == from => self.who(position, middle),
            _ => self.who(position, square),
        }
    }

    /// What the beam ends on when a lifted pawn comes down on a square.
    #[inline]
    fn landed(&self, position: &Position, lifted: &Lifted<'_>, to: Square, orientation: Orientation) -> Prey {
        if !lifted.trail.path.contains(to) {
            return lifted.prey;
        }
        let Some((_, stretch)) = lifted.trail.entry(to) else { return lifted.prey };
        let Some(away) = orientation.reflect(stretch.direction) else { return Prey::OwnPawn };
        let mut mirrors = lifted.scene.mirrors;
        mirrors.put_pawn(to, orientation);
        match mirrors.victim_from(to, away) {
            None => Prey::Nothing,
            Some(hit) if hit == to => Prey::OwnPawn,
            Some(hit) => self.who_now(position, hit, lifted.swapped),
        }
    }

    /// What a king's beam from a square ends on.
    #[inline]
    fn fired(
        &self,
        position: &Position,
        scene: &Scene,
        king: Square,
        facing: Compass,
        swapped: Option<(Square, Square)>,
    ) -> Prey {
        match scene.mirrors.victim_from(king, facing) {
            None => Prey::Nothing,
            Some(hit) if hit == king => Prey::OwnKing,
            Some(hit) => self.who_now(position, hit, swapped),
        }
    }

    /// Every move that moves the king or touches the beam, with what it zaps.
    #[inline]
    pub(crate) fn for_each_touching(&self, position: &Position, mut visit: impl FnMut(Move, Prey)) {
        let scene = Scene::of(position, self.side);
        let empty = !position.occupied();
        let (pawns, path) = (position.pawns(self.side), self.present.path);
        self.king_moves(position, &scene, empty, &mut visit);
        for pawn in pawns & path {
            let orientation = scene.mirrors.orientation_at(pawn);
            let without = scene.without(pawn);
            let mut trail = Trail::empty();
            self.present.reroute(&without, Bitboard::of(pawn), &mut trail);
            let lifted = self.lifted(position, &without, &trail, None);
            for turn in Turn::ALL {
                let prey = self.landed(position, &lifted, pawn, orientation.turned(turn));
                visit(Move::turn_in_place(pawn, turn), prey);
            }
            for to in Bitboard::neighbours(pawn) & empty {
                visit(Move::step_unchecked(pawn, to), self.landed(position, &lifted, to, orientation));
            }
            self.swaps(position, &scene, pawn, empty, &mut visit);
        }
        for pawn in pawns & !path {
            let steps = Bitboard::neighbours(pawn) & empty & path;
            if !steps.is_empty() {
                let orientation = scene.mirrors.orientation_at(pawn);
                let without = scene.without(pawn);
                let lifted = self.lifted(position, &without, self.present, None);
                for to in steps {
                    visit(Move::step_unchecked(pawn, to), self.landed(position, &lifted, to, orientation));
                }
            }
            self.swaps(position, &scene, pawn, empty, &mut visit);
        }
    }

    #[inline]
    fn lifted<'b>(
        &self,
        position: &Position,
        scene: &'b Scene,
        trail: &'b Trail,
        swapped: Option<(Square, Square)>,
    ) -> Lifted<'b> {
        let prey = trail.victim.map_or(Prey::Nothing, |hit| self.who_now(position, hit, swapped));
        Lifted { scene, trail, swapped, prey }
    }

    #[inline]
    fn swaps(
        &self,
        position: &Position,
        scene: &Scene,
        from: Square,
        empty: Bitboard,
        visit: &mut impl FnMut(Move, Prey),
    ) {
        let path = self.present.path;
        for middle in Bitboard::neighbours(from) & scene.enemies {
            let touched = Bitboard::of(from) | Bitboard::of(middle);
            let steps = Bitboard::neighbours(middle) & empty;
            let disturbed = path.intersects(touched);
            if !disturbed && !path.intersects(steps) {
                continue;
            }
            let base = Move::swap_base(from, middle);
            let orientation = scene.mirrors.orientation_at(from);
            let swapped = scene.swapped(from, middle);
            if disturbed {
                let mut trail = Trail::empty();
                self.present.reroute(&swapped, touched, &mut trail);
                let lifted = self.lifted(position, &swapped, &trail, Some((middle, from)));
                for turn in Turn::ALL {
                    let prey = self.landed(position, &lifted, middle, orientation.turned(turn));
                    visit(Move::swap_turn_unchecked(base, turn), prey);
                }
                for to in steps {
                    let prey = self.landed(position, &lifted, to, orientation);
                    visit(Move::swap_step_unchecked(base, middle, to), prey);
                }
            } else {
                let lifted = self.lifted(position, &swapped, self.present, Some((middle, from)));
                for to in steps & path {
                    let prey = self.landed(position, &lifted, to, orientation);
                    visit(Move::swap_step_unchecked(base, middle, to), prey);
                }
            }
        }
    }

    #[inline]
    fn king_moves(
        &self,
        position: &Position,
        scene: &Scene,
        empty: Bitboard,
        visit: &mut impl FnMut(Move, Prey),
    ) {
        let king = self.king;
        let turned = |turn: Turn| Compass::wrapping(self.facing as u8 + turn.quarters());
        for turn in Turn::ALL {
            let prey = self.fired(position, scene, king, turned(turn), None);
            visit(Move::turn_in_place(king, turn), prey);
        }
        let without = scene.without(king);
        for to in Bitboard::neighbours(king) & empty {
            let mut moved = without;
            moved.mirrors.put_king(to);
            let prey = self.fired(position, &moved, to, self.facing, None);
            visit(Move::step_unchecked(king, to), prey);
        }
        for middle in Bitboard::neighbours(king) & scene.enemies {
            let base = Move::swap_base(king, middle);
            let swapped = Some((middle, king));
            let lifted = scene.swapped(king, middle);
            let mut there = lifted;
            there.mirrors.put_king(middle);
            for turn in Turn::ALL {
                let prey = self.fired(position, &there, middle, turned(turn), swapped);
                visit(Move::swap_turn_unchecked(base, turn), prey);
            }
            for to in Bitboard::neighbours(middle) & empty {
                let mut moved = lifted;
                moved.mirrors.put_king(to);
                let prey = self.fired(position, &moved, to, self.facing, swapped);
                visit(Move::swap_step_unchecked(base, middle, to), prey);
            }
        }
    }
}

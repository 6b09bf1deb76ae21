//! A beam as the straight stretches it consists of, and what becomes of it when pieces on its way change.
//!
//! Every question about "the beam after this move" is answered from three facts. A beam is the same up to the first
//! square that a move touches. With the moving piece lifted off the board the beam takes one way for all the squares
//! the piece may land on, unless it lands on that very way. And if it does, only what follows is new.

use arrayvec::ArrayVec;
use laser::{Bitboard, Colour, Compass, Mirrors, Position, Square};

use super::coverage::ENEMY_REFLECTION;

/// A straight stretch of a beam: the squares after `start`, the first of them `length + 1` away from the king.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    pub start: Square,
    pub direction: Compass,
    pub length: u8,
    /// What it runs into; `None` at the edge of the board.
    pub hit: Option<Square>,
    pub squares: Bitboard,
}

impl Stretch {
    /// How many squares it enters.
    #[inline]
    pub fn reach(&self) -> u8 {
        self.squares.len() as u8
    }
}

/// A pawn reflects a beam once at most (twice would be a loop), so 14 pawns make at most 15 stretches.
const MAX_STRETCHES: usize = 16;

/// The board as a beam sees it, and whose pawns age it.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    pub mirrors: Mirrors,
    pub enemies: Bitboard,
}

impl Scene {
    /// The board as it is, for a side's beam.
    #[inline]
    pub fn of(position: &Position, colour: Colour) -> Scene {
        Scene { mirrors: position.mirrors(), enemies: position.pieces(!colour) }
    }

    /// Without the piece on a square.
    #[inline]
    pub fn without(&self, square: Square) -> Scene {
        let mut scene = *self;
        scene.mirrors.remove(square);
        scene
    }

    /// With the piece on `from` lifted and the enemy of `middle` in its place.
    #[inline]
    pub fn swapped(&self, from: Square, middle: Square) -> Scene {
        let mut scene = *self;
        scene.mirrors.lift_swapping(from, middle);
        scene.enemies = scene.enemies ^ Bitboard::of(from) ^ Bitboard::of(middle);
        scene
    }

    #[inline]
    pub fn stretch(&self, start: Square, direction: Compass, length: u8) -> Stretch {
        let ray = Bitboard::ray(start, direction);
        let hit = self.mirrors.nearest(start, direction);
        let squares = hit.map_or(ray, |hit| ray ^ Bitboard::ray(hit, direction));
        Stretch { start, direction, length, hit, squares }
    }

    /// The stretch that follows, unless the beam ends here.
    #[inline]
    pub fn next(&self, stretch: &Stretch) -> Option<Stretch> {
        let hit = stretch.hit?;
        let turned = self.mirrors.deflect(hit, stretch.direction)?;
        let aged = if self.enemies.contains(hit) { ENEMY_REFLECTION } else { 0 };
        Some(self.stretch(hit, turned, stretch.length + stretch.reach() + aged))
    }
}

/// A whole beam.
#[derive(Clone, Debug)]
pub struct Trail {
    stretches: ArrayVec<Stretch, MAX_STRETCHES>,
    /// Every square it enters.
    pub path: Bitboard,
    /// What it zaps.
    pub victim: Option<Square>,
}

impl Trail {
    /// A beam that goes nowhere. Trails are filled in place: they are too long to be handed around.
    #[inline(always)]
    pub fn empty() -> Trail {
        Trail { stretches: ArrayVec::new(), path: Bitboard::EMPTY, victim: None }
    }

    /// A side's beam as it goes now; empty if it has no king.
    #[inline(always)]
    pub fn of(position: &Position, colour: Colour) -> Trail {
        let mut trail = Trail::empty();
        trail.trace(position, colour);
        trail
    }

    /// Fills an empty trail with a side's beam as it goes now.
    #[inline]
    fn trace(&mut self, position: &Position, colour: Colour) {
        if let (Some(king), Some(facing)) = (position.king(colour), position.facing(colour)) {
            let scene = Scene::of(position, colour);
            self.run(&scene, scene.stretch(king, facing, 0));
        }
    }

    #[inline]
    fn run(&mut self, scene: &Scene, first: Stretch) {
        let mut stretch = first;
        loop {
            self.path |= stretch.squares;
            // Never more than the array holds; `try_push` says so without a panic in the code.
            if self.stretches.try_push(stretch).is_err() {
                return;
            }
            let Some(next) = scene.next(&stretch) else {
                self.victim = stretch.hit;
                return;
            };
            stretch = next;
        }
    }

    /// Fills an empty trail with the same beam on a board that differs on `touched` squares only.
    #[inline]
    pub fn reroute(&self, scene: &Scene, touched: Bitboard, rerouted: &mut Trail) {
        for stretch in &self.stretches {
            if stretch.squares.intersects(touched) {
                rerouted.run(scene, scene.stretch(stretch.start, stretch.direction, stretch.length));
                return;
            }
            rerouted.path |= stretch.squares;
            // As many as fitted into an array of the same size.
            let _ = rerouted.stretches.try_push(*stretch);
        }
        rerouted.victim = self.victim;
    }

    pub fn stretches(&self) -> &[Stretch] {
        &self.stretches
    }

    /// The stretch on which the beam first enters a square of its path.
    #[inline]
    pub fn entry(&self, square: Square) -> Option<(usize, Stretch)> {
        let index = self.stretches.iter().position(|stretch| stretch.squares.contains(square))?;
        Some((index, self.stretches[index]))
    }
}

/// Where both beams go now: worked out once a node and shared by whoever asks.
#[derive(Clone, Debug)]
pub struct Beams([Trail; 2]);

impl Beams {
    #[inline(always)]
    pub fn of(position: &Position) -> Beams {
        let mut beams = Beams([Trail::empty(), Trail::empty()]);
        for colour in Colour::ALL {
            beams.0[colour.index()].trace(position, colour);
        }
        beams
    }

    #[inline]
    pub fn trail(&self, colour: Colour) -> &Trail {
        &self.0[colour.index()]
    }
}

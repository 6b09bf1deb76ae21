//! A beam as the straight segments it consists of, and how it changes when pieces on its way change.
//!
//! Every question about "the beam after this move" is answered from three facts. A beam is the same up to the first
//! square that a move touches. With the moving piece lifted off the board the beam takes one way for all the squares
//! the piece may land on, unless it lands on that very way. And if it does, only what follows is new.

use arrayvec::ArrayVec;
use laser::{Bitboard, Colour, Compass, Mirrors, Position, Square};

use super::coverage::ENEMY_REFLECTION;

/// A straight segment of a beam: the squares after `start`, the first of them `length + 1` away from the king.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    pub start: Square,
    pub direction: Compass,
    pub length: u8,
    /// What it runs into; `None` at the edge of the board.
    pub hit: Option<Square>,
    pub squares: Bitboard,
}

impl Segment {
    /// How many squares it enters.
    #[inline]
    pub fn reach(&self) -> u8 {
        self.squares.len() as u8
    }
}

/// A pawn reflects a beam once at most (twice would be a loop), so 14 pawns make at most 15 segments.
const MAX_SEGMENTS: usize = 16;

/// The board as a beam sees it, and whose pawns make its length count more.
#[derive(Clone, Copy, Debug)]
pub struct BeamBoard {
    pub mirrors: Mirrors,
    pub enemies: Bitboard,
}

impl BeamBoard {
    /// The board as it is, for a side's beam.
    #[inline]
    pub fn of(position: &Position, colour: Colour) -> BeamBoard {
        BeamBoard { mirrors: position.mirrors(), enemies: position.pieces(!colour) }
    }

    /// Without the piece on a square.
    #[inline]
    pub fn without(&self, square: Square) -> BeamBoard {
        let mut board = *self;
        board.mirrors.remove(square);
        board
    }

    /// With the piece on `from` lifted and the enemy of `middle` in its place.
    #[inline]
    pub fn swapped(&self, from: Square, middle: Square) -> BeamBoard {
        let mut board = *self;
        board.mirrors.lift_swapping(from, middle);
        board.enemies = board.enemies ^ Bitboard::of(from) ^ Bitboard::of(middle);
        board
    }

    #[inline]
    pub fn segment(&self, start: Square, direction: Compass, length: u8) -> Segment {
        let ray = Bitboard::ray(start, direction);
        let hit = self.mirrors.nearest(start, direction);
        let squares = hit.map_or(ray, |hit| ray ^ Bitboard::ray(hit, direction));
        Segment { start, direction, length, hit, squares }
    }

    /// The segment that follows, unless the beam ends here.
    #[inline]
    pub fn next(&self, segment: &Segment) -> Option<Segment> {
        let hit = segment.hit?;
        let turned = self.mirrors.deflect(hit, segment.direction)?;
        let aged = if self.enemies.contains(hit) { ENEMY_REFLECTION } else { 0 };
        Some(self.segment(hit, turned, segment.length + segment.reach() + aged))
    }
}

/// A whole beam.
#[derive(Clone, Debug)]
pub struct BeamPath {
    segments: ArrayVec<Segment, MAX_SEGMENTS>,
    /// Every square it enters.
    pub path: Bitboard,
    /// What it zaps.
    pub victim: Option<Square>,
}

impl BeamPath {
    /// A beam that goes nowhere. Beam paths are filled in place: they are too long to be handed around.
    #[inline(always)]
    pub fn empty() -> BeamPath {
        BeamPath { segments: ArrayVec::new(), path: Bitboard::EMPTY, victim: None }
    }

    /// A side's beam as it goes now; empty if it has no king.
    #[inline(always)]
    pub fn of(position: &Position, colour: Colour) -> BeamPath {
        let mut beam = BeamPath::empty();
        beam.trace(position, colour);
        beam
    }

    /// Fills an empty beam with a side's beam as it goes now.
    #[inline]
    fn trace(&mut self, position: &Position, colour: Colour) {
        if let (Some(king), Some(facing)) = (position.king(colour), position.facing(colour)) {
            let board = BeamBoard::of(position, colour);
            self.run(&board, board.segment(king, facing, 0));
        }
    }

    #[inline]
    fn run(&mut self, board: &BeamBoard, first: Segment) {
        let mut segment = first;
        loop {
            self.path |= segment.squares;
            // Never more than the array holds; `try_push` says so without a panic in the code.
            if self.segments.try_push(segment).is_err() {
                return;
            }
            let Some(next) = board.next(&segment) else {
                self.victim = segment.hit;
                return;
            };
            segment = next;
        }
    }

    /// Fills an empty beam with the same beam on a board that differs on `touched` squares only.
    #[inline]
    pub fn reroute(&self, board: &BeamBoard, touched: Bitboard, rerouted: &mut BeamPath) {
        for segment in &self.segments {
            if segment.squares.intersects(touched) {
                rerouted.run(board, board.segment(segment.start, segment.direction, segment.length));
                return;
            }
            rerouted.path |= segment.squares;
            // As many as fitted into an array of the same size.
            let _ = rerouted.segments.try_push(*segment);
        }
        rerouted.victim = self.victim;
    }

    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The segment on which the beam first enters a square of its path.
    #[inline]
    pub fn entry(&self, square: Square) -> Option<(usize, Segment)> {
        let index = self.segments.iter().position(|segment| segment.squares.contains(square))?;
        Some((index, self.segments[index]))
    }
}

/// Where both beams go now: worked out once a node and shared by whoever asks.
#[derive(Clone, Debug)]
pub struct Beams([BeamPath; 2]);

impl Beams {
    #[inline(always)]
    pub fn of(position: &Position) -> Beams {
        let mut beams = Beams([BeamPath::empty(), BeamPath::empty()]);
        for colour in Colour::ALL {
            beams.0[colour.index()].trace(position, colour);
        }
        beams
    }

    #[inline]
    pub fn path(&self, colour: Colour) -> &BeamPath {
        &self.0[colour.index()]
    }
}

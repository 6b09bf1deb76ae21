//! Laser coverage without making every move.
//!
//! Only a move of the king, or one that touches the beam as it goes now, can change where it goes; all other moves
//! share the present beam, which is followed once. (Teams of the 2018 class found this too.) Three more savings:
//! a pawn that steps onto the beam leaves everything before it as it was, so the new beam is followed from there; a
//! pawn that steps off the beam lets it run on the same way wherever it goes, unless it lands on the new path; and a
//! straight stretch of beam is marked by one vector operation from a table of ray lengths.

use arrayvec::ArrayVec;
use laser::{Bitboard, Colour, Compass, Mirrors, Move, Orientation, Position, Square};

use super::coverage::{ENEMY_REFLECTION, Lengths, UNREACHED};

/// Steps along a ray to each square, [`UNREACHED`] off the ray.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Row([u8; 64]);

static RAY_LENGTHS: [[Row; 64]; 4] = {
    let mut table = [[Row([UNREACHED; 64]); 64]; 4];
    let mut direction = 0;
    while direction < 4 {
        let (file_step, rank_step) = Compass::ALL[direction].offset();
        let mut start = 0;
        while start < 64 {
            let (mut file, mut rank) = (start as i32 % 8 + file_step, start as i32 / 8 + rank_step);
            let mut steps = 1;
            while let Some(square) = Square::at(file, rank) {
                table[direction][start].0[square.index()] = steps;
                steps += 1;
                file += file_step;
                rank += rank_step;
            }
            start += 1;
        }
        direction += 1;
    }
    table
};

/// A straight stretch of a beam: the squares after `start`, the first of them `length + 1` away.
#[derive(Clone, Copy)]
struct Stretch {
    start: Square,
    direction: Compass,
    length: u8,
    /// What it runs into; `None` at the edge of the board.
    hit: Option<Square>,
    squares: Bitboard,
}

/// A pawn reflects a beam once at most (twice would be a loop), so 14 pawns make at most 15 stretches.
const MAX_STRETCHES: usize = 16;

/// The board as a beam sees it, and whose pawns age it.
#[derive(Clone, Copy)]
struct Scene {
    mirrors: Mirrors,
    enemies: Bitboard,
}

impl Scene {
    #[inline]
    fn stretch(&self, start: Square, direction: Compass, length: u8) -> Stretch {
        let ray = Bitboard::ray(start, direction);
        let hit = self.mirrors.nearest(start, direction);
        let squares = hit.map_or(ray, |hit| ray ^ Bitboard::ray(hit, direction));
        Stretch { start, direction, length, hit, squares }
    }

    /// The stretch that follows, unless the beam ends here.
    #[inline]
    fn next(&self, stretch: &Stretch) -> Option<Stretch> {
        let hit = stretch.hit?;
        let turned = self.mirrors.deflect(hit, stretch.direction)?;
        let aged = if self.enemies.contains(hit) { ENEMY_REFLECTION } else { 0 };
        Some(self.stretch(hit, turned, stretch.length_at(hit) + aged))
    }

    /// The squares a beam enters from here on.
    #[inline]
    fn path(&self, start: Square, direction: Compass) -> Bitboard {
        self.mirrors.shot_from(start, direction).path
    }
}

impl Stretch {
    /// How far the beam has come when it enters a square of this stretch.
    #[inline]
    fn length_at(&self, square: Square) -> u8 {
        self.length + self.row()[square.index()]
    }

    #[inline]
    fn row(&self) -> &'static [u8; 64] {
        &RAY_LENGTHS[self.direction.index()][self.start.index()].0
    }
}

/// One side's coverage in the making.
struct Sweep {
    lengths: Row,
    scene: Scene,
    king: Square,
    /// The present beam.
    stretches: ArrayVec<Stretch, MAX_STRETCHES>,
    path: Bitboard,
}

/// The shortest beam length to every square over all moves of a side; equals [`super::coverage::plain_lengths`].
pub fn lengths(position: &Position, colour: Colour) -> Lengths {
    let (Some(king), Some(facing), None) =
        (position.king(colour), position.facing(colour), position.winner())
    else {
        return [UNREACHED; 64];
    };
    let scene = Scene { mirrors: position.mirrors(), enemies: position.pieces(!colour) };
    let mut sweep = Sweep {
        lengths: Row([UNREACHED; 64]),
        scene,
        king,
        stretches: ArrayVec::new(),
        path: Bitboard::EMPTY,
    };
    let mut present = Some(scene.stretch(king, facing, 0));
    while let Some(stretch) = present {
        sweep.path |= stretch.squares;
        // Never more than the array holds; `try_push` says so without a panic in the code.
        present = sweep.stretches.try_push(stretch).ok().and_then(|()| scene.next(&stretch));
    }

    let pawns = position.pawns(colour);
    let idle = pawns & !sweep.path;
    // A pawn off the beam can always turn, and then the beam goes as it goes now.
    if !idle.is_empty() {
        sweep.mark_present(sweep.stretches.len());
    }
    sweep.king_moves(position, facing);
    for pawn in pawns & sweep.path {
        sweep.pawn_on_beam(position, pawn, idle.is_empty());
    }
    for pawn in idle {
        sweep.pawn_beside_beam(position, pawn);
    }
    sweep.lengths.0
}

impl Sweep {
    /// Marks the squares of a stretch no further than `reach` steps.
    #[inline]
    fn mark(&mut self, stretch: &Stretch, reach: u8) {
        for (best, &steps) in self.lengths.0.iter_mut().zip(stretch.row()) {
            let there = if steps > reach { UNREACHED } else { steps + stretch.length };
            *best = there.min(*best);
        }
    }

    #[inline]
    fn mark_whole(&mut self, stretch: &Stretch) {
        let reach = stretch.hit.map_or(7, |hit| stretch.row()[hit.index()]);
        self.mark(stretch, reach);
    }

    /// Marks the first stretches of the present beam.
    fn mark_present(&mut self, count: usize) {
        for index in 0..count {
            let stretch = self.stretches[index];
            self.mark_whole(&stretch);
        }
    }

    /// Follows a beam that has already travelled `length`, marking as it goes.
    #[inline]
    fn follow(&mut self, scene: &Scene, start: Square, direction: Compass, length: u8) {
        let mut stretch = scene.stretch(start, direction, length);
        loop {
            self.mark_whole(&stretch);
            match scene.next(&stretch) {
                Some(next) => stretch = next,
                None => return,
            }
        }
    }

    /// Makes a move and follows the beam from the king: the plain way, for moves too rare to be clever about.
    #[inline(never)]
    fn follow_move(&mut self, mv: Move) {
        let mut scene = self.scene;
        scene.mirrors.place(mv);
        if let Some(middle) = mv.via() {
            scene.enemies = scene.enemies ^ Bitboard::of(middle) ^ Bitboard::of(mv.from());
        }
        let king = if mv.from() == self.king { mv.to() } else { self.king };
        let facing = scene.mirrors.orientation_at(king).facing();
        self.follow(&scene, king, facing, 0);
    }

    fn swaps(&mut self, position: &Position, from: Square, path: Bitboard) {
        if Bitboard::neighbours(from).intersects(self.scene.enemies) {
            position.for_each_swap_touching(from, path, |mv| self.follow_move(mv));
        }
    }

    fn king_moves(&mut self, position: &Position, facing: Compass) {
        let king = self.king;
        for quarters in 1..4 {
            let scene = self.scene;
            self.follow(&scene, king, Compass::wrapping(facing as u8 + quarters), 0);
        }
        for to in Bitboard::neighbours(king) & !self.scene.mirrors.occupied() {
            let mut scene = self.scene;
            scene.mirrors.remove(king);
            scene.mirrors.put_king(to);
            self.follow(&scene, to, facing, 0);
        }
        self.swaps(position, king, Bitboard::of(king));
    }

    /// The stretch on which the beam first enters a square of its path.
    #[inline]
    fn entry(&self, square: Square) -> Option<(usize, Stretch)> {
        let index = self.stretches.iter().position(|stretch| stretch.squares.contains(square))?;
        Some((index, self.stretches[index]))
    }

    /// A pawn in the beam: turned, it sends the beam another way; gone, it lets the beam run on.
    fn pawn_on_beam(&mut self, position: &Position, pawn: Square, mark_way: bool) {
        let Some((index, stretch)) = self.entry(pawn) else { return };
        if mark_way {
            self.mark_present(index);
            self.mark(&stretch, stretch.row()[pawn.index()]);
        }
        let length = stretch.length_at(pawn);
        let orientation = self.scene.mirrors.orientation_at(pawn);
        let mut gone = self.scene;
        gone.mirrors.remove(pawn);

        for quarters in 1..4 {
            let turned = Orientation::wrapping(orientation.number() + quarters);
            if let Some(away) = turned.reflect(stretch.direction) {
                let mut scene = gone;
                scene.mirrors.put_pawn(pawn, turned);
                self.follow(&scene, pawn, away, length);
            }
        }

        let targets = Bitboard::neighbours(pawn) & !self.scene.mirrors.occupied();
        // Landing on the way to the pawn, or on the way the beam takes without it, makes another beam.
        let before =
            self.stretches[..index].iter().fold(stretch.squares, |set, earlier| set | earlier.squares);
        let disturbing = targets & (before | gone.path(pawn, stretch.direction));
        if disturbing != targets {
            self.follow(&gone, pawn, stretch.direction, length);
        }
        for to in disturbing {
            let mut scene = gone;
            scene.mirrors.put_pawn(to, orientation);
            let first = self.stretches[0];
            self.follow(&scene, first.start, first.direction, 0);
        }
        self.swaps(position, pawn, self.path);
    }

    /// A pawn off the beam: it can only step onto it, or swap an enemy off or onto it.
    fn pawn_beside_beam(&mut self, position: &Position, pawn: Square) {
        let near = Bitboard::neighbours(pawn);
        let orientation = self.scene.mirrors.orientation_at(pawn);
        for to in near & self.path & !self.scene.mirrors.occupied() {
            let Some((_, stretch)) = self.entry(to) else { continue };
            // Hit on the back it stops the beam on a square that is marked already.
            let Some(away) = orientation.reflect(stretch.direction) else { continue };
            let mut scene = self.scene;
            scene.mirrors.remove(pawn);
            scene.mirrors.put_pawn(to, orientation);
            self.follow(&scene, to, away, stretch.length_at(to));
        }
        self.swaps(position, pawn, self.path);
    }
}

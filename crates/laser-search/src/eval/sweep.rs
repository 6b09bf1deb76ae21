//! Laser coverage without making every move.
//!
//! Only a move of the king, or one that touches the beam as it goes now, can change where it goes; all other moves
//! share the present beam. (Teams of the 2018 class found this too.) What the rest share is told in [`super::trail`];
//! and a straight stretch of beam is marked by one vector operation from a table of ray lengths.

use laser::{Bitboard, Colour, Compass, Orientation, Position, Square};

use super::coverage::{Lengths, UNREACHED};
use super::trail::{Scene, Stretch, Trail};

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

#[inline]
fn row(stretch: &Stretch) -> &'static [u8; 64] {
    &RAY_LENGTHS[stretch.direction.index()][stretch.start.index()].0
}

/// A piece in the air: the beam without it, and where it may come down.
struct Lifted<'a> {
    scene: &'a Scene,
    trail: &'a Trail,
    orientation: Orientation,
    /// Where it may turn instead of stepping.
    turning: Square,
    steps: Bitboard,
}

/// One side's coverage in the making.
struct Sweep<'a> {
    lengths: Row,
    scene: Scene,
    king: Square,
    present: &'a Trail,
}

/// The shortest beam length to every square over all moves of a side; equals [`super::coverage::plain_lengths`].
pub fn lengths(position: &Position, colour: Colour) -> Lengths {
    lengths_along(position, colour, &Trail::of(position, colour))
}

/// [`lengths`] when the present beam is known already.
pub fn lengths_along(position: &Position, colour: Colour, present: &Trail) -> Lengths {
    let (Some(king), Some(facing), None) =
        (position.king(colour), position.facing(colour), position.winner())
    else {
        return [UNREACHED; 64];
    };
    let scene = Scene::of(position, colour);
    let mut sweep = Sweep { lengths: Row([UNREACHED; 64]), scene, king, present };
    let empty = !position.occupied();
    let pawns = position.pawns(colour);
    let idle = pawns & !present.path;
    // A pawn off the beam can always turn, and then the beam goes as it goes now.
    if !idle.is_empty() {
        sweep.mark_trail(present);
    }
    sweep.king_moves(facing, empty);
    for pawn in pawns & present.path {
        let without = scene.without(pawn);
        let mut trail = Trail::empty();
        present.reroute(&without, Bitboard::of(pawn), &mut trail);
        let orientation = scene.mirrors.orientation_at(pawn);
        let steps = Bitboard::neighbours(pawn) & empty;
        let lifted = Lifted { scene: &without, trail: &trail, orientation, turning: pawn, steps };
        sweep.land(&lifted, false);
        sweep.swaps(pawn, empty);
    }
    for pawn in idle {
        let steps = Bitboard::neighbours(pawn) & empty & present.path;
        if !steps.is_empty() {
            let without = scene.without(pawn);
            let orientation = scene.mirrors.orientation_at(pawn);
            let lifted = Lifted { scene: &without, trail: present, orientation, turning: pawn, steps };
            sweep.land(&lifted, true);
        }
        sweep.swaps(pawn, empty);
    }
    sweep.lengths.0
}

impl Sweep<'_> {
    /// Marks the first squares of a stretch.
    #[inline]
    fn mark(&mut self, stretch: &Stretch, reach: u8) {
        for (best, &steps) in self.lengths.0.iter_mut().zip(row(stretch)) {
            let there = if steps > reach { UNREACHED } else { steps + stretch.length };
            *best = there.min(*best);
        }
    }

    #[inline]
    fn mark_trail(&mut self, trail: &Trail) {
        for stretch in trail.stretches() {
            self.mark(stretch, stretch.reach());
        }
    }

    /// Follows a beam that has already travelled `length`, marking as it goes.
    #[inline]
    fn follow(&mut self, scene: &Scene, start: Square, direction: Compass, length: u8) {
        let mut stretch = scene.stretch(start, direction, length);
        loop {
            self.mark(&stretch, stretch.reach());
            match scene.next(&stretch) {
                Some(next) => stretch = next,
                None => return,
            }
        }
    }

    /// All the ways a lifted pawn can come down. `marked`: its trail has been marked already.
    #[inline]
    fn land(&mut self, lifted: &Lifted<'_>, marked: bool) {
        let Lifted { trail, turning, orientation, .. } = *lifted;
        let turns = trail.path.contains(turning);
        let on = lifted.steps & trail.path;
        let beside = !turns || on != lifted.steps;
        if beside && !marked {
            self.mark_trail(trail);
        }
        let marked = marked || beside;
        if turns {
            for quarters in 1..4 {
                self.land_on(lifted, turning, Orientation::wrapping(orientation.number() + quarters), marked);
            }
        }
        for to in on {
            self.land_on(lifted, to, orientation, marked);
        }
    }

    /// Lands in the beam.
    #[inline]
    fn land_on(&mut self, lifted: &Lifted<'_>, to: Square, orientation: Orientation, marked: bool) {
        let Some((index, stretch)) = lifted.trail.entry(to) else { return };
        let steps = row(&stretch)[to.index()];
        if !marked {
            for earlier in &lifted.trail.stretches()[..index] {
                self.mark(earlier, earlier.reach());
            }
            self.mark(&stretch, steps);
        }
        // Hit on the back it stops the beam there.
        let Some(away) = orientation.reflect(stretch.direction) else { return };
        let mut scene = *lifted.scene;
        scene.mirrors.put_pawn(to, orientation);
        self.follow(&scene, to, away, stretch.length + steps);
    }

    /// The swaps of a pawn.
    #[inline]
    fn swaps(&mut self, from: Square, empty: Bitboard) {
        for middle in Bitboard::neighbours(from) & self.scene.enemies {
            let touched = Bitboard::of(from) | Bitboard::of(middle);
            let steps = Bitboard::neighbours(middle) & empty;
            let disturbed = self.present.path.intersects(touched);
            if !disturbed && !self.present.path.intersects(steps) {
                continue;
            }
            let scene = self.scene.swapped(from, middle);
            let orientation = self.scene.mirrors.orientation_at(from);
            if disturbed {
                let mut trail = Trail::empty();
                self.present.reroute(&scene, touched, &mut trail);
                let lifted = Lifted { scene: &scene, trail: &trail, orientation, turning: middle, steps };
                self.land(&lifted, false);
            } else {
                // From beside the beam, so the present beam is marked.
                let lifted =
                    Lifted { scene: &scene, trail: self.present, orientation, turning: middle, steps };
                self.land(&lifted, true);
            }
        }
    }

    #[inline]
    fn king_moves(&mut self, facing: Compass, empty: Bitboard) {
        let king = self.king;
        let scene = self.scene;
        for quarters in 1..4 {
            self.follow(&scene, king, Compass::wrapping(facing as u8 + quarters), 0);
        }
        let without = scene.without(king);
        self.king_steps(&without, Bitboard::neighbours(king) & empty, facing);
        for middle in Bitboard::neighbours(king) & scene.enemies {
            let lifted = scene.swapped(king, middle);
            let mut turned = lifted;
            turned.mirrors.put_king(middle);
            for quarters in 1..4 {
                self.follow(&turned, middle, Compass::wrapping(facing as u8 + quarters), 0);
            }
            self.king_steps(&lifted, Bitboard::neighbours(middle) & empty, facing);
        }
    }

    #[inline]
    fn king_steps(&mut self, without: &Scene, targets: Bitboard, facing: Compass) {
        for to in targets {
            let mut scene = *without;
            scene.mirrors.put_king(to);
            self.follow(&scene, to, facing, 0);
        }
    }
}

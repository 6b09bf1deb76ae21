//! Laser coverage without making every move.
//!
//! Only a move of the king, or one that touches the beam as it goes now, can change where it goes; all other moves
//! share the present beam. (Teams of the 2018 class found this too.) What the rest share is explained in [`super::beam_path`];
//! and a straight segment of beam is marked by one vector operation from a table of ray lengths.

use laser::{Bitboard, Colour, Compass, Orientation, Position, Square};

use super::beam_path::{BeamBoard, BeamPath, Segment};
use super::coverage::{Lengths, UNREACHED};

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
fn row(segment: &Segment) -> &'static [u8; 64] {
    &RAY_LENGTHS[segment.direction.index()][segment.start.index()].0
}

/// A piece in the air: the beam without it, and where it may come down.
struct Lifted<'a> {
    board: &'a BeamBoard,
    beam: &'a BeamPath,
    orientation: Orientation,
    /// Where it may turn instead of stepping.
    turning: Square,
    steps: Bitboard,
}

/// One side's coverage in the making.
struct CoverageBuilder<'a> {
    lengths: Row,
    board: BeamBoard,
    king: Square,
    present: &'a BeamPath,
}

/// The shortest beam length to every square over all moves of a side; equals [`super::coverage::plain_lengths`].
pub fn lengths(position: &Position, colour: Colour) -> Lengths {
    lengths_along(position, colour, &BeamPath::of(position, colour))
}

/// [`lengths`] when the present beam is known already.
pub fn lengths_along(position: &Position, colour: Colour, present: &BeamPath) -> Lengths {
    let (Some(king), Some(facing), None) =
        (position.king(colour), position.facing(colour), position.winner())
    else {
        return [UNREACHED; 64];
    };
    let board = BeamBoard::of(position, colour);
    let mut builder = CoverageBuilder { lengths: Row([UNREACHED; 64]), board, king, present };
    let empty = !position.occupied();
    let pawns = position.pawns(colour);
    let idle = pawns & !present.path;
    // A pawn off the beam can always turn, and then the beam goes as it goes now.
    if !idle.is_empty() {
        builder.mark_beam(present);
    }
    builder.king_moves(facing, empty);
    for pawn in pawns & present.path {
        let without = board.without(pawn);
        let mut beam = BeamPath::empty();
        present.reroute(&without, Bitboard::of(pawn), &mut beam);
        let orientation = board.mirrors.orientation_at(pawn);
        let steps = Bitboard::neighbours(pawn) & empty;
        let lifted = Lifted { board: &without, beam: &beam, orientation, turning: pawn, steps };
        builder.land(&lifted, false);
        builder.swaps(pawn, empty);
    }
    for pawn in idle {
        let steps = Bitboard::neighbours(pawn) & empty & present.path;
        if !steps.is_empty() {
            let without = board.without(pawn);
            let orientation = board.mirrors.orientation_at(pawn);
            let lifted = Lifted { board: &without, beam: present, orientation, turning: pawn, steps };
            builder.land(&lifted, true);
        }
        builder.swaps(pawn, empty);
    }
    builder.lengths.0
}

impl CoverageBuilder<'_> {
    /// Marks the first squares of a segment.
    #[inline]
    fn mark(&mut self, segment: &Segment, reach: u8) {
        for (best, &steps) in self.lengths.0.iter_mut().zip(row(segment)) {
            let there = if steps > reach { UNREACHED } else { steps + segment.length };
            *best = there.min(*best);
        }
    }

    #[inline]
    fn mark_beam(&mut self, beam: &BeamPath) {
        for segment in beam.segments() {
            self.mark(segment, segment.reach());
        }
    }

    /// Follows a beam that has already travelled `length`, marking as it goes.
    #[inline]
    fn follow(&mut self, board: &BeamBoard, start: Square, direction: Compass, length: u8) {
        let mut segment = board.segment(start, direction, length);
        loop {
            self.mark(&segment, segment.reach());
            match board.next(&segment) {
                Some(next) => segment = next,
                None => return,
            }
        }
    }

    /// All the ways a lifted pawn can come down. `marked`: its beam has been marked already.
    #[inline]
    fn land(&mut self, lifted: &Lifted<'_>, marked: bool) {
        let Lifted { beam, turning, orientation, .. } = *lifted;
        let turns = beam.path.contains(turning);
        let on = lifted.steps & beam.path;
        let beside = !turns || on != lifted.steps;
        if beside && !marked {
            self.mark_beam(beam);
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
        let Some((index, segment)) = lifted.beam.entry(to) else { return };
        let steps = row(&segment)[to.index()];
        if !marked {
            for earlier in &lifted.beam.segments()[..index] {
                self.mark(earlier, earlier.reach());
            }
            self.mark(&segment, steps);
        }
        // Hit on the back it stops the beam there.
        let Some(away) = orientation.reflect(segment.direction) else { return };
        let mut board = *lifted.board;
        board.mirrors.put_pawn(to, orientation);
        self.follow(&board, to, away, segment.length + steps);
    }

    /// The swaps of a pawn.
    #[inline]
    fn swaps(&mut self, from: Square, empty: Bitboard) {
        for middle in Bitboard::neighbours(from) & self.board.enemies {
            let touched = Bitboard::of(from) | Bitboard::of(middle);
            let steps = Bitboard::neighbours(middle) & empty;
            let disturbed = self.present.path.intersects(touched);
            if !disturbed && !self.present.path.intersects(steps) {
                continue;
            }
            let board = self.board.swapped(from, middle);
            let orientation = self.board.mirrors.orientation_at(from);
            if disturbed {
                let mut beam = BeamPath::empty();
                self.present.reroute(&board, touched, &mut beam);
                let lifted = Lifted { board: &board, beam: &beam, orientation, turning: middle, steps };
                self.land(&lifted, false);
            } else {
                // From beside the beam, so the present beam is marked.
                let lifted =
                    Lifted { board: &board, beam: self.present, orientation, turning: middle, steps };
                self.land(&lifted, true);
            }
        }
    }

    #[inline]
    fn king_moves(&mut self, facing: Compass, empty: Bitboard) {
        let king = self.king;
        let board = self.board;
        for quarters in 1..4 {
            self.follow(&board, king, Compass::wrapping(facing as u8 + quarters), 0);
        }
        let without = board.without(king);
        self.king_steps(&without, Bitboard::neighbours(king) & empty, facing);
        for middle in Bitboard::neighbours(king) & board.enemies {
            let lifted = board.swapped(king, middle);
            let mut turned = lifted;
            turned.mirrors.put_king(middle);
            for quarters in 1..4 {
                self.follow(&turned, middle, Compass::wrapping(facing as u8 + quarters), 0);
            }
            self.king_steps(&lifted, Bitboard::neighbours(middle) & empty, facing);
        }
    }

    #[inline]
    fn king_steps(&mut self, without: &BeamBoard, targets: Bitboard, facing: Compass) {
        for to in targets {
            let mut board = *without;
            board.mirrors.put_king(to);
            self.follow(&board, to, facing, 0);
        }
    }
}

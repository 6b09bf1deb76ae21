//! Moves in the order to try them.
//!
//! A zap is known only by following the beam, so moves come in two kinds: those that can change the mover's beam are
//! generated first and each is traced; the rest all leave it as it is and share its victim. They are generated only when
//! the first kind has not caused a cut.

use arrayvec::ArrayVec;
use laser::{Bitboard, Colour, MAX_MOVES, Move, Position, Shot, Square};

use super::history::{Arrival, Histories};

/// What a move zaps; better moves are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Prey {
    OwnKing,
    OwnPawn,
    Nothing,
    Pawn,
    King,
}

impl Prey {
    pub(crate) fn is_zap(self) -> bool {
        self >= Prey::Pawn
    }
}

/// Where the mover's king stands and what its beam, fired now, would do.
#[derive(Clone, Copy)]
pub(crate) struct Aim {
    side: Colour,
    king: Option<Square>,
    shot: Shot,
}

impl Aim {
    #[inline]
    pub(crate) fn new(position: &Position, side: Colour) -> Aim {
        Aim { side, king: position.king(side), shot: position.shot(side) }
    }

    #[inline]
    pub(crate) fn path(&self) -> Bitboard {
        self.shot.path
    }

    /// What every move that leaves the beam alone zaps.
    #[inline]
    pub(crate) fn standing_prey(&self, position: &Position) -> Prey {
        self.classify(position, self.shot.victim)
    }

    #[inline]
    fn classify(&self, position: &Position, victim: Option<Square>) -> Prey {
        let Some(square) = victim else { return Prey::Nothing };
        if position.king(!self.side) == Some(square) {
            Prey::King
        } else if position.king(self.side) == Some(square) {
            Prey::OwnKing
        } else if position.pieces(self.side).contains(square) {
            Prey::OwnPawn
        } else {
            Prey::Pawn
        }
    }

    /// What a move that moves the king or touches the beam zaps.
    #[inline]
    pub(crate) fn prey(&self, position: &Position, mv: Move) -> Prey {
        let Some(home) = self.king else { return Prey::Nothing };
        let mut mirrors = position.mirrors();
        mirrors.place(mv);
        let king = if mv.from() == home { mv.to() } else { home };
        let Some(hit) = mirrors.victim_from(king, mirrors.orientation_at(king).facing()) else {
            return Prey::Nothing;
        };
        if hit == king {
            return Prey::OwnKing;
        }
        // Pieces have moved: ask who stands on the square now.
        let origin = if hit == mv.to() {
            mv.from()
        } else if mv.via().is_some() && hit == mv.from() {
            mv.via().unwrap_or(hit)
        } else {
            hit
        };
        self.classify(position, Some(origin))
    }
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    prey: Prey,
    score: i32,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    TableMove,
    GenerateTouching,
    Zaps,
    GenerateStill,
    Rest,
}

/// A move with what it zaps; `None` for the table's move, which nobody has traced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Picked {
    pub(crate) mv: Move,
    pub(crate) prey: Option<Prey>,
    /// Its history, 0 for moves that are not quiet.
    pub(crate) history: i32,
}

/// Gives each move once, likely good ones first. Ko and suicide are left out.
pub(crate) struct Picker {
    aim: Aim,
    table_move: Option<Move>,
    forbidden: Option<Move>,
    killers: [Option<Move>; 2],
    previous: Option<Arrival>,
    stage: Stage,
    moves: ArrayVec<Scored, MAX_MOVES>,
}

/// Above any history.
const KILLER_SCORES: [i32; 2] = [60_000, 50_000];
const OWN_PAWN_SCORE: i32 = -100_000;

impl Picker {
    #[inline]
    pub(crate) fn new(
        position: &Position,
        aim: Aim,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        previous: Option<Arrival>,
    ) -> Picker {
        Picker {
            aim,
            table_move,
            forbidden: position.ko_move(),
            killers,
            previous,
            stage: Stage::TableMove,
            moves: ArrayVec::new(),
        }
    }

    pub(crate) fn next(&mut self, position: &Position, histories: &Histories) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateTouching;
                    if let Some(mv) = self.table_move.filter(|&mv| self.forbidden != Some(mv)) {
                        return Some(Picked { mv, prey: None, history: 0 });
                    }
                }
                Stage::GenerateTouching => {
                    let side = self.aim.side;
                    position.for_each_beam_move_of(side, self.aim.path(), |mv| {
                        let prey = self.aim.prey(position, mv);
                        self.push(position, histories, mv, prey);
                    });
                    if self.aim.standing_prey(position).is_zap() {
                        self.push_still(position, histories);
                    }
                    self.stage = Stage::Zaps;
                }
                Stage::Zaps => {
                    if let Some(picked) = self.best_of(|scored| scored.prey.is_zap()) {
                        return Some(picked);
                    }
                    self.stage = Stage::GenerateStill;
                }
                Stage::GenerateStill => {
                    if !self.aim.standing_prey(position).is_zap() {
                        self.push_still(position, histories);
                    }
                    self.stage = Stage::Rest;
                }
                Stage::Rest => return self.best_of(|_| true),
            }
        }
    }

    fn push_still(&mut self, position: &Position, histories: &Histories) {
        let prey = self.aim.standing_prey(position);
        position.for_each_still_move_of(self.aim.side, self.aim.path(), |mv| {
            self.push(position, histories, mv, prey);
        });
    }

    #[inline]
    fn push(&mut self, position: &Position, histories: &Histories, mv: Move, prey: Prey) {
        if self.table_move == Some(mv) || self.forbidden == Some(mv) || prey == Prey::OwnKing {
            return;
        }
        let history = histories.score(self.aim.side, mv, Arrival::of(position, mv), self.previous);
        let score = match prey {
            Prey::Nothing if self.killers[0] == Some(mv) => KILLER_SCORES[0],
            Prey::Nothing if self.killers[1] == Some(mv) => KILLER_SCORES[1],
            Prey::OwnPawn => OWN_PAWN_SCORE + history,
            _ => history,
        };
        self.moves.push(Scored { mv, prey, score });
    }

    /// Takes out the best of the moves that qualify.
    #[inline]
    fn best_of(&mut self, qualifies: impl Fn(&Scored) -> bool) -> Option<Picked> {
        let best = self
            .moves
            .iter()
            .enumerate()
            .filter(|(_, scored)| qualifies(scored))
            .max_by_key(|(_, scored)| (scored.prey == Prey::King, scored.score))?
            .0;
        let Scored { mv, prey, score } = self.moves.swap_remove(best);
        Some(Picked { mv, prey: Some(prey), history: score })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions of a fixed pseudo-random game.
    fn positions() -> Vec<Position> {
        let mut state = 7_u64;
        let mut positions = vec![Position::start()];
        let mut position = Position::start();
        for _ in 0..400 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let moves = position.legal_moves();
            let next = position.after(moves[(state >> 33) as usize % moves.len()]);
            position = if next.winner().is_some() { Position::start() } else { next };
            positions.push(position);
        }
        positions
    }

    #[test]
    fn every_legal_move_that_is_not_suicide_comes_exactly_once() {
        let histories = Histories::new();
        for position in positions() {
            let side = position.side_to_move();
            let legal = position.legal_moves();
            let table_move = legal.get(5).copied();
            let killers = [legal.first().copied(), legal.last().copied()];
            let mut picker = Picker::new(&position, Aim::new(&position, side), table_move, killers, None);
            let mut picked = Vec::new();
            while let Some(next) = picker.next(&position, &histories) {
                if next.prey.is_none() {
                    assert_eq!((picked.len(), Some(next.mv)), (0, table_move));
                }
                picked.push(next.mv);
            }
            let suicide = |mv: &Move| position.after(*mv).winner() == Some(!side);
            let mut expected: Vec<Move> =
                legal.iter().copied().filter(|mv| Some(*mv) == table_move || !suicide(mv)).collect();
            expected.sort_unstable();
            picked.sort_unstable();
            assert_eq!(picked, expected, "{position}");
        }
    }

    #[test]
    fn prey_is_what_firing_zaps() {
        for position in positions() {
            let side = position.side_to_move();
            let aim = Aim::new(&position, side);
            let truth = |mv: Move| match position.clone().play(mv).map(|zapped| zapped.piece) {
                None => Prey::Nothing,
                Some(piece) => match (piece.is_king(), piece.colour() == side) {
                    (true, true) => Prey::OwnKing,
                    (true, false) => Prey::King,
                    (false, true) => Prey::OwnPawn,
                    (false, false) => Prey::Pawn,
                },
            };
            position.for_each_beam_move_of(side, aim.path(), |mv| {
                assert_eq!(aim.prey(&position, mv), truth(mv), "{mv} in {position}");
            });
            position.for_each_still_move_of(side, aim.path(), |mv| {
                assert_eq!(aim.standing_prey(&position), truth(mv), "{mv} in {position}");
            });
        }
    }
}

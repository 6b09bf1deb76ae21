//! Moves in the order to try them.
//!
//! A zap is known only by following the beam, so moves come in two kinds: those that can change the mover's beam are
//! generated first and each is traced; the rest all leave it as it is and share its victim. They are generated only when
//! the first kind has not caused a cut.

use arrayvec::ArrayVec;
use laser::{MAX_MOVES, Move, Position};

use super::history::{Histories, PieceTo};
use super::victim::Victim;
use super::zap_generator::ZapGenerator;
use crate::eval::beam_path::BeamPath;

/// A move to be tried: score in the high half, then victim and the move's bits, so that one comparison orders moves and
/// no two are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Scored(i64);

impl Scored {
    #[inline]
    fn new(score: i32, victim: Victim, mv: Move) -> Scored {
        Scored(i64::from(score) << 32 | (victim as i64) << 16 | i64::from(mv.bits()))
    }

    #[inline]
    fn picked(self) -> Option<Picked> {
        let victim = match self.0 >> 16 & 7 {
            1 => Victim::OwnPawn,
            2 => Victim::Nothing,
            3 => Victim::Pawn,
            _ => Victim::King,
        };
        let mv = Move::from_valid(self.0 as u16)?;
        Some(Picked { mv, victim: Some(victim), history: (self.0 >> 32) as i32 })
    }
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
    pub(crate) victim: Option<Victim>,
    /// Its history, 0 for moves that are not quiet.
    pub(crate) history: i32,
}

/// Gives each move once, likely good ones first. Ko and suicide are left out.
pub(crate) struct Picker<'a> {
    /// The mover's beam.
    beam: &'a BeamPath,
    /// Taken when its last use is over.
    generator: Option<ZapGenerator<'a>>,
    table_move: Option<Move>,
    forbidden: Option<Move>,
    killers: [Option<Move>; 2],
    previous: Option<PieceTo>,
    stage: Stage,
    zaps_only: bool,
    zaps: ArrayVec<Scored, MAX_MOVES>,
    rest: ArrayVec<Scored, MAX_MOVES>,
}

/// Above any history.
const KILLER_SCORES: [i32; 2] = [60_000, 50_000];
const OWN_PAWN_SCORE: i32 = -100_000;

impl<'a> Picker<'a> {
    #[inline]
    pub(crate) fn new(
        position: &Position,
        beam: &'a BeamPath,
        table_move: Option<Move>,
        killers: [Option<Move>; 2],
        previous: Option<PieceTo>,
    ) -> Picker<'a> {
        Picker {
            beam,
            generator: None,
            table_move,
            forbidden: position.ko_move(),
            killers,
            previous,
            stage: Stage::TableMove,
            zaps_only: false,
            zaps: ArrayVec::new(),
            rest: ArrayVec::new(),
        }
    }

    /// From here on only zaps (and the table's move) are given.
    #[inline]
    pub(crate) fn skip_quiets(&mut self) {
        self.zaps_only = true;
    }

    pub(crate) fn next(&mut self, position: &Position, histories: &Histories) -> Option<Picked> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateTouching;
                    if let Some(mv) = self.table_move.filter(|&mv| self.forbidden != Some(mv)) {
                        return Some(Picked { mv, victim: None, history: 0 });
                    }
                }
                Stage::GenerateTouching => {
                    let generator = ZapGenerator::new(position, self.beam)?;
                    generator
                        .for_each_touching(position, |mv, victim| self.push(position, histories, mv, victim));
                    if generator.current_victim(position).is_zap() {
                        self.push_still(position, histories, &generator);
                    }
                    self.generator = Some(generator);
                    self.stage = Stage::Zaps;
                }
                Stage::Zaps => {
                    if let Some(scored) = take_best(&mut self.zaps) {
                        return scored.picked();
                    }
                    self.stage = Stage::GenerateStill;
                }
                Stage::GenerateStill | Stage::Rest if self.zaps_only => return None,
                Stage::GenerateStill => {
                    let generator = self.generator.take()?;
                    if !generator.current_victim(position).is_zap() {
                        self.push_still(position, histories, &generator);
                    }
                    self.stage = Stage::Rest;
                }
                Stage::Rest => return take_best(&mut self.rest)?.picked(),
            }
        }
    }

    fn push_still(&mut self, position: &Position, histories: &Histories, generator: &ZapGenerator<'_>) {
        let victim = generator.current_victim(position);
        position.for_each_still_move_of(position.side_to_move(), generator.path(), |mv| {
            self.push(position, histories, mv, victim);
        });
    }

    #[inline]
    fn push(&mut self, position: &Position, histories: &Histories, mv: Move, victim: Victim) {
        if self.table_move == Some(mv) || self.forbidden == Some(mv) || victim == Victim::OwnKing {
            return;
        }
        if self.zaps_only && !victim.is_zap() {
            return;
        }
        let side = position.side_to_move();
        let history = histories.score(side, mv, PieceTo::of(position, mv), self.previous);
        let score = match victim {
            Victim::King => i32::MAX,
            Victim::Nothing if self.killers[0] == Some(mv) => KILLER_SCORES[0],
            Victim::Nothing if self.killers[1] == Some(mv) => KILLER_SCORES[1],
            Victim::OwnPawn => OWN_PAWN_SCORE + history,
            _ => history,
        };
        let list = if victim.is_zap() { &mut self.zaps } else { &mut self.rest };
        list.push(Scored::new(score, victim, mv));
    }
}

/// Takes the best move out. Two passes without branches beat one with: the maximum vectorises.
#[inline]
fn take_best(list: &mut ArrayVec<Scored, MAX_MOVES>) -> Option<Scored> {
    let best = *list.iter().max()?;
    let index = list.iter().position(|&scored| scored == best)?;
    list.swap_remove(index);
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions of a fixed pseudo-random game.
    fn positions() -> Vec<Position> {
        let mut random = common::Random::new(7);
        let mut positions = vec![Position::start()];
        let mut position = Position::start();
        for _ in 0..400 {
            let moves = position.legal_moves();
            let next = position.after(moves[random.below(moves.len())]);
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
            let beam = BeamPath::of(&position, side);
            let mut picker = Picker::new(&position, &beam, table_move, killers, None);
            let mut picked = Vec::new();
            while let Some(next) = picker.next(&position, &histories) {
                if next.victim.is_none() {
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
            let beam = BeamPath::of(&position, side);
            let generator = ZapGenerator::new(&position, &beam).unwrap();
            let truth = |mv: Move| match position.clone().play(mv).map(|zapped| zapped.piece) {
                None => Victim::Nothing,
                Some(piece) => match (piece.is_king(), piece.colour() == side) {
                    (true, true) => Victim::OwnKing,
                    (true, false) => Victim::King,
                    (false, true) => Victim::OwnPawn,
                    (false, false) => Victim::Pawn,
                },
            };
            let mut touching = Vec::new();
            generator.for_each_touching(&position, |mv, victim| {
                assert_eq!(victim, truth(mv), "{mv} in {position}");
                touching.push(mv);
            });
            let mut expected = Vec::new();
            position.for_each_beam_move_of(side, generator.path(), |mv| expected.push(mv));
            touching.sort_unstable();
            expected.sort_unstable();
            assert_eq!(touching, expected, "{position}");
            position.for_each_still_move_of(side, generator.path(), |mv| {
                assert_eq!(generator.current_victim(&position), truth(mv), "{mv} in {position}");
            });
        }
    }
}

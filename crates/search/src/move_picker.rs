//! The move picker: staged move ordering. Hash move, captures by MVV-LVA and SEE, killers, quiet moves by history; each
//! stage is generated only when needed.
//!
//! Invariant: over its life a picker yields exactly the legal moves (or, in quiescence, the legal
//! noisy moves or evasions), each once. The moves lie in an arena that all nodes of a worker share
//! as a stack: a node's part begins where its picker was made and is cut off when it is done.

use crate::history::{ContinuationContext, Histories, by_squares, mover, piece_square};
use crate::parameters::{fixed, piece_value};
use crate::phase::{Phase, PhaseProbe};
use crate::technique::Technique;
use chess::attacks;
use chess::movegen::{Every, Noisy, Quiet, Sink, Stage as Generated, below};
use chess::{Bitboard, Move, PieceKind, Position, Square};
use kernel::Policy;

/// A move and its place in the order.
#[derive(Clone, Copy, Debug)]
pub struct Scored {
    mv: Move,
    score: i32,
}

/// The worker's stack of generated moves.
pub struct Arena(Vec<Scored>);

impl Default for Arena {
    fn default() -> Self {
        // Enough for the deepest path at a generous hundred moves a node; beyond it the vector
        // grows once and stays.
        Self(Vec::with_capacity(kernel::MAX_PLY * 100))
    }
}

impl Arena {
    /// Where the next picker's moves will begin.
    pub fn mark(&self) -> usize {
        self.0.len()
    }

    /// Gives back everything from `mark` on.
    #[inline]
    pub fn release(&mut self, mark: usize) {
        self.0.truncate(mark);
    }
}

impl Sink for Arena {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.special(Move::normal(from, to));
        }
    }
    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, shift: i8) {
        for to in targets {
            self.special(Move::normal(below(to, shift), to));
        }
    }
    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, shift: i8) {
        for to in targets {
            for kind in [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop, PieceKind::Knight] {
                self.special(Move::promotion(below(to, shift), to, kind));
            }
        }
    }
    #[inline(always)]
    fn special(&mut self, mv: Move) {
        self.0.push(Scored { mv, score: 0 });
    }
}

/// What a move is, in the order in which they come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The move the table remembers.
    TableMove,
    /// Captures are about to be generated.
    GenerateNoisy,
    /// Captures and promotions that lose nothing.
    GoodNoisy,
    /// A quiet move that refuted a sibling.
    Killer,
    /// Quiet moves are about to be generated.
    GenerateQuiet,
    /// Quiet moves.
    Quiet,
    /// Captures that lose material.
    BadNoisy,
    /// In check: every move is about to be generated.
    GenerateEvasions,
    /// In check: every move.
    Evasion,
    /// Nothing left.
    Done,
}

/// What a picker is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Every legal move.
    Node,
    /// Noisy moves, or every evasion in check.
    Quiescence,
    /// Noisy moves that win at least this much by exchange.
    ProbCut(i32),
}

/// What a picker needs to see to judge moves.
pub struct OrderingContext<'a, P> {
    /// Where we are.
    pub position: &'a Position,
    /// The histories.
    pub histories: &'a Histories,
    /// The moves before.
    pub context: &'a ContinuationContext,
    /// Squares the opponent attacks.
    pub threats: Bitboard,
    /// Which techniques are in use.
    pub policy: &'a P,
    /// The phase the worker is in.
    pub phase_probe: &'a PhaseProbe,
}

/// The state of one node's move ordering.
pub struct MovePicker {
    stage: Stage,
    purpose: Purpose,
    table_move: Option<Move>,
    killer: Option<Move>,
    start: usize,
    /// Losing captures rest between `start` and here.
    bad_end: usize,
    cursor: usize,
    end: usize,
    skip_quiets: bool,
}

/// Keeps captures before quiet evasions.
const NOISY_FIRST: i32 = 1 << 20;

impl MovePicker {
    /// A picker whose moves will lie at the top of the arena. The table move must be legal.
    pub fn new(
        purpose: Purpose,
        table_move: Option<Move>,
        killer: Option<Move>,
        in_check: bool,
        arena: &Arena,
    ) -> Self {
        let first = match (table_move, in_check) {
            (Some(_), _) => Stage::TableMove,
            (None, true) => Stage::GenerateEvasions,
            (None, false) => Stage::GenerateNoisy,
        };
        let start = arena.mark();
        Self {
            stage: first,
            purpose,
            table_move,
            killer: killer.filter(|_| !in_check && purpose == Purpose::Node),
            start,
            bad_end: start,
            cursor: start,
            end: start,
            skip_quiets: false,
        }
    }

    /// From now on no quiet moves.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The stage of the move handed out last.
    #[inline]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Where this picker's moves begin in the arena.
    pub fn start(&self) -> usize {
        self.start
    }

    /// The next move.
    #[inline]
    pub fn next<P: Policy<Technique>>(
        &mut self,
        arena: &mut Arena,
        ordering: &OrderingContext<'_, P>,
    ) -> Option<Move> {
        let before = ordering.phase_probe.enter::<P>(Phase::Ordering);
        let next = self.advance(arena, ordering);
        ordering.phase_probe.leave::<P>(before);
        next
    }

    #[inline]
    fn advance<P: Policy<Technique>>(
        &mut self,
        arena: &mut Arena,
        ordering: &OrderingContext<'_, P>,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TableMove => {
                    let in_check = ordering.position.in_check();
                    self.stage = if in_check { Stage::GenerateEvasions } else { Stage::GenerateNoisy };
                    return self.table_move;
                }
                Stage::GenerateNoisy if self.purpose == Purpose::Node && !ordering.knows_captures() => {
                    self.generate::<Every, P>(arena, ordering);
                    let quiet_score = ordering.quiet_scores();
                    self.score(arena, |mv| if ordering.position.is_noisy(mv) { 0 } else { quiet_score(mv) });
                    self.stage = Stage::Evasion;
                }
                Stage::GenerateNoisy => {
                    self.generate::<Noisy, P>(arena, ordering);
                    self.score(arena, |mv| ordering.noisy_score(mv));
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    if let Some(mv) = self.next_good_noisy(arena, ordering) {
                        return Some(mv);
                    }
                    self.stage = if self.purpose == Purpose::Node { Stage::Killer } else { Stage::Done };
                }
                Stage::Killer => {
                    self.stage = Stage::GenerateQuiet;
                    if let Some(killer) = self.killer
                        && !self.skip_quiets
                        && Some(killer) != self.table_move
                        && !ordering.position.is_noisy(killer)
                        && ordering.position.is_legal(killer)
                    {
                        return Some(killer);
                    }
                    // Not played now, so not to be left out among the quiet moves either.
                    self.killer = None;
                }
                Stage::GenerateQuiet => {
                    if self.skip_quiets {
                        self.begin_bad_noisy();
                        continue;
                    }
                    self.generate::<Quiet, P>(arena, ordering);
                    let (quiet_score, checks) = (ordering.quiet_scores(), ordering.checking_squares());
                    let lesser = ordering.attacks_of_lesser_pieces();
                    self.score(arena, |mv| {
                        quiet_score(mv)
                            + ordering.check_bonus(&checks, mv)
                            + ordering.threat_bonus(&lesser, mv)
                    });
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets
                        && let Some(mv) = self.best(arena)
                    {
                        if Some(mv) == self.killer {
                            continue;
                        }
                        return Some(mv);
                    }
                    self.begin_bad_noisy();
                }
                Stage::BadNoisy => {
                    if self.cursor < self.bad_end {
                        self.cursor += 1;
                        return Some(arena.0[self.cursor - 1].mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::GenerateEvasions => {
                    self.generate::<Every, P>(arena, ordering);
                    let quiet_score = ordering.quiet_scores();
                    self.score(arena, |mv| {
                        ordering.noisy_evasion_score(mv).unwrap_or_else(|| quiet_score(mv))
                    });
                    self.stage = Stage::Evasion;
                }
                Stage::Evasion => {
                    while let Some(mv) = self.best(arena) {
                        if !self.skip_quiets || ordering.position.is_noisy(mv) {
                            return Some(mv);
                        }
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    fn generate<St: Generated, P: Policy<Technique>>(
        &mut self,
        arena: &mut Arena,
        ordering: &OrderingContext<'_, P>,
    ) {
        let before = ordering.phase_probe.enter::<P>(Phase::Generation);
        self.cursor = self.bad_end;
        arena.release(self.bad_end);
        ordering.position.generate::<St>(arena);
        self.end = arena.mark();
        ordering.phase_probe.leave::<P>(before);
    }

    #[inline]
    fn score(&self, arena: &mut Arena, value: impl Fn(Move) -> i32) {
        for scored in &mut arena.0[self.cursor..self.end] {
            scored.score = value(scored.mv);
        }
    }

    fn begin_bad_noisy(&mut self) {
        self.stage = Stage::BadNoisy;
        self.cursor = self.start;
    }

    /// The best of the rest, other than the table move.
    #[inline]
    fn best(&mut self, arena: &mut Arena) -> Option<Move> {
        loop {
            let rest = &mut arena.0[self.cursor..self.end];
            // Score and place in one number, of which the greatest is found without a branch that nobody could
            // predict; of equal scores the first.
            let key =
                |(place, scored): (usize, &Scored)| i64::from(scored.score) << 32 | (!(place as u32)) as i64;
            let best = rest.iter().enumerate().map(key).max()?;
            rest.swap(0, !(best as u32) as usize);
            let mv = rest[0].mv;
            self.cursor += 1;
            if Some(mv) != self.table_move {
                return Some(mv);
            }
        }
    }

    /// The best capture that does not lose; those that do are set aside at the start.
    #[inline]
    fn next_good_noisy<P: Policy<Technique>>(
        &mut self,
        arena: &mut Arena,
        ordering: &OrderingContext<'_, P>,
    ) -> Option<Move> {
        while let Some(mv) = self.best(arena) {
            let scored = arena.0[self.cursor - 1];
            let least = match self.purpose {
                // Quiescence judges exchanges itself, after cheaper tests.
                Purpose::Quiescence => return Some(mv),
                Purpose::ProbCut(least) => least,
                Purpose::Node => -scored.score / fixed::NOISY_SCORE_DIVISOR,
            };
            if !ordering.policy.uses(Technique::ExchangeOrdering) || ordering.see_at_least(mv, least) {
                return Some(mv);
            }
            arena.0[self.bad_end] = scored;
            self.bad_end += 1;
        }
        None
    }
}

impl<P: Policy<Technique>> OrderingContext<'_, P> {
    /// Does any technique tell captures from other moves? Otherwise they come in generation order, among all others.
    #[inline]
    fn knows_captures(&self) -> bool {
        [Technique::VictimOrdering, Technique::ExchangeOrdering, Technique::CaptureHistory]
            .into_iter()
            .any(|technique| self.policy.uses(technique))
    }

    #[inline]
    fn see_at_least(&self, mv: Move, least: i32) -> bool {
        let before = self.phase_probe.enter::<P>(Phase::StaticExchange);
        let wins = self.position.see_at_least(mv, least);
        self.phase_probe.leave::<P>(before);
        wins
    }

    /// Most valuable victim first (the MVV of MVV-LVA), then the capture history.
    #[inline]
    fn noisy_score(&self, mv: Move) -> i32 {
        let mut score = 0;
        if self.policy.uses(Technique::VictimOrdering) {
            let weight = fixed::VICTIM_WEIGHT;
            score += weight * self.position.captured(mv).map_or(0, piece_value);
            score += match mv.promotes_to() {
                None => 0,
                Some(PieceKind::Queen) => weight * piece_value(PieceKind::Queen),
                Some(_) => -fixed::UNDERPROMOTION,
            };
        }
        if self.policy.uses(Technique::CaptureHistory) {
            score += self.histories.capture(self.position, mv) / fixed::CAPTURE_HISTORY_DIVISOR;
        }
        score
    }

    /// The sum of the butterfly, continuation and pawn histories.
    #[inline]
    pub fn quiet_score(&self, mv: Move) -> i32 {
        self.quiet_scores()(mv)
    }

    /// The same for many moves: the rows are looked up once.
    #[inline]
    fn quiet_scores(&self) -> impl Fn(Move) -> i32 {
        let uses = |technique| self.policy.uses(technique);
        let (knows_squares, knows_pawns) = (uses(Technique::ButterflyHistory), uses(Technique::PawnHistory));
        let knows_context = uses(Technique::ContinuationHistory);
        let (position, threats) = (self.position, self.threats);
        let butterfly = self.histories.butterfly(position.turn());
        let after = self.context.map(|piece_to| self.histories.continuation(piece_to));
        let pawns = self.histories.pawn(position);
        move |mv| {
            let place = piece_square(position, mv);
            let mut score = 0;
            if knows_squares {
                score += by_squares(butterfly, threats, mv);
            }
            if knows_context {
                let [one, two, four, six] = after.map(|row| row[place].get());
                score += one + two + i32::midpoint(four, six);
            }
            if knows_pawns {
                score += pawns[place].get();
            }
            score
        }
    }

    /// From where each kind of piece would give check.
    #[inline]
    fn checking_squares(&self) -> [Bitboard; 6] {
        let board = self.position.board();
        let (king, occupied) = (board.king(!self.position.turn()), board.occupied());
        let (bishop, rook) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
        let pawn = attacks::pawn(!self.position.turn(), king);
        [pawn, attacks::knight(king), bishop, rook, bishop | rook, Bitboard::EMPTY]
    }

    /// Quiet moves that give check come early (Stockfish).
    #[inline]
    fn check_bonus(&self, checks: &[Bitboard; 6], mv: Move) -> i32 {
        let piece = mover(self.position, mv).kind();
        let is_check = checks[piece.index()].has(mv.to()) && self.policy.uses(Technique::CheckOrdering);
        fixed::CHECK_BONUS * i32::from(is_check)
    }

    /// For each kind of piece, the squares that lesser pieces of the opponent attack.
    #[inline]
    fn attacks_of_lesser_pieces(&self) -> [Bitboard; 6] {
        if !self.policy.uses(Technique::ThreatOrdering) {
            return [Bitboard::EMPTY; 6];
        }
        let (board, them) = (self.position.board(), !self.position.turn());
        let occupied = board.occupied();
        let attacked_by = |kind, attacks: &dyn Fn(Square) -> Bitboard| {
            let pieces = board.kind(kind) & board.color(them);
            pieces.into_iter().fold(Bitboard::EMPTY, |all, square| all | attacks(square))
        };
        let pawns = attacked_by(PieceKind::Pawn, &|square| attacks::pawn(them, square));
        let minors = pawns
            | attacked_by(PieceKind::Knight, &attacks::knight)
            | attacked_by(PieceKind::Bishop, &|square| attacks::bishop(square, occupied));
        let rooks = minors | attacked_by(PieceKind::Rook, &|square| attacks::rook(square, occupied));
        [Bitboard::EMPTY, pawns, pawns, minors, rooks, Bitboard::EMPTY]
    }

    /// A quiet move away from an attack by a lesser piece gets a bonus, one into such an attack a malus (Stockfish).
    #[inline]
    fn threat_bonus(&self, lesser: &[Bitboard; 6], mv: Move) -> i32 {
        let kind = mover(self.position, mv).kind().index();
        let (from, to) = (lesser[kind].has(mv.from()), lesser[kind].has(mv.to()));
        fixed::THREAT_BONUS[kind] * (i32::from(from) - i32::from(to))
    }

    #[inline]
    fn noisy_evasion_score(&self, mv: Move) -> Option<i32> {
        self.position.is_noisy(mv).then(|| NOISY_FIRST + self.noisy_score(mv))
    }
}

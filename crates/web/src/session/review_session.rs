//! Looking over a whole game: every position for the same number of nodes, then labels and accuracy.

use super::engines::Bench;
use super::{Session, Who};
use crate::accuracy;
use crate::describe;
use crate::messages::{Event, Review, ReviewedMove, SideReview, Worth};
use crate::problem::Problem;
use chess::{Game, Move};
use engine::{Information, Report, Request};
use kernel::{Bound, Limits};

const HASH: u32 = 32;
const LONGEST_LINE: usize = 8;
/// A loss is counted no further than ten pawns, so that a missed mate does not drown all else.
const WORST: i32 = 1000;

pub struct Reviewer {
    bench: Bench,
    game: Game,
    kilonodes: u32,
    number: u32,
    found: Option<Information>,
    seen: Vec<Seen>,
}

/// What the engine thinks of one position.
struct Seen {
    worth: Worth,
    win: f64,
    line: Vec<Move>,
}

impl Reviewer {
    pub fn new(game: Game, kilonodes: u32, session: &Session) -> Result<Reviewer, Problem> {
        let mut bench = Bench::new(Who::Review, HASH.min(session.shared.machine.hash_megabytes), session)?;
        bench.set("UCI_AnalyseMode", "true")?;
        Ok(Reviewer { bench, game, kilonodes, number: 0, found: None, seen: Vec::new() })
    }

    pub fn begin(&mut self) -> Event {
        self.go_on()
    }

    pub fn report(&mut self, number: u32, report: Report) -> Option<Event> {
        if number != self.number {
            return None;
        }
        match report {
            Report::Information(found) => {
                if found.bound == Bound::Exact && found.rank == 1 {
                    self.found = Some(found);
                }
                None
            }
            Report::Remark(_) => None,
            Report::Best { .. } => {
                let turn = self.game.positions()[self.seen.len()].turn();
                let seen = match self.found.take() {
                    Some(found) => {
                        let worth = describe::worth(found.score, turn);
                        Seen { worth, win: accuracy::win_percent(worth), line: found.line }
                    }
                    // Too few nodes to say anything: as good as equal.
                    None => Seen { worth: Worth::Centipawns(0), win: 50.0, line: Vec::new() },
                };
                self.seen.push(seen);
                Some(self.go_on())
            }
        }
    }

    /// Starts on the next position; answers what is known so far.
    fn go_on(&mut self) -> Event {
        while let Some(position) = self.game.positions().get(self.seen.len()) {
            if position.is_checkmate() {
                let win = if position.turn().is_white() { 0.0 } else { 100.0 };
                self.seen.push(Seen { worth: Worth::Mate(0), win, line: Vec::new() });
            } else if position.is_stalemate() || position.is_insufficient_material() {
                self.seen.push(Seen { worth: Worth::Centipawns(0), win: 50.0, line: Vec::new() });
            } else {
                break;
            }
        }
        if self.seen.len() < self.game.positions().len() {
            let mut game = Game::new(self.game.start().clone());
            for &mv in &self.game.moves()[..self.seen.len()] {
                if game.play(mv).is_err() {
                    break;
                }
            }
            let limits = Limits::nodes(u64::from(self.kilonodes) * 1000);
            self.number = self.bench.go(game, Request::new(limits));
        }
        Event::Reviewed { review: Box::new(self.review()) }
    }

    fn review(&self) -> Review {
        let wins: Vec<f64> = self.seen.iter().map(|seen| seen.win).collect();
        let moves: Vec<ReviewedMove> = (0..self.seen.len()).map(|index| self.reviewed(index)).collect();
        let finished = self.seen.len() == self.game.positions().len();
        let white_first = self.game.start().turn().is_white();
        let side = |white: bool| side_review(&moves, &wins, white, white_first, finished);
        Review {
            total: self.game.positions().len() as u32,
            white: side(true),
            black: side(false),
            moves,
            finished,
        }
    }

    fn reviewed(&self, index: usize) -> ReviewedMove {
        let seen = &self.seen[index];
        let Some(before) = index.checked_sub(1) else {
            return ReviewedMove {
                worth: seen.worth,
                win: seen.win,
                label: None,
                best: None,
                best_line: Vec::new(),
                accuracy: None,
            };
        };
        let position = &self.game.positions()[before];
        let played = self.game.moves()[before];
        let mover = |win: f64| if position.turn().is_white() { win } else { 100.0 - win };
        let (chances_before, chances_after) = (mover(self.seen[before].win), mover(seen.win));
        let best = self.seen[before].line.first().copied().filter(|best| *best != played);
        let label = best.and_then(|_| accuracy::label(chances_before - chances_after));
        let better = best.map(|_| describe::spell(position, &self.seen[before].line, LONGEST_LINE).san);
        ReviewedMove {
            worth: seen.worth,
            win: seen.win,
            label,
            best: better.as_ref().and_then(|line| line.first().cloned()),
            best_line: better.unwrap_or_default(),
            accuracy: Some(accuracy::move_accuracy(chances_before, chances_after)),
        }
    }
}

fn side_review(
    moves: &[ReviewedMove],
    wins: &[f64],
    white: bool,
    white_first: bool,
    finished: bool,
) -> SideReview {
    use crate::messages::Label;
    let own = |index: usize| index > 0 && ((index % 2 == 1) == (white == white_first));
    let count = |label| {
        moves.iter().enumerate().filter(|(index, mv)| own(*index) && mv.label == Some(label)).count() as u32
    };
    let losses: Vec<f64> = (1..moves.len())
        .filter(|index| own(*index))
        .map(|index| {
            let change = centipawns(&moves[index]) - centipawns(&moves[index - 1]);
            f64::from(if white { -change } else { change }.max(0))
        })
        .collect();
    let mean = losses.iter().sum::<f64>() / losses.len().max(1) as f64;
    SideReview {
        accuracy: if finished { accuracy::game_accuracy(wins, white, white_first) } else { None },
        inaccuracies: count(Label::Inaccuracy),
        mistakes: count(Label::Mistake),
        blunders: count(Label::Blunder),
        loss: (!losses.is_empty()).then_some(mean),
    }
}

fn centipawns(seen: &ReviewedMove) -> i32 {
    match seen.worth {
        Worth::Centipawns(value) => value.clamp(-WORST, WORST),
        // Mate on the board carries no sign; the chances tell who gave it.
        Worth::Mate(_) | Worth::Table(_) => {
            if seen.win > 50.0 {
                WORST
            } else {
                -WORST
            }
        }
    }
}

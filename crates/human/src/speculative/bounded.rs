//! Bounded speculation: of the moves that plain search finds nearly as good as the best, the one against which people of
//! the opponent's strength go wrong most.
//!
//! Precedents: Donkers' probabilistic opponent-model search, Carmel and Markovitch's M* with bounded model error,
//! Ballard's Star1 cut-offs. Everything is in expected points. The engine may give away a small budget over a game, and
//! more only out of what the opponent has given away; it never walks into a proven loss, never leaves a proven win,
//! keeps a winning score winning, and turns itself off when the model has twice been wrong.

use crate::expected::Expected;
use crate::oracle::{Line, Oracle, Question, Stopped};
use crate::reply::{Circumstances, People, Rating, Scale};
use chess::{Game, Move};

/// What the user asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Terms {
    /// Expected points that may be given away in a game.
    pub budget: f64,
    /// How much of the decision stays with plain search: 1 is plain search.
    pub distrust: f64,
    pub opponent: Rating,
    pub scale: Scale,
    /// Nodes for all replies together.
    pub nodes: u64,
}

/// Of what the opponent gave away, this share may be risked again.
const WINNINGS_SHARE: f64 = 0.25;
/// No single move may concede more.
const MOST_IN_ONE_MOVE: f64 = 0.05;
/// Replies that hold this much of the probability are searched; the rest counts as the best reply.
const MASS: f32 = 0.95;
const MOST_REPLIES: usize = 6;
/// A reply that gives away this much is a mistake.
const MISTAKE: f64 = 0.10;
/// From here on a score counts as winning and must stay so.
const WINNING: f64 = 0.75;
const STILL_WINNING: f64 = 0.70;
/// Beyond this there is nothing left to speculate for: what is left is to win, and plain search does that best.
const DECIDED: f64 = 0.90;
/// A reply after which the game is over for practical purposes.
const OVER: f64 = 0.97;
/// Worth of an immediate decision: what ends the game sooner is preferred among equals.
const SPEED: f64 = 0.03;
/// People of this strength make too few mistakes to speculate on.
const TOO_STRONG: u16 = 2700;
/// Mispredictions in a row after which the mode turns itself off.
const PATIENCE: u32 = 2;
/// A reply less likely than this was not foreseen.
const UNFORESEEN: f32 = 0.03;

/// What is kept through a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Bounded {
    spent: f64,
    won: f64,
    mispredictions: u32,
    last: Option<Hope>,
}

/// The last speculation, until the opponent has answered it.
#[derive(Clone, PartialEq, Debug)]
struct Hope {
    worth: f64,
    conceded: f64,
    replies: Vec<(Move, f32)>,
}

/// The move chosen and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub mv: Move,
    /// The plain value of the move and of the best one.
    pub worth: Expected,
    pub best: Expected,
    /// Expected points against the modelled opponent.
    pub expectation: Expected,
    pub mistake_probability: f64,
    /// Our move, the reply we hope for most, and what we answer.
    pub intended: Vec<Move>,
    /// As plain search sees it.
    pub line: Line,
    replies: Vec<(Move, f32)>,
}

impl Choice {
    pub fn concession(&self) -> f64 {
        self.best.loss_to(self.worth)
    }
}

/// One candidate's expectation, or the bound at which it was cut.
struct Expectation {
    value: f64,
    mistake: f64,
    decided: f64,
    hoped: Option<(f64, Vec<Move>)>,
    replies: Vec<(Move, f32)>,
}

impl Bounded {
    /// Whether speculation makes sense at all: where not, plain search plays alone.
    pub fn is_on(&self, terms: &Terms) -> bool {
        terms.opponent.points() < TOO_STRONG
            && terms.distrust < 1.0
            && terms.budget > 0.0
            && self.mispredictions < PATIENCE
    }

    pub const fn is_disappointed(&self) -> bool {
        self.mispredictions >= PATIENCE
    }

    /// Expected points given away so far.
    pub const fn spent(&self) -> f64 {
        self.spent
    }

    /// What may still be conceded in one move.
    pub fn allowance(&self, terms: &Terms) -> f64 {
        (terms.budget + WINNINGS_SHARE * self.won - self.spent).clamp(0.0, MOST_IN_ONE_MOVE)
    }

    /// The opponent answered; `now` is what the position is worth to us by plain search.
    pub fn learn(&mut self, reply: Move, now: Expected) {
        let Some(hope) = self.last.take() else { return };
        let gain = now.points() - hope.worth;
        if gain > 0.0 {
            self.won += gain;
        }
        if hope.conceded > 0.005 {
            let foreseen = hope.replies.iter().any(|(mv, share)| *mv == reply && *share >= UNFORESEEN);
            // Wrong is a model that did not foresee the reply, or a reply that kept all we conceded.
            let wrong = !foreseen || gain <= 0.0;
            self.mispredictions = if wrong { self.mispredictions + 1 } else { 0 };
        }
    }

    /// The choice was played.
    pub fn commit(&mut self, choice: &Choice) {
        self.spent += choice.concession();
        self.last = Some(Hope {
            worth: choice.worth.points(),
            conceded: choice.concession(),
            replies: choice.replies.clone(),
        });
    }

    /// Chooses among `lines`, plain search's best moves, best first. `None` when there is nothing to choose.
    pub fn choose(
        &self,
        game: &Game,
        lines: &[Line],
        terms: &Terms,
        people: &dyn People,
        oracle: &mut dyn Oracle,
    ) -> Option<Choice> {
        let best = lines.first()?;
        let plain = |line: &Line| Choice {
            mv: line.mv,
            worth: line.expected(),
            best: best.expected(),
            expectation: line.expected(),
            mistake_probability: 0.0,
            intended: line.moves.clone(),
            line: line.clone(),
            replies: Vec::new(),
        };
        let top = best.expected();
        if !self.is_on(terms) || best.score.is_win() || best.score.is_loss() {
            return Some(plain(best));
        }
        if top.points() > DECIDED {
            // The nodes saved go to plain search among the same moves, from a warm table.
            let allowed: Vec<Move> = lines.iter().map(|line| line.mv).collect();
            let question = Question { game, allowed: &allowed, lines: 1, nodes: terms.nodes, depth: None };
            let again = oracle.ask(&question).ok().and_then(|found| found.into_iter().next());
            return Some(match again {
                Some(line) => Choice { best: line.expected(), ..plain(&line) },
                None => plain(best),
            });
        }
        let allowance = self.allowance(terms);
        let candidates: Vec<&Line> = lines.iter().filter(|line| acceptable(line, best, allowance)).collect();
        if candidates.len() < 2 {
            return Some(plain(best));
        }
        let nodes = terms.nodes / (candidates.len() * MOST_REPLIES) as u64;
        let mut chosen: Option<(f64, Choice)> = None;
        for line in candidates {
            let floor = chosen.as_ref().map(|(utility, _)| *utility);
            let Ok(expected) = expect(game, line, terms, people, nodes, floor, oracle) else { break };
            let Some(found) = expected else { continue };
            let utility = utility(&found, line.expected().points(), terms);
            if floor.is_none_or(|floor| utility > floor) {
                let intended = found.hoped.map_or_else(|| line.moves.clone(), |(_, moves)| moves);
                let choice = Choice {
                    expectation: Expected::new(found.value),
                    mistake_probability: found.mistake,
                    intended,
                    replies: found.replies,
                    ..plain(line)
                };
                chosen = Some((utility, choice));
            }
        }
        Some(chosen.map_or_else(|| plain(best), |(_, choice)| choice))
    }
}

fn utility(found: &Expectation, worth: f64, terms: &Terms) -> f64 {
    let trust = 1.0 - terms.distrust;
    trust * (found.value + SPEED * found.decided) + terms.distrust * worth
}

/// Within the allowance and above the floors.
fn acceptable(line: &Line, best: &Line, allowance: f64) -> bool {
    let (worth, top) = (line.expected(), best.expected());
    let keeps_winning = top.points() < WINNING || worth.points() >= STILL_WINNING;
    line.mv == best.mv || (!line.score.is_loss() && top.loss_to(worth) <= allowance && keeps_winning)
}

/// The expectation over modelled replies. `Ok(None)` when it cannot reach `floor` (Star1: even if every reply not yet
/// searched were a gift, the sum would stay below).
fn expect(
    game: &Game,
    line: &Line,
    terms: &Terms,
    people: &dyn People,
    nodes: u64,
    floor: Option<f64>,
    oracle: &mut dyn Oracle,
) -> Result<Option<Expectation>, Stopped> {
    let worth = line.expected().points();
    let mut after = game.clone();
    if after.play(line.mv).is_err() {
        return Ok(None);
    }
    let circumstances = Circumstances::new(terms.opponent, terms.scale);
    let replies = people.replies_in(&after, &circumstances);
    let likely: Vec<(Move, f32)> =
        replies.covering(MASS).iter().take(MOST_REPLIES).map(|reply| (reply.mv, reply.probability)).collect();
    let mut found =
        Expectation { value: 0.0, mistake: 0.0, decided: 0.0, hoped: None, replies: likely.clone() };
    // What the model does not see counts as the best reply.
    let mut unsearched: f64 = likely.iter().map(|(_, share)| f64::from(*share)).sum();
    let unseen = (1.0 - unsearched).max(0.0);
    found.value = unseen * worth;
    for (reply, share) in likely {
        let share = f64::from(share);
        if let Some(floor) = floor {
            let bound = Expectation {
                value: found.value + unsearched,
                decided: found.decided + unsearched,
                ..empty()
            };
            if utility(&bound, worth, terms) <= floor {
                return Ok(None);
            }
        }
        let mut next = after.clone();
        if next.play(reply).is_err() {
            continue;
        }
        let answer = if line.moves.get(1) == Some(&reply) { None } else { oracle.best(&next, nodes)? };
        let value = match &answer {
            // The reply plain search expects: its value is known, and by a deeper search.
            None if next.outcome().is_none() => worth,
            None => next.outcome().map_or(worth, |outcome| match outcome.winner() {
                None => 0.5,
                Some(winner) => f64::from(u8::from(winner == game.position().turn())),
            }),
            // No reply is better for them than the best one.
            Some(line) => line.expected().points().max(worth),
        };
        unsearched -= share;
        found.value += share * value;
        if value - worth >= MISTAKE {
            found.mistake += share;
            let hope = share * (value - worth);
            if found.hoped.as_ref().is_none_or(|(most, _)| hope > *most) {
                let mut moves = vec![line.mv, reply];
                moves.extend(answer.iter().flat_map(|line| line.moves.iter().copied()));
                found.hoped = Some((hope, moves));
            }
        }
        if value > OVER {
            found.decided += share;
        }
    }
    Ok(Some(found))
}

fn empty() -> Expectation {
    Expectation { value: 0.0, mistake: 0.0, decided: 0.0, hoped: None, replies: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::CrewOracle;
    use crate::reply::ReplyModel;
    use chess::Position;
    use kernel::Score;
    use kernel::clock::ManualClock;
    use std::sync::Arc;

    fn terms(opponent: i64) -> Terms {
        Terms {
            budget: 0.15,
            distrust: 0.2,
            opponent: Rating::new(opponent).unwrap(),
            scale: Scale::Lichess,
            nodes: 20_000,
        }
    }

    fn lines(game: &Game, oracle: &mut CrewOracle) -> Vec<Line> {
        oracle.ask(&Question { game, allowed: &[], lines: 5, nodes: 20_000, depth: None }).unwrap()
    }

    fn oracle() -> CrewOracle {
        CrewOracle::new(2, Arc::new(ManualClock::new())).unwrap()
    }

    #[test]
    fn concessions_stay_within_the_allowance_and_the_budget() {
        let model = ReplyModel::shared().unwrap();
        let mut oracle = oracle();
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "r2q1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 0 10",
        ] {
            let game = Game::new(Position::from_fen(fen).unwrap());
            let lines = lines(&game, &mut oracle);
            let mut mind = Bounded::default();
            for _ in 0..3 {
                let choice = mind.choose(&game, &lines, &terms(1200), model, &mut oracle).unwrap();
                assert!(choice.concession() <= MOST_IN_ONE_MOVE + 1e-9, "{fen}");
                assert!(choice.expectation >= choice.worth, "people are no better than the best reply");
                mind.commit(&choice);
            }
            assert!(mind.spent() <= 0.15 + MOST_IN_ONE_MOVE);
        }
    }

    #[test]
    fn strong_opponents_and_full_distrust_get_plain_search() {
        let model = ReplyModel::shared().unwrap();
        let mut oracle = oracle();
        let game = Game::default();
        let lines = lines(&game, &mut oracle);
        for terms in
            [terms(3000), Terms { distrust: 1.0, ..terms(1200) }, Terms { budget: 0.0, ..terms(1200) }]
        {
            assert!(!Bounded::default().is_on(&terms));
            let choice = Bounded::default().choose(&game, &lines, &terms, model, &mut oracle).unwrap();
            assert_eq!((choice.mv, choice.concession()), (lines[0].mv, 0.0));
        }
    }

    #[test]
    fn proven_results_are_never_left() {
        let model = ReplyModel::shared().unwrap();
        let game = Game::default();
        let moves = game.position().legal_moves();
        let line = |index: usize, score: Score| Line {
            mv: moves.as_slice()[index],
            score,
            moves: vec![moves.as_slice()[index]],
            depth: 9,
        };
        let win = [line(0, Score::mate_in(9)), line(1, Score::centipawns(3000))];
        let choose = |lines: &[Line]| {
            Bounded::default().choose(&game, lines, &terms(800), model, &mut oracle()).unwrap().mv
        };
        assert_eq!(choose(&win), win[0].mv);
        let even = line(0, Score::centipawns(-60));
        assert!(!acceptable(&line(1, Score::mated_in(8)), &even, 1.0), "never into a proven loss");
        let (winning, drawish) = (line(0, Score::centipawns(300)), line(1, Score::centipawns(150)));
        assert!(!acceptable(&drawish, &winning, 1.0), "a winning score stays winning");
    }

    #[test]
    fn two_disappointments_turn_it_off_and_a_mistake_encourages() {
        let game = Game::default();
        let mv = game.position().legal_moves().as_slice()[0];
        let hope = |conceded| Some(Hope { worth: 0.5, conceded, replies: vec![(mv, 0.4)] });
        let mut mind = Bounded { last: hope(0.02), ..Bounded::default() };
        mind.learn(mv, Expected::new(0.5));
        assert!(mind.is_on(&terms(1500)));
        mind.last = hope(0.02);
        mind.learn(mv, Expected::new(0.7));
        assert_eq!(mind.mispredictions, 0, "the opponent went wrong as foreseen");
        assert!(mind.allowance(&terms(1500)) > 0.0);
        for _ in 0..2 {
            mind.last = hope(0.02);
            mind.learn(mv, Expected::new(0.45));
        }
        assert!(!mind.is_on(&terms(1500)) && mind.is_disappointed());
    }
}

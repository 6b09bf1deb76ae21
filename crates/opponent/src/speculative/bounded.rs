//! Bounded speculation: of the moves that plain search finds nearly as good as the best, the one against which people of
//! the opponent's strength go wrong most.
//!
//! Precedents: Donkers' probabilistic opponent-model search, Carmel and Markovitch's M* with bounded model error,
//! Ballard's Star1 cut-offs, and sequential halving for where the nodes go. Everything is in expected points. The engine may give away a small budget over a game, and
//! more only out of what the opponent has given away; it never walks into a proven loss, never leaves a proven win,
//! keeps a winning score winning, and turns itself off when the model has twice been wrong.
//!
//! The expectations of candidates differ by about 0.01 points, less than the error of a short search. So half of the
//! nodes go to plain search, a small part to all candidates, and the rest to the best two (`results/human`).

use super::candidate::{CandidateEvaluation, MOST_REPLIES, points, progress};
use super::choice::{Choice, SpeculationSettings};
use chess::{Game, Move};
use human_model::expected::Expected;
use human_model::oracle::{Line, Oracle, Question, Stopped};
use human_model::reply::{Circumstances, ReplyPredictor};

/// The share of a turn that goes to plain search; what is left is [`SpeculationSettings::nodes`].
pub const PLAIN_SHARE: f64 = 0.5;
/// Moves looked at, plain search's choice included.
const CANDIDATES: usize = 6;
/// Of the nodes: for finding the candidates, and of the rest for a first look at all of them.
const FINDING_SHARE: f64 = 0.4;
const FIRST_LOOK_SHARE: f64 = 0.3;
/// Rivals of plain search's choice that get a closer look.
const RIVALS: usize = 2;
/// A first look errs by about so much: rivals further behind are dropped.
const FIRST_LOOK_ERROR: f64 = 0.01;
/// Of what the opponent gave away, this share may be risked again.
const WINNINGS_SHARE: f64 = 0.25;
/// No single move may concede more.
const MOST_IN_ONE_MOVE: f64 = 0.06;
/// From here on a score counts as winning and must stay so.
const WINNING: f64 = 0.75;
const STILL_WINNING: f64 = 0.70;
/// Beyond this points say little: what is left is to win soon, and [`progress`] counts.
const DECIDED: f64 = 0.90;
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
    last: Option<PendingPrediction>,
    /// What our last move was worth by plain search.
    standing: Option<Expected>,
}

/// What was expected of the opponent's next reply.
#[derive(Clone, PartialEq, Debug)]
struct PendingPrediction {
    worth: f64,
    conceded: f64,
    replies: Vec<(Move, f32)>,
}

impl Bounded {
    /// Whether speculation makes sense at all: where not, plain search plays alone. Against an opponent of whom nothing is certain
    /// it waits until the position is winning: half of the nodes are then a small price, and an equal game is no evidence.
    pub fn is_on(&self, terms: &SpeculationSettings) -> bool {
        let is_winning = self.standing.is_some_and(|standing| standing.points() >= WINNING);
        (terms.opponent.is_clearly_fallible() || terms.opponent.is_estimated() && is_winning)
            && terms.distrust < 1.0
            && terms.budget > 0.0
            && self.mispredictions < PATIENCE
    }

    pub const fn is_switched_off(&self) -> bool {
        self.mispredictions >= PATIENCE
    }

    /// Expected points given away so far.
    pub const fn spent(&self) -> f64 {
        self.spent
    }

    /// What may still be conceded in one move.
    pub fn allowance(&self, terms: &SpeculationSettings) -> f64 {
        (terms.budget + WINNINGS_SHARE * self.won - self.spent).clamp(0.0, MOST_IN_ONE_MOVE)
    }

    /// Plain search's value of the move that is about to be played.
    pub const fn note(&mut self, worth: Expected) {
        self.standing = Some(worth);
    }

    /// The opponent answered; `now` is what the position is worth to us by plain search.
    pub fn learn(&mut self, reply: Move, now: Expected) {
        let Some(prediction) = self.last.take() else { return };
        let gain = now.points() - prediction.worth;
        if gain > 0.0 {
            self.won += gain;
        }
        if prediction.conceded > 0.005 {
            let foreseen = prediction.replies.iter().any(|(mv, share)| *mv == reply && *share >= UNFORESEEN);
            // A good reply that was thought likely is bad luck; one that nobody was thought to find is a wrong model.
            let wrong = !foreseen && gain <= 0.0;
            self.mispredictions = if wrong { self.mispredictions + 1 } else { 0 };
        }
    }

    /// A move was played without speculation: nothing is expected of the reply.
    pub fn pass(&mut self) {
        self.last = None;
    }

    /// The choice was played.
    pub fn commit(&mut self, choice: &Choice) {
        self.spent += choice.concession();
        self.last = Some(PendingPrediction {
            worth: choice.worth.points(),
            conceded: choice.concession(),
            replies: choice.replies.clone(),
        });
    }

    /// Plain search with its share of the nodes, then the choice, which is committed: a whole turn for whoever counts nodes.
    pub fn think(
        &mut self,
        game: &Game,
        terms: &SpeculationSettings,
        nodes: u64,
        people: &dyn ReplyPredictor,
        oracle: &mut dyn Oracle,
    ) -> Option<Choice> {
        let on = self.is_on(terms);
        let plain_nodes = if on { (nodes as f64 * PLAIN_SHARE) as u64 } else { nodes };
        let best = oracle.best(game, plain_nodes).ok()??;
        if let Some(reply) = game.moves().last() {
            self.learn(*reply, best.expected());
        }
        self.note(best.expected());
        let terms = SpeculationSettings { nodes: nodes - plain_nodes, ..*terms };
        // A position that has just become winning has no nodes left for speculation in this turn.
        let choice = if on {
            self.choose(game, &[], &best, &terms, people, oracle)
        } else {
            Choice::plain(&best, &best)
        };
        self.commit(&choice);
        Some(choice)
    }

    /// Chooses between `best`, plain search's line, and what is nearly as good among the moves allowed (empty: all).
    pub fn choose(
        &self,
        game: &Game,
        allowed: &[Move],
        best: &Line,
        terms: &SpeculationSettings,
        people: &dyn ReplyPredictor,
        oracle: &mut dyn Oracle,
    ) -> Choice {
        if !self.is_on(terms) || best.score.is_win() || best.score.is_loss() {
            return Choice::plain(best, best);
        }
        self.speculate(game, allowed, best, terms, people, oracle)
            .unwrap_or_else(|_| Choice::plain(best, best))
    }

    fn speculate(
        &self,
        game: &Game,
        allowed: &[Move],
        best: &Line,
        terms: &SpeculationSettings,
        people: &dyn ReplyPredictor,
        oracle: &mut dyn Oracle,
    ) -> Result<Choice, Stopped> {
        // 1. Candidates nearly as good as the best move.
        let finding = (terms.nodes as f64 * FINDING_SHARE) as u64;
        let question = Question { game, allowed, lines: CANDIDATES, nodes: finding, depth: None };
        let lines = candidates(&question, best, self.allowance(terms), oracle)?;
        if lines.len() < 2 {
            return Ok(Choice::plain(best, best));
        }
        // 2. A short evaluation of every candidate; those that cannot be among the best are cut off.
        let circumstances = Circumstances::new(terms.opponent.rating(), terms.scale);
        let unit = if best.expected().points() > DECIDED { progress } else { points };
        let left = terms.nodes - finding;
        let first = (left as f64 * FIRST_LOOK_SHARE) as u64;
        let each = |nodes: u64, candidates: usize| nodes / (candidates * MOST_REPLIES) as u64;
        let mut ranked: Vec<(f64, CandidateEvaluation<'_>)> = Vec::with_capacity(lines.len());
        for line in &lines {
            let mut after = game.clone();
            if after.play(line.mv).is_err() {
                continue;
            }
            let replies = people.replies_in(&after, &circumstances);
            let evaluation = CandidateEvaluation { line, after, replies, unit };
            let floor = ranked.get(RIVALS).map(|entry| entry.0);
            if let Some(found) = evaluation.expect(terms, each(first, lines.len()), floor, oracle)? {
                ranked.push((evaluation.utility(&found, terms), evaluation));
                ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
            }
        }
        // 3. A longer evaluation of plain search's choice and its rivals.
        let is_best = |evaluation: &CandidateEvaluation<'_>| evaluation.line.mv == best.mv;
        let Some(own) = ranked.iter().find(|entry| is_best(&entry.1)) else {
            return Ok(Choice::plain(best, best));
        };
        let rivals = ranked.iter().filter(|entry| !is_best(&entry.1) && entry.0 > own.0 - FIRST_LOOK_ERROR);
        let finalists: Vec<&CandidateEvaluation<'_>> =
            std::iter::once(own).chain(rivals.take(RIVALS)).map(|entry| &entry.1).collect();
        if finalists.len() < 2 {
            return Ok(Choice::plain(best, best));
        }
        let nodes = each(left - first, finalists.len());
        let mut chosen: Option<(f64, Choice)> = None;
        for evaluation in finalists {
            let floor = chosen.as_ref().map(|(utility, _)| *utility);
            let Some(found) = evaluation.expect(terms, nodes, floor, oracle)? else { continue };
            let utility = evaluation.utility(&found, terms);
            if floor.is_none_or(|floor| utility > floor) {
                chosen = Some((utility, found.choice(evaluation.line, best)));
            }
        }
        Ok(chosen.map_or_else(|| Choice::plain(best, best), |(_, choice)| choice))
    }
}

/// Plain search's choice, then whatever else is acceptable.
fn candidates(
    question: &Question<'_>,
    best: &Line,
    allowance: f64,
    oracle: &mut dyn Oracle,
) -> Result<Vec<Line>, Stopped> {
    let found = oracle.ask(question)?;
    // Measured against the long search's opinion of the best move and against the same search's.
    let same_search = found.iter().find(|line| line.mv == best.mv);
    let is_acceptable = |line: &&Line| {
        line.mv != best.mv
            && acceptable(line, best, allowance)
            && same_search.is_none_or(|same| acceptable(line, same, allowance))
    };
    Ok(std::iter::once(best).chain(found.iter().filter(is_acceptable)).cloned().collect())
}

/// Within the allowance and above the floors.
fn acceptable(line: &Line, best: &Line, allowance: f64) -> bool {
    let (worth, top) = (line.expected(), best.expected());
    let keeps_winning = top.points() < WINNING || worth.points() >= STILL_WINNING;
    !line.score.is_loss() && top.loss_to(worth) <= allowance && keeps_winning
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::speculative::Strength;
    use chess::Position;
    use eval::Evaluation;
    use human_model::oracle::PoolOracle;
    use human_model::rating::Estimate;
    use human_model::reply::{Rating, ReplyModel, Scale};
    use kernel::Score;
    use kernel::clock::ManualClock;
    use std::sync::Arc;

    fn terms(opponent: i64) -> SpeculationSettings {
        SpeculationSettings {
            budget: 0.15,
            distrust: 0.2,
            opponent: Strength::Told(Rating::new(opponent).unwrap()),
            scale: Scale::Lichess,
            nodes: 20_000,
        }
    }

    fn best(game: &Game, oracle: &mut PoolOracle) -> Line {
        oracle.best(game, 20_000).unwrap().unwrap()
    }

    fn oracle() -> PoolOracle {
        PoolOracle::new(2, Arc::new(ManualClock::new()), &Evaluation::shipped()).unwrap()
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
            let best = best(&game, &mut oracle);
            let mut speculation = Bounded::default();
            for _ in 0..3 {
                let choice = speculation.choose(&game, &[], &best, &terms(1200), model, &mut oracle);
                assert!(choice.concession() <= MOST_IN_ONE_MOVE + 1e-9, "{fen}");
                assert!(choice.expectation >= choice.worth, "people are no better than the best reply");
                speculation.commit(&choice);
            }
            assert!(speculation.spent() <= 0.15 + MOST_IN_ONE_MOVE);
        }
    }

    #[test]
    fn strong_opponents_and_full_distrust_get_plain_search() {
        let model = ReplyModel::shared().unwrap();
        let mut oracle = oracle();
        let game = Game::default();
        let best = best(&game, &mut oracle);
        for terms in [
            terms(3000),
            SpeculationSettings { distrust: 1.0, ..terms(1200) },
            SpeculationSettings { budget: 0.0, ..terms(1200) },
        ] {
            assert!(!Bounded::default().is_on(&terms));
            let choice = Bounded::default().choose(&game, &[], &best, &terms, model, &mut oracle);
            assert_eq!((choice.mv, choice.concession()), (best.mv, 0.0));
            // All nodes go to plain search: the turn is the one it would have played.
            let turn = |nodes| Bounded::default().think(&game, &terms, nodes, model, &mut self::oracle());
            assert_eq!(turn(3000).unwrap().line, self::oracle().best(&game, 3000).unwrap().unwrap());
        }
    }

    fn estimated(upper: f64, moves: u32) -> SpeculationSettings {
        let interval = (upper - 700.0, upper);
        let mean = upper - 350.0;
        let estimate = Estimate { mean, interval80: interval, interval90: interval, moves };
        SpeculationSettings { opponent: Strength::Estimated(estimate), ..terms(1500) }
    }

    #[test]
    fn an_estimate_must_be_clear_or_the_position_winning() {
        let winning = Bounded { standing: Some(Expected::new(0.8)), ..Bounded::default() };
        let even = Bounded { standing: Some(Expected::EVEN), ..Bounded::default() };
        // (upper end of the interval, moves seen, on from the start, on in a winning position)
        for (upper, moves, clear) in [(1900.0, 12, true), (1900.0, 2, false), (2500.0, 12, false)] {
            let terms = estimated(upper, moves);
            assert_eq!(Bounded::default().is_on(&terms), clear, "{upper} after {moves} moves");
            assert_eq!(even.is_on(&terms), clear, "{upper} after {moves} moves");
            assert!(winning.is_on(&terms), "{upper} after {moves} moves");
        }
        assert!(!winning.is_on(&terms(3000)), "who is told 3000 never speculates");
        assert!(Bounded::default().is_on(&terms(1500)), "who is told 1500 needs no evidence");
    }

    #[test]
    fn an_opponent_of_unknown_strength_gets_plain_search_with_all_nodes() {
        let model = ReplyModel::shared().unwrap();
        let terms = estimated(2500.0, 12);
        let turn = |speculation: &mut Bounded, fen: &str| {
            let game = Game::new(Position::from_fen(fen).unwrap());
            let choice = speculation.think(&game, &terms, 3000, model, &mut oracle()).unwrap();
            (choice, oracle().best(&game, 3000).unwrap().unwrap())
        };
        let mut speculation = Bounded::default();
        // Also the turn in which the position turns out to be winning: its nodes are spent.
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k3/pp3ppp/8/8/8/8/PP3PPP/R2QK3 w Q - 0 1",
        ] {
            let (choice, plain) = turn(&mut speculation, fen);
            assert_eq!((choice.is_speculative(), choice.line), (false, plain), "{fen}");
        }
        assert!(speculation.is_on(&terms), "a queen more is winning");
    }

    #[test]
    fn proven_results_are_never_left() {
        let model = ReplyModel::shared().unwrap();
        let game = Game::default();
        let moves = game.position().legal_moves();
        let line = |index: usize, score: Score| {
            let mv = moves.as_slice()[index];
            Line::new(mv, score, vec![mv], 9, &Evaluation::shipped())
        };
        let win = line(0, Score::mate_in(9));
        let choice = Bounded::default().choose(&game, &[], &win, &terms(800), model, &mut oracle());
        assert_eq!(choice.mv, win.mv);
        let even = line(0, Score::centipawns(-60));
        assert!(!acceptable(&line(1, Score::mated_in(8)), &even, 1.0), "never into a proven loss");
        // Far from the floors, whatever the scale of the network is.
        let (winning, drawish) = (line(0, Score::centipawns(500)), line(1, Score::centipawns(150)));
        assert!(!acceptable(&drawish, &winning, 1.0), "a winning score stays winning");
    }

    #[test]
    fn two_wrong_predictions_turn_it_off_and_a_mistake_encourages() {
        let game = Game::default();
        let moves = game.position().legal_moves();
        let [likely, unlikely] = [moves.as_slice()[0], moves.as_slice()[1]];
        let prediction = |conceded| {
            Some(PendingPrediction { worth: 0.5, conceded, replies: vec![(likely, 0.4), (unlikely, 0.01)] })
        };
        let mut speculation = Bounded::default();
        for _ in 0..3 {
            speculation.last = prediction(0.02);
            speculation.learn(likely, Expected::new(0.5));
        }
        assert!(speculation.is_on(&terms(1500)), "a good reply that was foreseen is bad luck");
        speculation.last = prediction(0.02);
        speculation.learn(unlikely, Expected::new(0.7));
        assert_eq!(speculation.mispredictions, 0, "a mistake is welcome, foreseen or not");
        assert!(speculation.allowance(&terms(1500)) > 0.0);
        for _ in 0..2 {
            speculation.last = prediction(0.02);
            speculation.learn(unlikely, Expected::new(0.45));
        }
        assert!(!speculation.is_on(&terms(1500)) && speculation.is_switched_off());
    }
}

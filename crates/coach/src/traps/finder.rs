//! Finds and verifies traps.

use chess::{Color, Game, Move};
use human_model::expected::Expected;
use human_model::openings::{Openings, RatingBand};
use human_model::oracle::{Line, Oracle, Question, Stopped};
use human_model::reply::{Circumstances, Rating, ReplyModel, Scale, Situation};
use std::collections::HashSet;

/// A reply that gives away this many expected points is a mistake.
const MISTAKE: f64 = 0.10;
/// Replies that hold this much of the probability are looked at; the rest counts as the best reply.
const MASS: f64 = 0.95;
const MOST_REPLIES: usize = 8;
/// Moves of ours that are considered in one position.
const MOST_CANDIDATES: usize = 6;
/// The opening table is believed from so many games on; below, the reply model is asked.
const KNOWN_GAMES: u32 = 40;
/// A pawn, as exchanges count: who offers one plays a gambit.
const PAWN: i32 = 100;
/// The proof gets this many times the nodes of the search for candidates.
const PROOF: u64 = 8;

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrapLimits {
    /// Whom the book is against.
    pub rating: Rating,
    pub scale: Scale,
    /// Traps for one side only.
    pub color: Option<Color>,
    /// The last ply a trap may be set at.
    pub plies: usize,
    /// The least share of opponents who let us come so far.
    pub reach: f64,
    /// Positions looked at, those most often reached first.
    pub positions: usize,
    /// The most a trap may cost, in expected points.
    pub most_cost: f64,
    /// The least chance of a mistake.
    pub least_chance: f64,
    /// The least that P(mistake) x gain must exceed the cost by.
    pub least_surplus: f64,
    /// Nodes for each position, and for each candidate's replies.
    pub nodes: u64,
}

impl TrapLimits {
    pub const fn against(rating: Rating, scale: Scale) -> TrapLimits {
        TrapLimits {
            rating,
            scale,
            color: None,
            plies: 12,
            reach: 0.02,
            positions: 150,
            most_cost: 0.08,
            least_chance: 0.15,
            least_surplus: 0.02,
            nodes: 10_000,
        }
    }
}

/// Whether material is offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrapKind {
    Gambit,
    Trap,
}

impl TrapKind {
    pub const fn name(self) -> &'static str {
        match self {
            TrapKind::Gambit => "gambit",
            TrapKind::Trap => "trap",
        }
    }
}

/// A reply that loses something, proven by the deeper search.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    pub reply: Move,
    /// How many people of the rating play it.
    pub probability: f64,
    /// Expected points it gives away.
    pub loss: f64,
    /// Our answer and what follows.
    pub refutation: Vec<Move>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Trap {
    /// From the usual start to where the trap is set.
    pub line: Vec<Move>,
    pub mv: Move,
    pub nature: TrapKind,
    /// The share of opponents who let us come here when we steer for it.
    pub reach: f64,
    /// Worth to us against the best reply, and of the best move instead.
    pub worth: Expected,
    pub best: Expected,
    /// Expected points against people of the rating.
    pub expectation: f64,
    /// What a mistake gives away on average.
    pub gain: f64,
    pub mistake_probability: f64,
    /// Likeliest first.
    pub mistakes: Vec<Mistake>,
    /// The best reply and what follows.
    pub refutation: Vec<Move>,
}

impl Trap {
    pub fn cost(&self) -> f64 {
        self.best.loss_to(self.worth)
    }

    /// What the trap brings on average beyond what it costs.
    pub fn surplus(&self) -> f64 {
        self.mistake_probability * self.gain - self.cost()
    }
}

pub struct TrapFinder<'a> {
    pub model: &'a ReplyModel,
    pub openings: &'a Openings,
    pub terms: TrapLimits,
}

/// A position that is ours to move in.
struct OpeningNode {
    game: Game,
    reach: f64,
}

impl TrapFinder<'_> {
    /// The traps, the best first: how much they bring times how often they can be set. `progress` hears of positions done, positions
    /// in all, and traps found.
    pub fn find(
        &self,
        oracle: &mut dyn Oracle,
        progress: &mut dyn FnMut(usize, usize, usize),
    ) -> Result<Vec<Trap>, Stopped> {
        let places = self.places();
        let mut traps = Vec::new();
        for (done, node) in places.iter().enumerate() {
            progress(done, places.len(), traps.len());
            traps.extend(self.set(node, oracle)?);
        }
        progress(places.len(), places.len(), traps.len());
        traps.sort_by(|a, b| (b.reach * b.surplus()).total_cmp(&(a.reach * a.surplus())));
        Ok(traps)
    }

    fn band(&self) -> RatingBand {
        RatingBand::of(self.terms.rating, self.terms.scale)
    }

    /// Positions of the table in which it is our turn: we may steer as we like, opponents do as people of their rating do.
    fn places(&self) -> Vec<OpeningNode> {
        let mut places = Vec::new();
        for color in
            Color::BOTH.into_iter().filter(|color| self.terms.color.is_none_or(|only| only == *color))
        {
            let mut seen = HashSet::new();
            let mut open = vec![OpeningNode { game: Game::default(), reach: 1.0 }];
            while let Some(node) = open.pop() {
                let position = node.game.position();
                let moves = self.openings.moves(position, self.band());
                let ours = position.turn() == color;
                // Transpositions are searched once.
                if moves.is_empty() || ours && !seen.insert(position.key()) {
                    continue;
                }
                if node.game.moves().len() < self.terms.plies {
                    for entry in &moves {
                        let reach = if ours { node.reach } else { node.reach * f64::from(entry.probability) };
                        let mut game = node.game.clone();
                        if reach >= self.terms.reach && game.play(entry.mv).is_ok() {
                            open.push(OpeningNode { game, reach });
                        }
                    }
                }
                if ours {
                    places.push(node);
                }
            }
        }
        places.sort_by(|a, b| {
            b.reach.total_cmp(&a.reach).then(a.game.moves().len().cmp(&b.game.moves().len()))
        });
        places.truncate(self.terms.positions);
        places
    }

    /// The proven traps of one position.
    fn set(&self, node: &OpeningNode, oracle: &mut dyn Oracle) -> Result<Vec<Trap>, Stopped> {
        let Some(best) = oracle.best(&node.game, self.terms.nodes)? else { return Ok(Vec::new()) };
        let known = self.openings.moves(node.game.position(), self.band());
        let mut candidates: Vec<Move> = known.iter().map(|entry| entry.mv).take(MOST_CANDIDATES).collect();
        if !candidates.contains(&best.mv) {
            candidates.push(best.mv);
        }
        let lines = oracle.ask(&Question::each(&node.game, &candidates, self.terms.nodes))?;
        let top = lines.first().map_or(best.expected(), Line::expected);
        let mut traps = Vec::new();
        for line in lines.iter().filter(|line| top.loss_to(line.expected()) <= self.terms.most_cost) {
            if let Some(trap) = self.trap(node, line.mv, top, self.terms.nodes, None, oracle)?
                && self.pays(&trap)
            {
                let deeper = self.terms.nodes * PROOF;
                let Some(best) = oracle.best(&node.game, deeper)? else { continue };
                let claimed: Vec<Move> = trap.mistakes.iter().map(|mistake| mistake.reply).collect();
                let proven = self.trap(node, line.mv, best.expected(), deeper, Some(&claimed), oracle)?;
                traps.extend(proven.filter(|trap| self.pays(trap)));
            }
        }
        Ok(traps)
    }

    fn pays(&self, trap: &Trap) -> bool {
        trap.cost() <= self.terms.most_cost
            && trap.mistake_probability >= self.terms.least_chance
            && trap.surplus() >= self.terms.least_surplus
    }

    /// What people of the rating answer, likeliest first.
    fn replies(&self, game: &Game) -> Vec<(Move, f64)> {
        let known = self.openings.moves(game.position(), self.band());
        if known.iter().map(|entry| entry.count).sum::<u32>() >= KNOWN_GAMES {
            return known.iter().map(|entry| (entry.mv, f64::from(entry.probability))).collect();
        }
        let circumstances = Circumstances::new(self.terms.rating, self.terms.scale);
        let replies = self.model.replies(&Situation::of(game), &circumstances);
        replies.as_slice().iter().map(|reply| (reply.mv, f64::from(reply.probability))).collect()
    }

    /// One move and what people do against it; `claimed` restricts the mistakes to those found before.
    fn trap(
        &self,
        node: &OpeningNode,
        mv: Move,
        top: Expected,
        nodes: u64,
        claimed: Option<&[Move]>,
        oracle: &mut dyn Oracle,
    ) -> Result<Option<Trap>, Stopped> {
        let mut after = node.game.clone();
        if after.play(mv).is_err() || after.outcome().is_some() {
            return Ok(None);
        }
        let Some(answer) = oracle.best(&after, nodes)? else { return Ok(None) };
        let worth = answer.expected().other();
        let mut found = Trap {
            line: node.game.moves().to_vec(),
            mv,
            nature: nature(&after),
            reach: node.reach,
            worth,
            // A candidate that turns out better than the best is the best.
            best: if worth > top { worth } else { top },
            expectation: 0.0,
            gain: 0.0,
            mistake_probability: 0.0,
            mistakes: Vec::new(),
            refutation: answer.moves,
        };
        let mut seen = 0.0;
        let mut given = 0.0;
        for (reply, probability) in self.replies(&after).into_iter().take(MOST_REPLIES) {
            if seen >= MASS {
                break;
            }
            seen += probability;
            let known = found.refutation.first() == Some(&reply);
            if known || claimed.is_some_and(|moves| !moves.contains(&reply)) {
                continue;
            }
            let mut next = after.clone();
            if next.play(reply).is_err() {
                continue;
            }
            let Some(refutation) = oracle.best(&next, nodes)? else { continue };
            let loss = refutation.expected().points() - worth.points();
            if loss >= MISTAKE {
                given += probability * loss;
                found.mistake_probability += probability;
                found.mistakes.push(Mistake { reply, probability, loss, refutation: refutation.moves });
            }
        }
        found.expectation = worth.points() + given;
        found.gain = if found.mistake_probability > 0.0 { given / found.mistake_probability } else { 0.0 };
        Ok(Some(found))
    }
}

/// A gambit lets the opponent win at least a pawn at once.
fn nature(after: &Game) -> TrapKind {
    let position = after.position();
    let offers = (position.legal_moves().iter())
        .any(|mv| position.captured(*mv).is_some() && position.see_at_least(*mv, PAWN));
    if offers { TrapKind::Gambit } else { TrapKind::Trap }
}

#[cfg(test)]
mod tests {
    use super::*;
    use human_model::dataset::GameRecord;
    use human_model::openings::Counter;
    use human_model::oracle::PoolOracle;
    use kernel::clock::ManualClock;
    use std::sync::Arc;

    /// A world in which beginners answer 2. Qh5 with 2... g6 four times in ten.
    fn world() -> Openings {
        let mut counter = Counter::default();
        for (times, moves) in [
            (60, "e2e4 e7e5 d1h5 b8c6"),
            (40, "e2e4 e7e5 d1h5 g7g6"),
            (60, "e2e4 e7e5 g1f3 b8c6"),
            (90, "e2e4 c7c5 g1f3 d7d6"),
        ] {
            let line = format!(
                "lichess-rapid\t0000000001\t0000000002\t1000\t1000\t600+0\t-\t*\t-\t-\t{moves}\t-\t-"
            );
            for _ in 0..times {
                counter.add(&GameRecord::parse(&line).unwrap());
            }
        }
        Openings::from_bytes(&counter.table()).unwrap()
    }

    fn terms() -> TrapLimits {
        let mut terms = TrapLimits::against(Rating::new(1000).unwrap(), Scale::Lichess);
        (terms.color, terms.nodes, terms.most_cost) = (Some(Color::White), 4000, 0.2);
        terms
    }

    fn find(terms: TrapLimits) -> Vec<Trap> {
        let openings = world();
        let maker = TrapFinder { model: ReplyModel::shared().unwrap(), openings: &openings, terms };
        let mut oracle =
            PoolOracle::new(4, Arc::new(ManualClock::new()), &eval::Evaluation::shipped()).unwrap();
        let mut last = (0, 1);
        let traps = maker.find(&mut oracle, &mut |done, all, _| last = (done, all)).unwrap();
        assert_eq!(last.0, last.1, "progress ends at the end");
        traps
    }

    #[test]
    fn the_early_queen_catches_those_who_push_the_g_pawn() {
        let traps = find(terms());
        let trap = traps.iter().find(|trap| format!("{:?}", trap.mv) == "d1h5").unwrap();
        assert_eq!(trap.line.len(), 2);
        assert_eq!(trap.nature, TrapKind::Trap);
        // 1... e5 is 160 of 250 games.
        assert!((trap.reach - 0.64).abs() < 0.01, "{}", trap.reach);
        assert_eq!(trap.mistakes.len(), 1);
        assert_eq!(format!("{:?}", trap.mistakes[0].reply), "g7g6");
        assert_eq!(format!("{:?}", trap.mistakes[0].refutation[0]), "h5e5");
        assert!((trap.mistake_probability - 0.4).abs() < 0.01, "{}", trap.mistake_probability);
        assert!(trap.cost() > 0.0 && trap.surplus() > 0.02, "{} {}", trap.cost(), trap.surplus());
        assert!((trap.expectation - trap.worth.points() - 0.4 * trap.gain).abs() < 0.01);
    }

    #[test]
    fn what_is_asked_for_decides() {
        assert!(find(TrapLimits { least_chance: 0.6, ..terms() }).is_empty(), "a rarer mistake");
        assert!(find(TrapLimits { plies: 1, ..terms() }).is_empty(), "too early");
        assert!(find(TrapLimits { reach: 0.7, ..terms() }).is_empty(), "too rarely reached");
        assert!(find(TrapLimits { least_surplus: 0.5, ..terms() }).is_empty(), "too little gained");
    }

    #[test]
    fn a_gambit_offers_material() {
        let played = |moves: &str| {
            let mut game = Game::default();
            for text in moves.split_whitespace() {
                game.play(game.position().parse_uci(text).unwrap()).unwrap();
            }
            nature(&game)
        };
        assert_eq!(played("e2e4 e7e5 f2f4"), TrapKind::Gambit);
        assert_eq!(played("e2e4 e7e5 g1f3"), TrapKind::Trap);
    }
}

//! The choice of a human-like move.

use super::character::Character;
use super::level::Level;
use super::pace::{Moment, Pace};
use chess::{Color, Game, Move, PieceKind, Position};
use common::Random;
use human_model::openings::{OpeningMove, Openings, RatingBand};
use human_model::oracle::{Line, Oracle, Question, Stopped};
use human_model::reply::{Circumstances, Replies, ReplyModel, Scale, Situation};

/// Why a move was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The only legal move.
    Forced,
    /// From what people of the level open with.
    Opening,
    /// Basic technique: a bare king is mated, a won game without progress is moved on.
    Technique,
    /// Drawn from what people of the level play.
    Drawn,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    pub mv: Move,
    pub reason: Reason,
    /// The share of people of this level who would play it.
    pub probability: f32,
    /// Expected points given away, by the search of this level.
    pub loss: f64,
    /// How long a person would take.
    pub pace: Pace,
    /// The line of the search; `None` when there was none.
    pub line: Option<Line>,
}

#[derive(Clone, Copy)]
pub struct HumanLikePlayer<'a> {
    pub model: &'a ReplyModel,
    pub openings: &'a Openings,
    /// A taste; `None` plays as people do on average.
    pub character: Option<&'static Character>,
}

/// Moves that hold this much of the probability are looked at; rarer ones are never played.
const MASS: f32 = 0.99;
/// At most so many.
const CANDIDATES: usize = 16;
/// The opening table is used while its level has at least so many games here.
const KNOWN_GAMES: u32 = 12;
/// What a favourite that nobody else plays weighs beside the shares of the others.
const RARE_FAVOURITE: f64 = 0.05;
/// Nodes for mating a bare king.
const TECHNIQUE_NODES: u64 = 40_000;
/// Reversible plies after which a won game is moved on.
const STANDSTILL: u16 = 24;
/// Clearly won, in expected points.
const CLEARLY_WON: f64 = 0.95;

impl HumanLikePlayer<'_> {
    /// The move of a player of this level; `None` when the game is over.
    ///
    /// `allowed` restricts the choice (empty: any move). When the oracle is stopped, what is known so far decides.
    pub fn choose(
        &self,
        game: &Game,
        level: Level,
        allowed: &[Move],
        oracle: &mut dyn Oracle,
        node_limit: u64,
        random: &mut Random,
    ) -> Option<Choice> {
        let position = game.position();
        let legal: Vec<Move> = (position.legal_moves().iter().copied())
            .filter(|mv| allowed.is_empty() || allowed.contains(mv))
            .collect();
        let circumstances = Circumstances::new(level.rating(), Scale::Lichess);
        match legal[..] {
            [] => return None,
            [mv] => return Some(plain(mv, Reason::Forced, 1.0, Pace::instant())),
            _ => {}
        }
        if allowed.is_empty()
            && let Some(choice) = self.opening(game, level, random)
        {
            return Some(choice);
        }
        if faces_bare_king(position)
            && let Ok(Some(line)) = oracle.best(game, TECHNIQUE_NODES.min(node_limit))
            && legal.contains(&line.mv)
        {
            return Some(technique(line));
        }
        let replies = self.model.replies(&Situation::of(game), &circumstances);
        let pace = Pace::of(&Moment::of(game, &replies));
        let candidates = candidates(&replies, &legal);
        let favourite = candidates.first().copied().unwrap_or(legal[0]);
        let nodes = level.nodes().min(node_limit);
        let Ok(lines) = look(game, &candidates, allowed, nodes, oracle) else {
            return Some(plain(favourite, Reason::Drawn, replies.probability(favourite), pace));
        };
        Some(
            self.draw(position, level, &replies, &lines, random, pace)
                .unwrap_or_else(|| plain(favourite, Reason::Drawn, replies.probability(favourite), pace)),
        )
    }

    /// What [`HumanLikePlayer::choose`] draws from where neither the opening table nor technique decides: moves and their shares.
    pub fn shares(
        &self,
        game: &Game,
        level: Level,
        oracle: &mut dyn Oracle,
    ) -> Result<Vec<(Move, f64)>, Stopped> {
        let circumstances = Circumstances::new(level.rating(), Scale::Lichess);
        let replies = self.model.replies(&Situation::of(game), &circumstances);
        let candidates = candidates(&replies, game.position().legal_moves().as_slice());
        let lines = look(game, &candidates, &[], level.nodes(), oracle)?;
        let weights = self.weights(game.position(), level, &replies, &lines);
        let sum: f64 = weights.iter().sum();
        let best_alone = |index: usize| f64::from(u8::from(index == 0));
        let share = |index: usize| if sum > 0.0 { weights[index] / sum } else { best_alone(index) };
        Ok(lines.iter().enumerate().map(|(index, line)| (line.mv, share(index))).collect())
    }

    fn opening(&self, game: &Game, level: Level, random: &mut Random) -> Option<Choice> {
        let known = self.openings.moves(game.position(), RatingBand::of(level.rating(), Scale::Lichess));
        if let Some(mv) = self.favourite(game, &known, random) {
            let share = known.iter().find(|entry| entry.mv == mv).map_or(0.0, |entry| entry.probability);
            return Some(plain(mv, Reason::Opening, share, Pace::known()));
        }
        if known.iter().map(|entry| entry.count).sum::<u32>() < KNOWN_GAMES {
            return None;
        }
        let weights: Vec<f64> = known.iter().map(|entry| f64::from(entry.probability)).collect();
        let entry = known[random.weighted_index(&weights)?];
        Some(plain(entry.mv, Reason::Opening, entry.probability, Pace::known()))
    }

    /// A favourite opening move of the character, most of the time where there is one; common ones more often.
    fn favourite(&self, game: &Game, known: &[OpeningMove], random: &mut Random) -> Option<Move> {
        let favourites = self.character?.favourites(game);
        if favourites.is_empty() || !Character::is_faithful(random.unit()) {
            return None;
        }
        let share = |mv: &Move| known.iter().find(|entry| entry.mv == *mv).map_or(0.0, |e| e.probability);
        let weights: Vec<f64> = favourites.iter().map(|mv| f64::from(share(mv)) + RARE_FAVOURITE).collect();
        random.weighted_index(&weights).map(|index| favourites[index])
    }

    fn draw(
        &self,
        position: &Position,
        level: Level,
        replies: &Replies,
        lines: &[Line],
        random: &mut Random,
        pace: Pace,
    ) -> Option<Choice> {
        let best = lines.first()?.clone();
        if best.expected().points() > CLEARLY_WON && position.reversible_plies() >= STANDSTILL {
            return Some(technique(best));
        }
        let weights = self.weights(position, level, replies, lines);
        let chosen = random.weighted_index(&weights).map_or(&best, |index| &lines[index]);
        Some(Choice {
            mv: chosen.mv,
            reason: Reason::Drawn,
            probability: replies.probability(chosen.mv),
            loss: best.expected().loss_to(chosen.expected()),
            pace,
            line: Some(chosen.clone()),
        })
    }

    /// How likely each of the lines is to be played, up to a common factor: what the model says, less what this level
    /// sees to be bad, times what the character likes.
    fn weights(&self, position: &Position, level: Level, replies: &Replies, lines: &[Line]) -> Vec<f64> {
        let taste = |mv: Move| self.character.map_or(1.0, |character| character.factor(position, mv));
        let weights = weights(level, replies, lines);
        weights.into_iter().zip(lines).map(|(weight, line)| weight * taste(line.mv)).collect()
    }
}

fn plain(mv: Move, reason: Reason, probability: f32, pace: Pace) -> Choice {
    Choice { mv, reason, probability, loss: 0.0, pace, line: None }
}

fn technique(line: Line) -> Choice {
    Choice {
        mv: line.mv,
        reason: Reason::Technique,
        probability: 1.0,
        loss: 0.0,
        pace: Pace::known(),
        line: Some(line),
    }
}

fn candidates(replies: &Replies, legal: &[Move]) -> Vec<Move> {
    let likely = replies.covering(MASS).iter().map(|reply| reply.mv);
    likely.filter(|mv| legal.contains(mv)).take(CANDIDATES).collect()
}

/// The worth of the candidates and of the best move there is, best first.
fn look(
    game: &Game,
    candidates: &[Move],
    allowed: &[Move],
    nodes: u64,
    oracle: &mut dyn Oracle,
) -> Result<Vec<Line>, Stopped> {
    let best = oracle.ask(&Question { game, allowed, lines: 1, nodes: nodes / 3, depth: None })?;
    let mut moves = candidates.to_vec();
    for line in &best {
        if !moves.contains(&line.mv) {
            moves.push(line.mv);
        }
    }
    // Each candidate gets a minimum of nodes, however few a level has.
    let nodes = (nodes * 2 / 3).max(150 * moves.len() as u64);
    oracle.ask(&Question::each(game, &moves, nodes))
}

/// How likely each of the lines is to be played, up to a common factor: what the model says, less what this level sees
/// to be bad.
fn weights(level: Level, replies: &Replies, lines: &[Line]) -> Vec<f64> {
    let Some(best) = lines.first() else { return Vec::new() };
    let loss = |line: &Line| best.expected().loss_to(line.expected());
    // Mates are judged by the points they cost: people of every level overlook some.
    let drop = |line: &Line| {
        let scores = best.score.as_centipawns().zip(line.score.as_centipawns());
        scores.map_or(0, |(best, this)| best.value() - this.value())
    };
    let vetoed = |line: &Line| {
        loss(line) > level.worst_loss() || level.worst_drop().is_some_and(|worst| drop(line) > worst)
    };
    // A move outside the model's list is there because it is best: it gets what the model gives it.
    let weight = |line: &Line| {
        let shunned = if vetoed(line) { 0.0 } else { (-level.caution() * loss(line)).exp() };
        f64::from(replies.probability(line.mv)) * shunned
    };
    lines.iter().map(weight).collect()
}

/// The opponent has nothing but a king, and we have what mates it.
fn faces_bare_king(position: &Position) -> bool {
    let board = position.board();
    let us = position.turn();
    let of = |color: Color, kind| board.pieces(color, kind).count();
    let bare = board.color(!us).count() == 1;
    let enough = of(us, PieceKind::Queen) + of(us, PieceKind::Rook) + of(us, PieceKind::Pawn) > 0
        || of(us, PieceKind::Bishop) + of(us, PieceKind::Knight) > 1;
    bare && enough
}

#[cfg(test)]
mod tests {
    use super::*;
    use human_model::oracle::PoolOracle;
    use kernel::clock::ManualClock;
    use std::sync::Arc;

    fn oracle() -> PoolOracle {
        PoolOracle::new(2, Arc::new(ManualClock::new()), &eval::Evaluation::shipped()).unwrap()
    }

    fn level(points: i64) -> Level {
        Level::new(points).unwrap()
    }

    fn choose(fen: &str, points: i64, seed: u64, oracle: &mut PoolOracle) -> Choice {
        let (model, openings) = (ReplyModel::shared().unwrap(), Openings::shipped().unwrap());
        let partner = HumanLikePlayer { model, openings: &openings, character: None };
        let game = Game::new(Position::from_fen(fen).unwrap());
        partner.choose(&game, level(points), &[], oracle, u64::MAX, &mut Random::new(seed)).unwrap()
    }

    /// Plays both sides of an ending: the partner against the best defence.
    fn mates(fen: &str, points: i64, most_moves: usize) -> bool {
        let (model, openings) = (ReplyModel::shared().unwrap(), Openings::shipped().unwrap());
        let partner = HumanLikePlayer { model, openings: &openings, character: None };
        let mut oracle = oracle();
        let mut game = Game::new(Position::from_fen(fen).unwrap());
        let strong = game.position().turn();
        let mut random = Random::new(7);
        for _ in 0..2 * most_moves {
            if let Some(outcome) = game.outcome() {
                return outcome.winner() == Some(strong);
            }
            let mv = if game.position().turn() == strong {
                partner.choose(&game, level(points), &[], &mut oracle, u64::MAX, &mut random).unwrap().mv
            } else {
                oracle.best(&game, 3000).unwrap().unwrap().mv
            };
            game.play(mv).unwrap();
        }
        false
    }

    #[test]
    fn basic_mates_are_converted_at_every_level() {
        for (fen, most_moves) in [
            ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 25),
            ("8/8/8/3k4/8/8/8/KR6 w - - 0 1", 40),
            ("8/8/3k4/8/8/8/8/1BBK4 w - - 0 1", 45),
        ] {
            for points in [600, 2800] {
                assert!(mates(fen, points, most_moves), "{fen} at {points}");
            }
        }
    }

    #[test]
    fn an_1800_does_not_drop_the_queen_in_one_move() {
        // The queen stands attacked, or has squares where it is taken at once; fifty draws find no such move.
        for fen in [
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            "r1b1k2r/ppppqppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPPQPPP/R1B1K2R w KQkq - 6 6",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut oracle = oracle();
            for seed in 1..=25 {
                let choice = choose(fen, 1800, seed, &mut oracle);
                let queen = position.piece_on(choice.mv.from()).unwrap().kind() == PieceKind::Queen;
                let lost = position.after(choice.mv).legal_moves().iter().any(|reply| {
                    let after = position.after(choice.mv);
                    after.captured(*reply) == Some(PieceKind::Queen) && after.see_at_least(*reply, 400)
                });
                let gained = position.captured(choice.mv).is_some();
                assert!(!(lost && (queen || !gained)), "{fen}: {:?} hangs the queen", choice.mv);
            }
        }
    }

    #[test]
    fn the_same_seed_plays_the_same_move_and_seeds_differ() {
        let fen = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2PP1N2/PP3PPP/RNBQ1RK1 w - - 0 7";
        let moves: Vec<Move> = (1..=12).map(|seed| choose(fen, 1200, seed, &mut oracle()).mv).collect();
        assert_eq!(choose(fen, 1200, 3, &mut oracle()).mv, moves[2]);
        assert!(moves.iter().any(|mv| *mv != moves[0]), "a person does not always play the same");
    }

    #[test]
    fn first_moves_come_from_the_table_and_only_moves_are_forced() {
        let start =
            choose("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1000, 5, &mut oracle());
        assert_eq!(start.reason, Reason::Opening);
        let only = choose("7k/6Q1/8/8/8/8/8/K7 b - - 0 1", 1000, 5, &mut oracle());
        assert_eq!(only.reason, Reason::Forced);
    }

    #[test]
    fn characters_open_as_they_like_and_still_vary() {
        let (model, openings) = (ReplyModel::shared().unwrap(), Openings::shipped().unwrap());
        let mut oracle = oracle();
        let mut firsts = |id: &str, before: &[&str]| {
            let character = Character::named(id);
            let player = HumanLikePlayer { model, openings: &openings, character };
            let mut game = Game::default();
            for word in before {
                let mv = game.position().parse_uci(word).unwrap();
                game.play(mv).unwrap();
            }
            let mut random = Random::new(5);
            let mut draw = || player.choose(&game, level(1500), &[], &mut oracle, u64::MAX, &mut random);
            (0..40).map(|_| game.position().uci(draw().unwrap().mv, false).to_string()).collect::<Vec<_>>()
        };
        let count = |moves: &[String], wanted: &str| moves.iter().filter(|mv| *mv == wanted).count();
        assert!(count(&firsts("french", &["e2e4"]), "e7e6") >= 24);
        assert!(count(&firsts("none", &["e2e4"]), "e7e6") <= 12);
        let gambits = firsts("gambits", &["e2e4", "e7e5"]);
        assert!(count(&gambits, "f2f4") >= 3 && count(&gambits, "d2d4") >= 3, "{gambits:?}");
        assert!(count(&gambits, "g1f3") >= 1, "{gambits:?}");
    }

    #[test]
    fn searchmoves_and_a_stopped_oracle_are_respected() {
        struct Silent;
        impl Oracle for Silent {
            fn ask(&mut self, _: &Question<'_>) -> Result<Vec<Line>, Stopped> {
                Err(Stopped)
            }
            fn nodes(&self) -> u64 {
                0
            }
        }
        let (model, openings) = (ReplyModel::shared().unwrap(), Openings::shipped().unwrap());
        let partner = HumanLikePlayer { model, openings: &openings, character: None };
        let game = Game::default();
        let allowed: Vec<Move> =
            ["a2a3", "h2h4"].iter().map(|text| game.position().parse_uci(text).unwrap()).collect();
        let choice =
            partner.choose(&game, level(1500), &allowed, &mut Silent, u64::MAX, &mut Random::new(1)).unwrap();
        assert!(allowed.contains(&choice.mv));
    }
}

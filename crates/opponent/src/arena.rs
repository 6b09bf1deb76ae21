//! Games of the engine, in several play modes, against simulated people: the study of speculation.
//!
//! Every arm plays the same people from the same openings with the same seeds. The people come from a model that shares
//! nothing with the network the arms use, so that no arm is judged by its own model.

use crate::simulated_human::SimulatedHuman;
use crate::speculative::{Bounded, Expectimax, SpeculationSettings, Strength};
use chess::{Color, Game, Move, Position};
use common::Random;
use eval::{EvalTerms, Evaluation};
use human_model::oracle::{Oracle, PoolOracle};
use human_model::rating::{EvidenceModel, Posterior};
use human_model::reply::{Circumstances, Rating, ReplyModel, ReplyPredictor, Scale, Situation};
use human_model::small_policy::{SmallPolicy, StaticPolicy};
use kernel::clock::ManualClock;
use std::error::Error;
use std::sync::Arc;

/// Plies after which a game without a winner is drawn.
pub const LONGEST: usize = 200;
/// Contempt of the arm `contempt`, in units of the search.
const CONTEMPT: i32 = 50;

/// A way to play against people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Arm {
    /// Alpha-beta alone.
    Plain,
    /// Alpha-beta with contempt.
    Contempt,
    /// Expectimax between the best and the worst reply.
    Expectimax,
    /// Bounded speculation that knows the rating.
    Bounded,
    /// Bounded speculation with the small model in place of the network.
    SmallPolicy,
    /// Bounded speculation that has to find out the rating.
    Unknown,
    /// Bounded speculation with a wrong rating.
    Shuffled,
    /// Bounded speculation with the very model that plays the simulated people: what a better model could gain at most.
    Perfect,
}

impl Arm {
    pub const ALL: [Arm; 8] = [
        Arm::Plain,
        Arm::Contempt,
        Arm::Expectimax,
        Arm::Bounded,
        Arm::SmallPolicy,
        Arm::Unknown,
        Arm::Shuffled,
        Arm::Perfect,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Arm::Plain => "plain",
            Arm::Contempt => "contempt",
            Arm::Expectimax => "expectimax",
            Arm::Bounded => "bounded",
            Arm::SmallPolicy => "small-policy",
            Arm::Unknown => "unknown",
            Arm::Shuffled => "shuffled",
            Arm::Perfect => "perfect",
        }
    }

    /// The error lists the known names. `seed` and `glance`, the names of an earlier release, still work.
    pub fn named(name: &str) -> Result<Arm, String> {
        let name = match name {
            "seed" => "expectimax",
            "glance" => "small-policy",
            current => current,
        };
        Arm::ALL.into_iter().find(|arm| arm.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Arm::ALL.iter().map(|arm| arm.name()).collect();
            format!("arm '{name}', expected one of {}", names.join(", "))
        })
    }

    /// The rating that the arm takes its opponent to have.
    fn known_rating(self, rating: Rating) -> Option<Rating> {
        match self {
            Arm::Unknown => None,
            // As far off as the range allows.
            Arm::Shuffled => {
                let points = i64::from(rating.points());
                Rating::new(if points < 1500 { points + 700 } else { points - 700 }).ok()
            }
            _ => Some(rating),
        }
    }
}

/// The model that plays the simulated people.
pub enum Population {
    /// Regan's softmax over what a short search sees.
    Softmax,
    /// The held-out reply network, or Maia-1's.
    Network(Box<dyn ReplyPredictor + Send + Sync>),
}

impl Population {
    /// The move of somebody of this rating.
    fn play(
        &self,
        game: &Game,
        rating: Rating,
        human_oracle: &mut PoolOracle,
        random: &mut Random,
    ) -> Option<Move> {
        match self {
            Population::Softmax => {
                SimulatedHuman::new(rating).play(game, human_oracle, random).ok().flatten()
            }
            Population::Network(model) => {
                let circumstances = Circumstances::new(rating, Scale::Lichess);
                let replies = model.replies_in(game, &circumstances);
                replies.at(random.unit() as f32).map(|reply| reply.mv)
            }
        }
    }
}

/// One game to play.
#[derive(Clone, Debug)]
pub struct StudyGame {
    pub opening: Position,
    /// The engine's side.
    pub color: Color,
    pub arm: Arm,
    pub rating: Rating,
    /// For each of the engine's moves.
    pub nodes: u64,
    /// Of what the person does.
    pub seed: u64,
}

#[derive(Clone, Debug)]
pub struct StudyResult {
    pub game: Game,
    /// The engine's: 1, 0.5 or 0.
    pub points: f64,
    /// Expected points it gave away for the sake of mistakes.
    pub spent: f64,
}

impl StudyGame {
    /// Plays the game; `None` when `stop` says so on the way.
    pub fn play(
        &self,
        model: &ReplyModel,
        population: &Population,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<StudyResult>, Box<dyn Error>> {
        let mut player = Player::new(self)?;
        // The parameters of the simulated human were fitted to searches with the hand-crafted evaluation.
        let hand_crafted = Evaluation::HandCrafted(EvalTerms::ALL);
        let mut human_oracle = PoolOracle::new(2, Arc::new(ManualClock::new()), &hand_crafted)?;
        let mut random = Random::new(self.seed);
        let mut game = Game::new(self.opening.clone());
        while game.moves().len() < LONGEST {
            if stop() {
                return Ok(None);
            }
            if let Some(outcome) = game.outcome() {
                let points = match outcome.winner() {
                    None => 0.5,
                    Some(winner) => f64::from(u8::from(winner == self.color)),
                };
                return Ok(Some(StudyResult { game, points, spent: player.speculation.spent() }));
            }
            let mv = if game.position().turn() == self.color {
                player.think(&game, model, population)
            } else {
                population.play(&game, self.rating, &mut human_oracle, &mut random)
            };
            game.play(mv.ok_or("nobody found a move")?)?;
        }
        Ok(Some(StudyResult { game, points: 0.5, spent: player.speculation.spent() }))
    }
}

/// The engine in one of the arms.
struct Player {
    arm: Arm,
    known_rating: Option<Rating>,
    nodes: u64,
    oracle: PoolOracle,
    expectimax: Expectimax,
    speculation: Bounded,
    posterior: Posterior,
    static_policy: StaticPolicy<'static>,
}

impl Player {
    fn new(duel: &StudyGame) -> Result<Player, Box<dyn Error>> {
        let mut oracle = PoolOracle::new(8, Arc::new(ManualClock::new()), &Evaluation::shipped())?;
        if duel.arm == Arm::Contempt {
            oracle.set_contempt(CONTEMPT);
        }
        Ok(Player {
            arm: duel.arm,
            known_rating: duel.arm.known_rating(duel.rating),
            nodes: duel.nodes,
            oracle,
            expectimax: Expectimax::default(),
            speculation: Bounded::default(),
            posterior: Posterior::broad(Scale::Lichess),
            static_policy: StaticPolicy::new(SmallPolicy::shared()?),
        })
    }

    fn think(&mut self, game: &Game, model: &ReplyModel, population: &Population) -> Option<Move> {
        match self.arm {
            Arm::Plain | Arm::Contempt => {
                self.oracle.best(game, self.nodes).ok().flatten().map(|line| line.mv)
            }
            Arm::Expectimax => {
                if let Some(reply) = game.moves().last() {
                    self.expectimax.opponent_played(*reply);
                }
                self.expectimax.think(game, &[], self.nodes, None, &|| false).map(|thought| thought.best)
            }
            Arm::Bounded | Arm::SmallPolicy | Arm::Unknown | Arm::Shuffled | Arm::Perfect => {
                self.speculate(game, model, population)
            }
        }
    }

    fn speculate(&mut self, game: &Game, model: &ReplyModel, population: &Population) -> Option<Move> {
        let opponent = match self.known_rating {
            Some(rating) => Strength::Told(rating),
            None => self.update_rating(game, model),
        };
        let terms =
            SpeculationSettings { budget: 0.15, distrust: 0.2, opponent, scale: Scale::Lichess, nodes: 0 };
        let people: &dyn ReplyPredictor = match (self.arm, population) {
            (Arm::SmallPolicy, _) => &self.static_policy,
            // The softmax needs a search for each reply: there the network stands in.
            (Arm::Perfect, Population::Network(people)) => people.as_ref(),
            _ => model,
        };
        let choice = self.speculation.think(game, &terms, self.nodes, people, &mut self.oracle)?;
        Some(choice.mv)
    }

    /// Updates the rating estimate with the person's last move.
    fn update_rating(&mut self, game: &Game, model: &ReplyModel) -> Strength {
        let guess = |posterior: &Posterior| Strength::Estimated(posterior.estimate());
        if game.moves().len() > 2
            && let Some(reply) = game.moves().last().copied()
        {
            let mut before = game.clone();
            before.take_back();
            let circumstances = Circumstances::new(guess(&self.posterior).rating(), Scale::Lichess);
            if let Some(evidence) =
                (EvidenceModel { model, circumstances }).evidence(&Situation::of(&before), reply)
            {
                self.posterior.update(&evidence);
            }
        }
        guess(&self.posterior)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duel(arm: Arm) -> StudyGame {
        // A rook up: whoever plays must win or run out of plies, and does so the same way twice.
        let opening = Position::from_fen("4k3/8/8/8/8/8/4PPP1/R3K2R w KQ - 0 1").unwrap();
        StudyGame {
            opening,
            color: Color::White,
            arm,
            rating: Rating::new(900).unwrap(),
            nodes: 300,
            seed: 5,
        }
    }

    #[test]
    fn every_arm_plays_a_game_to_its_end_and_the_same_one_again() {
        let model = ReplyModel::shared().unwrap();
        for arm in Arm::ALL {
            let play = || duel(arm).play(model, &Population::Softmax, &|| false).unwrap().unwrap();
            let (once, again) = (play(), play());
            assert_eq!(once.game.moves(), again.game.moves(), "{arm:?}");
            assert!(once.game.outcome().is_some() || once.game.moves().len() == LONGEST, "{arm:?}");
            assert!(once.points >= 0.5, "{arm:?} lost with two rooks more");
        }
    }

    #[test]
    fn a_game_can_be_stopped() {
        let model = ReplyModel::shared().unwrap();
        assert!(duel(Arm::Plain).play(model, &Population::Softmax, &|| true).unwrap().is_none());
    }

    #[test]
    fn arms_have_names_and_know_what_they_are_told() {
        for arm in Arm::ALL {
            assert_eq!(Arm::named(arm.name()), Ok(arm));
        }
        assert!(Arm::named("bold").unwrap_err().contains("expected one of plain, contempt, expectimax"));
        let rating = |points: i64| Rating::new(points).unwrap();
        assert_eq!(Arm::Bounded.known_rating(rating(1100)), Some(rating(1100)));
        assert_eq!(Arm::Shuffled.known_rating(rating(1100)), Some(rating(1800)));
        assert_eq!(Arm::Shuffled.known_rating(rating(1900)), Some(rating(1200)));
        assert_eq!(Arm::Unknown.known_rating(rating(1900)), None);
    }
}

//! In which manner a turn is played: plainly, like a person, or on a person's mistakes.

mod gambit;
mod spar;
mod speculate;

use crate::consultant::Consultant;
use crate::report::Listener;
use crate::request::Request;
use crate::settings::Settings;
use chess::Game;
use gambit::PlayGambit;
use human_model::openings::Openings;
use human_model::reply::{Rating, ReplyModel};
use opponent::human_like::Level;
use spar::Spar;
use speculate::Speculate;
use std::sync::{Arc, OnceLock};

pub const DEFAULT_LEVEL: u16 = 1800;
pub const LEVELS: (u16, u16) = (Level::LOWEST.points(), Level::HIGHEST.points());

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Speculative {
    Off,
    /// The thesis's expectimax between best and worst reply.
    Seed,
    /// Expectation over modelled replies, within a budget of concessions.
    Bounded,
}

impl Speculative {
    pub const NAMES: &'static [&'static str] = &["off", "seed", "bounded"];

    pub fn named(name: &str) -> Option<Speculative> {
        Some(match name {
            "off" => Speculative::Off,
            "seed" => Speculative::Seed,
            "bounded" => Speculative::Bounded,
            _ => return None,
        })
    }
}

/// How one turn is to be played.
pub(crate) enum Manner {
    Plain,
    Human(Way),
}

pub(crate) enum Way {
    Spar(Spar),
    Gambit(PlayGambit),
    Speculate(Speculate),
}

/// One turn, as `go` hands it over.
pub(crate) struct Turn {
    pub game: Game,
    pub request: Request,
    pub seed: u64,
}

impl Way {
    pub fn play(self, turn: &Turn, consultant: &mut Consultant<'_>, listener: Box<Listener>) {
        match self {
            Way::Spar(spar) => spar.play(turn, consultant, listener),
            Way::Gambit(gambit) => gambit.play(turn, consultant, listener),
            Way::Speculate(speculate) => speculate.play(turn, consultant, listener),
        }
    }
}

/// The reply network: the shipped one, or a user's own.
#[derive(Clone)]
pub(crate) enum Network {
    Shipped(&'static ReplyModel),
    Own(Arc<ReplyModel>),
}

impl Network {
    pub fn model(&self) -> &ReplyModel {
        match self {
            Network::Shipped(model) => model,
            Network::Own(model) => model,
        }
    }
}

/// What it takes to play against people, kept from turn to turn.
#[derive(Default)]
pub(crate) struct Manners {
    own_network: Option<Arc<ReplyModel>>,
    partner: spar::Memory,
    gambit: gambit::Memory,
    mind: speculate::Memory,
}

impl Manners {
    /// The manner the settings ask for. Analysis is always plain: whoever asks for the truth gets it.
    pub fn of(&self, settings: &Settings, request: &Request) -> Manner {
        if settings.analyse_mode || request.limits.infinite || request.limits.mate.is_some() {
            return Manner::Plain;
        }
        // Without a network there is nobody to imitate: plain search goes on.
        let (Some(network), Some(openings)) = (self.network(), openings()) else { return Manner::Plain };
        if settings.limit_strength {
            return Manner::Human(Way::Spar(Spar {
                network,
                openings,
                level: self.partner.level(settings),
                thinking_time: settings.thinking_time,
                memory: self.partner.clone(),
            }));
        }
        // Programs do not go wrong as people do.
        let against_person = settings.opponent.as_ref().is_none_or(|opponent| !opponent.is_computer);
        match settings.speculative {
            Speculative::Seed if against_person => {
                Manner::Human(Way::Gambit(PlayGambit { memory: self.gambit.clone() }))
            }
            Speculative::Bounded if against_person => Manner::Human(Way::Speculate(Speculate {
                network,
                told: told_rating(settings),
                budget: f64::from(settings.risk_budget) / 1000.0,
                distrust: f64::from(settings.model_distrust) / 100.0,
                lines: settings.lines,
                memory: self.mind.clone(),
            })),
            _ => Manner::Plain,
        }
    }

    fn network(&self) -> Option<Network> {
        match &self.own_network {
            Some(model) => Some(Network::Own(Arc::clone(model))),
            None => ReplyModel::shared().ok().map(Network::Shipped),
        }
    }

    /// Reads a network of the user's; an empty path goes back to the shipped one. On failure the old one stays.
    pub fn load(&mut self, path: &str) -> Result<(), String> {
        if path.is_empty() {
            self.own_network = None;
            return Ok(());
        }
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let model = ReplyModel::from_bytes(&bytes).map_err(|error| format!("{path}: {error}"))?;
        self.own_network = Some(Arc::new(model));
        Ok(())
    }

    pub fn forget_opponent(&mut self) {
        self.partner = spar::Memory::default();
        self.gambit = gambit::Memory::default();
        self.mind = speculate::Memory::default();
    }

    pub fn new_game(&mut self) {
        self.partner.new_game();
        self.gambit.new_game();
        self.mind.new_game();
    }
}

/// The opponent's rating as the user or the program told it.
fn told_rating(settings: &Settings) -> Option<Rating> {
    let announced = settings.opponent.as_ref().and_then(|opponent| opponent.rating);
    let told = (settings.opponent_elo > 0).then_some(settings.opponent_elo).or(announced)?;
    Rating::new(told.max(Rating::LOWEST.points())).ok()
}

/// The opening table, read once for the whole program and never changed.
fn openings() -> Option<&'static Openings> {
    static SHARED: OnceLock<Option<Openings>> = OnceLock::new();
    SHARED.get_or_init(|| Openings::shipped().ok()).as_ref()
}

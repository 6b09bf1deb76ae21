//! Play modes: how the engine chooses a move. Normal search at full strength, like a person of a given level, or on the
//! opponent's mistakes.

mod expectimax;
mod human_like;
mod network;
mod normal;
mod speculative;
pub(crate) mod turn;
pub(crate) mod turn_search;

use crate::options::error::OptionError;
use crate::policy_pool::SearchTerms;
use crate::request::Request;
use crate::settings::{Settings, Speculative};
use expectimax::Expectimax;
use human_like::HumanLike;
use network::{Network, announced_rating, openings};
use normal::Normal;
use speculative::BoundedSpeculation;
use std::path::Path;
use turn::Play;

/// The mode of one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlayMode {
    Normal,
    /// Like a person of the level that the settings name.
    HumanLike,
    /// Expectimax against a fallible opponent.
    Expectimax,
    /// Modelled replies, within a budget of concessions.
    Speculative,
}

impl PlayMode {
    /// The mode the settings ask for. Analysis is always normal.
    fn of(settings: &Settings, request: &Request) -> PlayMode {
        if settings.analyse_mode || request.limits.infinite || request.limits.mate.is_some() {
            return PlayMode::Normal;
        }
        if settings.limit_strength {
            return PlayMode::HumanLike;
        }
        // Programs do not make mistakes as people do.
        let against_program = settings.opponent.as_ref().is_some_and(|opponent| opponent.is_computer);
        match settings.speculative {
            _ if against_program => PlayMode::Normal,
            Speculative::Off => PlayMode::Normal,
            Speculative::Expectimax => PlayMode::Expectimax,
            Speculative::Bounded => PlayMode::Speculative,
        }
    }
}

/// What normal search is told by the user's settings.
fn normal_terms(settings: &Settings) -> SearchTerms {
    let contempt = settings.evaluation().meant(eval::Centipawns::new(settings.contempt));
    SearchTerms { lines: settings.lines, contempt }
}

/// What the play modes keep from turn to turn.
#[derive(Default)]
pub(crate) struct PlayModes {
    own_network: Option<Network>,
    human_like: human_like::SharedState,
    expectimax: expectimax::SharedState,
    speculative: speculative::SharedState,
}

impl PlayModes {
    /// Who plays the next turn, and in which mode.
    pub fn player(&self, settings: &Settings, request: &Request) -> (PlayMode, Box<dyn Play>) {
        let mode = PlayMode::of(settings, request);
        if let Some(player) = self.special_player(mode, settings) {
            return (mode, player);
        }
        (PlayMode::Normal, Box::new(Normal { terms: normal_terms(settings) }))
    }

    /// `None` for the normal mode, and when a network or table that the mode needs cannot be read.
    fn special_player(&self, mode: PlayMode, settings: &Settings) -> Option<Box<dyn Play>> {
        let network = || self.own_network.clone().or_else(Network::embedded);
        Some(match mode {
            PlayMode::Normal => return None,
            PlayMode::HumanLike => Box::new(HumanLike {
                network: network()?,
                openings: openings()?,
                level: self.human_like.level(settings),
                character: settings.character,
                thinking_time: settings.thinking_time,
                state: self.human_like.clone(),
            }),
            PlayMode::Expectimax => Box::new(Expectimax { state: self.expectimax.clone() }),
            PlayMode::Speculative => Box::new(BoundedSpeculation {
                network: network()?,
                told: announced_rating(settings),
                budget: f64::from(settings.risk_budget) / 1000.0,
                distrust: f64::from(settings.model_distrust) / 100.0,
                normal: normal_terms(settings),
                state: self.speculative.clone(),
            }),
        })
    }

    /// Reads a reply network of the user's; `None` goes back to the embedded one. On failure the old one stays.
    pub fn load_network(&mut self, path: Option<&Path>) -> Result<(), OptionError> {
        self.own_network = path.map(Network::open).transpose()?;
        Ok(())
    }

    pub fn forget_opponent(&mut self) {
        self.human_like = human_like::SharedState::default();
        self.expectimax = expectimax::SharedState::default();
        self.speculative = speculative::SharedState::default();
    }

    pub fn new_game(&mut self) {
        self.human_like.new_game();
        self.expectimax.new_game();
        self.speculative.new_game();
    }
}

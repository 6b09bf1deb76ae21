//! Maximum-likelihood ratings of a pool: Bradley and Terry's model, draws, anchors, white's advantage, error bars.
//!
//! With `v = 0` a draw counts as half a win and half a loss, which is the model of Ordo; with a fitted `v` it is
//! Davidson's extension, where a draw is a third result with its own likelihood. Both are one family: with
//! `e = exp(d / 2)` for a difference `d`, win : draw : loss = `e : v : 1/e`.

use std::f64::consts::LN_10;

use super::matrix::Matrix;
use super::normal::{self, Z95};

/// Natural units per Elo point.
const SCALE: f64 = LN_10 / 400.0;

/// All games of one player with white against another with black, from white's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    pub white: usize,
    pub black: usize,
    pub wins: f64,
    pub draws: f64,
    pub losses: f64,
}

impl Encounter {
    fn games(&self) -> f64 {
        self.wins + self.draws + self.losses
    }

    fn points(&self) -> f64 {
        self.wins + self.draws / 2.0
    }
}

/// How a draw enters the likelihood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawModel {
    /// Half a win and half a loss (Ordo).
    HalfPoint,
    /// A result of its own, with a draw rate fitted to the pool (Davidson).
    Davidson,
}

/// What the model knows beforehand.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Players whose rating is given.
    pub anchors: Vec<(usize, f64)>,
    /// The mean of the pool when nobody is anchored.
    pub mean: f64,
    pub draw_model: DrawModel,
    /// White's advantage in Elo, or `None` to fit it.
    pub white_advantage: Option<f64>,
    /// Virtual draws added to every pair of players that met: keeps perfect scores finite.
    pub prior_draws: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            anchors: Vec::new(),
            mean: 0.0,
            draw_model: DrawModel::HalfPoint,
            white_advantage: Some(0.0),
            prior_draws: 0.0,
        }
    }
}

/// One line of the list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    pub elo: f64,
    /// Half the width of the 95 % interval, against the anchors or the pool's mean; zero for an anchor.
    pub error: f64,
    pub games: f64,
    pub points: f64,
}

impl Rating {
    /// Whether the games bound the rating on both sides: not where all of them were won, or all lost.
    pub fn has_end(&self) -> bool {
        self.games <= 0.0 || (self.points > 0.0 && self.points < self.games)
    }
}

/// The fitted pool.
#[derive(Clone, Debug)]
pub struct RatingList {
    pub players: Vec<Rating>,
    /// White's advantage in Elo, fitted or given.
    pub white_advantage: f64,
    /// The share of draws between equals, where the model has one.
    pub draw_rate: Option<f64>,
    covariance: Matrix,
}

impl RatingList {
    /// The chance that one player is truly stronger than another.
    pub fn los(&self, player: usize, other: usize) -> f64 {
        self.measured_los(player, other).unwrap_or(0.5)
    }

    /// The same; `None` for two anchors, whose ratings were given and not measured.
    pub fn measured_los(&self, player: usize, other: usize) -> Option<f64> {
        let (difference, error) = self.difference(player, other)?;
        Some(normal::cumulative(difference * Z95 / error))
    }

    /// How much stronger one player is than another, with half the width of its 95 % interval: errors of ratings that rest
    /// on the same opponents are not independent. `None` for two anchors.
    pub fn difference(&self, player: usize, other: usize) -> Option<(f64, f64)> {
        let cell = |row, column| self.covariance.get(row, column);
        let variance = cell(player, player) + cell(other, other) - 2.0 * cell(player, other);
        let difference = self.players[player].elo - self.players[other].elo;
        (variance > 0.0).then(|| (difference, Z95 * variance.sqrt()))
    }
}

/// Why a pool has no finite ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RatingError {
    /// An encounter or anchor names a player that is not in the pool.
    UnknownPlayer { index: usize, players: usize },
    /// These players are not tied to the rest by points in both directions (all won, all lost or never met).
    Unconnected { players: Vec<usize> },
    /// The iteration did not settle.
    NotConverged,
}

impl std::fmt::Display for RatingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownPlayer { index, players } => {
                write!(f, "player number {index} in a pool of {players}")
            }
            Self::Unconnected { players } => write!(
                f,
                "players {players:?} won all, lost all or never met the others, so their ratings have no bound; \
                 add games or prior draws"
            ),
            Self::NotConverged => write!(f, "the ratings did not settle"),
        }
    }
}

impl std::error::Error for RatingError {}

/// Where each parameter of the model lives in the vector that Newton's method moves.
struct Layout {
    /// Index of every player's rating; `None` for anchors.
    slots: Vec<Option<usize>>,
    white: Option<usize>,
    draw: Option<usize>,
    size: usize,
    floating: bool,
}

impl Layout {
    fn new(players: usize, settings: &Settings) -> Self {
        let mut size = 0;
        let mut take = || {
            size += 1;
            size - 1
        };
        let anchored = |player| settings.anchors.iter().any(|anchor| anchor.0 == player);
        let slots = (0..players).map(|player| (!anchored(player)).then(&mut take)).collect();
        let white = settings.white_advantage.is_none().then(&mut take);
        let draw = (settings.draw_model == DrawModel::Davidson).then(&mut take);
        Self { slots, white, draw, size, floating: settings.anchors.is_empty() }
    }
}

/// Fits the ratings of `players` players to their encounters.
pub fn fit(players: usize, encounters: &[Encounter], settings: &Settings) -> Result<RatingList, RatingError> {
    let named =
        encounters.iter().flat_map(|e| [e.white, e.black]).chain(settings.anchors.iter().map(|a| a.0));
    if let Some(index) = named.into_iter().find(|index| *index >= players) {
        return Err(RatingError::UnknownPlayer { index, players });
    }
    let weighted = with_prior(encounters, settings.prior_draws);
    let strays = unconnected(players, &weighted, &settings.anchors);
    if !strays.is_empty() {
        return Err(RatingError::Unconnected { players: strays });
    }
    let layout = Layout::new(players, settings);
    let mut state = State {
        ratings: vec![settings.mean; players],
        white: settings.white_advantage.unwrap_or(0.0),
        // Start from one draw in three games; meaningless and unused for half points.
        draw: if layout.draw.is_some() { Some(0.0) } else { None },
    };
    for &(player, elo) in &settings.anchors {
        state.ratings[player] = elo;
    }
    if let Some(&(_, elo)) = settings.anchors.first() {
        for (player, slot) in layout.slots.iter().enumerate() {
            if slot.is_some() {
                state.ratings[player] = elo;
            }
        }
    }
    climb(&layout, &weighted, &mut state)?;
    if layout.floating && players > 0 {
        let shift = settings.mean - state.ratings.iter().sum::<f64>() / players as f64;
        for rating in &mut state.ratings {
            *rating += shift;
        }
    }
    Ok(describe(players, encounters, &weighted, &layout, &state))
}

struct State {
    ratings: Vec<f64>,
    white: f64,
    /// Logarithm of `v`; `None` for the half-point model.
    draw: Option<f64>,
}

impl State {
    /// Chances of win and draw for white.
    fn chances(&self, encounter: &Encounter) -> (f64, f64) {
        let elo = self.ratings[encounter.white] - self.ratings[encounter.black] + self.white;
        let half = (elo * SCALE / 2.0).exp();
        let v = self.draw.map_or(0.0, f64::exp);
        let total = half + v + 1.0 / half;
        (half / total, v / total)
    }
}

/// Gradient, negated Hessian and the empirical spread of the gradient, all in natural units per Elo point.
fn derivatives(layout: &Layout, encounters: &[Encounter], state: &State) -> (Vec<f64>, Matrix, Matrix) {
    let mut gradient = vec![0.0; layout.size];
    let mut curvature = Matrix::zero(layout.size);
    let mut spread = Matrix::zero(layout.size);
    for encounter in encounters {
        let (win, draw) = state.chances(encounter);
        let expected = win + draw / 2.0;
        let games = encounter.games();
        // How the encounter's difference moves with each parameter.
        let mut moved: Vec<(usize, f64)> = Vec::with_capacity(3);
        moved.extend(layout.slots[encounter.white].map(|slot| (slot, SCALE)));
        moved.extend(layout.slots[encounter.black].map(|slot| (slot, -SCALE)));
        moved.extend(layout.white.map(|slot| (slot, SCALE)));
        let surprise = encounter.points() - games * expected;
        let bend = games * (win + draw / 4.0 - expected * expected);
        let seen = encounter.wins * (1.0 - expected).powi(2)
            + encounter.draws * (0.5 - expected).powi(2)
            + encounter.losses * expected.powi(2);
        for &(row, by) in &moved {
            gradient[row] += by * surprise;
            for &(column, also) in &moved {
                curvature.add(row, column, by * also * bend);
                spread.add(row, column, by * also * seen);
            }
        }
        if let Some(slot) = layout.draw {
            gradient[slot] += encounter.draws - games * draw;
            curvature.add(slot, slot, games * draw * (1.0 - draw));
            spread.add(slot, slot, games * draw * (1.0 - draw));
            let cross = games * (draw / 2.0 - expected * draw);
            for &(row, by) in &moved {
                curvature.add(row, slot, by * cross);
                curvature.add(slot, row, by * cross);
                spread.add(row, slot, by * cross);
                spread.add(slot, row, by * cross);
            }
        }
    }
    if layout.floating {
        // Moving every rating together changes nothing; pin that direction so that the system has one answer.
        let rated: Vec<usize> = layout.slots.iter().flatten().copied().collect();
        for &row in &rated {
            for &column in &rated {
                curvature.add(row, column, SCALE * SCALE);
            }
        }
    }
    (gradient, curvature, spread)
}

/// Newton's method; the likelihood is concave, steps are only kept from overshooting.
fn climb(layout: &Layout, encounters: &[Encounter], state: &mut State) -> Result<(), RatingError> {
    for _ in 0..500 {
        let (gradient, curvature, _) = derivatives(layout, encounters, state);
        let step = curvature.solve(&gradient).ok_or(RatingError::NotConverged)?;
        let is_rating = |place: usize| Some(place) != layout.draw;
        let limit = |place: usize, by: f64| {
            if is_rating(place) { by.clamp(-200.0, 200.0) } else { by.clamp(-1.0, 1.0) }
        };
        for (player, slot) in layout.slots.iter().enumerate() {
            if let Some(place) = *slot {
                state.ratings[player] += limit(place, step[place]);
            }
        }
        if let Some(place) = layout.white {
            state.white += limit(place, step[place]);
        }
        if let (Some(place), Some(draw)) = (layout.draw, state.draw.as_mut()) {
            *draw += limit(place, step[place]);
        }
        if step.iter().all(|by| by.abs() < 1e-9) {
            return Ok(());
        }
        if step.iter().any(|by| !by.is_finite()) {
            break;
        }
    }
    Err(RatingError::NotConverged)
}

fn describe(
    players: usize,
    played: &[Encounter],
    weighted: &[Encounter],
    layout: &Layout,
    state: &State,
) -> RatingList {
    let (_, curvature, spread) = derivatives(layout, weighted, state);
    // The sandwich: the model's curvature with the spread the games really showed, so that many draws narrow the
    // interval even where the model itself does not know draws.
    let inverse = curvature.inverse().unwrap_or_else(|| Matrix::zero(layout.size));
    let sandwich = inverse.times(&spread).times(&inverse);
    let mut covariance = Matrix::zero(players);
    for (row, row_slot) in layout.slots.iter().enumerate() {
        for (column, column_slot) in layout.slots.iter().enumerate() {
            if let (Some(from), Some(to)) = (row_slot, column_slot) {
                covariance.add(row, column, sandwich.get(*from, *to));
            }
        }
    }
    let rate = |player: usize| {
        let as_white = played.iter().filter(|e| e.white == player);
        let as_black = played.iter().filter(|e| e.black == player);
        let (mut games, mut points) = (0.0, 0.0);
        for encounter in as_white {
            games += encounter.games();
            points += encounter.points();
        }
        for encounter in as_black {
            games += encounter.games();
            points += encounter.games() - encounter.points();
        }
        let error = Z95 * covariance.get(player, player).max(0.0).sqrt();
        Rating { elo: state.ratings[player], error, games, points }
    };
    let ratings = (0..players).map(rate).collect();
    let draw_rate = state.draw.map(|log| log.exp() / (2.0 + log.exp()));
    RatingList { players: ratings, white_advantage: state.white, draw_rate, covariance }
}

fn with_prior(encounters: &[Encounter], prior_draws: f64) -> Vec<Encounter> {
    let mut weighted = encounters.to_vec();
    if prior_draws > 0.0 {
        let mut met: Vec<(usize, usize)> = encounters
            .iter()
            .filter(|e| e.games() > 0.0)
            .map(|e| (e.white.min(e.black), e.white.max(e.black)))
            .collect();
        met.sort_unstable();
        met.dedup();
        for (one, other) in met {
            // Half of them with either colour, so that white's advantage is not touched.
            for (white, black) in [(one, other), (other, one)] {
                weighted.push(Encounter { white, black, wins: 0.0, draws: prior_draws / 2.0, losses: 0.0 });
            }
        }
    }
    weighted
}

/// Players that do not both take points from and give points to the main group, directly or through others
/// (Zermelo's condition for a finite solution). Anchored players count as one.
fn unconnected(players: usize, encounters: &[Encounter], anchors: &[(usize, f64)]) -> Vec<usize> {
    let mut takes = vec![Vec::new(); players];
    let mut gives = vec![Vec::new(); players];
    let mut link = |winner: usize, loser: usize| {
        takes[winner].push(loser);
        gives[loser].push(winner);
    };
    for encounter in encounters {
        if encounter.points() > 0.0 {
            link(encounter.white, encounter.black);
        }
        if encounter.games() > encounter.points() {
            link(encounter.black, encounter.white);
        }
    }
    for pair in anchors.windows(2) {
        link(pair[0].0, pair[1].0);
        link(pair[1].0, pair[0].0);
    }
    let reach = |start: usize, edges: &[Vec<usize>]| {
        let mut seen = vec![false; players];
        let mut stack = vec![start];
        while let Some(player) = stack.pop() {
            if !seen[player] {
                seen[player] = true;
                stack.extend(&edges[player]);
            }
        }
        seen
    };
    let mut best: Vec<bool> = vec![false; players];
    let starts: Vec<usize> = if anchors.is_empty() {
        (0..players).collect()
    } else {
        anchors.iter().take(1).map(|a| a.0).collect()
    };
    for start in starts {
        let (down, up) = (reach(start, &takes), reach(start, &gives));
        let group: Vec<bool> = down.iter().zip(&up).map(|(a, b)| *a && *b).collect();
        if group.iter().filter(|member| **member).count() > best.iter().filter(|member| **member).count() {
            best = group;
        }
    }
    (0..players).filter(|player| !best[*player]).collect()
}

#[cfg(test)]
mod tests;

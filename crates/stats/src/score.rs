//! Counting results: single games (trinomial) and pairs with colours swapped (pentanomial).
//!
//! A pair shares its opening, so its two games are not independent; the pair is the unit of every interval
//! (Van den Bergh's argument, as fishtest and fastchess apply it).

use super::elo;
use super::normal::{self, Z95};

/// The result of one game for the side we count for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Loss,
    Draw,
    Win,
}

impl Outcome {
    /// 0, 1/2 or 1.
    pub fn score(self) -> f64 {
        match self {
            Self::Loss => 0.0,
            Self::Draw => 0.5,
            Self::Win => 1.0,
        }
    }

    /// The same game seen from the other side.
    pub fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Games {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Games {
    /// Counts one more game.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }

    /// All games.
    pub fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points scored.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Counts for scores 0, 1/2, 1.
    pub fn counts(&self) -> [f64; 3] {
        [self.losses as f64, self.draws as f64, self.wins as f64]
    }

    /// The statistics of independent games.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&self.counts(), 1.0)
    }
}

/// Pairs by their two results; `wl` and `dd` both score 1/2 but say different things about the opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    pub ll: u64,
    pub ld: u64,
    pub wl: u64,
    pub dd: u64,
    pub wd: u64,
    pub ww: u64,
}

impl Pairs {
    /// From counts in the order LL, LD, WL, DD, WD, WW.
    pub fn new([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> Self {
        Self { ll, ld, wl, dd, wd, ww }
    }

    /// Counts one more pair, whichever game came first.
    pub fn add(&mut self, first: Outcome, second: Outcome) {
        use Outcome::{Draw, Loss, Win};
        match (first, second) {
            (Loss, Loss) => self.ll += 1,
            (Loss, Draw) | (Draw, Loss) => self.ld += 1,
            (Loss, Win) | (Win, Loss) => self.wl += 1,
            (Draw, Draw) => self.dd += 1,
            (Draw, Win) | (Win, Draw) => self.wd += 1,
            (Win, Win) => self.ww += 1,
        }
    }

    /// All pairs.
    pub fn total(&self) -> u64 {
        self.ll + self.ld + self.wl + self.dd + self.wd + self.ww
    }

    /// Counts for pair scores 0, 1/4, 1/2, 3/4, 1.
    pub fn pentanomial(&self) -> [u64; 5] {
        [self.ll, self.ld, self.wl + self.dd, self.wd, self.ww]
    }

    /// The same as floating-point numbers.
    pub fn counts(&self) -> [f64; 5] {
        self.pentanomial().map(|count| count as f64)
    }

    /// The statistics of independent pairs.
    pub fn estimate(&self) -> Option<Estimate> {
        Estimate::of(&self.counts(), 2.0)
    }

    /// Share of pairs that ended level.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.total() > 0).then(|| (self.wl + self.dd) as f64 / self.total() as f64)
    }

    /// Pairs won per pair lost; infinite when none was lost, `None` when neither happened.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let (won, lost) = (self.wd + self.ww, self.ll + self.ld);
        (won + lost > 0).then(|| won as f64 / lost as f64)
    }

    /// Level pairs with two decisive games per level pair with two draws.
    pub fn wl_dd_ratio(&self) -> Option<f64> {
        (self.wl + self.dd > 0).then(|| self.wl as f64 / self.dd as f64)
    }
}

/// Mean score and what follows from it. A trial is a game or a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Trials counted.
    pub trials: f64,
    /// Mean score, 0 to 1.
    pub score: f64,
    /// Variance of one trial's score.
    pub variance: f64,
    /// Games in one trial.
    pub games_per_trial: f64,
}

impl Estimate {
    /// From counts of the equally spaced scores 0 to 1; `None` when nothing was counted.
    pub fn of(counts: &[f64], games_per_trial: f64) -> Option<Self> {
        let trials: f64 = counts.iter().sum();
        if trials <= 0.0 || counts.len() < 2 {
            return None;
        }
        let step = 1.0 / (counts.len() - 1) as f64;
        let scored = |(place, count): (usize, &f64)| count * place as f64 * step;
        let score = counts.iter().enumerate().map(scored).sum::<f64>() / trials;
        let spread = |(place, count): (usize, &f64)| count * (place as f64 * step - score).powi(2);
        let variance = counts.iter().enumerate().map(spread).sum::<f64>() / trials;
        Some(Self { trials, score, variance, games_per_trial })
    }

    /// Standard error of the mean score.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.trials).sqrt()
    }

    /// Logistic Elo difference; infinite when every game was won or lost.
    pub fn elo(&self) -> f64 {
        elo::from_score(self.score)
    }

    /// Half the width of the 95 % interval of [`Self::elo`]; infinite when the interval reaches 0 or 1, and when all trials had
    /// the same score, which says nothing about their spread.
    pub fn elo_error(&self) -> f64 {
        if self.variance <= 0.0 {
            return f64::INFINITY;
        }
        let half = Z95 * self.standard_error();
        (elo::from_score(self.score + half) - elo::from_score(self.score - half)) / 2.0
    }

    /// Where every game was won or lost: the Elo difference that is at least so large with 95 % confidence. A trial counts
    /// as one event, so that `n` trials without another result leave a chance of `0.05^(1/n)` for the best.
    pub fn edge_elo(&self) -> Option<f64> {
        let least = elo::from_score(0.05_f64.powf(1.0 / self.trials));
        // Few trials leave even the sign open.
        if self.score >= 1.0 {
            Some(least.max(0.0))
        } else if self.score <= 0.0 {
            Some(-least.max(0.0))
        } else {
            None
        }
    }

    /// The 95 % interval of [`Self::elo`]; where every game was won or lost it has one end, and where all trials had the same
    /// score none.
    pub fn elo_interval(&self) -> (f64, f64) {
        match self.edge_elo() {
            Some(edge) if self.score > 0.5 => (edge, f64::INFINITY),
            Some(edge) => (f64::NEG_INFINITY, edge),
            None if self.variance <= 0.0 => (f64::NEG_INFINITY, f64::INFINITY),
            None => {
                let half = Z95 * self.standard_error();
                (elo::from_score(self.score - half), elo::from_score(self.score + half))
            }
        }
    }

    /// Where the 95 % interval has no finite end on some side: what the games do prove, in words. `None` where
    /// [`Self::elo`] and [`Self::elo_error`] say it.
    pub fn bound_text(&self) -> Option<String> {
        if let Some(edge) = self.edge_elo() {
            let won = self.score > 0.5;
            return Some(if edge == 0.0 {
                format!("every game {}, too few for a bound", if won { "won" } else { "lost" })
            } else {
                format!("{} {edge:+.0} with 95 % confidence", if won { "at least" } else { "at most" })
            });
        }
        if self.elo_error().is_finite() {
            return None;
        }
        let (low, high) = self.elo_interval();
        let elo = self.elo();
        Some(match (low.is_finite(), high.is_finite()) {
            (true, _) => format!("{elo:+.0}, at least {low:+.0} with 95 % confidence"),
            (false, true) => format!("{elo:+.0}, at most {high:+.0} with 95 % confidence"),
            (false, false) => format!("{elo:+.0}, too few games for a bound"),
        })
    }

    /// Normalised Elo: the difference in units of one game's spread. `None` without spread.
    pub fn normalised_elo(&self) -> Option<f64> {
        let spread = (self.variance * self.games_per_trial).sqrt();
        (spread > 0.0).then(|| (self.score - 0.5) / spread * elo::NORMALISED_UNIT)
    }

    /// Half the width of its 95 % interval, which depends on the number of games alone.
    pub fn normalised_elo_error(&self) -> f64 {
        Z95 / (self.trials * self.games_per_trial).sqrt() * elo::NORMALISED_UNIT
    }

    /// Likelihood of superiority: the chance that the true mean is above one half. Where all trials had the same score, `n`
    /// of them leave a chance of `0.5^n` that the sides are equal and fell like this.
    pub fn los(&self) -> f64 {
        let error = self.standard_error();
        if error > 0.0 {
            normal::cumulative((self.score - 0.5) / error)
        } else {
            let chance = 0.5_f64.powf(self.trials);
            match self.score.total_cmp(&0.5) {
                std::cmp::Ordering::Less => chance,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 1.0 - chance,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(value: f64) -> String {
        format!("{value:.2}")
    }

    #[test]
    fn elo_vector_to_the_printed_digits() {
        let estimate = Pairs::new([34, 54, 31, 32, 64, 75]).estimate().unwrap();
        assert_eq!(printed(estimate.normalised_elo().unwrap()), "57.94");
        assert_eq!(printed(estimate.normalised_elo_error()), "28.28");
        assert_eq!(printed(estimate.elo()), "55.58");
        assert_eq!(printed(estimate.elo_error()), "27.65");
    }

    /// Moss, section 2.7: what fastchess printed for these counts.
    #[test]
    fn the_seeds_sprt_output() {
        // WL/DD 4.36 of 134 level pairs: 109 and 25.
        let pairs = Pairs::new([24, 48, 109, 25, 60, 65]);
        let estimate = pairs.estimate().unwrap();
        assert_eq!(printed(estimate.elo()), "49.67");
        assert_eq!(printed(estimate.elo_error()), "21.98");
        assert_eq!(printed(estimate.normalised_elo().unwrap()), "60.70");
        assert_eq!(printed(estimate.normalised_elo_error()), "26.47");
        assert_eq!(printed(estimate.los() * 100.0), "100.00");
        assert_eq!(printed(pairs.draw_ratio().unwrap() * 100.0), "40.48");
        assert_eq!(printed(pairs.pairs_ratio().unwrap()), "1.74");
        assert_eq!(printed(pairs.wl_dd_ratio().unwrap()), "4.36");
    }

    #[test]
    fn a_whitewash_has_a_lower_bound_and_no_estimate() {
        let estimate = Pairs { ww: 11, ..Pairs::default() }.estimate().unwrap();
        assert!(estimate.elo().is_infinite());
        // 11 pairs: 0.05^(1/11) = 0.7616.
        assert_eq!(format!("{:.0}", estimate.edge_elo().unwrap()), "202");
        let lost = Pairs { ll: 2, ..Pairs::default() }.estimate().unwrap();
        assert_eq!(lost.edge_elo(), Some(-0.0));
        assert_eq!(Pairs { ww: 1, ll: 1, ..Pairs::default() }.estimate().unwrap().edge_elo(), None);
    }

    #[test]
    fn a_result_without_a_finite_interval_is_said_in_words() {
        let text = |pairs: Pairs| pairs.estimate().unwrap().bound_text();
        let said = |text: &str| Some(text.to_owned());
        assert_eq!(text(Pairs { ww: 11, ..Pairs::default() }), said("at least +202 with 95 % confidence"));
        assert_eq!(text(Pairs { ll: 11, ..Pairs::default() }), said("at most -202 with 95 % confidence"));
        assert_eq!(text(Pairs { ww: 2, ..Pairs::default() }), said("every game won, too few for a bound"));
        assert_eq!(text(Pairs { ll: 2, ..Pairs::default() }), said("every game lost, too few for a bound"));
        // 1.96 standard errors above the score of 19 pairs won and one lost is 1.0455.
        assert_eq!(
            text(Pairs { ww: 19, ll: 1, ..Pairs::default() }),
            said("+512, at least +308 with 95 % confidence")
        );
        assert_eq!(
            text(Pairs { ww: 1, ll: 19, ..Pairs::default() }),
            said("-512, at most -308 with 95 % confidence")
        );
        assert_eq!(text(Pairs { ww: 1, ll: 1, ..Pairs::default() }), said("+0, too few games for a bound"));
        assert_eq!(text(Pairs::new([34, 54, 31, 32, 64, 75])), None);
    }

    /// A single pair of a win and a draw had printed `+191 ± 0` and a likelihood of 100 %.
    #[test]
    fn trials_with_one_score_have_no_interval() {
        let one = Pairs { wd: 1, ..Pairs::default() }.estimate().unwrap();
        assert!(one.elo_error().is_infinite());
        assert_eq!((one.los(), one.elo_interval()), (0.5, (f64::NEG_INFINITY, f64::INFINITY)));
        assert_eq!(one.bound_text().unwrap(), "+191, too few games for a bound");
        let level = Pairs { dd: 3, ..Pairs::default() }.estimate().unwrap();
        assert_eq!((level.los(), level.bound_text().is_some()), (0.5, true));
        let lost = Pairs { ld: 2, ..Pairs::default() }.estimate().unwrap();
        assert_eq!(lost.los(), 0.25);
        let swept = Pairs { ww: 11, ..Pairs::default() }.estimate().unwrap();
        assert_eq!(swept.elo_interval(), (swept.edge_elo().unwrap(), f64::INFINITY));
    }

    #[test]
    fn pairs_are_counted_in_either_order() {
        use Outcome::{Draw, Loss, Win};
        let mut pairs = Pairs::default();
        for (first, second) in
            [(Win, Draw), (Draw, Win), (Loss, Win), (Draw, Draw), (Loss, Loss), (Loss, Draw)]
        {
            pairs.add(first, second);
        }
        assert_eq!(pairs, Pairs { ll: 1, ld: 1, wl: 1, dd: 1, wd: 2, ww: 0 });
        assert_eq!(pairs.pentanomial(), [1, 1, 2, 2, 0]);
    }

    #[test]
    fn games_are_counted_and_scored() {
        let mut games = Games::default();
        for outcome in [Outcome::Win, Outcome::Win, Outcome::Draw, Outcome::Loss] {
            games.add(outcome);
        }
        assert_eq!((games.total(), games.points()), (4, 2.5));
        assert!((games.estimate().unwrap().score - 0.625).abs() < 1e-15);
    }

    #[test]
    fn extremes_are_infinite_or_absent_never_invented() {
        assert!(Games::default().estimate().is_none());
        let swept = Games { wins: 5, draws: 0, losses: 0 }.estimate().unwrap();
        assert_eq!(swept.elo(), f64::INFINITY);
        assert_eq!(swept.normalised_elo(), None);
        assert_eq!(swept.los(), 1.0 - 1.0 / 32.0);
        assert_eq!(Pairs::default().pairs_ratio(), None);
    }
}

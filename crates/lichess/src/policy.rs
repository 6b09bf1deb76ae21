//! Which challenges are accepted, and the reasons for declining the others.

use crate::events::{Challenge, TimeControl};

/// Reasons that the site translates for the challenger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclineReason {
    Later,
    TooFast,
    TooSlow,
    TimeControl,
    Rated,
    Casual,
    Variant,
    NoBot,
    OnlyBot,
}

impl DeclineReason {
    pub const fn key(self) -> &'static str {
        match self {
            DeclineReason::Later => "later",
            DeclineReason::TooFast => "tooFast",
            DeclineReason::TooSlow => "tooSlow",
            DeclineReason::TimeControl => "timeControl",
            // The site's keys name what to ask for instead.
            DeclineReason::Rated => "casual",
            DeclineReason::Casual => "rated",
            DeclineReason::Variant => "variant",
            DeclineReason::NoBot => "noBot",
            DeclineReason::OnlyBot => "onlyBot",
        }
    }
}

/// From the fastest to the slowest, as the site names them.
pub const SPEEDS: [&str; 6] = ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
/// Variants the engine plays.
pub const VARIANTS: [&str; 3] = ["standard", "chess960", "fromPosition"];

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Policy {
    pub speeds: Vec<&'static str>,
    pub variants: Vec<&'static str>,
    pub rated: bool,
    pub casual: bool,
    pub people: bool,
    pub bots: bool,
    /// Games at one time.
    pub games: usize,
    /// Challenges that may wait for a game to end.
    pub queue: usize,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            speeds: SPEEDS[1..5].to_vec(),
            variants: VARIANTS.to_vec(),
            rated: true,
            casual: true,
            people: true,
            bots: true,
            games: 1,
            queue: 4,
        }
    }
}

impl Policy {
    /// Whether this challenge is acceptable; whether there is room for it now is decided elsewhere.
    pub fn check(&self, challenge: &Challenge) -> Result<(), DeclineReason> {
        if !self.variants.contains(&challenge.variant.as_str()) {
            return Err(DeclineReason::Variant);
        }
        let allowed = |speed: &str| self.speeds.contains(&speed);
        if !matches!(challenge.time, TimeControl::Clock { .. }) {
            if !allowed("correspondence") {
                return Err(DeclineReason::TimeControl);
            }
        } else if !allowed(&challenge.speed) {
            return Err(self.out_of_range(&challenge.speed));
        }
        match (challenge.rated, self.rated, self.casual) {
            (true, false, _) => return Err(DeclineReason::Rated),
            (false, _, false) => return Err(DeclineReason::Casual),
            _ => {}
        }
        match (challenge.challenger.is_bot(), self.bots, self.people) {
            (true, false, _) => Err(DeclineReason::NoBot),
            (false, _, false) => Err(DeclineReason::OnlyBot),
            _ => Ok(()),
        }
    }

    fn out_of_range(&self, speed: &str) -> DeclineReason {
        let rank = |name: &str| SPEEDS.iter().position(|known| *known == name);
        let Some(asked) = rank(speed) else { return DeclineReason::TimeControl };
        let ours: Vec<usize> = self.speeds.iter().filter_map(|name| rank(name)).collect();
        if ours.iter().all(|own| asked < *own) {
            DeclineReason::TooFast
        } else if ours.iter().all(|own| asked > *own) {
            DeclineReason::TooSlow
        } else {
            DeclineReason::TimeControl
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::Player;
    use crate::identifier::Identifier;

    fn challenge(speed: &str, variant: &str, rated: bool, bot: bool) -> Challenge {
        let title = bot.then(|| "BOT".to_string());
        let time = match speed {
            "correspondence" => TimeControl::Correspondence { days_per_turn: Some(3) },
            _ => TimeControl::Clock { limit: 60, increment: 1 },
        };
        Challenge {
            id: Identifier::new("a").unwrap(),
            challenger: Player { title, ..Player::default() },
            variant: variant.into(),
            rated,
            speed: speed.into(),
            time,
        }
    }

    #[test]
    fn accepted_challenges_and_reasons_for_declining() {
        let usual = Policy::default();
        let casual_people = Policy { rated: false, bots: false, ..Policy::default() };
        let rated_bots = Policy { casual: false, people: false, ..Policy::default() };
        let gap = Policy { speeds: vec!["bullet", "rapid"], ..Policy::default() };
        for (policy, speed, variant, rated, bot, answer) in [
            (&usual, "blitz", "standard", true, false, Ok(())),
            (&usual, "rapid", "chess960", false, true, Ok(())),
            (&usual, "bullet", "fromPosition", false, true, Ok(())),
            (&usual, "blitz", "atomic", true, false, Err(DeclineReason::Variant)),
            (&usual, "ultraBullet", "standard", true, false, Err(DeclineReason::TooFast)),
            (&usual, "correspondence", "standard", true, false, Err(DeclineReason::TimeControl)),
            (&usual, "someday", "standard", true, false, Err(DeclineReason::TimeControl)),
            (&gap, "blitz", "standard", true, false, Err(DeclineReason::TimeControl)),
            (&gap, "classical", "standard", true, false, Err(DeclineReason::TooSlow)),
            (&casual_people, "blitz", "standard", true, false, Err(DeclineReason::Rated)),
            (&casual_people, "blitz", "standard", false, true, Err(DeclineReason::NoBot)),
            (&rated_bots, "blitz", "standard", false, true, Err(DeclineReason::Casual)),
            (&rated_bots, "blitz", "standard", true, false, Err(DeclineReason::OnlyBot)),
        ] {
            let asked = challenge(speed, variant, rated, bot);
            assert_eq!(policy.check(&asked), answer, "{speed} {variant} {rated} {bot}");
        }
    }
}

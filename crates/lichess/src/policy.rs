//! Which challenges are accepted, and what the others are told.

use crate::wire::{Challenge, TimeControl};

/// Reasons the site can translate for whoever asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
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

impl Reason {
    pub const fn key(self) -> &'static str {
        match self {
            Reason::Later => "later",
            Reason::TooFast => "tooFast",
            Reason::TooSlow => "tooSlow",
            Reason::TimeControl => "timeControl",
            // The site's words tell what to ask for instead.
            Reason::Rated => "casual",
            Reason::Casual => "rated",
            Reason::Variant => "variant",
            Reason::NoBot => "noBot",
            Reason::OnlyBot => "onlyBot",
        }
    }
}

/// From the fastest to the slowest, as the site names them.
pub const SPEEDS: [&str; 6] = ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
/// Those the engine knows the rules of.
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
    /// Whether this challenge could be played at all; when is another question.
    pub fn judge(&self, challenge: &Challenge) -> Result<(), Reason> {
        if !self.variants.contains(&challenge.variant.as_str()) {
            return Err(Reason::Variant);
        }
        let allowed = |speed: &str| self.speeds.contains(&speed);
        if !matches!(challenge.time, TimeControl::Clock { .. }) {
            if !allowed("correspondence") {
                return Err(Reason::TimeControl);
            }
        } else if !allowed(&challenge.speed) {
            return Err(self.out_of_range(&challenge.speed));
        }
        match (challenge.rated, self.rated, self.casual) {
            (true, false, _) => return Err(Reason::Rated),
            (false, _, false) => return Err(Reason::Casual),
            _ => {}
        }
        match (challenge.challenger.is_bot(), self.bots, self.people) {
            (true, false, _) => Err(Reason::NoBot),
            (false, _, false) => Err(Reason::OnlyBot),
            _ => Ok(()),
        }
    }

    fn out_of_range(&self, speed: &str) -> Reason {
        let rank = |name: &str| SPEEDS.iter().position(|known| *known == name);
        let Some(asked) = rank(speed) else { return Reason::TimeControl };
        let ours: Vec<usize> = self.speeds.iter().filter_map(|name| rank(name)).collect();
        if ours.iter().all(|own| asked < *own) {
            Reason::TooFast
        } else if ours.iter().all(|own| asked > *own) {
            Reason::TooSlow
        } else {
            Reason::TimeControl
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identifier;
    use crate::wire::Person;

    fn challenge(speed: &str, variant: &str, rated: bool, bot: bool) -> Challenge {
        let title = bot.then(|| "BOT".to_string());
        let time = match speed {
            "correspondence" => TimeControl::Correspondence { days_per_turn: Some(3) },
            _ => TimeControl::Clock { limit: 60, increment: 1 },
        };
        Challenge {
            id: Identifier::new("a").unwrap(),
            challenger: Person { title, ..Person::default() },
            variant: variant.into(),
            rated,
            speed: speed.into(),
            time,
        }
    }

    #[test]
    fn what_is_accepted_and_what_others_are_told() {
        let usual = Policy::default();
        let casual_people = Policy { rated: false, bots: false, ..Policy::default() };
        let rated_bots = Policy { casual: false, people: false, ..Policy::default() };
        let gap = Policy { speeds: vec!["bullet", "rapid"], ..Policy::default() };
        for (policy, speed, variant, rated, bot, answer) in [
            (&usual, "blitz", "standard", true, false, Ok(())),
            (&usual, "rapid", "chess960", false, true, Ok(())),
            (&usual, "bullet", "fromPosition", false, true, Ok(())),
            (&usual, "blitz", "atomic", true, false, Err(Reason::Variant)),
            (&usual, "ultraBullet", "standard", true, false, Err(Reason::TooFast)),
            (&usual, "correspondence", "standard", true, false, Err(Reason::TimeControl)),
            (&usual, "someday", "standard", true, false, Err(Reason::TimeControl)),
            (&gap, "blitz", "standard", true, false, Err(Reason::TimeControl)),
            (&gap, "classical", "standard", true, false, Err(Reason::TooSlow)),
            (&casual_people, "blitz", "standard", true, false, Err(Reason::Rated)),
            (&casual_people, "blitz", "standard", false, true, Err(Reason::NoBot)),
            (&rated_bots, "blitz", "standard", false, true, Err(Reason::Casual)),
            (&rated_bots, "blitz", "standard", true, false, Err(Reason::OnlyBot)),
        ] {
            let asked = challenge(speed, variant, rated, bot);
            assert_eq!(policy.judge(&asked), answer, "{speed} {variant} {rated} {bot}");
        }
    }
}

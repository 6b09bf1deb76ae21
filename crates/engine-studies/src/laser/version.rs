//! The versions of the player, from the course's reference to ours: each a setting of one search.

use kernel::TechniqueSet;
use kernel::technique::Technique as _;
use laser_search::eval::Weights;
use laser_search::{Settings, Technique};

/// The ladder, each step on top of the one before; its last is the player as released.
pub const LADDER: [(&str, &str); 5] = [
    ("reference", "the reference evaluation by its definitions"),
    ("tables", "lookup tables, one trail for each beam, coverage by a sweep"),
    ("lazy", "coverage left out where it cannot matter"),
    ("mobility", "the reference's king mobility switched on"),
    ("fitted", "weights fitted to self-play, siege and threat: the player as released"),
];

/// What the names of versions that lack one technique begin with.
const WITHOUT: &str = "without-";

/// A version of the player.
#[derive(Clone, Debug)]
pub struct Version {
    pub name: String,
    pub settings: Settings,
    pub techniques: TechniqueSet<Technique>,
}

impl Version {
    /// The player as released.
    pub fn released() -> Self {
        Self { name: "fitted".to_owned(), settings: Settings::default(), techniques: TechniqueSet::all() }
    }

    /// A step of the ladder, or `without-TECHNIQUE`.
    pub fn named(name: &str) -> Result<Self, String> {
        let all = TechniqueSet::<Technique>::all();
        let strict = all.without(Technique::LazyEvaluation);
        let with = |weights: Weights| Settings { weights, ..Settings::default() };
        let reference = with(Weights::REFERENCE);
        let (settings, techniques) = match name {
            "reference" => (Settings { plain_evaluation: true, ..reference }, strict),
            "tables" => (reference, strict),
            "lazy" => (reference, all),
            "mobility" => (with(Weights::WITH_MOBILITY), all),
            "fitted" => (Settings::default(), all),
            other => {
                let technique = other.strip_prefix(WITHOUT).and_then(Technique::from_name);
                let technique = technique.ok_or_else(|| unknown(other))?;
                (Settings::default(), all.without(technique))
            }
        };
        Ok(Self { name: name.to_owned(), settings, techniques })
    }

    /// The versions that words stand for: names, `ladder`, or `techniques` for the released player without each of them.
    pub fn of_words<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<Self>, String> {
        let mut names: Vec<String> = Vec::new();
        for word in words {
            match word {
                "ladder" => names.extend(LADDER.map(|(name, _)| name.to_owned())),
                "techniques" => {
                    // The table's lock has a part of its own.
                    let searching = Technique::ALL.iter().filter(|one| **one != Technique::LockFreeTable);
                    names.extend(searching.map(|technique| format!("{WITHOUT}{}", technique.name())));
                }
                name => names.push(name.to_owned()),
            }
        }
        let mut versions: Vec<Self> = Vec::new();
        for name in names {
            if versions.iter().all(|version| version.name != name) {
                versions.push(Self::named(&name)?);
            }
        }
        Ok(versions)
    }

    /// What it is, for a table.
    pub fn explained(&self) -> String {
        let step = LADDER.iter().find(|(name, _)| *name == self.name);
        step.map_or_else(
            || format!("the player as released, {}", self.name.replace('-', " ")),
            |step| step.1.to_owned(),
        )
    }
}

fn unknown(name: &str) -> String {
    let steps: Vec<&str> = LADDER.iter().map(|(name, _)| *name).collect();
    let techniques: Vec<&str> = Technique::ALL.iter().map(|technique| technique.name()).collect();
    format!(
        "'{name}', expected ladder, techniques, {} or {WITHOUT}TECHNIQUE with one of {}",
        steps.join(", "),
        techniques.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_by_name() {
        let names = |words: &[&str]| -> Vec<String> {
            Version::of_words(words.iter().copied())
                .unwrap()
                .into_iter()
                .map(|version| version.name)
                .collect()
        };
        assert_eq!(names(&["ladder"]), ["reference", "tables", "lazy", "mobility", "fitted"]);
        assert_eq!(names(&["fitted", "without-scout", "fitted"]), ["fitted", "without-scout"]);
        assert_eq!(names(&["techniques"]).len(), Technique::ALL.len() - 1);
        let error = Version::named("without-wings").unwrap_err();
        assert!(error.contains("lazy-evaluation"), "{error}");
    }

    #[test]
    fn the_last_step_is_the_player_as_released() {
        let (last, released) = (Version::named("fitted").unwrap(), Version::released());
        assert_eq!(last.settings.weights, released.settings.weights);
        assert_eq!(last.techniques, TechniqueSet::all());
        assert!(Version::named("reference").unwrap().settings.plain_evaluation);
    }
}

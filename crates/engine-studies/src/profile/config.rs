//! What a profile is, read from its description.

use std::path::PathBuf;
use std::str::FromStr;

use search::BENCH_POSITIONS;

use crate::study::positions;
use experiment::spec::{Reader, Spec};
use experiment::store::Row;

/// The command's name.
pub const KIND: &str = "profile";

/// Parts of the description that may change when a run is resumed.
pub const VOLATILE: [&str; 2] = ["rounds", "functions"];

/// The evaluations a search can be watched with.
pub const EVALUATIONS: [&str; 2] = ["hce", "network"];

/// Where the names of functions come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Functions {
    /// From perf if it is there and allowed; if not, the report says why not.
    Auto,
    /// From perf, or not at all.
    Perf,
    /// Phases only.
    None,
}

impl FromStr for Functions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "perf" => Ok(Self::Perf),
            "none" => Ok(Self::None),
            other => Err(format!("'{other}', expected auto, perf or none")),
        }
    }
}

/// A position to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub id: String,
    pub fen: String,
}

/// A profile, checked.
#[derive(Clone, Debug)]
pub struct Profile {
    pub name: String,
    pub places: Vec<Place>,
    pub places_name: String,
    pub depth: u32,
    pub rounds: u32,
    /// Megabytes of table.
    pub hash: usize,
    pub evaluations: Vec<String>,
    pub functions: Functions,
    /// Samples a second that perf takes.
    pub rate: u32,
    /// A UCI engine to take functions from; `None` is this program.
    pub engine: Option<PathBuf>,
}

impl Profile {
    /// Reads and checks a description; opens the positions.
    pub fn read(spec: &Spec) -> Result<Self, String> {
        Self::read_with(spec, None)
    }

    /// The same for what was measured already: positions are those of the rows, their file may be gone.
    pub fn recall(spec: &Spec, rows: &[Row]) -> Result<Self, String> {
        let mut places: Vec<Place> = Vec::new();
        for row in rows {
            let (Some(id), Some(fen)) = (row.text("position"), row.text("fen")) else { continue };
            if places.iter().all(|place| place.id != id) {
                places.push(Place { id: id.to_owned(), fen: fen.to_owned() });
            }
        }
        Self::read_with(spec, Some(places))
    }

    fn read_with(spec: &Spec, recalled: Option<Vec<Place>>) -> Result<Self, String> {
        let mut reader = spec.clone().reader(KIND);
        let _ = reader.text("experiment")?;
        let (places, places_name) = read_places(reader.table("positions")?, recalled)?;
        let depth = reader.value("depth", "a whole number of plies")?.unwrap_or(14);
        let rounds = reader.value("rounds", "a whole number")?.unwrap_or(3);
        let hash = reader.value("hash", "a whole number of megabytes")?.unwrap_or(16);
        let evaluations = read_evaluations(&mut reader)?;
        let functions = reader.explained("functions")?.unwrap_or(Functions::Auto);
        let rate = reader.value("rate", "a whole number")?.unwrap_or(499);
        let engine = reader.text("engine")?.map(PathBuf::from);
        let name = reader.text("name")?.unwrap_or_else(|| "Where the time goes".to_owned());
        reader.finish()?;
        if !(1..=100).contains(&depth) || rounds == 0 || hash == 0 || !(1..=20_000).contains(&rate) {
            return Err(format!(
                "{KIND}: expected a depth of 1 to 100, rounds and hash of at least 1, a rate of 1 to 20000"
            ));
        }
        Ok(Self { name, places, places_name, depth, rounds, hash, evaluations, functions, rate, engine })
    }

    /// The line under a report's title.
    pub fn heading(&self) -> String {
        let rounds = if self.rounds == 1 { "once".to_owned() } else { format!("{} times", self.rounds) };
        format!(
            "{} positions of {} to depth {}, {rounds}, {} MB of table, one thread",
            self.places.len(),
            self.places_name,
            self.depth,
            self.hash
        )
    }
}

fn read_evaluations(reader: &mut Reader) -> Result<Vec<String>, String> {
    let mut named = Vec::new();
    for word in reader.words("evaluation")?.iter().flat_map(|word| word.split(',')).map(str::trim) {
        if !EVALUATIONS.contains(&word) {
            return Err(format!("{KIND}: evaluation '{word}', expected {}", EVALUATIONS.join(" or ")));
        }
        if !named.iter().any(|known| known == word) {
            named.push(word.to_owned());
        }
    }
    if named.is_empty() {
        named.push(EVALUATIONS[0].to_owned());
    }
    Ok(named)
}

fn read_places(spec: Option<Spec>, recalled: Option<Vec<Place>>) -> Result<(Vec<Place>, String), String> {
    let Some(spec) = spec else {
        let place = |(number, fen): (usize, &&str)| Place {
            id: format!("{:02}", number + 1),
            fen: (*fen).to_owned(),
        };
        return Ok((BENCH_POSITIONS.iter().enumerate().map(place).collect(), "bench".to_owned()));
    };
    let mut reader = spec.reader(&format!("{KIND}: positions"));
    let file = reader.text("file")?.map(PathBuf::from);
    let count = reader.value("count", "a whole number")?;
    reader.finish()?;
    let Some(file) = file else { return Err(format!("{KIND}: positions without a file")) };
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    if let Some(places) = recalled {
        return Ok((places, name));
    }
    let tasks = positions::read(&file, count)?;
    let places = tasks.into_iter().map(|task| Place { id: task.id, fen: task.position.to_fen() });
    Ok((places.collect(), name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Profile, String> {
        Profile::read(&Spec::from_toml(text).unwrap())
    }

    #[test]
    fn without_a_word_it_is_the_bench() {
        let profile = read("").unwrap();
        assert_eq!((profile.places.len(), profile.evaluations.join(",")), (40, "hce".to_owned()));
        assert_eq!(profile.functions, Functions::Auto);
        let both = read("evaluation = \"network,hce\"").unwrap();
        assert_eq!(both.evaluations, ["network", "hce"]);
    }

    #[test]
    fn mistakes_are_told() {
        for (text, reason) in [
            ("depth = 0", "depth of 1 to 100"),
            ("evaluation = \"magic\"", "expected hce or network"),
            ("functions = \"gdb\"", "expected auto, perf or none"),
            ("positions = { count = 3 }", "without a file"),
            ("deep = 3", "unknown key 'deep'"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }
}

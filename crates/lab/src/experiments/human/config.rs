//! What a study of speculation is, read from its description.

use std::path::{Path, PathBuf};

use chess::Color;
use human_model::reply::Rating;
use opponent::arena::Arm;

use experiment::conditions::read_openings;
use experiment::spec::Spec;
use match_runner::openings::Openings;
use match_runner::schedule::Shard;

/// The command's name.
pub const KIND: &str = "human";

/// Parts of the description that may change when a run is resumed.
pub const VOLATILE: [&str; 3] = ["concurrency", "shard", "pairs"];

/// A study, checked.
#[derive(Clone, Debug)]
pub struct Study {
    pub name: String,
    pub arms: Vec<Arm>,
    pub ratings: Vec<Rating>,
    /// Openings, each played with both colours.
    pub pairs: u64,
    /// For each move of the engine.
    pub nodes: u64,
    /// The network the simulated humans are drawn from; without it Regan's softmax.
    pub people: Option<PathBuf>,
    /// The engine gives a knight.
    pub knight_odds: bool,
    pub openings: Openings,
    pub openings_name: String,
    pub seed: u64,
    pub concurrency: usize,
    pub shard: Shard,
}

/// One game of the study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meeting {
    pub arm: Arm,
    pub rating: Rating,
    pub opening: u64,
    pub color: Color,
}

impl Meeting {
    /// What its row is filed under.
    pub fn key(&self) -> String {
        let Self { arm, rating, opening, color } = self;
        format!("{}/{}/opening {opening:05}/{color}", arm.name(), rating.points())
    }
}

/// A flag's one word `a,b` or a file's list.
fn list(words: &[String]) -> impl Iterator<Item = &str> {
    words.iter().flat_map(|word| word.split(',')).map(str::trim)
}

impl Study {
    /// Reads and checks a description; opens the book.
    pub fn read(spec: &Spec) -> Result<Self, String> {
        Self::read_with(spec, true)
    }

    /// The same for games already played: the book is not needed and may be gone.
    pub fn recall(spec: &Spec) -> Result<Self, String> {
        Self::read_with(spec, false)
    }

    fn read_with(spec: &Spec, to_play: bool) -> Result<Self, String> {
        let mut reader = spec.clone().reader(KIND);
        let _ = reader.text("experiment")?;
        let mut arms = Vec::new();
        for name in list(&reader.words("arms")?) {
            arms.push(Arm::named(name).map_err(|reason| format!("{KIND}: {reason}"))?);
        }
        if arms.is_empty() {
            arms =
                vec![Arm::Plain, Arm::Contempt, Arm::Expectimax, Arm::Bounded, Arm::Unknown, Arm::Shuffled];
        }
        // Everything is measured against plain search.
        if !arms.contains(&Arm::Plain) {
            arms.insert(0, Arm::Plain);
        }
        let mut ratings = Vec::new();
        for word in list(&reader.words("ratings")?) {
            let points: i64 =
                word.parse().map_err(|_| format!("{KIND}: rating '{word}', expected a number"))?;
            ratings.push(Rating::new(points).map_err(|error| format!("{KIND}: {error}"))?);
        }
        if ratings.is_empty() {
            ratings = [1100i64, 1300, 1500, 1700, 1900].into_iter().flat_map(Rating::new).collect();
        }
        let pairs = reader.value("pairs", "a whole number")?.unwrap_or(200);
        let nodes = reader.value("nodes", "a whole number")?.unwrap_or(100_000);
        let people = reader.text("people")?.map(PathBuf::from);
        // Without a network the people have no replies that could be known beforehand.
        if people.is_none() && arms.contains(&Arm::Perfect) {
            return Err(format!("{KIND}: the arm perfect knows the network of the people, which people = FILE names"));
        }
        let knight_odds = match reader.text("odds")?.as_deref() {
            None | Some("none") => false,
            Some("knight") => true,
            Some(other) => return Err(format!("{KIND}: odds = '{other}', expected none or knight")),
        };
        let seed = reader.value("seed", "a whole number")?.unwrap_or(1);
        let (openings, openings_name) = read_openings(reader.table("openings")?, seed, KIND, to_play)?;
        let concurrency = reader.value("concurrency", "a whole number")?.unwrap_or(1_usize);
        let shard = reader.explained("shard")?.unwrap_or(Shard::ALL);
        let name = reader.text("name")?.unwrap_or_else(|| "Against simulated humans".to_owned());
        reader.finish()?;
        if pairs == 0 || nodes == 0 || concurrency == 0 {
            return Err(format!("{KIND}: pairs, nodes and concurrency must be at least one"));
        }
        Ok(Self {
            name,
            arms,
            ratings,
            pairs,
            nodes,
            people,
            knight_odds,
            openings,
            openings_name,
            seed,
            concurrency,
            shard,
        })
    }

    /// Every game, opening by opening, so that a run cut short has the same openings for everybody.
    pub fn meetings(&self) -> Vec<Meeting> {
        let mut meetings = Vec::new();
        for opening in 0..self.pairs {
            for color in Color::BOTH {
                for rating in &self.ratings {
                    let meeting = |arm: &Arm| Meeting { arm: *arm, rating: *rating, opening, color };
                    meetings.extend(self.arms.iter().map(meeting));
                }
            }
        }
        meetings
    }

    /// The line under a report's title.
    pub fn heading(&self) -> String {
        let ratings: Vec<String> = self.ratings.iter().map(|rating| rating.points().to_string()).collect();
        let is_maia = |path: &Path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().contains("maia"))
        };
        let people = match &self.people {
            None => "Regan's softmax",
            Some(path) if is_maia(path) => "Maia-1's networks",
            Some(_) => "the held-out network",
        };
        let odds = if self.knight_odds { ", the engine without a knight" } else { "" };
        format!(
            "simulated humans of {} drawn from {people}, {} openings of {} with both colours, {} nodes per move{odds}",
            ratings.join(", "),
            self.pairs,
            self.openings_name,
            self.nodes
        )
    }
}

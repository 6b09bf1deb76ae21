//! What is measured, read from its description.

use std::time::Duration;

use kernel::sched::Parallel;
use kernel::sched::virtual_time::MOST_WORKERS;
use laser_search::{BENCH_POSITIONS, BookPlan};

use super::version::Version;
use experiment::engine::read_seconds;
use experiment::spec::{Reader, Spec};
use match_runner::schedule::Shard;

/// The command's name.
pub const KIND: &str = "laser";

/// Parts of the description that may change when a run is resumed.
pub const VOLATILE: [&str; 2] = ["repetitions", "shard"];

/// Games with a book against games without.
#[derive(Clone, Copy, Debug)]
pub struct BookStudy {
    /// Openings, each played with both colours; zero for no games.
    pub openings: u64,
    /// For each move that is searched.
    pub nodes: u64,
    /// Random quiet plies before the players begin.
    pub plies: usize,
    pub plan: BookPlan,
}

/// A study, checked.
#[derive(Clone, Debug)]
pub struct Laser {
    pub name: String,
    pub versions: Vec<Version>,
    pub depth: u32,
    /// Besides to a depth, search for so long and see how deep it comes.
    pub time: Option<Duration>,
    pub threads: Vec<usize>,
    pub virtual_threads: Vec<usize>,
    pub ways: Vec<Parallel>,
    /// Compare the table under locks with the one without.
    pub locks: bool,
    pub book: BookStudy,
    pub hash: usize,
    pub repetitions: u32,
    pub shard: Shard,
}

/// How the workers of a search come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workers {
    Real(usize),
    Virtual(usize),
}

/// One search.
#[derive(Clone, Debug)]
pub struct Search {
    /// Which question it belongs to: `version`, `threads` or `table`.
    pub part: &'static str,
    pub version: Version,
    pub way: Parallel,
    pub workers: Workers,
    /// The table under locks; `None` as the version has it, in the code it is released with.
    pub locked: Option<bool>,
    /// To the study's depth, or for its time.
    pub to_depth: bool,
    pub position: usize,
    pub repetition: u32,
}

impl Search {
    /// What distinguishes it from others at the same position: a line of a table.
    pub fn setting(&self) -> String {
        let workers = match self.workers {
            Workers::Real(count) => format!("{count} real"),
            Workers::Virtual(count) => format!("{count} virtual"),
        };
        let table = match self.locked {
            None => "as released",
            Some(true) => "set-locked",
            Some(false) => "lock-free",
        };
        let limit = if self.to_depth { "depth" } else { "time" };
        format!("{}/{}/{}/{workers}/{table}/{limit}", self.part, self.version.name, self.way)
    }

    /// What its row is filed under.
    pub fn key(&self) -> String {
        format!("{}/position {}/{}", self.setting(), self.position + 1, self.repetition)
    }
}

impl Laser {
    /// Reads and checks a description.
    pub fn read(spec: &Spec) -> Result<Self, String> {
        let mut reader = spec.clone().reader(KIND);
        let _ = reader.text("experiment")?;
        let words = reader.words("versions")?;
        let words: Vec<&str> = words.iter().flat_map(|word| word.split(',')).map(str::trim).collect();
        let words = if words.is_empty() { vec!["ladder"] } else { words };
        let versions =
            Version::of_words(words.into_iter()).map_err(|reason| format!("{KIND}: versions: {reason}"))?;
        let depth = reader.value("depth", "a whole number of plies")?.unwrap_or(10);
        let time = read_seconds(&mut reader, "seconds", KIND)?.filter(|time| !time.is_zero());
        let threads = read_counts(&mut reader, "threads", &[1, 2], 64)?;
        let virtual_threads = read_counts(&mut reader, "virtual", &[1, 2, 4, 8, 16], MOST_WORKERS)?;
        let mut ways = Vec::new();
        for word in reader.words("parallel")?.iter().flat_map(|word| word.split(',')).map(str::trim) {
            let way: Parallel = word
                .parse()
                .map_err(|_| format!("{KIND}: parallel '{word}', expected lazy, ybwc, abdada or teams"))?;
            ways.push(way);
        }
        if ways.is_empty() {
            ways.extend(Parallel::ALL);
        }
        let locks = reader.value("locks", "true or false")?.unwrap_or(true);
        let book = read_book(reader.table("book")?.unwrap_or_default())?;
        let hash = reader.value("hash", "a whole number of megabytes")?.unwrap_or(16);
        let repetitions = reader.value("repetitions", "a whole number")?.unwrap_or(3);
        let shard = reader.explained("shard")?.unwrap_or(Shard::ALL);
        let name = reader.text("name")?.unwrap_or_else(|| "Leiserchess, version by version".to_owned());
        reader.finish()?;
        if !(1..=60).contains(&depth) || repetitions == 0 || hash == 0 {
            return Err(format!("{KIND}: expected a depth of 1 to 60, repetitions and hash of at least 1"));
        }
        Ok(Self {
            name,
            versions,
            depth,
            time,
            threads,
            virtual_threads,
            ways,
            locks,
            book,
            hash,
            repetitions,
            shard,
        })
    }

    /// Every search, repetition by repetition, so that a slow hour of the machine hits every version alike.
    pub fn searches(&self) -> Vec<Search> {
        let mut settings = Vec::new();
        let alone = |part, version: &Version| Search {
            part,
            version: version.clone(),
            way: Parallel::Lazy,
            workers: Workers::Real(1),
            locked: None,
            to_depth: true,
            position: 0,
            repetition: 1,
        };
        for version in &self.versions {
            settings.push(alone("version", version));
            if self.time.is_some() {
                settings.push(Search { to_depth: false, ..alone("version", version) });
            }
        }
        let released = Version::released();
        // One worker is one worker, whatever the way.
        let ways = |count: usize| if count == 1 { &[Parallel::Lazy][..] } else { &self.ways[..] };
        for &count in &self.threads {
            for &way in ways(count) {
                settings.push(Search { way, workers: Workers::Real(count), ..alone("threads", &released) });
            }
            if self.locks {
                for locked in [false, true] {
                    let workers = Workers::Real(count);
                    settings.push(Search { workers, locked: Some(locked), ..alone("table", &released) });
                }
            }
        }
        let mut searches = Vec::new();
        for repetition in 1..=self.repetitions {
            for setting in &settings {
                for position in 0..BENCH_POSITIONS.len() {
                    searches.push(Search { position, repetition, ..setting.clone() });
                }
            }
        }
        // The same every time: once is enough.
        for &count in &self.virtual_threads {
            for &way in ways(count) {
                for position in 0..BENCH_POSITIONS.len() {
                    let workers = Workers::Virtual(count);
                    searches.push(Search { way, workers, position, ..alone("threads", &released) });
                }
            }
        }
        searches
    }

    /// The line under a report's title.
    pub fn heading(&self) -> String {
        let time = self.time.map_or_else(String::new, |time| format!(" and for {} s", time.as_secs_f64()));
        format!(
            "{} positions to depth {}{time}, {} MB of table, {} repetition{}",
            BENCH_POSITIONS.len(),
            self.depth,
            self.hash,
            self.repetitions,
            if self.repetitions == 1 { "" } else { "s" }
        )
    }
}

fn read_counts(reader: &mut Reader, name: &str, usual: &[usize], most: usize) -> Result<Vec<usize>, String> {
    let mut counts = Vec::new();
    for word in reader.words(name)?.iter().flat_map(|word| word.split(',')).map(str::trim) {
        match word.parse() {
            Ok(0) if name == "virtual" => return Ok(Vec::new()),
            Ok(count) if (1..=most).contains(&count) => counts.push(count),
            _ => {
                return Err(format!(
                    "{KIND}: {name} '{word}', expected numbers from 1 to {most}, as in 1,2,4"
                ));
            }
        }
    }
    counts.sort_unstable();
    counts.dedup();
    Ok(if counts.is_empty() { usual.to_vec() } else { counts })
}

fn read_book(spec: Spec) -> Result<BookStudy, String> {
    let mut reader = spec.reader(&format!("{KIND}: book"));
    let mut number = |name: &str, usual: u64| -> Result<u64, String> {
        Ok(reader.value(name, "a whole number")?.unwrap_or(usual))
    };
    let openings = number("openings", 50)?;
    let nodes = number("nodes", 2000)?;
    let plies = number("plies", 2)? as usize;
    let plan = BookPlan {
        plies: number("book_plies", 3)? as usize,
        best: number("best", 2)? as usize,
        rank_depth: number("rank_depth", 4)? as i32,
        depth: number("depth", 9)? as i32,
    };
    reader.finish()?;
    let is_sane = nodes > 0
        && plies <= 40
        && (1..=60).contains(&plan.depth)
        && (1..=60).contains(&plan.rank_depth)
        && plan.plies <= 8
        && (1..=10).contains(&plan.best);
    if !is_sane {
        return Err(format!(
            "{KIND}: book: expected nodes of at least 1, plies up to 40, depths of 1 to 60, book_plies up to 8, best of 1 to 10"
        ));
    }
    Ok(BookStudy { openings, nodes, plies, plan })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Laser, String> {
        Laser::read(&Spec::from_toml(text).unwrap())
    }

    #[test]
    fn every_search_has_a_name_of_its_own() {
        let laser = read("seconds = 0.1\nrepetitions = 2\n").unwrap();
        let mut keys: Vec<String> = laser.searches().iter().map(Search::key).collect();
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
        // Versions to a depth and for a time; one thread, two threads four ways; two tables with each; and virtual time once.
        let positions = BENCH_POSITIONS.len();
        assert_eq!(count, positions * (2 * (5 * 2 + 1 + 4 + 4) + 1 + 4 * 4));
    }

    #[test]
    fn mistakes_are_told() {
        for (text, reason) in [
            ("versions = \"newest\"", "expected ladder"),
            ("threads = \"1,zero\"", "expected numbers from 1 to 64"),
            ("parallel = \"pvs\"", "expected lazy, ybwc, abdada or teams"),
            ("depth = 99", "depth of 1 to 60"),
            ("book = { best = 0 }", "best of 1 to 10"),
            ("books = 3", "unknown key 'books'"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
        assert!(read("virtual = 0").unwrap().virtual_threads.is_empty());
    }
}

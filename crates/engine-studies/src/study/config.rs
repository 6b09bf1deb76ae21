//! What a study is, read from its description.

use std::path::PathBuf;
use std::time::Duration;

use super::ablation;
use super::positions::{self, Task};
use experiment::engine::{EngineSpec, read_seconds};
use experiment::spec::{Node, Spec};
use experiment::store::Row;
use match_runner::schedule::Shard;

/// Which question the searches answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// How many problems are solved, and how soon?
    Suite,
    /// How does the time to a depth change with the number of threads?
    TimeToDepth,
    /// What is each technique worth?
    Ablation,
}

impl Kind {
    /// The command's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Suite => "suite",
            Self::TimeToDepth => "ttd",
            Self::Ablation => "ablate",
        }
    }

    /// Reads what [`Self::as_str`] writes.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Suite, Self::TimeToDepth, Self::Ablation].into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Parts of the description that may change when a run is resumed.
pub const VOLATILE: [&str; 5] = ["concurrency", "shard", "patience", "repetitions", "max_faults"];

/// An engine with one setting.
#[derive(Clone, Debug)]
pub struct Variant {
    /// What the rows are filed under.
    pub series: String,
    pub threads: u32,
    pub engine: EngineSpec,
}

/// A study, checked.
#[derive(Clone, Debug)]
pub struct Study {
    pub kind: Kind,
    pub name: String,
    pub variants: Vec<Variant>,
    /// The series whose times alone are everybody's measure; each series is its own without it.
    pub base: Option<String>,
    /// Every variant searches a position before the next one is taken.
    pub in_turn: bool,
    pub tasks: Vec<Task>,
    pub positions_name: String,
    pub repetitions: u32,
    pub concurrency: usize,
    pub shard: Shard,
    pub patience: Duration,
    pub max_faults: u32,
}

/// One search of the study.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pub variant: usize,
    pub task: usize,
    pub repetition: u32,
}

impl Study {
    /// Reads and checks a description; opens the positions.
    pub fn read(kind: Kind, spec: &Spec) -> Result<Self, String> {
        Self::read_with(kind, spec, None)
    }

    /// The same for searches already done: positions are those of the rows, their file may be gone.
    pub fn recall(kind: Kind, spec: &Spec, rows: &[Row]) -> Result<Self, String> {
        Self::read_with(kind, spec, Some(positions::of_rows(rows)?))
    }

    fn read_with(kind: Kind, spec: &Spec, recalled: Option<Vec<Task>>) -> Result<Self, String> {
        let place = kind.as_str();
        let mut reader = spec.clone().reader(place);
        let _ = reader.text("experiment")?;
        let each = reader.table("each")?.unwrap_or_default();
        let mut own = reader.tables("engine")?;
        let techniques = reader.words("techniques")?;
        if kind == Kind::Ablation {
            if !own.is_empty() {
                return Err(format!(
                    "{place}: takes techniques away from this program's own engine, expected no engine"
                ));
            }
            own = ablation::engines(&techniques)?;
        } else if !techniques.is_empty() {
            return Err(format!("{place}: techniques belong to the experiment ablate"));
        }
        let threads = read_threads(kind, &reader.words("threads")?)?;
        let threads_option = reader.text("threads_option")?.unwrap_or_else(|| "Threads".to_owned());
        let base = reader.text("base")?;
        let in_turn = reader.switch("in_turn")?;
        let mut names = Vec::new();
        let mut variants = Vec::new();
        for (number, own) in own.into_iter().enumerate() {
            for &count in &threads {
                let mut spec = own.clone();
                if kind == Kind::TimeToDepth {
                    spec.set_in("options", &threads_option, Node::Text(count.to_string()));
                }
                let engine = EngineSpec::read(spec, &each, &format!("{place}: engine {}", number + 1))?;
                let is_first = Some(&count) == threads.first();
                if is_first {
                    names.push(engine.name.clone());
                }
                // Whoever is measured by another's times alone need not search alone.
                if !is_first || base.as_ref().is_none_or(|base| *base == engine.name) {
                    variants.push(Variant { series: engine.name.clone(), threads: count, engine });
                }
            }
        }
        check_names(kind, &names, base.as_deref())?;
        let recalls = recalled.is_some();
        let (tasks, positions_name) = read_positions(reader.table("positions")?, place, recalled)?;
        if kind == Kind::Suite && !recalls && !tasks.iter().any(|task| task.expected.is_question()) {
            return Err(format!("{place}: {positions_name} asks nothing: no bm, am or dm in it"));
        }
        let repetitions = reader.value("repetitions", "a whole number")?.unwrap_or(1);
        let patience = read_seconds(&mut reader, "patience", place)?.unwrap_or(Duration::from_secs(600));
        let concurrency = reader.value("concurrency", "a whole number")?.unwrap_or(1_usize);
        let shard = reader.explained("shard")?.unwrap_or(Shard::ALL);
        let max_faults = reader.value("max_faults", "a whole number")?.unwrap_or(5);
        let name = reader.text("name")?.unwrap_or_else(|| format!("{place} on {positions_name}"));
        reader.finish()?;
        if concurrency == 0 || repetitions == 0 {
            return Err(format!("{place}: concurrency and repetitions must be at least one"));
        }
        Ok(Self {
            kind,
            name,
            variants,
            base,
            in_turn,
            tasks,
            positions_name,
            repetitions,
            concurrency,
            shard,
            patience,
            max_faults,
        })
    }

    /// All searches, repetition by repetition, so that a slow hour of the machine hits every variant alike; in turn, so
    /// that a slow minute does.
    pub fn searches(&self) -> Vec<Search> {
        let mut searches = Vec::new();
        let (variants, tasks) = (self.variants.len(), self.tasks.len());
        for repetition in 0..self.repetitions {
            for number in 0..variants * tasks {
                let (variant, task) = if self.in_turn {
                    (number % variants, number / variants)
                } else {
                    (number / tasks, number % tasks)
                };
                searches.push(Search { variant, task, repetition });
            }
        }
        searches
    }

    /// The name a search is stored under.
    pub fn key(&self, search: &Search) -> String {
        let variant = &self.variants[search.variant];
        let task = &self.tasks[search.task];
        format!("{}/{}/{}/{}", variant.series, variant.threads, task.id, search.repetition + 1)
    }

    /// The line under a report's title.
    pub fn heading(&self) -> String {
        let limits =
            self.variants.first().map_or_else(String::new, |variant| variant.engine.limits.to_string());
        let mut heading = format!(
            "{} positions of {}, {limits}, {} repetition{}",
            self.tasks.len(),
            self.positions_name,
            self.repetitions,
            if self.repetitions == 1 { "" } else { "s" }
        );
        if self.in_turn {
            heading.push_str(", variants in turn");
        }
        if let Some(base) = &self.base {
            heading += ", all measured by ";
            heading += base;
            heading += " alone";
        }
        heading
    }

    /// Names of the series in the order given.
    pub fn series(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for variant in &self.variants {
            if !names.contains(&variant.series) {
                names.push(variant.series.clone());
            }
        }
        names
    }
}

fn read_threads(kind: Kind, words: &[String]) -> Result<Vec<u32>, String> {
    let place = kind.as_str();
    if kind != Kind::TimeToDepth {
        return if words.is_empty() {
            Ok(vec![1])
        } else {
            Err(format!("{place}: threads belong to the experiment ttd"))
        };
    }
    let mut threads: Vec<u32> = Vec::new();
    for word in words.iter().flat_map(|word| word.split(',')) {
        match word.trim().parse() {
            Ok(count) if count > 0 => threads.push(count),
            _ => return Err(format!("{place}: threads = '{word}', expected numbers such as 1,2,4")),
        }
    }
    threads.sort_unstable();
    threads.dedup();
    Ok(if threads.is_empty() { vec![1, 2] } else { threads })
}

fn check_names(kind: Kind, names: &[String], base: Option<&str>) -> Result<(), String> {
    let place = kind.as_str();
    if names.is_empty() {
        return Err(format!("{place}: no engine, expected cmd=path/to/engine or proto=internal"));
    }
    if let Some((_, name)) = names.iter().enumerate().find(|(number, name)| names[..*number].contains(name)) {
        return Err(format!("{place}: two engines are called '{name}', expected different names"));
    }
    match base {
        Some(_) if kind != Kind::TimeToDepth => Err(format!("{place}: base belongs to the experiment ttd")),
        Some(base) if !names.iter().any(|name| name == base) => {
            Err(format!("{place}: base = '{base}', expected the name of an engine: {}", names.join(", ")))
        }
        _ => Ok(()),
    }
}

fn read_positions(
    spec: Option<Spec>,
    place: &str,
    recalled: Option<Vec<Task>>,
) -> Result<(Vec<Task>, String), String> {
    let Some(spec) = spec else {
        return Err(format!("{place}: no positions, expected positions file=SUITE.epd"));
    };
    let mut reader = spec.reader(&format!("{place}: positions"));
    let file = reader.text("file")?.map(PathBuf::from);
    let count = reader.value("count", "a whole number")?;
    reader.finish()?;
    let Some(file) = file else { return Err(format!("{place}: positions without a file")) };
    let name = file
        .file_name()
        .map_or_else(|| "positions".to_owned(), |name| common::escape_control(&name.to_string_lossy()));
    let tasks = match recalled {
        Some(tasks) => tasks,
        None => positions::read(&file, count)?,
    };
    Ok((tasks, name))
}

//! The experiments of a folder, for the page: a list with progress, reports and games; and those it starts.

use crate::allowed_engine::AllowedEngine;
use crate::experiment_runs::ExperimentRuns;
use crate::import::Collections;
use crate::messages::{Experiment, Imported, LabStart};
use crate::problem::Problem;
use experiment::store::{FILE_NAME, Store, StoreError};
use lab::experiments::kind_named;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Depth of folders that are searched below the root, and the number of experiments shown.
const DEPTH: u32 = 4;
const MOST: usize = 200;
const NEXT: &str = "Reload the list of experiments.";
/// Folders that hold no experiments and are slow to look through.
const SKIPPED: [&str; 3] = ["target", "node_modules", ".git"];

pub struct ExperimentFolder {
    root: PathBuf,
    /// Folders the page has seen: it names them by their place in this list, never by a path.
    known: Mutex<Vec<PathBuf>>,
    runs: ExperimentRuns,
}

impl ExperimentFolder {
    /// Shows the experiments below a folder.
    pub fn new(root: PathBuf) -> ExperimentFolder {
        ExperimentFolder { root, known: Mutex::new(Vec::new()), runs: ExperimentRuns::default() }
    }

    /// The experiments, latest first, and the folder that was searched.
    pub fn list(&self) -> (Vec<Experiment>, String) {
        let mut folders = Vec::new();
        find(&self.root, DEPTH, &mut folders);
        // In the shape that a new run's folder has, so that both are one.
        let mut folders: Vec<PathBuf> =
            folders.into_iter().map(|folder| std::fs::canonicalize(&folder).unwrap_or(folder)).collect();
        for folder in self.runs.folders() {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        let mut experiments: Vec<Experiment> =
            folders.into_iter().map(|folder| self.describe(&folder)).collect();
        experiments.sort_by(|one, other| other.created.cmp(&one.created));
        // In full: "." says nothing to a person.
        let place = std::fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        (experiments, place.display().to_string())
    }

    fn describe(&self, folder: &Path) -> Experiment {
        let id = self.number(folder);
        let root = std::fs::canonicalize(&self.root).unwrap_or_else(|_| self.root.clone());
        let shown = folder.strip_prefix(&root).unwrap_or(folder).display().to_string();
        let state = self.runs.state(folder);
        let mut experiment = Experiment {
            id,
            kind: String::new(),
            name: shown.clone(),
            created: String::new(),
            folder: shown,
            done: 0,
            wanted: None,
            unit: String::new(),
            problem: None,
            running: state.running,
            said: state.said,
            games: false,
        };
        match progress(folder) {
            Ok(found) => {
                experiment.kind = found.kind;
                experiment.name = found.name;
                experiment.created = found.created;
                experiment.done = found.done;
                experiment.wanted = found.wanted;
                experiment.unit = found.unit.to_string();
                experiment.games = found.unit == "games" && found.done > 0;
            }
            // A run that has just begun has no store yet.
            Err(_) if experiment.running => {}
            Err(_) if !experiment.said.is_empty() => experiment.problem = Some(experiment.said.clone()),
            Err(error) => experiment.problem = Some(error.to_string()),
        }
        experiment
    }

    fn number(&self, folder: &Path) -> u32 {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let place = known.iter().position(|seen| seen == folder).unwrap_or_else(|| {
            known.push(folder.to_owned());
            known.len() - 1
        });
        place as u32
    }

    fn folder(&self, id: u32) -> Result<PathBuf, Problem> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(id as usize).cloned().ok_or_else(|| Problem::new("There is no such experiment.", NEXT))
    }

    /// The report as it is now, a page of its own.
    pub fn report(&self, id: u32) -> Result<String, Problem> {
        render(&self.folder(id)?).map_err(|what| Problem::new(what, NEXT))
    }

    pub fn start(&self, wanted: &LabStart, engines: &[AllowedEngine]) -> Result<(), Problem> {
        self.runs.start(&self.root, wanted, engines)
    }

    pub fn stop(&self, id: u32) -> Result<(), Problem> {
        self.runs.stop(&self.folder(id)?)
    }

    pub fn resume(&self, id: u32) -> Result<(), Problem> {
        self.runs.resume(&self.folder(id)?)
    }

    /// The games so far, as an upload would be.
    pub fn games(&self, id: u32, collections: &Collections) -> Result<Imported, Problem> {
        let folder = self.folder(id)?;
        let pgn = Store::open(&folder).and_then(|store| store.export_pgn());
        let pgn = pgn.map_err(|error| Problem::new(error.to_string(), NEXT))?;
        collections.add(pgn.as_bytes())
    }
}

struct Progress {
    kind: String,
    name: String,
    created: String,
    done: u32,
    wanted: Option<u32>,
    unit: &'static str,
}

fn progress(folder: &Path) -> Result<Progress, StoreError> {
    let store = Store::open(folder)?;
    let description = store.description()?;
    let (games, rows) = (store.game_numbers()?.len() as u32, store.rows()?.len() as u32);
    let (done, unit) = if games > 0 { (games, "games") } else { (rows, "rows") };
    let wanted = description.spec.text("games").and_then(|games| games.parse().ok());
    Ok(Progress {
        kind: description.kind,
        name: description.name,
        created: description.created,
        done,
        wanted,
        unit,
    })
}

fn render(folder: &Path) -> Result<String, String> {
    let words = |error: StoreError| error.to_string();
    let store = Store::open(folder).map_err(words)?;
    let description = store.description().map_err(words)?;
    let kind = kind_named(&description.kind)
        .ok_or_else(|| format!("This version does not know the kind '{}'.", description.kind))?;
    kind.read(&description.spec, Some(&store))?.render(&store)
}

fn find(folder: &Path, depth: u32, found: &mut Vec<PathBuf>) {
    if found.len() >= MOST {
        return;
    }
    if folder.join(FILE_NAME).is_file() {
        found.push(folder.to_owned());
    }
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let skipped = SKIPPED.iter().any(|name| entry.file_name() == *name);
        if depth > 0 && !skipped && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            find(&entry.path(), depth - 1, found);
        }
    }
}

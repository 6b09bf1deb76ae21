//! Experiments that the page starts, on a thread of the server: ready-made studies, and matches between engines that the
//! operator allows. The page chooses among typed values; it writes no flag and names no file.

use crate::allowed_engine::AllowedEngine;
use crate::limits;
use crate::messages::{LabPlayer, LabStart, LabStudy};
use crate::problem::Problem;
use lab::cli::{StopFlag, StudyFacts, run_until, study_facts};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Bytes of what a run says that are kept: the last ones.
const KEPT: usize = 4096;
const GAMES: std::ops::RangeInclusive<u32> = 2..=10_000;
const NODES: std::ops::RangeInclusive<u32> = 100..=10_000_000;

#[derive(Default)]
pub struct ExperimentRuns(Mutex<Vec<Run>>);

struct Run {
    folder: PathBuf,
    stop: StopFlag,
    said: Said,
    thread: JoinHandle<u8>,
}

/// What a run says, for the page.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(bytes);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Said {
    fn last_line(&self) -> String {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&kept).replace('\r', "\n");
        let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty());
        common::escape_control(line.unwrap_or_default())
    }
}

/// How a run of this server stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunState {
    pub running: bool,
    /// The last line it wrote.
    pub said: String,
}

/// The studies inside the program.
pub fn studies() -> Result<Vec<LabStudy>, Problem> {
    let facts = study_facts().map_err(|error| Problem::new(error, "Build the program again."))?;
    let describe = |StudyFacts { name, kind, about, time, quick_time }: StudyFacts| LabStudy {
        name,
        kind,
        about,
        time,
        quick_time,
    };
    Ok(facts.into_iter().map(describe).collect())
}

impl ExperimentRuns {
    /// Folders of the runs since the server started, running or ended.
    pub fn folders(&self) -> Vec<PathBuf> {
        let runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        runs.iter().map(|run| run.folder.clone()).collect()
    }

    pub fn state(&self, folder: &Path) -> RunState {
        let runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let run = runs.iter().find(|run| run.folder == folder);
        run.map_or_else(RunState::default, |run| RunState {
            running: !run.thread.is_finished(),
            said: run.said.last_line(),
        })
    }

    /// Starts what the page chose, in a new folder below `root`.
    pub fn start(&self, root: &Path, wanted: &LabStart, engines: &[AllowedEngine]) -> Result<(), Problem> {
        let (name, mut words) = words(wanted, engines)?;
        let folder = fresh_folder(root, &name)?;
        words.extend(["--out".to_string(), folder.display().to_string()]);
        self.spawn(folder, words)
    }

    /// Continues an experiment where it ended.
    pub fn resume(&self, folder: &Path) -> Result<(), Problem> {
        self.spawn(folder.to_owned(), vec!["resume".to_string(), folder.display().to_string()])
    }

    /// Ends a run between two games; nothing is lost.
    pub fn stop(&self, folder: &Path) -> Result<(), Problem> {
        let runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let run = runs.iter().find(|run| run.folder == folder && !run.thread.is_finished());
        run.map(|run| run.stop.raise()).ok_or_else(|| {
            Problem::new("This experiment was not started here.", "Stop it where it was started.")
        })
    }

    fn spawn(&self, folder: PathBuf, words: Vec<String>) -> Result<(), Problem> {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if runs.iter().any(|run| !run.thread.is_finished()) {
            return Err(Problem::new(
                "An experiment is running: a second one would disturb it.",
                "Stop it first, or wait for its end.",
            ));
        }
        let (stop, said) = (StopFlag::default(), Said::default());
        let (raised, mut out, mut err) = (stop.clone(), said.clone(), said.clone());
        let thread = std::thread::Builder::new()
            .name("experiment".to_string())
            .spawn(move || run_until(&words, &mut out, &mut err, &raised))
            .map_err(|error| {
                Problem::new(format!("The experiment cannot start: {error}."), "Close other programs.")
            })?;
        runs.retain(|run| run.folder != folder);
        runs.push(Run { folder, stop, said, thread });
        Ok(())
    }
}

/// A name for the folder, and the words of the laboratory's command line.
fn words(wanted: &LabStart, engines: &[AllowedEngine]) -> Result<(String, Vec<String>), Problem> {
    match wanted {
        LabStart::Study { name, quick } => {
            let known = studies()?.into_iter().any(|study| study.name == *name);
            if !known {
                return Err(Problem::new("There is no such study.", "Reload the page."));
            }
            let mut words = vec!["run".to_string(), name.clone()];
            if *quick {
                words.push("--quick".to_string());
            }
            Ok((name.clone(), words))
        }
        LabStart::Match { first, second, games, nodes } => {
            let mut words = vec!["match".to_string()];
            for (number, player) in [(1, first), (2, second)] {
                words.push("--engine".to_string());
                words.extend(player_words(number, player, engines)?);
            }
            let games = (*games).clamp(*GAMES.start(), *GAMES.end()) & !1;
            let nodes = (*nodes).clamp(*NODES.start(), *NODES.end());
            for word in ["--each", &format!("nodes={nodes}"), "option.Hash=16", "--games", &games.to_string()]
            {
                words.push(word.to_string());
            }
            words.extend(["--openings", "file=data:openings/balanced.epd"].map(str::to_string));
            Ok(("match".to_string(), words))
        }
    }
}

fn player_words(number: u32, player: &LabPlayer, engines: &[AllowedEngine]) -> Result<Vec<String>, Problem> {
    let mut words = match &player.engine {
        None => vec!["proto=internal".to_string()],
        Some(name) => {
            let allowed = engines.iter().find(|engine| engine.name == *name).ok_or_else(|| {
                Problem::new("The operator does not allow this engine.", "Choose another engine.")
            })?;
            vec![format!("cmd={}", allowed.path.display())]
        }
    };
    let base = player.engine.as_deref().unwrap_or("Tabiya");
    let level = player.level.map_or_else(String::new, |level| format!("-{level}"));
    let plain: String = base.chars().filter(|letter| letter.is_alphanumeric()).take(limits::WORDS).collect();
    words.push(format!("name={plain}{level}-{number}"));
    if let Some(level) = player.level {
        words.extend(["option.UCI_LimitStrength=true".to_string(), format!("option.UCI_Elo={level}")]);
    }
    Ok(words)
}

fn fresh_folder(root: &Path, name: &str) -> Result<PathBuf, Problem> {
    let root = std::fs::canonicalize(root).map_err(|error| {
        Problem::new(format!("The folder cannot be used: {error}."), "Choose another with --lab.")
    })?;
    let mut numbers = (1..10_000).map(|number| root.join(format!("lab-{name}-{number}")));
    numbers.find(|folder| !folder.exists()).ok_or_else(|| {
        Problem::new("There are too many experiments here.", "Choose another folder with --lab.")
    })
}

#[cfg(test)]
mod tests;

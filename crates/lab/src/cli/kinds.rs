//! The kinds of experiments: which flags each takes, how it runs, and how its report is drawn.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::Failure;
use super::commands::print;
use super::flags::{self, Flag, Given};
use crate::experiments::people;
use crate::experiments::spsa::{self, Tuning};
use crate::experiments::tournament::{self, Tournament};
use engine_studies::laser::{self, Laser};
use engine_studies::profile::{self, Profile};
use engine_studies::study::{self, Study};
use experiment::session::Session;
use experiment::store::Store;
use match_runner::stop::StopFlag;

/// A kind of experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Experiment {
    Tournament(tournament::Kind),
    Study(study::Kind),
    Tuning,
    Laser,
    Profile,
    People,
}

/// Where an experiment runs: its description, its folder, and whom it tells.
pub(super) struct Desk<'a> {
    pub given: &'a Given,
    pub directory: &'a Path,
    pub out: &'a mut dyn Write,
    pub err: &'a mut dyn Write,
    pub stop: &'a StopFlag,
}

impl Experiment {
    /// The kind a command or a store calls so.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            spsa::config::KIND => Some(Self::Tuning),
            laser::config::KIND => Some(Self::Laser),
            profile::config::KIND => Some(Self::Profile),
            people::config::KIND => Some(Self::People),
            _ => {
                let tournament = tournament::Kind::parse(word).map(Self::Tournament);
                tournament.or_else(|| study::Kind::parse(word).map(Self::Study))
            }
        }
    }

    /// The kind of the experiment in a store.
    pub fn of(store: &Store) -> Result<Self, Failure> {
        let kind = store.description()?.kind;
        Self::named(&kind)
            .ok_or_else(|| Failure::Failed(format!("{}: unknown kind '{kind}'", store.directory().display())))
    }

    /// The command's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tournament(kind) => kind.as_str(),
            Self::Study(kind) => kind.as_str(),
            Self::Tuning => spsa::config::KIND,
            Self::Laser => laser::config::KIND,
            Self::Profile => profile::config::KIND,
            Self::People => people::config::KIND,
        }
    }

    /// The flags its command takes.
    pub fn flags(self) -> &'static [Flag] {
        match self {
            Self::Tournament(_) => &flags::TOURNAMENT,
            Self::Study(_) => &flags::STUDY,
            Self::Tuning => &flags::TUNING,
            Self::Laser => &flags::LASER,
            Self::Profile => &flags::PROFILE,
            Self::People => &flags::PEOPLE,
        }
    }

    /// Parts of its description that may change when a run is resumed.
    pub fn volatile(self) -> &'static [&'static str] {
        match self {
            Self::Tournament(_) => &tournament::config::VOLATILE,
            Self::Study(_) => &study::config::VOLATILE,
            Self::Tuning => &spsa::config::VOLATILE,
            Self::Laser => &laser::config::VOLATILE,
            Self::Profile => &profile::config::VOLATILE,
            Self::People => &people::config::VOLATILE,
        }
    }

    /// The folder it runs in when none is named.
    pub fn folder(self) -> PathBuf {
        PathBuf::from(format!("lab-{}", self.name()))
    }

    /// Runs what is missing, prints the table, writes the data and the report. Answers the exit code.
    pub fn run(self, desk: &mut Desk<'_>) -> Result<u8, Failure> {
        let spec = &desk.given.spec;
        if let Some(other) = spec.text("experiment")
            && other != self.name()
        {
            return Err(Failure::Usage(format!(
                "the file describes '{other}', the command is '{}'",
                self.name()
            )));
        }
        let finish = match self {
            Self::Tournament(kind) => {
                let tournament = Tournament::read(kind, spec)?;
                let mut store = desk.open(self, &tournament.name)?;
                let finish = tournament::run(&tournament, &mut store, &mut desk.session())?;
                conclude(&tournament, &store, desk.out)?;
                finish
            }
            Self::Study(kind) => {
                let study = Study::read(kind, spec)?;
                let mut store = desk.open(self, &study.name)?;
                let finish = study::run(&study, &mut store, &mut desk.session())?;
                let rows: Vec<_> = store.rows()?.iter().filter_map(study::rows::Measured::read).collect();
                let table = study::report::table(&study, &rows);
                desk.hand_over(&store, &table, &study::report::render(&study, &store)?)?;
                finish
            }
            Self::Tuning => {
                let tuning = Tuning::read(spec)?;
                let mut store = desk.open(self, &tuning.name)?;
                let finish = spsa::run(&tuning, &mut store, &mut desk.session())?;
                let table = spsa::report::table(&tuning, &spsa::run::results(&store.rows()?));
                desk.hand_over(&store, &table, &spsa::report::render(&tuning, &store)?)?;
                finish
            }
            Self::Laser => {
                let laser = Laser::read(spec)?;
                let mut store = desk.open(self, &laser.name)?;
                let finish = laser::run(&laser, &mut store, &mut desk.session())?;
                let table = laser::report::table(&laser, &store.rows()?);
                desk.hand_over(&store, &table, &laser::report::render(&laser, &store)?)?;
                finish
            }
            Self::Profile => {
                let profile = Profile::read(spec)?;
                let mut store = desk.open(self, &profile.name)?;
                let finish = profile::run(&profile, &mut store, &mut desk.session())?;
                let table = profile::report::table(&profile, &store.rows()?);
                desk.hand_over(&store, &table, &profile::report::render(&profile, &store)?)?;
                finish
            }
            Self::People => {
                let people = people::Study::read(spec)?;
                let mut store = desk.open(self, &people.name)?;
                let finish = people::run(&people, &mut store, &mut desk.session())?;
                let table = people::report::table(&store)?;
                desk.hand_over(&store, &table, &people::report::render(&people, &store)?)?;
                finish
            }
        };
        Ok(finish.exit_code())
    }

    /// The report of a store of this kind, from its data alone.
    pub fn redraw(self, store: &Store) -> Result<String, Failure> {
        let spec = store.description()?.spec;
        Ok(match self {
            Self::Tournament(kind) => tournament::report::render(&Tournament::recall(kind, &spec)?, store)?,
            Self::Study(kind) => study::report::render(&Study::recall(kind, &spec, &store.rows()?)?, store)?,
            Self::Tuning => spsa::report::render(&Tuning::recall(&spec)?, store)?,
            Self::Laser => laser::report::render(&Laser::read(&spec)?, store)?,
            Self::Profile => profile::report::render(&Profile::recall(&spec, &store.rows()?)?, store)?,
            Self::People => people::report::render(&people::Study::recall(&spec)?, store)?,
        })
    }
}

impl Desk<'_> {
    fn open(&self, experiment: Experiment, name: &str) -> Result<Store, Failure> {
        let spec = &self.given.spec;
        Ok(Store::open_or_create(self.directory, experiment.name(), name, spec, experiment.volatile())?)
    }

    fn session(&mut self) -> Session<'_> {
        Session { progress: self.err, stop: self.stop.clone(), verbose: self.given.verbose }
    }

    /// Prints the table of an experiment in rows and writes its rows and its report.
    fn hand_over(&mut self, store: &Store, table: &str, page: &str) -> Result<(), Failure> {
        print(self.out, table)?;
        write_file(store.directory(), "rows.csv", &store.export_csv()?)?;
        hand_over_report(store, page, self.out)
    }
}

/// Writes what a reader of a tournament wants and prints the table.
pub(super) fn conclude(tournament: &Tournament, store: &Store, out: &mut dyn Write) -> Result<(), Failure> {
    let games = store.games()?;
    let standings = tournament::run::standings_of(tournament, &games)?;
    print(out, &(tournament::table::render(tournament, &standings) + "\n"))?;
    write_file(store.directory(), "games.csv", &store.export_csv()?)?;
    write_file(store.directory(), "games.pgn", &store.export_pgn()?)?;
    write_file(store.directory(), "final.epd", &store.export_epd()?)?;
    hand_over_report(store, &tournament::report::render(tournament, store)?, out)
}

/// Writes a report beside its data and says where it lies.
pub(super) fn hand_over_report(store: &Store, page: &str, out: &mut dyn Write) -> Result<(), Failure> {
    write_file(store.directory(), "report.html", page)?;
    print(out, &format!("report: {}\n", store.directory().join("report.html").display()))
}

fn write_file(directory: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let path = directory.join(name);
    std::fs::write(&path, text).map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_known_by_its_name() {
        let words = [
            "match",
            "sprt",
            "ratings",
            "threads-elo",
            "suite",
            "ttd",
            "ablate",
            "spsa",
            "laser",
            "profile",
            "human",
        ];
        for word in words {
            assert_eq!(Experiment::named(word).map(Experiment::name), Some(word));
        }
        assert_eq!(Experiment::named("hope"), None);
    }
}

//! `lab studies` and `lab run`: the ready-made studies inside the program.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use experiment::failure::Failure;
use experiment::flags;
use experiment::runner::{self, Output, print};
use experiment::spec::{Node, Spec};
use study_data::{Study, studies};

use crate::experiments::kind_named;

/// What a study's file says about itself.
fn about(study: Study) -> Result<Spec, Failure> {
    let mut spec = read(study)?;
    match spec.remove("about") {
        Some(Node::Table(about)) => Ok(about),
        _ => Err(Failure::Failed(format!("{}: no table [about]", study.name))),
    }
}

fn read(study: Study) -> Result<Spec, Failure> {
    Spec::from_toml(study.text).map_err(|error| Failure::Failed(format!("{}: {error}", study.name)))
}

/// A ready-made study, as programs list it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StudyFacts {
    pub name: String,
    pub kind: String,
    pub about: String,
    /// Estimates for 2 cores, in words.
    pub time: String,
    pub quick_time: String,
}

/// Every ready-made study. The error says which file cannot be read.
pub fn study_facts() -> Result<Vec<StudyFacts>, String> {
    let describe = |study: Study| -> Result<StudyFacts, Failure> {
        let (about, spec) = (about(study)?, read(study)?);
        let word = |name: &str| about.text(name).unwrap_or("?").to_owned();
        Ok(StudyFacts {
            name: study.name.to_owned(),
            kind: spec.text("experiment").unwrap_or("?").to_owned(),
            about: word("reproduces"),
            time: word("time"),
            quick_time: word("quick_time"),
        })
    };
    studies()
        .map(|study| {
            describe(study).map_err(|failure| match failure {
                Failure::Usage(reason) | Failure::Failed(reason) => reason,
            })
        })
        .collect()
}

/// Lists the studies: what they reproduce and how long they take.
pub(super) fn list(out: &mut dyn Write) -> Result<u8, Failure> {
    let mut text =
        "Ready-made studies; times are estimates for 2 cores, in full and with --quick.\n\n".to_owned();
    for study in studies() {
        let (about, spec) = (about(study)?, read(study)?);
        let word = |name: &str| about.text(name).unwrap_or("?");
        let _ = writeln!(
            text,
            "{} ({}; about {}, quick {})\n    {}",
            study.name,
            spec.text("experiment").unwrap_or("?"),
            word("time"),
            word("quick_time"),
            word("reproduces")
        );
        if let Some(source) = about.text("source") {
            let _ = writeln!(text, "    after {source}");
        }
    }
    text +=
        "\nlab run NAME [--quick] [--out DIR] [flags of the kind]; lab run NAME --print shows the file.\n";
    print(out, &text)?;
    Ok(0)
}

/// Runs or prints one study; flags are laid over its file.
pub(super) fn run(words: Vec<OsString>, output: &mut Output<'_>) -> Result<u8, Failure> {
    let mut words = words;
    if words.is_empty() || words[0].to_string_lossy().starts_with('-') {
        return Err(Failure::Usage("run: expected the name of a study; 'lab studies' lists them".to_owned()));
    }
    let name = words.remove(0).to_string_lossy().into_owned();
    let Some(study) = studies().find(|study| study.name == name) else {
        let known: Vec<&str> = studies().map(|study| study.name).collect();
        return Err(Failure::Usage(format!("run: no study '{name}'; there are: {}", known.join(", "))));
    };
    if words.iter().any(|word| word == "--print") {
        print(output.out, study.text)?;
        return Ok(0);
    }
    let mut spec = read(study)?;
    let word = spec.text("experiment").unwrap_or_default();
    let Some(kind) = kind_named(word) else {
        return Err(Failure::Failed(format!("{name}: unknown kind '{word}'")));
    };
    let (files, mut given) = flags::read_files(lexopt::Parser::from_args(words), kind.flags())?;
    if let Some(file) = files.first() {
        return Err(Failure::Usage(format!("'{}' after the name of the study", file.display())));
    }
    given.scale.apply(&mut spec)?;
    spec.overlay(std::mem::take(&mut given.spec));
    given.spec = spec;
    let directory = given.out.clone().unwrap_or_else(|| PathBuf::from(format!("lab-{name}")));
    runner::run(kind, &given, &directory, output)
}

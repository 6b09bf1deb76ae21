//! Flags of experiments. Each is one value; reading and help both use it.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::spec::{Node, Spec};

/// What follows a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// One value.
    Value,
    /// Words `name=value`; they make a table.
    Table,
    /// Words `name=value`; every use adds a table to a list.
    List,
    /// Nothing.
    Switch,
}

/// One flag. Its name with `_` for `-` is the key in a TOML file.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    pub name: &'static str,
    pub argument: Argument,
    /// What follows, as help shows it.
    pub shape: &'static str,
    pub help: &'static str,
}

impl Flag {
    /// A flag with one value.
    pub const fn value(name: &'static str, shape: &'static str, help: &'static str) -> Self {
        Self { name, argument: Argument::Value, shape, help }
    }

    /// A flag with words `name=value`.
    pub const fn table(name: &'static str, shape: &'static str, help: &'static str) -> Self {
        Self { name, argument: Argument::Table, shape, help }
    }

    /// A flag with words `name=value` that may be repeated.
    pub const fn list(name: &'static str, shape: &'static str, help: &'static str) -> Self {
        Self { name, argument: Argument::List, shape, help }
    }

    /// A flag without a value.
    pub const fn switch(name: &'static str, help: &'static str) -> Self {
        Self { name, argument: Argument::Switch, shape: "", help }
    }

    /// The lines of a help text.
    pub fn help_lines(&self) -> String {
        format!("  --{} {}\n        {}\n", self.name, self.shape, self.help)
    }
}

/// An engine that takes part.
pub const ENGINE: Flag = Flag::list(
    "engine",
    "cmd=PATH [name=N] [proto=uci|xboard|internal] [args=A] [dir=D] [option.NAME=V] [tc=.. st=.. nodes=.. depth=..] [margin=MS] [ponder=true] [rating=R]",
    "an engine; one flag per engine",
);
/// Settings of all engines.
pub const EACH: Flag = Flag::table(
    "each",
    "tc=8+0.08 option.Hash=16 ...",
    "settings of every engine that does not say otherwise",
);
/// Start positions of games.
pub const OPENINGS: Flag = Flag::table(
    "openings",
    "file=BOOK.epd|.pgn|.bin[.zst] [order=random|sequential] [plies=16]",
    "start positions, each played twice with colours swapped; data:NAME is a file inside the program",
);
/// Positions to search.
pub const POSITIONS: Flag = Flag::table(
    "positions",
    "file=SUITE.epd [count=N]",
    "the positions to search; data:NAME is a file inside the program",
);
/// Resignation by score.
pub const RESIGN: Flag = Flag::table(
    "resign",
    "[moves=3] [score=600] [both=true]",
    "resignation rule: end games that are lost by the engines' own scores",
);
/// Draws by score.
pub const DRAW: Flag = Flag::table(
    "draw",
    "[from=40] [moves=8] [score=10]",
    "draw rule: end games that are level by the engines' own scores",
);
/// Adjudication by tablebases.
pub const TABLES: Flag = Flag::table(
    "tables",
    "path=FOLDERS [pieces=N]",
    "Syzygy tablebases: end games they know, after a capture or pawn move",
);
/// One part of a run.
pub const SHARD: Flag =
    Flag::value("shard", "I/N", "run only part I of N; join the folders with 'lab merge'");

/// A command line, read.
#[derive(Debug, Default)]
pub struct Given {
    pub spec: Spec,
    pub out: Option<PathBuf>,
    pub verbose: bool,
    pub scale: Scale,
}

/// Which values of a file are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Those of the study.
    #[default]
    Full,
    /// With those of the table `[quick]` over them: a look in minutes.
    Quick,
    /// With those of the table `[tiny]` over them: seconds, to see that it runs.
    Tiny,
}

impl Scale {
    const TABLES: [(Self, &'static str); 2] = [(Self::Quick, "quick"), (Self::Tiny, "tiny")];

    /// Takes the tables about scales, and what is told about the study, out of a description and lays the chosen one
    /// over it.
    pub fn apply(self, spec: &mut Spec) -> Result<(), Failure> {
        spec.remove("about");
        for (scale, name) in Self::TABLES {
            let table = spec.remove(name);
            if scale != self {
                continue;
            }
            let Some(Node::Table(table)) = table else {
                return Err(Failure::Usage(format!("--{name}: the file has no table [{name}]")));
            };
            spec.overlay(table);
        }
        Ok(())
    }
}

/// Bytes of a description that are read at most.
const LARGEST_FILE: u64 = 1 << 20;

/// Reads `[FILE.toml] flags`: the file first, the flags over it.
pub fn read(parser: lexopt::Parser, flags: &[Flag]) -> Result<Given, Failure> {
    let (files, mut given) = read_files(parser, flags)?;
    let flags = std::mem::take(&mut given.spec);
    match files.as_slice() {
        [] => {}
        [file] => {
            let told =
                |error: &dyn std::fmt::Display| Failure::Failed(format!("{}: {error}", file.display()));
            let bytes = common::read_bounded(file, LARGEST_FILE).map_err(|error| told(&error))?;
            let text = String::from_utf8(bytes).map_err(|error| told(&error))?;
            given.spec = Spec::from_toml(&text).map_err(|error| told(&error))?;
        }
        [_, second, ..] => {
            return Err(Failure::Usage(format!("'{}' after the experiment's file", second.display())));
        }
    }
    given.scale.apply(&mut given.spec)?;
    given.spec.overlay(flags);
    Ok(given)
}

/// Reads `FILE.. flags`; the flags make the description.
pub fn read_files(mut parser: lexopt::Parser, flags: &[Flag]) -> Result<(Vec<PathBuf>, Given), Failure> {
    use lexopt::{Arg, ValueExt};
    let mut given = Given::default();
    let mut files = Vec::new();
    while let Some(argument) = parser.next()? {
        let name = match argument {
            Arg::Value(value) => {
                files.push(PathBuf::from(value));
                continue;
            }
            Arg::Long("out") | Arg::Short('o') => {
                given.out = Some(PathBuf::from(parser.value()?));
                continue;
            }
            Arg::Long("verbose") | Arg::Short('v') => {
                given.verbose = true;
                continue;
            }
            Arg::Long("quick") => {
                given.scale = Scale::Quick;
                continue;
            }
            Arg::Long("tiny") => {
                given.scale = Scale::Tiny;
                continue;
            }
            Arg::Long(name) => name.to_owned(),
            Arg::Short(letter) => return Err(Failure::Usage(format!("unknown flag -{letter}"))),
        };
        let argument = if name == "name" {
            Some(Argument::Value)
        } else {
            flags.iter().find(|f| f.name == name).map(|f| f.argument)
        };
        let key = name.replace('-', "_");
        let spec = &mut given.spec;
        match argument {
            None if name == SHARD.name => {
                let reason = "--shard: an experiment of this kind runs in one piece and cannot be split";
                return Err(Failure::Usage(reason.to_owned()));
            }
            None => return Err(Failure::Usage(format!("unknown flag --{name}"))),
            Some(Argument::Switch) => spec.set(&key, Node::Text("true".to_owned())),
            Some(Argument::Value) => spec.set(&key, Node::Text(parser.value()?.string()?)),
            Some(Argument::Table) => spec.set(&key, Node::Table(table(&name, &mut parser)?)),
            Some(Argument::List) => spec.push(&key, Node::Table(table(&name, &mut parser)?)),
        }
    }
    Ok((files, given))
}

fn table(flag: &str, parser: &mut lexopt::Parser) -> Result<Spec, Failure> {
    use lexopt::ValueExt;
    let mut spec = Spec::default();
    for word in parser.values()? {
        let word = word.string()?;
        let Some((name, value)) = word.split_once('=') else {
            return Err(Failure::Usage(format!("--{flag}: '{word}', expected name=value")));
        };
        let value = Node::Text(value.to_owned());
        match name.strip_prefix("option.") {
            Some(option) => spec.set_in("options", option, value),
            None if name == "args" => spec.push("args", value),
            None => spec.set(name, value),
        }
    }
    Ok(spec)
}

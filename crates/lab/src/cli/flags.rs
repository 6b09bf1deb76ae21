//! Flags of the experiments. Each is a line in one table; reading and help both walk it.

use std::path::PathBuf;

use super::Failure;
use experiment::spec::{Node, Spec};

/// What follows a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One value.
    Value,
    /// Words `name=value`; they make a table.
    Table,
    /// Words `name=value`; every use adds a table to a list.
    List,
    /// Nothing.
    Switch,
}

/// One flag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flag {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) shape: &'static str,
    pub(super) help: &'static str,
}

const fn flag(name: &'static str, kind: Kind, shape: &'static str, help: &'static str) -> Flag {
    Flag { name, kind, shape, help }
}

/// Flags of matches, tests and rating lists; a flag's name with `_` for `-` is its name in a TOML file.
pub(super) const TOURNAMENT: [Flag; 24] = [
    flag(
        "engine",
        Kind::List,
        "cmd=PATH [name=N] [proto=uci|xboard|internal] [args=A] [dir=D] [option.NAME=V] [tc=.. st=.. nodes=.. depth=..] [margin=MS] [ponder=true] [rating=R]",
        "an engine; give one flag per engine",
    ),
    flag(
        "each",
        Kind::Table,
        "tc=8+0.08 option.Hash=16 ...",
        "what holds for every engine that does not say otherwise",
    ),
    flag(
        "openings",
        Kind::Table,
        "file=BOOK.epd|.pgn|.bin[.zst] [order=random|sequential] [plies=16]",
        "start positions, each played twice with colours swapped",
    ),
    flag(
        "pairs",
        Kind::Value,
        "N",
        "pairs of games for every two engines that meet (default 50; for sprt 50000)",
    ),
    flag("games", Kind::Value, "N", "the same counted in games; even"),
    flag(
        "format",
        Kind::Value,
        "roundrobin|gauntlet|ladder",
        "who meets whom (ratings); in a ladder, each engine the next in the list",
    ),
    flag("hero", Kind::List, "cmd=PATH [name=N] ...", "an engine under study, as --engine (threads-elo)"),
    flag("threads", Kind::Value, "1,2,4", "its numbers of threads (threads-elo)"),
    flag("threads-option", Kind::Value, "NAME", "the option that sets them (threads-elo; default Threads)"),
    flag(
        "initial",
        Kind::Value,
        "ELO",
        "where the K-factor series begins (threads-elo; default the pool's mean)",
    ),
    flag(
        "sprt",
        Kind::Table,
        "elo0=0 elo1=5 [alpha=0.05] [beta=0.05] [model=normalised|logistic]",
        "the two hypotheses (sprt)",
    ),
    flag("mean", Kind::Value, "ELO", "mean of a rating list in which no engine has rating=.. (default 0)"),
    flag(
        "resign",
        Kind::Table,
        "[moves=3] [score=600] [both=true]",
        "end games that are lost by the engines' own scores",
    ),
    flag(
        "draw",
        Kind::Table,
        "[from=40] [moves=8] [score=10]",
        "end games that are level by the engines' own scores",
    ),
    flag(
        "tables",
        Kind::Table,
        "path=FOLDERS [pieces=N]",
        "Syzygy tables: end games they know, after a capture or pawn move",
    ),
    flag("max-moves", Kind::Value, "N", "a draw after this many moves"),
    flag("chess960", Kind::Switch, "", "the openings are Chess960"),
    flag("concurrency", Kind::Value, "N", "games at a time (default 1)"),
    flag(
        "pin",
        Kind::Switch,
        "",
        "keep every game on a core of its own; only for a machine that does nothing else",
    ),
    flag(
        "forgive-stolen",
        Kind::Switch,
        "",
        "clocks stand still while the host of a virtual machine takes it away; for shared machines (Linux)",
    ),
    flag("seed", Kind::Value, "N", "seed of the opening order (default 1)"),
    flag("shard", Kind::Value, "I/N", "play only part I of N; join the folders with 'lab merge'"),
    flag(
        "patience",
        Kind::Value,
        "SECONDS",
        "how long after its time a silent engine is killed (default 10, untimed 300)",
    ),
    flag(
        "max-faults",
        Kind::Value,
        "N",
        "games in a row an engine may spoil before the run stops (default 5)",
    ),
];

/// Flags of suites, times to depth and ablations.
pub(super) const STUDY: [Flag; 12] = [
    TOURNAMENT[0],
    TOURNAMENT[1],
    flag("positions", Kind::Table, "file=SUITE.epd [count=N]", "what to search"),
    flag("repetitions", Kind::Value, "N", "how often each position is searched (default 1)"),
    flag("threads", Kind::Value, "1,2,4", "numbers of threads to compare (ttd)"),
    flag("threads-option", Kind::Value, "NAME", "the option that sets them (ttd; default Threads)"),
    flag(
        "base",
        Kind::Value,
        "ENGINE",
        "whose times alone all are measured by, where they are the same (ttd)",
    ),
    flag(
        "in-turn",
        Kind::Switch,
        "",
        "every variant searches a position before the next: for a machine whose speed drifts",
    ),
    flag(
        "techniques",
        Kind::Value,
        "all|seeds|klas|NAME,..",
        "techniques to take away, or variants (ablate; default all and seeds)",
    ),
    flag("concurrency", Kind::Value, "N", "searches at a time; leave it at 1 where times matter"),
    flag("shard", Kind::Value, "I/N", "search only part I of N; join the folders with 'lab merge'"),
    flag("patience", Kind::Value, "SECONDS", "how long a silent engine is waited for (default 600)"),
];

/// Flags of importing games.
pub(super) const IMPORT: [Flag; 2] = [
    flag("each", Kind::Table, "tc=8+0.08 ...", "what the files do not say about the engines"),
    flag(
        "rating",
        Kind::List,
        "name=NAME elo=R",
        "a rating known from elsewhere: an anchor; one flag per engine",
    ),
];

/// Flags of tuning by games.
pub(super) const TUNING: [Flag; 12] = [
    flag("engine", Kind::List, "cmd=PATH ...", "the engine to tune, as above (default: this program's own)"),
    TOURNAMENT[1],
    flag(
        "parameter",
        Kind::List,
        "name=OPTION start=N least=N most=N [shake=N] [rate=0.002]",
        "a number to tune: by how much it is shaken at the end (default a twentieth of its range), and how much it moves",
    ),
    flag("iterations", Kind::Value, "N", "steps in all (default 5000)"),
    flag("pairs", Kind::Value, "N", "openings played twice in each step (default 1)"),
    flag("openings", Kind::Table, "file=BOOK ...", "as above"),
    flag("resign", Kind::Table, "...", "as above"),
    flag("draw", Kind::Table, "...", "as above"),
    flag("tables", Kind::Table, "...", "as above"),
    flag("concurrency", Kind::Value, "N", "pairs at a time (default 1)"),
    flag("seed", Kind::Value, "N", "seed of the openings and the shaking (default 1)"),
    flag("patience", Kind::Value, "SECONDS", "how long a silent engine is waited for (default 60)"),
];

/// Flags of the study of people.
pub(super) const PEOPLE: [Flag; 10] = [
    flag(
        "arms",
        Kind::Value,
        "plain,seed,..",
        "ways to play: plain, contempt, expectimax, bounded, small-policy, unknown, shuffled (default: all but small-policy)",
    ),
    flag("ratings", Kind::Value, "1100,1500,..", "of the people (default 1100,1300,1500,1700,1900)"),
    flag(
        "people",
        Kind::Value,
        "FILE",
        "the network they are drawn from, such as crates/human-model/weights/held-out.bin (default: Regan's softmax)",
    ),
    flag(
        "pairs",
        Kind::Value,
        "N",
        "openings, each with both colours, for every rating and arm (default 200)",
    ),
    flag("nodes", Kind::Value, "N", "for each move of the engine (default 100000)"),
    flag("odds", Kind::Value, "none|knight", "what the engine gives (default none)"),
    flag("openings", Kind::Table, "file=BOOK ...", "as above"),
    flag("seed", Kind::Value, "N", "seed of the openings and the people (default 1)"),
    flag("concurrency", Kind::Value, "N", "games at a time (default 1)"),
    flag("shard", Kind::Value, "I/N", "play only part I of N; join the folders with 'lab merge'"),
];

/// Flags of profiles.
pub(super) const PROFILE: [Flag; 8] = [
    flag(
        "positions",
        Kind::Table,
        "file=SUITE.epd [count=N]",
        "what to search (default: the positions of bench)",
    ),
    flag("depth", Kind::Value, "N", "plies (default 14)"),
    flag("rounds", Kind::Value, "N", "how often every position is watched (default 3)"),
    flag("hash", Kind::Value, "MB", "size of the table (default 16)"),
    flag("evaluation", Kind::Value, "hce,network", "with which evaluations (default hce)"),
    flag(
        "functions",
        Kind::Value,
        "auto|perf|none",
        "functions and a flame graph, by perf: if it can be had (default), by all means, or not",
    ),
    flag("rate", Kind::Value, "N", "perf's samples a second (default 499)"),
    flag("engine", Kind::Value, "PATH", "a UCI engine to take the functions from (default: this program)"),
];

/// Flags of the study of Leiserchess.
pub(super) const LASER: [Flag; 10] = [
    flag(
        "versions",
        Kind::Value,
        "ladder|techniques|NAME,..",
        "the player from the reference evaluation to ours, ours without each technique, or by name (default ladder)",
    ),
    flag("depth", Kind::Value, "N", "plies (default 10)"),
    flag("seconds", Kind::Value, "X", "besides, search each version for so long and see how deep it comes"),
    flag("threads", Kind::Value, "1,2", "real threads (default 1,2)"),
    flag("virtual", Kind::Value, "1,2,4", "workers in virtual time, 0 for none (default 1,2,4,8,16)"),
    flag("parallel", Kind::Value, "lazy,ybwc,abdada,teams", "how they share the work (default all four)"),
    flag("locks", Kind::Value, "true|false", "compare the table with locks and without (default true)"),
    flag(
        "book",
        Kind::Table,
        "[openings=50] [nodes=2000] [plies=2] [book_plies=3] [best=2] [rank_depth=4] [depth=9]",
        "games with a book against games without; openings=0 plays none",
    ),
    flag("hash", Kind::Value, "MB", "size of the table (default 16)"),
    flag("repetitions", Kind::Value, "N", "of what is not the same every time (default 3)"),
];

/// A command line, read.
#[derive(Debug, Default)]
pub(super) struct Given {
    pub(super) spec: Spec,
    pub(super) out: Option<PathBuf>,
    pub(super) verbose: bool,
    pub(super) quick: bool,
}

/// Reads `[FILE.toml] flags`: the file first, the flags over it.
pub(super) fn read(parser: lexopt::Parser, flags: &[Flag]) -> Result<Given, Failure> {
    let (files, mut given) = read_files(parser, flags)?;
    let flags = std::mem::take(&mut given.spec);
    match files.as_slice() {
        [] => {}
        [file] => {
            let told =
                |error: &dyn std::fmt::Display| Failure::Failed(format!("{}: {error}", file.display()));
            let text = std::fs::read_to_string(file).map_err(|error| told(&error))?;
            given.spec = Spec::from_toml(&text).map_err(|error| told(&error))?;
        }
        [_, second, ..] => {
            return Err(Failure::Usage(format!("'{}' after the experiment's file", second.display())));
        }
    }
    let quick = given.spec.remove("quick");
    match (given.quick, quick) {
        (true, Some(Node::Table(quick))) => given.spec.overlay(quick),
        (true, _) => return Err(Failure::Usage("--quick: the file has no table [quick]".to_owned())),
        (false, _) => {}
    }
    given.spec.overlay(flags);
    Ok(given)
}

/// Reads `FILE.. flags`; the flags make the description.
pub(super) fn read_files(
    mut parser: lexopt::Parser,
    flags: &[Flag],
) -> Result<(Vec<PathBuf>, Given), Failure> {
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
                given.quick = true;
                continue;
            }
            Arg::Long(name) => name.to_owned(),
            Arg::Short(letter) => return Err(Failure::Usage(format!("unknown flag -{letter}"))),
        };
        let kind = if name == "name" {
            Some(Kind::Value)
        } else {
            flags.iter().find(|f| f.name == name).map(|f| f.kind)
        };
        let key = name.replace('-', "_");
        let spec = &mut given.spec;
        match kind {
            None => return Err(Failure::Usage(format!("unknown flag --{name}"))),
            Some(Kind::Switch) => spec.set(&key, Node::Text("true".to_owned())),
            Some(Kind::Value) => spec.set(&key, Node::Text(parser.value()?.string()?)),
            Some(Kind::Table) => spec.set(&key, Node::Table(table(&name, &mut parser)?)),
            Some(Kind::List) => spec.push(&key, Node::Table(table(&name, &mut parser)?)),
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

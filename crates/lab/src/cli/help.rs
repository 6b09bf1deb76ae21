//! The help texts, made from the list of kinds and their flags.

use std::fmt::Write as _;

use experiment::flags::Flag;
use experiment::kind::Experiment;

use super::import;
use crate::experiments::kinds;

/// The commands that are not kinds of experiments.
const COMMANDS: [(&str, &str); 17] = [
    ("studies", "list the ready-made studies: what they reproduce and how long they take"),
    ("run NAME [--quick] [--print]", "run a ready-made study in any folder, or print its TOML file"),
    (
        "openings [flags]",
        "draw openings from counted games: --count 500 --plies 8 --random-plies 0 --band fide-from-2400 --least 0 --most 50 \
         --depth 8 --seed 1",
    ),
    ("lines --from FILE [flags]", "make positions in lines of ten, random and engine-chosen, for ablations"),
    ("calibrate [--depth 13]", "what nodes, joins and aborts cost here, in the units of virtual time"),
    (
        "import FILE.pgn.. [flags]",
        "games that fastchess, cutechess or OpenBench ran: standings, ratings, report",
    ),
    (
        "import ROWS.csv[.zst] [--out DIR]",
        "what 'export DIR csv' wrote: the experiment again, with its report",
    ),
    (
        "import openbench FILE..",
        "an OpenBench test: its archive (ID.pgn.tar), its result (/api/workload/ID/info/), or both",
    ),
    (
        "eas FILE.pgn.. [--json]",
        "how aggressively each player of these games plays: sacrifices, short wins, bad draws",
    ),
    ("resume DIR", "continue an experiment where it stopped"),
    ("report DIR", "redraw report.html from the data"),
    ("figures DIR|REPORT.html [OUT]", "each figure as SVG, each table as CSV and LaTeX"),
    ("compare DIR DIR", "two matches side by side: do they agree?"),
    ("list [DIR..]", "experiments under these folders"),
    ("export DIR csv|json|pgn|epd", "the data as text"),
    ("merge DIR FROM..", "join the shards of one experiment"),
    ("help, KIND --help", "this text, or the flags of one kind"),
];

const ALL: &str = "\
  --name NAME
        what reports call the experiment
  --out DIR, -o DIR
        where it lives (default lab-KIND)
  --quick
        with the values of the file's table [quick], for a look in minutes
  --tiny
        with the values of the table [tiny]: seconds, to see that it runs
  --verbose, -v
        a line for every game

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but engines crashed, stalled or broke rules, 130 stopped.
";

/// Everything `lab help` says.
pub(super) fn text() -> String {
    let mut text = "tabiya lab: experiments as commands, results as files anyone can reopen\n\n".to_owned();
    let mut line = |usage: &str, what: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  lab {usage:<34} {what}");
    };
    for kind in kinds() {
        line(&format!("{} [FILE.toml] [flags]", kind.kind()), kind.summary());
    }
    for (usage, what) in COMMANDS {
        line(usage, what);
    }
    text.push_str(
        "
Every experiment lives in a folder (--out DIR). The same command, or 'lab resume DIR', continues after Ctrl-C, a crash or
a power cut without losing or repeating a game. Flags can be written in a TOML file as well.
",
    );
    // Kinds that share a list of flags are told together.
    let mut told: Vec<(&'static [Flag], Vec<&'static str>)> = Vec::new();
    for kind in kinds() {
        match told.iter_mut().find(|(flags, _)| std::ptr::eq(*flags, kind.flags())) {
            Some((_, names)) => names.push(kind.kind()),
            None => told.push((kind.flags(), vec![kind.kind()])),
        }
    }
    for (flags, names) in told.iter().map(|(flags, names)| (*flags, names.join(", "))) {
        text.push_str(&section(&names, flags));
    }
    text.push_str(&section("import", import::FLAGS));
    text + "\nFlags of all:\n" + ALL
}

/// What `lab KIND --help` says.
pub(super) fn of_kind(kind: &dyn Experiment) -> String {
    let name = kind.kind();
    let head = format!(
        "tabiya lab {name} [FILE.toml] [flags]: {}\n\nExample:\n\n  {}\n",
        kind.summary(),
        kind.example()
    );
    head + &section(name, kind.flags()) + "\nFlags of all:\n" + ALL
}

fn section(names: &str, flags: &[Flag]) -> String {
    let lines: String = flags.iter().map(Flag::help_lines).collect();
    format!("\nFlags of {names}:\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_follows_from_the_list_of_kinds() {
        let text = text();
        for kind in kinds() {
            assert!(text.contains(&format!("lab {} [FILE.toml]", kind.kind())), "{}", kind.kind());
            let own = of_kind(kind);
            assert!(
                own.contains(kind.example()) && kind.example().contains(&format!("lab {} ", kind.kind()))
            );
            for flag in kind.flags() {
                assert!(
                    own.contains(&flag.help_lines()) && text.contains(&flag.help_lines()),
                    "{}",
                    flag.name
                );
            }
        }
    }
}

//! The help text, made from the flags' table.

use super::flags::{Flag, IMPORT, LASER, PEOPLE, PROFILE, STUDY, TOURNAMENT, TUNING};

/// Everything `lab help` says.
pub(super) fn text() -> String {
    let mut text = String::from(
        "\
tabiya lab: experiments as commands, results as files anyone can reopen

  lab match   [FILE.toml] [flags]   two engines, a fixed number of games
  lab sprt    [FILE.toml] [flags]   is the first engine stronger? play until that is known
  lab ratings [FILE.toml] [flags]   several engines, a rating list with error bars
  lab threads-elo [FILE] [flags]    an engine's rating over its threads, against a pool of known ratings
  lab suite   [FILE.toml] [flags]   problems with solutions: how many are solved, and how soon
  lab ttd     [FILE.toml] [flags]   time to a depth over numbers of threads: speedup, efficiency, limits
  lab ablate  [FILE.toml] [flags]   our engine without each technique: what is it worth in time and nodes
  lab spsa    [FILE.toml] [flags]   tune an engine's numbers by games; every step is kept
  lab profile [FILE.toml] [flags]   where the time of a search goes, by phase and (with perf) by function, as a flame graph
  lab laser   [FILE.toml] [flags]   Leiserchess: nodes, speed and depth by version and threads, book and table with and without
  lab human   [FILE.toml] [flags]   does speculation win sooner against simulated people, and what does it cost?
  lab lines   --from FILE [flags]   positions in lines of ten, random and engine-chosen, as seed 001 made its 600
  lab calibrate [--depth 13]        what nodes, joins and aborts cost here, in the units of virtual time
  lab import  FILE.pgn.. [flags]    games that fastchess, cutechess or OpenBench ran: standings, ratings, report
  lab import  openbench FILE..      an OpenBench test: its archive (ID.pgn.tar), its result (/api/workload/ID/info/), or both
  lab eas     FILE.pgn.. [--json]   how aggressively each player of these games plays: sacrifices, short wins, bad draws
  lab resume  DIR                   go on with an experiment where it stopped
  lab report  DIR                   redraw report.html from the data
  lab compare DIR DIR               two matches side by side: do they agree?
  lab list    [DIR..]               experiments under these folders
  lab export  DIR csv|json|pgn|epd  the data as text
  lab merge   DIR FROM..            join the shards of one experiment

Every experiment lives in a folder (--out DIR). The same command, or 'lab resume DIR', goes on after Ctrl-C, a crash or
a power cut without losing or repeating a game. Flags can be written in a TOML file as well.

A match of two UCI engines, 200 games, on two cores:

  tabiya lab match --engine cmd=./new --engine cmd=./old --each tc=8+0.08 option.Hash=16 \\
      --openings file=8moves_v3.epd --games 200 --concurrency 2 --out results/new-old

Is 'new' better than 'old', by at least 5 normalised Elo?

  tabiya lab sprt --engine cmd=./new --engine cmd=./old --each nodes=20000 option.Hash=16 \\
      --openings file=UHO_4060_v4.epd.zst --sprt elo0=0 elo1=5 --concurrency 2 --out results/sprt-1

How much does a second thread help our own engine?

  tabiya lab ttd --engine proto=internal name=tabiya --each depth=14 option.Hash=64 --threads 1,2 \\
      --positions file=ttd30.epd --repetitions 5 --out results/ttd

Flags of match, sprt, ratings and threads-elo:
",
    );
    for flag in &TOURNAMENT {
        text.push_str(&line(flag));
    }
    text.push_str("\nFlags of suite, ttd and ablate, besides --engine and --each:\n");
    for flag in &STUDY[2..] {
        text.push_str(&line(flag));
    }
    text.push_str("\nFlags of spsa, besides --each:\n");
    for flag in TUNING.iter().filter(|flag| flag.name != "each") {
        text.push_str(&line(flag));
    }
    text.push_str("\nFlags of profile:\n");
    for flag in &PROFILE {
        text.push_str(&line(flag));
    }
    text.push_str("\nFlags of laser:\n");
    for flag in &LASER {
        text.push_str(&line(flag));
    }
    text.push_str("\nFlags of human:\n");
    for flag in &PEOPLE {
        text.push_str(&line(flag));
    }
    text.push_str("\nFlags of import:\n");
    for flag in &IMPORT {
        text.push_str(&line(flag));
    }
    text.push_str("\nFlags of all:\n");
    text.push_str(
        "  --name NAME\n        what reports call the experiment\n  --out DIR, -o DIR\n        where it lives (default \
         lab-KIND)\n  --quick\n        with the values of the file's table [quick], for a look in minutes\n  --verbose, -v\n        a line for every game\n\nExit codes: 0 done, 1 failed, 2 wrong usage, 3 done \
         but engines crashed, stalled or broke rules, 130 stopped.\n",
    );
    text
}

fn line(flag: &Flag) -> String {
    format!("  --{} {}\n        {}\n", flag.name, flag.shape, flag.help)
}

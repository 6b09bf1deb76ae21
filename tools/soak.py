#!/usr/bin/env python3
"""The soak test: thousands of fast games between all ways of searching together, then stop latencies, then a report.

usage: soak.py [--engine PATH] [--out DIR] [--games N] [--stops N] [--beside ENGINE] [--report FILE]

The games are a `tabiya lab ratings` tournament between four copies of one engine that differ in the option Parallel.
Games and stops resume: run the same command again after an interruption. The report counts how games ended. Illegal moves,
crashes, stalls and unreadable output fail the soak; a loss on time does when the host and other programs had not taken
the processor away for as long as the clock was overstepped. The exit code is 0 when nothing failed, 1 when something did.
"""
import argparse
import csv
import datetime
import io
import os
import re
import shutil
import subprocess
import sys
from collections import Counter

from latency import PARALLEL, measure_stops, stop_table

# Terminations by the words that `tabiya lab export` writes.
FAULTS = {"illegal move", "disconnect", "stall", "garbage"}
ON_TIME = "time forfeit"
PAIRINGS = len(PARALLEL) * (len(PARALLEL) - 1) // 2


def tournament(arguments):
    """The command that plays the games, or goes on with them."""
    each = [
        f"cmd={arguments.engine}",
        f"tc={arguments.tc}",
        f"option.Threads={arguments.threads}",
        f"option.Hash={arguments.hash}",
        # Two threads are one team by default; teams of one are two.
        "option.TeamSize=1",
    ]
    pairs = -(-arguments.games // (2 * PAIRINGS))
    command = [arguments.engine, "lab", "ratings", "--format", "roundrobin", "--pairs", str(pairs)]
    for name in PARALLEL:
        command += ["--engine", f"name={name}", f"option.Parallel={name}"]
    command += ["--each", *each, "--openings", f"file={arguments.openings}"]
    return command + ["--concurrency", str(arguments.concurrency), "--out", arguments.out]


def rows_of(text):
    return list(csv.DictReader(io.StringIO("".join(line for line in text.splitlines(True) if not line.startswith("#")))))


def judge(row):
    """Why a game counts against the engine; None when it does not."""
    ended = row["termination"]
    if ended in FAULTS:
        return f"{ended}: {row['detail']}"
    if ended != ON_TIME:
        return None
    over = re.search(r"overstepped its time by (\d+) ms", row["detail"])
    # What the host took from the machine, and what other programs of the machine took from the engine.
    taken = re.findall(r"(?:taken away for|waited) (\d+) ms", row["detail"])
    if over and taken and sum(map(int, taken)) >= int(over.group(1)):
        return None
    return f"{ended}: {row['detail']}"


def read_stops(path):
    """Stop latencies in milliseconds of an earlier run, by engine; a line that a kill cut short is left out."""
    known = {}
    if os.path.exists(path):
        with open(path, newline="") as file:
            for row in csv.reader(file):
                if len(row) == 3 and row[2] == "ms":
                    known.setdefault(row[0], []).append(float(row[1]))
    return known


def keep_stops(path):
    """A function that adds latencies to the file."""
    def keep(name, waits):
        with open(path, "a", newline="") as file:
            csv.writer(file).writerows((name, f"{wait:.3f}", "ms") for wait in waits)
    return keep


def report(rows, facts, latencies):
    """The report as Markdown."""
    ends = Counter(row["termination"] for row in rows)
    failed = [(row, reason) for row in rows if (reason := judge(row))]
    excused = sum(row["termination"] == ON_TIME for row in rows) - sum(row["termination"] == ON_TIME for row, _ in failed)
    lines = ["# Soak", ""]
    lines += [f"- {name}: {value}" for name, value in facts]
    lines += [f"- games: {len(rows)}", f"- failures: {len(failed)}", f"- losses on time for which the engine had no core: {excused}"]
    lines += ["", "## How games ended", "", "| end | games |", "|---|---|"]
    lines += [f"| {end} | {count} |" for end, count in ends.most_common()]
    if failed:
        lines += ["", "## Failures", "", "| game | White | Black | reason |", "|---|---|---|---|"]
        lines += [f"| {row['number']} | {row['white']} | {row['black']} | {reason} |" for row, reason in failed]
    if latencies:
        lines += ["", "## Stop latency", "", latencies]
    return "\n".join(lines) + "\n", len(failed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/tabiya")
    parser.add_argument("--out", default="soak", help="the folder of the games (default: soak)")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--tc", default="1+0.01")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hash", type=int, default=4, help="megabytes (default 4)")
    parser.add_argument("--concurrency", type=int, default=max((os.cpu_count() or 2) // 2, 1))
    parser.add_argument("--openings", default="data:openings/unbalanced.epd")
    parser.add_argument("--stops", type=int, default=10_000, help="stops for each way of searching together; 0 for none")
    parser.add_argument("--beside", default=shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games"),
                        help="another engine whose stops are measured in the same run (default: Stockfish where it is installed)")
    parser.add_argument("--report", default="soak.md")
    arguments = parser.parse_args()
    arguments.engine = os.path.abspath(arguments.engine)

    played = subprocess.run(tournament(arguments))
    if played.returncode not in (0, 1):
        return played.returncode
    exported = subprocess.run(
        [arguments.engine, "lab", "export", arguments.out, "csv"], capture_output=True, text=True, check=True
    )
    rows = rows_of(exported.stdout)
    latencies = ""
    if arguments.stops:
        stops = os.path.join(arguments.out, "stops.csv")
        latencies = stop_table(measure_stops(
            arguments.engine, arguments.beside, PARALLEL, arguments.threads, arguments.hash, arguments.stops,
            read_stops(stops), keep_stops(stops),
        ))
    version = subprocess.run([arguments.engine, "--version"], capture_output=True, text=True, check=True)
    facts = [
        ("engine", version.stdout.strip()),
        ("date", datetime.date.today().isoformat()),
        ("conditions", f"{arguments.tc}, {arguments.threads} threads, {arguments.hash} MB hash, "
                       f"{arguments.concurrency} games at a time, {os.cpu_count()} cores"),
        ("load when written", " ".join(f"{load:.1f}" for load in os.getloadavg())),
    ]
    text, failures = report(rows, facts, latencies)
    with open(arguments.report, "w") as file:
        file.write(text)
    print(text)
    return 1 if failures or len(rows) < arguments.games else 0


if __name__ == "__main__":
    sys.exit(main())

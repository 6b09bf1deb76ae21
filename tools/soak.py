#!/usr/bin/env python3
"""The soak test: thousands of fast games between all ways of searching together, then stop latencies, then a report.

usage: soak.py [--engine PATH] [--games N] [--minutes N] [--rows FILE] [--out DIR] [--stops N] [--stop-minutes N]
               [--stop-rows FILE] [--beside ENGINE] [--report FILE]

The games are a `tabiya lab ratings` tournament between four copies of one engine that differ in the option Parallel.
They add up over sessions: what was played is kept in the file of rows (one line for each pairing and end, one for each
failure), which is small enough to be committed. A session goes on where it was interrupted as long as its folder is there;
a new one plays other openings until the file has N games. --minutes ends a session early. Stops add up in their own file,
for one build of the engine; --stop-minutes ends them early. The report counts how games ended. Illegal moves, crashes,
stalls and unreadable output fail the soak; a loss on time does when the host and other programs had not taken the processor
away for as long as the clock was overstepped. The exit code is 0 when nothing failed and nothing is left to play, else 1.
"""
import argparse
import csv
import datetime
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, namedtuple

from latency import PARALLEL, measure_stops, stop_table

# Terminations by the words that `tabiya lab export` writes.
FAULTS = {"illegal move", "disconnect", "stall", "garbage"}
ON_TIME = "time forfeit"
PAIRINGS = len(PARALLEL) * (len(PARALLEL) - 1) // 2

# Games of one session that ended alike. `judgement` is "ok", "excused" (a loss on time while the engine had no core) or
# "failed"; a failed game has a line of its own with its detail.
Row = namedtuple("Row", "session engine date white black end loser judgement games detail")


def tournament(arguments, session, games):
    """The command that plays a session's games, or goes on with them."""
    each = [
        f"cmd={arguments.engine}",
        f"tc={arguments.tc}",
        f"option.Threads={arguments.threads}",
        f"option.Hash={arguments.hash}",
        # Two threads are one team by default; teams of one are two.
        "option.TeamSize=1",
    ]
    pairs = -(-games // (2 * PAIRINGS))
    command = [arguments.engine, "lab", "ratings", "--format", "roundrobin", "--pairs", str(pairs), "--seed", str(session)]
    for name in PARALLEL:
        command += ["--engine", f"name={name}", f"option.Parallel={name}"]
    command += ["--each", *each, "--openings", f"file={arguments.openings}"]
    return command + ["--concurrency", str(arguments.concurrency), "--out", folder_of(arguments, session)]


def folder_of(arguments, session):
    return os.path.join(arguments.out, f"{session}")


def games_of(text):
    """The games of an exported table."""
    return list(csv.DictReader(io.StringIO("".join(line for line in text.splitlines(True) if not line.startswith("#")))))


def judge(game):
    """Why a game counts against the engine; None when it does not."""
    ended = game["termination"]
    if ended in FAULTS:
        return f"{ended}: {game['detail']}"
    if ended != ON_TIME:
        return None
    over = re.search(r"overstepped its time by (\d+) ms", game["detail"])
    # What the host took from the machine, and what other programs of the machine took from the engine.
    taken = re.findall(r"(?:taken away for|waited) (\d+) ms", game["detail"])
    if over and taken and sum(map(int, taken)) >= int(over.group(1)):
        return None
    return f"{ended}: {game['detail']}"


def rows_of(session, engine, date, games):
    """A session's rows: games that ended alike are counted, failures are kept one by one."""
    counts = Counter()
    for game in games:
        reason = judge(game)
        on_time = game["termination"] == ON_TIME
        judgement = "failed" if reason else "excused" if on_time else "ok"
        loser = {"1-0": game["black"], "0-1": game["white"]}.get(game["result"], "") if on_time else ""
        detail = f"game {game['number']}: {reason}" if reason else ""
        counts[game["white"], game["black"], game["termination"], loser, judgement, detail] += 1
    return [
        Row(session, engine, date, white, black, end, loser, judgement, count, detail)
        for (white, black, end, loser, judgement, detail), count in sorted(counts.items())
    ]


def read_rows(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        rows = [Row(**row) for row in csv.DictReader(file)]
    return [row._replace(session=int(row.session), games=int(row.games)) for row in rows]


def write_rows(path, rows):
    """Replaces the file as a whole: a kill leaves the old one or the new one."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".new", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(rows)
    os.replace(path + ".new", path)


def next_session(rows, engine, has_folder):
    """The session to play: the last one if it was interrupted here, otherwise a new one."""
    last = max((row.session for row in rows), default=0)
    is_ours = all(row.engine == engine for row in rows if row.session == last)
    return last if last and is_ours and has_folder(last) else last + 1


def play(command, minutes):
    """Plays until the games or the minutes are over; Ctrl-C ends the session and keeps what was played."""
    process = subprocess.Popen(command)
    try:
        process.wait(None if minutes is None else 60 * minutes)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):
        process.send_signal(signal.SIGINT)
        process.wait()
        return 0
    return process.returncode


def read_stops(path, build):
    """Stop latencies in milliseconds that were measured with a build, by engine."""
    known = {}
    if os.path.exists(path):
        with open(path, newline="") as file:
            for row in csv.reader(file):
                if len(row) == 4 and row[0] == build:
                    known.setdefault(row[1], []).extend([float(row[2])] * int(row[3]))
    return known


def write_stops(path, build, measured):
    """Latencies to a hundredth of a millisecond, with their counts; those of another build go."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path + ".new", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("build", "engine", "ms", "stops"))
        for name, waits in measured.items():
            writer.writerows((build, name, f"{wait:.2f}", count) for wait, count in
                             sorted(Counter(round(wait, 2) for wait in waits).items()))
    os.replace(path + ".new", path)


def keep_stops(path, build, known):
    """A function that adds latencies to the file."""
    def keep(name, waits):
        known.setdefault(name, []).extend(waits)
        write_stops(path, build, known)
    return keep


def report(rows, facts, latencies):
    """The report as Markdown, and the number of failures."""
    ends, played, lost, excused = Counter(), Counter(), Counter(), Counter()
    for row in rows:
        ends[row.end] += row.games
        for name in (row.white, row.black):
            played[name] += row.games
        if row.loser:
            (excused if row.judgement == "excused" else lost)[row.loser] += row.games
    failed = [row for row in rows if row.judgement == "failed"]
    failures = sum(row.games for row in failed)
    lines = ["# Soak", ""]
    lines += [f"- {name}: {value}" for name, value in facts]
    lines += [f"- games: {sum(ends.values())}", f"- sessions: {len({row.session for row in rows})}", f"- failures: {failures}"]
    lines += ["", "## How games ended", "", "| end | games |", "|---|---|"]
    lines += [f"| {end} | {count} |" for end, count in ends.most_common()]
    lines += ["", "## Losses on time", "", "| engine | games | the engine's fault | while it had no core |", "|---|---|---|---|"]
    lines += [f"| {name} | {played[name]} | {lost[name]} | {excused[name]} |" for name in sorted(played)]
    if failed:
        lines += ["", "## Failures", "", "| session | White | Black | reason |", "|---|---|---|---|"]
        lines += [f"| {row.session} | {row.white} | {row.black} | {row.detail} |" for row in failed]
    if latencies:
        lines += ["", "## Stop latency", "", latencies]
    return "\n".join(lines) + "\n", failures


def play_session(arguments, version):
    """Plays what is left, or as much of it as there is time for. All rows, and an exit code other than 0 if it broke off."""
    rows = read_rows(arguments.rows)
    session = next_session(rows, version, lambda number: os.path.isdir(folder_of(arguments, number)))
    others = [row for row in rows if row.session != session]
    earlier = sum(row.games for row in others)
    left = arguments.games - earlier
    if left <= 0:
        return rows, 0
    print(f"soak: {earlier} of {arguments.games} games from other sessions, session {session} plays up to {left}", flush=True)
    os.makedirs(arguments.out, exist_ok=True)
    begin = time.monotonic()
    before = sum(row.games for row in rows if row.session == session)
    code = play(tournament(arguments, session, left), arguments.minutes)
    if not os.path.isdir(folder_of(arguments, session)):
        return rows, code or 1
    exported = subprocess.run(
        [arguments.engine, "lab", "export", folder_of(arguments, session), "csv"], capture_output=True, text=True, check=True
    )
    games = games_of(exported.stdout)
    rows = others + rows_of(session, version, datetime.date.today().isoformat(), games)
    write_rows(arguments.rows, rows)
    total = earlier + len(games)
    pace = max(len(games) - before, 0) / max(time.monotonic() - begin, 1)
    hours = f", {max(arguments.games - total, 0) / pace / 3600:.1f} h left at this pace" if pace else ""
    print(f"soak: {total} of {arguments.games} games{hours}", flush=True)
    return rows, code if code not in (0, 1) else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="target/release/tabiya")
    parser.add_argument("--out", default="soak", help="the folder of the sessions (default: soak)")
    parser.add_argument("--rows", default="results/engine/soak.csv", help="what was played, over all sessions")
    parser.add_argument("--games", type=int, default=10_000, help="games of all sessions together (default 10,000)")
    parser.add_argument("--minutes", type=float, help="end this session's games after so long")
    parser.add_argument("--tc", default="1+0.01")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--hash", type=int, default=4, help="megabytes (default 4)")
    parser.add_argument("--concurrency", type=int, default=max((os.cpu_count() or 2) // 2, 1))
    parser.add_argument("--openings", default="data:openings/unbalanced.epd")
    parser.add_argument("--stops", type=int, default=10_000, help="stops for each way of searching together; 0 for none")
    parser.add_argument("--stop-minutes", type=float, help="begin no further round of stops after so long")
    parser.add_argument("--stop-rows", default="results/engine/soak-stops.csv", help="the latencies that were measured")
    parser.add_argument("--beside", default=shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games"),
                        help="another engine whose stops are measured in the same run (default: Stockfish where it is installed)")
    parser.add_argument("--report", default="soak.md")
    arguments = parser.parse_args()
    arguments.engine = os.path.abspath(arguments.engine)

    version = subprocess.run([arguments.engine, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    rows, code = play_session(arguments, version)
    if code:
        return code
    latencies = ""
    if arguments.stops:
        known = read_stops(arguments.stop_rows, version)
        latencies = stop_table(measure_stops(
            arguments.engine, arguments.beside, PARALLEL, arguments.threads, arguments.hash, arguments.stops,
            known, keep_stops(arguments.stop_rows, version, known), arguments.stop_minutes,
        ))
    facts = [
        ("engine", version),
        ("date", datetime.date.today().isoformat()),
        ("conditions", f"{arguments.tc}, {arguments.threads} threads, {arguments.hash} MB hash, "
                       f"{arguments.concurrency} games at a time, {os.cpu_count()} cores"),
        ("load when written", " ".join(f"{load:.1f}" for load in os.getloadavg())),
    ]
    text, failures = report(rows, facts, latencies)
    with open(arguments.report, "w") as file:
        file.write(text)
    print(text)
    return 1 if failures or sum(row.games for row in rows) < arguments.games else 0


if __name__ == "__main__":
    sys.exit(main())

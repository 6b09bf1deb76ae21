#!/usr/bin/env python3
"""Time to depth of two threads, ours and Crafty's, in turn in one sitting on a quiet machine.

    tools/parallel_sitting.py --tabiya ./tabiya --crafty ./crafty --positions data/positions/crafty30.epd --out sitting.csv

For each position a depth is chosen at which one thread needs at least --seconds, ours and Crafty's apart. Then, in each repetition and
for each position, every engine searches once with one thread and once with two. Rows are written as they come; with --summary alone
the file is read again. A position's speedup is the ratio of medians over repetitions, as in `tabiya lab ttd`.
"""

import argparse
import csv
import math
import os
import random
import re
import statistics
import subprocess
import sys
import time

WAYS = ["ybwc", "lazy", "abdada"]
FIELDS = ["engine", "threads", "position", "repetition", "depth", "seconds", "nodes"]


class Tabiya:
    """A UCI engine that is kept between searches."""

    def __init__(self, path, threads, way, hash_megabytes):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        for name, value in [("Hash", hash_megabytes), ("Parallel", way), ("Threads", threads)]:
            self.send(f"setoption name {name} value {value}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def begin(self, fen, limit):
        """Starts a search with an empty table; when it began."""
        self.send("ucinewgame")
        self.send(f"position fen {fen}")
        self.send("isready")
        for line in self.process.stdout:
            if line.startswith("readyok"):
                break
        self.send(f"go {limit}")
        return time.monotonic()

    def iterations(self):
        """Depth and nodes of each finished iteration until the search is over."""
        for line in self.process.stdout:
            if line.startswith("bestmove"):
                return
            found = re.search(r"info depth (\d+) .*nodes (\d+)", line)
            if found and "bound" not in line:
                yield int(found[1]), int(found[2])

    def search(self, fen, depth):
        """Seconds and nodes."""
        start, seconds, nodes = self.begin(fen, f"depth {depth}"), 0.0, 0
        for _, nodes in self.iterations():
            seconds = time.monotonic() - start
        return seconds, nodes

    def depth_after(self, fen, seconds):
        """The first depth that takes at least so long."""
        start, reached = self.begin(fen, "infinite"), None
        for depth, _ in self.iterations():
            if reached is None and time.monotonic() - start >= seconds:
                reached = depth
                self.send("stop")
        return reached

    def quit(self):
        self.send("quit")
        self.process.wait()


def crafty(path, fen, depth, threads, hash_megabytes):
    """Seconds and nodes of one search by a new process."""
    words = fen.split()
    script = ["ponder off", "book off", "log off", f"hash={hash_megabytes}M", f"mt={threads}" if threads > 1 else "mt=0",
              "st 600", f"sd {depth}", "setboard " + " ".join(words[:4]), "go", "quit"]
    folder = os.path.dirname(os.path.abspath(path))
    output = subprocess.run([os.path.abspath(path)], input="\n".join(script) + "\n", capture_output=True, text=True,
                            cwd=folder, errors="replace", check=False).stdout
    found = re.search(r"time=([\d:.]+)\(.*?nodes=(\d+)", output)
    if not found:
        raise SystemExit(f"crafty: no result in\n{output[-500:]}")
    return clock(found[1]), int(found[2])


def clock(text):
    """Seconds of '2.73' or '1:05'."""
    value = 0.0
    for part in text.split(":"):
        value = 60 * value + float(part)
    return value


def positions(path):
    found = []
    for line in open(path, encoding="utf-8"):
        words = line.split()
        if len(words) >= 4 and not line.startswith("#"):
            found.append(" ".join(words[:4]) + " 0 1")
    return found


def median_speedups(rows, engine, base):
    """Speedup and node ratio of each position: medians of one thread by medians of two."""
    def medians(name, threads, field):
        by_position = {}
        for row in rows:
            if row["engine"] == name and int(row["threads"]) == threads:
                by_position.setdefault(int(row["position"]), []).append(float(row[field]))
        return {position: statistics.median(values) for position, values in by_position.items()}

    one, two = medians(base, 1, "seconds"), medians(engine, 2, "seconds")
    one_nodes, two_nodes = medians(base, 1, "nodes"), medians(engine, 2, "nodes")
    return {position: (one[position] / two[position], two_nodes[position] / one_nodes[position])
            for position in one if position in two}


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def interval(samples):
    samples = sorted(samples)
    return samples[int(0.025 * len(samples))], samples[int(0.975 * len(samples)) - 1]


def summary(rows, rounds=4000):
    """One line for each engine, and the difference of each of ours to Crafty over resampled positions."""
    draw = random.Random(1)
    bases = {way: "serial" for way in WAYS} | {"crafty": "crafty"}
    found = {engine: median_speedups(rows, engine, base) for engine, base in bases.items()}
    found = {engine: speedups for engine, speedups in found.items() if speedups}
    lines = []
    for engine, speedups in found.items():
        values = [value for value, _ in speedups.values()]
        resampled = [geometric_mean(draw.choices(values, k=len(values))) for _ in range(rounds)]
        low, high = interval(resampled)
        nodes = geometric_mean([ratio for _, ratio in speedups.values()])
        lines.append(f"{engine:8} {len(values):3} positions: median {statistics.median(values):.2f}, geometric mean "
                     f"{geometric_mean(values):.2f} ({low:.2f} to {high:.2f}), nodes {nodes:.2f}, nodes/s "
                     f"{geometric_mean(values) * nodes:.2f}")
    if "crafty" in found:
        for engine in [way for way in WAYS if way in found]:
            both = [(found[engine][position][0], found["crafty"][position][0])
                    for position in found[engine] if position in found["crafty"]]
            def ratio(pairs):
                return geometric_mean([ours for ours, _ in pairs]) - geometric_mean([theirs for _, theirs in pairs])
            low, high = interval([ratio(draw.choices(both, k=len(both))) for _ in range(rounds)])
            lines.append(f"{engine:8} minus crafty: {ratio(both):+.2f} ({low:+.2f} to {high:+.2f})")
    return lines


def measure(arguments):
    fens = positions(arguments.positions)[: arguments.count]
    engines = {"serial": Tabiya(arguments.tabiya, 1, "lazy", arguments.hash)}
    for way in WAYS:
        engines[way] = Tabiya(arguments.tabiya, 2, way, arguments.hash)
    depths, crafty_depths = [], []
    for number, fen in enumerate(fens):
        depths.append(engines["serial"].depth_after(fen, arguments.seconds))
        if arguments.crafty:
            depth = 12
            while crafty(arguments.crafty, fen, depth, 1, arguments.hash)[0] < arguments.seconds and depth < 60:
                depth += 1
            crafty_depths.append(depth)
        print(f"position {number + 1}: depth {depths[-1]}, crafty {crafty_depths[-1:]}", file=sys.stderr)
    with open(arguments.out, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        for repetition in range(1, arguments.repetitions + 1):
            for number, fen in enumerate(fens):
                for name, engine in engines.items():
                    seconds, nodes = engine.search(fen, depths[number])
                    threads = 1 if name == "serial" else 2
                    writer.writerow([name, threads, number, repetition, depths[number], f"{seconds:.4f}", nodes])
                if arguments.crafty:
                    for threads in (1, 2):
                        depth = crafty_depths[number]
                        seconds, nodes = crafty(arguments.crafty, fen, depth, threads, arguments.hash)
                        writer.writerow(["crafty", threads, number, repetition, depth, f"{seconds:.2f}", nodes])
                file.flush()
    for engine in engines.values():
        engine.quit()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tabiya", default="./tabiya")
    parser.add_argument("--crafty", help="path of Crafty 25.2; without it only ours")
    parser.add_argument("--positions", default="data/positions/crafty30.epd")
    parser.add_argument("--count", type=int, default=30, help="positions to use")
    parser.add_argument("--seconds", type=float, default=4.0, help="least time of one thread")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--hash", type=int, default=256)
    parser.add_argument("--out", default="sitting.csv")
    parser.add_argument("--summary", action="store_true", help="only read --out again")
    arguments = parser.parse_args()
    if not arguments.summary:
        measure(arguments)
    with open(arguments.out, encoding="utf-8", newline="") as file:
        print("\n".join(summary(list(csv.DictReader(file)))))


if __name__ == "__main__":
    main()

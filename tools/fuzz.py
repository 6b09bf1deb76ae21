#!/usr/bin/env python3
"""Runs the fuzz targets in turn and keeps a ledger, so that hours add up over sessions.

usage: fuzz.py [--minutes N] [--slice SECONDS] [--target NAME]... [--goal HOURS] [--minimise] [--no-build]

Builds the targets of fuzz/ with the coverage that libFuzzer wants (needs a nightly toolchain and a C++ compiler), then gives
slices of time to the target that has had least. Each slice starts from the committed corpus (fuzz/corpus) and what was found
since (fuzz/work, not committed) and adds a line to fuzz/ledger.csv: date, target, seconds of processor time, executions,
coverage, findings. --minimise makes the committed corpus a small set of all inputs with the same coverage, of at most 50 kB
a target. An input that fails is written to fuzz/artifacts. The exit code is 1 when there was a finding.
"""
import argparse
import csv
import datetime
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fuzz")
TARGET_TRIPLE = "x86_64-unknown-linux-gnu"
LEDGER_FIELDS = ["date", "target", "cpu_seconds", "executions", "coverage", "findings"]
# Bytes of a target's committed corpus.
LARGEST_CORPUS = 50_000
# What cargo-fuzz sets, without the address sanitiser, which safe Rust does not need.
RUSTFLAGS = " ".join([
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg fuzzing",
    "-Cdebug-assertions=on",
    "-Coverflow-checks=on",
    "-Ccodegen-units=1",
])


def target_names(manifest):
    """The targets of a Cargo manifest, in its order."""
    return re.findall(r'^\[\[bin\]\]\nname = "(\w+)"', manifest, re.M)


def read_ledger(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def add_to_ledger(path, row):
    is_new = not os.path.exists(path)
    with open(path, "a", newline="") as file:
        writer = csv.DictWriter(file, LEDGER_FIELDS, lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(row)


def seconds_by_target(rows, names):
    """Processor time of each target over all sessions."""
    spent = dict.fromkeys(names, 0.0)
    for row in rows:
        if row["target"] in spent:
            spent[row["target"]] += float(row["cpu_seconds"])
    return spent


def statistics(output):
    """Executions and coverage from what libFuzzer prints: the final statistics, or the last line of progress."""
    executions = re.findall(r"stat::number_of_executed_units:\s*(\d+)", output) or re.findall(r"^#(\d+)\t", output, re.M)
    coverage = re.findall(r"\bcov: (\d+)", output)
    return int(executions[-1]) if executions else 0, int(coverage[-1]) if coverage else 0


def findings_of(folder):
    """Inputs that failed: crashes, hangs, and those that needed too much memory."""
    found = os.listdir(folder) if os.path.isdir(folder) else []
    return {name for name in found if re.match(r"(crash|timeout|oom|leak)-", name)}


def fits(sizes, limit):
    """The names of the smallest files that fit together into so many bytes."""
    kept, total = [], 0
    for size, name in sorted((size, name) for name, size in sizes.items()):
        total += size
        if total > limit:
            break
        kept.append(name)
    return kept


class Fuzzer:
    def __init__(self, folder=FOLDER):
        self.folder = folder
        target = os.environ.get("CARGO_TARGET_DIR") or os.path.join(folder, "target")
        self.programs = os.path.join(target, TARGET_TRIPLE, "release")

    def at(self, *parts):
        return os.path.join(self.folder, *parts)

    def build(self):
        command = ["cargo", "+nightly", "build", "--release", "--features", "fuzzer", "--target", TARGET_TRIPLE]
        subprocess.run(command, cwd=self.folder, env={**os.environ, "RUSTFLAGS": RUSTFLAGS}, check=True)

    def run(self, name, *options):
        """Runs a target; what it says, and its exit code."""
        command = [os.path.join(self.programs, name), *options]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return done.stdout, done.returncode

    def slice(self, name, seconds):
        """One slice of a target; its row of the ledger."""
        artifacts = self.at("artifacts", name)
        for folder in (self.at("work", name), self.at("corpus", name), artifacts):
            os.makedirs(folder, exist_ok=True)
        before = findings_of(artifacts)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        output, code = self.run(
            name, f"-max_total_time={seconds}", "-timeout=60", "-rss_limit_mb=2048", "-print_final_stats=1",
            f"-artifact_prefix={artifacts}/", self.at("work", name), self.at("corpus", name),
        )
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime
        executions, coverage = statistics(output)
        findings = max(len(findings_of(artifacts) - before), int(code != 0))
        if findings:
            print(output[-4000:])
        return dict(zip(LEDGER_FIELDS, [datetime.date.today().isoformat(), name, f"{spent:.0f}", executions, coverage, findings]))

    def minimise(self, name):
        """The committed corpus becomes a small set with the coverage of all inputs, cut to its limit."""
        with tempfile.TemporaryDirectory() as merged:
            output, code = self.run(name, "-merge=1", merged, self.at("corpus", name), self.at("work", name))
            if code:
                print(output[-2000:])
                return
            sizes = {entry.name: entry.stat().st_size for entry in os.scandir(merged)}
            kept = fits(sizes, LARGEST_CORPUS)
            shutil.rmtree(self.at("corpus", name), ignore_errors=True)
            os.makedirs(self.at("corpus", name))
            for file in kept:
                shutil.copy(os.path.join(merged, file), self.at("corpus", name, file))
        print(f"{name}: {len(kept)} of {len(sizes)} inputs, {sum(sizes[file] for file in kept)} bytes", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10, help="how long to fuzz (default 10)")
    parser.add_argument("--slice", type=int, default=60, help="seconds of one target at a time (default 60)")
    parser.add_argument("--target", action="append", help="only this target; may be repeated")
    parser.add_argument("--goal", type=float, default=24, help="hours of processor time to add up to (default 24)")
    parser.add_argument("--minimise", action="store_true", help="minimise the corpus afterwards")
    parser.add_argument("--no-build", action="store_true", help="run the programs that are there")
    arguments = parser.parse_args()

    fuzzer = Fuzzer()
    with open(fuzzer.at("Cargo.toml")) as file:
        names = target_names(file.read())
    chosen = arguments.target or names
    if unknown := sorted(set(chosen) - set(names)):
        raise SystemExit(f"no target {', '.join(unknown)}; there are: {', '.join(names)}")
    if not arguments.no_build:
        fuzzer.build()
    ledger = fuzzer.at("ledger.csv")
    end = time.monotonic() + 60 * arguments.minutes
    findings = 0
    while (left := end - time.monotonic()) > 0:
        spent = seconds_by_target(read_ledger(ledger), names)
        name = min(chosen, key=lambda name: spent[name])
        row = fuzzer.slice(name, max(int(min(arguments.slice, left)), 1))
        add_to_ledger(ledger, row)
        findings += row["findings"]
        total = (sum(spent.values()) + float(row["cpu_seconds"])) / 3600
        print(f"{name}: {row['executions']} executions, coverage {row['coverage']}, findings {row['findings']}; "
              f"{total:.2f} of {arguments.goal:g} h, {max(end - time.monotonic(), 0) / 60:.0f} min left", flush=True)
    if arguments.minimise:
        for name in chosen:
            fuzzer.minimise(name)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""How fast an engine answers and how much memory it uses: start to uciok, stop to bestmove, end of input, resident memory.

usage: latency.py ENGINE [--stops N] [--hash MB] [--threads N] [--parallel NAMES] [--beside ENGINE]

`stop` is measured for each way of searching together (the values of the option Parallel), N times each, and for the
engine named with --beside in the same run. Needs nothing but Python and a Linux /proc.
"""
import argparse
import random
import subprocess
import time

PARALLEL = ["lazy", "ybwc", "abdada", "teams"]
# Stops of one engine before the next has its turn.
ROUND = 100
OPENINGS = ["e2e4", "d2d4 d7d5", "c2c4 e7e5 b1c3", "g1f3"]


class Engine:
    def __init__(self, command, options=()):
        self.begin = time.perf_counter()
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        for name, value in options:
            self.send(f"setoption name {name} value {value}")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return time.perf_counter()

    def until(self, start):
        while not (line := self.process.stdout.readline()).startswith(start):
            if not line:
                raise SystemExit(f"the engine ended before {start!r}")
        return time.perf_counter()

    def resident_kib(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def quit(self):
        self.send("quit")
        self.process.wait(timeout=60)


def stop_times(command, options, stops, seed=1):
    """Seconds from `stop` to `bestmove`; each search runs for 2 to 20 ms before."""
    engine = Engine(command, options)
    engine.send("isready")
    engine.until("readyok")
    generator = random.Random(seed)
    waits = []
    for _ in range(stops):
        engine.send("position startpos moves " + generator.choice(OPENINGS))
        engine.send("go infinite")
        time.sleep(generator.uniform(0.002, 0.02))
        asked = engine.send("stop")
        waits.append(engine.until("bestmove") - asked)
    engine.quit()
    return waits


def quantile(ordered, share):
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def measure_stops(command, beside, parallel, threads, megabytes, stops, known=None, keep=lambda name, waits: None, minutes=None):
    """Stop latencies in milliseconds by engine and way of searching together.

    The engines take turns, ROUND stops at a time, so that what else the machine does meets all of them alike. `known` has what
    was measured before; `keep` is called with each turn's latencies. After `minutes` no further round begins.
    """
    begin = time.monotonic()
    base = [("Hash", megabytes), ("Threads", threads)]
    engines = [(f"Tabiya, {name}", command, base + [("Parallel", name)]) for name in parallel]
    if beside:
        engines.append((beside.rsplit("/", 1)[-1], beside, base))
    measured = {name: list((known or {}).get(name, [])) for name, _, _ in engines}
    while any(len(waits) < stops for waits in measured.values()):
        if minutes is not None and time.monotonic() - begin >= 60 * minutes:
            break
        for name, program, options in engines:
            done = len(measured[name])
            count = min(ROUND, stops - done)
            if count > 0:
                waits = [1000 * wait for wait in stop_times(program, options, count, seed=1 + done)]
                measured[name] += waits
                keep(name, waits)
    return measured


def stop_table(measured):
    """A Markdown table of stop latencies, one row for each engine and way of searching together."""
    lines = ["| engine | stops | p50 ms | p99 ms | max ms |", "|---|---|---|---|---|"]
    for name, waits in measured.items():
        if waits := sorted(waits):
            lines.append(
                f"| {name} | {len(waits)} | {quantile(waits, 0.5):.2f} | {quantile(waits, 0.99):.2f} | {waits[-1]:.2f} |"
            )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--stops", type=int, default=300)
    parser.add_argument("--hash", type=int, default=64)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--parallel", default=",".join(PARALLEL), help="ways of searching together, by comma")
    parser.add_argument("--beside", help="another engine, measured in the same run")
    arguments = parser.parse_args()

    starts = []
    for _ in range(20):
        engine = Engine(arguments.engine)
        engine.send("uci")
        starts.append(engine.until("uciok") - engine.begin)
        engine.quit()
    starts.sort()
    print(f"start to uciok: median {1000 * starts[10]:.1f} ms, worst of 20 {1000 * starts[-1]:.1f} ms")

    parallel = arguments.parallel.split(",") if arguments.threads > 1 else ["lazy"]
    print("stop to bestmove:")
    print(stop_table(measure_stops(
        arguments.engine, arguments.beside, parallel, arguments.threads, arguments.hash, arguments.stops
    )))

    engine = Engine(arguments.engine, [("Hash", arguments.hash), ("Threads", arguments.threads)])
    engine.send("position startpos")
    engine.send("go movetime 3000")
    engine.until("bestmove")
    resident = engine.resident_kib() / 1024
    print(f"resident memory: {resident:.1f} MiB with Hash {arguments.hash}, {resident - arguments.hash:.1f} beyond it")

    engine.send("go infinite")
    begin = time.perf_counter()
    engine.process.stdin.close()
    engine.process.wait(timeout=10)
    print(f"end of input during a search to end of process: {1000 * (time.perf_counter() - begin):.1f} ms")


if __name__ == "__main__":
    main()

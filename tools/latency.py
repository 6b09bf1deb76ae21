#!/usr/bin/env python3
"""How quickly an engine answers, and what it holds: start to uciok, stop to bestmove, resident memory, end of input.

usage: latency.py ENGINE [--cycles N] [--hash MB] [--threads N]     (needs nothing but Python and a Linux /proc)
"""
import argparse, random, subprocess, time


class Engine:
    def __init__(self, command):
        self.begin = time.perf_counter()
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return time.perf_counter()

    def until(self, start):
        while not (line := self.process.stdout.readline()).startswith(start):
            if not line:
                raise SystemExit(f"the engine ended while {start!r} was awaited")
        return time.perf_counter()

    def resident_kib(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine")
    parser.add_argument("--cycles", type=int, default=300)
    parser.add_argument("--hash", type=int, default=64)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()

    starts = []
    for _ in range(20):
        engine = Engine(arguments.engine)
        engine.send("uci")
        starts.append(engine.until("uciok") - engine.begin)
        engine.send("quit")
        engine.process.wait()
    starts.sort()
    print(f"start to uciok: median {1000 * starts[10]:.1f} ms, worst of 20 {1000 * starts[-1]:.1f} ms")

    engine = Engine(arguments.engine)
    engine.send(f"setoption name Hash value {arguments.hash}")
    engine.send(f"setoption name Threads value {arguments.threads}")
    random.seed(1)
    waits = []
    for cycle in range(arguments.cycles):
        engine.send("position startpos moves " + random.choice(["e2e4", "d2d4 d7d5", "c2c4 e7e5 b1c3", "g1f3"]))
        engine.send("go infinite")
        time.sleep(random.uniform(0.002, 0.08))
        asked = engine.send("stop")
        waits.append(engine.until("bestmove") - asked)
    waits.sort()
    worst = waits[int(0.99 * len(waits))]
    print(f"stop to bestmove over {len(waits)}: median {1000 * waits[len(waits) // 2]:.2f} ms, p99 {1000 * worst:.2f} ms, "
          f"worst {1000 * waits[-1]:.2f} ms")

    engine.send("position startpos")
    engine.send("go movetime 3000")
    engine.until("bestmove")
    resident = engine.resident_kib() / 1024
    print(f"resident after filling: {resident:.1f} MiB with Hash {arguments.hash} (beyond it {resident - arguments.hash:.1f})")

    engine.send("go infinite")
    begin = time.perf_counter()
    engine.process.stdin.close()
    engine.process.wait(timeout=10)
    print(f"end of input during a search to end of process: {1000 * (time.perf_counter() - begin):.1f} ms")


main()

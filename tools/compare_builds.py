#!/usr/bin/env python3
"""Compares two builds of the program: node counts, UCI output, answers of the board's server.

    tools/compare_builds.py REFERENCE OTHER [RUNNER...]

OTHER may be a build for another system; RUNNER is what runs it here, as in

    tools/compare_builds.py tabiya cross/tabiya qemu-aarch64 -L /usr/aarch64-linux-gnu
    tools/compare_builds.py tabiya cross/tabiya.exe wine
    tools/compare_builds.py tabiya tabiya-v2 qemu-x86_64 -cpu Nehalem

What a clock measures (time, nodes per second) and remarks (info string) are left out of the comparison.
"""

import re
import socket
import subprocess
import sys
import tempfile
import urllib.request

SCRIPT = """uci
isready
setoption name MultiPV value 2
position startpos moves e2e4 c7c5
go depth 9
setoption name MultiPV value 1
ucinewgame
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1
go depth 10
setoption name Evaluation value hce
position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
go nodes 20000
setoption name Evaluation value network
setoption name UCI_LimitStrength value true
setoption name UCI_Elo value 1500
setoption name RandomSeed value 7
setoption name ThinkingTime value false
position startpos moves d2d4 g8f6 c2c4
go nodes 5000
"""
CLOCK = re.compile(r" (time|nps) \d+")
# Seconds after which a program that says nothing has failed; emulators are slow.
PATIENCE = 1200


def bench(command):
    """The node count of the bench, the last line's first number."""
    done = subprocess.run([*command, "bench"], capture_output=True, text=True, timeout=PATIENCE)
    last = (done.stdout.strip().splitlines() or [""])[-1]
    return int(last.split()[0]) if re.match(r"\d+ ", last) else f"exit {done.returncode}: {last or done.stderr.strip()}"


def transcript(command):
    """What the engine answers to the script, one search after the other, without what a clock measures."""
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = []
    for order in SCRIPT.splitlines():
        program.stdin.write(order + "\n")
        program.stdin.flush()
        ends = {"uci": "uciok", "isready": "readyok", "go": "bestmove"}.get(order.split()[0])
        while ends:
            line = program.stdout.readline()
            if not line:
                lines.append(f"ended after {order!r}")
                return lines
            if not line.startswith("info string"):
                lines.append(CLOCK.sub("", line.rstrip()))
            if line.startswith(ends):
                break
    program.stdin.write("quit\n")
    program.stdin.close()
    program.wait(timeout=60)
    return lines


def served(command):
    """The status and the size of the first page, asked at the address that the server prints."""
    with tempfile.TemporaryDirectory() as folder:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        words = [*command, "serve", "--no-open", "--port", str(port), "--data", folder]
        server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            said = ""
            for line in server.stdout:
                said += line
                if found := re.search(r"http://\S+", line):
                    with urllib.request.urlopen(found.group(0), timeout=120) as answer:
                        return answer.status, len(answer.read())
            return f"no address: {said.strip()}"
        finally:
            server.terminate()
            server.wait(timeout=60)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    reference, other = [sys.argv[1]], [*sys.argv[3:], sys.argv[2]]
    different = False
    for name, measure in [("bench", bench), ("UCI transcript", transcript), ("serve", served)]:
        expected, found = measure(reference), measure(other)
        shown = found if not isinstance(found, list) else f"{len(found)} lines"
        # Two builds that fail in the same way are not equal builds.
        equal = expected == found and not isinstance(found, str)
        print(f"{name}: {shown}, {'equal' if equal else 'DIFFERENT'}", flush=True)
        if not equal:
            different = True
            if isinstance(found, list):
                pairs = [(a, b) for a, b in zip(expected, found) if a != b]
                print(f"  first difference: {pairs[0] if pairs else (len(expected), len(found))}")
            else:
                print(f"  expected {expected}")
    sys.exit(different)


if __name__ == "__main__":
    main()

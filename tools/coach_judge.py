#!/usr/bin/env python3
"""Judge reports of the coach by another engine.

    tabiya coach game.pgn --quiet --json game.json
    tools/coach_judge.py --engine stockfish --nodes 60000 --proof 600000 --csv rows.csv game.json ...
    tools/coach_judge.py --rows rows.csv        # the figures of rows written before

Every position of each game is searched by the engine with --nodes. Moves that the coach calls errors, and moves that
lose 0.08 points or more in that search, are searched again with --proof nodes: the engine's best move and the move
played, each alone. Points are expected points by the logistic curve of Lichess.

A false alarm is an error of the coach that loses less than 0.05 points by the engine. A miss is a move that loses 0.15
points or more by the engine and that the coach does not call an error; opening moves the coach calls book are counted
apart.
"""

import argparse
import csv
import json
import math
import subprocess
import sys

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CONFIRMED, MISS, FAR_MISS, LOOK_AGAIN = 0.05, 0.15, 0.20, 0.08
COLUMNS = ["game", "ply", "move", "class", "named", "coach", "engine"]
COUNTS = ["moves", "named", "confirmed", "large", "large_missed", "book", "book_missed", "far"]


class Engine:
    """An engine in another process."""

    def __init__(self, command):
        self.process = subprocess.Popen([command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.tell("uci")
        self.name = "?"
        for line in self.until("uciok"):
            if line.startswith("id name "):
                self.name = line[len("id name ") :].strip()
        self.tell("setoption name Hash value 64")
        self.tell("setoption name Threads value 1")

    def tell(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def until(self, word):
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the engine ended")
            yield line
            if line.startswith(word):
                return

    def search(self, start, moves, nodes, only=None):
        """The best move and what it is worth to the side to move; None where the game is over."""
        self.tell(f"position fen {start} moves {' '.join(moves)}")
        self.tell(f"go nodes {nodes}" + (f" searchmoves {only}" if only else ""))
        points, best = None, None
        for line in self.until("bestmove"):
            words = line.split()
            if "score" in words and "lowerbound" not in words and "upperbound" not in words:
                kind, value = words[words.index("score") + 1 : words.index("score") + 3]
                points = expected(kind, int(value))
            if words and words[0] == "bestmove":
                best = words[1]
        return None if points is None or best in (None, "(none)") else (best, points)

    def close(self):
        self.tell("quit")
        self.process.wait(10)


def expected(kind, value):
    if kind == "mate":
        return 1.0 if value > 0 else 0.0
    return 1.0 / (1.0 + math.exp(-0.00368208 * value))


def interval(hits, count):
    """Wilson's 95 % interval in per cent."""
    if count == 0:
        return "no case"
    z, p = 1.96, hits / count
    middle = (p + z * z / (2 * count)) / (1 + z * z / count)
    half = z * math.sqrt(p * (1 - p) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return f"{100 * p:.1f} % ({100 * max(0.0, middle - half):.1f} to {100 * min(1.0, middle + half):.1f})"


def judge(engine, report, number, options, found):
    start = report.get("start", START)
    moves = [played["uci"] for played in report["moves"]]
    looks = [engine.search(start, moves[:ply], options.nodes) for ply in range(len(moves) + 1)]
    for ply, played in enumerate(report["moves"]):
        named = played["proof"] is not None
        here, there = looks[ply], looks[ply + 1]
        if here is None:
            continue
        # After mate or stalemate nothing is lost that a report could name.
        seems = here[1] - (1.0 - there[1]) if there else 0.0
        found["moves"] += 1
        if not named and seems < LOOK_AGAIN:
            continue
        best = engine.search(start, moves[:ply], options.proof)
        alone = engine.search(start, moves[:ply], options.proof, played["uci"])
        if best is None or alone is None:
            continue
        loss = 0.0 if best[0] == played["uci"] else best[1] - alone[1]
        row = [number, played["ply"], played["uci"], played["class"], int(named), f"{played['loss']:.4f}", f"{loss:.4f}"]
        if options.table is not None:
            options.table.writerow(row)
        count(dict(zip(COLUMNS, row)), found)
        text = f"{played['number']} {played['color']} {played['san']}: engine {loss:.3f}, coach {played['loss']:.3f} ({played['class']})"
        if named and loss < CONFIRMED:
            print(f"  false alarm: {text}; better was {played['best_san']}")
        if loss >= MISS and not named:
            print(f"  miss: {text}; better was {best[0]}")


def count(row, found):
    """Counts a move that was judged."""
    named, loss = int(row["named"]), float(row["engine"])
    found["named"] += named
    found["confirmed"] += named and loss >= CONFIRMED
    if loss >= MISS:
        kind = "book" if row["class"] == "book" else "large"
        found[kind] += 1
        if not named:
            found[kind + "_missed"] += 1
            found["far"] += loss >= FAR_MISS and kind == "large"


def figures(found):
    """What the counts say, in lines."""
    return [
        f"named errors confirmed at {CONFIRMED}: {found['confirmed']} of {found['named']}, {interval(found['confirmed'], found['named'])}",
        f"missed of those losing {MISS} or more: {found['large_missed']} of {found['large']}, {interval(found['large_missed'], found['large'])}",
        f"of these beyond {FAR_MISS}: {found['far']}; in opening theory: {found['book_missed']} of {found['book']}",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="*", help="reports written by tabiya coach --json")
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--nodes", type=int, default=60_000)
    parser.add_argument("--proof", type=int, default=600_000)
    parser.add_argument("--csv", help="every move that was judged, with what the coach and the engine say that it loses")
    parser.add_argument("--rows", help="such a file from an earlier run, in place of reports")
    options = parser.parse_args()
    if bool(options.reports) == bool(options.rows):
        parser.error("expected reports to judge, or --rows FILE")
    found = dict.fromkeys(COUNTS, 0)
    if options.rows:
        with open(options.rows, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            count(row, found)
        print(f"{len({row['game'] for row in rows})} games")
        print("\n".join(figures(found)))
        return
    options.table = csv.writer(open(options.csv, "w", encoding="utf-8", newline="")) if options.csv else None
    if options.table:
        options.table.writerow(COLUMNS)
    engine = Engine(options.engine)
    for number, path in enumerate(options.reports, 1):
        with open(path, encoding="utf-8") as file:
            judge(engine, json.load(file), number, options, found)
        print(f"after {number} games: {found}", flush=True)
    engine.close()
    print(f"judge: {engine.name}, {options.nodes} and {options.proof} nodes; {len(options.reports)} games, {found['moves']} moves")
    print("\n".join(figures(found)))


if __name__ == "__main__":
    main()

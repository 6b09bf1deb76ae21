#!/usr/bin/env python3
"""Judge reports of the coach by another engine.

    tabiya coach game.pgn --quiet --json game.json
    tools/coach_judge.py --engine stockfish --nodes 60000 --proof 600000 --csv rows.csv game.json ...
    tools/coach_judge.py --rows rows.csv        # the figures of rows written before
    tools/coach_judge.py --known rows.csv --csv new.csv game.json ...     # the same games with a changed coach
    tools/coach_judge.py --again rows.csv --proof 2000000 game.json ...   # does the engine agree with itself?

Every position of each game is searched by the engine with --nodes. Moves that the coach calls errors, and moves that
lose 0.08 points or more in that search, are searched again with --proof nodes: the engine's best move and the move
played, each alone. Points are expected points by the logistic curve of Lichess.

With --known, moves of these rows keep the engine's loss, and only moves that the coach names and that are not among
them are searched. With --again, the moves of these rows are searched with --proof nodes and compared with what the rows
say. Both take the games in the order in which the rows were written.

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


def proven_loss(engine, start, moves, ply, nodes):
    """What the move played loses by a long search of it and of the best move, and that move; None where the game is over."""
    best = engine.search(start, moves[:ply], nodes)
    alone = engine.search(start, moves[:ply], nodes, moves[ply])
    if best is None or alone is None:
        return None
    return (0.0 if best[0] == moves[ply] else best[1] - alone[1]), best[0]


def judge(engine, report, number, options, found):
    start = report.get("start", START)
    moves = [played["uci"] for played in report["moves"]]
    known = known_losses(options.known, number, moves)
    looks = None if known else [engine.search(start, moves[:ply], options.nodes) for ply in range(len(moves) + 1)]
    for ply, played in enumerate(report["moves"]):
        named = played["proof"] is not None
        found["moves"] += 1
        if looks:
            here, there = looks[ply], looks[ply + 1]
            # After mate or stalemate nothing is lost that a report could name.
            seems = here[1] - (1.0 - there[1]) if here and there else 0.0
            is_known = False
        else:
            is_known = ply in known
            seems = LOOK_AGAIN if is_known else 0.0
        if not named and seems < LOOK_AGAIN:
            continue
        answer = (known[ply], "?") if is_known else proven_loss(engine, start, moves, ply, options.proof)
        if answer is None:
            continue
        loss, better = answer
        row = [number, played["ply"], played["uci"], played["class"], int(named), f"{played['loss']:.4f}", f"{loss:.4f}"]
        if options.table is not None:
            options.table.writerow(row)
        count(dict(zip(COLUMNS, row)), found)
        text = f"{played['number']} {played['color']} {played['san']}: engine {loss:.3f}, coach {played['loss']:.3f} ({played['class']})"
        if named and loss < CONFIRMED:
            print(f"  false alarm: {text}; better was {played['best_san']}")
        if loss >= MISS and not named:
            print(f"  miss: {text}; better was {better}")


def known_losses(rows, number, moves):
    """The engine's losses by ply in the rows of a game."""
    own = [row for row in rows or [] if int(row["game"]) == number]
    for row in own:
        ply = int(row["ply"])
        if ply >= len(moves) or moves[ply] != row["move"]:
            sys.exit(f"game {number} is not that of the rows: expected {row['move']} at ply {ply}")
    return {int(row["ply"]): float(row["engine"]) for row in own}


def judge_again(engine, report, number, options, pairs):
    """Adds what the rows say that a move of this game loses, and what a new search says."""
    moves = [played["uci"] for played in report["moves"]]
    for ply, before in sorted(known_losses(options.again, number, moves).items()):
        answer = proven_loss(engine, report.get("start", START), moves, ply, options.proof)
        if answer is not None:
            pairs.append((before, answer[0]))
            print(f"game {number}, ply {ply} {moves[ply]}: {before:.3f} before, {answer[0]:.3f} now", flush=True)


def agreement(pairs):
    """How often a second judgement crosses a limit of the first."""
    confirmed = [after for before, after in pairs if before >= CONFIRMED]
    rejected = [after for before, after in pairs if before < CONFIRMED]
    large = [after for before, after in pairs if before >= MISS]
    below = sum(after < CONFIRMED for after in confirmed)
    above = sum(after >= CONFIRMED for after in rejected)
    fell = sum(after < MISS for after in large)
    distance = sum(abs(after - before) for before, after in pairs) / max(1, len(pairs))
    return [
        f"of {len(confirmed)} that lost {CONFIRMED} or more, {below} lose less now; of {len(rejected)} that lost less, {above} lose more now",
        f"of {len(large)} that lost {MISS} or more, {fell} lose less now; mean distance {distance:.3f} points",
    ]


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


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="*", help="reports written by tabiya coach --json")
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--nodes", type=int, default=60_000)
    parser.add_argument("--proof", type=int, default=600_000)
    parser.add_argument("--csv", help="every move that was judged, with what the coach and the engine say that it loses")
    parser.add_argument("--rows", help="such a file from an earlier run, in place of reports")
    parser.add_argument("--known", type=read_rows, help="rows of the same games: only named moves not among them are searched")
    parser.add_argument("--again", type=read_rows, help="rows of the same games: their moves are searched again and compared")
    options = parser.parse_args()
    if bool(options.reports) == bool(options.rows):
        parser.error("expected reports to judge, or --rows FILE")
    found = dict.fromkeys(COUNTS, 0)
    if options.rows:
        rows = read_rows(options.rows)
        for row in rows:
            count(row, found)
        print(f"{len({row['game'] for row in rows})} games")
        print("\n".join(figures(found)))
        return
    options.table = csv.writer(open(options.csv, "w", encoding="utf-8", newline="")) if options.csv else None
    if options.table:
        options.table.writerow(COLUMNS)
    engine = Engine(options.engine)
    if options.again is not None:
        pairs = []
        for number, path in enumerate(options.reports, 1):
            with open(path, encoding="utf-8") as file:
                judge_again(engine, json.load(file), number, options, pairs)
        engine.close()
        print("\n".join(agreement(pairs)))
        return
    for number, path in enumerate(options.reports, 1):
        with open(path, encoding="utf-8") as file:
            judge(engine, json.load(file), number, options, found)
        print(f"after {number} games: {found}", flush=True)
    engine.close()
    print(f"judge: {engine.name}, {options.nodes} and {options.proof} nodes; {len(options.reports)} games, {found['moves']} moves")
    print("\n".join(figures(found)))


if __name__ == "__main__":
    main()

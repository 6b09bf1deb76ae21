#!/usr/bin/env python3
"""Fits the two numbers of crates/eval/src/outcome.rs to the scores and results in the store of a `tabiya lab` match.

usage: fit_outcome.py FOLDER/lab.sqlite [PLAYER]     (PLAYER: only this engine's scores count)

Win = 1 / (1 + exp((even - score) / spread)), loss its mirror image, draw the rest; maximum likelihood by a shrinking walk.
"""
import collections
import json
import math
import sqlite3
import sys

store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
player = sys.argv[2] if len(sys.argv) > 2 else None
seen, games = collections.Counter(), 0
rows = store.execute("SELECT white, black, start, opening_moves, notes, result FROM games")
for white, black, start, opening, notes, result in rows:
    games += 1
    points = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[result]
    is_white = (start.split()[1] == "w") == (len(opening.split()) % 2 == 0)
    for note in json.loads(notes):
        mover, score = (white if is_white else black), note[0]
        if isinstance(score, int) and player in (None, mover):
            clipped = max(-1000, min(1000, score))
            seen[clipped // 10 * 10 + 5, points if is_white else -points] += 1
        is_white = not is_white


def loss(even, spread):
    total = 0.0
    for (score, outcome), count in seen.items():
        win = 1 / (1 + math.exp((even - score) / spread))
        lose = 1 / (1 + math.exp((even + score) / spread))
        total -= count * math.log(max(1e-9, {1: win, -1: lose, 0: 1 - win - lose}[outcome]))
    return total


even, spread, step = 100.0, 100.0, 32.0
best = loss(even, spread)
while step > 0.4:
    tries = [(even + step, spread), (even - step, spread), (even, spread + step), (even, spread - step)]
    found = min((loss(*pair), pair) for pair in tries if pair[0] > 1 and pair[1] > 5)
    if found[0] < best:
        best, (even, spread) = found
    else:
        step /= 2
positions = sum(seen.values())
print(f"{games} games, {positions} positions: even {even:.0f}, spread {spread:.0f}, {best / positions:.4f} nats a position")
for score in range(-405, 410, 100):
    counts = [sum(seen[score + near, outcome] for near in range(-20, 21, 10)) for outcome in (1, 0, -1)]
    win = 1 / (1 + math.exp((even - score) / spread))
    if total := sum(counts):
        print(f"{score:5}: won {counts[0] / total:.2f}, drawn {counts[1] / total:.2f}, lost {counts[2] / total:.2f} of {total}; the curve: won {win:.2f}")

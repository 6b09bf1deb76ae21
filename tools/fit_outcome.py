#!/usr/bin/env python3
"""Fits the four numbers of crates/eval/src/outcome.rs to the scores and results in the store of a `tabiya lab` match.

usage: fit_outcome.py FOLDER/lab.sqlite [PLAYER]     (PLAYER: only this engine's scores count)

Win = 1 / (1 + exp((even - score) / spread)), loss its mirror image, draw the rest. Even and spread are straight lines in the
move's number, given by their value at move 32 and what 32 moves add; maximum likelihood by a shrinking walk.
"""
import collections
import json
import math
import sqlite3
import sys

FIRST, LAST = 20, 96

store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
player = sys.argv[2] if len(sys.argv) > 2 else None
seen, games = collections.Counter(), 0
rows = store.execute("SELECT white, black, start, opening_moves, notes, result FROM games")
for white, black, start, opening, notes, result in rows:
    games += 1
    points = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[result]
    fields = start.split()
    begins = int(fields[5]) if len(fields) > 5 else 1
    plies = len(opening.split()) + (fields[1] == "b")
    for note in json.loads(notes):
        is_white = plies % 2 == 0
        mover, score = (white if is_white else black), note[0]
        if isinstance(score, int) and player in (None, mover):
            clipped = max(-1000, min(1000, score))
            move = max(FIRST, min(LAST, begins + plies // 2))
            seen[clipped // 10 * 10 + 5, move // 8 * 8 + 4, points if is_white else -points] += 1
        plies += 1


def curve(numbers, move):
    """Even and spread at a move."""
    even, later_even, spread, later_spread = numbers
    later = (move - 32) / 32
    return even + later_even * later, max(5.0, spread + later_spread * later)


def chance(score, even, spread):
    return 1 / (1 + math.exp((even - score) / spread))


def loss(numbers):
    total = 0.0
    for (score, move, outcome), count in seen.items():
        even, spread = curve(numbers, move)
        win, lose = chance(score, even, spread), chance(-score, even, spread)
        total -= count * math.log(max(1e-9, {1: win, -1: lose, 0: 1 - win - lose}[outcome]))
    return total


numbers, step = [100.0, 0.0, 100.0, 0.0], 32.0
best = loss(numbers)
while step > 0.4:
    tries = [[value + sign * step * (place == index) for place, value in enumerate(numbers)] for index in range(4) for sign in (1, -1)]
    found = min((loss(tried), tried) for tried in tries)
    if found[0] < best:
        best, numbers = found
    else:
        step /= 2
positions = sum(seen.values())
even, later_even, spread, later_spread = numbers
print(f"{games} games, {positions} positions, {best / positions:.4f} nats a position")
print(f"at move 32 even {even:.0f}, spread {spread:.0f}; 32 moves later {later_even:+.0f}, {later_spread:+.0f}")
for low, high in ((FIRST, 24), (24, 40), (40, 64), (64, LAST + 8)):
    print(f"moves {low} to {min(high - 1, LAST)}:")
    for score in range(-305, 310, 100):
        near = {key: count for key, count in seen.items() if abs(key[0] - score) <= 20 and low <= key[1] < high}
        if total := sum(near.values()):
            share = [sum(count for key, count in near.items() if key[2] == outcome) / total for outcome in (1, 0, -1)]
            expected = sum(count * chance(score, *curve(numbers, key[1])) for key, count in near.items()) / total
            print(f"{score:5}: won {share[0]:.2f}, drawn {share[1]:.2f}, lost {share[2]:.2f} of {total}; the curve: won {expected:.2f}")

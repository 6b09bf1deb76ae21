#!/usr/bin/env python3
"""Fit thinking times of people: the numbers of `Pace::of` in `crates/opponent`.

    zstd -dc human/lichess-clock.tsv.zst | human-study pace 3 6000 pace.tsv
    tools/fit_pace.py pace.tsv

Least squares of the logarithm of the time as a multiple of an ordinary move's. The rank correlation within games is
measured on the half of the games that the fit did not see, and the other way round.
"""

import math
import random
import sys

FIELDS = "game ply base increment left opponent_left spent last rating entropy favourite takes check legal ply2 pieces"
# Seconds added to both sides, so that moves played at once have a logarithm.
OFFSET = 0.3
NAMES = ["constant", "entropy", "entropy squared", "takes back", "in check", "ln legal moves", "ply to 12", "ply to 40"]


def features(row):
    return [
        1.0,
        row["entropy"],
        row["entropy"] ** 2,
        row["takes"],
        row["check"],
        math.log(row["legal"]),
        min(row["ply"], 12) / 12,
        min(row["ply"], 40) / 40,
    ]


def ordinary(row):
    return row["left"] / 38 + 0.8 * row["increment"]


def target(row):
    return math.log((row["spent"] + OFFSET) / (ordinary(row) + OFFSET))


def solve(matrix, right):
    rows = [line + [value] for line, value in zip(matrix, right)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(len(rows)):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def fit(rows):
    xs, ts = [features(row) for row in rows], [target(row) for row in rows]
    size = len(NAMES)
    matrix = [[sum(x[i] * x[j] for x in xs) + (1e-3 if i == j else 0.0) for j in range(size)] for i in range(size)]
    return solve(matrix, [sum(x[i] * t for x, t in zip(xs, ts)) for i in range(size)])


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    found, i = [0.0] * len(values), 0
    while i < len(order):
        j = i
        while j < len(order) and values[order[j]] == values[order[i]]:
            j += 1
        for k in order[i:j]:
            found[k] = (i + j - 1) / 2
        i = j
    return found


def spearman(a, b):
    a, b = ranks(a), ranks(b)
    middle = (len(a) - 1) / 2
    product = lambda x, y: sum((p - middle) * (q - middle) for p, q in zip(x, y))
    return product(a, b) / math.sqrt(product(a, a) * product(b, b) + 1e-9)


def within_games(rows, weights):
    games = {}
    for row in rows:
        predicted = ordinary(row) * math.exp(sum(w * x for w, x in zip(weights, features(row))))
        games.setdefault(row["game"], []).append((row["spent"], predicted))
    found = [(spearman(*zip(*pairs)), len(pairs)) for pairs in games.values() if len(pairs) >= 10]
    mean = sum(r * n for r, n in found) / sum(n for _, n in found)
    spread = math.sqrt(sum((r - mean) ** 2 for r, _ in found) / max(len(found) - 1, 1) / len(found))
    return f"{mean:.3f} +-{1.96 * spread:.3f} in {len(found)} games"


def main():
    names = FIELDS.split()
    with open(sys.argv[1], encoding="utf-8") as file:
        lines = [line.split("\t") for line in file if line.count("\t") == len(names) - 1]
    rows = [dict(zip(names, map(float, line))) for line in lines]
    games = sorted({row["game"] for row in rows})
    random.Random(1).shuffle(games)
    half = set(games[: len(games) // 2])
    for name, inside in [("first", True), ("second", False)]:
        seen = [row for row in rows if (row["game"] in half) == inside]
        unseen = [row for row in rows if (row["game"] in half) != inside]
        print(f"fitted on the {name} half: rank correlation on the other {within_games(unseen, fit(seen))}")
    weights = fit(rows)
    rest = [target(row) - sum(w * x for w, x in zip(weights, features(row))) for row in rows]
    print(f"{len(rows)} moves of {len(games)} games; standard deviation not explained {math.sqrt(sum(r * r for r in rest) / len(rest)):.3f}")
    for name, weight in zip(NAMES, weights):
        print(f"  {name}: {weight:.3f}")


if __name__ == "__main__":
    main()

"""Probabilities of a shipped network on a few games of our own making, for the Rust side to reproduce.

    human-data pack < crates/human-model/tests/data/made-up.tsv > made-up.bin; human-data expand made-up.bin DIR
    python fixture.py --data DIR --weights OUT/reply.pt --out crates/human-model/tests/data/expected.tsv

One line a position: game, ply, then the probability of every legal move in the order of policy indices.
"""

import argparse
from pathlib import Path

import torch

from data import Games
from judge import load

if __name__ == "__main__":
    parse = argparse.ArgumentParser()
    parse.add_argument("--data", required=True)
    parse.add_argument("--weights", required=True)
    parse.add_argument("--out", required=True)
    options = parse.parse_args()
    games = Games(options.data, torch.device("cpu"))
    model = load(options.weights, "cpu", shipped=True)
    batch = games.batch(torch.arange(len(games)), 96, augment=False)
    with torch.no_grad():
        chances = model(batch.planes, batch.conditions, batch.legal, batch.present).softmax(1)
    lines = []
    for row in range(len(games)):
        numbers = " ".join(f"{p:.7f}" for p in chances[row, : int(games.count[row])].tolist())
        lines.append(f"{int(games.game[row])}\t{int(games.ply[row])}\t{numbers}\n")
    Path(options.out).write_text("".join(lines))
    print(f"{len(lines)} positions to {options.out}")

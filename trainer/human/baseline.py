"""A simple baseline beside which the network is shown: how often a kind of move is played when it is there to be played.

A kind of move is (piece, from, to, taking or not, taking back or not); its rate over the training players, drawn towards the
rate of (piece, piece taken, taking back) where it is rare, is its weight among the legal moves. No search, no rating.

    python baseline.py --data DIR
"""

import argparse
import json

import numpy as np
import torch

from data import Games


def legal_moves(games, chosen):
    """For every legal move of the chosen positions: the position's row, the fine kind, the coarse kind, and whether it was played."""
    count = games.count.numpy()[chosen].astype(np.int64)
    row = np.repeat(np.arange(len(chosen)), count)
    start = np.cumsum(count) - count
    column = np.arange(len(row)) - start[row]
    policy = games.legal.numpy()[games.offset.numpy()[chosen][row] + column].astype(np.int32)
    rest = policy - 4096
    origin = np.where(rest < 0, policy // 64, 48 + rest // 8 % 8)
    target = np.where(rest < 0, policy % 64, 56 + rest % 8)
    packed = games.boards.numpy()[chosen]
    codes = np.stack((packed & 15, packed >> 4), 2).reshape(len(chosen), 64)
    piece, taken = codes[row, origin].astype(np.int32), codes[row, target].astype(np.int32)
    ply = games.ply.numpy()[chosen]
    last = games.moves.numpy()[chosen - 1, 1] ^ np.where(ply & 1, 56, 0).astype(np.uint8)
    back = (target == last[row]) & (taken > 0)
    coarse = ((piece * 16 + taken) * 2 + back) * 2 + (rest >= 0)
    fine = (((piece * 64 + origin) * 64 + target) * 2 + (taken > 0)) * 2 + back
    return row, fine, coarse, column == games.target.numpy()[chosen][row]


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--data", required=True)
    parse.add_argument("--train_sample", type=int, default=2, help="count one training position in so many")
    options = parse.parse_args()
    games = Games(options.data, torch.device("cpu"))
    train, _, _, test = (mask.numpy() & (games.ply.numpy() >= 10) for mask in games.split())
    _, fine, coarse, played = legal_moves(games, train.nonzero()[0][:: options.train_sample])
    tally = lambda kind, size: (np.bincount(kind[played], minlength=size), np.bincount(kind, minlength=size))
    chosen, there = tally(coarse, 1024)
    coarse_rate = (chosen + 0.02) / (there + 1)
    chosen, there = tally(fine, 1 << 18)

    index = test.nonzero()[0]
    row, fine, coarse, played = legal_moves(games, index)
    weight = (chosen[fine] + 20 * coarse_rate[coarse]) / (there[fine] + 20)
    total = np.bincount(row, weights=weight)
    loss = -np.log((weight / total[row])[played])
    best = np.maximum.reduceat(weight, np.flatnonzero(np.diff(row, prepend=-1)))
    hit = weight[played] >= best
    game = games.game.numpy()[index]
    band = games.rating.numpy()[game, games.ply.numpy()[index] & 1] // 200 * 200
    figures = lambda mask: {"positions": int(mask.sum()), "top1": round(float(hit[mask].mean()), 4), "nll": round(float(loss[mask].mean()), 4)}
    print(json.dumps({"all": figures(band >= 0), "band": {int(b): figures(band == b) for b in np.unique(band)}}))


if __name__ == "__main__":
    main()

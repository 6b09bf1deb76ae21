"""Fit one scale for all logits of a trained network on the validation players, and write it into the weights.

    python calibrate.py --data DIR --weights OUT/reply.pt --out OUT/calibrated.pt

A network that saw its games several times is too sure of itself. The policy is linear in its source and promotion heads, so
scaling those two scales every logit: the shipped network needs no extra step. (Guo et al. 2017, temperature scaling.)
"""

import argparse

import torch
from torch.nn import functional as F

from data import Games
from evaluate import WIDEST
from judge import load

HEADS = ("source.weight", "source.bias", "promotion.weight", "promotion.bias")


@torch.no_grad()
def logits_of(model, games, index):
    logits, targets = [], []
    size = 8192 if games.device.type == "cuda" else 128
    for start in range(0, len(index), size):
        part = games.batch(index[start : start + size], WIDEST, augment=False)
        with torch.autocast(games.device.type, torch.bfloat16, enabled=games.device.type == "cuda"):
            policy = model.policy(model.tokens(part.planes, part.conditions))
        logits.append(policy.float().gather(1, part.legal).masked_fill(~part.present, -1e9))
        targets.append(part.target)
    return torch.cat(logits), torch.cat(targets)


def best_scale(logits, targets, low=0.5, high=1.5):
    """The loss is convex in the scale: narrow the interval by thirds."""
    while high - low > 1e-4:
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if F.cross_entropy(logits * left, targets) < F.cross_entropy(logits * right, targets):
            high = right
        else:
            low = left
    return (low + high) / 2


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--data", required=True)
    parse.add_argument("--weights", required=True)
    parse.add_argument("--out", required=True)
    parse.add_argument("--sample", type=int, default=1, help="fit on one validation position in so many: a CPU is slow")
    options = parse.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    games = Games(options.data, device)
    index = games.split()[2].nonzero()[:, 0]
    index = index[games.ply[index] >= 10][:: options.sample]
    logits, targets = logits_of(load(options.weights, device, True), games, index)
    scale = best_scale(logits, targets)
    before, after = (float(F.cross_entropy(logits * value, targets)) for value in (1, scale))
    print(f"scale {scale:.4f}: {before:.4f} nats before, {after:.4f} after, on {len(index)} positions of validation players")
    saved = torch.load(options.weights, map_location="cpu")
    for name in HEADS:
        saved["weights"][name] = (saved["weights"][name].float() * scale).half()
    torch.save(saved, options.out)


if __name__ == "__main__":
    main()

"""What each move of held-out players says about its player's rating: the logarithm of its likelihood at knots.

    python rating_evidence.py --data DIR --weights crates/human-model/weights/reply.bin --out evidence.npz

As `human-study rate` does it in Rust (the network is told time control and past moves, no clocks and no opponent), for all players at
once. Lichess games; test players (buckets 0 to 3) and validation players (4), or with `--opponents` those who played against them: no model was
trained on any game of a held-out player.
"""

import argparse
import time

import numpy as np
import torch

from data import UNKNOWN_CLOCK, Games
from evaluate import WIDEST
from judge import load

LICHESS = range(0, 3)


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--data", required=True)
    parse.add_argument("--weights", required=True)
    parse.add_argument("--out", required=True)
    parse.add_argument("--seconds", type=float, default=1e9)
    parse.add_argument("--sample", type=int, default=1)
    parse.add_argument("--opponents", action="store_true")
    parse.add_argument("--step", type=int, default=200, help="between the knots")
    options = parse.parse_args()
    knots = list(range(600, 3001, options.step))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    games = Games(options.data, device)
    model = load(options.weights, device, shipped=True)
    _, _, validation, test = games.split()
    source = games.source[games.game.long()]
    chosen = validation | test
    if options.opponents:
        held = (games.bucket < 5).any(1)[games.game.long()]
        chosen = held & ~chosen
    index = (chosen & (source >= LICHESS.start) & (source < LICHESS.stop) & (games.count > 1)).nonzero()[:, 0]
    index = index[:: options.sample]
    ratings = games.rating[games.game[index].long()].gather(1, games.movers(index)[:, None])[:, 0]
    games.clock = torch.full_like(games.clock, UNKNOWN_CLOCK)
    found, kept, began = [], [], time.time()
    size = 8192 if device.type == "cuda" else 64
    # In the order of games, so that a run cut short has whole players.
    for part in index.split(size):
        if time.time() - began > options.seconds:
            break
        batch = games.batch(part, WIDEST, augment=False)
        ply, mover = games.ply[part].long(), games.movers(part)
        columns = []
        for knot in knots:
            conditions = conditions_at(games, part, ply, mover, knot)
            with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                logits = model.policy(model.tokens(batch.planes, conditions))
            logs = logits.float().gather(1, batch.legal).masked_fill(~batch.present, -1e9).log_softmax(1)
            columns.append(logs.gather(1, batch.target[:, None])[:, 0].clamp(min=-13.8))
        found.append(torch.stack(columns, 1).half().cpu())
        kept.append(part.cpu())
    kept = torch.cat(kept)
    table = {
        "knots": np.array(knots),
        "logs": torch.cat(found).numpy(),
        "game": games.game.cpu()[kept].numpy(),
        "ply": games.ply.cpu()[kept].numpy(),
        "count": games.count.cpu()[kept].numpy(),
        "rating": ratings.cpu()[: len(kept)].numpy().astype(np.int16),
        "bucket": games.bucket.cpu().numpy().astype(np.uint8),
        "ratings": games.rating.cpu().numpy().astype(np.int16),
        "base": games.base.cpu().numpy().astype(np.int32),
        "games_of_player": games.games_of_player.cpu().numpy().astype(np.int32),
        "source": games.source.cpu().numpy().astype(np.uint8),
    }
    np.savez_compressed(options.out, **table)
    print(f"{len(kept)} of {len(index)} moves at {len(knots)} ratings in {time.time() - began:.0f} s")


def conditions_at(games, part, ply, mover, knot):
    """The mover is told to have this rating, the opponent none."""
    kept = games.rating
    games.rating = torch.zeros_like(kept)
    games.rating[:, 0] = knot
    white = games.conditions(part, ply, mover, False)
    games.rating = games.rating.flip(1)
    black = games.conditions(part, ply, mover, False)
    games.rating = kept
    return torch.where((mover == 0)[:, None], white, black)


if __name__ == "__main__":
    main()

"""A simple baseline beside which the network is shown: a softmax over legal moves whose scores are sums of table entries.

Tables: (piece, from, to), (piece, piece taken), whether the move takes back on the square just moved to, and the first two
again for three bands of rating. No search, no look at the rest of the board.

    python baseline.py --data DIR --epochs 3
"""

import argparse
import json

import torch
from torch.nn import functional as F

from data import Games

WIDTH = 96


def features(games, index):
    """Table rows of each legal move: [B, L, 5] indices into one long table, and which entries are moves."""
    batch = games.batch(index, WIDTH, augment=False)
    packed = games.boards[index]
    codes = torch.stack((packed & 15, packed >> 4), 2).view(len(index), 64).long()
    under = batch.legal >= 4096
    rest = batch.legal - 4096
    origin = torch.where(under, 48 + rest // 8 % 8, batch.legal // 64)
    target = torch.where(under, 56 + rest % 8, batch.legal % 64)
    piece, taken = codes.gather(1, origin), codes.gather(1, target)
    last = batch.planes[:, :, 16].argmax(1)  # where the last move went
    retakes = (target == last[:, None]) & (taken >= 7) & (batch.planes[:, :, 16].sum(1) > 0)[:, None]
    rating = games.rating[games.game[index].long()].gather(1, games.movers(index)[:, None])[:, 0]
    band = (rating.clamp(0, 2999) // 1000)[:, None]
    step = (piece * 64 + origin) * 64 + target
    trade = piece * 16 + taken
    kinds = 16 * 64 * 64
    columns = (step, kinds + band * kinds + step, 4 * kinds + trade, 4 * kinds + 256 * (1 + band) + trade, 4 * kinds + 1024 + 2 * under + retakes)
    return torch.stack(columns, 2), batch.present, batch.target


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--data", required=True)
    parse.add_argument("--epochs", type=int, default=3)
    options = parse.parse_args()
    games = Games(options.data, torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    train, _, _, test = games.split()
    pick = lambda mask: (mask & (games.count <= WIDTH) & (games.ply >= 10)).nonzero()[:, 0]
    train, test = pick(train), pick(test)
    table = torch.nn.Embedding(4 * 65536 + 1024 + 4, 1, device=games.device)
    torch.nn.init.zeros_(table.weight)
    steps = options.epochs * (len(train) // 1024)
    adam = torch.optim.Adam(table.parameters(), lr=0.03, betas=(0.9, 0.99))
    schedule = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.02, steps)
    score = lambda rows, present: table(rows)[..., 0].sum(2).masked_fill(~present, -1e9)
    torch.manual_seed(1)
    for step in range(steps):
        rows, present, target = features(games, train[torch.randint(len(train), (1024,), device=games.device)])
        loss = F.cross_entropy(score(rows, present), target)
        adam.zero_grad()
        loss.backward()
        adam.step()
        schedule.step()
    hits, losses, ratings = [], [], []
    with torch.no_grad():
        for part in test.split(4096):
            rows, present, target = features(games, part)
            logits = score(rows, present)
            hits.append(logits.argmax(1) == target)
            losses.append(F.cross_entropy(logits, target, reduction="none"))
            ratings.append(games.rating[games.game[part].long()].gather(1, games.movers(part)[:, None])[:, 0])
    hits, losses, band = torch.cat(hits).float(), torch.cat(losses), torch.cat(ratings) // 200 * 200
    row = lambda chosen: {"positions": int(chosen.sum()), "top1": round(float(hits[chosen].mean()), 4), "nll": round(float(losses[chosen].mean()), 4)}
    print(json.dumps({"trained on": len(train), "all": row(band >= 0), "band": {b: row(band == b) for b in band.unique().tolist()}}))


if __name__ == "__main__":
    main()

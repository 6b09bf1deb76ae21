"""Figures of a reply network on chosen positions: top-1 over legal moves, negative log-likelihood, calibration, by band and source."""

import torch

from data import SOURCES

WIDEST = 224


@torch.no_grad()
def outcomes(model, games, index):
    """Per position: was the favourite played, minus log P(move played), P(favourite)."""
    hits, losses, tops = [], [], []
    batch = 8192 if games.device.type == "cuda" else 128
    for start in range(0, len(index), batch):
        part = games.batch(index[start : start + batch], WIDEST, augment=False)
        with torch.autocast(games.device.type, torch.bfloat16, enabled=games.device.type == "cuda"):
            tokens = model.tokens(part.planes, part.conditions)
            logits = model.policy(tokens)
        logits = logits.float().gather(1, part.legal).masked_fill(~part.present, -1e9)
        logs = logits.log_softmax(1)
        best = logs.max(1)
        hits.append(best.indices == part.target)
        losses.append(-logs.gather(1, part.target[:, None])[:, 0])
        tops.append(best.values.exp())
    return torch.cat(hits).float(), torch.cat(losses), torch.cat(tops)


def calibration(hits, tops, bins=20):
    """Expected calibration error of the favourite's probability, and the table behind it."""
    cell = (tops * bins).long().clamp(max=bins - 1)
    table, error = [], 0.0
    for number in range(bins):
        chosen = cell == number
        count = int(chosen.sum())
        if count:
            said, seen = float(tops[chosen].mean()), float(hits[chosen].mean())
            error += count * abs(said - seen)
            table.append([count, round(said, 4), round(seen, 4)])
    return error / max(1, len(hits)), table


def report(model, games, index, first_ply=10):
    index = index[games.ply[index] >= first_ply]
    hits, losses, tops = outcomes(model, games, index)

    def row(chosen):
        count = int(chosen.sum())
        return {"positions": count, "top1": float(hits[chosen].mean()), "nll": float(losses[chosen].mean())}

    everything = torch.ones_like(hits, dtype=torch.bool)
    game = games.game[index].long()
    rating = games.rating[game].gather(1, games.movers(index)[:, None])[:, 0]
    source = games.source[game]
    band = (rating // 200 * 200).clamp(0, 3000)
    error, table = calibration(hits, tops)
    ply = games.ply[index]
    return {
        "all": row(everything),
        "band": {int(b): row(band == b) for b in band.unique().tolist()},
        "source": {SOURCES[s]: row(source == s) for s in source.unique().tolist()},
        "ply": {f"{a}-{b - 1}": row((ply >= a) & (ply < b)) for a, b in ((10, 20), (20, 40), (40, 80), (80, 1000)) if ((ply >= a) & (ply < b)).any()},
        "calibration_error": error,
        "calibration": table,
    }

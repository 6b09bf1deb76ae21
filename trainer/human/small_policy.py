"""Train the small reply model (tier 1) from what the engine saw of each move.

    human-data small-policy games.bin DIR 400 120                      # Rust, see README.md
    python small_policy.py --data DIR --out crates/human-model/weights/small-policy.bin --figures figures.json
    python small_policy.py --data MADE-UP-DIR --weights crates/human-model/weights/small-policy.bin --fixture crates/human-model/tests/data/small-policy.tsv

A perceptron for each legal move, a softmax over the moves of a position. The target is the move played, mixed with what the big
network expects (a teacher says more about a position than one move does). How far the player looks varies in
training, so that the same weights serve with depth 0 alone and with all five depths. The inputs are made here and, a second time, in
`crates/human-model/src/small_policy/inputs.rs`; the fixture keeps the two equal.
"""

import argparse
import json
import math
import struct
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

DEPTHS = [0, 1, 2, 4, 6]
MOVE_FEATURES, POSITION_FEATURES, HANGS = 38, 12, 12
TABLE = 4
INPUTS = 2 * len(DEPTHS) + 5 + MOVE_FEATURES + POSITION_FEATURES
BAD = 0.10
MAGIC, VERSION = b"TBYSMALL", 1


class SmallPolicyData:
    """All positions, padded to the widest; one row a move."""

    def __init__(self, folder, device):
        folder = Path(folder)
        heads = np.fromfile(folder / "positions", dtype=np.uint8).reshape(-1, 12)
        words = np.ascontiguousarray(heads[:, 2:]).view("<u2").astype(np.int64)
        rows = np.fromfile(folder / "rows", dtype="<f4").reshape(-1, len(DEPTHS) + MOVE_FEATURES + 4)
        around = np.fromfile(folder / "position_features", dtype="<f4").reshape(-1, len(DEPTHS) + POSITION_FEATURES)
        count = words[:, 2]
        width = int(count.max())
        ends = np.cumsum(count)
        index = np.arange(width)[None, :]
        present = index < count[:, None]
        at = np.minimum((ends - count)[:, None] + index, len(rows) - 1)
        put = lambda array: torch.from_numpy(np.ascontiguousarray(array)).to(device)
        self.set, self.source = put(heads[:, 0].astype(np.int64)), put(heads[:, 1].astype(np.int64))
        self.rating, self.ply, self.target, self.taught = put(words[:, 0]), put(words[:, 1]), put(words[:, 3]), put(words[:, 4] > 0)
        self.rows, self.at, self.present = put(rows), put(at), put(present)
        self.best, self.position_features = put(around[:, : len(DEPTHS)]), put(around[:, len(DEPTHS) :])
        self.device = device

    def __len__(self):
        return len(self.set)

    def batch(self, index, known):
        """Inputs [B, W, INPUTS], cells of both tables [B, W, 2], and the mask; `known` [B]: how many depths were looked at."""
        present = self.present[index]
        width = int(present.sum(1).max())
        present = present[:, :width]
        rows = self.rows[self.at[index][:, :width]]
        seen = torch.minimum(torch.arange(len(DEPTHS), device=self.device)[None], known[:, None] - 1)
        losses = rows[:, :, : len(DEPTHS)].gather(2, seen[:, None].expand(-1, width, -1))
        best = self.best[index].gather(1, seen)[:, -1]
        features = rows[:, :, len(DEPTHS) : len(DEPTHS) + MOVE_FEATURES]
        around = self.position_features[index][:, None].expand(-1, width, -1)
        rating = around[:, :, :1]
        root = losses.sqrt()
        bad = losses >= BAD
        first = torch.where(bad.any(2), bad.float().argmax(2), len(DEPTHS)).float() / len(DEPTHS)
        wide = lambda x: x[:, None, None].expand(-1, width, 1)
        inputs = torch.cat(
            (
                root,
                rating * root,
                (losses[:, :, -1:] == 0).float(),
                first[:, :, None],
                wide(known.float() / len(DEPTHS)),
                wide(2 * best - 1),
                rating * features[:, :, HANGS : HANGS + 1],
                features,
                around,
            ),
            2,
        )
        piece, origin, goal = rows[:, :, -4].long(), rows[:, :, -3].long(), rows[:, :, -2].long()
        cells = torch.stack((64 * piece + origin, 384 + 64 * piece + goal), 2)
        return inputs, cells, present, rows[:, :, -1]


class SmallPolicyNet(nn.Module):
    def __init__(self, first, second):
        super().__init__()
        self.tables = nn.Parameter(torch.zeros(2 * 384, TABLE).normal_(0, 0.1))
        self.layers = nn.ModuleList((nn.Linear(INPUTS + 2 * TABLE, first), nn.Linear(first, second), nn.Linear(second, 1)))

    def forward(self, inputs, cells, present):
        x = torch.cat((inputs, self.tables[cells].flatten(2)), 2)
        x = F.relu(self.layers[0](x))
        x = F.relu(self.layers[1](x))
        return self.layers[2](x)[:, :, 0].masked_fill(~present, -1e9)

    def pack(self):
        sizes = [layer.out_features for layer in self.layers]
        out = MAGIC + struct.pack("<4I", VERSION, INPUTS + 2 * TABLE, sizes[0], sizes[1])
        flat = [self.tables] + [part for layer in self.layers for part in (layer.weight.T.contiguous(), layer.bias)]
        return out + b"".join(part.detach().float().cpu().numpy().astype("<f4").tobytes() for part in flat)


def unpack(path, device):
    data = Path(path).read_bytes()
    assert data[:8] == MAGIC, f"{path}: not a small reply model"
    version, row, first, second = struct.unpack("<4I", data[8:24])
    assert version == VERSION and row == INPUTS + 2 * TABLE, f"{path}: version {version}, {row} inputs"
    numbers = torch.from_numpy(np.frombuffer(data[24:], dtype="<f4").copy())
    model = SmallPolicyNet(first, second)
    with torch.no_grad():
        at = 0
        for part in [model.tables] + [p for layer in model.layers for p in (layer.weight, layer.bias)]:
            size = part.numel()
            piece = numbers[at : at + size]
            part.copy_(piece.view(part.shape[1], part.shape[0]).T if part.ndim == 2 and part is not model.tables else piece.view(part.shape))
            at += size
    return model.to(device)


@torch.no_grad()
def outcomes(model, games, index, depth):
    hits, losses, tops = [], [], []
    for part in index.split(2048):
        known = torch.full((len(part),), depth, device=games.device)
        inputs, cells, present, _ = games.batch(part, known)
        logs = model(inputs, cells, present).log_softmax(1)
        best = logs.max(1)
        hits.append(best.indices == games.target[part])
        losses.append(-logs.gather(1, games.target[part][:, None])[:, 0])
        tops.append(best.values.exp())
    return torch.cat(hits).float(), torch.cat(losses), torch.cat(tops)


def figures(model, games, index):
    result = {}
    for depth in range(1, len(DEPTHS) + 1):
        hits, losses, tops = outcomes(model, games, index, depth)
        row = lambda chosen: {"positions": int(chosen.sum()), "top1": float(hits[chosen].mean()), "nll": float(losses[chosen].mean())}
        everything = torch.ones_like(hits, dtype=torch.bool)
        entry = {"all": row(everything)}
        cell = (tops * 10).long().clamp(max=9)
        entry["calibration_error"] = sum(abs(float((tops[cell == b] - hits[cell == b]).sum())) for b in range(10)) / len(hits)
        if depth in (1, len(DEPTHS)):
            band = games.rating[index] // 200 * 200
            entry["band"] = {int(b): row(band == b) for b in band.unique().tolist()}
            source = games.source[index]
            entry["source"] = {int(s): row(source == s) for s in source.unique().tolist()}
        result[f"seen to depth {DEPTHS[depth - 1]}"] = entry
    return result


def train(games, options):
    torch.manual_seed(options.seed)
    device = games.device
    learn = (games.set == 0).nonzero()[:, 0]
    validation = (games.set == 1).nonzero()[:, 0]
    model = unpack(options.start, device) if options.start else SmallPolicyNet(options.first, options.second).to(device)
    print(f"{len(learn)} positions to learn from, {len(validation)} to validate; {sum(p.numel() for p in model.parameters())} weights", flush=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=options.decay)
    steps = options.epochs * (len(learn) // options.batch)
    began, step, best = time.time(), 0, (math.inf, None)
    for epoch in range(options.epochs):
        total = 0.0
        for part in learn[torch.randperm(len(learn), device=device)].split(options.batch):
            if len(part) < options.batch:
                continue
            # Half of the time everything was looked at, otherwise any number of depths.
            known = torch.randint(1, len(DEPTHS) + 1, (len(part),), device=device)
            known = torch.where(torch.rand(len(part), device=device) < 0.5, len(DEPTHS), known)
            inputs, cells, present, teacher = games.batch(part, known)
            logs = model(inputs, cells, present).log_softmax(1)
            played = -logs.gather(1, games.target[part][:, None])[:, 0]
            taught = -(teacher * logs.clamp(min=-30)).sum(1)
            share = options.teacher * games.taught[part].float()
            loss = ((1 - share) * played + share * taught).mean()
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(1.0, step / 100) * 0.5 * (1 + math.cos(math.pi * min(1.0, step / max(1, steps))))
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            total += float(loss.detach()) if step % 50 == 0 else 0.0
            step += 1
        if epoch % 5 == 4 or epoch == options.epochs - 1:
            hits, losses, _ = outcomes(model, games, validation, len(DEPTHS))
            left = (time.time() - began) / (epoch + 1) * (options.epochs - epoch - 1)
            print(f"epoch {epoch + 1}: validation {float(hits.mean()):.4f}, {float(losses.mean()):.4f} nats; {left:.0f} s left", flush=True)
            if float(losses.mean()) < best[0]:
                best = (float(losses.mean()), {k: v.detach().clone() for k, v in model.state_dict().items()})
    model.load_state_dict(best[1])
    return model


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--data", required=True)
    parse.add_argument("--out")
    parse.add_argument("--figures")
    parse.add_argument("--weights", help="judge or write the fixture of these instead of training")
    parse.add_argument("--fixture")
    parse.add_argument("--start", help="go on from these weights: the new samples join what they learned from others")
    parse.add_argument("--first", type=int, default=96)
    parse.add_argument("--second", type=int, default=32)
    parse.add_argument("--epochs", type=int, default=40)
    parse.add_argument("--batch", type=int, default=256)
    parse.add_argument("--rate", type=float, default=3e-3)
    parse.add_argument("--decay", type=float, default=0.02)
    parse.add_argument("--teacher", type=float, default=1.0, help="the share of the target that the big network gives")
    parse.add_argument("--seed", type=int, default=1)
    options = parse.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    games = SmallPolicyData(options.data, device)
    model = unpack(options.weights, device) if options.weights else train(games, options)
    if options.out:
        Path(options.out).write_bytes(model.pack())
    if options.fixture:
        write_fixture(model, games, options.fixture)
        return
    test = (games.set == 2).nonzero()[:, 0]
    found = figures(model, games, test) | {"learned_from": int((games.set == 0).sum()), "options": {k: v for k, v in vars(options).items() if k not in ("data", "out", "figures")}}
    if options.figures:
        Path(options.figures).write_text(json.dumps(found, indent=1))
    for name, value in found.items():
        if isinstance(value, dict) and "all" in value:
            print(name, json.dumps(value["all"]), "calibration error", round(value["calibration_error"], 4))


@torch.no_grad()
def write_fixture(model, games, path):
    """One line a position: ply, what the best move is worth at each depth, what each move loses at each depth, and the probability of
    every move with depth 0 alone and with all depths. Moves stand in the order of policy indices. The search's results are part of
    the fixture, so that a change of the search leaves it alone."""
    lines = []
    for index in range(len(games)):
        part = torch.tensor([index], device=games.device)
        rows = games.rows[games.at[index][games.present[index]]]
        losses = " ".join(",".join(f"{loss:.8g}" for loss in row) for row in rows[:, : len(DEPTHS)].tolist())
        fields = [str(int(games.ply[index])), " ".join(f"{best:.8g}" for best in games.best[index].tolist()), losses]
        for depth in (1, len(DEPTHS)):
            inputs, cells, present, _ = games.batch(part, torch.tensor([depth], device=games.device))
            chances = model(inputs, cells, present).softmax(1)[0]
            fields.append(" ".join(f"{p:.6f}" for p in chances.tolist()))
        lines.append("\t".join(fields) + "\n")
    Path(path).write_text("".join(lines))
    print(f"{len(lines)} lines to {path}")


if __name__ == "__main__":
    main()

"""Train the tier-2 reply network P(move | position, rating, clock) on games split by player.

    human-data expand games.bin DIR         # Rust, see README.md
    python train.py --data DIR --seconds 1100 --out OUT        # a GPU
    python train.py --data DIR --tiny --out OUT                # a minute on a CPU: the whole path with a toy network

The schedule follows the clock, not the step count: `--seconds` is the whole budget, and a run may be cut in parts with `--until`.
"""

import argparse
import json
import math
import sys
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from data import Games
from evaluate import outcomes, report
from model import ReplyNet, Shape
from optimizer import Muon
from residual import ResidualNet, ResidualShape

WIDTH = 80  # legal moves kept in training; the few positions with more are left out


def arguments():
    parse = argparse.ArgumentParser()
    parse.add_argument("--data", required=True)
    parse.add_argument("--out", required=True)
    parse.add_argument("--tiny", action="store_true")
    parse.add_argument("--fast", action="store_true", help="compile and use bfloat16 on a CPU too, to try the GPU's path")
    parse.add_argument("--seconds", type=float, default=1100)
    parse.add_argument("--until", type=float, default=1.0, help="stop at this share of the schedule and save a checkpoint")
    parse.add_argument("--resume", default="")
    parse.add_argument("--checkpoint", default="")
    parse.add_argument("--batch", type=int, default=4096)
    parse.add_argument("--rate", type=float, default=3e-3)
    parse.add_argument("--ema", type=float, default=0.999)
    parse.add_argument("--dropout", type=float, default=0.0, help="share of what a half block adds that is left out (attention only)")
    parse.add_argument("--validate", type=float, default=0, help="every so many seconds, judge the average on validation players and keep the best")
    parse.add_argument("--pool", default="train", choices=["train", "reserved"], help="whose moves teach: the many, or the reserved few")
    parse.add_argument("--games_cap", type=int, default=4000, help="a player with more games than this is drawn less often")
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--split", default="validation", choices=["validation", "test"])
    parse.add_argument("--form", default="attention", choices=["attention", "residual"], help="squares that look at each other, or convolutions")
    for name, kind in (Shape.__annotations__ | ResidualShape.__annotations__).items():
        parse.add_argument(f"--{name}", type=kind)
    options = parse.parse_args()
    options.kind = Shape if options.form == "attention" else ResidualShape
    for name in options.kind.__annotations__:
        if getattr(options, name) is None:
            setattr(options, name, getattr(options.kind, name))
    if options.tiny:
        options.dim, options.layers, options.heads, options.hidden, options.policy = 32, 2, 4, 64, 32
        options.batch, options.seconds = 256, min(options.seconds, 40)
        options.dynamic = min(options.dynamic or 0, 16)
    return options


def optimizers(model):
    """Muon takes the blocks' matrices; embeddings, heads, biases and gains stay with Adam."""
    matrices, others = [], []
    for name, parameter in model.named_parameters():
        if name.startswith("blocks.") and parameter.ndim == 2:
            matrices.append((parameter, 3 if ".qkv." in name else 1))
        else:
            others.append(parameter)
    return Muon(matrices), torch.optim.Adam(others, lr=1e-3, betas=(0.9, 0.98), fused=others[0].is_cuda)


def rate_at(share, peak):
    """Two per cent of warm-up, a plateau to 30 %, then a cosine to nothing."""
    if share < 0.02:
        return peak * share / 0.02
    if share < 0.3:
        return peak
    return peak * max(0.0, 0.5 * (1 + math.cos(math.pi * (share - 0.3) / 0.7)))


def epochs(train, keep, batch, device):
    """Endless batches: each epoch draws its positions afresh and shuffles them."""
    while True:
        drawn = train[torch.rand(len(train), device=device) < keep]
        drawn = drawn[torch.randperm(len(drawn), device=device)]
        for start in range(0, len(drawn) - batch + 1, batch):
            yield drawn[start : start + batch]


@torch.no_grad()
def take_average(parameters, average):
    for parameter, mean in zip(parameters, average):
        parameter.copy_(mean)


def save(model, out, options, shape):
    weights = {name: value.half().cpu() for name, value in model.state_dict().items()}
    torch.save({"form": options.form, "shape": shape.as_dict(), "weights": weights}, out / "reply.pt")


def keep_best(model, average, games, index, best, out, options, shape):
    """Judges the average of the weights on validation players and saves it if it is the best so far; training goes on from its own weights."""
    parameters = list(model.parameters())
    own = [parameter.detach().clone() for parameter in parameters]
    take_average(parameters, average)
    hits, losses, _ = outcomes(model.eval(), games, index)
    loss = float(losses.mean())
    print(f"        validation players: {float(hits.mean()):.4f}, {loss:.4f} nats{', the best so far' if loss < best else ''}", flush=True)
    if loss < best:
        save(model, out, options, shape)
    take_average(parameters, own)
    model.train()
    return min(best, loss)


def main():
    options = arguments()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    gpu = device.type == "cuda"
    fast = gpu or options.fast
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)

    began = time.time()
    games = Games(options.data, device)
    train, reserved, validation, test = games.split()
    if options.pool == "reserved":
        train = reserved
    print(f"{len(games)} positions: {options.pool} {int(train.sum())}, validation {int(validation.sum())}, test {int(test.sum())}; loaded in {time.time() - began:.0f} s")
    train = (train & (games.count <= WIDTH)).nonzero()[:, 0]
    keep = games.keep_probability(games_cap=options.games_cap)[train]
    held_out = (validation if options.split == "validation" else test).nonzero()[:, 0]
    print(f"an epoch draws about {float(keep.sum()):.0f} positions")

    shape = options.kind(**{name: getattr(options, name) for name in options.kind.__annotations__})
    model = (ReplyNet(shape, options.dropout) if options.form == "attention" else ResidualNet(shape)).to(device)
    print(f"{sum(p.numel() for p in model.parameters())} parameters, {shape}, torch {torch.__version__}")
    muon, adam = optimizers(model)
    average = [p.detach().clone() for p in model.parameters()]
    spent, samples = 0.0, 0
    if options.resume:
        saved = torch.load(options.resume, map_location=device)
        model.load_state_dict(saved["model"])
        muon.restore(saved["muon"])
        adam.load_state_dict(saved["adam"])
        average = saved["average"]
        spent, samples = saved["spent"], saved["samples"]
        torch.manual_seed(options.seed + int(samples))

    make_batch, forward = games.batch, model
    if fast:
        forward = torch.compile(model, dynamic=False)
        make_batch = torch.compile(games.batch, dynamic=False)

    parameters = list(model.parameters())
    watched = validation.nonzero()[:, 0]
    watched = watched[games.ply[watched] >= 10]
    watched = watched[torch.randperm(len(watched), device=device, generator=torch.Generator(device).manual_seed(0))[:65536]]
    best, judged = math.inf, 0.0
    stream = epochs(train, keep, options.batch, device)
    losses = torch.zeros((), device=device)
    step, shown, last = 0, time.time(), None
    while True:
        share = spent / options.seconds
        if share >= min(1.0, options.until):
            break
        batch = make_batch(next(stream), WIDTH, True)
        with torch.autocast(device.type, torch.bfloat16, enabled=fast):
            logits = forward(batch.planes, batch.conditions, batch.legal, batch.present)
        loss = F.cross_entropy(logits, batch.target)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        rate = rate_at(share, options.rate)
        muon.step(rate)
        for group in adam.param_groups:
            group["lr"] = rate
        adam.step()
        model.zero_grad(set_to_none=True)
        with torch.no_grad():
            kept = options.ema if options.resume else min(options.ema, 1 - 1 / (step + 2))
            torch._foreach_mul_(average, kept)
            torch._foreach_add_(average, parameters, alpha=1 - kept)
        losses += loss.detach()
        step += 1
        samples += options.batch
        if step % 10 == 0:
            if gpu:
                torch.cuda.synchronize()
            now = time.time()
            # Compiling the first steps is not training time.
            if last is not None:
                spent += now - last
            last = now
            if now - shown > 20 or step == 10:
                count = 10 if step == 10 else step - marked
                print(f"{spent:6.0f} s  {samples / 1e6:6.1f} M  loss {float(losses) / count:.4f}  rate {rate:.2e}  {(samples - sampled) / (now - shown) if step > 10 else 0:.0f}/s", flush=True)
                losses.zero_()
                shown, marked, sampled = now, step, samples
            if options.validate and spent - judged >= options.validate:
                judged = spent
                best = keep_best(model, average, games, watched, best, out, options, shape)
                last = None

    if options.checkpoint:
        torch.save({"model": model.state_dict(), "muon": muon.state(), "adam": adam.state_dict(), "average": average, "spent": spent, "samples": samples}, options.checkpoint)
    if fast:
        torch.compiler.set_stance("force_eager")
    if not options.validate:
        take_average(parameters, average)
        save(model, out, options, shape)
    else:
        best = keep_best(model, average, games, watched, best, out, options, shape)
        weights = torch.load(out / "reply.pt", map_location=device)["weights"]
        model.load_state_dict({name: value.float() for name, value in weights.items()})
    figures = report(model.eval(), games, held_out)
    figures |= {"shape": shape.as_dict(), "samples": samples, "seconds": spent, "split": options.split, "rate": options.rate}
    (out / "figures.json").write_text(json.dumps(figures, indent=1))
    print(json.dumps({"all": figures["all"], "ece": figures["calibration_error"], "samples": samples}))


if __name__ == "__main__":
    sys.exit(main())

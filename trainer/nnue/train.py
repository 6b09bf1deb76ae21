"""Train the evaluation network on samples of our own engine's games, and write it as the engine reads it.

    tabiya datagen games --nodes 5000 --threads 8
    tabiya data convert games/*.games --out train.samples --held-out held-out.samples
    python train.py --samples train.samples --held-out held-out.samples --out out          # a GPU
    python train.py --samples train.samples --held-out held-out.samples --out out --tiny   # seconds on a CPU

The samples stay on the GPU; the first layer is a dense product of one-hot rows made there. `--init` starts from the
weights of an earlier run, such as one on positions labelled by the evaluation alone.
"""

import argparse
import json
import math
import sys
import time
from pathlib import Path

import torch

import network_file
from model import Network
from plot import curve
from samples import load, unpack


def arguments():
    parse = argparse.ArgumentParser()
    parse.add_argument("--samples", required=True, nargs="+")
    parse.add_argument("--held-out", required=True, nargs="+")
    parse.add_argument("--out", required=True)
    parse.add_argument("--name", default="network")
    parse.add_argument("--hidden", type=int, default=256)
    parse.add_argument("--epochs", type=float, default=40)
    parse.add_argument("--batch", type=int, default=16384)
    parse.add_argument("--learning-rate", "--rate", dest="learning_rate", type=float, default=1e-3)
    parse.add_argument("--final-learning-rate", "--last-rate", dest="final_learning_rate", type=float, default=1e-5)
    parse.add_argument("--weight-decay", "--decay", dest="weight_decay", type=float, default=0.01)
    parse.add_argument("--wdl", type=float, default=0.0, help="weight of the game's result alone")
    parse.add_argument("--lambda-return", "--outlook", dest="lambda_return", type=float, default=0.9, help="weight of the TD(lambda) target of a position of a game (--outlook: earlier spelling)")
    parse.add_argument("--scale", type=float, default=200.0, help="centipawns that multiply the odds by e")
    parse.add_argument("--init", default="", help="start from the weights of a finished run (its .pt file, or a .net)")
    parse.add_argument("--checkpoint", default="", help="save there every --every steps, and resume from it when it is there")
    parse.add_argument("--every", type=int, default=2000)
    parse.add_argument("--stop-after", type=int, default=0, help="end after so many steps of this call, keeping the checkpoint")
    parse.add_argument("--limit", type=int, default=0, help="use the first so many samples")
    parse.add_argument("--seed", type=int, default=1)
    parse.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parse.add_argument("--no-graph", action="store_true", help="launch each step anew on a GPU too")
    parse.add_argument("--tiny", action="store_true", help="a toy network on a CPU: the whole path in seconds")
    options = parse.parse_args()
    if options.tiny:
        options.hidden, options.batch, options.device = 32, 1024, "cpu"
        options.epochs = min(options.epochs, 8)
    return options


def target(options, labels):
    """Expected points to learn: the search's score, mixed with the result and the lambda-return of a position of a game."""
    wdl, weight = options.wdl * labels.in_game, options.lambda_return * labels.in_game
    return wdl * labels.result + weight * labels.lambda_return + (1 - wdl - weight) * torch.sigmoid(labels.score / options.scale)


def rate_at(share, options):
    """A short warm-up, then a cosine from the first rate to the last."""
    warm = min(1.0, share / 0.01)
    return warm * (options.final_learning_rate + 0.5 * (options.learning_rate - options.final_learning_rate) * (1 + math.cos(math.pi * share)))


@torch.no_grad()
def evaluate(network, held_out, options):
    """Held-out loss, and what it is made of: error against scores, against results, in centipawns."""
    sums, count, in_games = torch.zeros(4, dtype=torch.float64), 0, 0.0
    for start in range(0, len(held_out), 65536):
        own, theirs, bucket, labels = unpack(held_out[start : start + 65536])
        logit = network(own, theirs, bucket)
        points = torch.sigmoid(logit)
        parts = (
            labels.contradicted(points - target(options, labels)).square(),
            labels.contradicted(points - torch.sigmoid(labels.score / options.scale)).square(),
            (points - labels.result).square() * labels.in_game,
            labels.contradicted(logit * options.scale - labels.score).abs(),
        )
        sums += torch.stack([part.sum() for part in parts]).double().cpu()
        count += len(labels.score)
        in_games += labels.in_game.sum().item()
    counts = torch.tensor([count, count, max(1.0, in_games), count])
    return dict(zip(("loss", "score_loss", "result_loss", "centipawns"), (sums / counts).tolist()))


def make_step(network, optimizer, samples, batch, options):
    """A function that learns from the samples at some places. On a GPU the whole step is recorded once and replayed: launching
    its sixty small kernels one by one took five times as long."""
    raw = samples[:batch].clone()
    running = torch.zeros((), device=samples.device)

    def learn():
        own, theirs, bucket, labels = unpack(raw)
        points = torch.sigmoid(network(own, theirs, bucket))
        loss = labels.contradicted(points - target(options, labels)).square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        network.clip()
        running.add_(loss.detach())

    if not samples.is_cuda or options.no_graph:

        def step(places):
            torch.index_select(samples, 0, places, out=raw)
            learn()

        return step, running

    # Recording wants everything allocated: a few steps for nothing, undone afterwards.
    kept = [parameter.detach().clone() for parameter in network.parameters()]
    before = {parameter: {key: value.clone() for key, value in state.items()} for parameter, state in optimizer.state.items()}
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            learn()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    optimizer.zero_grad(set_to_none=True)
    with torch.cuda.graph(graph):
        learn()
    with torch.no_grad():
        for parameter, value in zip(network.parameters(), kept):
            parameter.copy_(value)
        for parameter, state in optimizer.state.items():
            for key, value in state.items():
                value.copy_(before[parameter][key]) if parameter in before else value.zero_()
        running.zero_()

    def step(places):
        torch.index_select(samples, 0, places, out=raw)
        graph.replay()

    return step, running


def train(network, samples, held_out, options):
    on_gpu = samples.is_cuda
    rate = torch.tensor(options.learning_rate, device=samples.device) if on_gpu else options.learning_rate
    # Words that only a GPU needs, and that an older PyTorch does not know.
    recorded = {"fused": True, "capturable": True} if on_gpu else {}
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=options.weight_decay, **recorded)
    batch = min(options.batch, len(samples))
    per_epoch = len(samples) // batch
    steps = max(1, int(per_epoch * options.epochs))
    history, step, done_before = [], 0, 0.0
    if options.checkpoint and Path(options.checkpoint).exists():
        state = torch.load(options.checkpoint, map_location=samples.device, weights_only=True)
        if (state["steps"], state["seed"]) != (steps, options.seed):
            sys.exit(f"{options.checkpoint}: of a run of {state['steps']} steps with seed {state['seed']}, expected {steps} and {options.seed}")
        network.load_state_dict(state["network"])
        optimizer.load_state_dict(state["optimizer"])
        step, history, done_before = state["step"], state["history"], state["seconds"]
        print(f"resumed at step {step} of {steps}", flush=True)
    learn, running = make_step(network, optimizer, samples, batch, options)
    first, counted, epoch, order = step, 0, -1, None
    started = time.monotonic()

    def save():
        if options.checkpoint:
            state = {"steps": steps, "seed": options.seed, "step": step, "history": history, "seconds": done_before + time.monotonic() - started}
            state |= {"network": network.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(state, options.checkpoint + ".part")
            Path(options.checkpoint + ".part").rename(options.checkpoint)

    report_every = max(1, steps // 10)
    while step < steps:
        if step // per_epoch != epoch:
            epoch = step // per_epoch
            generator = torch.Generator(device=samples.device).manual_seed(options.seed * 1_000_003 + epoch)
            order = torch.randperm(len(samples), generator=generator, device=samples.device)
        for group in optimizer.param_groups:
            if on_gpu:
                group["lr"].fill_(rate_at(step / steps, options))
            else:
                group["lr"] = rate_at(step / steps, options)
        place = step % per_epoch * batch
        learn(order[place : place + batch])
        counted += 1
        step += 1
        if step % report_every == 0 or step == steps:
            figures = {"step": step, "training": (running / counted).item(), **evaluate(network, held_out, options)}
            history.append(figures)
            speed = (step - first) * batch / (time.monotonic() - started)
            print(f"step {step}/{steps}: training {figures['training']:.6f}, held-out {figures['loss']:.6f}, {speed:,.0f} positions/s", flush=True)
            running.zero_()
            counted = 0
        if options.checkpoint and step % options.every == 0:
            save()
        if options.stop_after and step - first >= options.stop_after and step < steps:
            save()
            print(f"stopped at step {step} of {steps}", flush=True)
            sys.exit(0)
    save()
    seconds = done_before + time.monotonic() - started
    return history, {"steps": steps, "batch": batch, "seconds": seconds, "positions_per_second": steps * batch / seconds}


def against_integers(network, weights, held_out, options):
    """Mean and largest difference, in centipawns, between the float network and the file's integers."""
    own, theirs, bucket, _ = unpack(held_out[:10_000].cpu())
    with torch.no_grad():
        floats = network.cpu()(own, theirs, bucket).double().numpy() * options.scale
    integers = network_file.evaluate(weights, round(options.scale), own.numpy(), theirs.numpy(), bucket.numpy())
    difference = abs(floats - integers)
    return {"positions": len(floats), "mean": difference.mean().item(), "largest": difference.max().item()}


def beginning(options):
    """The weights to start from."""
    if options.init.endswith(".net"):
        weights, _ = network_file.read(options.init)
        return {name: torch.from_numpy(value).float().contiguous() for name, value in network_file.floats(weights).items()}
    return torch.load(options.init, map_location=options.device, weights_only=True)


def main():
    options = arguments()
    torch.manual_seed(options.seed)
    torch.set_float32_matmul_precision("high")
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    samples = load(options.samples, options.device, options.limit)
    held_out = load(options.held_out, options.device)
    print(f"{len(samples)} samples, {len(held_out)} held out, on {options.device}", flush=True)
    network = Network(options.hidden).to(options.device)
    if options.init:
        network.load_state_dict(beginning(options))
    before = evaluate(network, held_out, options)
    history, speed = train(network, samples, held_out, options)
    weights = network_file.quantise(network)
    torch.save(network.state_dict(), out / f"{options.name}.pt")
    network_file.write(out / f"{options.name}.net", weights, round(options.scale))
    figures = {
        "name": options.name,
        "options": {key: value for key, value in vars(options).items() if key not in ("samples", "held_out", "out", "checkpoint", "init")},
        "initialised": bool(options.init),
        "samples": len(samples),
        "held_out": len(held_out),
        "torch": torch.__version__,
        "device": torch.cuda.get_device_name() if samples.is_cuda else "cpu",
        **speed,
        "before": before,
        "history": history,
        "integers": against_integers(network, weights, held_out, options),
    }
    (out / f"{options.name}.json").write_text(json.dumps(figures, indent=1))
    (out / f"{options.name}.svg").write_text(curve(options.name, history))
    last = history[-1]
    print(f"{options.name}: held-out {last['loss']:.6f} (scores {last['score_loss']:.6f}, results {last['result_loss']:.6f}, "
          f"{last['centipawns']:.1f} cp), {speed['positions_per_second']:,.0f} positions/s, "
          f"integers {figures['integers']['mean']:.2f} cp off, at most {figures['integers']['largest']:.1f}", flush=True)


if __name__ == "__main__":
    main()

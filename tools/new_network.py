#!/usr/bin/env python3
"""One command for a new network: self-play, training, rescaling, matches.

    tools/new_network.py FOLDER --player gpu --seconds 450 --nodes 1000 --against "cmd=stockfish nodes=9000"
    tools/new_network.py FOLDER --player cpu --positions 10M --nodes 5000          # two cores: days, not minutes
    tools/new_network.py FOLDER --list                                             # the commands, without running them

Each round plays games with the network of the round before (the first with --start), and trains from --start on the games of
all rounds and those given with --games. Then the network gets the spread of scores of --start, and plays against it: 8,000
games at 5,000 nodes and 2,000 at 40,000, and against every engine of --against 200 games from balanced openings, the new
network and the old one alike.

FOLDER holds everything. A step that ended is not run again, and a match goes on where it was, so the same command continues
after a stop. --until STEP ends early: play and train where the GPU is, copy FOLDER, and run the matches elsewhere.
The program plays the matches: `make` builds it. A GPU needs nvcc, training needs PyTorch (trainer/nnue/requirements.txt).
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
import time
from collections import namedtuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TRAINER = os.path.join(ROOT, "trainer", "nnue")
SHIPPED = os.path.join(ROOT, "crates", "eval", "networks", "tabiya.net")
# What is settled in results/network: the weight of the future of a game, and the neurons.
LAMBDA, LAMBDA_RETURN, HIDDEN = "0.95", "0.9", "512"

Step = namedtuple("Step", "name commands makes")


def arguments(words):
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("folder")
    parse.add_argument("--start", default=SHIPPED, help="the network to go on from (default: the one that ships)")
    parse.add_argument("--player", choices=["gpu", "cpu"], default="gpu")
    parse.add_argument("--rounds", type=int, default=3)
    parse.add_argument("--seconds", type=int, default=450, help="GPU: time of play of a round")
    parse.add_argument("--positions", default="10M", help="CPU: positions of a round")
    parse.add_argument("--nodes", type=int, default=1000, help="soft limit of nodes of a move of self-play")
    parse.add_argument("--seed", type=int, default=int(time.strftime("%y%m%d")), help="of the first round; the next ones count on")
    parse.add_argument("--games", action="append", default=[], metavar="FILE", help="games of earlier runs, trained on as well")
    parse.add_argument("--learning-rate", default="2.5e-4")
    parse.add_argument("--batch", type=int, default=16384)
    parse.add_argument("--one-in", type=int, default=50, help="CPU: one game in so many is held out")
    parse.add_argument("--scale", type=int, default=160, help="centipawns that multiply the odds of a point by e, as the start network is trained")
    parse.add_argument("--engine", default=os.path.join(ROOT, "tabiya"), help="the program (default: where make leaves it)")
    parse.add_argument("--python", default=sys.executable, help="a Python with PyTorch")
    parse.add_argument("--arch", default="sm_90", help="GPU architecture for nvcc")
    parse.add_argument("--match-games", type=int, default=8000)
    parse.add_argument("--deep-games", type=int, default=2000)
    parse.add_argument("--against", action="append", default=[], metavar="ENGINE", help='another engine as the laboratory knows it: "cmd=stockfish nodes=9000"')
    parse.add_argument("--against-games", type=int, default=200)
    parse.add_argument("--against-nodes", type=int, default=20000, help="our nodes of a move there: about the same processor time")
    parse.add_argument("--concurrency", type=int, default=os.cpu_count() or 1)
    parse.add_argument("--until", default="", metavar="STEP", help="end after this step")
    parse.add_argument("--list", action="store_true", help="print the steps and their commands")
    return parse.parse_args(words)


def steps(options):
    """Everything in order: names, commands, and the file that a step must leave."""
    at = lambda *names: os.path.join(options.folder, *names)
    trainer = lambda script: [options.python, os.path.join(TRAINER, script)]
    plan, samples, held_out, network = [], [], [], options.start
    source = os.path.join(TRAINER, "selfplay")
    if options.player == "gpu":
        plan.append(
            Step("build", [["nvcc", "-O3", f"-arch={options.arch}", "-o", at("selfplay"), os.path.join(source, "selfplay.cu")]], at("selfplay"))
        )
    if options.player == "gpu" or options.games:
        plan.append(Step("build-expand", [["g++", "-O3", "-march=native", "-pthread", "-o", at("expand"), os.path.join(source, "expand.cpp")]], at("expand")))
    if options.games:
        samples.append(at("earlier.samples"))
        held_out.append(at("earlier.held-out"))
        plan.append(Step("expand-earlier", [[at("expand"), samples[0], held_out[0], str(options.scale), LAMBDA, *options.games]], samples[0]))
    for number in range(1, options.rounds + 1):
        seed = str(options.seed * 100 + number)
        here = at(f"{number}.samples"), at(f"{number}.held-out")
        if options.player == "gpu":
            games = at(f"{number}.games")
            plan.append(Step(f"play-{number}", [[at("selfplay"), network, games, str(options.seconds), str(options.nodes), seed]], games))
            plan.append(Step(f"expand-{number}", [[at("expand"), *here, str(options.scale), LAMBDA, games]], here[0]))
        else:
            games = at(f"{number}.selfplay")
            threads = str(options.concurrency)
            play = [options.engine, "datagen", games, "--network", network, "--nodes", str(options.nodes), "--positions", options.positions]
            files = [os.path.join(games, f"selfplay-{seed}-{shard:03}.games") for shard in range(options.concurrency)]
            plan.append(Step(f"play-{number}", [[*play, "--threads", threads, "--seed", seed]], files[0]))
            convert = [options.engine, "data", "convert", *files, "--out", here[0], "--held-out", here[1], "--lambda", LAMBDA, "--scale", str(options.scale)]
            convert += ["--one-in", str(options.one_in)]
            plan.append(Step(f"expand-{number}", [convert], here[0]))
        samples.append(here[0])
        held_out.append(here[1])
        train = [*trainer("train.py"), "--samples", *samples, "--held-out", *held_out, "--out", options.folder, "--name", f"round-{number}"]
        train += ["--scale", str(options.scale), "--checkpoint", at(f"round-{number}.checkpoint")]
        train += ["--init", options.start, "--hidden", HIDDEN, "--batch", str(options.batch), "--learning-rate", options.learning_rate]
        train += ["--epochs", "1", "--wdl", "0", "--lambda-return", LAMBDA_RETURN]
        network = at(f"round-{number}.net")
        plan.append(Step(f"train-{number}", [train], network))
    new = at("new.net")
    plan.append(Step("rescale", [["cp", network, new], [*trainer("rescale.py"), new, options.start, *held_out]], new))
    ours = lambda name, file: ["--engine", "proto=internal", f"name={name}", f"option.EvalFile={os.path.abspath(file)}"]
    rules = ["--resign", "moves=3", "score=600", "--draw", "from=35", "moves=6", "score=10", "--concurrency", str(options.concurrency)]
    book = lambda name: ["--openings", f"file=data:openings/{name}.epd", "order=sequential"]

    def match(name, engines, nodes, games, openings):
        command = [options.engine, "lab", "match", *engines, "--each", f"nodes={nodes}", "option.Hash=16", "--games", str(games)]
        plan.append(Step(name, [[*command, *book(openings), *rules, "--out", at(name)]], at(name)))

    both = ours("new", new) + ours("old", options.start)
    match("match-5000", both, 5000, options.match_games, "unbalanced")
    match("match-40000", both, 40000, options.deep_games, "unbalanced")
    for number, engine in enumerate(options.against, 1):
        for name, file in (("new", new), ("old", options.start)):
            engines = ours(name, file) + ["--engine", *shlex.split(engine)]
            match(f"against-{number}-{name}", engines, options.against_nodes, options.against_games, "balanced")
    return plan


def mark_of(options, step):
    return os.path.join(options.folder, "done", f"{step.name}.json")


def run(options, step):
    """Runs a step and marks it as done; what it prints goes to the terminal and to STEP.log."""
    began = time.time()
    with open(os.path.join(options.folder, f"{step.name}.log"), "a") as log:
        for command in step.commands:
            print("$ " + shlex.join(command), flush=True)
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as child:
                for line in child.stdout:
                    sys.stdout.write(line)
                    sys.stdout.flush()
                    log.write(line)
            if child.returncode != 0:
                sys.exit(f"new_network: the step {step.name} ended with {child.returncode}; the same command goes on from it")
    if not os.path.exists(step.makes):
        sys.exit(f"new_network: the step {step.name} left no {step.makes}")
    os.makedirs(os.path.dirname(mark_of(options, step)), exist_ok=True)
    mark = {"commands": [shlex.join(command) for command in step.commands], "seconds": round(time.time() - began)}
    with open(mark_of(options, step), "w") as file:
        json.dump(mark, file, indent=1)


def is_done(options, step):
    """A step that was run with other commands is not done: its results are of something else."""
    try:
        with open(mark_of(options, step)) as file:
            before = json.load(file)["commands"]
    except FileNotFoundError:
        return False
    if before != [shlex.join(command) for command in step.commands]:
        sys.exit(f"new_network: {step.name} was run with other settings; take another folder, or remove {mark_of(options, step)} and what it made")
    return True


def main(words):
    options = arguments(words)
    plan = steps(options)
    names = [step.name for step in plan]
    if options.until and options.until not in names:
        sys.exit(f"new_network: no step {options.until}; there are: {', '.join(names)}")
    if options.list:
        for step in plan:
            for command in step.commands:
                print(f"{step.name}: {shlex.join(command)}")
        return
    os.makedirs(options.folder, exist_ok=True)
    for number, step in enumerate(plan, 1):
        if is_done(options, step):
            print(f"[{number}/{len(plan)}] {step.name}: done before", flush=True)
        else:
            print(f"[{number}/{len(plan)}] {step.name}", flush=True)
            run(options, step)
        if step.name == options.until:
            return


if __name__ == "__main__":
    main(sys.argv[1:])

"""One command for a new network: its steps, what is not done twice, and the whole path in small."""
import contextlib
import io
import json
import os
import re
import shutil
import struct
import subprocess
import tempfile
import unittest

import new_network

ROOT = new_network.ROOT


def plan(*words):
    return new_network.steps(new_network.arguments(["folder", *words]))


def command(steps, name):
    return next(" ".join(one) for step in steps if step.name == name for one in step.commands)


def run(options, step):
    """Runs a step without its output."""
    with contextlib.redirect_stdout(io.StringIO()):
        new_network.run(options, step)


def new_network_scale():
    """The scale of the network that ships."""
    with open(new_network.SHIPPED, "rb") as file:
        return struct.unpack("<I", file.read()[32:36])[0]


def python():
    """A Python that has PyTorch: the one named, the first on the path, or the system's own."""
    for one in (os.environ.get("TABIYA_PYTHON"), "python3", "/usr/bin/python3"):
        if one and shutil.which(one) and subprocess.run([one, "-c", "import torch, numpy"], capture_output=True).returncode == 0:
            return one
    return None


def program():
    """The program that the tests were built with, or any other build."""
    target = os.environ.get("CARGO_TARGET_DIR", os.path.join(ROOT, "target"))
    built = [os.path.join(target, profile, "tabiya") for profile in ("debug", "quick", "release")]
    return next((one for one in built if os.path.exists(one)), None)


class Plan(unittest.TestCase):
    def test_each_round_plays_the_network_before_and_trains_on_all_games(self):
        steps = plan("--rounds", "2", "--start", "old.net", "--games", "earlier.games")
        names = [step.name for step in steps]
        self.assertEqual(
            names,
            "build build-expand expand-earlier play-1 expand-1 train-1 play-2 expand-2 train-2 rescale match-5000 match-40000".split(),
        )
        self.assertIn("selfplay old.net", command(steps, "play-1"))
        self.assertIn("selfplay folder/round-1.net", command(steps, "play-2"))
        self.assertIn("--samples folder/earlier.samples folder/1.samples folder/2.samples --held-out", command(steps, "train-2"))
        self.assertIn("--init old.net", command(steps, "train-2"))

    def test_other_engines_meet_the_new_network_and_the_old_one(self):
        steps = plan("--against", "cmd=stockfish nodes=9000")
        for name in ("new", "old"):
            match = command(steps, f"against-1-{name}")
            self.assertIn(f"name={name} ", match)
            self.assertIn("--engine cmd=stockfish nodes=9000 --each nodes=20000", match)
            self.assertIn("balanced.epd", match)

    def test_no_two_rounds_have_the_same_seed(self):
        seeds = [step.commands[0][-1] for step in plan("--rounds", "4") if step.name.startswith("play-")]
        self.assertEqual(len(set(seeds)), 4)


class Continuing(unittest.TestCase):
    def test_a_step_is_done_once_and_not_with_other_settings(self):
        with tempfile.TemporaryDirectory() as folder:
            options = new_network.arguments([folder])
            made = os.path.join(folder, "made")
            count = ["sh", "-c", f"echo once >> {made}"]
            step = new_network.Step("count", [count], made)
            self.assertFalse(new_network.is_done(options, step))
            run(options, step)
            self.assertTrue(new_network.is_done(options, step))
            with self.assertRaisesRegex(SystemExit, "other settings"):
                new_network.is_done(options, step._replace(commands=[["true"]]))

    def test_a_step_that_fails_or_makes_nothing_is_not_done(self):
        with tempfile.TemporaryDirectory() as folder:
            options = new_network.arguments([folder])
            for ending, words in (("ended with 1", ["false"]), ("left no", ["true"])):
                step = new_network.Step("step", [words], os.path.join(folder, "nothing"))
                with self.assertRaisesRegex(SystemExit, ending):
                    run(options, step)
                self.assertFalse(new_network.is_done(options, step))

    def test_an_unknown_step_is_refused(self):
        with self.assertRaisesRegex(SystemExit, "no step train-9; there are: build"):
            new_network.main(["folder", "--until", "train-9", "--list"])


class WholePath(unittest.TestCase):
    def test_games_training_scale_and_matches_on_a_cpu(self):
        torch, engine = python(), program()
        if not torch or not engine:
            self.skipTest("no Python with PyTorch" if engine else "tabiya is not built")
        with tempfile.TemporaryDirectory() as folder:
            words = [os.path.join(ROOT, "tools", "new_network.py"), folder, "--player", "cpu", "--rounds", "1", "--seed", "1", "--batch", "256", "--one-in", "5"]
            words += ["--positions", "3000", "--nodes", "60", "--engine", engine, "--python", torch, "--concurrency", "2"]
            words += ["--match-games", "2", "--deep-games", "2", "--against", f"cmd={engine} nodes=30", "--against-games", "2", "--against-nodes", "30"]
            first = subprocess.run(["python3", *words, "--until", "rescale"], capture_output=True, text=True)
            self.assertEqual(first.returncode, 0, first.stdout[-2000:] + first.stderr[-2000:])
            spread = re.search(r": (\d\.\d+) of the spread of .* on \d+ positions, scale 160 -> \d+", first.stdout)
            # A few steps from the start network leave nearly the same scores.
            self.assertAlmostEqual(float(spread[1]) * new_network_scale() / 160, 1, delta=0.15)
            rest = [step for step in new_network.steps(new_network.arguments(words[1:])) if step.name.startswith(("match", "against"))]
            self.assertEqual([step.name for step in rest], ["match-5000", "match-40000", "against-1-new", "against-1-old"])
            # The matches of thousands of nodes a move are long in a build for tests: fewer nodes, the same commands.
            for step in rest:
                fast = [word.replace("nodes=5000", "nodes=50").replace("nodes=40000", "nodes=80") for word in step.commands[0]]
                run(new_network.arguments(words[1:]), step._replace(commands=[fast]))
            with open(os.path.join(folder, "done", "train-1.json")) as file:
                self.assertIn("train.py", json.load(file)["commands"][0])


if __name__ == "__main__":
    unittest.main()

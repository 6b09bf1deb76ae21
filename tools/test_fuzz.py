"""The fuzzing tool: what it reads from libFuzzer, how its ledger adds up, and which inputs are kept."""
import os
import tempfile
import unittest
import unittest.mock

import fuzz

OUTPUT = """#2\tINITED cov: 12 ft: 13 corp: 1/1b exec/s: 0 rss: 40Mb
#4096\tpulse  cov: 90 ft: 200 corp: 20/300b lim: 43 exec/s: 2048 rss: 44Mb
Done 5000 runs in 2 second(s)
stat::number_of_executed_units: 5000
stat::average_exec_per_sec:     2500
"""


class Statistics(unittest.TestCase):
    def test_executions_and_coverage_are_the_last(self):
        self.assertEqual(fuzz.statistics(OUTPUT), (5000, 90))

    def test_a_run_that_was_cut_short_counts_what_it_said(self):
        self.assertEqual(fuzz.statistics(OUTPUT.split("Done")[0]), (4096, 90))
        self.assertEqual(fuzz.statistics("no such file"), (0, 0))

    def test_findings_are_told_from_other_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ["crash-1", "timeout-2", "oom-3", "slow-unit-4", "README"]:
                open(os.path.join(folder, name), "w").close()
            self.assertEqual(fuzz.findings_of(folder), {"crash-1", "timeout-2", "oom-3"})
        self.assertEqual(fuzz.findings_of(folder), set())


class Ledger(unittest.TestCase):
    def test_hours_add_up_and_the_target_with_least_is_known(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ledger.csv")
            self.assertEqual(fuzz.read_ledger(path), [])
            for target, seconds in [("one", 30), ("two", 5), ("one", 20), ("gone", 7)]:
                fuzz.add_to_ledger(path, {"date": "2026-11-18", "target": target, "cpu_seconds": seconds, "executions": 9,
                                          "coverage": 3, "findings": 0})
            self.assertEqual(fuzz.seconds_by_target(fuzz.read_ledger(path), ["one", "two", "new"]),
                             {"one": 50.0, "two": 5.0, "new": 0.0})


class Fake(fuzz.Fuzzer):
    """A fuzzer whose programs leave what a test wants."""

    def __init__(self, folder, act):
        super().__init__(folder)
        self.act = act

    def run(self, name, *options):
        return self.act(name, options)


class Slices(unittest.TestCase):
    def test_a_finding_is_counted_once(self):
        with tempfile.TemporaryDirectory() as folder:
            def act(name, _options):
                open(os.path.join(folder, "artifacts", name, "crash-1"), "w").close()
                return OUTPUT, 77

            fuzzer = Fake(folder, act)
            with unittest.mock.patch("builtins.print"):
                self.assertEqual(fuzzer.slice("one", 1)["findings"], 1)
            fuzzer.act = lambda *_: (OUTPUT, 0)
            row = fuzzer.slice("one", 1)
            self.assertEqual((row["findings"], row["executions"], row["coverage"]), (0, 5000, 90))

    def test_the_corpus_is_replaced_by_the_smallest_inputs_and_kept_when_that_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            def act(_name, options):
                for size in (10, 30_000, 40_000):
                    with open(os.path.join(options[1], f"input{size}"), "w") as file:
                        file.write("x" * size)
                return "", 0

            fuzzer = Fake(folder, act)
            os.makedirs(fuzzer.at("corpus", "one"))
            open(fuzzer.at("corpus", "one", "old"), "w").close()
            with unittest.mock.patch("builtins.print"):
                fuzzer.minimise("one")
                self.assertEqual(sorted(os.listdir(fuzzer.at("corpus", "one"))), ["input10", "input30000"])
                fuzzer.act = lambda *_: ("failed", 1)
                fuzzer.minimise("one")
            self.assertEqual(sorted(os.listdir(fuzzer.at("corpus", "one"))), ["input10", "input30000"])


class Corpus(unittest.TestCase):
    def test_the_smallest_inputs_are_kept(self):
        self.assertEqual(fuzz.fits({"a": 40, "b": 10, "c": 30, "d": 60}, 85), ["b", "c", "a"])

    def test_every_target_of_the_manifest_is_known(self):
        with open(os.path.join(fuzz.FOLDER, "Cargo.toml")) as file:
            names = fuzz.target_names(file.read())
        programs = os.listdir(os.path.join(fuzz.FOLDER, "fuzz_targets"))
        self.assertEqual(sorted(f"{name}.rs" for name in names), sorted(programs))


if __name__ == "__main__":
    unittest.main()

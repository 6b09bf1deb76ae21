"""Tests of parallel_sitting.py."""

import unittest

import parallel_sitting


def rows(times):
    """Rows of (engine, threads, position, seconds, nodes)."""
    return [dict(zip(["engine", "threads", "position", "seconds", "nodes"], map(str, row))) for row in times]


class Sitting(unittest.TestCase):
    def test_times_with_minutes(self):
        self.assertAlmostEqual(parallel_sitting.clock("2.73"), 2.73)
        self.assertAlmostEqual(parallel_sitting.clock("1:05.5"), 65.5)

    def test_a_speedup_is_a_ratio_of_medians(self):
        found = parallel_sitting.median_speedups(rows([
            ("serial", 1, 0, 4, 100), ("serial", 1, 0, 6, 100), ("serial", 1, 0, 40, 100),
            ("ybwc", 2, 0, 3, 110), ("ybwc", 2, 0, 2, 90), ("ybwc", 2, 0, 9, 400),
            ("ybwc", 2, 1, 9, 400),
        ]), "ybwc", "serial")
        self.assertEqual(list(found), [0])
        self.assertAlmostEqual(found[0][0], 2.0)
        self.assertAlmostEqual(found[0][1], 1.1)

    def test_the_summary_compares_with_crafty(self):
        times = []
        for position in range(5):
            times += [("serial", 1, position, 8, 100), ("ybwc", 2, position, 4, 100)]
            times += [("crafty", 1, position, 6, 100), ("crafty", 2, position, 4, 120)]
        text = "\n".join(parallel_sitting.summary(rows(times), rounds=50))
        self.assertIn("ybwc       5 positions: median 2.00, geometric mean 2.00 (2.00 to 2.00), nodes 1.00", text)
        self.assertIn("crafty     5 positions: median 1.50, geometric mean 1.50 (1.50 to 1.50), nodes 1.20", text)
        self.assertIn("ybwc     minus crafty: +0.50 (+0.50 to +0.50)", text)


if __name__ == "__main__":
    unittest.main()

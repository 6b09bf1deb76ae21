"""What another engine says of the coach, counted."""
import unittest

from types import SimpleNamespace

from coach_judge import COLUMNS, COUNTS, agreement, count, figures, judge, known_losses


class Figures(unittest.TestCase):
    def test_false_alarms_and_misses_are_counted(self):
        found = dict.fromkeys(COUNTS, 0)
        moves = [
            ("blunder", 1, 0.30),  # confirmed
            ("mistake", 1, 0.02),  # false alarm
            ("good", 0, 0.16),  # missed
            ("good", 0, 0.25),  # missed by far
            ("book", 0, 0.16),  # opening theory
            ("good", 0, 0.14),  # small
        ]
        for ply, (kind, named, loss) in enumerate(moves):
            count(dict(zip(COLUMNS, [1, ply, "e2e4", kind, str(named), "0.1", str(loss)])), found)
        self.assertEqual((found["named"], found["confirmed"]), (2, 1))
        self.assertEqual((found["large"], found["large_missed"], found["far"]), (3, 2, 1))
        self.assertEqual((found["book"], found["book_missed"]), (1, 1))
        lines = figures(found)
        self.assertTrue(lines[0].startswith("named errors confirmed at 0.05: 1 of 2, 50.0 %"), lines)
        self.assertTrue(lines[1].startswith("missed of those losing 0.15 or more: 2 of 3, 66.7 %"), lines)

    def test_known_losses_are_not_searched_again(self):
        asked = []

        def search(_start, moves, nodes, only=None):
            asked.append((len(moves), nodes, only))
            return ("d2d4", 0.5) if only is None else (only, 0.3)

        known = [dict(zip(COLUMNS, [3, 0, "e2e4", "good", "0", "0.01", "0.17"]))]
        played = {"ply": 0, "number": 1, "color": "white", "san": "x", "class": "good", "loss": 0.1, "best_san": "d4"}
        moves = [
            {**played, "uci": "e2e4", "proof": None},
            {**played, "ply": 1, "uci": "e7e5", "proof": {}, "class": "mistake"},
            {**played, "ply": 2, "uci": "g1f3", "proof": None},
        ]
        found = dict.fromkeys(COUNTS, 0)
        options = SimpleNamespace(known=known, nodes=10, proof=100, table=None)
        judge(SimpleNamespace(search=search), {"moves": moves}, 3, options, found)
        self.assertEqual(asked, [(1, 100, None), (1, 100, "e7e5")])
        self.assertEqual((found["named"], found["confirmed"], found["large_missed"]), (1, 1, 1))
        with self.assertRaises(SystemExit):
            known_losses(known, 3, ["d2d4"])

    def test_two_judgements_are_compared(self):
        lines = agreement([(0.06, 0.04), (0.07, 0.08), (0.03, 0.06), (0.20, 0.12)])
        self.assertIn("of 3 that lost 0.05 or more, 1 lose less now; of 1 that lost less, 1 lose more now", lines[0])
        self.assertIn("of 1 that lost 0.15 or more, 1 lose less now; mean distance 0.035", lines[1])


if __name__ == "__main__":
    unittest.main()

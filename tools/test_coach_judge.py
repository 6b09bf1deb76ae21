"""What another engine says of the coach, counted."""
import unittest

from coach_judge import COLUMNS, COUNTS, count, figures


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


if __name__ == "__main__":
    unittest.main()

"""The guides' diffs apply to the sources as they are, and a wrong one is noticed."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import follow_guide

GUIDE = follow_guide.ROOT / "docs" / "add-a-technique.md"


class Guides(unittest.TestCase):
    def test_the_technique_guide_applies(self):
        text = GUIDE.read_text()
        kinds = [kind for kind, _ in follow_guide.blocks(text)]
        self.assertGreaterEqual(kinds.count("diff"), 5)
        self.assertIn("sh", kinds)
        self.assertIsNone(follow_guide.follow(text, run=False))

    def test_a_diff_that_does_not_apply_is_named(self):
        text = GUIDE.read_text().replace("QuiescenceExchange", "NoSuchTechnique")
        self.assertIn("block 1 (diff)", follow_guide.follow(text, run=False))

    def test_a_command_that_fails_is_named(self):
        self.assertIn("block 1 (sh)", follow_guide.follow("```sh\nexit 3\n```\n", run=True))


if __name__ == "__main__":
    unittest.main()

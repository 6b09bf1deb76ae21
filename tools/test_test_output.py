"""Tests of test_output.awk: what passing tests print is hidden, skips are counted, failures are shown."""

import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parent / "test_output.awk"

RUST = """\
   Compiling data v0.1.0
running 3 tests
test one ... ok
test trainer ... ok
test three ... FAILED

successes:

---- one stdout ----
some chatter
---- trainer stdout ----
skipped: no Python with PyTorch here

successes:
    one
    trainer

failures:

---- three stdout ----
skipped: this line belongs to a failure

failures:
    three

test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out
"""

NODE = """\
▶ play
  ﹣ a game by touch (0.5ms) # SKIP
✔ play (1.2ms)
ok 2 - analyse # SKIP no browser
"""


def run(text):
    with tempfile.TemporaryDirectory() as folder:
        skips = Path(folder) / "skips"
        skips.touch()
        done = subprocess.run(["awk", "-v", f"skips={skips}", "-f", str(SCRIPT)], input=text, text=True, capture_output=True, check=True)
        return done.stdout, skips.read_text()


class Output(unittest.TestCase):
    def test_rust(self):
        shown, skips = run(RUST)
        self.assertEqual(skips, "trainer: no Python with PyTorch here\n")
        self.assertNotIn("chatter", shown)
        self.assertIn("this line belongs to a failure", shown)
        self.assertIn("test result: FAILED", shown)

    def test_node(self):
        shown, skips = run(NODE)
        self.assertEqual(skips, "a game by touch: skipped by the browser tests\nanalyse: skipped by the browser tests\n")
        self.assertEqual(shown, NODE)


if __name__ == "__main__":
    unittest.main()

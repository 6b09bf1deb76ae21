"""Tests of check_book.py."""

import tempfile
import unittest
from pathlib import Path

from check_book import dead_links


class Links(unittest.TestCase):
    def book(self, **pages):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in pages.items():
            (Path(folder.name) / f"{name}.html").write_text(text)
        return dead_links(Path(folder.name))[1]

    def test_pages_anchors_and_other_sites_pass(self):
        text = '<a href="b.html#here">x</a><a href="https://example.org/c.html">y</a><a href="#top" id="top">z</a>'
        self.assertEqual(self.book(a=text, b='<h2 id="here">h</h2>'), [])

    def test_a_missing_page_picture_or_anchor_is_named(self):
        text = '<a href="c.html">x</a><img src="c.webp"><a href="b.html#there">y</a><a href="#nowhere">z</a>'
        dead = self.book(a=text, b='<h2 id="here">h</h2>')
        self.assertEqual(dead, ["a.html: c.html", "a.html: c.webp", "a.html: b.html#there", "a.html: #nowhere"])


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Checks the links of the built handbook: every page, picture and anchor that a page names is there.

    tools/check_book.py [FOLDER]        the folder that mdbook wrote (default: target/book)

Links to other sites are not followed.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Pages that mdbook writes with links of another base: the page for wrong addresses, and all chapters in one.
WITHOUT_CHECK = {"404.html", "print.html"}


class Page(HTMLParser):
    """The links of a page and the places they may lead to."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors.update(found[name] for name in ("id", "name") if found.get(name))
        self.links += [found[name] for name in ("href", "src") if found.get(name)]


def dead_links(folder):
    """Each dead link as 'page: link'."""
    pages = {path: Page(path) for path in sorted(folder.rglob("*.html"))}
    dead = []
    for path, page in pages.items():
        if path.name in WITHOUT_CHECK:
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
            if target.is_dir():
                target /= "index.html"
            known = next((page for other, page in pages.items() if other.resolve() == target), None)
            if not target.is_file() or (parts.fragment and known and unquote(parts.fragment) not in known.anchors):
                dead.append(f"{path.relative_to(folder)}: {link}")
    return pages, dead


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "target/book")
    pages, dead = dead_links(folder)
    if not pages:
        sys.exit(f"check_book: no pages in {folder}; 'make book' writes them")
    if dead:
        sys.exit("check_book: dead links:\n" + "\n".join(dead))
    links = sum(len(page.links) for page in pages.values())
    print(f"check_book: {len(pages)} pages, {links} links, none dead")


if __name__ == "__main__":
    main()

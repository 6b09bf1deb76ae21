#!/usr/bin/env python3
"""Draws the calibration of foreseen mistakes: said against seen, from what `human-study moves` printed.

    tools/calibration_plot.py results/human/moves-by-band.txt > results/human/calibration.svg
"""

import math
import sys

SIDE, MARGIN = 360, 48


def rows(path):
    """(said, seen, positions) of each tenth, read below the heading 'said\tseen\tpositions'."""
    found, inside = [], False
    for line in open(path, encoding="utf-8"):
        fields = line.rstrip("\n").split("\t")
        if fields == ["said", "seen", "positions"]:
            inside = True
        elif inside and len(fields) == 3:
            found.append((float(fields[0]), float(fields[1]), int(fields[2])))
        elif inside:
            break
    if not found:
        sys.exit(f"{path}: no table 'said, seen, positions'")
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    table = rows(sys.argv[1])
    most = max(max(said, seen) for said, seen, _ in table)
    top = math.ceil(most * 1.15 * 10) / 10
    x = lambda value: MARGIN + SIDE * value / top
    y = lambda value: 12 + SIDE * (1 - value / top)
    width, height = MARGIN + SIDE + 16, SIDE + MARGIN + 12
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
          'font-family="sans-serif" font-size="12">')
    print("<style>:root{color-scheme:light dark}.ink{stroke:#556;fill:none}.text{fill:#556}.dot{fill:#2a78d6}"
          ".bar{stroke:#2a78d6}@media(prefers-color-scheme:dark){.ink{stroke:#aab}.text{fill:#aab}}</style>")
    print(f'<rect class="ink" x="{MARGIN}" y="12" width="{SIDE}" height="{SIDE}"/>')
    print(f'<path class="ink" stroke-dasharray="4" d="M{x(0)},{y(0)}L{x(top)},{y(top)}"/>')
    for step in range(int(round(top * 10)) + 1):
        value = step / 10
        print(f'<text class="text" x="{x(value):.0f}" y="{y(0) + 18:.0f}" text-anchor="middle">{value:.1f}</text>')
        print(f'<text class="text" x="{MARGIN - 8}" y="{y(value) + 4:.0f}" text-anchor="end">{value:.1f}</text>')
    for said, seen, positions in table:
        error = 1.96 * math.sqrt(max(seen * (1 - seen), 1e-9) / positions)
        low, high = max(0.0, seen - error), min(top, seen + error)
        print(f'<path class="bar" d="M{x(said):.1f},{y(low):.1f}V{y(high):.1f}"/>')
        print(f'<circle class="dot" cx="{x(said):.1f}" cy="{y(seen):.1f}" r="4">'
              f"<title>said {said:.3f}, seen {seen:.3f}, {positions} positions</title></circle>")
    print(f'<text class="text" x="{MARGIN + SIDE / 2}" y="{height - 8}" text-anchor="middle">'
          "chance of a mistake as said</text>")
    print(f'<text class="text" x="14" y="{12 + SIDE / 2}" text-anchor="middle" '
          f'transform="rotate(-90 14 {12 + SIDE / 2})">mistakes seen (95 %)</text>')
    print("</svg>")


main()

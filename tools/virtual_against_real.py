#!/usr/bin/env python3
"""Does virtual time foretell real time? Two `lab ttd` runs of the same positions to the same depth are compared, one with real
threads and one with VirtualThreads, both with one worker as the base:

    tabiya lab export REAL csv > real.csv; tabiya lab export VIRTUAL csv > virtual.csv
    tools/virtual_against_real.py real.csv virtual.csv

For every way and position the virtual median, corrected for nodes a second as docs/parallel.md says, is looked for between
the quartiles of the real times. Needs nothing but Python."""

import csv
import math
import statistics
import sys
from collections import defaultdict


def read(path):
    """Times and nodes of the searches, by way, number of workers and position."""
    searches = defaultdict(list)
    with open(path, newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            key = (row["series"], int(row["threads"]), row["position"])
            searches[key].append((float(row["depth_ms"]), float(row["nodes"]), float(row["ms"])))
    return searches


def times(searches, key):
    return [time for time, _, _ in searches[key]]


def speed(searches, key):
    """Nodes a millisecond."""
    return sum(nodes for _, nodes, _ in searches[key]) / sum(time for _, _, time in searches[key])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    real, virtual = read(sys.argv[1]), read(sys.argv[2])
    alone = {position: way for way, workers, position in real if workers == 1}
    together = sorted({(way, workers) for way, workers, _ in real if workers > 1})
    print("way, workers  positions  inside  within a tenth of them  virtual / real (geometric mean)  nodes a second")
    for way, workers in together:
        inside = near = 0
        ratios, speeds = [], []
        positions = [place for name, count, place in real if (name, count) == (way, workers) and (name, count, place) in virtual]
        for position in positions:
            here, base = (way, workers, position), (alone[position], 1, position)
            gain = speed(real, here) / speed(real, base)
            correction = workers / gain
            scale = statistics.median(times(real, base)) / statistics.median(times(virtual, base))
            foretold = statistics.median(times(virtual, here)) * scale * correction
            low, middle, high = statistics.quantiles(times(real, here), n=4)
            inside += low <= foretold <= high
            near += low / 1.1 <= foretold <= high * 1.1
            ratios.append(math.log(foretold / middle))
            speeds.append(math.log(gain))
        error = statistics.stdev(ratios) / math.sqrt(len(ratios))
        mean = math.exp(statistics.mean(ratios))
        print(
            f"{way}, {workers:<8} {len(positions):>9} {inside:>7} {near:>23} {mean:>18.3f} +-{mean * error:.3f}"
            f" {math.exp(statistics.mean(speeds)):>18.2f}"
        )


if __name__ == "__main__":
    main()

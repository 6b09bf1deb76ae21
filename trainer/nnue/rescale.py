"""Give a new network the spread of scores that the search is tuned for: that of an older network.

    python rescale.py NEW.net OLD.net SAMPLES...

The margins of the search are centipawns of one network. Training leaves the spread of scores where it falls, so the slope of
the new scores against the old ones on the same positions is divided out, and the even score is taken over.
"""

import sys

import numpy

import network_file
from samples import load, unpack

POSITIONS = 100_000
PART = 8192
# What the engine reads.
LARGEST_SCALE = 10_000


def scores(weights, scale, samples):
    """Centipawns by the integer twin."""
    parts = []
    for start in range(0, len(samples), PART):
        own, theirs, bucket, _ = unpack(samples[start : start + PART])
        parts.append(network_file.evaluate(weights, scale, own.numpy(), theirs.numpy(), bucket.numpy()))
    return numpy.concatenate(parts).astype(numpy.float64)


def slope(new, old):
    """Least squares through the origin: the new score where the old one is 1."""
    power = float(old @ old)
    if power == 0 or new @ old <= 0:
        raise SystemExit("rescale: the new scores do not rise with the old ones")
    return float(new @ old) / power


def rescale(new_path, old_path, samples):
    new, old = network_file.read(new_path), network_file.read(old_path)
    found = slope(scores(*new, samples), scores(*old, samples))
    scale = round(new[1] / found)
    if not 1 <= scale <= LARGEST_SCALE:
        raise SystemExit(f"rescale: the scale would be {scale}, expected 1 to {LARGEST_SCALE}: the new network hardly tells positions apart")
    network_file.rewrite(new_path, scale, network_file.even_score(old_path))
    return found, new[1], scale


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit("usage: rescale.py NEW.net OLD.net SAMPLES...")
    positions = load(sys.argv[3:], "cpu", POSITIONS)
    found, before, scale = rescale(sys.argv[1], sys.argv[2], positions)
    print(f"{sys.argv[1]}: {found:.3f} of the spread of {sys.argv[2]} on {len(positions)} positions, scale {before} -> {scale}")

"""Positions with the values of the integer twin, for crates/eval/tests/network.rs.

    python fixture.py --network out/network.net --samples held-out.samples --out crates/eval/networks/tabiya.tsv
    python fixture.py --network out/network.net --positions crates/eval/networks/tabiya.tsv --out crates/eval/networks/tabiya.tsv

The second line keeps the positions of an earlier fixture; it needs neither samples nor PyTorch.
"""

import argparse
import zlib

import numpy

import network_file

PIECES = "PNBRQKXXpnbrqk"
BUCKETS = 8


def fen(record):
    """A sample's board with its side to move as White, without rights to castle."""
    occupied = int.from_bytes(record[:8].tobytes(), "little")
    rows, index = [], 0
    for rank in range(8):
        row, empty = "", 0
        for file in range(8):
            if not occupied >> (8 * rank + file) & 1:
                empty += 1
                continue
            code = int(record[8 + index // 2]) >> (4 * (index % 2)) & 15
            index += 1
            row += (str(empty) if empty else "") + PIECES[code]
            empty = 0
        rows.append(row + (str(empty) if empty else ""))
    return "/".join(reversed(rows)) + " w - - 0 1"


def pieces_of(fen):
    """Color, kind and square (a1 = 0) of every piece."""
    found = []
    for rank, row in zip(range(7, -1, -1), fen.split()[0].split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                found.append((int(letter.islower()), "pnbrqk".index(letter.lower()), 8 * rank + file))
                file += 1
    return found


def inputs(fen):
    """The one-hot rows of White, who is to move, and of Black, and the bucket."""
    pieces, rows = pieces_of(fen), []
    for view in (0, 1):
        king = next(square for color, kind, square in pieces if (color, kind) == (view, 5))
        turn = (56 if view else 0) ^ (7 if king % 8 >= 4 else 0)
        row = numpy.zeros(768, dtype=numpy.float32)
        row[[(color != view) * 384 + 64 * kind + (square ^ turn) for color, kind, square in pieces]] = 1
        rows.append(row)
    return rows[0], rows[1], min((len(pieces) - 2) // 4, BUCKETS - 1)


def of_samples(path, count):
    import torch

    from samples import unpack

    raw = numpy.fromfile(path, dtype=numpy.uint8).reshape(-1, 32)
    raw = raw[:: max(1, len(raw) // count)][:count]
    own, theirs, bucket, *_ = unpack(torch.from_numpy(raw.copy()))
    return [fen(record) for record in raw], own.numpy(), theirs.numpy(), bucket.numpy()


def of_positions(path, count):
    with open(path) as file:
        fens = [line.split("\t")[0] for line in file if not line.startswith("#")][:count]
    return fens, *(numpy.array(part) for part in zip(*map(inputs, fens)))


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--network", required=True)
    source = parse.add_mutually_exclusive_group(required=True)
    source.add_argument("--samples")
    source.add_argument("--positions")
    parse.add_argument("--out", required=True)
    parse.add_argument("--count", type=int, default=200)
    options = parse.parse_args()
    weights, scale = network_file.read(options.network)
    fens, *rows = of_samples(options.samples, options.count) if options.samples else of_positions(options.positions, options.count)
    values = network_file.evaluate(weights, scale, *rows)
    checksum = zlib.crc32(open(options.network, "rb").read()[network_file.HEADER_BYTES :])
    with open(options.out, "w") as file:
        file.write(f"# the integer twin's centipawns for network {checksum:08x}\n")
        for position, value in zip(fens, values):
            file.write(f"{position}\t{value}\n")


if __name__ == "__main__":
    main()

"""Positions with the values of the integer twin, for crates/eval/tests/network.rs.

    python fixture.py --network out/network.net --samples held-out.samples --out crates/eval/networks/tabiya.tsv
"""

import argparse
import zlib

import numpy
import torch

import network_file
from samples import unpack

PIECES = "PNBRQKXXpnbrqk"


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


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--network", required=True)
    parse.add_argument("--samples", required=True)
    parse.add_argument("--out", required=True)
    parse.add_argument("--count", type=int, default=200)
    options = parse.parse_args()
    weights, scale = network_file.read(options.network)
    raw = numpy.fromfile(options.samples, dtype=numpy.uint8).reshape(-1, 32)
    raw = raw[:: max(1, len(raw) // options.count)][: options.count]
    own, theirs, bucket, *_ = unpack(torch.from_numpy(raw.copy()))
    values = network_file.evaluate(weights, scale, own.numpy(), theirs.numpy(), bucket.numpy())
    checksum = zlib.crc32(open(options.network, "rb").read()[network_file.HEADER_BYTES :])
    with open(options.out, "w") as file:
        file.write(f"# the integer twin's centipawns for network {checksum:08x}\n")
        for record, value in zip(raw, values):
            file.write(f"{fen(record)}\t{value}\n")


if __name__ == "__main__":
    main()

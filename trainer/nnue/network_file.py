"""The network file the engine reads, and an integer twin of its inference.

64 bytes of header: TABIYANN, version, architecture, hidden neurons, buckets, QA, QB, scale (four bytes each), 20 bytes of
zero, CRC-32 of what follows the header, CRC-32 of the 60 bytes before. Then, little-endian: first weights (768 x hidden,
i16, one row an input), first biases (hidden, i16), last weights (8 x 2 hidden, i16), last biases (8, i32).
"""

import struct
import zlib

import numpy

MAGIC = b"TABIYANN"
VERSION = 1
ARCHITECTURE = 1
QA, QB = 255, 64


def quantise(network):
    """Integer weights by name."""
    tensors = {name: value.detach().double().cpu().numpy() for name, value in network.named_parameters()}
    return {
        "first": numpy.round(tensors["first"] * QA).astype("<i2"),
        "first_bias": numpy.round(tensors["first_bias"] * QA).astype("<i2"),
        "last": numpy.round(tensors["last"].T * QB).astype("<i2"),
        "last_bias": numpy.round(tensors["last_bias"] * QA * QB).astype("<i4"),
    }


def write(path, weights, scale):
    payload = b"".join(weights[name].tobytes() for name in ("first", "first_bias", "last", "last_bias"))
    hidden = weights["first"].shape[1]
    head = struct.pack("<8s7I20xI", MAGIC, VERSION, ARCHITECTURE, hidden, weights["last"].shape[0], QA, QB, scale, zlib.crc32(payload))
    with open(path, "wb") as file:
        file.write(head + struct.pack("<I", zlib.crc32(head)) + payload)


def evaluate(weights, scale, own, theirs, bucket):
    """Centipawns exactly as the engine computes them; the inputs are the trainer's one-hot rows."""
    halves = []
    for side in (own, theirs):
        accumulator = side.astype(numpy.int64) @ weights["first"].astype(numpy.int64) + weights["first_bias"]
        if numpy.abs(accumulator).max() > 32767:
            raise SystemExit("an accumulator leaves sixteen bits")
        halves.append(numpy.clip(accumulator, 0, QA) ** 2)
    hidden = numpy.concatenate(halves, axis=1)
    total = (hidden * weights["last"].astype(numpy.int64)[bucket]).sum(axis=1)
    inner = numpy.trunc(total / QA).astype(numpy.int64) + weights["last_bias"][bucket]
    return numpy.trunc(inner * scale / (QA * QB)).astype(numpy.int64)

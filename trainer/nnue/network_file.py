"""The network file the engine reads, and an integer twin of its inference.

64 bytes of header: TABIYANN, version, architecture, hidden neurons, buckets, QA, QB, scale, even score (four bytes each), 16
bytes of zero, CRC-32 of what follows the header, CRC-32 of the 60 bytes before. Then, little-endian: first weights (768 x
hidden, i16, one row an input), first biases (hidden, i16), last weights (8 x 2 hidden, i16), last biases (8, i32).
"""

import struct
import sys
import zlib

import numpy

MAGIC = b"TABIYANN"
VERSION = 1
ARCHITECTURE = 1
QA, QB = 255, 64
HEADER_BYTES = 64
BUCKETS, INPUTS = 8, 768


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
    # Nobody has played games with it yet: the even score is unknown.
    head = struct.pack("<8s8I16xI", MAGIC, VERSION, ARCHITECTURE, hidden, weights["last"].shape[0], QA, QB, scale, 0, zlib.crc32(payload))
    with open(path, "wb") as file:
        file.write(head + struct.pack("<I", zlib.crc32(head)) + payload)


def calibrate(path, found):
    """Enters the even score. `found` is the one shown at which games on move 32 were won as often as not: 100 if the file is right already."""
    _, scale = read(path)
    even = round((even_score(path) or 100) * found / 100)
    if not 10 <= even <= 1000:
        raise SystemExit(f"{path}: the even score would be {even}, expected 10 to 1000")
    rewrite(path, scale, even)
    return even


def rescale(path, scale):
    """The same evaluation at another scale: the margins of the search are made for one scale."""
    _, before = read(path)
    rewrite(path, scale, round(even_score(path) * scale / before))


def even_score(path):
    return struct.unpack("<I", open(path, "rb").read()[36:40])[0]


def rewrite(path, scale, even):
    data = bytearray(open(path, "rb").read())
    data[32:40] = struct.pack("<2I", scale, even)
    data[60:64] = struct.pack("<I", zlib.crc32(data[:60]))
    with open(path, "wb") as file:
        file.write(data)


def read(path):
    """The integer weights by name, and the scale."""
    data = open(path, "rb").read()
    magic, version, architecture, hidden, buckets, qa, qb, scale = struct.unpack("<8s7I", data[:36])
    if (magic, version, architecture, buckets, qa, qb) != (MAGIC, VERSION, ARCHITECTURE, BUCKETS, QA, QB):
        raise SystemExit(f"{path}: no network of this version")
    weights, place = {}, HEADER_BYTES
    for name, kind, shape in (("first", "<i2", (INPUTS, hidden)), ("first_bias", "<i2", (hidden,)), ("last", "<i2", (BUCKETS, 2 * hidden)), ("last_bias", "<i4", (BUCKETS,))):
        count = int(numpy.prod(shape))
        weights[name] = numpy.frombuffer(data, dtype=kind, count=count, offset=place).reshape(shape)
        place += count * numpy.dtype(kind).itemsize
    return weights, scale


def floats(weights):
    """The weights as training knows them: what `quantise` made integers of."""
    return {
        "first": weights["first"] / QA,
        "first_bias": weights["first_bias"] / QA,
        "last": weights["last"].T / QB,
        "last_bias": weights["last_bias"] / (QA * QB),
    }


def evaluate(weights, scale, own, theirs, bucket):
    """Centipawns exactly as the engine computes them; the inputs are the trainer's one-hot rows."""
    halves = []
    for side in (own, theirs):
        # Whole numbers this small are exact in double precision, where products are quick.
        accumulator = side.astype(numpy.float64) @ weights["first"].astype(numpy.float64) + weights["first_bias"]
        accumulator = accumulator.astype(numpy.int64)
        if numpy.abs(accumulator).max() > 32767:
            raise SystemExit("an accumulator leaves sixteen bits")
        halves.append(numpy.clip(accumulator, 0, QA) ** 2)
    hidden = numpy.concatenate(halves, axis=1)
    total = (hidden * weights["last"].astype(numpy.int64)[bucket]).sum(axis=1)
    inner = toward_zero(total, QA) + weights["last_bias"].astype(numpy.int64)[bucket]
    return toward_zero(inner * scale, QA * QB)


def toward_zero(number, divisor):
    return numpy.sign(number) * (numpy.abs(number) // divisor)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[2:] if word.isdigit()]
    if len(sys.argv) not in (3, 4) or len(numbers) != len(sys.argv) - 2 or numbers[1:] and not 1 <= numbers[1] <= 10_000:
        sys.exit("usage: network_file.py FILE.net FOUND [SCALE]   (FOUND: the even score that tools/fit_outcome.py found with this file, 100 to leave it, an unknown one becoming 100; "
                 "SCALE: what the output is multiplied by from now on)")
    path, even = sys.argv[1], calibrate(sys.argv[1], numbers[0])
    if numbers[1:]:
        rescale(path, numbers[1])
    print(f"{path}: even score {even_score(path) or 'unknown'}, scale {read(path)[1]}")

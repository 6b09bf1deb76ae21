"""Write a trained network as the file the Rust side reads (`crates/human-model/src/reply/weights.rs` has the same order).

    python export.py --weights OUT/reply.pt --out crates/human-model/weights/reply.bin
"""

import argparse
import struct
from pathlib import Path

import torch

from data import CONDITIONS, PLANES
from quantise import is_bytes, quantise

MAGIC, VERSION = b"TBYREPLY", 1
SECOND_MAGIC = b"TBYREPL2"  # the residual network, `crates/human-model/src/reply/held_out.rs`


def order(shape):
    yield from ("planes.weight", "conditions.weight", "conditions.bias", "place")
    parts = ["norm_attention", "norm_hidden", "qkv.weight", "out.weight", "bias", "up.weight", "up.bias", "down.weight", "down.bias"]
    if shape["dynamic"]:
        parts += ["squeeze.weight", "mix.weight", "mix.bias", "norm_mix", "spread.weight"]
    for layer in range(shape["layers"]):
        yield from (f"blocks.{layer}.{part}" for part in parts)
    yield "norm"
    for head in ("source", "destination", "promotion"):
        yield from (f"{head}.weight", f"{head}.bias")
    if shape["dynamic"]:
        yield "patterns"


def order_of_residual(shape):
    yield from ("planes.weight", "conditions.weight", "conditions.bias", "place")
    parts = ["norm", "first.weight", "shift", "second.weight", "squeeze.weight", "squeeze.bias", "excite.weight", "excite.bias"]
    for layer in range(shape["layers"]):
        yield from (f"blocks.{layer}.{part}" for part in parts)
    yield "norm"
    for head in ("source", "destination", "promotion"):
        yield from (f"{head}.weight", f"{head}.bias")


def fingerprint(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def pack(saved):
    shape, weights = saved["shape"], saved["weights"]
    residual = saved.get("form") == "residual"
    names = ("dim", "layers", "policy") if residual else ("dim", "layers", "heads", "hidden", "policy", "dynamic")
    fields = [VERSION] + [shape[name] for name in names] + [PLANES, CONDITIONS]
    out = bytearray((SECOND_MAGIC if residual else MAGIC) + struct.pack(f"<{len(fields)}I", *fields))
    written = set()
    for name in (order_of_residual if residual else order)(shape):
        tensor = weights[name].float()
        written.add(name)
        if is_bytes(name, tensor):
            numbers, scale = quantise(tensor)
            out += scale.numpy().tobytes() + numbers.numpy().tobytes()
        else:
            out += tensor.contiguous().numpy().tobytes()
    if left := set(weights) - written:
        raise SystemExit(f"tensors without a place in the file: {sorted(left)}")
    return bytes(out) + struct.pack("<Q", fingerprint(out))


if __name__ == "__main__":
    parse = argparse.ArgumentParser()
    parse.add_argument("--weights", required=True)
    parse.add_argument("--out", required=True)
    options = parse.parse_args()
    data = pack(torch.load(options.weights, map_location="cpu"))
    Path(options.out).write_bytes(data)
    print(f"{len(data)} bytes to {options.out}")

"""Write a trained network as the file the Rust side reads (`crates/human-model/src/reply/weights.rs` has the same order).

    python export.py --weights OUT/reply.pt --out crates/human-model/weights/reply.bin
"""

import argparse
import struct
from pathlib import Path

import numpy as np
import torch

from data import CONDITIONS, PLANES
from model import ReplyNet, Shape
from quantise import is_bytes, quantise
from residual import ResidualNet, ResidualShape

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


NAMES = ("dim", "layers", "heads", "hidden", "policy", "dynamic")
NAMES_OF_RESIDUAL = ("dim", "layers", "policy")


def empty(shape, residual):
    return ResidualNet(ResidualShape(**shape)) if residual else ReplyNet(Shape(**shape))


def fingerprint(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def pack(saved):
    shape, weights = saved["shape"], saved["weights"]
    residual = saved.get("form") == "residual"
    names = NAMES_OF_RESIDUAL if residual else NAMES
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


def unpack(path):
    """The reverse: what `pack` was given, as far as eight bits keep it."""
    data = Path(path).read_bytes()
    body, (mark,) = data[:-8], struct.unpack("<Q", data[-8:])
    if body[:8] not in (MAGIC, SECOND_MAGIC) or fingerprint(body) != mark:
        raise SystemExit(f"{path}: not a whole reply network")
    residual = body[:8] == SECOND_MAGIC
    names = NAMES_OF_RESIDUAL if residual else NAMES
    at = 8 + 4 * (len(names) + 3)
    fields = struct.unpack(f"<{len(names) + 3}I", body[8:at])
    if fields[0] != VERSION or fields[-2:] != (PLANES, CONDITIONS):
        raise SystemExit(f"{path}: version {fields[0]}, {fields[-2]} planes and {fields[-1]} conditions")
    shape = dict(zip(names, fields[1:-2]))
    like, weights = empty(shape, residual).state_dict(), {}

    def take(kind, count):
        nonlocal at
        start, at = at, at + count * np.dtype(kind).itemsize
        return torch.from_numpy(np.frombuffer(body[start:at], dtype=kind).astype(np.float32))

    for name in (order_of_residual if residual else order)(shape):
        tensor = like[name]
        if is_bytes(name, tensor):
            scale = take("<f4", tensor.numel() // tensor.shape[-1])
            weights[name] = (take("i1", tensor.numel()).view(-1, tensor.shape[-1]) * scale[:, None]).view(tensor.shape)
        else:
            weights[name] = take("<f4", tensor.numel()).view(tensor.shape)
    if at != len(body):
        raise SystemExit(f"{path}: {len(body)} bytes, expected {at}")
    return {"shape": shape, "weights": weights, "form": "residual" if residual else "attention"}


if __name__ == "__main__":
    parse = argparse.ArgumentParser()
    parse.add_argument("--weights", required=True)
    parse.add_argument("--out", required=True)
    options = parse.parse_args()
    data = pack(torch.load(options.weights, map_location="cpu"))
    Path(options.out).write_bytes(data)
    print(f"{len(data)} bytes to {options.out}")

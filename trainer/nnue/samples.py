"""Samples as tensors: files of 32-byte records (see crates/data/src/sample.rs), unpacked where the training runs."""

from typing import NamedTuple

import numpy
import torch

SAMPLE_BYTES = 32
INPUTS = 768
BUCKETS = 8


class Labels(NamedTuple):
    """What is known about positions: the search's score in centipawns, the result and the lambda-return in expected points for the side to move."""

    score: torch.Tensor
    result: torch.Tensor
    lambda_return: torch.Tensor
    # 0: the score is what the search found; 1: the truth is at most that; 2: at least.
    side: torch.Tensor
    # 1 for a position of a game, 0 for one that has neither result nor lambda-return.
    in_game: torch.Tensor

    def contradicted(self, difference):
        """The error of a prediction: a prediction on the right side of a bound has none."""
        difference = torch.where(self.side == 1, difference.clamp(min=0), difference)
        return torch.where(self.side == 2, difference.clamp(max=0), difference)


def load(paths, device, limit=0):
    """All samples of some files in one tensor of bytes; `limit` keeps the first so many."""
    parts = []
    for path in paths:
        raw = numpy.fromfile(path, dtype=numpy.uint8)
        if raw.size % SAMPLE_BYTES:
            raise SystemExit(f"{path}: {raw.size} bytes, expected a multiple of {SAMPLE_BYTES}")
        if raw.size == 0:
            raise SystemExit(f"{path}: no samples in it")
        parts.append(torch.from_numpy(raw).view(-1, SAMPLE_BYTES))
    samples = torch.cat(parts) if len(parts) > 1 else parts[0]
    if limit:
        samples = samples[:limit]
    return samples.to(device)


def unpack(raw):
    """Records to the two dense one-hot inputs (mover's and opponent's view), the bucket and the labels."""
    count = raw.shape[0]
    device = raw.device
    bits = (raw[:, :8, None] >> torch.arange(8, dtype=torch.uint8, device=device)) & 1
    bits = bits.view(count, 64)
    codes = torch.stack((raw[:, 8:24] & 15, raw[:, 8:24] >> 4), dim=2).view(count, 32)
    order = (bits.cumsum(1, dtype=torch.int64) - 1).clamp_(0, 31)
    code = codes.gather(1, order)
    channel = torch.where(bits == 1, (code & 7) + 6 * (code >> 3), torch.full_like(code, 255))
    channels = torch.arange(12, dtype=torch.uint8, device=device)
    planes = (channel[:, None, :] == channels[None, :, None]).view(count, 12, 8, 8)
    theirs = torch.cat((planes[:, 6:], planes[:, :6]), dim=1).flip(2)
    own = mirrored(planes, raw[:, 27])
    theirs = mirrored(theirs, raw[:, 28])
    bucket = ((bits.sum(1, dtype=torch.int64) - 2) // 4).clamp_(0, BUCKETS - 1)
    score = raw[:, 24:26].contiguous().view(torch.int16).view(-1).float()
    result = raw[:, 26].float() / 2
    lambda_return = (raw[:, 29].int() + 256 * raw[:, 30].int()).float() / 65535
    side, in_game = raw[:, 31] & 3, (raw[:, 31] < 4).float()
    return own, theirs, bucket, Labels(score, result, lambda_return, side, in_game)


def mirrored(planes, king):
    """Left and right are swapped when the king stands on the files e to h; flattened to 768 numbers."""
    swap = ((king & 7) >= 4)[:, None, None, None]
    return torch.where(swap, planes.flip(3), planes).view(planes.shape[0], INPUTS).float()

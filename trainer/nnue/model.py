"""The network in floating point: 768 inputs a side, one hidden layer seen from both sides, eight outputs by piece count."""

import torch
from torch import nn

from network_file import QA, QB
from samples import BUCKETS, INPUTS

# What sixteen-bit accumulators and eight-bit products allow (crates/eval/src/nnue).
LARGEST_WEIGHT = 1.98


class Network(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.hidden = hidden
        # A position has about 24 inputs: their sum should start inside the activation's range.
        self.first = nn.Parameter(torch.randn(INPUTS, hidden) * 0.1)
        self.first_bias = nn.Parameter(torch.full((hidden,), 0.1))
        self.last = nn.Parameter(torch.randn(2 * hidden, BUCKETS) * (1 / (2 * hidden) ** 0.5))
        self.last_bias = nn.Parameter(torch.zeros(BUCKETS))

    def forward(self, own, theirs, bucket):
        """The logarithm of the mover's odds, with the weights the file will hold: rounding is part of the training."""
        first, first_bias = rounded(self.first, QA), rounded(self.first_bias, QA)
        halves = [torch.addmm(first_bias, side, first) for side in (own, theirs)]
        hidden = torch.cat(halves, dim=1).clamp(0, 1).square()
        outputs = torch.addmm(self.last_bias, hidden, rounded(self.last, QB))
        return outputs.gather(1, bucket[:, None]).squeeze(1)

    @torch.no_grad()
    def clip(self):
        self.first.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)
        self.last.clamp_(-LARGEST_WEIGHT, LARGEST_WEIGHT)


def rounded(weights, steps):
    """To whole steps; gradients pass as if nothing had happened (Bengio's straight-through estimator, 2013)."""
    return weights + ((weights * steps).round() / steps - weights).detach()

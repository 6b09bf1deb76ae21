"""The second reply network: a tower of convolutions, taught by other people than the first.

It plays the simulated human of studies in which the first network is judged, so it shares neither players nor form with
it: 3 x 3 convolutions instead of squares that look at each other, a gate made from the whole board and the rating in every block
(squeeze and excitation, Hu et al. 2018), the same encoding and the same (from, to) policy. The twin of `crates/human-model/src/reply/held_out.rs`.
"""

import math
from dataclasses import asdict, dataclass

import torch
from torch import nn
from torch.nn import functional as F

from data import CONDITIONS, PLANES
from model import rms

GATE = 64  # width of each block's gate


@dataclass
class ResidualShape:
    dim: int = 96
    layers: int = 8
    policy: int = 64
    drop: float = 0.0  # channels silenced in training: the reserved players are few, and the network begins to remember their games

    def as_dict(self):
        return asdict(self)


class Convolution(nn.Module):
    """A 3 x 3 convolution whose weight is a matrix: one row per output, (row, column, channel) of the window along it."""

    def __init__(self, dim):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(dim, 9 * dim) / math.sqrt(9 * dim))

    def forward(self, x):
        dim = self.weight.shape[0]
        board = x.view(-1, 8, 8, dim).permute(0, 3, 1, 2)
        kernel = self.weight.view(dim, 3, 3, dim).permute(0, 3, 1, 2)
        return F.conv2d(board, kernel.to(x.dtype), padding=1).permute(0, 2, 3, 1).reshape(-1, 64, dim)


class ResidualBlock(nn.Module):
    def __init__(self, dim, drop):
        super().__init__()
        self.drop = drop
        self.norm = nn.Parameter(torch.ones(dim))
        self.first = Convolution(dim)
        self.shift = nn.Parameter(torch.zeros(dim))
        self.second = Convolution(dim)
        self.squeeze = nn.Linear(2 * dim, GATE)
        self.excite = nn.Linear(GATE, 2 * dim)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.excite.weight)

    def forward(self, x, condition):
        y = F.relu(self.first(rms(x, self.norm)) + self.shift)
        y = self.second(F.dropout(y, self.drop, self.training))
        mean = torch.cat((y.mean(1), condition.to(y.dtype)), 1)
        gate, bias = self.excite(F.relu(self.squeeze(mean))).chunk(2, 1)
        return x + (y * (2 * torch.sigmoid(gate))[:, None] + bias[:, None]).to(x.dtype)


class ResidualNet(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.planes = nn.Linear(PLANES, shape.dim, bias=False)
        self.conditions = nn.Linear(CONDITIONS, shape.dim)
        self.place = nn.Parameter(0.1 * torch.randn(64, shape.dim))
        self.blocks = nn.ModuleList(ResidualBlock(shape.dim, shape.drop) for _ in range(shape.layers))
        self.norm = nn.Parameter(torch.ones(shape.dim))
        self.source = nn.Linear(shape.dim, shape.policy)
        self.destination = nn.Linear(shape.dim, shape.policy)
        self.promotion = nn.Linear(shape.dim, 3)
        nn.init.zeros_(self.promotion.weight)

    def tokens(self, planes, conditions):
        x = self.planes(planes)
        condition = self.conditions(conditions)
        x = (x + self.place + condition[:, None]).to(x.dtype)
        for block in self.blocks:
            x = block(x, condition)
        return rms(x, self.norm)

    def policy(self, x):
        """As in the first network: 64 x 64 pairs, then under-promotions."""
        source, destination = self.source(x), self.destination(x)
        pairs = source @ destination.transpose(1, 2) / math.sqrt(self.shape.policy)
        offset = self.promotion(x[:, 56:]).transpose(1, 2)
        under = pairs[:, None, 48:56, 56:] + offset[:, :, None, :]
        return torch.cat((pairs.flatten(1), under.flatten(1)), 1)

    def forward(self, planes, conditions, legal, present):
        logits = self.policy(self.tokens(planes, conditions)).float().gather(1, legal)
        return logits.masked_fill(~present, -1e9)

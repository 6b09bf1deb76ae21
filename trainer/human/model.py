"""The reply network: 64 squares that look at each other, and a policy that scores (from, to) pairs.

Ideas, by name: squares as tokens with a learned bias per head and pair of squares (Chessformer, Lc0's transformers),
Lc0's attention policy, RMS normalisation before each half block, squared ReLU (Primer).
"""

import math
from dataclasses import asdict, dataclass

import torch
from torch import nn
from torch.nn import functional as F

from data import CONDITIONS, PLANES


@dataclass
class Shape:
    dim: int = 256
    layers: int = 8
    heads: int = 8
    hidden: int = 512
    policy: int = 128
    dynamic: int = 0  # width of the generated attention bias; 0: fixed bias only

    def as_dict(self):
        return asdict(self)


def rms(x, gain):
    wide = x.float()
    return (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-6) * gain).to(x.dtype)


def geometry(heads):
    """A first guess for the attention bias: ranks and files, diagonals, knight jumps, neighbours; the other heads start blank."""
    square = torch.arange(64)
    file = (square[:, None] % 8 - square[None, :] % 8).abs()
    rank = (square[:, None] // 8 - square[None, :] // 8).abs()
    relations = [(file == 0) | (rank == 0), file == rank, file * rank == 2, torch.maximum(file, rank) <= 1]
    bias = torch.zeros(heads, 64, 64)
    for head in range(min(heads, 4)):
        bias[head] = 1.5 * relations[head].float()
    return bias


class Block(nn.Module):
    def __init__(self, shape, dropout):
        super().__init__()
        self.heads, self.dynamic = shape.heads, shape.dynamic
        self.dropout = nn.Dropout(dropout)
        self.norm_attention = nn.Parameter(torch.ones(shape.dim))
        self.norm_hidden = nn.Parameter(torch.ones(shape.dim))
        self.qkv = nn.Linear(shape.dim, 3 * shape.dim, bias=False)
        self.out = nn.Linear(shape.dim, shape.dim, bias=False)
        self.bias = nn.Parameter(geometry(shape.heads))
        self.up = nn.Linear(shape.dim, shape.hidden)
        self.down = nn.Linear(shape.hidden, shape.dim)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.down.weight)
        nn.init.zeros_(self.down.bias)
        if shape.dynamic:
            self.squeeze = nn.Linear(shape.dim, 16, bias=False)
            self.mix = nn.Linear(16 * 64, shape.dynamic)
            self.norm_mix = nn.Parameter(torch.ones(shape.dynamic))
            self.spread = nn.Linear(shape.dynamic, shape.heads * 64, bias=False)

    def forward(self, x, patterns):
        batch, squares, dim = x.shape
        y = rms(x, self.norm_attention)
        q, k, v = self.qkv(y).view(batch, squares, 3, self.heads, dim // self.heads).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(2, 3) * (dim // self.heads) ** -0.5 + self.bias
        if self.dynamic:
            mixed = rms(F.relu(self.mix(self.squeeze(y).flatten(1))), self.norm_mix)
            scores = scores + (self.spread(mixed).view(batch, self.heads, 64) @ patterns).view(batch, self.heads, 64, 64)
        y = scores.softmax(-1) @ v
        x = x + self.dropout(self.out(y.transpose(1, 2).reshape(batch, squares, dim)))
        y = self.up(rms(x, self.norm_hidden))
        return x + self.dropout(self.down(F.relu(y).square()))


class ReplyNet(nn.Module):
    def __init__(self, shape, dropout=0.0):
        super().__init__()
        self.shape = shape
        self.planes = nn.Linear(PLANES, shape.dim, bias=False)
        self.conditions = nn.Linear(CONDITIONS, shape.dim)
        self.place = nn.Parameter(0.1 * torch.randn(64, shape.dim))
        self.blocks = nn.ModuleList(Block(shape, dropout) for _ in range(shape.layers))
        self.norm = nn.Parameter(torch.ones(shape.dim))
        self.source = nn.Linear(shape.dim, shape.policy)
        self.destination = nn.Linear(shape.dim, shape.policy)
        self.promotion = nn.Linear(shape.dim, 3)
        self.patterns = nn.Parameter(0.02 * torch.randn(64, 4096)) if shape.dynamic else None
        nn.init.zeros_(self.promotion.weight)

    def tokens(self, planes, conditions):
        x = self.planes(planes)
        # The running sum keeps the type of a matrix product: bfloat16 under autocast, which halves the traffic.
        x = (x + self.place + self.conditions(conditions)[:, None]).to(x.dtype)
        for block in self.blocks:
            x = block(x, self.patterns)
        return rms(x, self.norm)

    def policy(self, x):
        """All 4,288 logits: 64 x 64 pairs, then under-promotions as the same pair plus an offset of the target square."""
        source, destination = self.source(x), self.destination(x)
        pairs = source @ destination.transpose(1, 2) / math.sqrt(self.shape.policy)
        offset = self.promotion(x[:, 56:]).transpose(1, 2)  # [B, 3, 8 target files]
        under = pairs[:, None, 48:56, 56:] + offset[:, :, None, :]
        return torch.cat((pairs.flatten(1), under.flatten(1)), 1)

    def forward(self, planes, conditions, legal, present):
        logits = self.policy(self.tokens(planes, conditions)).float().gather(1, legal)
        return logits.masked_fill(~present, -1e9)

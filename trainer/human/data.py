"""Expanded human games as tensors, and the batches a reply network reads.

`human-data expand` writes one flat file per field; this module maps them onto the training device and builds inputs there.
Everything is seen from the player to move: the board is flipped vertically for Black, so "own" pawns always climb.
The same encoding is written a second time in Rust (`crates/human-model/src/reply/input.rs`); the fixture test keeps the two equal.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

HISTORY = 8
PLANES = 15 + 2 * HISTORY + 1  # the last plane stays empty: matrix units want a multiple of eight
POLICY = 4096 + 3 * 64
UNKNOWN_CLOCK = 65535

RATING_GRID = [600.0 + 200.0 * i for i in range(13)]
BASE_GRID = [math.log2(s) for s in (30, 60, 120, 180, 300, 600, 1800, 7200)]
INCREMENT_GRID = [0.0, 2.0, 5.0, 10.0, 30.0]
CLOCK_GRID = [math.log2(s) for s in (1, 3, 7, 15, 30, 60, 120, 300, 900, 3600)]
PLY_GRID = [0.0, 10.0, 20.0, 30.0, 40.0, 60.0, 80.0, 120.0]
SCALES = ["lichess", "fics", "fide", "mixed"]
SCALE_OF_SOURCE = [0, 0, 0, 1, 1, 2, 2, 3]
SOURCES = ["lichess-rapid", "lichess-clock", "lichess-levels", "fics-blitz", "fics-levels", "fide-otb", "fide-levels", "online-misc"]
CONDITIONS = 2 * len(RATING_GRID) + len(SCALES) + len(BASE_GRID) + len(INCREMENT_GRID) + 2 * len(CLOCK_GRID) + 3 + len(PLY_GRID)

# Players are told apart by their identifier modulo 100: nobody's moves are ever on two sides of the fence.
# The reserved ones teach a second model, the simulated opponent that the first must never have seen.
TEST, VALIDATION, RESERVED = range(0, 4), range(4, 5), range(5, 17)


def soft_one_hot(value, grid, known):
    """Linear interpolation between the two neighbouring knots; a row of zeros where the value is unknown."""
    value = value.float().clamp(grid[0], grid[-1])
    columns = []
    for number, knot in enumerate(grid):
        rising = (value - grid[number - 1]) / (knot - grid[number - 1]) if number > 0 else torch.ones_like(value)
        falling = (grid[number + 1] - value) / (grid[number + 1] - knot) if number + 1 < len(grid) else torch.ones_like(value)
        columns.append(torch.minimum(rising, falling).clamp(0, 1))
    return torch.stack(columns, 1) * known[:, None]


def square_table():
    """Planes of each board code: 14 and 15 are rooks that may still castle, 13 an empty square where a pawn can be taken in passing."""
    table = torch.zeros(16, 15)
    for code in range(1, 13):
        table[code, code - 1] = 1
    table[13, 12] = 1
    table[14, 3] = table[14, 13] = 1
    table[15, 9] = table[15, 14] = 1
    return table


@dataclass
class Batch:
    planes: torch.Tensor      # [B, 64, PLANES]
    conditions: torch.Tensor  # [B, CONDITIONS]
    legal: torch.Tensor       # [B, L] policy indices, padded with 0
    present: torch.Tensor     # [B, L] which entries of `legal` are moves
    target: torch.Tensor      # [B] column of the move played


class Games:
    def __init__(self, folder, device):
        folder = Path(folder)
        self.device = device

        def load(name, dtype, width=1):
            array = np.fromfile(folder / name, dtype=dtype)
            if dtype == np.uint16:
                array = array.astype(np.int32)  # PyTorch 1 has no unsigned words
            tensor = torch.from_numpy(array.reshape(-1, width) if width > 1 else array)
            return tensor.to(device)

        self.boards = load("boards", np.uint8, 32)
        self.ply = load("ply", np.int16)
        self.game = load("game", np.int32)
        self.count = load("count", np.uint8)
        self.target = load("target", np.uint8)
        self.extra = load("extra", np.uint8, 2)
        self.moves = load("mv", np.uint8, 2)
        self.clock = load("clock", np.uint16, 2)
        self.legal = load("legal", np.int16)
        self.offset = torch.cumsum(self.count.long(), 0) - self.count.long()
        head = np.fromfile(folder / "games", dtype=np.uint8).reshape(-1, 16)
        words = np.ascontiguousarray(head[:, 6:16]).view("<u2").astype(np.int32)
        put = lambda array: torch.from_numpy(np.ascontiguousarray(array)).to(device)
        self.source = put(head[:, 0].astype(np.int64))
        self.bucket = put(head[:, 1:3].astype(np.int64))
        self.increment = put(head[:, 5].astype(np.float32))
        self.rating = put(words[:, 0:2])
        self.base = put(words[:, 2])
        self.games_of_player = put(words[:, 3:5])
        self.square_table = square_table().to(device)
        self.scale_of_source = torch.tensor(SCALE_OF_SOURCE, device=device)

    def __len__(self):
        return len(self.ply)

    def movers(self, index):
        return (self.ply[index] & 1).long()

    def split(self):
        """Boolean masks over positions: train, reserved, validation, test. A game with a held-out player trains nobody."""
        game = self.game.long()
        bucket = self.bucket[game]
        mover = (self.ply & 1).long()
        own = bucket.gather(1, mover[:, None])[:, 0]
        inside = lambda b, r: (b >= r.start) & (b < r.stop)
        held = (inside(bucket, TEST) | inside(bucket, VALIDATION)).any(1)
        reserved = inside(own, RESERVED)
        return ~held & ~reserved, ~held & reserved, inside(own, VALIDATION), inside(own, TEST)

    def keep_probability(self, opening=0.3, games_cap=4000):
        """Chance that a position is drawn in an epoch: openings are memorised quickly, and two accounts play a fifth of all blitz."""
        own = self.games_of_player[self.game.long()].gather(1, (self.ply & 1).long()[:, None])[:, 0]
        keep = (games_cap / own.clamp(min=1).float()).clamp(max=1.0)
        return torch.where(self.ply < 10, keep * opening, keep)

    def batch(self, index, width, augment):
        device, size = self.device, len(index)
        packed = self.boards[index]
        codes = torch.stack((packed & 15, packed >> 4), 2).view(size, 64).long()
        ply = self.ply[index].long()
        mover = ply & 1
        random = (lambda: torch.rand(size, device=device)) if augment else None

        planes = self.square_table[codes]

        back = torch.arange(1, HISTORY + 1, device=device)
        depth = ply.clamp(max=HISTORY)
        if augment:
            # Some positions come without a game: forget all of the past, or all but the last move, one time in ten each.
            draw = random()
            depth = torch.where(draw < 0.1, 0, torch.where(draw < 0.2, depth.clamp(max=1), depth))
        past = self.moves[(index[:, None] - back).clamp(min=0)].long() ^ (56 * mover)[:, None, None]
        past = torch.where((back <= depth[:, None])[:, :, None], past, 64).view(size, 2 * HISTORY)
        squares_64 = torch.arange(64, device=device)
        marks = (past[:, None, :] == squares_64[None, :, None]).float()
        planes = torch.cat((planes, marks, torch.zeros_like(marks[:, :, :1])), 2)

        columns = torch.arange(width, device=device)
        count = self.count[index].long()
        present = columns < count[:, None]
        at = (self.offset[index][:, None] + columns).clamp(max=len(self.legal) - 1)
        legal = torch.where(present, self.legal[at].long(), 0)

        if augment:
            # Left and right are the same once nobody can castle.
            mirrored = (random() < 0.5) & ~(codes >= 14).any(1)
            planes = torch.where(mirrored[:, None, None], planes[:, squares_64 ^ 7], planes)
            flipped = legal ^ torch.where(legal < 4096, 455, 63)
            legal = torch.where(mirrored[:, None] & present, flipped, legal)

        conditions = self.conditions(index, ply, mover, augment)
        return Batch(planes, conditions, legal, present, self.target[index].long())

    def conditions(self, index, ply, mover, augment):
        size, device = len(index), self.device
        game = self.game[index].long()
        ratings = self.rating[game]
        own = ratings.gather(1, mover[:, None])[:, 0]
        opponent = ratings.gather(1, 1 - mover[:, None])[:, 0]
        base = self.base[game]
        clock = self.clock[index]
        own_clock, opponent_clock = clock[:, 0], clock[:, 1]
        base_known = base != UNKNOWN_CLOCK
        clock_known = (own_clock != UNKNOWN_CLOCK) & (opponent_clock != UNKNOWN_CLOCK)
        opponent_known = opponent > 0
        if augment:
            drop = torch.rand(3, size, device=device)
            base_known = base_known & (drop[0] > 0.05)
            clock_known = clock_known & (drop[1] > 0.15)
            opponent_known = opponent_known & (drop[2] > 0.1)
        seconds = lambda tenths: torch.log2((tenths.float() / 10).clamp(min=0.5))
        scale = self.scale_of_source[self.source[game]]
        extra = self.extra[index]
        return torch.cat(
            (
                soft_one_hot(own, RATING_GRID, own > 0),
                soft_one_hot(opponent, RATING_GRID, opponent_known),
                (scale[:, None] == torch.arange(len(SCALES), device=device)).float(),
                soft_one_hot(torch.log2(base.float().clamp(min=1)), BASE_GRID, base_known),
                soft_one_hot(self.increment[game], INCREMENT_GRID, base_known),
                soft_one_hot(seconds(own_clock), CLOCK_GRID, clock_known),
                soft_one_hot(seconds(opponent_clock), CLOCK_GRID, clock_known),
                (extra[:, :1] >= 1).float(),
                (extra[:, :1] >= 2).float(),
                extra[:, 1:].float().clamp(max=100) / 50,
                soft_one_hot(ply, PLY_GRID, ply >= 0),
            ),
            1,
        )

"""Compare a reply network with Maia-1 on the same positions of test players.

    python maia.py --data DIR --weights crates/human-model/weights/reply.bin --maia FOLDER --a_band 1000 --out OUT/maia.json

FOLDER holds maia-1100.pb.gz to maia-1900.pb.gz of github.com/CSSLab/maia-chess (McIlroy-Young et al. 2020); they are not part of
this project. Each position goes to the Maia network nearest to the mover's rating, with eight boards of history, as Lc0 feeds
them. `--export FILE` writes the networks for `tabiya lab human --people FILE`; nothing of it belongs to this project.
Only Lichess games and plies from 10 on are taken, an equal number from each band of 200 rating points.
"""

import argparse
import gzip
import json
import math
import struct
from pathlib import Path

import torch
from torch.nn import functional as F

from data import Games
from evaluate import WIDEST
from export import fingerprint
from judge import load

RATINGS = range(1100, 2000, 100)
LICHESS = range(0, 3)  # numbers of the sources
STEPS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]  # rank, file: north, then clockwise
JUMPS = [(2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1)]


def fields(data):
    """The fields of a protocol buffer message: number to list of raw values."""
    found, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        number, kind = key >> 3, key & 7
        if kind == 0:
            value = varint()
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            value, at = data[at : at + size], at + size
        elif kind == 2:
            size = varint()
            value, at = data[at : at + size], at + size
        else:
            raise ValueError(f"field {number} has the unknown kind {kind}")
        found.setdefault(number, []).append(value)
    return found


def numbers(message):
    """A layer of Lc0's file: 16-bit integers between a lowest and a highest value."""
    parts = fields(message)
    low, high = (struct.unpack("<f", parts[number][0])[0] for number in (1, 2))
    raw = torch.frombuffer(bytearray(parts[3][0]), dtype=torch.int16).int() & 0xFFFF
    return low + (high - low) * raw.float() / 65535


class Convolution:
    """A 3 x 3 convolution with its batch normalisation folded in."""

    def __init__(self, message, inputs):
        parts = {number: numbers(values[0]) for number, values in fields(message).items()}
        weights = parts[1].view(-1, inputs, 3, 3)
        bias = parts.get(2, torch.zeros(len(weights)))
        if 3 in parts:
            gain = torch.rsqrt(parts[4] + 1e-5) * parts.get(5, torch.ones(len(weights)))
            bias = parts.get(6, torch.zeros(len(weights))) + (bias - parts[3]) * gain
            weights = weights * gain[:, None, None, None]
        self.weights, self.bias = weights, bias

    def to(self, device):
        self.weights, self.bias = self.weights.to(device), self.bias.to(device)

    def __call__(self, x):
        return F.conv2d(x, self.weights, self.bias, padding=1)


class Maia:
    def __init__(self, path, device="cpu"):
        weights = fields(fields(gzip.open(path).read())[10][0])
        self.input = Convolution(weights[1][0], 112)
        width = len(self.input.bias)
        self.blocks = []
        for message in weights[2]:
            parts = fields(message)
            squeeze = {number: numbers(values[0]).to(device) for number, values in fields(parts[3][0]).items()}
            self.blocks.append((Convolution(parts[1][0], width), Convolution(parts[2][0], width), squeeze))
        self.policy1, self.policy = (Convolution(weights[number][0], width) for number in (11, 3))
        for convolution in (self.input, self.policy1, self.policy, *(c for block in self.blocks for c in block[:2])):
            convolution.to(device)

    def pack(self, rating):
        """As `crates/human-model/src/reply/maia.rs` reads it: weights by output, each window square by square, then biases."""
        convolution = lambda c: (c.weights.permute(0, 2, 3, 1).reshape(len(c.bias), -1), c.bias)
        parts = [*convolution(self.input)]
        for first, second, squeeze in self.blocks:
            parts += [*convolution(first), *convolution(second)]
            width, gate = len(first.bias), len(squeeze[2])
            parts += [squeeze[1].view(gate, width), squeeze[2], squeeze[3].view(2 * width, gate), squeeze[4]]
        parts += [*convolution(self.policy1), *convolution(self.policy)]
        return struct.pack("<I", rating) + b"".join(part.contiguous().numpy().astype("<f4").tobytes() for part in parts)

    @torch.no_grad()
    def logits(self, planes):
        """80 planes of 64 squares: a move's direction and distance, and where it begins."""
        x = F.relu(self.input(planes))
        for first, second, squeeze in self.blocks:
            y = second(F.relu(first(x)))
            pooled = F.relu(F.linear(y.mean((2, 3)), squeeze[1].view(-1, y.shape[1]), squeeze[2]))
            gate, shift = F.linear(pooled, squeeze[3].view(2 * y.shape[1], -1), squeeze[4]).chunk(2, 1)
            x = F.relu(x + torch.sigmoid(gate)[:, :, None, None] * y + shift[:, :, None, None])
        return self.policy(F.relu(self.policy1(x))).flatten(1)


MAGIC, VERSION = b"TBYMAIA1", 1


def pack(networks):
    """All networks as one file of simulated people; `networks` maps ratings to them."""
    first = next(iter(networks.values()))
    width, gate = len(first.input.bias), len(first.blocks[0][2][2])
    out = MAGIC + struct.pack("<5I", VERSION, len(networks), width, len(first.blocks), gate)
    out += b"".join(network.pack(rating) for rating, network in networks.items())
    return out + struct.pack("<Q", fingerprint(out))


def made_up(width=4, layers=1, gate=2):
    """A small network whose numbers follow a rule that the test in Rust knows too."""
    network, at = Maia.__new__(Maia), 0

    def take(*shape):
        nonlocal at
        count = math.prod(shape)
        index = torch.arange(at, at + count)
        at += count
        return ((index * 7919 + 13) % 101 - 50).float().view(shape) / 300

    def convolution(outputs, inputs):
        made = Convolution.__new__(Convolution)
        made.weights, made.bias = take(outputs, 3, 3, inputs).permute(0, 3, 1, 2).contiguous(), take(outputs)
        return made

    network.input = convolution(width, 112)
    network.blocks = []
    for _ in range(layers):
        parts = convolution(width, width), convolution(width, width)
        squeeze = {1: take(gate, width), 2: take(gate), 3: take(2 * width, gate), 4: take(2 * width)}
        network.blocks.append((*parts, squeeze))
    network.policy1, network.policy = convolution(width, width), convolution(80, width)
    return network


def write_fixture(games, path):
    """Probabilities of the made-up network, one line a position: game, ply, every legal move in the order of policy indices."""
    index, lines = torch.arange(len(games)), []
    batch = games.batch(index, WIDEST, augment=False)
    logits = made_up().logits(planes_of(games, index)).gather(1, theirs(batch.legal, board_codes(games, index, False), move_planes()))
    chances = logits.masked_fill(~batch.present, -1e9).softmax(1)
    for row in range(len(games)):
        numbers = " ".join(f"{p:.7f}" for p in chances[row, : int(games.count[row])].tolist())
        lines.append(f"{int(games.game[row])}\t{int(games.ply[row])}\t{numbers}\n")
    Path(path).write_text("".join(lines))


def move_planes():
    """Our policy index to theirs. They write castling as king takes rook; theirs has knight promotions as plain moves."""
    table = torch.zeros(4096 + 192, dtype=torch.long)
    plane = {}
    for number, (rank, file) in enumerate(STEPS):
        for distance in range(1, 8):
            plane[rank * distance, file * distance] = 7 * number + distance - 1
    plane |= {jump: 56 + number for number, jump in enumerate(JUMPS)}
    for start in range(64):
        for end in range(64):
            step = (end // 8 - start // 8, end % 8 - start % 8)
            if step in plane:
                table[64 * start + end] = 64 * plane[step] + start
    for start in range(8):
        for end in range(max(0, start - 1), min(8, start + 2)):
            promotions = 64 + 3 * (end - start + 1)  # rook, bishop, queen
            for ours, theirs in ((1, promotions + 1), (2, promotions)):
                table[4096 + 64 * ours + 8 * start + end] = 64 * theirs + 48 + start
            table[4096 + 8 * start + end] = 64 * plane[1, end - start] + 48 + start
    return table


def theirs(indices, codes, table):
    """Policy indices of Maia for legal moves of ours, given the board's codes."""
    start, end = indices // 64, indices % 64
    plain = indices < 4096
    piece = torch.where(plain, codes.gather(1, start.clamp(max=63)), 0)
    result = table[indices]
    # A pawn's plain pair onto the last rank is the queen's promotion.
    queening = plain & (piece == 1) & (end >= 56)
    result = torch.where(queening, 64 * (64 + 3 * (end % 8 - start % 8 + 1) + 2) + start, result)
    castling = plain & (piece == 6) & (start == 4) & ((end - start).abs() == 2)
    rook = torch.where(end > start, 7, 0)
    return torch.where(castling, table[(64 * start + rook).clamp(max=4095)], result)


def board_codes(games, index, flip):
    packed = games.boards[index]
    codes = torch.stack((packed & 15, packed >> 4), 2).view(len(index), 64).long()
    if not flip:
        return codes
    codes = codes[:, torch.arange(64, device=codes.device) ^ 56]
    swap = torch.tensor([0, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 13, 15, 14], device=codes.device)
    return swap[codes]


def planes_of(games, index):
    """112 planes as Lc0 makes them: eight boards, castling rights, colour, fifty-move counter, zeros, ones."""
    count = len(index)
    planes = torch.zeros(count, 112, 64, device=games.device)
    for back in range(8):
        codes = board_codes(games, index - back, back % 2 == 1)
        codes = torch.where(codes == 14, 4, torch.where(codes == 15, 10, torch.where(codes == 13, 0, codes)))
        # Before the start of a game there are no boards.
        there = (games.ply[index] >= back)[:, None]
        for piece in range(12):
            planes[:, 13 * back + piece] = ((codes == piece + 1) & there).float()
        planes[:, 13 * back + 12] = ((games.extra[index - back, :1] >= 1) & there).float()
    codes = board_codes(games, index, False)
    for plane, square, code in ((104, 0, 14), (105, 7, 14), (106, 56, 15), (107, 63, 15)):
        planes[:, plane] = (codes[:, square : square + 1] == code).float()
    planes[:, 108] = (games.ply[index] & 1).float()[:, None]
    planes[:, 109] = games.extra[index, 1:].float()
    planes[:, 111] = 1
    return planes.view(count, 112, 8, 8)


def outcome(logits, present, target):
    logs = logits.masked_fill(~present, -1e9).log_softmax(1)
    return (logs.argmax(1) == target).float(), -logs.gather(1, target[:, None])[:, 0]


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--data")
    parse.add_argument("--weights")
    parse.add_argument("--maia")
    parse.add_argument("--out")
    parse.add_argument("--a_band", type=int, default=1000, help="positions from each band of 200 rating points")
    parse.add_argument("--export", help="write Maia's networks as a file of simulated people, and nothing else")
    parse.add_argument("--fixture", help="write what a made-up network says of the positions, and nothing else")
    options = parse.parse_args()
    if options.export:
        networks = {rating: Maia(Path(options.maia) / f"maia-{rating}.pb.gz") for rating in RATINGS}
        Path(options.export).write_bytes(pack(networks))
        return
    if options.fixture:
        write_fixture(Games(options.data, torch.device("cpu")), options.fixture)
        return
    torch.manual_seed(1)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    size = 2048 if device.type == "cuda" else 64
    games = Games(options.data, device)
    ours = load(options.weights, device, shipped=True)
    maia = {rating: Maia(Path(options.maia) / f"maia-{rating}.pb.gz", device) for rating in RATINGS}
    index = games.split()[3].nonzero()[:, 0]
    game = games.game[index].long()
    rating = games.rating[game].gather(1, games.movers(index)[:, None])[:, 0]
    source = games.source[game]
    fit = (games.ply[index] >= 10) & (source >= LICHESS.start) & (source < LICHESS.stop)
    table, rows = move_planes().to(device), []
    for band in range(600, 2600, 200):
        chosen = index[fit & (rating >= band) & (rating < band + 200)]
        chosen = chosen[torch.randperm(len(chosen)).to(device)[: options.a_band]]
        for start in range(0, len(chosen), size):
            part = chosen[start : start + size]
            batch = games.batch(part, WIDEST, augment=False)
            with torch.no_grad():
                mine = outcome(ours(batch.planes, batch.conditions, batch.legal, batch.present), batch.present, batch.target)
            own = games.rating[games.game[part].long()].gather(1, games.movers(part)[:, None])[:, 0]
            nearest = ((own.float() / 100).round() * 100).long().clamp(RATINGS[0], RATINGS[-1])
            indices = theirs(batch.legal, board_codes(games, part, False), table)
            planes, logits = planes_of(games, part), torch.zeros(len(part), 80 * 64, device=device)
            for number in nearest.unique().tolist():
                logits[nearest == number] = maia[number].logits(planes[nearest == number])
            other = outcome(logits.gather(1, indices), batch.present, batch.target)
            known = games.clock[part, 0] != 65535
            columns = (games.ply[part], known.int(), games.game[part], *mine, *other)
            rows += [(band, *row) for row in zip(*(column.tolist() for column in columns))]
        print(summary(str(band), [row for row in rows if row[0] == band]), flush=True)
    result = {"all": figures(rows)}
    result |= {f"rating {band}": figures([row for row in rows if row[0] == band]) for band in sorted({row[0] for row in rows})}
    for low, high in ((10, 20), (20, 40), (40, 80), (80, 1000)):
        result[f"plies {low}-{high - 1}"] = figures([row for row in rows if low <= row[1] < high])
    for known, name in ((1, "with clocks"), (0, "without clocks")):
        result[name] = figures([row for row in rows if row[2] == known])
    Path(options.out).write_text(json.dumps(result, indent=1))
    print(summary("all", rows))


def figures(rows):
    if not rows:
        return {"positions": 0}
    data = torch.tensor([row[4:] for row in rows], dtype=torch.float64)
    games = torch.tensor([row[3] for row in rows]).unique(return_inverse=True)[1]
    mean = data.mean(0).tolist()
    ahead, ahead_error = paired(data[:, 0] - data[:, 2], games)
    gain, gain_error = paired(data[:, 3] - data[:, 1], games)
    return {
        "positions": len(rows), "games": int(games.max()) + 1, "top1": mean[0], "nll": mean[1], "maia_top1": mean[2], "maia_nll": mean[3],
        "ahead": ahead, "ahead_error": ahead_error, "nats_ahead": gain, "nats_ahead_error": gain_error,
    }


def paired(difference, games):
    """The mean and its 95 % interval; positions of one game are not independent, so games are the units."""
    mean = difference.mean()
    sums = torch.zeros(int(games.max()) + 1, dtype=torch.float64).index_add_(0, games, difference - mean)
    error = 1.96 * sums.square().sum().sqrt() / len(difference) if len(sums) > 1 else torch.tensor(1.0)
    return float(mean), float(error)


def summary(name, rows):
    f = figures(rows)
    if not f["positions"]:
        return f"{name}: no positions"
    return f"{name}: {f['positions']} positions, {100 * f['top1']:.1f} % and {f['nll']:.3f}, Maia-1 {100 * f['maia_top1']:.1f} % and {f['maia_nll']:.3f}, ahead by {100 * f['ahead']:.2f} +-{100 * f['ahead_error']:.2f} points and {f['nats_ahead']:.3f} +-{f['nats_ahead_error']:.3f} nats"


if __name__ == "__main__":
    main()

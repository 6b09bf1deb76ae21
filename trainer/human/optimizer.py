"""Muon for the square-ish matrices (momentum whose singular values are pulled to one by Newton-Schulz steps), Adam for the rest.

Muon is Keller Jordan's; the 0.2 sqrt(max side) factor that lets both share a learning rate is Moonshot's.
"""

import torch


def orthogonal(update):
    """Five quintic Newton-Schulz steps on a stack of matrices, in bfloat16 where the device is a GPU."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = update.bfloat16() if update.is_cuda else update.float()
    tall = x.shape[-2] > x.shape[-1]
    if tall:
        x = x.transpose(-2, -1)
    x = x / (x.flatten(-2).norm(dim=-1)[..., None, None] + 1e-7)
    for _ in range(5):
        gram = x @ x.transpose(-2, -1)
        x = a * x + (b * gram + c * gram @ gram) @ x
    return (x.transpose(-2, -1) if tall else x).float()


class Muon:
    """`matrices`: (parameter, pieces) pairs; a stacked projection such as qkv counts as several matrices."""

    def __init__(self, matrices, momentum=0.95, decay=0.05):
        groups = {}
        for parameter, pieces in matrices:
            rows, columns = parameter.shape
            groups.setdefault((rows // pieces, columns), []).append((parameter, pieces))
        self.momentum, self.decay = momentum, decay
        self.groups = []
        for (rows, columns), members in groups.items():
            total = sum(pieces for _, pieces in members)
            device = members[0][0].device
            self.groups.append((members, torch.zeros(total, rows, columns, device=device)))

    @torch.no_grad()
    def step(self, rate):
        for members, buffer in self.groups:
            _, rows, columns = buffer.shape
            gradient = torch.cat([p.grad.view(pieces, rows, columns) for p, pieces in members])
            buffer.mul_(self.momentum).add_(gradient)
            update = orthogonal(gradient + self.momentum * buffer) * (0.2 * max(rows, columns) ** 0.5)
            parameters = [p for p, _ in members]
            pieces = [u.reshape(p.shape) for u, p in zip(update.split([n for _, n in members]), parameters)]
            torch._foreach_mul_(parameters, 1 - rate * self.decay)
            torch._foreach_add_(parameters, pieces, alpha=-rate)

    def state(self):
        return [buffer for _, buffer in self.groups]

    def restore(self, buffers):
        for (_, buffer), saved in zip(self.groups, buffers):
            buffer.copy_(saved)

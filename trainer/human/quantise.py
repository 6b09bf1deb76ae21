"""Eight-bit rows: each row of a matrix becomes integers in -127..127 times one 32-bit scale."""

import torch


def is_bytes(name, tensor):
    """The big ones; embeddings, the promotion head, gains and biases stay 32-bit floats."""
    return tensor.ndim >= 2 and name.startswith(("blocks.", "source.", "destination.", "patterns"))


def quantise(tensor):
    rows = tensor.float().reshape(-1, tensor.shape[-1])
    scale = rows.abs().amax(1).clamp(min=1e-12) / 127
    return torch.round(rows / scale[:, None]).clamp(-127, 127).to(torch.int8), scale


def rounded(weights):
    """The weights as the Rust side will see them."""
    result = {}
    for name, tensor in weights.items():
        if is_bytes(name, tensor):
            numbers, scale = quantise(tensor)
            result[name] = (numbers.float() * scale[:, None]).reshape(tensor.shape)
        else:
            result[name] = tensor.float()
    return result

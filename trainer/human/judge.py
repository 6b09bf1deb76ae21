"""Judge a trained reply network on the test players: as trained, as shipped in eight bits, and with inputs taken away.

    python judge.py --data DIR --weights OUT/reply.pt --out OUT/judged.json
"""

import argparse
import json
from pathlib import Path

import torch

import data
from data import Games
from evaluate import report
from export import empty, unpack
from quantise import rounded


def load(path, device, shipped):
    """Weights as trained (`.pt`), or as they ship (`.bin`, in eight bits already)."""
    saved = unpack(path) if str(path).endswith(".bin") else torch.load(path, map_location="cpu")
    model = empty(saved["shape"], saved.get("form") == "residual")
    weights = {name: tensor.float() for name, tensor in saved["weights"].items()}
    model.load_state_dict(rounded(weights) if shipped else weights)
    return model.to(device).eval()


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("--data", required=True)
    parse.add_argument("--weights", required=True)
    parse.add_argument("--out", required=True)
    parse.add_argument("--brief", action="store_true")
    parse.add_argument("--sample", type=int, default=1, help="judge one test position in so many: a CPU is slow")
    options = parse.parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_float32_matmul_precision("high")
    games = Games(options.data, device)
    test = games.split()[3].nonzero()[:, 0][:: options.sample]
    exact, shipped = (load(options.weights, device, flag) for flag in (False, True))
    figures = {"float": report(exact, games, test), "shipped": report(shipped, games, test)}
    if not options.brief:
        early = test[games.ply[test] < 10]
        figures["shipped, plies 0-9"] = report(shipped, games, early, first_ply=0)
        kept = {name: getattr(games, name) for name in ("clock", "rating", "moves")}
        games.clock = torch.full_like(games.clock, data.UNKNOWN_CLOCK)
        figures["shipped, clocks hidden"] = report(shipped, games, test)
        games.clock = kept["clock"]
        games.moves = torch.full_like(games.moves, 64)  # no square of the board: 64 survives the flip as a number above 63
        figures["shipped, past hidden"] = report(shipped, games, test)
        games.moves = kept["moves"]
        # Everybody rated 1500, a stranger's rating, and 400 points too much for both: what knowing the rating is worth.
        for name, rating in (
            ("everyone 1500", torch.full_like(games.rating, 1500)),
            ("ratings shuffled", kept["rating"][torch.randperm(len(kept["rating"]), device=device)]),
            ("both ratings +400", kept["rating"] + 400),
        ):
            shown = report_with_rating(shipped, games, test, rating, kept["rating"])
            figures[f"shipped, {name}"] = shown
    Path(options.out).write_text(json.dumps(figures, indent=1))
    for name, value in figures.items():
        print(name, json.dumps(value["all"]), "calibration error", round(value["calibration_error"], 5))


def report_with_rating(model, games, index, shown, true):
    """Bands by the true rating, inputs by the one shown."""
    games.rating = shown
    figures = report(model, games, index)
    games.rating = true
    return {"all": figures["all"], "calibration_error": figures["calibration_error"]}


if __name__ == "__main__":
    main()

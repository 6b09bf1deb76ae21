#!/usr/bin/env python3
"""Lets python-chess, a client others use, play and analyse with an engine by UCI and by XBoard.

usage: python_chess_drive.py ENGINE     (needs the package `chess` from PyPI)
"""
import sys
import time

import chess
import chess.engine
from chess.engine import Limit


def play(engine, limit, name, games=1):
    for number in range(games):
        board, plies = chess.Board(), 0
        while not board.is_game_over(claim_draw=True) and plies < 200:
            result = engine.play(board, limit, info=chess.engine.INFO_ALL, game=number)
            assert result.move in board.legal_moves, (board.fen(), result.move)
            board.push(result.move)
            plies += 1
        print(f"{name}: {board.result(claim_draw=True)} after {plies} plies")


def by_uci(command):
    engine = chess.engine.SimpleEngine.popen_uci(command)
    print(engine.id, len(engine.options), "options")
    engine.configure({"Hash": 32, "Threads": 2})
    play(engine, Limit(time=0.02), "uci, fixed time", 2)
    play(engine, Limit(white_clock=3, black_clock=3, white_inc=0.02, black_inc=0.02), "uci, clock")
    spanish = chess.Board("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    lines = engine.analyse(spanish, Limit(depth=12), multipv=3)
    assert len({line["pv"][0] for line in lines}) == 3, lines
    with engine.analysis(chess.Board()) as analysis:
        begin = time.time()
        for _ in analysis:
            if time.time() - begin > 1:
                break
    print("uci, infinite analysis stopped at depth", analysis.info.get("depth"))
    for number in (0, 77, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        assert engine.play(board, Limit(time=0.05)).move in board.legal_moves
    engine.play(chess.Board(), Limit(white_clock=1, black_clock=1), ponder=True)
    engine.quit()


def by_xboard(command):
    engine = chess.engine.SimpleEngine.popen_xboard(command)
    play(engine, Limit(time=0.05), "xboard, fixed time", 2)
    play(engine, Limit(white_clock=3, black_clock=3, white_inc=0.02, black_inc=0.02), "xboard, clock")
    found = engine.analyse(chess.Board(), Limit(time=0.5))
    assert found["pv"][0] in chess.Board().legal_moves
    engine.quit()


by_uci(sys.argv[1])
by_xboard(sys.argv[1])
print("both protocols: no complaint")

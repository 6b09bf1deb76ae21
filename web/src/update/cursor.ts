// The board by keyboard: a cursor that walks, picks a piece up and puts it down.
import type { State } from '../state';
import type { Node } from '../messages';
import { pieceWords, piecesOf } from '../spoken';
import { strings } from '../strings';
import { laserInput } from './laser';
import { isLive } from './play';
import { update } from './index';
import type { Result } from './result';

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

const moved = (square: string, [file, rank]: [number, number], flipped: boolean, ranks: string): string => {
  const sign = flipped ? -1 : 1;
  const at = (from: number, by: number) => Math.max(0, Math.min(7, from + sign * by));
  const files = 'abcdefgh';
  return `${files[at(files.indexOf(square[0]!), file)]}${ranks[at(ranks.indexOf(square[1]!), rank)]}`;
};

export const cursorInput = (state: State, key: string): Result => {
  if (state.page === 'laser') return laserCursor(state, key);
  const shown = boardNode(state);
  if (!shown) return [state, []];
  const { node, flipped, live } = shown;
  const direction = STEPS[key];
  const pieces = piecesOf(node.fen);
  const words = (square: string) => {
    const piece = pieces.get(square);
    return strings.spoken.cursor(square, piece ? pieceWords(piece) : null);
  };
  if (direction) {
    const cursor = moved(state.cursor, direction, flipped, '12345678');
    return [{ ...state, cursor, announcement: words(cursor) }, []];
  }
  if (key === 'Escape') return [{ ...state, picked: null }, []];
  if ((key !== 'Enter' && key !== ' ') || !live) return [state, []];
  const dests = node.dests[state.picked ?? ''] ?? '';
  const goes = state.picked !== null && ((dests.match(/../g) ?? []) as string[]).includes(state.cursor);
  if (goes) return update({ ...state, picked: null }, { on: 'board move', from: state.picked!, to: state.cursor });
  const own = state.cursor in node.dests && state.cursor !== state.picked;
  const piece = pieces.get(state.cursor);
  const announcement = own && piece ? strings.spoken.picked(state.cursor, pieceWords(piece)) : words(state.cursor);
  return [{ ...state, picked: own ? state.cursor : null, announcement }, []];
};

/// The position on the board of the present page, and whether it can be moved from.
export const boardNode = (state: State): { node: Node; flipped: boolean; live: boolean } | null => {
  if (state.page === 'analyse') {
    const node = state.analyse.nodes[state.analyse.current];
    return node ? { node, flipped: state.analyse.flipped, live: true } : null;
  }
  if (state.page === 'puzzles') {
    const { nodes, shown, played, status, flipped } = state.puzzles;
    const node = nodes[shown];
    if (!node) return null;
    const live = shown === played && (status === 'your move' || status === 'wrong');
    return { node, flipped: (nodes[0]!.turn === 'black') !== flipped, live };
  }
  const { view, shown, flipped } = state.play;
  const node = view?.nodes[shown];
  if (state.page !== 'play' || !view || !node) return null;
  const black = (view.you === 'black') !== flipped;
  return { node, flipped: black, live: isLive(state.play) && view.status.kind === 'your_move' };
};

const laserCursor = (state: State, key: string): Result => {
  const { laser } = state;
  const direction = STEPS[key];
  if (direction) {
    const cursor = moved(laser.cursor, direction, (laser.view?.you === 'black') !== laser.flipped, '01234567');
    const piece = laser.view?.plies[laser.shown]?.pieces.find((one) => one.square === cursor);
    const name = piece
      ? `${strings.side[piece.side]} ${piece.king ? strings.laser.king : strings.laser.pawn} ${(piece.king ? strings.laser.facing : strings.laser.mirror)[piece.quarters]}`
      : null;
    return [{ ...state, laser: { ...laser, cursor }, announcement: strings.spoken.cursor(cursor, name) }, []];
  }
  if (key === 'Enter' || key === ' ') {
    return laserInput(state, { on: 'laser square', square: laser.cursor }) ?? [state, []];
  }
  const turn = key.toUpperCase();
  if (turn === 'L' || turn === 'U' || turn === 'R') {
    return laserInput(state, { on: 'laser turn', turn }) ?? [state, []];
  }
  return [state, []];
};

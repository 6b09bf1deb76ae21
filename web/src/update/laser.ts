// Leiserchess: a piece is picked, then a step, a turn, or an enemy to change places with and what follows.
import type { Effect, Input } from '../input';
import type { Event, LaserMove } from '../messages';
import type { Laser, LaserGame, State } from '../state';
import { strings } from '../strings';
import { send, type Result } from './result';

const withLaser = (state: State, change: Partial<Laser>): State => ({
  ...state,
  laser: { ...state.laser, ...change },
});

/// Moves that fit what has been picked so far.
export const fitting = (laser: Laser): LaserMove[] =>
  laser.view === null || laser.picked === null
    ? []
    : laser.view.moves.filter((mv) => mv.from === laser.picked && (laser.via === null || mv.via === laser.via));

export const isLaserLive = (laser: Laser): boolean =>
  laser.view !== null && laser.shown === laser.view.plies.length - 1;

export const laserEvent = (state: State, event: Event): Result | null => {
  switch (event.type) {
    case 'laser': {
      const { view } = event;
      const before = state.laser.view;
      const moved = before === null || before.plies.length !== view.plies.length;
      const ply = view.plies[view.plies.length - 1]!;
      const grew = before !== null && view.plies.length > before.plies.length;
      const effects: Effect[] =
        grew && state.preferences.sound ? [{ do: 'sound', sound: ply.zapped ? 'zap' : 'move' }] : [];
      const zap = ply.zapped
        ? strings.laser.zaps(`${ply.zapped.king ? strings.laser.king : strings.laser.pawn} ${ply.zapped.square}`)
        : strings.laser.noZap;
      const words = grew ? [`${ply.text}: ${zap}.`] : [];
      if (view.reason) words.push(view.reason);
      else if (!view.thinking) words.push(strings.laser.yourMove);
      const next = withLaser(state, {
        view,
        shown: view.plies.length - 1,
        picked: moved ? null : state.laser.picked,
        via: moved ? null : state.laser.via,
        line: moved ? null : state.laser.line,
        shots: grew ? state.laser.shots + 1 : state.laser.shots,
        setup: false,
      });
      const game = playedGame(next);
      if (game) effects.push({ do: 'remember laser', game });
      return [{ ...next, announcement: words.join(' '), problem: null }, effects];
    }
    case 'laser_analysis':
      return [withLaser(state, { line: event.line }), []];
    default:
      return null;
  }
};

const play = (state: State, text: string): Result => {
  const { view } = state.laser;
  if (!view) return [state, []];
  return [
    withLaser(state, { picked: null, via: null }),
    [send({ type: 'laser_move', text, ply: view.plies.length - 1 })],
  ];
};

/// The game on the board, as it can be begun again.
export const playedGame = ({ laser: { view }, preferences }: State): LaserGame | null =>
  view && {
    black: view.you === 'black',
    milliseconds: preferences.laser.milliseconds,
    fen: view.plies[0]!.fen,
    moves: view.plies.flatMap(({ text }) => text ?? []),
  };

/// A new game, or one of an earlier visit.
export const begin = (state: State, game: LaserGame): Result => [
  withLaser(state, { earlier: null, analysing: false, line: null, flipped: false }),
  [send({ type: 'laser_new', ...game })],
];

export const laserInput = (state: State, input: Input): Result | null => {
  const { laser } = state;
  switch (input.on) {
    case 'laser setup':
      return [withLaser(state, { setup: input.open }), []];
    case 'laser new': {
      const choice = { black: input.black, milliseconds: input.milliseconds };
      const preferences = { ...state.preferences, laser: choice };
      // The dialog stays until the game is there: a position may be refused.
      const [next, effects] = begin({ ...state, preferences, problem: null }, { ...choice, fen: input.fen, moves: [] });
      return [next, [{ do: 'save', preferences }, ...effects]];
    }
    case 'laser square':
      return square(state, input.square);
    case 'laser turn': {
      const mv = fitting(laser).find((one) => one.turn === input.turn && (one.via ?? null) === laser.via);
      return mv ? play(state, mv.text) : [state, []];
    }
    case 'laser typed':
      return play(state, input.text);
    case 'laser back':
      return [state, [send({ type: 'laser_take_back' })]];
    case 'laser analyse': {
      const analysing = !laser.analysing;
      return [withLaser(state, { analysing, line: null }), [send({ type: 'laser_analyse', on: analysing })]];
    }
    case 'laser go to': {
      const last = (laser.view?.plies.length ?? 1) - 1;
      const shown = Math.max(0, Math.min(last, input.ply));
      return [withLaser(state, { shown, shots: laser.shots + 1, picked: null, via: null }), []];
    }
    case 'laser fire':
      return [withLaser(state, { shots: laser.shots + 1 }), []];
    default:
      return null;
  }
};

const square = (state: State, at: string): Result => {
  const { laser } = state;
  if (!isLaserLive(laser) || !laser.view) return [state, []];
  const next = withLaser(state, { cursor: at });
  const moves = fitting(laser);
  // A step, or the step that ends a swap.
  const stepTo = moves.find((mv) => mv.turn === null && mv.to === at && (mv.via ?? null) === laser.via);
  if (stepTo) return play(next, stepTo.text);
  if (laser.via === null && moves.some((mv) => mv.via === at)) {
    return [{ ...withLaser(next, { via: at }), announcement: strings.laser.swapped }, []];
  }
  const own = laser.view.moves.some((mv) => mv.from === at);
  const picked = own && at !== laser.picked ? at : null;
  return [
    { ...withLaser(next, { picked, via: null }), announcement: picked ? strings.laser.picked : strings.laser.pick },
    [],
  ];
};

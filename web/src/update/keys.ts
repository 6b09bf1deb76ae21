// Keys that work anywhere on the page.
import type { State } from '../state';
import { besides, step } from './analyse';
import { analyseInput } from './analyse';
import { laserInput } from './laser';
import { playInput } from './play';
import { update } from './index';
import type { Result } from './result';

export const keyInput = (state: State, key: string): Result => {
  switch (key) {
    case '?':
      return [{ ...state, dialog: state.dialog === 'help' ? null : 'help' }, []];
    case 'Escape':
      return escape(state);
    case 'm':
      return update(state, { on: 'preferences', change: { sound: !state.preferences.sound } });
    case '/':
      return [state, [{ do: 'focus input' }]];
    case 'f':
      return update(state, { on: 'flip' });
  }
  if (state.page === 'analyse' && state.analyse.editor) return [state, []];
  switch (state.page) {
    case 'play':
      return playKey(state, key);
    case 'puzzles':
      return puzzleKey(state, key);
    case 'analyse':
      return analyseKey(state, key);
    case 'laser':
      return laserKey(state, key);
    default:
      return [state, []];
  }
};

const escape = (state: State): Result => {
  const play = { ...state.play, setup: false, resigning: false, promotion: null };
  const analyse = { ...state.analyse, importing: false, editor: null, promotion: null, preview: null };
  const laser = { ...state.laser, picked: null, via: null, setup: false };
  const games = { ...state.games, removing: null };
  const puzzles = { ...state.puzzles, promotion: null };
  const repertoire = { ...state.repertoire, promotion: null };
  const own = { ...state.own, removing: null };
  return [
    { ...state, dialog: null, problem: null, picked: null, play, analyse, laser, games, puzzles, repertoire, own, redraw: state.redraw + 1 },
    [],
  ];
};

const playKey = (state: State, key: string): Result => {
  const { view, shown } = state.play;
  const last = (view?.nodes.length ?? 1) - 1;
  const input = {
    ArrowLeft: { on: 'go to', ply: shown - 1 },
    ArrowRight: { on: 'go to', ply: shown + 1 },
    Home: { on: 'go to', ply: 0 },
    End: { on: 'go to', ply: last },
    n: { on: 'setup', open: true },
    b: { on: 'take back' },
    h: { on: 'hint' },
  } as const;
  const found = input[key as keyof typeof input];
  return (found && playInput(state, found)) ?? [state, []];
};

const puzzleKey = (state: State, key: string): Result => {
  const { shown, played } = state.puzzles;
  const ply = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: played }[key];
  if (ply !== undefined) return update(state, { on: 'puzzle go to', ply });
  return [state, []];
};

const analyseKey = (state: State, key: string): Result => {
  switch (key) {
    case 'ArrowLeft':
      return step(state, -1);
    case 'ArrowRight':
      return step(state, 1);
    case 'ArrowUp':
      return besides(state, -1);
    case 'ArrowDown':
      return besides(state, 1);
    case 'Home':
      return step(state, 'first');
    case 'End':
      return step(state, 'last');
    case 'l':
      return analyseInput(state, { on: 'engine', slot: 0 }) ?? [state, []];
    case 'x':
      return analyseInput(state, { on: 'threat' }) ?? [state, []];
    case ' ': {
      const best = state.analyse.thinking[0]?.lines[0]?.uci[0];
      const here = state.analyse.thinking[0]?.fen === state.analyse.nodes[state.analyse.current]?.fen;
      return (best && here && analyseInput(state, { on: 'typed move', text: best })) || [state, []];
    }
    default:
      return [state, []];
  }
};

const laserKey = (state: State, key: string): Result => {
  const { shown } = state.laser;
  switch (key) {
    case 'ArrowLeft':
      return laserInput(state, { on: 'laser go to', ply: shown - 1 }) ?? [state, []];
    case 'ArrowRight':
      return laserInput(state, { on: 'laser go to', ply: shown + 1 }) ?? [state, []];
    case 'b':
      return laserInput(state, { on: 'laser back' }) ?? [state, []];
    default:
      return [state, []];
  }
};

// (state, input) -> [state, effects]: pure, so that what the page does can be read and tested without a page.
import type { Effect, Input } from '../input';
import type { State } from '../state';
import { analyseEvent, analyseInput, furnish, load, lookHere, setTree, SLOTS } from './analyse';
import { cursorInput } from './cursor';
import { editorInput } from './editor';
import { gamesEvent, gamesInput } from './games';
import { keyInput } from './keys';
import { fetchLabStudies, labInput } from './lab';
import { begin, laserEvent, laserInput, playedGame } from './laser';
import { lookAtOwn, ownInput } from './own';
import { playEvent, playInput } from './play';
import { arriveAtPuzzles, puzzlesEvent, puzzlesInput } from './puzzles';
import { fetchRepertoires, repertoireEvent, repertoireInput } from './repertoire';
import { send, type Result } from './result';
import { studyInput } from './study';
import { strings } from '../strings';

/// What needs the server at once: without it nothing is pretended.
const NEEDS_SERVER: Input['on'][] = ['board move', 'promote', 'typed move', 'line move', 'new game', 'laser square', 'laser turn', 'laser typed'];

export const update = (state: State, input: Input): Result => {
  if (state.connection !== 'open' && NEEDS_SERVER.includes(input.on)) {
    const problem = { what: strings.problems.unreachable, next: strings.problems.unreachableNext };
    return [{ ...state, problem, redraw: state.redraw + 1, announcement: problem.what }, []];
  }
  switch (input.on) {
    case 'event':
      return hear(state, input.event, input.now);
    case 'connection':
      return connection(state, input.connection, input.game);
    case 'page':
      return arrive(state, input.page);
    case 'dialog':
      return [{ ...state, dialog: input.dialog }, []];
    case 'preferences': {
      const preferences = { ...state.preferences, ...input.change };
      return [{ ...state, preferences }, [{ do: 'save', preferences }]];
    }
    case 'language': {
      const preferences = { ...state.preferences, language: input.language };
      return [{ ...state, preferences }, [{ do: 'save', preferences }, { do: 'reload' }]];
    }
    case 'problem':
      return [{ ...state, problem: { what: input.what, next: input.next } }, []];
    case 'dismiss':
      return [{ ...state, problem: null }, []];
    case 'key':
      return keyInput(state, input.key);
    case 'cursor':
      return cursorInput(state, input.key);
    default:
      return (
        editorInput(state, input, load) ??
        puzzlesInput(state, input) ??
        repertoireInput(state, input) ??
        playInput(state, input) ??
        analyseInput(state, input) ??
        studyInput(state, input, setTree) ??
        gamesInput(state, input) ??
        ownInput(state, input) ??
        labInput(state, input) ??
        laserInput(state, input) ?? [state, []]
      );
  }
};

const hear = (state: State, event: import('../messages').Event, now: number): Result => {
  switch (event.type) {
    case 'welcome':
      return [{ ...state, engine: event.engine }, []];
    case 'engine_options':
      return [{ ...state, otherOptions: { ...state.otherOptions, [event.engine]: event.options } }, []];
    case 'problem': {
      const problem = { what: event.what, next: event.next };
      // The game of an earlier visit cannot be taken up: a new one.
      if (state.page === 'laser' && state.laser.view === null) {
        return begin({ ...state, problem }, { ...state.preferences.laser, fen: null, moves: [] });
      }
      // Whatever was moved on the board did not happen.
      const practice = state.analyse.practice && { ...state.analyse.practice, status: 'try' as const };
      const analyse = { ...state.analyse, practice };
      return [{ ...state, analyse, problem, redraw: state.redraw + 1, announcement: `${event.what} ${event.next}` }, []];
    }
    case 'experiments':
      return [{ ...state, lab: { ...state.lab, experiments: event.experiments, place: event.place } }, []];
    default:
      return (
        playEvent(state, event, now) ??
        puzzlesEvent(state, event) ??
        repertoireEvent(state, event) ??
        analyseEvent(state, event) ??
        gamesEvent(state, event) ??
        laserEvent(state, event) ?? [state, []]
      );
  }
};

/// A fresh socket knows nothing: what was open is opened again.
const connection = (state: State, now: State['connection'], game: number | null): Result => {
  const next: State = { ...state, connection: now };
  if (now !== 'open') {
    const running: [boolean, boolean] = [false, false];
    const announcement = now === 'connecting' ? '' : strings.connection[now];
    const asked = { ...next.analyse.asked, purpose: 'details' as const };
    // Nobody judges the move that was tried.
    const { practice: before } = next.analyse;
    const practice = before?.status === 'checking' ? { ...before, status: 'try' as const } : before;
    const analyse = { ...next.analyse, asked, running, practice, reviewing: false, coaching: null };
    // Whatever was just moved on the board did not happen.
    const redraw = state.redraw + (state.connection === 'open' ? 1 : 0);
    return [{ ...next, announcement, analyse, redraw }, []];
  }
  next.laser = { ...next.laser, view: null, earlier: playedGame(next) ?? next.laser.earlier };
  const effects: Effect[] = [];
  if (game !== null) effects.push(send({ type: 'open_game', id: game }));
  const [arrived, more] = arrive(next, next.page);
  return [arrived, [...effects, ...more]];
};

/// Engines rest while their page is not shown; they go on when it is shown again.
const leave = (state: State, page: State['page']): Effect[] => {
  if (page === state.page) return [];
  const { analyse, laser } = state;
  switch (state.page) {
    case 'analyse':
      return SLOTS.filter((_, index) => analyse.running[index]).map((slot) => send({ type: 'stop_analysis', slot }));
    case 'laser':
      return laser.analysing ? [send({ type: 'laser_analyse', on: false })] : [];
    default:
      return [];
  }
};

const arrive = (state: State, page: State['page']): Result => {
  const [next, effects] = enter({ ...state, page, problem: null }, page, page !== state.page);
  return [next, [...leave(state, page), ...effects]];
};

const enter = (next: State, page: State['page'], fresh: boolean): Result => {
  switch (page) {
    case 'analyse': {
      // Another game may already be on its way.
      if (next.analyse.asked.purpose === 'tree') return [next, []];
      if (next.analyse.remembered) return [next, [{ do: 'fetch study', id: next.analyse.remembered.id }]];
      const [furnished, question] = furnish(next);
      return [furnished, fresh ? [...question, ...lookHere(furnished)] : question];
    }
    case 'puzzles':
      return arriveAtPuzzles(next);
    case 'repertoire':
      return [next, next.repertoire.status === 'choose' ? [fetchRepertoires] : []];
    case 'games':
      return [next, [send({ type: 'list_games', search: next.games.search }), ...(fresh ? lookAtOwn(next) : [])]];
    case 'lab':
      return [next, [send({ type: 'list_experiments' }), ...(next.lab.studies === null ? [fetchLabStudies] : [])]];
    case 'laser':
      if (next.laser.view) return [next, fresh && next.laser.analysing ? [send({ type: 'laser_analyse', on: true })] : []];
      return begin(next, next.laser.earlier ?? { ...next.preferences.laser, fen: null, moves: [] });
    default:
      return [next, []];
  }
};

// (state, input) -> [state, effects]: pure, so that what the page does can be read and tested without a page.
import type { Effect, Input } from '../input';
import type { State } from '../state';
import { analyseEvent, analyseInput, furnish } from './analyse';
import { cursorInput } from './cursor';
import { gamesEvent, gamesInput } from './games';
import { keyInput } from './keys';
import { laserEvent, laserInput } from './laser';
import { playEvent, playInput } from './play';
import { strings } from '../strings';

export type Result = [State, Effect[]];

export const send = (command: import('../messages').Command): Effect => ({ do: 'send', command });

export const update = (state: State, input: Input): Result => {
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
    case 'problem':
      return [{ ...state, problem: { what: input.what, next: input.next } }, []];
    case 'dismiss':
      return [{ ...state, problem: null }, []];
    case 'key':
      return keyInput(state, input.key);
    case 'cursor':
      return cursorInput(state, input.key);
    case 'open report':
      return input.id === null
        ? [{ ...state, lab: { ...state.lab, open: null, report: null } }, [send({ type: 'list_experiments' })]]
        : [{ ...state, lab: { ...state.lab, open: input.id, report: null } }, [{ do: 'fetch report', id: input.id }]];
    case 'report':
      return [{ ...state, lab: { ...state.lab, report: input.text } }, []];
    default:
      return (
        playInput(state, input) ??
        analyseInput(state, input) ??
        gamesInput(state, input) ??
        laserInput(state, input) ?? [state, []]
      );
  }
};

const hear = (state: State, event: import('../messages').Event, now: number): Result => {
  switch (event.type) {
    case 'welcome':
      return [{ ...state, engine: event.engine }, []];
    case 'problem': {
      const problem = { what: event.what, next: event.next };
      // Whatever was moved on the board did not happen.
      return [{ ...state, problem, redraw: state.redraw + 1, announcement: `${event.what} ${event.next}` }, []];
    }
    case 'experiments':
      return [{ ...state, lab: { ...state.lab, experiments: event.experiments, place: event.place } }, []];
    default:
      return (
        playEvent(state, event, now) ??
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
    return [{ ...next, announcement, analyse: { ...next.analyse, asked, running, reviewing: false, coaching: null } }, []];
  }
  const effects: Effect[] = [];
  if (game !== null) effects.push(send({ type: 'open_game', id: game }));
  const [arrived, more] = arrive(next, next.page);
  return [arrived, [...effects, ...more]];
};

const arrive = (state: State, page: State['page']): Result => {
  const next: State = { ...state, page, problem: null };
  switch (page) {
    case 'analyse':
      // Another game may already be on its way.
      return next.analyse.asked.purpose === 'tree' ? [next, []] : furnish(next);
    case 'games':
      return [next, [send({ type: 'list_games', search: next.games.search })]];
    case 'lab':
      return [next, [send({ type: 'list_experiments' })]];
    case 'laser':
      return next.laser.view
        ? [next, []]
        : [next, [send({ type: 'laser_new', ...next.preferences.laser, fen: null })]];
    default:
      return [next, []];
  }
};

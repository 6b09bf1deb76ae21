// The player's own games: imported files, filters, export, progress.
import type { Effect, Input } from '../input';
import type { OpenedGame, OwnFilter, OwnGames, OwnImport, OwnProgress, OwnReviewing } from '../messages';
import type { Own, State } from '../state';
import { analyseInput } from './analyse';
import type { Result } from './result';
import { withAnalyse } from './study';

const withOwn = (state: State, change: Partial<Own>): State => ({ ...state, own: { ...state.own, ...change } });

const list = (filter: OwnFilter): Effect => ({
  do: 'request',
  method: 'POST',
  path: '/api/own/list',
  body: filter,
  answer: (found: OwnGames): Input => ({ on: 'own list', list: found }),
});

const progress = (filter: OwnFilter): Effect => ({
  do: 'request',
  method: 'POST',
  path: '/api/own/progress',
  body: filter,
  answer: (found: OwnProgress): Input => ({ on: 'own progress', progress: found }),
});

const reviewing = (method: 'GET' | 'POST' | 'DELETE'): Effect => ({
  do: 'request',
  method,
  path: '/api/own/review',
  answer: (found: OwnReviewing): Input => ({ on: 'own reviewing', reviewing: found }),
});

/// What a tab shows.
export const lookAtOwn = ({ own }: State): Effect[] => {
  switch (own.tab) {
    case 'here':
      return [];
    case 'all':
      return [list(own.filter)];
    case 'progress':
      return [list(own.filter), progress(own.filter), reviewing('GET')];
  }
};

export const ownInput = (state: State, input: Input): Result | null => {
  const { own } = state;
  switch (input.on) {
    case 'own tab': {
      const next = withOwn(state, { tab: input.tab });
      return [next, lookAtOwn(next)];
    }
    case 'own import':
      return [
        withOwn(state, { importing: true, imported: null }),
        [
          {
            do: 'send file',
            path: '/api/own',
            file: input.file,
            answer: (imported: OwnImport): Input => ({ on: 'own imported', imported }),
          },
        ],
      ];
    case 'own imported': {
      const next = withOwn(state, { importing: false, imported: input.imported, tab: 'all' });
      return [{ ...next, problem: null }, lookAtOwn(next)];
    }
    case 'own filter': {
      const next = withOwn(state, { filter: { ...own.filter, ...input.change } });
      return [next, lookAtOwn(next)];
    }
    case 'own position': {
      const fen = state.analyse.nodes[state.analyse.current]!.fen;
      const next = withOwn(state, { tab: 'all', filter: { ...own.filter, position: fen } });
      return [next, [{ do: 'go', page: 'games' }, ...lookAtOwn(next)]];
    }
    case 'own list':
      return [withOwn(state, { list: input.list }), []];
    case 'own names':
      return [
        state,
        [{ do: 'request', method: 'POST', path: '/api/own/names', body: input.names, answer: (): Input => ({ on: 'own refresh' }) }],
      ];
    case 'own refresh':
      return [state, lookAtOwn(state)];
    case 'own open':
      return [
        state,
        [
          {
            do: 'request',
            method: 'GET',
            path: `/api/own/games/${input.id}`,
            answer: (game: OpenedGame): Input => ({ on: 'own opened', game, flipped: input.flipped }),
          },
        ],
      ];
    case 'own opened': {
      const opened = analyseInput(withAnalyse(state, { collection: null }), { on: 'opened game', game: input.game, index: -1 });
      if (!opened) return [state, []];
      const [next, effects] = opened;
      return [withAnalyse(next, { flipped: input.flipped }), [...effects, { do: 'go', page: 'analyse' }]];
    }
    case 'own export':
      return [state, [{ do: 'save answer', path: '/api/own/export', body: own.filter, name: 'games.pgn' }]];
    case 'own remove': {
      if (!input.sure || input.id === null) return [withOwn(state, { removing: input.id }), []];
      return [
        withOwn(state, { removing: null }),
        [{ do: 'request', method: 'DELETE', path: `/api/own/games/${input.id}`, answer: (): Input => ({ on: 'own refresh' }) }],
      ];
    }
    case 'own review':
      return [state, [reviewing(own.reviewing?.running ? 'DELETE' : 'POST')]];
    case 'own reviewing': {
      const ended = own.reviewing?.running === true && !input.reviewing.running;
      const next = withOwn(state, { reviewing: input.reviewing });
      return [next, ended ? [list(own.filter), progress(own.filter)] : []];
    }
    case 'own progress':
      return [withOwn(state, { progress: input.progress }), []];
    default:
      return null;
  }
};

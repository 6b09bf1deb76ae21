// The list of saved games.
import type { Input } from '../input';
import type { Event } from '../messages';
import type { State } from '../state';
import { send, type Result } from './result';

export const gamesEvent = (state: State, event: Event): Result | null =>
  event.type === 'games'
    ? [{ ...state, games: { ...state.games, list: event.games, total: event.total } }, []]
    : null;

export const gamesInput = (state: State, input: Input): Result | null => {
  switch (input.on) {
    case 'search games':
      return [
        { ...state, games: { ...state.games, search: input.text } },
        [send({ type: 'list_games', search: input.text })],
      ];
    case 'open game':
      return [state, [send({ type: 'open_game', id: input.id }), { do: 'go', page: 'play' }]];
    case 'remove game': {
      if (!input.sure || input.id === null) {
        return [{ ...state, games: { ...state.games, removing: input.id } }, []];
      }
      const open = state.play.view?.id === input.id;
      return [
        {
          ...state,
          games: { ...state.games, removing: null },
          play: open ? { ...state.play, view: null } : state.play,
        },
        [
          send({ type: 'delete_game', id: input.id }),
          send({ type: 'list_games', search: state.games.search }),
          ...(open ? [{ do: 'remember game' as const, id: null }] : []),
        ],
      ];
    }
    default:
      return null;
  }
};

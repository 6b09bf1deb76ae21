// A game against the engine.
import type { Effect, Input } from '../input';
import type { Event, GameView, Node } from '../messages';
import type { Play, State } from '../state';
import { strings } from '../strings';
import { spokenMove } from '../spoken';
import { typedMove } from '../typed';
import type { Sound } from '../sound';
import { send, type Result } from './result';

const withPlay = (state: State, change: Partial<Play>): State => ({ ...state, play: { ...state.play, ...change } });

export const isLive = (play: Play): boolean => play.view !== null && play.shown === play.view.nodes.length - 1;

/// A pawn that reaches the last rank needs to be told what to become.
export const promotes = (node: Node, from: string, to: string): boolean => {
  const rank = to[1];
  if (rank !== '8' && rank !== '1') return false;
  const row = (node.fen.split(' ')[0] ?? '').split('/')[8 - Number(from[1])] ?? '';
  let file = 0;
  for (const letter of row) {
    const empty = Number(letter);
    if (empty > 0) file += empty;
    else {
      if ('abcdefgh'[file] === from[0]) return letter.toLowerCase() === 'p';
      file += 1;
    }
  }
  return false;
};

/// What a move sounds like.
export const moveSound = ({ check, san, capture }: Node): Sound => {
  if (check) return 'check';
  if (san?.startsWith('O-O')) return 'castle';
  if (san?.includes('=')) return 'promote';
  return capture ? 'capture' : 'move';
};

const endSound = ({ status, you }: GameView): Sound => {
  const result = status.kind === 'over' ? status.result : '*';
  if (result !== '1-0' && result !== '0-1') return 'draw';
  return (result === '1-0') === (you === 'white') ? 'win' : 'loss';
};

export const playEvent = (state: State, event: Event, now: number): Result | null => {
  switch (event.type) {
    case 'game':
      return shown(state, event.view, now);
    case 'game_elsewhere':
      return [withPlay(state, { view: null, elsewhere: event.id }), []];
    case 'draw_declined':
      return [
        { ...withPlay(state, { note: strings.play.drawDeclined }), announcement: strings.play.drawDeclined },
        [],
      ];
    case 'remark':
      return [withPlay(state, { remark: event.text }), []];
    case 'hint': {
      const { uci, san } = event;
      return [{ ...withPlay(state, { hint: { uci, san } }), announcement: strings.play.hintIs(spokenMove(san)) }, []];
    }
    case 'exported':
      return [state, [{ do: 'download', name: event.name, text: event.pgn }]];
    default:
      return null;
  }
};

const shown = (state: State, view: GameView, now: number): Result => {
  const before = state.play.view?.id === view.id ? state.play.view : null;
  const grew = before !== null && view.nodes.length > before.nodes.length;
  const last = view.nodes[view.nodes.length - 1]!;
  const moved = before !== null && view.nodes.length !== before.nodes.length;
  const next = withPlay(state, {
    view,
    shown: view.nodes.length - 1,
    told: now,
    hint: null,
    note: null,
    elsewhere: null,
    // A dialog that is open stays open while the engine moves.
    setup: before === null ? false : state.play.setup,
    resigning: view.status.kind === 'over' ? false : state.play.resigning,
    promotion: moved || before === null ? null : state.play.promotion,
    flipped: before === null ? false : state.play.flipped,
    // The opponent's remark comes just before the move it is about; it goes away with that move.
    remark: before !== null && (!moved || (grew && last.turn === view.you)) ? state.play.remark : null,
  });
  const effects: Effect[] = [{ do: 'remember game', id: view.id }];
  const ended = view.status.kind === 'over' && before?.status.kind !== 'over';
  if ((grew || (ended && before !== null)) && state.preferences.sound) {
    effects.push({ do: 'sound', sound: ended ? endSound(view) : moveSound(last) });
  }
  return [{ ...next, redraw: state.redraw + 1, problem: null, announcement: announce(view, before, grew) }, effects];
};

const announce = (view: GameView, before: GameView | null, grew: boolean): string => {
  const words: string[] = [];
  const last = view.nodes[view.nodes.length - 1]!;
  if (grew && last.san) {
    const mover = last.turn === view.you ? view.opponent : strings.play.you;
    words.push(strings.spoken.plays(mover, spokenMove(last.san)));
  } else if (before && view.nodes.length < before.nodes.length) {
    words.push(strings.spoken.took);
  }
  if (view.status.kind === 'over') words.push(strings.play.over(view.status.result, view.status.reason));
  else if (view.status.kind === 'your_move') words.push(strings.spoken.yourTurn);
  return words.join(' ');
};

const move = (state: State, text: string): Result => {
  const view = state.play.view;
  if (!view) return [state, []];
  const next = withPlay(state, { promotion: null, hint: null, shown: view.nodes.length - 1 });
  return [next, [send({ type: 'move', text, ply: view.nodes.length - 1 })]];
};

export const playInput = (state: State, input: Input): Result | null => {
  const { play } = state;
  switch (input.on) {
    case 'setup':
      return [withPlay(state, { setup: input.open }), []];
    case 'new game': {
      const preferences = { ...state.preferences, game: input.settings };
      const effects: Effect[] = [
        { do: 'save', preferences },
        send({ type: 'new_game', settings: input.settings }),
        { do: 'go', page: 'play' },
      ];
      // The dialog stays until the game is there: a position may be refused.
      return [{ ...withPlay(state, { flipped: false }), preferences, problem: null }, effects];
    }
    case 'rematch': {
      if (!play.view) return [state, []];
      // The other side this time, everything else as it was.
      const side = play.view.you === 'white' ? ('black' as const) : ('white' as const);
      return [withPlay(state, { flipped: false }), [send({ type: 'new_game', settings: { ...play.view.settings, side } })]];
    }
    case 'board move': {
      if (state.page !== 'play' || !play.view) return null;
      const node = play.view.nodes[play.view.nodes.length - 1]!;
      if (!promotes(node, input.from, input.to)) return move(state, input.from + input.to);
      return state.preferences.autoQueen
        ? move(state, `${input.from}${input.to}q`)
        : [withPlay(state, { promotion: { from: input.from, to: input.to } }), []];
    }
    case 'promote': {
      if (state.page !== 'play') return null;
      if (!play.promotion || !input.piece) {
        return [{ ...withPlay(state, { promotion: null }), redraw: state.redraw + 1 }, []];
      }
      return move(state, play.promotion.from + play.promotion.to + input.piece);
    }
    case 'typed move':
      return state.page === 'play' ? move(state, typedMove(input.text)) : null;
    case 'go to': {
      if (!play.view) return [state, []];
      const last = play.view.nodes.length - 1;
      return [withPlay(state, { shown: Math.max(0, Math.min(last, input.ply)) }), []];
    }
    case 'take back':
      return [state, [send({ type: 'take_back' })]];
    case 'resign':
      if (input.sure === null) return [withPlay(state, { resigning: true }), []];
      return [withPlay(state, { resigning: false }), input.sure ? [send({ type: 'resign' })] : []];
    case 'offer draw':
      return [state, [send({ type: 'offer_draw' })]];
    case 'switch sides':
      return [withPlay(state, { flipped: false }), [send({ type: 'switch_sides' })]];
    case 'hint':
      return [state, [send({ type: 'hint' })]];
    case 'flip':
      switch (state.page) {
        case 'analyse':
          return [{ ...state, analyse: { ...state.analyse, flipped: !state.analyse.flipped } }, []];
        case 'laser':
          return [{ ...state, laser: { ...state.laser, flipped: !state.laser.flipped } }, []];
        default:
          return [withPlay(state, { flipped: !play.flipped }), []];
      }
    case 'continue here':
      return play.elsewhere === null ? [state, []] : [state, [send({ type: 'open_game', id: play.elsewhere })]];
    case 'export game':
      return [state, [send({ type: 'export_game', id: input.id })]];
    default:
      return null;
  }
};

// The puzzle trainer: a position, a solution to be found move by move, replies in between.
import type { Effect, Input } from '../input';
import type { Event, Node, PuzzleFacts } from '../messages';
import { nextPuzzle, recorded } from '../puzzles';
import { answered, LENGTH, levelOf, newQuiz, quizPuzzle } from '../quiz';
import type { Puzzles, State } from '../state';
import { strings } from '../strings';
import { spokenMove } from '../spoken';
import { typedMove } from '../typed';
import { load } from './analyse';
import { promotes } from './play';
import { send, type Result } from './result';

/// Questions of this page, apart from those of the analysis.
const REQUESTS = 1_000_000;
/// Milliseconds before the other side replies.
const REPLY = 500;

const withPuzzles = (state: State, change: Partial<Puzzles>): State => ({ ...state, puzzles: { ...state.puzzles, ...change } });

const describe = (state: State, fen: string, moves: string[]): Result => {
  const request = Math.max(state.puzzles.request, REQUESTS) + 1;
  return [withPuzzles(state, { request }), [send({ type: 'describe', request, line: { start: fen, moves }, from: 0 })]];
};

const begin = (state: State, puzzle: PuzzleFacts | null): Result => {
  const fresh = withPuzzles(state, {
    current: puzzle,
    nodes: [],
    shown: 0,
    played: 0,
    status: 'loading',
    failed: false,
    change: null,
    hint: false,
    promotion: null,
    flipped: false,
    attempt: null,
  });
  return puzzle ? describe({ ...fresh, problem: null }, puzzle.fen, puzzle.solution) : [fresh, []];
};

const choose = (state: State): Result => {
  const { list, queue, record, theme, current } = state.puzzles;
  const [first, ...rest] = queue;
  if (state.puzzles.quiz && list) {
    const puzzle = quizPuzzle(state.puzzles.quiz, list, (id) => record.seen[id] !== undefined, state.now);
    // Whoever has met every puzzle is asked as usual.
    return puzzle ? begin(state, puzzle) : choose(withPuzzles(state, { quiz: null }));
  }
  if (first) return begin(withPuzzles(state, { queue: rest }), first);
  return list ? begin(state, nextPuzzle(record, list, theme, state.now, current?.id ?? null)) : [state, [{ do: 'fetch puzzles' }]];
};

export const arriveAtPuzzles = (state: State): Result => {
  const { list, current, nodes } = state.puzzles;
  if (list === null) return [state, [{ do: 'fetch puzzles' }]];
  return current && nodes.length === 0 ? begin(state, current) : [state, []];
};

/// What the first meeting with a puzzle says about the player; the last answer of a quiz gives the rating.
const counted = (state: State, solved: boolean): Pick<Puzzles, 'record' | 'change' | 'quiz' | 'level'> => {
  const { record, current, quiz, level } = state.puzzles;
  const next = recorded(record, current!, solved, state.now);
  const asked = quiz && answered(quiz, current!.rating, solved);
  if (!asked || asked.tried < LENGTH) return { record: next, change: next.rating - record.rating, quiz: asked, level };
  const found = levelOf(asked);
  return { record: { ...next, rating: found.middle }, change: found.middle - record.rating, quiz: null, level: found };
};

/// The end of a puzzle goes into the record, once.
const finished = (state: State, status: 'solved' | 'shown'): Result => {
  const { failed } = state.puzzles;
  const solved = status === 'solved' && !failed;
  // A puzzle that went wrong was counted then.
  const said = failed ? state.puzzles : counted(state, solved);
  const { record, change, quiz, level } = said;
  const announcement = solved ? strings.puzzles.solved : strings.puzzles.shown;
  const sound: Effect[] = status === 'solved' && state.preferences.sound ? [{ do: 'sound', sound: 'right' }] : [];
  return [{ ...withPuzzles(state, { status, record, change, quiz, level }), announcement }, [{ do: 'remember puzzles', record }, ...sound]];
};

/// The first mistake counts, and any hint.
const failure = (state: State, change: Partial<Puzzles>): Result => {
  if (state.puzzles.failed) return [withPuzzles(state, change), []];
  const said = counted(state, false);
  return [withPuzzles(state, { ...change, ...said, failed: true }), [{ do: 'remember puzzles', record: said.record }]];
};

const bare = (san: string): string => san.replace(/[+#]$/, '');

/// Whether a move is the one of the solution, however it is written.
const isSolution = (text: string, uci: string, node: Node): boolean =>
  text === uci || bare(text) === bare(node.san ?? '') || (uci.length === 4 && text === node.from_to?.join(''));

const attempt = (state: State, text: string): Result => {
  const { current, nodes, played, status } = state.puzzles;
  if (!current || (status !== 'your move' && status !== 'wrong')) return [{ ...state, redraw: state.redraw + 1 }, []];
  const next = withPuzzles(state, { promotion: null, hint: false, attempt: text });
  if (isSolution(text, current.solution[played]!, nodes[played + 1]!)) return right(next);
  // Any mate is as good as the one that was meant.
  return describe(withPuzzles(next, { status: 'checking' }), nodes[played]!.fen, [text]);
};

const right = (state: State): Result => {
  const { nodes } = state.puzzles;
  const played = state.puzzles.played + 1;
  const next = { ...withPuzzles(state, { played, shown: played }), redraw: state.redraw + 1 };
  const sound: Effect[] = state.preferences.sound ? [{ do: 'sound', sound: nodes[played]!.capture ? 'capture' : 'move' }] : [];
  if (played === nodes.length - 1) return finishNow(next, sound);
  return [withPuzzles(next, { status: 'reply' }), [...sound, { do: 'later', input: { on: 'puzzle reply' }, milliseconds: REPLY }]];
};

const finishNow = (state: State, effects: Effect[]): Result => {
  const [next, more] = finished(state, 'solved');
  return [next, [...effects, ...more]];
};

export const puzzlesEvent = (state: State, event: Event): Result | null => {
  const { puzzles } = state;
  if ((event.type !== 'described' && event.type !== 'undescribed') || event.request <= REQUESTS) return null;
  if (event.request !== puzzles.request) return [state, []];
  if (puzzles.status === 'checking') {
    const node = event.type === 'described' ? event.nodes[1] : undefined;
    if (node?.over && node.check) {
      const played = puzzles.played + 1;
      const nodes = [...puzzles.nodes.slice(0, played), { ...node, parent: played - 1 }];
      return finishNow({ ...withPuzzles(state, { nodes, played, shown: played }), redraw: state.redraw + 1 }, []);
    }
    const unread = event.type === 'undescribed';
    const problem = unread ? { what: event.problem, next: '' } : state.problem;
    if (unread) return [{ ...withPuzzles(state, { status: 'your move' }), problem, redraw: state.redraw + 1 }, []];
    const [next, effects] = failure(state, { status: 'wrong' });
    const sound: Effect[] = state.preferences.sound ? [{ do: 'sound', sound: 'wrong' }] : [];
    return [{ ...next, announcement: strings.puzzles.wrong, redraw: state.redraw + 1 }, [...effects, ...sound]];
  }
  if (event.type === 'undescribed') return [{ ...state, problem: { what: event.problem, next: '' } }, []];
  const side = strings.side[event.nodes[0]!.turn];
  const next = withPuzzles(state, { nodes: event.nodes, shown: 0, played: 0, status: 'your move' });
  return [{ ...next, announcement: strings.puzzles.find(side), redraw: state.redraw + 1 }, []];
};

export const puzzlesInput = (state: State, input: Input): Result | null => {
  const { puzzles } = state;
  switch (input.on) {
    case 'puzzles':
      // A puzzle of a game just looked at stays on the board.
      return puzzles.current ? [withPuzzles(state, { list: input.puzzles }), []] : choose(withPuzzles(state, { list: input.puzzles }));
    case 'coach puzzles': {
      const found = state.analyse.coach?.puzzles ?? [];
      const known = puzzles.list?.filter(({ id }) => !found.some((one) => one.id === id));
      const list = known ? [...known, ...found] : null;
      const [next, effects] = choose(withPuzzles(state, { queue: found, list }));
      return [next, [{ do: 'keep puzzles', puzzles: found }, ...effects, { do: 'go', page: 'puzzles' }]];
    }
    case 'next puzzle':
      return choose(state);
    case 'quiz':
      // A theme would give the answer away, and puzzles of a game have no place here.
      return choose(withPuzzles(state, input.start ? { quiz: newQuiz(), level: null, theme: null, queue: [] } : { quiz: null }));
    case 'play at level': {
      const { level_min: least = 0, level_max: most = input.level } = state.engine ?? {};
      const level = Math.max(least, Math.min(most, input.level));
      const game = { ...state.preferences.game, opponent: { ...state.preferences.game.opponent, level } };
      const preferences = { ...state.preferences, game };
      return [{ ...state, preferences }, [{ do: 'save', preferences }, send({ type: 'new_game', settings: game }), { do: 'go', page: 'play' }]];
    }
    case 'puzzle theme':
      return choose(withPuzzles(state, { theme: input.theme }));
    case 'puzzle reply': {
      if (puzzles.status !== 'reply') return [state, []];
      const played = puzzles.played + 1;
      const node = puzzles.nodes[played]!;
      const next = withPuzzles(state, { played, shown: played, status: 'your move' });
      const announcement = node.san ? `${spokenMove(node.san)}. ${strings.spoken.yourTurn}` : '';
      return [{ ...next, announcement, redraw: state.redraw + 1 }, state.preferences.sound ? [{ do: 'sound', sound: 'move' }] : []];
    }
    case 'puzzle go to': {
      const last = puzzles.status === 'shown' ? puzzles.nodes.length - 1 : puzzles.played;
      return [{ ...withPuzzles(state, { shown: Math.max(0, Math.min(last, input.ply)) }), redraw: state.redraw + 1 }, []];
    }
    case 'puzzle hint':
      return puzzles.status === 'your move' || puzzles.status === 'wrong' ? failure(state, { hint: true }) : [state, []];
    case 'puzzle solution': {
      if (!puzzles.current || puzzles.nodes.length === 0) return [state, []];
      const [marked, effects] = failure(state, {});
      const [next, more] = finished(marked, 'shown');
      return [{ ...withPuzzles(next, { shown: puzzles.played + 1, promotion: null }), redraw: state.redraw + 1 }, [...effects, ...more]];
    }
    case 'analyse puzzle':
      return puzzles.current ? load(state, puzzles.current.fen) : [state, []];
    case 'board move': {
      if (state.page !== 'puzzles') return null;
      const node = puzzles.nodes[puzzles.played];
      if (!node) return [state, []];
      if (!promotes(node, input.from, input.to)) return attempt(state, input.from + input.to);
      return state.preferences.autoQueen
        ? attempt(state, `${input.from}${input.to}q`)
        : [withPuzzles(state, { promotion: { from: input.from, to: input.to } }), []];
    }
    case 'promote': {
      if (state.page !== 'puzzles') return null;
      const { promotion } = puzzles;
      if (!promotion || !input.piece) return [{ ...withPuzzles(state, { promotion: null }), redraw: state.redraw + 1 }, []];
      return attempt(state, promotion.from + promotion.to + input.piece);
    }
    case 'typed move':
      return state.page === 'puzzles' ? attempt(state, typedMove(input.text)) : null;
    case 'flip':
      return state.page === 'puzzles' ? [withPuzzles(state, { flipped: !puzzles.flipped }), []] : null;
    default:
      return null;
  }
};

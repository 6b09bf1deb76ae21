// Learn from your mistakes: after a review, a better move is to be found for each mistake of one side.
import type { Input } from '../input';
import type { Event, Side } from '../messages';
import type { Practice, State } from '../state';
import { strings } from '../strings';
import { send, type Result } from './result';
import { withAnalyse } from './study';

/// Thousands of nodes to judge a move with: as many as a quick review has.
const KILONODES = 200;

/// Nodes of the reviewed line that a side reached by a mistake.
export const mistakesOf = ({ analyse: { nodes, review, reviewed } }: State, side: Side): number[] =>
  reviewed.filter((index, at) => at > 0 && review?.moves[at]?.label && nodes[index]!.turn !== side);

const withPractice = (state: State, practice: Practice, change: Partial<Practice>): State =>
  withAnalyse(state, { practice: { ...practice, ...change } });

/// `go` shows a node; `play` makes a move in the tree; `line` adds moves behind the position on the board.
export interface Steps {
  go(state: State, index: number): Result;
  play(state: State, text: string): Result;
  line(state: State, moves: string[]): Result;
}

const ask = (state: State, practice: Practice, { go }: Steps): Result => {
  const mistake = practice.mistakes[practice.at];
  if (mistake === undefined) return [withAnalyse(state, { practice: { ...practice, status: 'try', attempt: null } }), []];
  const { nodes } = state.analyse;
  const [shown, effects] = go(state, nodes[mistake]!.parent ?? 0);
  const next = withAnalyse(shown, { practice: { ...practice, status: 'try', attempt: null } });
  return [{ ...next, announcement: strings.practice.find(nodes[mistake]!.san ?? '') }, effects];
};

/// A move is tried: is it as good as the best one?
const judge = (state: State, practice: Practice, text: string): Result => {
  const { nodes, current } = state.analyse;
  const line = { start: nodes[current]!.fen, moves: [text] };
  return [
    withPractice(state, practice, { status: 'checking', attempt: text }),
    [send({ type: 'review', line, kilonodes: KILONODES })],
  ];
};

/// Whether the board shows the position that a move is to be found for.
const atTask = ({ analyse: { practice, nodes, current } }: State): boolean => {
  const mistake = practice?.mistakes[practice.at];
  return mistake !== undefined && (practice!.status === 'try' || practice!.status === 'wrong') && nodes[mistake]!.parent === current;
};

export const practiceInput = (state: State, input: Input, steps: Steps): Result | null => {
  const { practice, nodes, review, reviewed } = state.analyse;
  if (input.on === 'practice') {
    if (input.side === null) return [withAnalyse(state, { practice: null }), []];
    const mistakes = mistakesOf(state, input.side);
    const flipped = input.side === 'black';
    const begun: Practice = { side: input.side, mistakes, at: 0, status: 'try', attempt: null, solved: 0 };
    return ask(withAnalyse(state, { flipped }), begun, steps);
  }
  if (!practice) return null;
  switch (input.on) {
    case 'tried move':
      return atTask(state) ? judge(state, practice, input.text) : null;
    case 'practice next':
      return ask(state, { ...practice, at: practice.at + 1 }, steps);
    case 'practice solution': {
      const mistake = practice.mistakes[practice.at];
      if (mistake === undefined) return [state, []];
      const best = review?.moves[reviewed.indexOf(mistake)]?.best_line ?? [];
      const [shown, effects] = steps.go(state, nodes[mistake]!.parent ?? 0);
      const [next, more] = steps.line(withPractice(shown, practice, { status: 'shown' }), best.slice(0, 1));
      return [next, [...effects, ...more]];
    }
    default:
      return null;
  }
};

/// The server's judgement of a tried move; everything else is not for here.
export const practiceEvent = (state: State, event: Event, steps: Steps): Result | null => {
  const { practice } = state.analyse;
  if (practice?.status !== 'checking') return null;
  if (event.type !== 'reviewed') return null;
  const tried = event.review.moves[1];
  if (!tried || !event.review.finished) return [state, []];
  if (tried.label !== null) {
    const next = withPractice(state, practice, { status: 'wrong' });
    return [{ ...next, announcement: strings.practice.wrong, redraw: state.redraw + 1 }, []];
  }
  const next = withPractice(state, practice, { status: 'solved', solved: practice.solved + 1 });
  return steps.play({ ...next, announcement: strings.practice.right }, practice.attempt!);
};

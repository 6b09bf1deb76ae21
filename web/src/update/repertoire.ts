// The repertoire trainer: the other side's moves are played, one's own are to be known.
import type { Effect, Input } from '../input';
import type { Event, Node, StudySummary, StudyView } from '../messages';
import { answered, cardKey, cardsOf, gapsIn, nextCard, replyTo } from '../repertoire';
import { emptyNode, type Repertoire, type State } from '../state';
import { strings } from '../strings';
import { spokenMove } from '../spoken';
import { typedMove } from '../typed';
import { childTable, lineTo, mainChild } from '../tree';
import { setTree } from './analyse';
import { promotes } from './play';
import { send, type Result } from './result';
import { replaced } from './study';

/// Milliseconds before the other side replies.
const REPLY = 500;

const withRepertoire = (state: State, change: Partial<Repertoire>): State => ({
  ...state,
  repertoire: { ...state.repertoire, ...change },
  redraw: state.redraw + 1,
});

export const nodesOf = ({ chapters, chapter }: Repertoire): Node[] => chapters[chapter]?.nodes ?? [emptyNode()];

/// Own moves that the study has in the position on the board.
export const answersIn = (repertoire: Repertoire): number[] => childTable(nodesOf(repertoire))[repertoire.node] ?? [];

export const fetchRepertoires: Effect = {
  do: 'request',
  method: 'GET',
  path: '/api/studies',
  answer: (studies: StudySummary[]): Input => ({ on: 'repertoire studies', studies }),
};

const fetchStudy = (id: number): Effect => ({
  do: 'request',
  method: 'GET',
  path: `/api/studies/${id}`,
  answer: (study: StudyView): Input => ({ on: 'repertoire study', study }),
});

/// The next position that waits.
const choose = (state: State): Result => {
  const { repertoire } = state;
  const card = nextCard(cardsOf(repertoire.chapters, repertoire.side), repertoire.record, state.now);
  if (!card) {
    return [{ ...withRepertoire(state, { status: 'done', failed: false }), announcement: strings.repertoire.done }, []];
  }
  return ask(withRepertoire(state, { chapter: card.chapter, node: card.node }));
};

const ask = (state: State): Result => [
  { ...withRepertoire(state, { status: 'your move', failed: false, promotion: null, gaps: [] }), announcement: strings.repertoire.yourMove },
  [],
];

const sound = (state: State, node: Node): Effect[] =>
  state.preferences.sound ? [{ do: 'sound', sound: node.capture ? 'capture' : 'move' }] : [];

const bare = (san: string): string => san.replace(/[+#]$/, '');

const attempt = (state: State, text: string): Result => {
  const { repertoire } = state;
  if (repertoire.status !== 'your move' && repertoire.status !== 'wrong') return [withRepertoire(state, {}), []];
  const nodes = nodesOf(repertoire);
  const fits = (at: number) => {
    const { uci, san, from_to } = nodes[at]!;
    return uci === text || bare(san ?? '') === bare(text) || (uci?.length === 4 && from_to?.join('') === text);
  };
  const found = answersIn(repertoire).find(fits);
  if (found === undefined) {
    const next = withRepertoire(state, { status: 'wrong', failed: true, promotion: null });
    return [{ ...next, announcement: strings.repertoire.wrong }, state.preferences.sound ? [{ do: 'sound', sound: 'wrong' }] : []];
  }
  return known(state, found, !repertoire.failed);
};

/// An own move is on the board; what was known is written down.
const known = (state: State, node: number, right: boolean): Result => {
  const { repertoire } = state;
  const nodes = nodesOf(repertoire);
  const record = answered(repertoire.record, cardKey(nodes[repertoire.node]!.fen), right, state.now);
  const status = right || repertoire.failed ? 'reply' : 'shown';
  const next = withRepertoire(state, { node, record, status, promotion: null });
  return [
    { ...next, announcement: `${spokenMove(nodes[node]!.san ?? '')}. ${right ? strings.repertoire.right : ''}` },
    [
      ...sound(state, nodes[node]!),
      { do: 'remember repertoire', record },
      send({ type: 'explore', line: lineTo(nodes, node) }),
      { do: 'later', input: { on: 'repertoire reply' }, milliseconds: REPLY },
    ],
  ];
};

export const repertoireEvent = (state: State, event: Event): Result | null => {
  if (event.type !== 'explored' || state.page !== 'repertoire') return null;
  const { repertoire } = state;
  // The reply may be on the board already: the gaps are those of the position before it.
  const nodes = nodesOf(repertoire);
  const at = [repertoire.node, nodes[repertoire.node]?.parent ?? -1].find((index) => nodes[index]?.fen === event.fen);
  // The trainer may have been left meanwhile.
  const chapter = repertoire.chapters[repertoire.chapter];
  if (at === undefined || !chapter) return [state, []];
  return [withRepertoire(state, { gaps: gapsIn(chapter, at, event.moves) }), []];
};

export const repertoireInput = (state: State, input: Input): Result | null => {
  const { repertoire } = state;
  switch (input.on) {
    case 'repertoire studies':
      return [withRepertoire(state, { studies: input.studies }), []];
    case 'repertoire open':
      return [withRepertoire(state, { study: input.id, side: input.side }), [fetchStudy(input.id)]];
    case 'repertoire study':
      if (input.study.id !== repertoire.study) return [state, []];
      return choose(withRepertoire(state, { chapters: input.study.chapters.map(({ tags, result, nodes }) => ({ tags, result, nodes })) }));
    case 'repertoire build': {
      const name = `${strings.repertoire.title}: ${strings.side[input.side]}`;
      const chapter = { tags: [['StudyName', name]] as [string, string][], result: '*', nodes: [emptyNode()] };
      const preferences = { ...state.preferences, explorer: true };
      const [next, effects] = setTree(replaced({ ...state, preferences }, [chapter], { id: null, revision: 0 }), [emptyNode()], 0);
      const flipped = input.side === 'black';
      return [
        { ...next, analyse: { ...next.analyse, flipped } },
        [...effects, { do: 'save', preferences }, { do: 'go', page: 'analyse' }],
      ];
    }
    case 'repertoire next':
      return choose(state);
    case 'repertoire reply': {
      if (repertoire.status !== 'reply' && repertoire.status !== 'shown') return [state, []];
      const chapter = repertoire.chapters[repertoire.chapter]!;
      const cards = cardsOf(repertoire.chapters, repertoire.side);
      const reply = replyTo(chapter, repertoire.node, cards, repertoire.record);
      if (reply === null) return [withRepertoire(state, { status: 'shown' }), []];
      const gaps = repertoire.gaps;
      const [next] = ask(withRepertoire(state, { node: reply }));
      return [{ ...next, repertoire: { ...next.repertoire, gaps } }, sound(state, chapter.nodes[reply]!)];
    }
    case 'repertoire solution': {
      const answers = answersIn(repertoire);
      if (answers.length === 0) return [state, []];
      return known(state, mainChild(nodesOf(repertoire), answers), false);
    }
    case 'repertoire leave':
      return [withRepertoire(state, { status: 'choose', study: null, chapters: [], node: 0, chapter: 0, gaps: [] }), [fetchRepertoires]];
    case 'repertoire analyse': {
      if (repertoire.study === null) return [state, []];
      const moves = lineTo(nodesOf(repertoire), repertoire.node).moves.join(' ');
      const remembered = { id: repertoire.study, chapter: repertoire.chapter, moves };
      return [{ ...state, analyse: { ...state.analyse, remembered } }, [{ do: 'go', page: 'analyse' }]];
    }
    case 'board move': {
      if (state.page !== 'repertoire') return null;
      const node = nodesOf(repertoire)[repertoire.node]!;
      if (!promotes(node, input.from, input.to)) return attempt(state, input.from + input.to);
      return state.preferences.autoQueen
        ? attempt(state, `${input.from}${input.to}q`)
        : [withRepertoire(state, { promotion: { from: input.from, to: input.to } }), []];
    }
    case 'promote': {
      if (state.page !== 'repertoire') return null;
      const { promotion } = repertoire;
      if (!promotion || !input.piece) return [withRepertoire(state, { promotion: null }), []];
      return attempt(state, promotion.from + promotion.to + input.piece);
    }
    case 'typed move':
      return state.page === 'repertoire' ? attempt(state, typedMove(input.text)) : null;
    default:
      return null;
  }
};

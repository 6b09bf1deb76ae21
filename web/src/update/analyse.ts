// Analysis: a tree of moves, one or two engines looking at it, a review of the whole line, files of games.
import type { Effect, Input } from '../input';
import type { Event, GameView, Line, Node, Slot } from '../messages';
import { type Analyse, type Asked, type Chapter, emptyNode, type Sample, type State } from '../state';
import { strings } from '../strings';
import { spokenMove } from '../spoken';
import { typedMove } from '../typed';
import { childTable, continuation, lineThrough, lineTo, NULL_MOVE } from '../tree';
import { promotes } from './play';
import { send, type Result } from './result';
import { practiceEvent, practiceInput, type Steps } from './practice';
import { changed, place, replaced, saved, withAnalyse } from './study';

export const SLOTS: [Slot, Slot] = ['first', 'second'];
/// Points of the picture of a race; older ones are thinned out.
const COURSE = 400;

/// Asks the server to describe a line from some move on. The answer to an older question is then of no use.
const ask = (state: State, purpose: Asked['purpose'], line: Line, from: number): [State, Effect] => {
  const request = state.analyse.asked.request + 1;
  const asked: Asked = { request, purpose, parent: state.analyse.current };
  return [withAnalyse(state, { asked }), send({ type: 'describe', request, line, from })];
};

/// The first position of a new board has no moves until the server has been asked.
export const furnish = (state: State): Result => {
  const { nodes } = state.analyse;
  if (nodes.length > 1 || nodes[0]!.over || Object.keys(nodes[0]!.dests).length > 0) return [state, []];
  const [next, question] = ask(state, 'details', lineTo(nodes, 0), 0);
  return [next, [question]];
};

/// What the running engines should now look at.
export const lookHere = (state: State): Effect[] => {
  const { analyse, preferences } = state;
  const engines = ([0, 1] as const).flatMap((slot) =>
    analyse.running[slot]
      ? [
          send({
            type: 'analyse',
            slot: SLOTS[slot],
            line: lineTo(analyse.nodes, analyse.current),
            settings: preferences.analysis[slot],
            threat: analyse.threat,
          }),
        ]
      : [],
  );
  return [...engines, ...askPeople(state), ...askExplorer(state)];
};

/// What people play here, if that is wanted and not yet known.
const askPeople = ({ analyse, preferences }: State): Effect[] => {
  const node = analyse.nodes[analyse.current]!;
  const known = analyse.people?.fen === node.fen && analyse.people.rating === preferences.rating;
  if (!preferences.people || known || node.over) return [];
  return [send({ type: 'people', line: lineTo(analyse.nodes, analyse.current), rating: preferences.rating })];
};

/// The games of this position, if they are wanted and not yet known.
const askExplorer = ({ analyse, preferences }: State): Effect[] => {
  const node = analyse.nodes[analyse.current]!;
  if (!preferences.explorer || analyse.explored?.fen === node.fen || node.over) return [];
  return [send({ type: 'explore', line: lineTo(analyse.nodes, analyse.current) })];
};

const moveTo = (state: State, index: number, speak = true): Result => {
  const node = state.analyse.nodes[index];
  if (!node || index === state.analyse.current) return [state, []];
  const next = withAnalyse(state, { current: index, preview: null, promotion: null, note: null, threat: false });
  const announcement = speak && node.san ? `${spokenMove(node.san)}. ${node.over ?? ''}` : state.announcement;
  return [{ ...next, announcement, redraw: state.redraw + 1 }, [...lookHere(next), ...place(next.analyse)]];
};

/// Plays a move on the tree: an old branch if there is one, a new one otherwise.
const move = (state: State, text: string): Result => {
  const { nodes, current } = state.analyse;
  const known = nodes.findIndex((node) => node.parent === current && (node.uci === text || node.san === text));
  if (known >= 0) return moveTo(withAnalyse(state, { promotion: null }), known);
  const line = lineTo(nodes, current);
  const moves = [...line.moves, text];
  const [next, question] = ask(withAnalyse(state, { promotion: null }), 'branch', { ...line, moves }, moves.length);
  return [next, [question]];
};

/// A described line begins at the position it was asked for, wherever the board has gone since.
const hang = (state: State, described: Node[]): Result => {
  const old = state.analyse.nodes;
  const nodes = [...old];
  let { parent } = state.analyse.asked;
  let first: number | null = null;
  for (const node of described) {
    const known = nodes.findIndex((one) => one.parent === parent && one.uci === node.uci);
    if (known >= 0) {
      parent = known;
      first ??= parent;
      continue;
    }
    const main = !nodes.some((one) => one.parent === parent);
    nodes.push({ ...node, parent, main });
    parent = nodes.length - 1;
    first ??= parent;
  }
  const target = state.analyse.asked.landing === 'first' ? (first ?? parent) : parent;
  if (nodes.length === old.length) return moveTo(state, target);
  return saved(moveTo(changed(state, nodes, state.analyse.current), target));
};

/// The same tree; the moves of its first line as the server describes them.
const detailed = (nodes: Node[], described: Node[]): Node[] =>
  nodes.map((node, index) => {
    const details = described[index];
    if (!details || details.fen !== node.fen || details.uci !== node.uci) return node;
    const { parent, main, comments, comments_before, nags } = node;
    return { ...details, parent, main, comments, comments_before, nags };
  });

/// Another game or position on the board; what was asked about the old one is of no use.
export const setTree = (state: State, nodes: Node[], current: number): Result => {
  const next = withAnalyse(state, {
    nodes,
    current,
    asked: { request: state.analyse.asked.request + 1, purpose: 'details', parent: 0 },
    review: null,
    reviewing: false,
    reviewed: [],
    practice: null,
    coach: null,
    coaching: null,
    coached: [],
    thinking: [null, null],
    threat: false,
    importing: false,
    editor: null,
    draft: '',
    preview: null,
    note: null,
    fault: null,
  });
  const stop: Effect[] = state.analyse.reviewing ? [send({ type: 'stop_review' })] : [];
  if (state.analyse.coaching) stop.push(send({ type: 'stop_coach' }));
  const [furnished, question] = furnish({ ...next, redraw: state.redraw + 1, problem: null });
  return [furnished, [...stop, ...question, ...lookHere(next)]];
};

export const analyseEvent = (state: State, event: Event): Result | null => {
  const { analyse } = state;
  const judged = practiceEvent(state, event, STEPS);
  if (judged) return judged;
  switch (event.type) {
    case 'described': {
      if (event.request !== analyse.asked.request) return [state, []];
      switch (analyse.asked.purpose) {
        case 'tree':
          return opened(state, { tags: [], result: '*', nodes: event.nodes }, event.nodes.length - 1);
        case 'details':
          // The same moves, now with all that is known about them: whatever is open or under way goes on.
          return [{ ...withAnalyse(state, { nodes: detailed(analyse.nodes, event.nodes) }), redraw: state.redraw + 1 }, []];
        case 'branch':
          return hang(state, event.nodes);
      }
    }
    case 'undescribed':
      if (event.request !== analyse.asked.request) return [state, []];
      return furnish({
        ...withAnalyse(state, { asked: { ...analyse.asked, purpose: 'details' } }),
        problem: { what: event.problem, next: '' },
        announcement: event.problem,
        redraw: state.redraw + 1,
      });
    case 'analysis': {
      const slot = event.slot === 'first' ? 0 : 1;
      if (event.running && (!analyse.running[slot] || state.page !== 'analyse')) return [state, []];
      const before = analyse.thinking[slot];
      const same = before !== null && before.fen === event.fen && before.milliseconds <= event.milliseconds;
      let course: Sample[] = same ? before.course : [];
      if (event.depth > 0) {
        course = [...course, { seconds: event.milliseconds / 1000, depth: event.depth, nodes: event.nodes, sharing: event.sharing }];
      }
      if (course.length > COURSE) course = course.filter((_, index) => index % 2 === 1);
      const thinking: Analyse['thinking'] = [...analyse.thinking];
      thinking[slot] = {
        threat: event.threat,
        fen: event.fen,
        lines: event.lines,
        depth: event.depth,
        nodes: event.nodes,
        speed: event.nodes_per_second,
        milliseconds: event.milliseconds,
        permille: event.permille_used,
        sharing: event.sharing,
        running: event.running,
        course,
      };
      return [withAnalyse(state, { thinking }), []];
    }
    case 'reviewed':
      return [withAnalyse(state, { review: event.review, reviewing: !event.review.finished }), []];
    case 'people': {
      const { fen, rating, games, moves } = event;
      return [withAnalyse(state, { people: { fen, rating, games, moves } }), []];
    }
    case 'explored': {
      const { fen, bands, moves } = event;
      return [withAnalyse(state, { explored: { fen, bands, moves } }), []];
    }
    case 'coaching':
      return [analyse.coaching ? withAnalyse(state, { coaching: { done: event.done, total: event.total } }) : state, []];
    case 'coached': {
      const next = withAnalyse(state, { coach: event.report, coaching: null });
      return [{ ...next, announcement: strings.people.done(event.report.moves.length) }, []];
    }
    default:
      return null;
  }
};

const toggle = (state: State, slot: 0 | 1): Result => {
  const running: [boolean, boolean] = [...state.analyse.running];
  running[slot] = !running[slot];
  const next = withAnalyse(state, { running });
  if (!running[slot]) return [next, [send({ type: 'stop_analysis', slot: SLOTS[slot] })]];
  const only = { ...next, analyse: { ...next.analyse, running: [slot === 0, slot === 1] as [boolean, boolean] } };
  return [next, lookHere(only)];
};

/// The line that a node is on, as far as it can be played: from its start, or from behind its last null move.
const playedLine = (nodes: Node[], current: number): number[] => {
  const through = lineThrough(nodes, current);
  const after = through.findLastIndex((at) => nodes[at]!.uci === NULL_MOVE);
  return through.slice(Math.max(after, 0));
};

/// Another game on the board, as a study of its own.
const opened = (state: State, game: Chapter, current: number): Result =>
  saved(setTree(replaced(state, [game]), game.nodes, current));

const chapterOf = ({ tags, result, nodes }: Chapter): Chapter => ({ tags, result, nodes });

const withFault = ([state, effects]: Result, fault: string | null): Result => [withAnalyse(state, { fault }), effects];

/// A game played here, with the tags of a PGN.
const playedGame = ({ you, opponent, nodes, status, chess960 }: GameView, now: number): Chapter => {
  const [white, black] = you === 'white' ? [strings.play.you, opponent] : [opponent, strings.play.you];
  const result = status.kind === 'over' ? status.result : '*';
  const tags: [string, string][] = [
    ['Event', strings.study.played],
    ['Date', new Date(now).toISOString().slice(0, 10).replaceAll('-', '.')],
    ['White', white],
    ['Black', black],
    ['Result', result],
  ];
  if (chess960) tags.push(['Variant', 'Chess960']);
  return { tags, result, nodes };
};

/// Looks over the whole line. The review gets the machine to itself.
const review = (state: State): Result => {
  const { nodes, current, running } = state.analyse;
  const reviewed = playedLine(nodes, current);
  const line = lineTo(nodes, reviewed[reviewed.length - 1]!);
  const stop = SLOTS.flatMap((slot, index) => (running[index] ? [send({ type: 'stop_analysis', slot })] : []));
  return [
    withAnalyse(state, { reviewing: true, review: null, reviewed, running: [false, false] }),
    [...stop, send({ type: 'review', line, kilonodes: state.preferences.kilonodes })],
  ];
};

/// Moves behind the position on the board.
const addLine = (state: State, added: string[]): Result => {
  const line = lineTo(state.analyse.nodes, state.analyse.current);
  const [next, question] = ask(state, 'branch', { ...line, moves: [...line.moves, ...added] }, line.moves.length + 1);
  return [next, [question]];
};

export const STEPS: Steps = { go: (state, index) => moveTo(state, index), play: move, line: addLine };

/// A move that is judged first where one is to be found.
const tryMove = (state: State, text: string): Result =>
  practiceInput(state, { on: 'tried move', text }, STEPS) ?? move(state, text);

export const analyseInput = (state: State, input: Input): Result | null => {
  const { analyse } = state;
  const practised = practiceInput(state, input, STEPS);
  if (practised) return practised;
  switch (input.on) {
    case 'node':
      return moveTo(state, input.index);
    case 'board move': {
      const node = analyse.nodes[analyse.current]!;
      if (!promotes(node, input.from, input.to)) return tryMove(state, input.from + input.to);
      return state.preferences.autoQueen
        ? tryMove(state, `${input.from}${input.to}q`)
        : [withAnalyse(state, { promotion: { from: input.from, to: input.to } }), []];
    }
    case 'promote':
      return analyse.promotion && input.piece
        ? tryMove(withAnalyse(state, { promotion: null }), analyse.promotion.from + analyse.promotion.to + input.piece)
        : [{ ...withAnalyse(state, { promotion: null }), redraw: state.redraw + 1 }, []];
    case 'typed move':
      return tryMove(state, typedMove(input.text));
    case 'line move':
      return addLine(state, input.uci);
    case 'engine':
      return toggle(state, input.slot);
    case 'compare': {
      const comparing = !analyse.comparing;
      const next = withAnalyse(state, { comparing });
      return !comparing && analyse.running[1] ? toggle(next, 1) : [next, []];
    }
    case 'measure':
      return [withAnalyse(state, { measure: input.measure }), []];
    case 'threat': {
      const next = withAnalyse(state, { threat: !analyse.threat, running: [true, analyse.running[1]] });
      return [next, lookHere(next)];
    }
    case 'analysis settings': {
      const analysis: State['preferences']['analysis'] = [...state.preferences.analysis];
      analysis[input.slot] = { ...analysis[input.slot], ...input.change };
      const preferences = { ...state.preferences, analysis };
      const next = { ...state, preferences };
      return [next, [{ do: 'save', preferences }, ...lookHere(next)]];
    }
    case 'preview':
      return [withAnalyse(state, { preview: input.fen }), []];
    case 'review':
      return analyse.reviewing
        ? [withAnalyse(state, { reviewing: false }), [send({ type: 'stop_review' })]]
        : review(state);
    case 'people': {
      const preferences = { ...state.preferences, people: !state.preferences.people };
      const next = { ...state, preferences };
      return [next, [{ do: 'save', preferences }, ...askPeople(next)]];
    }
    case 'explorer': {
      const preferences = { ...state.preferences, explorer: !state.preferences.explorer };
      const next = { ...state, preferences };
      return [next, [{ do: 'save', preferences }, ...askExplorer(next)]];
    }
    case 'rating': {
      const preferences = { ...state.preferences, rating: input.rating };
      const next = { ...state, preferences };
      return [next, [{ do: 'save', preferences }, ...askPeople(next)]];
    }
    case 'coach': {
      if (analyse.coaching) return [withAnalyse(state, { coaching: null }), [send({ type: 'stop_coach' })]];
      const coached = playedLine(analyse.nodes, analyse.current);
      const line = lineTo(analyse.nodes, coached[coached.length - 1]!);
      const { rating, kilonodes } = state.preferences;
      return [
        withAnalyse(state, { coach: null, coaching: { done: 0, total: 1 }, coached }),
        [send({ type: 'coach', line, rating, kilonodes: kilonodes > 100 ? 100 : 25 })],
      ];
    }
    case 'coach line': {
      const [here, look] = moveTo(state, input.from);
      const line = lineTo(here.analyse.nodes, input.from);
      const [next, question] = ask(here, 'branch', { ...line, moves: [...line.moves, ...input.uci] }, line.moves.length + 1);
      return [withAnalyse(next, { asked: { ...next.analyse.asked, landing: 'first' } }), [...look, question]];
    }
    case 'analyse game': {
      const { view } = state.play;
      if (!view) return [state, []];
      const { nodes } = view;
      const [fresh, look] = opened(withAnalyse(state, { collection: null, opened: null }), playedGame(view, state.now), nodes.length - 1);
      // A game being played is told without the moves that were possible.
      const [asking, question] = ask(fresh, 'details', lineTo(nodes, nodes.length - 1), 0);
      const flipped = view.you === 'black';
      const here: State = { ...withAnalyse(asking, { flipped }), page: 'analyse' };
      const [next, begin] = input.review ? review(here) : [here, []];
      return [next, [...look, { do: 'go', page: 'analyse' }, question, ...begin]];
    }
    case 'import':
      return [withAnalyse(state, { importing: input.open }), []];
    case 'draft':
      return [withAnalyse(state, { draft: input.text }), []];
    case 'load file':
      return [state, [{ do: 'read file', file: input.file }]];
    case 'load':
      return load(state, input.text);
    case 'imported': {
      // The dialog stays until the game is there: a move typed before would be played in the position before.
      const next = withAnalyse(state, { collection: input.imported, opened: null, filter: '' });
      const { games } = input.imported;
      // A game with a fault is shown up to it.
      const first = Math.max(games.findIndex((game) => game.problem === null), 0);
      return [
        { ...next, problem: null },
        [
          { do: 'fetch imported', collection: input.imported.collection, index: first },
          { do: 'go', page: 'analyse' },
        ],
      ];
    }
    case 'open imported':
      return analyse.collection
        ? [state, [{ do: 'fetch imported', collection: analyse.collection.collection, index: input.index }]]
        : [state, []];
    case 'opened game':
      return withFault(opened(withAnalyse(state, { opened: input.index, flipped: false }), chapterOf(input.game), 0), input.game.fault);
    case 'filter':
      return [withAnalyse(state, { filter: input.text }), []];
    case 'reset board': {
      const next = replaced(withAnalyse(state, { collection: null, opened: null }), [{ tags: [], result: '*', nodes: [emptyNode()] }]);
      return setTree(next, [emptyNode()], 0);
    }
    case 'copy fen':
      return [
        withAnalyse(state, { note: strings.analyse.copied }),
        [{ do: 'copy', text: analyse.nodes[analyse.current]!.fen }],
      ];
    case 'play from here': {
      const { start, moves } = lineTo(analyse.nodes, analyse.current);
      const side = analyse.nodes[analyse.current]!.turn;
      const settings = {
        ...state.preferences.game,
        side,
        odds: 'none' as const,
        start: { kind: 'position' as const, fen: start, moves },
      };
      return [state, [send({ type: 'new_game', settings }), { do: 'go', page: 'play' }]];
    }
    default:
      return null;
  }
};

/// A FEN is one line with slashes; anything else is taken for a PGN.
export const load = (state: State, text: string): Result => {
  const trimmed = text.trim();
  if (/^https?:\/\/(www\.)?(lichess\.org|chess\.com)\//.test(trimmed) && !/\s/.test(trimmed)) {
    const problem = { what: strings.problems.link, next: strings.problems.linkNext };
    return [{ ...state, problem, announcement: problem.what }, []];
  }
  // Chapters of a study come with its name.
  if (/^\[(StudyName|ChapterName) "/m.test(text)) return [state, [{ do: 'add study', text }]];
  if (/^\S*\/\S*( \S+){0,5}$/.test(trimmed)) {
    const line = { start: trimmed, moves: [] };
    const [next, question] = ask(withAnalyse(state, { collection: null, opened: null }), 'tree', line, 0);
    return [next, [question, { do: 'go', page: 'analyse' }]];
  }
  return [state, [{ do: 'upload', text }]];
};

/// The next variation of the move on the board, or the one before.
export const besides = (state: State, by: -1 | 1): Result => {
  const { nodes, current } = state.analyse;
  const parent = nodes[current]!.parent;
  if (parent === null) return [state, []];
  const siblings = childTable(nodes)[parent]!;
  return moveTo(state, siblings[siblings.indexOf(current) + by] ?? current);
};

export const step = (state: State, by: number | 'first' | 'last'): Result => {
  const { nodes, current } = state.analyse;
  if (by === 'first') return moveTo(state, 0);
  if (by === 'last') return moveTo(state, lineThrough(nodes, current).at(-1) ?? current);
  if (by < 0) return moveTo(state, nodes[current]?.parent ?? 0);
  return moveTo(state, continuation(nodes, current) ?? current);
};

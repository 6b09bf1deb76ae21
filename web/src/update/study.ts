// A study: chapters of annotated moves, saved as they change.
import { withCommentText, withNag, withShapes } from '../annotation';
import type { Effect, Input } from '../input';
import type { Node } from '../messages';
import { type Analyse, type Chapter, emptyNode, emptyStudy, type State, type Study } from '../state';
import { strings } from '../strings';
import { asMainLine, movedVariation, path, withoutNode } from '../tree';
import { writeGame, writeStudy } from '../pgn';
import type { Result } from './result';

/// Changes that can be undone.
const UNDO = 100;

export const withAnalyse = (state: State, change: Partial<Analyse>): State => ({
  ...state,
  analyse: { ...state.analyse, ...change },
});

const withStudy = (state: State, change: Partial<Study>): State =>
  withAnalyse(state, { study: { ...state.analyse.study, ...change } });

/// The chapters as they are now, the one on the board included.
export const chaptersNow = ({ study, nodes }: Analyse): Chapter[] =>
  study.chapters.map((chapter, index) => (index === study.chapter ? { ...chapter, nodes } : chapter));

export const tagOf = (game: Chapter, name: string): string | null => {
  const value = game.tags.find(([known]) => known === name)?.[1];
  return value === undefined || value === '' || value === '?' ? null : value;
};

/// `Anderssen – Kieseritzky`, or whatever the tags have for a name.
export const chapterName = (game: Chapter, index: number): string => {
  const players = [tagOf(game, 'White'), tagOf(game, 'Black')];
  return (
    tagOf(game, 'ChapterName') ??
    (players[0] || players[1] ? players.map((name) => name ?? '?').join(' – ') : strings.study.chapterNumber(index + 1))
  );
};

export const studyName = ({ chapters }: Study): string | null =>
  tagOf(chapters[0]!, 'StudyName');

/// A board without anything on it is not worth a file.
const isEmpty = ({ study, nodes }: Analyse): boolean =>
  study.chapters.length === 1 &&
  nodes.length === 1 &&
  nodes[0]!.comments.length === 0 &&
  nodes[0]!.fen === emptyNode().fen &&
  study.chapters[0]!.tags.length === 0;

/// What changed is saved a moment later.
export const saved = ([state, effects]: Result): Result => {
  if (state.analyse.study.id === null && isEmpty(state.analyse)) return [state, effects];
  const { key, id, revision } = state.analyse.study;
  const save: Effect = { do: 'save study', key, id, revision, chapters: chaptersNow(state.analyse) };
  return [withStudy(state, { saving: 'waiting' }), [...effects, save]];
};

/// Where the board is, for the next visit.
export const place = ({ study, nodes, current }: Analyse): Effect[] => {
  if (study.id === null) return [];
  const moves = path(nodes, current).flatMap((at) => nodes[at]!.uci ?? []);
  return [{ do: 'remember study', place: { id: study.id, chapter: study.chapter, moves: moves.join(' ') } }];
};

/// The node that a remembered line leads to, or as far as it does.
const follow = (nodes: Node[], moves: string): number => {
  let at = 0;
  for (const uci of moves.split(' ').filter((move) => move !== '')) {
    const next = nodes.findIndex((node) => node.parent === at && node.uci === uci);
    if (next < 0) break;
    at = next;
  }
  return at;
};

/// A change of the tree that can be undone.
export const changed = (state: State, nodes: Node[], current: number): State => {
  const { analyse } = state;
  const undo = [...analyse.undo, { nodes: analyse.nodes, current: analyse.current }].slice(-UNDO);
  const next = withAnalyse(state, { nodes, current, undo });
  return withStudy(next, { kept: true });
};

/// Something said about the present move.
const annotated = (state: State, change: (node: Node) => Node): Result => {
  const { nodes, current } = state.analyse;
  const node = change(nodes[current]!);
  if (JSON.stringify(node) === JSON.stringify(nodes[current])) return [state, []];
  return saved([changed(state, nodes.with(current, node), current), []]);
};

/// Nodes that have moved to other places: what points at them follows, or goes if its node is gone.
const rebuilt = (state: State, [nodes, places]: [Node[], Map<number, number>], current: number): State => {
  const { analyse } = state;
  const next = changed(state, nodes, places.get(current) ?? 0);
  const follows = (list: number[]) => list.map((at) => places.get(at) ?? -1);
  const [reviewed, coached] = [follows(analyse.reviewed), follows(analyse.coached)];
  return {
    ...withAnalyse(next, {
      reviewed: reviewed.includes(-1) ? [] : reviewed,
      review: reviewed.includes(-1) ? null : analyse.review,
      practice: null,
      coached: coached.includes(-1) ? [] : coached,
      coach: coached.includes(-1) ? null : analyse.coach,
      promotion: null,
      preview: null,
    }),
    redraw: state.redraw + 1,
  };
};

/// The board's study, in place of what was there. A study that the player kept stays in the list; a board only looked at
/// gives its place to the next.
export const replaced = (state: State, chapters: Chapter[], known: Partial<Study> = {}): State => {
  const { study } = state.analyse;
  const next: Study = {
    ...emptyStudy(study.key + 1),
    chapters,
    ...(study.kept ? {} : { key: study.key, id: study.id, revision: study.revision }),
    ...known,
  };
  return withAnalyse(state, { study: next, undo: [], remembered: null });
};

type Show = (state: State, nodes: Node[], current: number) => Result;

export const studyInput = (state: State, input: Input, show: Show): Result | null => {
  const { analyse } = state;
  const { study, nodes, current } = analyse;
  switch (input.on) {
    case 'comment':
      return annotated(state, (node) => withCommentText(node, input.text));
    case 'nag':
      return nodes[current]!.parent === null ? [state, []] : annotated(state, (node) => withNag(node, input.nag));
    case 'shapes':
      return annotated(state, (node) => withShapes(node, input.shapes));
    case 'move variation': {
      const moved = movedVariation(nodes, current, input.by);
      return moved ? saved([rebuilt(state, moved, current), []]) : [state, []];
    }
    case 'main line': {
      const moved = asMainLine(nodes, current);
      return moved ? saved([rebuilt(state, moved, current), []]) : [state, []];
    }
    case 'delete from here': {
      const parent = nodes[current]!.parent;
      if (parent === null) return [state, []];
      return saved([{ ...rebuilt(state, withoutNode(nodes, current), parent), announcement: strings.study.deleted }, []]);
    }
    case 'undo': {
      const last = analyse.undo.at(-1);
      if (!last) return [state, []];
      const next = withAnalyse(state, { undo: analyse.undo.slice(0, -1) });
      const [shown, effects] = show(next, last.nodes, last.current);
      return saved([{ ...shown, announcement: strings.study.undone }, effects]);
    }
    case 'chapter': {
      if (input.index === study.chapter || !study.chapters[input.index]) return [state, []];
      return toChapter(state, chaptersNow(analyse), input.index, 0, show);
    }
    case 'add chapter': {
      const chapters = [...chaptersNow(analyse), { tags: [], result: '*', nodes: [emptyNode()] } as Chapter];
      const [next, effects] = toChapter(withStudy(state, { kept: true }), chapters, chapters.length - 1, 0, show);
      return saved([next, effects]);
    }
    case 'delete chapter': {
      const chapters = chaptersNow(analyse).filter((_, index) => index !== study.chapter);
      if (chapters.length === 0) return [state, []];
      // The study's name is kept with its first chapter.
      const name = studyName(study);
      if (name) chapters[0] = tagged(chapters[0]!, 'StudyName', name);
      const [next, effects] = toChapter(state, chapters, Math.min(study.chapter, chapters.length - 1), 0, show);
      return saved([next, effects]);
    }
    case 'rename': {
      const at = input.what === 'study' ? 0 : study.chapter;
      const name = input.what === 'study' ? 'StudyName' : 'ChapterName';
      const chapters = study.chapters.with(at, tagged(study.chapters[at]!, name, input.name.trim()));
      return saved([withStudy(state, { chapters, kept: true }), []]);
    }
    case 'export chapter': {
      const chapter = chaptersNow(analyse)[study.chapter]!;
      return [state, [{ do: 'download', name: fileName(chapterName(chapter, study.chapter)), text: writeGame(chapter) }]];
    }
    case 'export study': {
      const name = studyName(study) ?? chapterName(study.chapters[0]!, 0);
      return [state, [{ do: 'download', name: fileName(name), text: writeStudy(chaptersNow(analyse)) }]];
    }
    case 'list studies':
      return [withAnalyse(state, { listing: input.open, removing: null }), input.open ? [{ do: 'fetch studies' }] : []];
    case 'studies':
      return [withAnalyse(state, { studies: input.studies }), []];
    case 'open study':
      return [withAnalyse(state, { listing: false }), [{ do: 'fetch study', id: input.id }]];
    case 'study': {
      const { id, revision, chapters } = input.study;
      const { remembered } = analyse;
      const wanted = remembered?.id === id ? remembered : { chapter: 0, moves: '' };
      const chapter = Math.min(wanted.chapter, chapters.length - 1);
      const next = replaced(withAnalyse(state, { collection: null, opened: null }), chapters, { key: study.key + 1, id, revision, chapter, kept: true });
      const tree = chapters[chapter]!.nodes;
      const [shown, effects] = show(next, tree, follow(tree, wanted.moves));
      return [shown, [...effects, ...place(shown.analyse), { do: 'go', page: 'analyse' }]];
    }
    case 'study gone': {
      // The study of an earlier visit was deleted since: an empty board, and no word about it.
      const [shown, effects] = show(withAnalyse(state, { remembered: null }), nodes, current);
      return [shown, [...effects, { do: 'remember study', place: null }]];
    }
    case 'study saved': {
      // What is on the board may be another study by now.
      if (study.key !== input.key) return [state, []];
      const next = withStudy(state, { id: input.id, revision: input.revision, saving: 'saved' });
      return [next, place(next.analyse)];
    }
    case 'study not saved':
      return study.key === input.key ? [withStudy(state, { saving: 'failed' }), []] : [state, []];
    case 'remove study': {
      if (!input.sure || input.id === null) return [withAnalyse(state, { removing: input.id }), []];
      const list = analyse.studies?.filter(({ id }) => id !== input.id) ?? null;
      const next = withAnalyse(state, { removing: null, studies: list });
      const effects: Effect[] = [{ do: 'delete study', id: input.id }];
      if (study.id !== input.id) return [next, effects];
      const [shown, more] = show(withAnalyse(next, { study: emptyStudy(study.key + 1), undo: [] }), [emptyNode()], 0);
      return [shown, [...effects, ...more, { do: 'remember study', place: null }]];
    }
    default:
      return null;
  }
};

const toChapter = (state: State, chapters: Chapter[], chapter: number, current: number, show: Show): Result => {
  const next = withAnalyse(withStudy(state, { chapters, chapter }), { undo: [] });
  const [shown, effects] = show(next, chapters[chapter]!.nodes, current);
  return [shown, [...effects, ...place(shown.analyse)]];
};

const tagged = (game: Chapter, name: string, value: string): Chapter => {
  const others = game.tags.filter(([known]) => known !== name);
  return { ...game, tags: value === '' ? others : [...others, [name, value]] };
};

const fileName = (name: string): string => `${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '') || 'study'}.pgn`;

// A repertoire as cards: positions of a study in which one's own move is to be known, and when each comes again.
import type { ExplorerMove, Node, Side } from './messages';
import { childTable, path } from './tree';

/// By position: times known in a row, and when it is to be asked again, in milliseconds since 1970.
export type RepertoireRecord = Record<string, { box: number; due: number }>;

/// What is needed of a chapter.
interface Chapter {
  nodes: Node[];
}

export interface Card {
  chapter: number;
  node: number;
  key: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/// Spaced repetition by boxes (Leitner).
const PAUSES = [10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 21 * DAY, 60 * DAY];
/// A reply that fewer people play needs no answer yet.
const OFTEN = 0.05;

/// A position without its move counters, and the side that is trained: the same position in two lines is one card.
export const cardKey = (fen: string): string => fen.split(' ').slice(0, 4).join(' ');

/// Every position in which the side has a move in the study, each once, in the order of the study.
export const cardsOf = (chapters: Chapter[], side: Side): Card[] => {
  const seen = new Set<string>();
  return chapters.flatMap(({ nodes }, chapter) => {
    const table = childTable(nodes);
    return nodes.flatMap((node, at) => {
      const key = cardKey(node.fen);
      if (node.turn !== side || table[at]!.length === 0 || seen.has(key)) return [];
      seen.add(key);
      return [{ chapter, node: at, key }];
    });
  });
};

export const dueCards = (cards: Card[], record: RepertoireRecord, now: number): Card[] =>
  cards.filter(({ key }) => (record[key]?.due ?? 0) <= now);

/// Positions that wait for longest come first, new ones in the order of the study; `null` when nothing waits.
export const nextCard = (cards: Card[], record: RepertoireRecord, now: number): Card | null => {
  const due = dueCards(cards, record, now);
  const rank = ({ key }: Card) => record[key]?.due ?? Number.MAX_SAFE_INTEGER;
  return due.reduce<Card | null>((best, card) => (best === null || rank(card) < rank(best) ? card : best), null);
};

export const answered = (record: RepertoireRecord, key: string, known: boolean, now: number): RepertoireRecord => {
  const box = known ? Math.min((record[key]?.box ?? 0) + 1, PAUSES.length - 1) : 0;
  return { ...record, [key]: { box, due: now + PAUSES[box]! } };
};

/// Behind an own move: the other side's reply that leads to the card waiting longest, and that card.
export const replyTo = (chapter: Chapter, node: number, cards: Card[], record: RepertoireRecord): number | null => {
  const table = childTable(chapter.nodes);
  const waiting = (reply: number): number => {
    const known = cards.some(({ key }) => key === cardKey(chapter.nodes[reply]!.fen));
    return known && table[reply]!.length > 0 ? (record[cardKey(chapter.nodes[reply]!.fen)]?.due ?? 0) : Infinity;
  };
  const replies = table[node]!.filter((reply) => waiting(reply) < Infinity);
  return replies.reduce<number | null>((best, reply) => (best === null || waiting(reply) < waiting(best) ? reply : best), null);
};

/// Replies that many people play in a position and that the study does not have, the most frequent first.
export const gapsIn = (chapter: Chapter, node: number, moves: ExplorerMove[]): ExplorerMove[] => {
  const all = moves.reduce((sum, move) => sum + total(move), 0);
  const known = childTable(chapter.nodes)[node]!.map((child) => chapter.nodes[child]!.uci);
  return moves.filter((move) => !known.includes(move.uci) && total(move) >= Math.max(OFTEN * all, 1));
};

export const total = (move: ExplorerMove): number => move.games.reduce((sum, games) => sum + games, 0);

/// The moves that lead to a node.
export const movesTo = (chapter: Chapter, node: number): string[] =>
  path(chapter.nodes, node).flatMap((at) => chapter.nodes[at]!.uci ?? []);

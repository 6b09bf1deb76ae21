// Which puzzle comes next, when it comes again, and what the player's puzzle rating is.
import type { PuzzleFacts } from './messages';

/// What is kept about one puzzle.
export interface PuzzleMemory {
  /// Times solved in a row.
  box: number;
  /// When it is to be solved again, in milliseconds since 1970.
  due: number;
}

/// Kept between visits.
export interface PuzzleRecord {
  rating: number;
  solved: number;
  failed: number;
  seen: Record<string, PuzzleMemory>;
}

export const newRecord = (rating: number): PuzzleRecord => ({ rating, solved: 0, failed: 0, seen: {} });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/// Spaced repetition by boxes (Leitner): the time until a puzzle comes again grows with each solution.
const PAUSES = [HOUR, DAY, 3 * DAY, 7 * DAY, 21 * DAY, 60 * DAY];
/// A puzzle solved at first sight is not soon forgotten.
const FIRST_BOX = 4;

/// Ratings change faster as long as little is known.
const gain = (tried: number): number => (tried < 20 ? 40 : 20);

/// The Elo formula: the share of puzzles of this rating that the player solves.
const expected = (player: number, puzzle: number): number => 1 / (1 + 10 ** ((puzzle - player) / 400));

/// The record after a puzzle. Only the first meeting changes the rating: later ones are practice.
export const recorded = (record: PuzzleRecord, puzzle: PuzzleFacts, solved: boolean, now: number): PuzzleRecord => {
  const before = record.seen[puzzle.id];
  const box = solved ? Math.min(before ? before.box + 1 : FIRST_BOX, PAUSES.length - 1) : 0;
  const change = before ? 0 : gain(record.solved + record.failed) * ((solved ? 1 : 0) - expected(record.rating, puzzle.rating));
  return {
    rating: Math.round(record.rating + change),
    solved: record.solved + (solved ? 1 : 0),
    failed: record.failed + (solved ? 0 : 1),
    seen: { ...record.seen, [puzzle.id]: { box, due: now + PAUSES[box]! } },
  };
};

export const dueCount = (record: PuzzleRecord, puzzles: PuzzleFacts[], now: number): number =>
  puzzles.filter(({ id }) => (record.seen[id]?.due ?? Infinity) <= now).length;

/// Puzzles to repeat come first, the longest due before others; then new ones, the nearest to the player's rating.
export const nextPuzzle = (record: PuzzleRecord, puzzles: PuzzleFacts[], theme: string | null, now: number, last: string | null): PuzzleFacts | null => {
  const fitting = puzzles.filter(({ id, themes }) => id !== last && (theme === null || themes.includes(theme)));
  const due = fitting.filter(({ id }) => (record.seen[id]?.due ?? Infinity) <= now);
  const first = <T,>(list: T[], rank: (one: T) => number): T | null =>
    list.reduce<T | null>((best, one) => (best === null || rank(one) < rank(best) ? one : best), null);
  return (
    first(due, ({ id }) => record.seen[id]!.due) ??
    first(fitting.filter(({ id }) => !record.seen[id]), ({ rating }) => Math.abs(rating - record.rating)) ??
    first(fitting, ({ id }) => record.seen[id]!.due)
  );
};

export const themesOf = (puzzles: PuzzleFacts[]): string[] => [...new Set(puzzles.flatMap(({ themes }) => themes))].sort();

// Numbers as people read them.
import type { Node, Worth } from './messages';

export const worthText = (worth: Worth): string => {
  switch (worth.kind) {
    case 'centipawns': {
      const pawns = worth.value / 100;
      return `${worth.value > 0 ? '+' : ''}${Math.abs(pawns) >= 10 ? pawns.toFixed(1) : pawns.toFixed(2)}`;
    }
    case 'mate':
      return worth.value === 0 ? '#' : `#${worth.value}`;
    case 'table':
      return worth.value > 0 ? '1-0' : worth.value < 0 ? '0-1' : '½';
  }
};

// White's share of the bar: the published curve of chances (see crates/web/src/accuracy.rs).
export const winShare = (worth: Worth): number => {
  // A draw by an endgame table, or mate on the board, of which this does not say who gave it: see `finalShare`.
  if (worth.kind !== 'centipawns') return worth.value === 0 ? 0.5 : worth.value > 0 ? 1 : 0;
  const value = Math.max(-1000, Math.min(1000, worth.value));
  return 1 / (1 + Math.exp(-0.00368208 * value));
};

/// White's share of a game that is over in this position: who is in check without a move is mated, all else is a draw.
export const finalShare = (node: Node): number | null => {
  if (node.over === null) return null;
  const mated = node.check && Object.keys(node.dests).length === 0;
  if (!mated) return 0.5;
  return node.turn === 'black' ? 1 : 0;
};

/// `1-0`, `0-1` or `½`.
export const shareText = (share: number): string => (share === 1 ? '1-0' : share === 0 ? '0-1' : '½');

export const count = (number: number): string => {
  if (number >= 1e9) return `${(number / 1e9).toFixed(1)} G`;
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  if (number >= 1e4) return `${Math.round(number / 1e3)} k`;
  return `${Math.round(number)}`;
};

export const clockText = (milliseconds: number): string => {
  const total = Math.max(0, milliseconds);
  if (total < 10_000) {
    const tenths = Math.floor(total / 100);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.ceil(total / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => `${n}`.padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
};

export const moveNumber = (plyAfter: number): string =>
  plyAfter % 2 === 1 ? `${(plyAfter + 1) / 2}.` : `${plyAfter / 2}…`;

export const dateText = (stamp: string): string => {
  const date = new Date(stamp);
  return Number.isNaN(date.getTime())
    ? stamp
    : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
};

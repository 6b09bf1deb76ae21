// Material on the board: what one side has more of than the other.
import { piecesOf } from './spoken';

const VALUES: Record<string, number> = { q: 9, r: 5, b: 3, n: 3, p: 1 };
const ORDER = 'qrbnp';

export interface Material {
  /// Kinds that this side has more of, one letter for each piece.
  more: string;
  /// Points ahead; 0 when behind or level.
  ahead: number;
}

/// For both sides, from a FEN.
export const material = (fen: string): { white: Material; black: Material } => {
  const letters = [...piecesOf(fen).values()];
  const count = (letter: string) => letters.filter((one) => one === letter).length;
  const difference = [...ORDER].map((kind): [string, number] => [kind, count(kind.toUpperCase()) - count(kind)]);
  const points = difference.reduce((sum, [kind, more]) => sum + VALUES[kind]! * more, 0);
  const side = (sign: 1 | -1): Material => ({
    more: difference.map(([kind, more]) => kind.repeat(Math.max(0, sign * more))).join(''),
    ahead: Math.max(0, sign * points),
  });
  return { white: side(1), black: side(-1) };
};

// A position being set up: pieces anywhere, rules checked by the server when it is used.
import { piecesOf } from './spoken';

export interface EditorPosition {
  /// Square -> piece letter, as in a FEN.
  pieces: Map<string, string>;
  turn: 'w' | 'b';
  /// Of `KQkq`, those that are granted.
  castling: string;
  /// The square behind a pawn that has just moved two steps.
  enPassant: string | null;
  /// Castling with king and rook from other squares than the usual ones.
  chess960: boolean;
  halfmoves: number;
  fullmoves: number;
}

const FILES = 'abcdefgh';
export const SQUARES = [...'87654321'].flatMap((rank) => [...FILES].map((file) => file + rank));
const RIGHTS = ['K', 'Q', 'k', 'q'] as const;

/// The board part of a FEN.
export const placement = (pieces: Map<string, string>): string =>
  [...'87654321']
    .map((rank) =>
      [...FILES]
        .map((file) => pieces.get(file + rank) ?? '1')
        .join('')
        .replace(/1+/g, (run) => `${run.length}`),
    )
    .join('/');

/// The files of the king and of the rook that a right is about; `null` where they do not stand.
const castlingFiles = (pieces: Map<string, string>, right: string, chess960: boolean): [string, string] | null => {
  const white = right === right.toUpperCase();
  const [rank, king, rook] = white ? ['1', 'K', 'R'] : ['8', 'k', 'r'];
  const short = right.toLowerCase() === 'k';
  if (!chess960) {
    const file = short ? 'h' : 'a';
    return pieces.get(`e${rank}`) === king && pieces.get(file + rank) === rook ? ['e', file] : null;
  }
  const from = [...FILES].find((file) => pieces.get(file + rank) === king);
  if (!from) return null;
  const beyond = [...FILES].filter((file) => pieces.get(file + rank) === rook && (short ? file > from : file < from));
  // Outermost, as X-FEN has it.
  const file = short ? beyond.at(-1) : beyond[0];
  return file ? [from, file] : null;
};

/// Rights that the pieces allow.
export const possibleRights = ({ pieces, chess960 }: EditorPosition): string[] =>
  RIGHTS.filter((right) => castlingFiles(pieces, right, chess960) !== null);

/// Squares where a capture en passant may be possible: behind a pawn of the side that has just moved.
export const possibleEnPassant = ({ pieces, turn }: EditorPosition): string[] => {
  const [pawn, from, behind, at, taker] = turn === 'w' ? ['p', '7', '6', '5', 'P'] : ['P', '2', '3', '4', 'p'];
  return [...FILES]
    .filter((file, index) => {
      const beside = [FILES[index - 1], FILES[index + 1]].some((other) => other && pieces.get(other + at) === taker);
      return pieces.get(file + at) === pawn && !pieces.has(file + behind) && !pieces.has(file + from) && beside;
    })
    .map((file) => file + behind);
};

export const toFen = (position: EditorPosition): string => {
  const possible = possibleRights(position);
  const castling = RIGHTS.filter((right) => position.castling.includes(right) && possible.includes(right)).join('');
  const enPassant = possibleEnPassant(position).includes(position.enPassant ?? '') ? position.enPassant : null;
  return `${placement(position.pieces)} ${position.turn} ${castling || '-'} ${enPassant ?? '-'} ${position.halfmoves} ${position.fullmoves}`;
};

/// As much of a FEN as makes sense; `null` when its board does not.
export const fromFen = (fen: string): EditorPosition | null => {
  const [board = '', turn = 'w', castling = '-', enPassant = '-', half = '0', full = '1'] = fen.trim().split(/\s+/);
  const ranks = board.split('/');
  const width = (rank: string) => [...rank].reduce((sum, letter) => sum + (Number(letter) || 1), 0);
  if (ranks.length !== 8 || ranks.some((rank) => !/^[1-8pnbrqkPNBRQK]+$/.test(rank) || width(rank) !== 8)) return null;
  const pieces = piecesOf(board);
  // Letters of files (Shredder-FEN) become those of sides.
  const usual = [...castling].flatMap((letter) => {
    if (RIGHTS.some((right) => right === letter)) return [letter];
    const white = letter === letter.toUpperCase();
    const [rank, king] = white ? ['1', 'K'] : ['8', 'k'];
    const from = [...FILES].find((file) => pieces.get(file + rank) === king);
    if (!/[a-h]/i.test(letter) || !from) return [];
    const side = letter.toLowerCase() > from ? 'K' : 'Q';
    return [white ? side : side.toLowerCase()];
  });
  const rights = usual.join('');
  const chess960 = [...rights].some((right) => castlingFiles(pieces, right, false) === null);
  return {
    pieces,
    turn: turn === 'b' ? 'b' : 'w',
    castling: rights,
    enPassant: /^[a-h][36]$/.test(enPassant) ? enPassant : null,
    chess960,
    halfmoves: Math.max(0, Math.trunc(Number(half)) || 0),
    fullmoves: Math.max(1, Math.trunc(Number(full)) || 1),
  };
};

const moved = (position: EditorPosition, to: (square: string, letter: string) => [string, string]): EditorPosition => ({
  ...position,
  pieces: new Map([...position.pieces].map(([square, letter]) => to(square, letter))),
  enPassant: null,
});

/// Left and right change places.
export const mirrored = (position: EditorPosition): EditorPosition =>
  moved({ ...position, castling: '' }, (square, letter) => [`${FILES[7 - FILES.indexOf(square[0]!)]}${square[1]}`, letter]);

const otherCase = (text: string): string =>
  [...text].map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase())).join('');

/// White and Black change places.
export const colorsSwapped = (position: EditorPosition): EditorPosition =>
  moved({ ...position, turn: position.turn === 'w' ? 'b' : 'w', castling: otherCase(position.castling) }, (square, letter) => [
    `${square[0]}${9 - Number(square[1])}`,
    otherCase(letter),
  ]);

/// Why this cannot be a position, as far as the page can tell; the server has the last word.
export const faultOf = ({ pieces }: EditorPosition): 'kings' | 'pawns' | null => {
  const letters = [...pieces.values()];
  const count = (letter: string) => letters.filter((one) => one === letter).length;
  if (count('K') !== 1 || count('k') !== 1) return 'kings';
  if ([...pieces].some(([square, letter]) => /p/i.test(letter) && /[18]/.test(square))) return 'pawns';
  return null;
};

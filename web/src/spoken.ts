// Moves and boards in words, for ears.
import { strings } from './strings';

const pieceName = (letter: string): string => strings.pieces[letter.toLowerCase()] ?? letter;

/// `Nbxd7+` -> "knight b takes d7, check".
export const spokenMove = (san: string): string => {
  const words: string[] = [];
  const bare = san.replace(/[+#]$/, '');
  if (bare === 'O-O') words.push(strings.spoken.castlesShort);
  else if (bare === 'O-O-O') words.push(strings.spoken.castlesLong);
  else {
    const match = /^([KQRBN])?([a-h]?[1-8]?)(x)?([a-h][1-8])(?:=([QRBN]))?$/.exec(bare);
    if (!match) return san;
    const [, piece, from, takes, to, promotion] = match;
    words.push(piece ? pieceName(piece) : pieceName('p'));
    if (from) words.push(from);
    if (takes) words.push(strings.spoken.takes);
    words.push(to!);
    if (promotion) words.push(strings.spoken.promotes, pieceName(promotion));
  }
  const sentence = words.join(' ');
  if (san.endsWith('#')) return `${sentence}, ${strings.spoken.mate}`;
  return san.endsWith('+') ? `${sentence}, ${strings.spoken.check}` : sentence;
};

export const pieceWords = (letter: string): string =>
  `${letter === letter.toUpperCase() ? strings.side.white : strings.side.black} ${pieceName(letter)}`;

/// Square -> piece letter.
export const piecesOf = (fen: string): Map<string, string> => {
  const pieces = new Map<string, string>();
  const rows = (fen.split(' ')[0] ?? '').split('/');
  rows.forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      const empty = Number(letter);
      if (empty > 0) file += empty;
      else pieces.set(`${'abcdefgh'[file++]}${8 - index}`, letter);
    }
  });
  return pieces;
};

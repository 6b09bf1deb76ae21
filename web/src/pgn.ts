// Writing a chapter as PGN, in the archival form: lines below 80 columns, black moves numbered where a reader needs it.
import type { Node } from './messages';
import { type Chapter, START } from './state';
import { childTable } from './tree';

/// Lines are shorter than 80 columns, as the standard asks.
const WIDTH = 79;

const tagLine = (name: string, value: string): string => {
  const plain = [...value].map((letter) => (letter < ' ' ? ' ' : letter)).join('');
  return `[${name} "${plain.replace(/["\\]/g, '\\$&')}"]\n`;
};

/// Whether castling in this position needs Chess960 rules: a right whose king or rook is not at its usual place.
export const isChess960 = (fen: string): boolean => {
  const [board = '', , rights = '-'] = fen.split(' ');
  if (/[A-HJa-hj]/.test(rights.replace(/[KQkq-]/g, ''))) return true;
  const ranks = board.split('/');
  const squares = (rank: string) => rank.replace(/\d/g, (empty) => '.'.repeat(Number(empty)));
  const [black, white] = [squares(ranks[0] ?? ''), squares(ranks[7] ?? '')];
  const unusual = (rank: string, king: string, rook: string, file: number) => rank[4] !== king || rank[file] !== rook;
  return (
    (rights.includes('K') && unusual(white, 'K', 'R', 7)) ||
    (rights.includes('Q') && unusual(white, 'K', 'R', 0)) ||
    (rights.includes('k') && unusual(black, 'k', 'r', 7)) ||
    (rights.includes('q') && unusual(black, 'k', 'r', 0))
  );
};

/// The tags as they are, and those that a reader needs to set the position up.
const completeTags = ({ tags, result, nodes }: Chapter): [string, string][] => {
  const all = tags.map(([name, value]): [string, string] => [name, name === 'Result' && (value === '*' || value === '?') ? result : value]);
  const has = (name: string) => all.some(([known]) => known === name);
  const fen = nodes[0]!.fen;
  if (fen !== START && !has('FEN')) {
    if (!has('SetUp')) all.push(['SetUp', '1']);
    all.push(['FEN', fen]);
  }
  if (isChess960(fen) && !has('Variant')) all.push(['Variant', 'Chess960']);
  return all;
};

/// Words put on lines.
class Wrapped {
  private text = '';
  private column = 0;
  /// Opening brackets that stick to the next word.
  private opened = '';

  push(word: string) {
    const whole = this.opened + word;
    this.opened = '';
    const width = [...whole].length;
    // A line may not begin with '%': readers skip such lines.
    const fits = this.column + 1 + width <= WIDTH || whole.startsWith('%');
    if (this.column > 0) {
      this.text += fits ? ' ' : '\n';
      this.column = fits ? this.column + 1 : 0;
    }
    this.text += whole;
    this.column += width;
  }

  open() {
    this.opened += '(';
  }

  close() {
    if (this.column > WIDTH) {
      this.text += '\n';
      this.column = 0;
    }
    this.text += ')';
    this.column += 1;
  }

  comment(comment: string) {
    if (comment === '') return;
    // A closing brace can only be told in a comment that the end of the line closes.
    if (comment.includes('}')) {
      this.push(`;${comment}`);
      this.text += '\n';
      this.column = 0;
      return;
    }
    // A run of blanks is kept whole, because a line end reads as one blank.
    const words = comment.split(/(?<! ) (?! )/);
    words[0] = `{${words[0]}`;
    words.push(`${words.pop()}}`);
    for (const word of words) this.push(word);
  }

  finish(): string {
    return this.text;
  }
}

type Job = { index: number; numbered: boolean; variation: boolean } | 'close';

const writeMoves = (nodes: Node[], text: Wrapped) => {
  const table = childTable(nodes);
  nodes[0]!.comments.forEach((comment) => text.comment(comment));
  const jobs: Job[] = table[0]!.length > 0 ? [{ index: table[0]![0]!, numbered: true, variation: false }] : [];
  // An explicit stack: a file may nest its variations deeply.
  for (let job = jobs.pop(); job !== undefined; job = jobs.pop()) {
    if (job === 'close') {
      text.close();
      continue;
    }
    const { index, numbered, variation } = job;
    if (variation) {
      text.open();
      jobs.push('close');
    }
    const node = nodes[index]!;
    node.comments_before.forEach((comment) => text.comment(comment));
    if (node.ply % 2 === 1) text.push(`${(node.ply + 1) / 2}.`);
    else if (numbered || node.comments_before.length > 0) text.push(`${node.ply / 2}...`);
    text.push(node.san ?? '--');
    for (const nag of node.nags) text.push(`$${nag}`);
    node.comments.forEach((comment) => text.comment(comment));
    const siblings = table[node.parent ?? 0]!;
    const variations = siblings[0] === index ? siblings.slice(1) : [];
    const next = table[index]![0];
    if (next !== undefined) {
      jobs.push({ index: next, numbered: node.comments.length > 0 || variations.length > 0, variation: false });
    }
    for (const other of variations.reverse()) jobs.push({ index: other, numbered: true, variation: true });
  }
};

/// Ends with an empty line, so that chapters can follow one another.
export const writeGame = (game: Chapter): string => {
  const tags = completeTags(game);
  const text = new Wrapped();
  writeMoves(game.nodes, text);
  text.push(game.result);
  return `${tags.map(([name, value]) => tagLine(name, value)).join('')}${tags.length > 0 ? '\n' : ''}${text.finish()}\n\n`;
};

export const writeStudy = (chapters: Chapter[]): string => chapters.map(writeGame).join('');

// What a PGN says about a move: comments with commands in them ([%csl], [%cal], [%clk], [%eval]) and annotation glyphs.
import type { Node } from './messages';

export type Brush = 'green' | 'red' | 'yellow' | 'blue';

/// An arrow, or a circle where it ends where it begins.
export interface Shape {
  brush: Brush;
  from: string;
  to: string;
}

const BRUSHES: Record<string, Brush> = { G: 'green', R: 'red', Y: 'yellow', B: 'blue' };
const LETTERS: Record<Brush, string> = { green: 'G', red: 'R', yellow: 'Y', blue: 'B' };

const COMMAND = /\[%([a-z]+) ([^\]]*)\]/gi;
const SHAPES = /\[%(?:csl|cal) [^\]]*\]/gi;

const tidy = (text: string): string => text.replace(/ {2,}/g, ' ').trim();

/// The words for people: commands left out.
export const commentText = (node: Node): string =>
  [...node.comments_before, ...node.comments]
    .map((comment) => tidy(comment.replace(COMMAND, ' ')))
    .filter((text) => text !== '')
    .join(' ');

/// Control characters have no place in a PGN; a closing brace would end the comment.
const clean = (text: string): string => tidy([...text].map((letter) => (letter < ' ' ? ' ' : letter)).join('')).replaceAll('}', ')');

/// The same node with other words; its commands stay.
export const withCommentText = (node: Node, text: string): Node => {
  const commands = [...node.comments_before, ...node.comments].flatMap((comment) => comment.match(COMMAND) ?? []);
  const comment = [...commands, clean(text)].filter((part) => part !== '').join(' ');
  return { ...node, comments_before: [], comments: comment === '' ? [] : [comment] };
};

export const shapesOf = (node: Node): Shape[] => {
  const shapes: Shape[] = [];
  for (const comment of node.comments) {
    for (const [, name, value] of comment.matchAll(COMMAND)) {
      if (name !== 'csl' && name !== 'cal') continue;
      for (const word of value!.split(',')) {
        const match = /^([GRYB])([a-h][1-8])([a-h][1-8])?$/.exec(word.trim());
        if (match) shapes.push({ brush: BRUSHES[match[1]!]!, from: match[2]!, to: match[3] ?? match[2]! });
      }
    }
  }
  return shapes;
};

/// The same node with other arrows and circles.
export const withShapes = (node: Node, shapes: Shape[]): Node => {
  const rest = node.comments.map((comment) => tidy(comment.replace(SHAPES, ' '))).filter((text) => text !== '');
  const word = ({ brush, from, to }: Shape) => LETTERS[brush] + from + (to === from ? '' : to);
  const circles = shapes.filter(({ from, to }) => from === to).map(word);
  const arrows = shapes.filter(({ from, to }) => from !== to).map(word);
  const commands = [
    ...(circles.length > 0 ? [`[%csl ${circles.join(',')}]`] : []),
    ...(arrows.length > 0 ? [`[%cal ${arrows.join(',')}]`] : []),
  ];
  if (commands.length === 0) return { ...node, comments: rest };
  const [first, ...others] = rest;
  return { ...node, comments: [[...commands, ...(first === undefined ? [] : [first])].join(' '), ...others] };
};

/// What a command of the comments says: the mover's clock, an evaluation.
export const commandOf = (node: Node, wanted: 'clk' | 'eval'): string | null => {
  for (const comment of node.comments) {
    for (const [, name, value] of comment.matchAll(COMMAND)) if (name === wanted) return value!.trim();
  }
  return null;
};

/// Numeric Annotation Glyphs (NAG) by number, with their signs, as the PGN standard and Lichess use them.
const NAGS: [number, string][] = [
  [1, '!'],
  [2, '?'],
  [3, '!!'],
  [4, '??'],
  [5, '!?'],
  [6, '?!'],
  [7, '□'],
  [8, '□'],
  [9, '??'],
  [10, '='],
  [11, '='],
  [12, '='],
  [13, '∞'],
  [14, '+='],
  [15, '=+'],
  [16, '±'],
  [17, '∓'],
  [18, '+−'],
  [19, '−+'],
  [20, '+−'],
  [21, '−+'],
  [22, '⨀'],
  [23, '⨀'],
  [32, '⟳'],
  [33, '⟳'],
  [36, '↑'],
  [37, '↑'],
  [40, '→'],
  [41, '→'],
  [44, '=∞'],
  [45, '=∞'],
  [132, '⇆'],
  [133, '⇆'],
  [138, '⊕'],
  [139, '⊕'],
  [140, '∆'],
  [146, 'N'],
];

/// A sign, or the number as the file has it.
export const nagSign = (nag: number): string => NAGS.find(([number]) => number === nag)?.[1] ?? `$${nag}`;

/// Of one group only one at a time is given: a move is good or bad, a position equal or better for one side.
const GROUPS: number[][] = [
  [1, 2, 3, 4, 5, 6, 7, 22],
  [10, 13, 14, 15, 16, 17, 18, 19],
];

/// Glyphs that the page offers, in the order of their buttons.
export const OFFERED = GROUPS.flat();

/// The same node with a glyph given, or taken away if it was there.
export const withNag = (node: Node, nag: number): Node => {
  if (node.nags.includes(nag)) return { ...node, nags: node.nags.filter((one) => one !== nag) };
  const group = GROUPS.find((one) => one.includes(nag)) ?? [];
  const nags = [...node.nags.filter((one) => !group.includes(one)), nag];
  return { ...node, nags: nags.sort((one, other) => one - other) };
};

// Lines and variations: a list of positions in which each names the one before it.
import type { Line, Node } from './messages';
import { START } from './state';

/// Indices from the start to a node.
export const path = (nodes: Node[], index: number): number[] => {
  const found: number[] = [];
  for (let at: number | null = index; at !== null; at = nodes[at]?.parent ?? null) found.unshift(at);
  return found;
};

export const children = (nodes: Node[], index: number): number[] =>
  nodes.flatMap((node, at) => (node.parent === index ? [at] : []));

/// Every node's children in one pass: the continuation first, then variations.
export const childTable = (nodes: Node[]): number[][] => {
  const table: number[][] = nodes.map(() => []);
  nodes.forEach((node, at) => {
    if (node.parent !== null) table[node.parent]?.push(at);
  });
  return table;
};

export const continuation = (nodes: Node[], index: number): number | null => {
  const next = children(nodes, index);
  return next.length > 0 ? mainChild(nodes, next) : null;
};

export const mainChild = (nodes: Node[], siblings: number[]): number =>
  siblings.find((at) => nodes[at]?.main) ?? siblings[0]!;

export const lastOf = (nodes: Node[], index: number): number => {
  let at = index;
  for (let next = continuation(nodes, at); next !== null; next = continuation(nodes, at)) at = next;
  return at;
};

/// The line to a node, as the server takes it.
export const lineTo = (nodes: Node[], index: number): Line => {
  const start = nodes[0]!.fen;
  return {
    start: start === START ? null : start,
    moves: path(nodes, index).flatMap((at) => nodes[at]!.uci ?? []),
  };
};

/// The whole line that a node is on: from the start through it to the end.
export const lineThrough = (nodes: Node[], index: number): number[] => {
  const through = path(nodes, index);
  let at = index;
  for (let next = continuation(nodes, at); next !== null; next = continuation(nodes, at)) {
    through.push(next);
    at = next;
  }
  return through;
};

export const openingOf = (nodes: Node[], index: number): string | null =>
  path(nodes, index)
    .reverse()
    .map((at) => nodes[at]!.opening)
    .find((name) => name !== null) ?? null;

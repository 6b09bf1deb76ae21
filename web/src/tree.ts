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
    if (node.parent === null) return;
    const siblings = table[node.parent]!;
    if (node.main && siblings.length > 0 && !nodes[siblings[0]!]!.main) siblings.unshift(at);
    else siblings.push(at);
  });
  return table;
};

/// The null move, as annotators show a threat.
export const NULL_MOVE = '0000';

/// A list made anew from a table of children: what the table leaves out is gone, its order is the new order. Answers
/// the new place of each node that is still there.
const rebuild = (nodes: Node[], table: number[][]): [Node[], Map<number, number>] => {
  const made: Node[] = [{ ...nodes[0]!, parent: null, main: true }];
  const places = new Map([[0, 0]]);
  const waiting = [0];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    const parent = places.get(at)!;
    table[at]!.forEach((child, order) => {
      places.set(child, made.length);
      made.push({ ...nodes[child]!, parent, main: order === 0 });
      waiting.push(child);
    });
  }
  return [made, places];
};

/// Without a node and all that follows it.
export const withoutNode = (nodes: Node[], index: number): [Node[], Map<number, number>] => {
  const table = childTable(nodes).map((siblings) => siblings.filter((one) => one !== index));
  return rebuild(nodes, table);
};

/// The node at which the line of `index` leaves the line before it; `null` on the main line.
export const branchOf = (nodes: Node[], index: number): number | null =>
  path(nodes, index).findLast((at) => at !== 0 && !isContinuation(nodes, at)) ?? null;

const isContinuation = (nodes: Node[], at: number): boolean =>
  mainChild(nodes, children(nodes, nodes[at]!.parent ?? 0)) === at;

/// The variation that `index` is in goes up (-1) or down (1) among its siblings; `null` where it cannot.
export const movedVariation = (nodes: Node[], index: number, by: -1 | 1): [Node[], Map<number, number>] | null => {
  const through = path(nodes, index);
  const table = childTable(nodes);
  const branch = branchOf(nodes, index) ?? through.find((at) => at !== 0 && table[nodes[at]!.parent!]!.length > 1);
  if (branch === undefined) return null;
  const siblings = table[nodes[branch]!.parent!]!;
  const from = siblings.indexOf(branch);
  const to = from + by;
  if (to < 0 || to >= siblings.length) return null;
  [siblings[from], siblings[to]] = [siblings[to]!, siblings[from]!];
  return rebuild(nodes, table);
};

/// The line through `index` becomes the main line.
export const asMainLine = (nodes: Node[], index: number): [Node[], Map<number, number>] | null => {
  if (branchOf(nodes, index) === null) return null;
  const table = childTable(nodes);
  for (const at of path(nodes, index)) {
    const parent = nodes[at]!.parent;
    if (parent !== null) table[parent] = [at, ...table[parent]!.filter((one) => one !== at)];
  }
  return rebuild(nodes, table);
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

/// The line to a node, as the server takes it. A null move cannot be played there: the line begins behind the last one.
export const lineTo = (nodes: Node[], index: number): Line => {
  const through = path(nodes, index);
  const after = through.findLastIndex((at) => nodes[at]!.uci === NULL_MOVE);
  const start = nodes[through[Math.max(after, 0)]!]!.fen;
  return {
    start: start === START ? null : start,
    moves: through.slice(after + 1).flatMap((at) => nodes[at]!.uci ?? []),
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

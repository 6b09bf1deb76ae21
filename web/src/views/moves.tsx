// Lists of moves.
import { useEffect, useRef } from 'preact/hooks';
import type { Node, Review } from '../messages';
import { moveNumber, worthText } from '../format';
import { strings } from '../strings';
import { childTable, mainChild } from '../tree';

/// Keeps the shown move in sight without moving the page.
const useInSight = (current: number) => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = list.current;
    const move = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !move) return;
    const top = move.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + move.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }, [current]);
  return list;
};

/// Two columns, for a game without variations.
export const MoveTable = ({
  nodes,
  current,
  onGo,
}: {
  nodes: Node[];
  current: number;
  onGo(index: number): void;
}) => {
  const list = useInSight(current);
  const rows: { number: number; cells: (number | null)[] }[] = [];
  nodes.forEach((node, index) => {
    if (!node.san) return;
    const white = node.ply % 2 === 1;
    const last = rows[rows.length - 1];
    if (white || !last || last.cells.length === 2) {
      rows.push({ number: Math.ceil(node.ply / 2), cells: white ? [index] : [null, index] });
    } else last.cells.push(index);
  });
  return (
    <div class="moves scroll" ref={list} tabIndex={0} role="region" aria-label={strings.play.moves}>
      {rows.length === 0 && <p class="soft">{strings.play.noMoves}</p>}
      <ol>
        {rows.map((row) => (
          <li>
            <span class="number">{row.number}</span>
            {row.cells.map((index) =>
              index === null ? (
                <span class="gap">…</span>
              ) : (
                <button
                  type="button"
                  class="move"
                  aria-current={index === current ? 'true' : undefined}
                  onClick={() => onGo(index)}
                >
                  {nodes[index]!.san}
                </button>
              ),
            )}
          </li>
        ))}
      </ol>
    </div>
  );
};

interface TreeProps {
  nodes: Node[];
  current: number;
  review: Review | null;
  /// Which node each reviewed move is.
  reviewed: number[];
  onGo(index: number): void;
}

/// Moves with variations and comments, as a book prints them.
export const MoveTree = ({ nodes, current, review, reviewed, onGo }: TreeProps) => {
  const list = useInSight(current);
  const table = childTable(nodes);
  const place = new Map(reviewed.map((index, at) => [index, at]));
  const move = (index: number, numbered: boolean) => {
    const node = nodes[index]!;
    const seen = review?.moves[place.get(index) ?? -1];
    const label = seen?.label ?? null;
    const glyph = label ? strings.analyse.glyph[label] : node.glyphs[0];
    return (
      <>
        {(numbered || node.ply % 2 === 1) && <span class="number">{moveNumber(node.ply)}</span>}
        <button
          type="button"
          class={`move ${label ?? ''}`}
          aria-current={index === current ? 'true' : undefined}
          onClick={() => onGo(index)}
        >
          {node.san}
          {glyph && <span class="glyph">{glyph}</span>}
          {seen && <span class="worth">{worthText(seen.worth)}</span>}
        </button>{' '}
        {label && seen?.best && (
          <span class={`verdict ${label}`}>
            {strings.analyse.labels[label]}; {strings.analyse.better(seen.best)}.{' '}
          </span>
        )}
        {/* Text from a file is text, never markup: rule 12. */}
        {node.comment && <span class="comment">{node.comment} </span>}
      </>
    );
  };
  // Explicit stack: a file may nest its variations deeply.
  const line = (from: number, depth: number): preact.JSX.Element[] => {
    const out: preact.JSX.Element[] = [];
    let at: number | null = from;
    let numbered = true;
    while (at !== null) {
      const parent: number | null = nodes[at]!.parent;
      const siblings: number[] = parent === null ? [] : table[parent]!;
      out.push(<span key={at}>{move(at, numbered)}</span>);
      const isMain: boolean = siblings.length > 0 && mainChild(nodes, siblings) === at;
      const others: number[] = isMain ? siblings.filter((one) => one !== at) : [];
      for (const other of others) {
        out.push(
          depth < 12 ? (
            <div class="variation" key={`v${other}`}>
              {line(other, depth + 1)}
            </div>
          ) : (
            <span key={`v${other}`}>… </span>
          ),
        );
      }
      numbered = others.length > 0 || nodes[at]!.comment !== null;
      const next: number[] = table[at]!;
      at = next.length > 0 ? mainChild(nodes, next) : null;
    }
    return out;
  };
  const first = table[0]!;
  return (
    <div class="moves tree scroll" ref={list} tabIndex={0} role="region" aria-label={strings.play.moves}>
      {nodes[0]!.comment && <p class="comment">{nodes[0]!.comment}</p>}
      {first.length === 0 ? <p class="soft">{strings.play.noMoves}</p> : line(mainChild(nodes, first), 0)}
    </div>
  );
};

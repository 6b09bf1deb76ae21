// Lists of moves.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Node, Review } from '../messages';
import { moveNumber, worthText } from '../format';
import { strings } from '../strings';
import { childTable } from '../tree';
import { commentText, nagSign } from '../annotation';
import type { Dispatch } from './app';
import { MoveMenu, type Place } from './menu';

/// Keeps the shown move in sight without moving the page.
export const useInSight = (current: number, length: number) => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = list.current;
    const move = box?.querySelector<HTMLElement>('[aria-current]');
    if (!box || !move) return;
    // Measured on the screen: which element a place counts from depends on the style.
    const [outer, inner] = [box.getBoundingClientRect(), move.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      box.scrollTop += inner.top - outer.top - (box.clientHeight - inner.height) / 2;
    }
  }, [current, length]);
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
  const list = useInSight(current, nodes.length);
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
  dispatch: Dispatch;
}

/// Milliseconds of a touch that opens a menu.
const HOLD = 500;

/// A long touch. Not every browser makes a right click of it.
const useHold = (open: (place: Place) => void) => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const end = () => clearTimeout(timer.current);
  useEffect(() => end, []);
  return (index: number) => ({
    onTouchStart: (event: TouchEvent) => {
      end();
      const finger = event.touches[0];
      if (finger && event.touches.length === 1) timer.current = setTimeout(() => open({ index, x: finger.clientX, y: finger.clientY }), HOLD);
    },
    onTouchMove: end,
    onTouchEnd: end,
    onTouchCancel: end,
  });
};

/// Moves with variations and comments, as a book prints them.
export const MoveTree = ({ nodes, current, review, reviewed, onGo, dispatch }: TreeProps) => {
  const [menu, setMenu] = useState<Place | null>(null);
  const hold = useHold(setMenu);
  const list = useInSight(current, nodes.length);
  const table = childTable(nodes);
  const place = new Map(reviewed.map((index, at) => [index, at]));
  const move = (index: number, numbered: boolean) => {
    const node = nodes[index]!;
    const seen = review?.moves[place.get(index) ?? -1];
    const label = seen?.label ?? null;
    const own = node.nags.map(nagSign).join(' ');
    const glyph = label && !node.nags.some((nag) => nag <= 6) ? `${strings.analyse.glyph[label]}${own && ` ${own}`}` : own;
    const comment = commentText(node);
    return (
      <>
        {(numbered || node.ply % 2 === 1) && <span class="number">{moveNumber(node.ply)}</span>}
        <button
          type="button"
          class={`move ${label ?? ''}`}
          aria-current={index === current ? 'true' : undefined}
          onClick={() => onGo(index)}
          onContextMenu={(event) => {
            event.preventDefault();
            setMenu({ index, x: event.clientX, y: event.clientY });
          }}
          {...hold(index)}
        >
          {node.san}
          {glyph && <span class="glyph">{glyph}</span>}
          {seen && <span class="worth">{worthText(seen.worth)}</span>}
        </button>{' '}
        {label && seen?.best && (
          <span class={`judgement ${label}`}>
            {strings.analyse.labels[label]}; {strings.analyse.better(seen.best)}.{' '}
          </span>
        )}
        {/* Text from a file is text, never markup: rule 12. */}
        {comment && <span class="comment">{comment} </span>}
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
      const isMain: boolean = siblings[0] === at;
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
      numbered = others.length > 0 || nodes[at]!.comments.length > 0;
      const next: number[] = table[at]!;
      at = next[0] ?? null;
    }
    return out;
  };
  const first = table[0]!;
  const preface = commentText(nodes[0]!);
  return (
    <div class="moves tree scroll" ref={list} tabIndex={0} role="region" aria-label={strings.play.moves}>
      {preface && <p class="comment">{preface}</p>}
      {first.length === 0 ? <p class="soft">{strings.play.noMoves}</p> : line(first[0]!, 0)}
      {menu && nodes[menu.index] && <MoveMenu nodes={nodes} place={menu} dispatch={dispatch} onClose={() => setMenu(null)} />}
    </div>
  );
};

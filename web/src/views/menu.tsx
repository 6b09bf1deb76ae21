// The menu of a move: opened with the right button, the menu key, or a long touch.
import { useEffect, useRef } from 'preact/hooks';
import type { Input } from '../input';
import type { Node } from '../messages';
import { strings } from '../strings';
import { branchOf, movedVariation } from '../tree';
import type { Dispatch } from './app';

const words = strings.study;

export interface Place {
  index: number;
  x: number;
  y: number;
}

export const MoveMenu = ({ nodes, place, dispatch, onClose }: { nodes: Node[]; place: Place; dispatch: Dispatch; onClose(): void }) => {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = menu.current!;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${Math.max(4, Math.min(place.x, innerWidth - width - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(place.y, innerHeight - height - 4))}px`;
    element.querySelector('button')?.focus();
    const outside = (event: Event) => {
      if (!element.contains(event.target as globalThis.Node)) onClose();
    };
    addEventListener('pointerdown', outside, true);
    return () => removeEventListener('pointerdown', outside, true);
  }, [place]);
  const inVariation = branchOf(nodes, place.index) !== null;
  const items: [string, Input, boolean][] = [
    [words.promote, { on: 'move variation', by: -1 }, inVariation],
    [words.mainLine, { on: 'main line' }, inVariation],
    [words.demote, { on: 'move variation', by: 1 }, movedVariation(nodes, place.index, 1) !== null],
    [words.deleteFrom, { on: 'delete from here' }, true],
  ];
  const step = (by: number) => {
    const buttons = [...menu.current!.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + by + buttons.length) % buttons.length]?.focus();
  };
  return (
    <div
      ref={menu}
      class="menu"
      role="menu"
      aria-label={nodes[place.index]!.san ?? ''}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape' || event.key === 'Tab') onClose();
        else if (event.key === 'ArrowDown') step(1);
        else if (event.key === 'ArrowUp') step(-1);
        else return;
        event.preventDefault();
      }}
    >
      {items
        .filter(([, , possible]) => possible)
        .map(([label, input]) => (
          <button
            type="button"
            role="menuitem"
            onClick={() => {
              onClose();
              dispatch({ on: 'node', index: place.index });
              dispatch(input);
            }}
          >
            {label}
          </button>
        ))}
    </div>
  );
};

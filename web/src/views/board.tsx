// The chess board: chessground inside, one object of properties outside.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Config } from '@lichess-org/chessground/config';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Color, Key } from '@lichess-org/chessground/types';
import { Component, type ComponentChildren, createRef } from 'preact';
import '@lichess-org/chessground/assets/chessground.base.css';
import type { Node } from '../messages';
import type { State } from '../state';
import { strings } from '../strings';
import type { Dispatch } from './app';

export interface BoardProps {
  fen: string;
  orientation: Color;
  turn: Color;
  check: boolean;
  lastMove: [string, string] | null;
  dests: Node['dests'];
  /// Who may move; `undefined` to look only.
  movable: Color | undefined;
  premove: boolean;
  shapes: DrawShape[];
  /// Arrows and circles of the player; without `onDraw` they last until the next move.
  drawn?: DrawShape[];
  onDraw?(shapes: DrawShape[]): void;
  coordinates: boolean;
  still: boolean;
  redraw: number;
  cursor: string | null;
  picked: string | null;
  onMove(from: string, to: string): void;
  onKey?(key: string): void;
  /// A finger swept across the board: one move back (-1) or on (1).
  onStep?(by: -1 | 1): void;
  /// What lies over the board.
  children?: ComponentChildren;
}

/// What every board of a page takes from the state, and what it tells.
export const boardInput = ({ preferences, redraw, cursor, picked }: State, dispatch: Dispatch) => ({
  coordinates: preferences.coordinates,
  still: preferences.still,
  redraw,
  cursor,
  picked,
  onMove: (from: string, to: string) => dispatch({ on: 'board move', from, to }),
  onKey: (key: string) => dispatch({ on: 'cursor', key }),
});

/// Pixels a finger moves before that is a sweep.
const SWEEP = 50;
/// Pixels a wheel turns for one move.
const NOTCH = 40;

const destinations = (dests: Node['dests']): Map<Key, Key[]> =>
  new Map(Object.entries(dests).map(([from, to]) => [from as Key, (to?.match(/../g) ?? []) as Key[]]));

export class Board extends Component<BoardProps, { focused: boolean }> {
  private readonly element = createRef<HTMLDivElement>();
  private ground: Api | null = null;
  private turned = 0;
  private touched: { x: number; y: number } | null = null;

  /// Where a finger began, unless it holds a piece that can move.
  private touch(event: TouchEvent) {
    const finger = event.touches[0];
    this.touched = null;
    if (!finger || event.touches.length > 1 || !this.props.onStep) return;
    const key = this.ground?.getKeyAtDomPos([finger.clientX, finger.clientY]);
    const { movable, pieces } = this.ground!.state;
    const held = key !== undefined && pieces.get(key)?.color === movable.color;
    if (!held) this.touched = { x: finger.clientX, y: finger.clientY };
  }

  private release(event: TouchEvent) {
    const [start, finger] = [this.touched, event.changedTouches[0]];
    this.touched = null;
    if (!start || !finger) return;
    const [across, down] = [finger.clientX - start.x, finger.clientY - start.y];
    // A finger to the left brings what comes next, as pages are turned.
    if (Math.abs(across) > SWEEP && Math.abs(across) > 2 * Math.abs(down)) this.props.onStep?.(across < 0 ? 1 : -1);
  }

  private wheel(event: WheelEvent) {
    if (!this.props.onStep || event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    // A trackpad sends many small turns.
    this.turned += event.deltaY;
    if (Math.abs(this.turned) < NOTCH) return;
    this.props.onStep(this.turned < 0 ? -1 : 1);
    this.turned = 0;
  }

  private position(): Config {
    const { fen, orientation, turn, check, lastMove, dests, movable, premove, coordinates, still } = this.props;
    return {
      fen,
      orientation,
      turnColor: turn,
      check,
      lastMove: (lastMove ?? []) as Key[],
      coordinates,
      animation: { enabled: !still, duration: 180 },
      autoCastle: true,
      movable: {
        free: false,
        color: movable,
        dests: destinations(dests),
        rookCastle: true,
        events: { after: (from, to) => this.props.onMove(from, to) },
      },
      premovable: { enabled: premove },
      draggable: { showGhost: true },
      highlight: { custom: this.marks() },
    };
  }

  private marks(): Map<Key, string> {
    const { cursor, picked } = this.props;
    const marks = new Map<Key, string>();
    if (picked) marks.set(picked as Key, 'picked');
    if (cursor && this.state.focused) marks.set(cursor as Key, picked === cursor ? 'picked cursor' : 'cursor');
    return marks;
  }

  override componentDidMount() {
    this.ground = Chessground(this.element.current!, {
      ...this.position(),
      drawable: {
        enabled: true,
        autoShapes: this.props.shapes,
        shapes: this.props.drawn ?? [],
        // A click on the board is for moving: what was drawn into a study stays.
        eraseOnMovablePieceClick: this.props.onDraw === undefined,
        onChange: (shapes) => this.props.onDraw?.(shapes),
      },
      disableContextMenu: true,
      addDimensionsCssVarsTo: document.documentElement,
    });
    // Not passive: the wheel steps through the moves and scrolls nothing.
    this.element.current!.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
  }

  /// chessground leaves an arrow that stays where it is and puts new ones over it; the last one given is to lie on top.
  private arrange(before: DrawShape[]) {
    const { drawable, dom } = this.ground!.state;
    if (JSON.stringify(before) === JSON.stringify(this.props.shapes)) return;
    for (const shapes of [[], this.props.shapes]) {
      drawable.autoShapes = shapes;
      dom.redrawNow();
    }
  }

  override componentDidUpdate(before: BoardProps, state: { focused: boolean }) {
    const now = this.props;
    const ground = this.ground!;
    const names = ['fen', 'orientation', 'turn', 'check', 'lastMove', 'dests', 'movable', 'premove', 'redraw', 'coordinates', 'still'] as const;
    const looks = ['cursor', 'picked'] as const;
    const position = names.some((name) => before[name] !== now[name]);
    if (position || looks.some((name) => before[name] !== now[name]) || state.focused !== this.state.focused) {
      ground.set(position ? this.position() : { highlight: { custom: this.marks() } });
      const { selected, pieces } = ground.state;
      if (selected && pieces.get(selected)?.color !== now.movable) ground.selectSquare(null);
      if (position && now.movable === now.turn) ground.playPremove();
    }
    // chessground draws coordinates only when it draws everything.
    if (before.coordinates !== now.coordinates) ground.redrawAll();
    if (before.shapes !== now.shapes) this.arrange(before.shapes);
    // A new position takes what was drawn away.
    if (now.drawn && (position || before.drawn !== now.drawn)) ground.setShapes(now.drawn);
  }

  override componentWillUnmount() {
    this.ground?.destroy();
  }

  override render() {
    const { onKey, children } = this.props;
    return (
      <div
        class="board"
        role="application"
        aria-label={strings.board.label}
        tabIndex={onKey ? 0 : -1}
        // Where the board is may have changed since chessground last looked.
        onPointerDownCapture={() => this.ground?.state.dom.bounds.clear()}
        onTouchStartCapture={(event: TouchEvent) => this.touch(event)}
        onTouchEndCapture={(event: TouchEvent) => this.release(event)}
        onFocus={() => this.setState({ focused: true })}
        onBlur={() => this.setState({ focused: false })}
        onKeyDown={(event) => {
          const known = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter', ' '];
          if (!onKey || !known.includes(event.key)) return;
          event.preventDefault();
          event.stopPropagation();
          onKey(event.key);
        }}
      >
        <div ref={this.element} class="cg-wrap" />
        {children}
      </div>
    );
  }
}

/// A small picture of a position.
export class MiniBoard extends Component<{ fen: string; orientation: Color }> {
  private readonly element = createRef<HTMLDivElement>();
  private ground: Api | null = null;

  override componentDidMount() {
    this.ground = Chessground(this.element.current!, {
      fen: this.props.fen,
      orientation: this.props.orientation,
      viewOnly: true,
      coordinates: false,
      animation: { enabled: false },
      drawable: { enabled: false },
    });
  }

  override componentDidUpdate() {
    this.ground!.set({ fen: this.props.fen, orientation: this.props.orientation });
  }

  override componentWillUnmount() {
    this.ground?.destroy();
  }

  override render() {
    return (
      <div class="mini" aria-hidden="true">
        <div ref={this.element} class="cg-wrap" />
      </div>
    );
  }
}

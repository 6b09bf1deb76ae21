// The set-up board: pieces put down, moved and taken away, and everything else a FEN says.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { Color, Key, Role } from '@lichess-org/chessground/types';
import { Component, createRef, h } from 'preact';
import { useState } from 'preact/hooks';
import { type EditorPosition, faultOf, fromFen, placement, possibleEnPassant, possibleRights, toFen } from '../editor';
import { piecesOf } from '../spoken';
import type { Editor } from '../state';
import { strings } from '../strings';
import type { ViewProps } from './app';
import { Button, Check, Choice, DialogProblem, Icon } from './parts';

const words = strings.editor;
const ROLES: Record<string, Role> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };
const LETTERS = ['K', 'Q', 'R', 'B', 'N', 'P'];

const pieceOf = (letter: string): { role: Role; color: Color } => ({
  role: ROLES[letter.toLowerCase()]!,
  color: letter === letter.toUpperCase() ? 'white' : 'black',
});
const pieceName = (letter: string): string =>
  `${strings.side[pieceOf(letter).color]} ${strings.pieces[letter.toLowerCase()]}`;

export const EditorPage = ({ state, dispatch, editor }: ViewProps & { editor: Editor }) => {
  const { position, flipped, tool } = editor;
  const set = (change: Partial<EditorPosition>) => dispatch({ on: 'editor position', change });
  const fault = faultOf(position);
  const rights = possibleRights(position);
  const enPassant = possibleEnPassant(position);
  const fen = toFen(position);
  const apply = (square: string, letter: string | null) => dispatch({ on: 'editor square', square, letter });
  const palette = (letters: string[]) => (
    <div class="palette cg-wrap" role="group" aria-label={words.pieces}>
      {letters.map((letter) => (
        <button
          type="button"
          class="palette-piece"
          aria-pressed={tool === letter}
          aria-label={pieceName(letter)}
          title={pieceName(letter)}
          onClick={() => dispatch({ on: 'editor', change: { tool: tool === letter ? 'move' : letter } })}
        >
          {h('piece', { class: `${pieceOf(letter).role} ${pieceOf(letter).color}` })}
        </button>
      ))}
      <button
        type="button"
        class="palette-piece"
        aria-pressed={tool === 'delete'}
        aria-label={words.delete}
        title={words.delete}
        onClick={() => dispatch({ on: 'editor', change: { tool: tool === 'delete' ? 'move' : 'delete' } })}
      >
        <Icon name="trash" />
      </button>
    </div>
  );
  const black = LETTERS.map((letter) => letter.toLowerCase());
  return (
    <div class="table editing">
      <section class="board-side" aria-label={words.title}>
        {palette(flipped ? LETTERS : black)}
        <EditorBoard
          pieces={position.pieces}
          flipped={flipped}
          tool={tool}
          coordinates={state.preferences.coordinates}
          onPut={apply}
          onChange={(pieces) => set({ pieces })}
        />
        {palette(flipped ? black : LETTERS)}
      </section>
      <section class="panel-side">
        <div class="panel form">
          <h1>{words.title}</h1>
          <Choice
            label={words.turn}
            name="turn"
            value={position.turn}
            options={[
              ['w', strings.side.white],
              ['b', strings.side.black],
            ]}
            onChange={(turn) => set({ turn })}
          />
          <fieldset class="choice rights">
            <legend>{words.castling}</legend>
            {Object.entries(words.rights).map(([right, name]) => (
              <label class="check">
                <input
                  type="checkbox"
                  disabled={!rights.includes(right)}
                  checked={rights.includes(right) && position.castling.includes(right)}
                  onChange={() =>
                    set({ castling: position.castling.includes(right) ? position.castling.replace(right, '') : position.castling + right })
                  }
                />
                <span>{name}</span>
              </label>
            ))}
            <Check label={words.chess960} checked={position.chess960} onChange={(chess960) => set({ chess960 })} />
          </fieldset>
          <label class="field inline">
            <span>{words.enPassant}</span>
            <select
              id="en-passant"
              value={enPassant.includes(position.enPassant ?? '') ? position.enPassant! : ''}
              onChange={(event) => set({ enPassant: event.currentTarget.value || null })}
            >
              <option value="">{words.none}</option>
              {enPassant.map((square) => (
                <option value={square}>{square}</option>
              ))}
            </select>
          </label>
          <FenField fen={fen} refused={state.problem !== null} onChange={(read) => dispatch({ on: 'editor', change: { position: read } })} />
          <DialogProblem id="editor-problem" state={state} />
          {fault && (
            <p class="note problem" role="status" id="editor-fault">
              {words.faults[fault]}
            </p>
          )}
          <div class="actions">
            <Button label={words.start} onClick={() => dispatch({ on: 'editor tool', tool: 'start' })} />
            <Button label={words.clear} onClick={() => dispatch({ on: 'editor tool', tool: 'clear' })} />
            <Button label={words.mirror} onClick={() => dispatch({ on: 'editor tool', tool: 'mirror' })} />
            <Button label={words.swap} onClick={() => dispatch({ on: 'editor tool', tool: 'swap' })} />
            <Button icon="flip" text label={strings.play.flip} onClick={() => dispatch({ on: 'flip' })} />
          </div>
          <div class="actions">
            <Button label={words.analyse} kind="primary" id="editor-analyse" disabled={fault !== null} onClick={() => dispatch({ on: 'editor analyse' })} />
            <Button label={words.play} id="editor-play" disabled={fault !== null} onClick={() => dispatch({ on: 'editor play' })} />
            <Button label={strings.cancel} onClick={() => dispatch({ on: 'key', key: 'Escape' })} />
          </div>
        </div>
      </section>
    </div>
  );
};

/// What is typed stays as it is while it cannot be read.
const FenField = ({ fen, refused, onChange }: { fen: string; refused: boolean; onChange(position: EditorPosition): void }) => {
  const [draft, setDraft] = useState<string | null>(null);
  const unread = draft !== null && fromFen(draft) === null;
  return (
    <label class="field">
      <span>{words.fen}</span>
      <input
        id="editor-fen"
        maxLength={120}
        spellcheck={false}
        value={draft ?? fen}
        aria-invalid={unread || refused}
        aria-describedby="editor-problem"
        onInput={(event) => {
          const text = event.currentTarget.value;
          const read = fromFen(text);
          setDraft(text);
          if (read) onChange(read);
        }}
        onBlur={() => !unread && setDraft(null)}
      />
      {unread && <span role="status">{words.badFen}</span>}
    </label>
  );
};

interface EditorBoardProps {
  pieces: Map<string, string>;
  flipped: boolean;
  tool: string;
  coordinates: boolean;
  onPut(square: string, letter: string | null): void;
  onChange(pieces: Map<string, string>): void;
}

class EditorBoard extends Component<EditorBoardProps, { cursor: string; focused: boolean }> {
  override state = { cursor: 'e4', focused: false };
  private readonly element = createRef<HTMLDivElement>();
  private ground: Api | null = null;

  /// A piece stands by itself: it goes anywhere, and off the board.
  private config() {
    const { pieces, flipped, tool, coordinates } = this.props;
    const moving = tool === 'move';
    const cursor = this.state.focused ? new Map([[this.state.cursor as Key, 'cursor']]) : new Map<Key, string>();
    return {
      fen: placement(pieces),
      orientation: (flipped ? 'black' : 'white') as Color,
      coordinates,
      animation: { enabled: false },
      movable: { free: true, color: moving ? ('both' as const) : undefined },
      draggable: { enabled: moving, deleteOnDropOff: true },
      selectable: { enabled: true },
      highlight: { lastMove: false, custom: cursor },
    };
  }

  override componentDidMount() {
    this.ground = Chessground(this.element.current!, {
      ...this.config(),
      premovable: { enabled: false },
      drawable: { enabled: false },
      disableContextMenu: true,
      events: {
        change: () => this.tell(),
        select: (key) => {
          const { tool, pieces, onPut } = this.props;
          if (tool === 'delete') onPut(key, null);
          else if (tool !== 'move') onPut(key, pieces.get(key) === tool ? null : tool);
        },
      },
    });
  }

  private tell() {
    const now = this.ground!.getFen();
    if (now !== placement(this.props.pieces)) this.props.onChange(piecesOf(now));
  }

  override componentDidUpdate(before: EditorBoardProps) {
    this.ground!.set(this.config());
    if (this.props.tool !== 'move') this.ground!.selectSquare(null);
    if (before.coordinates !== this.props.coordinates) this.ground!.redrawAll();
  }

  override componentWillUnmount() {
    this.ground?.destroy();
  }

  private key(event: KeyboardEvent) {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const { cursor } = this.state;
    const { tool, flipped, pieces, onPut } = this.props;
    const step = steps[event.key];
    if (step) {
      const sign = flipped ? -1 : 1;
      const at = (from: number, by: number) => Math.max(0, Math.min(7, from + sign * by));
      this.setState({ cursor: `${'abcdefgh'[at(cursor.charCodeAt(0) - 97, step[0])]}${at(Number(cursor[1]) - 1, step[1]) + 1}` });
    } else if (/^[pnbrqk]$/i.test(event.key) && !event.ctrlKey && !event.metaKey) onPut(cursor, event.key);
    else if (event.key === 'Delete' || event.key === 'Backspace') onPut(cursor, null);
    else if ((event.key === 'Enter' || event.key === ' ') && tool !== 'move') {
      onPut(cursor, tool === 'delete' || pieces.get(cursor) === tool ? null : tool);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  override render() {
    return (
      <div
        class="board"
        role="application"
        aria-label={words.board}
        tabIndex={0}
        onPointerDownCapture={() => this.ground?.state.dom.bounds.clear()}
        onKeyDown={(event) => this.key(event)}
        onFocus={() => this.setState({ focused: true })}
        onBlur={() => this.setState({ focused: false })}
      >
        <div ref={this.element} class="cg-wrap" />
      </div>
    );
  }
}

// Small parts that several pages share.
import { type ComponentChildren, h } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Dispatch } from './app';
import type { Promotion, State } from '../state';
import { strings } from '../strings';
import { pieceWords, piecesOf } from '../spoken';

/// Paths of 24 x 24 drawings, stroked.
const ICONS: Record<string, string> = {
  sun: 'M12 4V2m0 20v-2m8-8h2M2 12h2m13.7-5.7 1.4-1.4M4.9 19.1l1.4-1.4m11.4 0 1.4 1.4M4.9 4.9l1.4 1.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  settings: 'M4 7h10m4 0h2M4 17h2m4 0h10M14 5v4M10 15v4',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4m0 3.5v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  sound: 'M4 10v4h4l5 4V6l-5 4zm12-1a4 4 0 0 1 0 6m2.500-9a8 8 0 0 1 0 12',
  mute: 'M4 10v4h4l5 4V6l-5 4zm12 0 5 5m0-5-5 5',
  flip: 'M7 4v14m0 0-3-3m3 3 3-3m7 5V6m0 0-3 3m3-3 3 3',
  first: 'M18 6l-7 6 7 6V6zM7 6v12',
  previous: 'M15 6l-7 6 7 6',
  next: 'M9 6l7 6-7 6',
  last: 'M6 6l7 6-7 6V6zm11 0v12',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  back: 'M9 7l-5 5 5 5M4 12h11a5 5 0 0 1 0 10h-2',
  flag: 'M6 21V4h11l-2 4 2 4H6',
  bulb: 'M9 18h6m-5 3h4M12 3a6 6 0 0 0-3.500 10.900V16h7v-2.100A6 6 0 0 0 12 3z',
  swap: 'M4 8h14l-3-3m5 11H6l3 3',
  half: 'M6 12a6 6 0 0 1 12 0m-12 0a6 6 0 0 0 12 0M12 6v12',
  download: 'M12 4v11m0 0-4-4m4 4 4-4M5 20h14',
  chart: 'M4 19h16M6 16l4-5 3 3 5-7',
  trash: 'M5 7h14M10 7V4h4v3m-7 0 1 13h8l1-13',
  open: 'M4 18V6h6l2 2h8v10z',
  copy: 'M8 8h11v12H8zM5 16V4h11',
  power: 'M12 4v8M7 7a7 7 0 1 0 10 0',
  target: 'M12 3v4m0 10v4M3 12h4m10 0h4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  fire: 'M3 12h12m0 0-4-4m4 4-4 4M19 5v14',
  left: 'M8 5 4 9l4 4M4 9h9a6 6 0 0 1 6 6v4',
  right: 'M16 5l4 4-4 4m4-4h-9a6 6 0 0 0-6 6v4',
  around: 'M7 20V9a5 5 0 0 1 10 0v7m0 0-3-3m3 3 3-3',
  people: 'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zm-6 8a6 6 0 0 1 12 0m1-8a3 3 0 1 0-1-5.800M17 14a6 6 0 0 1 4 5',
  text: 'M5 6h14M5 12h14M5 18h9',
};

export const Icon = ({ name }: { name: string }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={ICONS[name] ?? ''} />
  </svg>
);

interface ButtonProps {
  icon?: string;
  label: string;
  /// Show the label beside the icon; otherwise it is for ears and hovering only.
  text?: boolean;
  kind?: 'primary' | 'danger' | 'quiet';
  pressed?: boolean;
  disabled?: boolean;
  id?: string;
  onClick(): void;
}

export const Button = ({ icon, label, text, kind, pressed, disabled, id, onClick }: ButtonProps) => (
  <button
    type="button"
    id={id}
    class={`button ${kind ?? ''} ${text === false || (icon && text !== true) ? 'square' : ''}`}
    aria-label={text === true || !icon ? undefined : label}
    title={text === true || !icon ? undefined : label}
    aria-pressed={pressed}
    disabled={disabled}
    onClick={onClick}
  >
    {icon && <Icon name={icon} />}
    {(text === true || !icon) && <span>{label}</span>}
  </button>
);

/// A dialog that takes the focus and gives it back.
export const Dialog = ({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose(): void;
  children: ComponentChildren;
}) => {
  const dialog = useRef<HTMLDialogElement>(null);
  // At once, not after the next paint: the focus that is given back late would be taken from what is used meanwhile.
  useLayoutEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      // A dialog that is gone from the page already gives nothing back by itself.
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="dialog">
        <header>
          <h2>{title}</h2>
          <Button icon="close" label={strings.close} kind="quiet" onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
};

/// A number between bounds. What is being typed stays as it is until it is meant: the page is drawn anew many times a second
/// while engines search, and would put the old number back.
export const NumberField = ({
  label,
  value,
  min,
  max,
  step,
  id,
  inline,
  onChange,
}: {
  label: string;
  value: number;
  min: number;
  max: number;
  /// Whole numbers unless it says otherwise.
  step?: number | 'any';
  id?: string;
  /// The label beside the field.
  inline?: boolean;
  onChange(value: number): void;
}) => {
  const [draft, setDraft] = useState<string | null>(null);
  const accept = (text: string) => {
    setDraft(null);
    const typed = Number(text);
    if (text.trim() === '' || !Number.isFinite(typed)) return;
    onChange(Math.max(min, Math.min(max, step === 'any' ? typed : Math.round(typed))));
  };
  return (
    <label class={inline ? 'field inline' : 'field'}>
      <span>{label}</span>
      <input
        type="number"
        id={id}
        min={min}
        max={max}
        step={step}
        value={draft ?? value}
        onInput={(event) => setDraft(event.currentTarget.value)}
        onChange={(event) => accept(event.currentTarget.value)}
        onBlur={() => setDraft(null)}
      />
    </label>
  );
};

/// A field for moves: the keyboard's and the screen reader's way to play.
export const MoveInput = ({
  label,
  help,
  disabled,
  onMove,
}: {
  label: string;
  help: string;
  disabled: boolean;
  onMove(text: string): void;
}) => {
  const field = useRef<HTMLInputElement>(null);
  return (
    <form
      class="move-input"
      onSubmit={(event) => {
        event.preventDefault();
        const text = field.current!.value.trim();
        field.current!.value = '';
        if (text) onMove(text);
      }}
    >
      <label class="hidden" for="move">
        {label}
      </label>
      <input
        ref={field}
        id="move"
        name="move"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        maxLength={12}
        placeholder={help}
        aria-disabled={disabled}
      />
      <button type="submit" class="button">
        {strings.play.send}
      </button>
    </form>
  );
};

export const ROLES: Record<string, string> = { q: 'queen', n: 'knight', r: 'rook', b: 'bishop', p: 'pawn' };

/// Opens on the square the pawn goes to and lies over the board, the queen on that square.
export const PromotionChoice = ({
  promotion,
  side,
  flipped,
  dispatch,
}: {
  promotion: Promotion | null;
  side: 'white' | 'black';
  /// Black is at the bottom of the board.
  flipped: boolean;
  dispatch: Dispatch;
}) => {
  const choice = useRef<HTMLDivElement>(null);
  // Before it is painted: whoever sees the choice can press a key.
  useLayoutEffect(() => choice.current?.querySelector('button')?.focus(), [promotion]);
  if (!promotion) return null;
  const file = promotion.to.charCodeAt(0) - 97;
  const column = flipped ? 7 - file : file;
  const atTop = (promotion.to[1] === '8') !== flipped;
  const cancel = () => dispatch({ on: 'promote', piece: null });
  return (
    <div
      class="promotion-cover"
      role="dialog"
      aria-modal="true"
      aria-label={strings.play.promotion}
      onClick={(event) => {
        if (event.target === event.currentTarget) cancel();
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') cancel();
      }}
    >
      <div ref={choice} class={`promotion cg-wrap column-${column} ${atTop ? 'at-top' : 'at-bottom'}`}>
        {['q', 'n', 'r', 'b'].map((piece) => (
          <button
            type="button"
            class="promotion-piece"
            aria-label={strings.pieces[piece]}
            onClick={() => dispatch({ on: 'promote', piece })}
          >
            {/* chessground's own drawing */}
            {h('piece', { class: `${ROLES[piece]} ${side}` })}
          </button>
        ))}
      </div>
    </div>
  );
};

/// What went wrong with what a dialog asked for, beside the field it is about.
export const DialogProblem = ({ id, state }: { id: string; state: State }) => (
  <p class={state.problem ? 'note problem' : 'hidden'} role="alert" id={id}>
    {state.problem && `${state.problem.what} ${state.problem.next}`}
  </p>
);

/// The board as a table of words.
export const TextBoard = ({ fen }: { fen: string }) => {
  const pieces = piecesOf(fen);
  return (
    <div class="text-board scroll" tabIndex={0} role="region" aria-label={strings.board.text}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">{strings.board.rank}</span>
            </th>
            {[...'abcdefgh'].map((file) => (
              <th scope="col">{file}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[8, 7, 6, 5, 4, 3, 2, 1].map((rank) => (
            <tr>
              <th scope="row">{rank}</th>
              {[...'abcdefgh'].map((file) => {
                const piece = pieces.get(`${file}${rank}`);
                return <td>{piece ? pieceWords(piece) : '·'}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/// What went wrong, and what to do next.
export const Trouble = ({ state, dispatch }: { state: State; dispatch: Dispatch }) =>
  state.problem && (
    <div class="trouble" role="alert">
      <p>
        <strong>{state.problem.what}</strong> {state.problem.next}
      </p>
      <Button icon="close" label={strings.close} kind="quiet" onClick={() => dispatch({ on: 'dismiss' })} />
    </div>
  );

export const Choice = <T extends string>({
  label,
  name,
  value,
  options,
  onChange,
}: {
  label: string;
  name: string;
  value: T;
  options: [T, string][];
  onChange(value: T): void;
}) => (
  <fieldset class="choice">
    <legend>{label}</legend>
    <div>
      {options.map(([key, text]) => (
        <label>
          <input type="radio" name={name} checked={key === value} onChange={() => onChange(key)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
  </fieldset>
);

export const Check = ({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange(checked: boolean): void;
}) => (
  <label class="check">
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);

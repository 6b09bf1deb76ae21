// The Leiserchess board: mirrors, turns, swaps, and the beam.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LaserPiece, LaserPly, Side } from '../messages';
import { strings } from '../strings';
import { count, worthText } from '../format';
import { fitting, isLaserLive } from '../update/laser';
import type { ViewProps } from './app';
import { Button, Choice, Dialog, DialogProblem, MoveInput } from './parts';
import { useInSight } from './moves';
import { Stepper } from './play';

const words = strings.laser;
const SIZE = 100;

export const LaserPage = ({ state, dispatch }: ViewProps) => {
  const { laser } = state;
  const { view } = laser;
  const ply = view?.plies[laser.shown];
  const live = isLaserLive(laser);
  const list = useInSight(laser.shown, view?.plies.length ?? 0);
  const status = !view
    ? '…'
    : view.reason
      ? `${view.result}: ${view.reason}`
      : view.thinking
        ? words.thinking
        : words.yourMove;
  return (
    <div class="table">
      <section class="board-side" aria-label={words.title}>
        {ply && <LaserBoard state={state} dispatch={dispatch} ply={ply} />}
      </section>
      <section class="panel-side">
        <div class="panel game">
          <div class="status-line" data-status={view?.result ? 'over' : view?.thinking ? 'thinking' : 'your_move'}>
            <h1>{status}</h1>
            {!view?.result && (
              <p class="soft">
                {laser.via ? words.swapped : laser.picked ? words.picked : words.pick}
              </p>
            )}
          </div>
          <Turns state={state} dispatch={dispatch} />
          <div class="moves scroll" ref={list} tabIndex={0} role="region" aria-label={words.moves}>
            <ol class="laser-moves">
              {view?.plies.slice(1).map((one, index) => (
                <li>
                  {index % 2 === 0 && <span class="number">{index / 2 + 1}</span>}
                  <button
                    type="button"
                    class="move"
                    aria-current={index + 1 === laser.shown ? 'true' : undefined}
                    onClick={() => dispatch({ on: 'laser go to', ply: index + 1 })}
                  >
                    {one.text}
                    {one.zapped && <span class="glyph">✸{one.zapped.square}</span>}
                  </button>
                </li>
              ))}
            </ol>
          </div>
          {view && (
            <Stepper
              at={laser.shown}
              last={view.plies.length - 1}
              onGo={(at) => dispatch({ on: 'laser go to', ply: at })}
              now={ply?.text ?? null}
              onFlip={() => dispatch({ on: 'flip' })}
            />
          )}
          <MoveInput
            label={words.moveInput}
            help={words.moveInputHelp}
            disabled={!live}
            onMove={(text) => dispatch({ on: 'laser typed', text })}
          />
          <Analysis state={state} dispatch={dispatch} />
          <div class="actions">
            <Button icon="plus" text label={words.newGame} onClick={() => dispatch({ on: 'laser setup', open: true })} />
            <Button icon="back" text label={words.takeBack} onClick={() => dispatch({ on: 'laser back' })} />
            <Button icon="fire" text label={words.beam} onClick={() => dispatch({ on: 'laser fire' })} />
          </div>
          <p class="soft">{words.about}</p>
        </div>
      </section>
      {laser.setup && <LaserSetup state={state} dispatch={dispatch} />}
    </div>
  );
};

const Turns = ({ state, dispatch }: ViewProps) => {
  const moves = fitting(state.laser);
  const turns: ['L' | 'U' | 'R', string, string][] = [
    ['L', 'left', words.left],
    ['U', 'around', words.half],
    ['R', 'right', words.right],
  ];
  return (
    <div class="actions">
      {turns.map(([turn, icon, label]) => (
        <Button
          icon={icon}
          text
          label={label}
          disabled={!moves.some((mv) => mv.turn === turn && (mv.via ?? null) === state.laser.via)}
          onClick={() => dispatch({ on: 'laser turn', turn })}
        />
      ))}
    </div>
  );
};

const Analysis = ({ state, dispatch }: ViewProps) => {
  const { laser } = state;
  const line = laser.line;
  return (
    <div class="engine">
      <div class="engine-head">
        <Button
          icon="power"
          label={words.analysis}
          kind={laser.analysing ? 'primary' : undefined}
          pressed={laser.analysing}
          onClick={() => dispatch({ on: 'laser analyse' })}
        />
        <div class="engine-facts">
          <strong>{words.analysis}</strong>
          <span class="soft">
            {line && `${strings.analyse.depth} ${line.depth} · ${count(line.nodes)} ${strings.analyse.nodes}`}
          </span>
        </div>
      </div>
      {line && (
        <p class="lines">
          <span class={`worth ${line.worth.value >= 0 ? 'for-white' : 'for-black'}`}>{worthText(line.worth)}</span>{' '}
          <span class="line">{line.moves.join(' ')}</span>
        </p>
      )}
    </div>
  );
};

const LaserSetup = ({ state, dispatch }: ViewProps) => {
  const [black, setBlack] = useState(state.preferences.laser.black);
  const [seconds, setSeconds] = useState(state.preferences.laser.milliseconds / 1000);
  const [fen, setFen] = useState('');
  const close = () => dispatch({ on: 'laser setup', open: false });
  return (
    <Dialog title={words.newGame} onClose={close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          dispatch({ on: 'laser new', black, milliseconds: Math.round(seconds * 1000), fen: fen.trim() || null });
        }}
      >
        <Choice
          label={words.side}
          name="laser-side"
          value={black ? 'black' : 'white'}
          options={[
            ['white', strings.side.white],
            ['black', strings.side.black],
          ]}
          onChange={(side) => setBlack(side === 'black')}
        />
        <label class="field">
          <span>{words.time}</span>
          <input
            type="number"
            min={0.05}
            max={60}
            step="any"
            value={seconds}
            onInput={(event) => setSeconds(Number(event.currentTarget.value) || 1)}
          />
        </label>
        <label class="field">
          <span>{words.fen}</span>
          <input
            name="laser-fen"
            aria-invalid={state.problem !== null && fen !== ''}
            aria-describedby="laser-problem"
            maxLength={120}
            spellcheck={false}
            value={fen}
            onInput={(event) => setFen(event.currentTarget.value)}
          />
        </label>
        <DialogProblem id="laser-problem" state={state} />
        <div class="actions">
          <button type="submit" class="button primary">
            {strings.play.start}
          </button>
          <Button label={strings.cancel} onClick={close} />
        </div>
      </form>
    </Dialog>
  );
};

/// Files a to h, ranks 0 to 7, as the course counts them.
const place = (square: string, flipped: boolean): [number, number] => {
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]);
  return flipped ? [7 - file, rank] : [file, 7 - rank];
};

const LaserBoard = ({ state, dispatch, ply }: ViewProps & { ply: LaserPly }) => {
  const { laser } = state;
  const flipped = (laser.view?.you === 'black') !== laser.flipped;
  const [focused, setFocused] = useState(false);
  const moves = fitting(laser);
  const steps = new Set(moves.filter((mv) => mv.turn === null && (mv.via ?? null) === laser.via).map((mv) => mv.to));
  const swaps = new Set(laser.via === null ? moves.flatMap((mv) => mv.via ?? []) : []);
  const squares = [...'abcdefgh'].flatMap((file) => [...'01234567'].map((rank) => file + rank));
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Enter', ' ', 'l', 'u', 'r'];
  return (
    <div
      class="laser-board"
      role="application"
      aria-label={words.board}
      tabIndex={0}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onKeyDown={(event) => {
        if (!keys.includes(event.key)) return;
        event.preventDefault();
        event.stopPropagation();
        dispatch({ on: 'cursor', key: event.key });
      }}
    >
      <svg viewBox={`0 0 ${8 * SIZE} ${8 * SIZE}`} aria-hidden="true">
        {squares.map((square) => {
          const [x, y] = place(square, flipped);
          const kind = [
            'square',
            (x + y) % 2 === 0 ? 'light' : 'dark',
            square === laser.picked ? 'picked' : '',
            square === laser.via ? 'via' : '',
            focused && square === laser.cursor ? 'cursor' : '',
          ];
          return (
            <rect
              class={kind.join(' ')}
              data-square={square}
              x={x * SIZE}
              y={y * SIZE}
              width={SIZE}
              height={SIZE}
              onClick={() => dispatch({ on: 'laser square', square })}
            />
          );
        })}
        {squares.map((square) => {
          const [x, y] = place(square, flipped);
          return (
            <>
              {state.preferences.coordinates && square[1] === (flipped ? '7' : '0') && (
                <text class="coordinate" x={x * SIZE + SIZE - 8} y={y * SIZE + SIZE - 8} text-anchor="end">
                  {square[0]}
                </text>
              )}
              {state.preferences.coordinates && square[0] === (flipped ? 'h' : 'a') && (
                <text class="coordinate" x={x * SIZE + 6} y={y * SIZE + 22}>
                  {square[1]}
                </text>
              )}
            </>
          );
        })}
        {ply.pieces.map((piece) => (
          <Piece piece={piece} flipped={flipped} key={piece.square} />
        ))}
        {[...steps].map((square) => {
          const [x, y] = place(square, flipped);
          return <circle class="step" cx={x * SIZE + SIZE / 2} cy={y * SIZE + SIZE / 2} r={14} />;
        })}
        {[...swaps].map((square) => {
          const [x, y] = place(square, flipped);
          return (
            <rect class="swap" x={x * SIZE + 5} y={y * SIZE + 5} width={SIZE - 10} height={SIZE - 10} rx={10} />
          );
        })}
        <Beam ply={ply} flipped={flipped} side={shooter(laser.shown, laser.view!.turn, laser.view!.plies.length)} shots={laser.shots} />
        {ply.zapped && <Zap piece={ply.zapped} flipped={flipped} shots={laser.shots} />}
      </svg>
    </div>
  );
};

/// Who fired the shot that led to a position: the side that was not to move in it.
const shooter = (shown: number, turn: Side, plies: number): Side => {
  const same = (plies - 1 - shown) % 2 === 0;
  return (turn === 'white') === same ? 'black' : 'white';
};

const Piece = ({ piece, flipped }: { piece: LaserPiece; flipped: boolean }) => {
  const [x, y] = place(piece.square, flipped);
  const quarters = piece.quarters + (flipped ? 2 : 0);
  const turned = `translate(${x * SIZE + SIZE / 2} ${y * SIZE + SIZE / 2}) rotate(${quarters * 90})`;
  return (
    <g class={`laser-piece ${piece.side} ${piece.king ? 'king' : 'pawn'}`} transform={turned}>
      {piece.king ? (
        <>
          <circle r="34" />
          <path class="muzzle" d="M-12 -20 L0 -42 L12 -20 Z" />
          <path class="crown" d="M-16 12 L-18 -8 L-8 2 L0 -12 L8 2 L18 -8 L16 12 Z" />
        </>
      ) : (
        <>
          {/* Unturned, the mirror looks north-west: the long edge from lower left to upper right. */}
          <path class="body" d="M36 -36 L36 36 L-36 36 Z" />
          <path class="mirror" d="M-36 36 L36 -36" />
        </>
      )}
    </g>
  );
};

const Beam = ({ ply, flipped, side, shots }: { ply: LaserPly; flipped: boolean; side: Side; shots: number }) => {
  const line = useRef<SVGPolylineElement>(null);
  const centre = (file: number, rank: number): [number, number] => {
    const [x, y] = flipped ? [7 - file, rank] : [file, 7 - rank];
    return [x * SIZE + SIZE / 2, y * SIZE + SIZE / 2];
  };
  const points = ply.beam.map((square) => centre(square.charCodeAt(0) - 97, Number(square[1])));
  const last = points[points.length - 1];
  if (ply.exit && last) {
    const [x, y] = centre(ply.exit[0], ply.exit[1]);
    points.push([(last[0] + x) / 2, (last[1] + y) / 2]);
  }
  useEffect(() => {
    const element = line.current;
    if (!element || points.length < 2) return;
    const still =
      document.documentElement.classList.contains('still') || matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (still) return;
    const length = element.getTotalLength();
    element.style.strokeDasharray = `${length}`;
    element.animate([{ strokeDashoffset: length }, { strokeDashoffset: 0 }], {
      duration: 200 + length / 3,
      easing: 'linear',
    });
  }, [shots, ply]);
  return points.length < 2 ? null : (
    <polyline ref={line} class={`beam ${side}`} points={points.map((point) => point.join(',')).join(' ')} />
  );
};

const Zap = ({ piece, flipped, shots }: { piece: LaserPiece; flipped: boolean; shots: number }) => {
  const [x, y] = place(piece.square, flipped);
  const rays = [0, 45, 90, 135, 180, 225, 270, 315];
  return (
    <g class="zap" key={shots} transform={`translate(${x * SIZE + SIZE / 2} ${y * SIZE + SIZE / 2})`}>
      {rays.map((angle) => (
        <path d="M0 -12 L0 -34" transform={`rotate(${angle})`} />
      ))}
    </g>
  );
};

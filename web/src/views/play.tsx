// The page for playing.
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { h } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { GameView, Node, Side } from '../messages';
import { START } from '../state';
import { strings } from '../strings';
import { clockText, moveNumber } from '../format';
import { material } from '../material';
import { isLive } from '../update/play';
import type { ViewProps } from './app';
import { Board, boardInput } from './board';
import { Button, Dialog, MoveInput, PromotionChoice, ROLES, TextBoard } from './parts';
import { MoveTable } from './moves';
import { SetupDialog, styleOf } from './setup';

const NOTHING = {};
const NO_SHAPES: DrawShape[] = [];

export const PlayPage = ({ state, dispatch }: ViewProps) => {
  const { play, preferences } = state;
  const { view } = play;
  const node = view?.nodes[play.shown];
  const you: Side = view?.you ?? 'white';
  const bottom: Side = (you === 'white') !== play.flipped ? 'white' : 'black';
  const top: Side = bottom === 'white' ? 'black' : 'white';
  const live = isLive(play);
  const going = view !== null && view.status.kind !== 'over' && state.connection === 'open';
  const shapes = useHint(play.hint?.uci ?? null);
  return (
    <div class="table">
      <section class="board-side" aria-label={strings.play.title}>
        <PlayerBar view={view} side={top} told={play.told} fen={node?.fen ?? START} />
        <Board
          fen={node?.fen ?? START}
          orientation={bottom}
          turn={node?.turn ?? 'white'}
          check={node?.check ?? false}
          lastMove={node?.from_to ?? null}
          dests={live && view?.status.kind === 'your_move' ? node!.dests : NOTHING}
          movable={live && going ? you : undefined}
          premove={live && going}
          shapes={shapes}
          {...boardInput(state, dispatch)}
          onStep={(by) => dispatch({ on: 'go to', ply: play.shown + by })}
        >
          <PromotionChoice promotion={play.promotion} side={you} flipped={bottom === 'black'} dispatch={dispatch} />
        </Board>
        <PlayerBar view={view} side={bottom} told={play.told} fen={node?.fen ?? START} />
      </section>
      <section class="panel-side">
        {view ? <GamePanel state={state} dispatch={dispatch} view={view} /> : <Welcome state={state} dispatch={dispatch} />}
        {preferences.textMode && <TextBoard fen={node?.fen ?? START} />}
      </section>
      {play.setup && <SetupDialog state={state} dispatch={dispatch} />}
      {play.resigning && (
        <Dialog title={strings.play.resignSure} onClose={() => dispatch({ on: 'resign', sure: false })}>
          <div class="actions">
            <Button label={strings.play.resign} kind="danger" onClick={() => dispatch({ on: 'resign', sure: true })} />
            <Button label={strings.cancel} onClick={() => dispatch({ on: 'resign', sure: false })} />
          </div>
        </Dialog>
      )}
    </div>
  );
};

/// The same list for the same hint, so that the board is not told twice.
const useHint = (uci: string | null): DrawShape[] => {
  const [shapes, set] = useState(NO_SHAPES);
  useEffect(() => {
    set(uci ? [{ orig: uci.slice(0, 2) as Key, dest: uci.slice(2, 4) as Key, brush: 'green' }] : NO_SHAPES);
  }, [uci]);
  return shapes;
};

const Welcome = ({ state, dispatch }: ViewProps) => {
  const { elsewhere } = state.play;
  return (
    <div class="panel">
      <h1>{strings.play.title}</h1>
      {elsewhere !== null && (
        <p class="note">
          {strings.play.elsewhere}{' '}
          <Button label={strings.play.continueHere} onClick={() => dispatch({ on: 'continue here' })} />
        </p>
      )}
      <div class="actions tall">
        <Button
          id="quick-start"
          icon="plus"
          text
          label={strings.play.playNow}
          kind="primary"
          disabled={state.connection !== 'open'}
          onClick={() => dispatch({ on: 'new game', settings: state.preferences.game })}
        />
        <Button
          icon="settings"
          text
          label={strings.play.newGameDialog}
          disabled={state.connection !== 'open'}
          onClick={() => dispatch({ on: 'setup', open: true })}
        />
      </div>
      <p class="soft">{describe(state)}</p>
    </div>
  );
};

const describe = (state: ViewProps['state']): string => {
  const { game } = state.preferences;
  const opponent = game.opponent.level === null ? strings.play.full : `${strings.play.level} ${game.opponent.level}`;
  const side = strings.play[game.side];
  const clock = game.clock
    ? `${Math.round(game.clock.seconds / 60)}+${game.clock.increment}`
    : strings.play.noClock.toLowerCase();
  return `${opponent} · ${strings.play.side.toLowerCase()} ${side} · ${clock}`;
};

const GamePanel = ({ state, dispatch, view }: ViewProps & { view: GameView }) => {
  const { play } = state;
  const over = view.status.kind === 'over' ? view.status : null;
  const yours = view.status.kind === 'your_move';
  return (
    <div class="panel game">
      <div class="status-line" data-status={view.status.kind}>
        <h1>
          {over ? strings.play.over(over.result, over.reason) : yours ? strings.play.yourMove : strings.play.thinking}
        </h1>
        {view.opening && <p class="soft opening">{view.opening}</p>}
        {play.remark && <p class="soft remark">{play.remark}</p>}
        {play.note && <p class="note">{play.note}</p>}
        {play.hint && <p class="note">{strings.play.hintIs(play.hint.san)}</p>}
      </div>
      <MoveTable
        nodes={view.nodes}
        current={play.shown}
        onGo={(index) => dispatch({ on: 'go to', ply: index })}
      />
      <Stepper
        at={play.shown}
        last={view.nodes.length - 1}
        onGo={(ply) => dispatch({ on: 'go to', ply })}
        now={nowText(view.nodes[play.shown])}
        onFlip={() => dispatch({ on: 'flip' })}
      />
      {!over && (
        <MoveInput
          label={strings.play.moveInput}
          help={strings.play.moveInputHelp}
          disabled={!yours}
          onMove={(text) => dispatch({ on: 'typed move', text })}
        />
      )}
      <div class="actions">
        {over ? (
          <>
            <Button icon="plus" text label={strings.play.newGame} kind="primary" onClick={() => dispatch({ on: 'setup', open: true })} />
            <Button icon="swap" text label={strings.play.rematch} onClick={() => dispatch({ on: 'rematch' })} />
            <Button icon="chart" text label={strings.play.review} onClick={() => dispatch({ on: 'analyse game', review: true })} />
            <Button icon="back" label={strings.play.takeBack} onClick={() => dispatch({ on: 'take back' })} />
            <Button icon="download" label={strings.play.exportPgn} onClick={() => dispatch({ on: 'export game', id: view.id })} />
          </>
        ) : (
          <>
            <Button icon="back" text label={strings.play.takeBack} onClick={() => dispatch({ on: 'take back' })} />
            <Button icon="bulb" text label={strings.play.hint} disabled={!yours} onClick={() => dispatch({ on: 'hint' })} />
            <Button icon="half" text label={strings.play.draw} onClick={() => dispatch({ on: 'offer draw' })} />
            <Button icon="flag" text label={strings.play.resign} onClick={() => dispatch({ on: 'resign', sure: null })} />
            <Button icon="swap" text label={strings.play.switchSides} onClick={() => dispatch({ on: 'switch sides' })} />
            <Button icon="chart" text label={strings.play.analyse} onClick={() => dispatch({ on: 'analyse game', review: false })} />
            <Button icon="plus" text label={strings.play.newGame} onClick={() => dispatch({ on: 'setup', open: true })} />
            <Button icon="download" text label={strings.play.exportPgn} onClick={() => dispatch({ on: 'export game', id: view.id })} />
          </>
        )}
      </div>
    </div>
  );
};

const nowText = (node: Node | undefined): string | null => (node?.san ? `${moveNumber(node.ply)} ${node.san}` : null);

export const Stepper = ({
  at,
  last,
  onGo,
  now,
  onFlip,
  onUndo,
}: {
  at: number;
  last: number;
  onGo(ply: number): void;
  /// The move that led to the position shown; narrow screens have it beside the board.
  now?: string | null;
  onFlip?(): void;
  /// `null` when there is nothing to undo.
  onUndo?: (() => void) | null;
}) => (
  <div class="stepper">
    <Button icon="first" label={strings.play.first} kind="quiet" disabled={at === 0} onClick={() => onGo(0)} />
    <Button icon="previous" label={strings.play.previous} kind="quiet" disabled={at === 0} onClick={() => onGo(at - 1)} />
    <span class="now" aria-hidden="true">
      {now}
    </span>
    <Button icon="next" label={strings.play.next} kind="quiet" disabled={at === last} onClick={() => onGo(at + 1)} />
    <Button icon="last" label={strings.play.last} kind="quiet" disabled={at === last} onClick={() => onGo(last)} />
    {onFlip && <Button icon="flip" label={strings.play.flip} kind="quiet" onClick={onFlip} />}
    {onUndo !== undefined && (
      <Button icon="back" label={strings.study.undo} kind="quiet" disabled={onUndo === null} onClick={() => onUndo?.()} />
    )}
  </div>
);

/// A character goes by its own name.
const opponentName = ({ settings, opponent }: GameView): string => {
  const style = styleOf(settings);
  const { level } = settings.opponent;
  return style === 'none' || level === null ? opponent : `${strings.characters[style]?.[0] ?? style} (${level})`;
};

const PlayerBar = ({ view, side, told, fen }: { view: GameView | null; side: Side; told: number; fen: string }) => {
  const { more, ahead } = material(fen)[side];
  const name = view === null ? strings.side[side] : view.you === side ? strings.play.you : opponentName(view);
  const turn = view?.nodes[view.nodes.length - 1]?.turn;
  const running = view !== null && view.status.kind !== 'over' && turn === side && view.nodes.length > 2;
  return (
    <div class={`player ${turn === side && view?.status.kind !== 'over' ? 'to-move' : ''}`}>
      <span class={`dot ${side}`} aria-hidden="true" />
      <span class="name">{name}</span>
      {/* Pieces the other side has lost, as far as this side has more of them. */}
      <span class="material cg-wrap" {...(ahead > 0 ? { role: 'img', 'aria-label': strings.play.ahead(ahead) } : { 'aria-hidden': true })}>
        {[...more].map((letter) => h('piece', { class: `${ROLES[letter]} ${side === 'white' ? 'black' : 'white'}` }))}
        {ahead > 0 && <span>+{ahead}</span>}
      </span>
      {view?.clocks && <Clock left={view.clocks[side]} told={told} running={running} />}
    </div>
  );
};

/// Counts down by itself between two messages of the server, which decides.
const Clock = ({ left, told, running }: { left: number; told: number; running: boolean }) => {
  const [now, tick] = useState(performance.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick(performance.now()), 100);
    return () => clearInterval(timer);
  }, [running, told]);
  const shown = running ? left - Math.max(0, now - told) : left;
  return (
    <span class={`clock ${running ? 'running' : ''} ${shown < 20_000 ? 'low' : ''}`} role="timer">
      {clockText(shown)}
    </span>
  );
};

// The page for analysis.
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { AnalysisLine, Node, OptionFact, Sharing, Side, Worth } from '../messages';
import type { Analyse, Measure, State, Thinking } from '../state';
import { strings } from '../strings';
import { count, finalShare, moveNumber, shareText, winShare, worthText } from '../format';
import { openingOf, path } from '../tree';
import { step } from '../update/analyse';
import type { ViewProps } from './app';
import { Board, boardInput, MiniBoard } from './board';
import { EditorPage } from './editor';
import { ExplorerPanel } from './explorer';
import { EvaluationGraph, RaceGraph } from './graph';
import { MoveTree } from './moves';
import { Button, Check, Dialog, DialogProblem, MoveInput, NumberField, PromotionChoice, TextBoard } from './parts';
import { CoachPanel, PeoplePanel } from './people';
import { Stepper } from './play';
import { PracticePanel, PracticeStart } from './practice';
import { OptionField } from './setup';
import { AnnotationPanel, GameFacts, StudiesDialog, StudyPanel } from './study';
import { type Brush, shapesOf } from '../annotation';

const words = strings.analyse;

/// What the first engine says about the position on the board, if it is about this position.
const present = (analyse: Analyse): Thinking | null => {
  const thinking = analyse.thinking[0];
  return thinking && !thinking.threat && thinking.fen === analyse.nodes[analyse.current]!.fen ? thinking : null;
};

const worthHere = (analyse: Analyse): Worth | null => {
  const line = present(analyse)?.lines[0];
  if (line) return line.worth;
  const at = analyse.reviewed.indexOf(analyse.current);
  return at >= 0 ? (analyse.review?.moves[at]?.worth ?? null) : null;
};

/// Arrows for the best moves, numbered; a threat in red.
const arrows = (analyse: Analyse, wanted: boolean): DrawShape[] => {
  const thinking = analyse.thinking[0];
  const node = analyse.nodes[analyse.current]!;
  if (!wanted || !thinking || node.over) return [];
  const about = (fen: string) => fen.split(' ')[0];
  if (about(thinking.fen) !== about(node.fen) || (!thinking.threat && thinking.fen !== node.fen)) return [];
  return thinking.lines.slice(0, thinking.threat ? 1 : 5).flatMap((line, index) => {
    const uci = line.uci[0];
    if (!uci) return [];
    const brush = thinking.threat ? 'red' : index === 0 ? 'blue' : 'paleBlue';
    return [
      {
        orig: uci.slice(0, 2) as Key,
        dest: uci.slice(2, 4) as Key,
        brush,
        // The better the move, the wider its arrow.
        modifiers: { lineWidth: Math.max(4, 12 - 3 * index) },
        label: thinking.threat ? undefined : { text: `${index + 1}` },
      },
    ];
  }).reverse(); // the best one on top
};

/// What the coach says about the move on the board: green what was better, red how the move is punished.
const coachArrows = ({ coach, coached, current }: Analyse): DrawShape[] => {
  const remark = coach?.moves.find(({ ply }) => coached[ply] === current);
  const arrow = (uci: string | undefined, brush: string): DrawShape[] =>
    uci ? [{ orig: uci.slice(0, 2) as Key, dest: uci.slice(2, 4) as Key, brush }] : [];
  return remark ? [...arrow(remark.better[0], 'green'), ...arrow(remark.refutation[1], 'red')] : [];
};

export const AnalysePage = (props: ViewProps) =>
  props.state.analyse.editor ? <EditorPage {...props} editor={props.state.analyse.editor} /> : <AnalysisBoard {...props} />;

const AnalysisBoard = ({ state, dispatch }: ViewProps) => {
  const { analyse, preferences } = state;
  const node = analyse.nodes[analyse.current]!;
  const orientation: Side = analyse.flipped ? 'black' : 'white';
  const first = analyse.thinking[0];
  const shapes = useMemo(
    () => [...arrows(analyse, preferences.arrows), ...coachArrows(analyse)],
    [first?.lines, analyse.current, preferences.arrows, analyse.coach],
  );
  const drawn = useMemo(
    () => shapesOf(node).map(({ brush, from, to }): DrawShape => ({ brush, orig: from as Key, dest: from === to ? undefined : (to as Key) })),
    [node.comments],
  );
  const opening = openingOf(analyse.nodes, analyse.current);
  const worth = worthHere(analyse);
  const steps = path(analyse.nodes, analyse.current).length - 1;
  const panel = useRef<HTMLElement>(null);
  // Another study or file begins with its names and moves, wherever the one before was left.
  useEffect(() => {
    panel.current?.scrollTo(0, 0);
    scrollTo(0, 0);
  }, [analyse.study.key, analyse.collection?.collection]);
  return (
    <div class="table analysing">
      <section class="board-side" aria-label={words.title}>
        <div class="board-and-bar">
          <EvaluationBar worth={worth} node={node} flipped={analyse.flipped} />
          <Board
            fen={node.fen}
            orientation={orientation}
            turn={node.turn}
            check={node.check}
            lastMove={node.from_to}
            dests={node.dests}
            movable={state.connection === 'open' ? node.turn : undefined}
            premove={false}
            shapes={shapes}
            drawn={drawn}
            onDraw={(list) =>
              dispatch({
                on: 'shapes',
                shapes: list.map(({ brush, orig, dest }) => ({ brush: brush as Brush, from: orig, to: dest ?? orig })),
              })
            }
            {...boardInput(state, dispatch)}
            onStep={(by) => dispatch({ on: 'key', key: by < 0 ? 'ArrowLeft' : 'ArrowRight' })}
          >
            <PromotionChoice promotion={analyse.promotion} side={node.turn} flipped={analyse.flipped} dispatch={dispatch} />
          </Board>
        </div>
        {analyse.preview && (
          <div class="preview">
            <MiniBoard fen={analyse.preview} orientation={orientation} />
          </div>
        )}
      </section>
      <section class="panel-side" ref={panel}>
        {analyse.practice && <PracticePanel state={state} dispatch={dispatch} practice={analyse.practice} />}
        <div class="panel">
          <h1 class="hidden">{words.title}</h1>
          <EnginePanel state={state} dispatch={dispatch} slot={0} />
          {analyse.comparing && (
            <>
              <EnginePanel state={state} dispatch={dispatch} slot={1} />
              <label class="field inline">
                <span>{words.measure}</span>
                <select
                  id="measure"
                  value={analyse.measure}
                  onChange={(event) => dispatch({ on: 'measure', measure: event.currentTarget.value as Measure })}
                >
                  {Object.entries(words.measures).map(([measure, name]) => (
                    <option value={measure}>{name}</option>
                  ))}
                </select>
              </label>
              <RaceGraph
                measure={analyse.measure}
                courses={[analyse.thinking[0]?.course ?? [], analyse.thinking[1]?.course ?? []]}
              />
            </>
          )}
        </div>
        <div class="panel grow">
          <GameFacts state={state} />
          {analyse.fault && (
            <p class="note problem" role="status" id="fault">
              {words.fault(analyse.fault)}
            </p>
          )}
          <p class="opening-line">
            <strong>{opening ?? (node.over ? node.over : ' ')}</strong>
            {analyse.note && <span class="note">{analyse.note}</span>}
          </p>
          <MoveTree
            nodes={analyse.nodes}
            current={analyse.current}
            review={analyse.review}
            reviewed={analyse.reviewed}
            onGo={(index) => dispatch({ on: 'node', index })}
            dispatch={dispatch}
          />
          <Stepper
            at={steps}
            last={step(state, 1)[0] === state ? steps : steps + 1}
            onGo={(ply) =>
              dispatch({ on: 'key', key: ply === 0 ? 'Home' : ply === steps + 1 ? 'ArrowRight' : ply === steps - 1 ? 'ArrowLeft' : 'End' })
            }
            onFlip={() => dispatch({ on: 'flip' })}
            now={node.san && `${moveNumber(node.ply)} ${node.san}`}
            onUndo={analyse.undo.length > 0 ? () => dispatch({ on: 'undo' }) : null}
          />
          <AnnotationPanel state={state} dispatch={dispatch} />
          <MoveInput
            label={strings.play.moveInput}
            help={strings.play.moveInputHelp}
            disabled={false}
            onMove={(text) => dispatch({ on: 'typed move', text })}
          />
          <ReviewPanel state={state} dispatch={dispatch} />
          <div class="actions">
            <Button icon="open" text label={words.import} id="open-import" onClick={() => dispatch({ on: 'import', open: true })} />
            <Button icon="plus" text label={words.reset} onClick={() => dispatch({ on: 'reset board' })} />
            <Button icon="settings" text id="edit-position" label={strings.editor.title} onClick={() => dispatch({ on: 'edit position', fen: null })} />
            <Button icon="swap" text label={words.playFrom} disabled={node.over !== null} onClick={() => dispatch({ on: 'play from here' })} />
            <Button icon="people" text id="own-position" label={strings.own.searchHere} onClick={() => dispatch({ on: 'own position' })} />
            <Button icon="copy" text label={words.copyFen} onClick={() => dispatch({ on: 'copy fen' })} />
            <Button icon="download" text label={words.exportPgn} id="export" onClick={() => dispatch({ on: 'export chapter' })} />
          </div>
        </div>
        <StudyPanel state={state} dispatch={dispatch} />
        <div class="panel">
          <ExplorerPanel state={state} dispatch={dispatch} />
          <PeoplePanel state={state} dispatch={dispatch} />
          {preferences.textMode && <TextBoard fen={node.fen} />}
        </div>
        {analyse.collection && analyse.collection.games.length > 1 && <Collection state={state} dispatch={dispatch} />}
      </section>
      {analyse.listing && <StudiesDialog state={state} dispatch={dispatch} />}
      {analyse.importing && <ImportDialog state={state} dispatch={dispatch} />}
    </div>
  );
};

const EvaluationBar = ({ worth, node, flipped }: { worth: Worth | null; node: Node; flipped: boolean }) => {
  const final = finalShare(node);
  const share = final ?? (worth ? winShare(worth) : 0.5);
  const text = final !== null ? shareText(final) : worth ? worthText(worth) : '';
  return (
    <div
      class={`bar ${flipped ? 'flipped' : ''}`}
      role="meter"
      aria-label={words.evaluation}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={node.over ?? (text || words.idle)}
    >
      {/* Widths go through an attribute: the page's policy allows no style in markup. */}
      <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
        <rect class="black" width="10" height="100" />
        <rect class="white" width="10" y={100 - share * 100} height={share * 100} />
      </svg>
      <span class={share >= 0.5 ? 'for-white' : 'for-black'}>{final !== null ? text : text.replace(/[+-]/g, '')}</span>
    </div>
  );
};

const EnginePanel = ({ state, dispatch, slot }: ViewProps & { slot: 0 | 1 }) => {
  const { analyse, engine } = state;
  const running = analyse.running[slot];
  const thinking = analyse.thinking[slot];
  const node = analyse.nodes[analyse.current]!;
  const settings = state.preferences.analysis[slot];
  const set = (change: Partial<typeof settings>) => dispatch({ on: 'analysis settings', slot, change });
  const here = thinking && (thinking.threat || thinking.fen === node.fen) ? thinking : null;
  const options = settings.engine ? [] : (engine?.options.filter((option) => !option.opponent) ?? []);
  const other = settings.engine ? state.otherOptions[settings.engine] : undefined;
  const expert = (name: string) => strings.expertOptions.includes(name);
  const field = (option: OptionFact) => (
    <OptionField
      option={option}
      value={settings.options.find(([name]) => name === option.name)?.[1] ?? null}
      onChange={(value) => set({ options: [...settings.options.filter(([name]) => name !== option.name), [option.name, value]] })}
    />
  );
  return (
    <div class="engine">
      <div class="engine-head">
        <Button
          icon="power"
          label={running ? words.engineOn : words.engineOff}
          kind={running ? 'primary' : undefined}
          pressed={running}
          id={`engine-${slot}`}
          onClick={() => dispatch({ on: 'engine', slot })}
        />
        <div class="engine-facts">
          <strong>{settings.engine ?? (analyse.comparing ? (slot === 0 ? words.first : words.other) : words.engine)}</strong>
          <span class="soft">
            {here && here.depth > 0
              ? `${words.depth} ${here.depth} · ${count(here.nodes)} ${words.nodes} · ${count(here.speed)} ${words.speed}${
                  analyse.comparing ? ` · ${words.table} ${(here.permille / 10).toFixed(0)} %` : ''
                }`
              : running
                ? words.waiting
                : ''}
          </span>
        </div>
        {slot === 0 && (
          <>
            <Button icon="target" label={words.threat} kind="quiet" pressed={analyse.threat} onClick={() => dispatch({ on: 'threat' })} />
            <Button icon="swap" label={words.compare} kind="quiet" pressed={analyse.comparing} onClick={() => dispatch({ on: 'compare' })} />
          </>
        )}
      </div>
      {analyse.comparing && ((running && settings.threads > 1) || (here?.sharing?.workers ?? 1) > 1) && (
        <SharingFacts sharing={here?.sharing ?? null} />
      )}
      {analyse.threat && slot === 0 && <p class="note">{words.threatOn}</p>}
      {node.over ? (
        <p class="soft">{words.over}</p>
      ) : here || running ? (
        <Lines
          lines={here?.lines ?? []}
          wanted={settings.lines}
          state={state}
          dispatch={dispatch}
          // A threat is a move of the other side, after this one passes.
          ply={here?.threat ? node.ply + 1 : node.ply}
          playable={!here?.threat}
        />
      ) : (
        <p class="soft">{words.idle}</p>
      )}
      <details class="engine-settings">
        <summary>{strings.settings}</summary>
        {engine && engine.engines.length > 0 && (
          <label class="field">
            <span>{words.whichEngine}</span>
            <select
              id={`which-engine-${slot}`}
              value={settings.engine ?? ''}
              // Options of one engine mean nothing to another.
              onChange={(event) => set({ engine: event.currentTarget.value || undefined, options: [] })}
            >
              <option value="">{words.ownEngine}</option>
              {engine.engines.map((name) => (
                <option value={name}>{name}</option>
              ))}
            </select>
          </label>
        )}
        <div class="row">
          <NumberField label={words.lines} value={settings.lines} min={1} max={5} onChange={(lines) => set({ lines })} />
          <NumberField label={words.threads} value={settings.threads} min={1} max={engine?.threads_max ?? 1} onChange={(threads) => set({ threads })} />
          <NumberField
            label={words.hash}
            value={settings.hash_megabytes}
            min={1}
            max={engine?.hash_max_megabytes ?? 64}
            onChange={(hash_megabytes) => set({ hash_megabytes })}
          />
        </div>
        {slot === 0 && (
          <Check
            label={words.arrows}
            checked={state.preferences.arrows}
            onChange={(on) => dispatch({ on: 'preferences', change: { arrows: on } })}
          />
        )}
        {settings.engine && !other && <p class="soft">{words.optionsLater}</p>}
        {other && other.length > 0 && (
          <details class="other-options">
            <summary>{words.options}</summary>
            {other.map(field)}
          </details>
        )}
        {options.filter(({ name }) => !expert(name)).map(field)}
        {options.some(({ name }) => expert(name)) && (
          <details>
            <summary>{words.expert}</summary>
            {options.filter(({ name }) => expert(name)).map(field)}
          </details>
        )}
      </details>
    </div>
  );
};

/// Its place is there from the start, so that nothing below jumps when the first numbers come.
const SharingFacts = ({ sharing }: { sharing: Sharing | null }) => {
  if (!sharing || sharing.workers < 2) return <p class="sharing soft" />;
  const counted = (['offers', 'takes', 'aborts', 'waits', 'deferrals'] as const)
    .filter((name) => sharing[name] > 0)
    .map((name) => `${count(sharing[name])} ${words.sharing[name]}`);
  const facts = counted.length > 0 ? counted : [words.sharing.alone];
  // Only where workers wait for each other is there anything to be idle for.
  if (sharing.offers > 0) facts.push(`${words.sharing.idle} ${(sharing.idle * 100).toFixed(1)} %`);
  return (
    <p class="sharing soft" aria-label={words.sharing.title}>
      {[words.sharing.workers(sharing.workers), ...facts].join(' · ')}
    </p>
  );
};

/// As many rows as lines are wanted, so that nothing jumps while they come in.
const Lines = ({
  lines,
  wanted,
  state,
  dispatch,
  ply,
  playable,
}: ViewProps & { lines: AnalysisLine[]; wanted: number; ply: number; playable: boolean }) => (
  <ol class="lines" onMouseLeave={() => state.analyse.preview && dispatch({ on: 'preview', fen: null })}>
    {Array.from({ length: Math.max(wanted, 1) }, (_, index) => lines[index]).map((line) => (
      <li>
        {line ? (
          <>
            <span class={`worth ${winShare(line.worth) >= 0.5 ? 'for-white' : 'for-black'}`}>{worthText(line.worth)}</span>
            <span class="line">
              {line.san.map((san, at) => (
                <>
                  {(at === 0 || (ply + at) % 2 === 0) && <span class="number">{moveNumber(ply + at + 1)}</span>}
                  <button
                    type="button"
                    class="move"
                    disabled={!playable}
                    onMouseEnter={() => dispatch({ on: 'preview', fen: line.fens[at] ?? null })}
                    onFocus={() => dispatch({ on: 'preview', fen: line.fens[at] ?? null })}
                    onBlur={() => dispatch({ on: 'preview', fen: null })}
                    onClick={() => dispatch({ on: 'line move', uci: line.uci.slice(0, at + 1) })}
                  >
                    {san}
                  </button>
                </>
              ))}
            </span>
          </>
        ) : (
          <span class="soft">…</span>
        )}
      </li>
    ))}
  </ol>
);

const ReviewPanel = ({ state, dispatch }: ViewProps) => {
  const { analyse, preferences } = state;
  const { review, reviewing } = analyse;
  if (analyse.nodes.length < 3) return null;
  return (
    <div class="review">
      <div class="actions">
        <Button
          icon="chart"
          text
          id="review"
          label={reviewing ? words.stopReview : words.review}
          kind={reviewing ? undefined : 'primary'}
          onClick={() => dispatch({ on: 'review' })}
        />
        <label class="field inline">
          <span>{words.effort}</span>
          <select
            value={`${preferences.kilonodes}`}
            onChange={(event) => dispatch({ on: 'preferences', change: { kilonodes: Number(event.currentTarget.value) } })}
          >
            <option value="100">{words.quick}</option>
            <option value="1000">{words.deep}</option>
          </select>
        </label>
      </div>
      {review && !review.finished && (
        <p class="soft" role="status">
          {words.reviewing(review.moves.length, review.total)}
          <progress max={review.total} value={review.moves.length} aria-label={words.review} />
        </p>
      )}
      {review && (
        <EvaluationGraph
          review={review}
          current={analyse.reviewed.indexOf(analyse.current)}
          onGo={(at) => dispatch({ on: 'node', index: analyse.reviewed[at] ?? 0 })}
        />
      )}
      {review && <ReportTable review={review} />}
      <PracticeStart state={state} dispatch={dispatch} />
      <CoachPanel state={state} dispatch={dispatch} />
    </div>
  );
};

const ReportTable = ({ review }: { review: NonNullable<State['analyse']['review']> }) => {
  const percent = (value: number | null) => (value === null ? '–' : `${value.toFixed(0)} %`);
  const loss = (value: number | null) => (value === null ? '–' : (value / 100).toFixed(2));
  const rows: [string, string | number, string | number][] = [
    [words.accuracy, percent(review.white.accuracy), percent(review.black.accuracy)],
    [words.loss, loss(review.white.loss), loss(review.black.loss)],
    [words.inaccuracies, review.white.inaccuracies, review.black.inaccuracies],
    [words.mistakes, review.white.mistakes, review.black.mistakes],
    [words.blunders, review.white.blunders, review.black.blunders],
  ];
  return (
    <table class="report">
      <caption class="hidden">{words.report}</caption>
      <thead>
        <tr>
          <th scope="col">{words.report}</th>
          <th scope="col">{strings.side.white}</th>
          <th scope="col">{strings.side.black}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, white, black]) => (
          <tr>
            <th scope="row">{name}</th>
            <td>{white}</td>
            <td>{black}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Collection = ({ state, dispatch }: ViewProps) => {
  const { collection, filter, opened } = state.analyse;
  if (!collection) return null;
  const wanted = filter.trim().toLowerCase();
  const fits = collection.games
    .map((game, index) => ({ game, index }))
    .filter(({ game }) => `${game.white} ${game.black} ${game.event} ${game.date} ${game.result}`.toLowerCase().includes(wanted));
  return (
    <div class="panel collection">
      <label class="field">
        <span class="hidden">{words.filter}</span>
        <input
          type="search"
          id="filter"
          placeholder={words.filter}
          value={filter}
          onInput={(event) => dispatch({ on: 'filter', text: event.currentTarget.value })}
        />
      </label>
      <p class="soft">
        {words.games(fits.length, collection.games.length)} {collection.cut_short && words.cutShort}
      </p>
      <ul class="scroll" tabIndex={0} aria-label={strings.games.title}>
        {/* A long list is cut; the filter finds the rest. */}
        {fits.slice(0, 200).map(({ game, index }) => (
          <li>
            <button
              type="button"
              class="entry"
              disabled={game.problem !== null && game.plies === 0}
              aria-current={index === opened ? 'true' : undefined}
              title={game.problem ?? undefined}
              onClick={() => dispatch({ on: 'open imported', index })}
            >
              <span class="names">
                {game.problem && game.plies === 0 ? words.unreadable : `${game.white} – ${game.black}`}
              </span>
              <span class="soft">
                {game.problem ?? `${game.result} · ${game.date} · ${game.event}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};

const ImportDialog = ({ state, dispatch }: ViewProps) => {
  const text = useRef<HTMLTextAreaElement>(null);
  return (
    <Dialog title={words.import} onClose={() => dispatch({ on: 'import', open: false })}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          dispatch({ on: 'load', text: text.current!.value });
        }}
      >
        <p class="soft">{words.importHelp}</p>
        <label class="field">
          <span>{words.paste}</span>
          <textarea
            ref={text}
            id="paste"
            rows={8}
            spellcheck={false}
            aria-invalid={state.problem !== null}
            aria-describedby="paste-problem"
          />
        </label>
        <DialogProblem id="paste-problem" state={state} />
        <div class="actions">
          <button type="submit" class="button primary">
            {words.load}
          </button>
          <label class="button file">
            {words.file}
            <input
              type="file"
              accept=".pgn,.fen,.epd,.txt"
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                if (file) dispatch({ on: 'load file', file });
              }}
            />
          </label>
        </div>
      </form>
    </Dialog>
  );
};

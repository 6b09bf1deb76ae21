// The laboratory's experiments: a list with progress, and reports.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LabPlayer } from '../messages';
import { strings } from '../strings';
import { dateText } from '../format';
import type { ViewProps } from './app';
import { Button, Check, Choice, NumberField } from './parts';

const words = strings.lab;
/// How often a running experiment is looked at.
const REFRESH = 3000;

export const LabPage = ({ state, dispatch }: ViewProps) => {
  const { experiments, open, report, place } = state.lab;
  useEffect(() => {
    if (open !== null) return;
    const timer = setInterval(() => {
      if (!document.hidden) dispatch({ on: 'open report', id: null });
    }, REFRESH);
    return () => clearInterval(timer);
  }, [open]);
  if (open !== null) {
    return (
      <div class="reading">
        <Button icon="previous" text label={words.back} onClick={() => dispatch({ on: 'open report', id: null })} />
        {report === null ? <p class="soft">{words.loading}</p> : <Report text={report} />}
      </div>
    );
  }
  return (
    <div class="reading">
      <h1>{words.title}</h1>
      <p class="soft">{words.about}</p>
      {place && <p class="soft">{words.place(place)}</p>}
      <Start state={state} dispatch={dispatch} />
      {experiments === null ? (
        <p class="soft">…</p>
      ) : experiments.length === 0 ? (
        <p class="panel">{words.none}</p>
      ) : (
        <ul class="experiments">
          {experiments.map((one) => (
            <li key={one.id} class="panel">
              <div>
                <strong>{one.name}</strong> <span class="tag">{one.kind}</span>
                <p class="soft">
                  {one.problem ?? `${words.progress(one.done, one.wanted, one.unit)} · ${dateText(one.created)} · ${one.folder}`}
                </p>
                {one.wanted !== null && one.done < one.wanted && (
                  <progress max={one.wanted} value={one.done} aria-label={one.name} />
                )}
                {one.running && (
                  <p class="soft" data-running>
                    {words.running} {one.said}
                  </p>
                )}
              </div>
              <div class="actions">
              {one.running ? (
                <Button icon="power" text label={words.stop} onClick={() => dispatch({ on: 'lab stop', id: one.id })} />
              ) : (
                one.problem === null &&
                (one.wanted === null || one.done < one.wanted) && (
                  <Button icon="next" text label={words.resume} onClick={() => dispatch({ on: 'lab resume', id: one.id })} />
                )
              )}
              {one.games && <Button icon="open" text label={words.games} onClick={() => dispatch({ on: 'lab games', id: one.id })} />}
              <Button
                icon="chart"
                text
                label={words.report}
                disabled={one.problem !== null}
                onClick={() => dispatch({ on: 'open report', id: one.id })}
              />
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

/// Starts an experiment: a match between two engines, or a ready-made study.
const Start = ({ state, dispatch }: ViewProps) => {
  const { studies, experiments } = state.lab;
  const [kind, setKind] = useState<'match' | 'study'>('match');
  const [players, setPlayers] = useState<[LabPlayer, LabPlayer]>([
    { engine: null, level: null },
    { engine: null, level: 1800 },
  ]);
  const [games, setGames] = useState(20);
  const [nodes, setNodes] = useState(20_000);
  const [name, setName] = useState('');
  const [quick, setQuick] = useState(true);
  const running = experiments?.some((one) => one.running) ?? false;
  const study = studies?.find((one) => one.name === name) ?? studies?.[0];
  const change = (slot: 0 | 1, part: Partial<LabPlayer>) => {
    const next: [LabPlayer, LabPlayer] = [...players];
    next[slot] = { ...next[slot], ...part };
    setPlayers(next);
  };
  return (
    <details class="panel" id="lab-new">
      <summary>{words.start}</summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (kind === 'match') dispatch({ on: 'lab start', start: { kind, first: players[0], second: players[1], games, nodes } });
          else if (study) dispatch({ on: 'lab start', start: { kind, name: study.name, quick } });
        }}
      >
        <Choice
          label={words.kind}
          name="lab-kind"
          value={kind}
          options={[
            ['match', words.match],
            ['study', words.study],
          ]}
          onChange={(next) => setKind(next)}
        />
        {kind === 'match' ? (
          <>
            {([0, 1] as const).map((slot) => (
              <Player
                label={words.player(slot + 1)}
                slot={slot}
                player={players[slot]}
                engines={state.engine?.engines ?? []}
                levels={[state.engine?.level_min ?? 600, state.engine?.level_max ?? 2800]}
                onChange={(part) => change(slot, part)}
              />
            ))}
            <NumberField label={words.gameCount} id="lab-games" min={2} max={10_000} step={2} value={games} onChange={setGames} />
            <NumberField label={words.nodeCount} id="lab-nodes" min={100} max={10_000_000} value={nodes} onChange={setNodes} />
          </>
        ) : (
          study && (
            <>
              <label class="field">
                <span>{words.study}</span>
                <select id="lab-study" value={study.name} onChange={(event) => setName(event.currentTarget.value)}>
                  {studies!.map((one) => (
                    <option value={one.name}>
                      {one.name} ({one.kind})
                    </option>
                  ))}
                </select>
              </label>
              <p class="soft">{study.about}</p>
              <Check label={words.quick(study.quick_time, study.time)} checked={quick} onChange={setQuick} />
            </>
          )
        )}
        <button type="submit" class="button primary" id="lab-start" disabled={running}>
          {words.begin}
        </button>
        {running && <p class="soft">{words.oneAtATime}</p>}
      </form>
    </details>
  );
};

const Player = ({
  label,
  slot,
  player,
  engines,
  levels: [low, high],
  onChange,
}: {
  label: string;
  slot: number;
  player: LabPlayer;
  engines: string[];
  levels: [number, number];
  onChange(part: Partial<LabPlayer>): void;
}) => (
  <fieldset class="choice">
    <legend>{label}</legend>
    <label class="field">
      <span>{strings.analyse.whichEngine}</span>
      <select
        id={`lab-engine-${slot}`}
        value={player.engine ?? ''}
        onChange={(event) => onChange({ engine: event.currentTarget.value || null, level: null })}
      >
        <option value="">{strings.analyse.ownEngine}</option>
        {engines.map((name) => (
          <option value={name}>{name}</option>
        ))}
      </select>
    </label>
    {player.engine === null && (
      <>
        <Check label={strings.play.full} checked={player.level === null} onChange={(full) => onChange({ level: full ? null : 1800 })} />
        {player.level !== null && (
          <NumberField label={strings.play.level} id={`lab-level-${slot}`} min={low} max={high} step={50} value={player.level} onChange={(level) => onChange({ level })} />
        )}
      </>
    )}
  </fieldset>
);

/// A report is a page of its own with its own style. It is shown in a shadow, where neither reaches the other; scripts in
/// it would not run, and it has none.
const Report = ({ text }: { text: string }) => {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current!;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    // The page's policy forbids styles in markup; the same styles set from here are allowed.
    const styles: string[] = [];
    const markup = text
      .replaceAll(/<style>([\s\S]*?)<\/style>/g, (_, style: string) => {
        styles.push(style);
        return '';
      })
      .replaceAll(/ style="/g, ' data-style="');
    const page = new DOMParser().parseFromString(markup, 'text/html');
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(styles.join('\n').replaceAll(':root', ':host').replaceAll(/\bbody\b/g, ':host'));
    root.adoptedStyleSheets = [sheet];
    root.replaceChildren(...page.body.childNodes);
    for (const styled of root.querySelectorAll<HTMLElement | SVGElement>('[data-style]')) {
      styled.style.cssText = styled.dataset['style'] ?? '';
    }
  }, [text]);
  return <div class="report-host" ref={host} />;
};

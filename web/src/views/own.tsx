// The player's own games of any place: import, filters, export; and progress over time.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OwnGame, PhaseErrors } from '../messages';
import { noFilter } from '../state';
import { strings } from '../strings';
import type { ViewProps } from './app';
import { Button, Choice, Dialog } from './parts';
import { ProgressChart } from './progress';

const words = strings.own;
/// How often a running review is looked at.
const REFRESH = 2000;

const SPEEDS = ['bullet', 'blitz', 'rapid', 'classical', 'correspondence', 'other'];

const Import = ({ state, dispatch }: ViewProps) => {
  const field = useRef<HTMLInputElement>(null);
  const { imported, importing } = state.own;
  return (
    <div class="own-import">
      <div class="actions">
        <Button icon="open" text id="own-import" label={words.import} disabled={importing} onClick={() => field.current!.click()} />
        <Button icon="download" text id="own-export" label={words.export} disabled={!state.own.list?.total} onClick={() => dispatch({ on: 'own export' })} />
      </div>
      <input
        ref={field}
        type="file"
        class="hidden"
        id="own-file"
        accept=".pgn,.txt,application/x-chess-pgn"
        tabIndex={-1}
        aria-label={words.import}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) dispatch({ on: 'own import', file });
          event.currentTarget.value = '';
        }}
      />
      {importing && !state.problem && <p class="soft" role="status">{words.importing}</p>}
      {imported && (
        <p class="note" role="status" id="own-imported">
          {words.imported(imported.added, imported.known, imported.unreadable)}
        </p>
      )}
    </div>
  );
};

/// The names under which the player plays; without them nobody's results can be counted.
const Names = ({ state, dispatch }: ViewProps) => {
  const names = state.own.list?.names ?? [];
  const [draft, set] = useState<string | null>(null);
  const text = draft ?? names.join(', ');
  const offered = (state.own.imported?.players ?? []).filter(
    (name, at, all) => ![...names, ...all.slice(0, at)].some((known) => known.toLowerCase() === name.toLowerCase()),
  );
  const save = (list: string[]) => {
    set(null);
    dispatch({ on: 'own names', names: list });
  };
  return (
    <div class="own-names">
      <label class="field">
        <span>{words.names}</span>
        <input
          id="own-names"
          value={text}
          placeholder={words.namesHelp}
          onInput={(event) => set(event.currentTarget.value)}
          onChange={(event) => save(event.currentTarget.value.split(','))}
        />
      </label>
      {offered.length > 0 && (
        <div class="actions">
          {offered.map((name) => (
            <Button icon="plus" text label={words.thisIsMe(name)} onClick={() => save([...names, name])} />
          ))}
        </div>
      )}
    </div>
  );
};

const Filters = ({ state, dispatch }: ViewProps) => {
  const { filter } = state.own;
  const change = (part: Partial<typeof filter>) => dispatch({ on: 'own filter', change: part });
  const day = (value: string | null) => value?.replaceAll('.', '-') ?? '';
  const date = (value: string) => (value === '' ? null : value.replaceAll('-', '.'));
  return (
    <div class="own-filters">
      <label class="field">
        <span>{words.words}</span>
        <input type="search" id="own-words" value={filter.words} onInput={(event) => change({ words: event.currentTarget.value })} />
      </label>
      <label class="field">
        <span>{words.opening}</span>
        <input type="search" id="own-opening" value={filter.opening} onInput={(event) => change({ opening: event.currentTarget.value })} />
      </label>
      <label class="field">
        <span>{words.side}</span>
        <select
          id="own-side"
          value={filter.white === null ? '' : `${filter.white}`}
          onChange={(event) => change({ white: event.currentTarget.value === '' ? null : event.currentTarget.value === 'true' })}
        >
          <option value="">{words.any}</option>
          <option value="true">{strings.side.white}</option>
          <option value="false">{strings.side.black}</option>
        </select>
      </label>
      <label class="field">
        <span>{words.result}</span>
        <select
          id="own-result"
          value={filter.half_points === null ? '' : `${filter.half_points}`}
          onChange={(event) => change({ half_points: event.currentTarget.value === '' ? null : Number(event.currentTarget.value) })}
        >
          <option value="">{words.any}</option>
          <option value="2">{words.won}</option>
          <option value="1">{words.drawn}</option>
          <option value="0">{words.lost}</option>
        </select>
      </label>
      <label class="field">
        <span>{words.speed}</span>
        <select id="own-speed" value={filter.speed ?? ''} onChange={(event) => change({ speed: event.currentTarget.value || null })}>
          <option value="">{words.any}</option>
          {SPEEDS.map((speed) => (
            <option value={speed}>{words.speeds[speed]}</option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{words.from}</span>
        <input type="date" id="own-from" value={day(filter.from)} onChange={(event) => change({ from: date(event.currentTarget.value) })} />
      </label>
      <label class="field">
        <span>{words.to}</span>
        <input type="date" id="own-to" value={day(filter.to)} onChange={(event) => change({ to: date(event.currentTarget.value) })} />
      </label>
      {filter.position !== null && (
        <p class="note">
          {words.withPosition} <code>{filter.position.split(' ')[0]}</code>
        </p>
      )}
      <Button icon="close" text id="own-clear" label={words.clear} onClick={() => dispatch({ on: 'own filter', change: noFilter() })} />
    </div>
  );
};

export const OwnGamesTab = (props: ViewProps) => {
  const { state, dispatch } = props;
  const { list, removing } = state.own;
  return (
    <>
      <p class="soft">{words.about}</p>
      <Import {...props} />
      <Names {...props} />
      <Filters {...props} />
      {list === null ? (
        <p class="soft">…</p>
      ) : (
        <>
          <p role="status" id="own-total">
            {words.total(list.total, list.all)}
            {list.names.length > 0 && list.total > 0 && ` · ${words.score(list.wins, list.draws, list.losses)}`}
          </p>
          <ul class="own-games">
            {list.games.map((game) => (
              <Row key={game.id} game={game} dispatch={dispatch} />
            ))}
          </ul>
          {list.total > list.games.length && <p class="soft">{words.more(list.games.length)}</p>}
        </>
      )}
      {removing !== null && (
        <Dialog title={strings.games.removeSure} onClose={() => dispatch({ on: 'own remove', id: null, sure: false })}>
          <div class="actions">
            <Button label={strings.games.remove} kind="danger" onClick={() => dispatch({ on: 'own remove', id: removing, sure: true })} />
            <Button label={strings.cancel} onClick={() => dispatch({ on: 'own remove', id: null, sure: false })} />
          </div>
        </Dialog>
      )}
    </>
  );
};

const Row = ({ game, dispatch }: { game: OwnGame; dispatch: ViewProps['dispatch'] }) => {
  const player = (name: string, elo: number | null) => (elo ? `${name} (${elo})` : name);
  return (
    <li class="panel">
      <button type="button" class="own-game" onClick={() => dispatch({ on: 'own open', id: game.id, flipped: game.player_is_white === false })}>
        <strong>
          {player(game.white, game.white_elo)} – {player(game.black, game.black_elo)} <span class="tag">{game.result}</span>
        </strong>
        <span class="soft">
          {[game.date, words.speeds[game.speed], strings.games.plies(game.plies), game.opening, game.accuracy === null ? null : words.accuracyOf(Math.round(game.accuracy))]
            .filter((part) => part)
            .join(' · ')}
        </span>
      </button>
      <Button icon="trash" label={strings.games.remove} onClick={() => dispatch({ on: 'own remove', id: game.id, sure: false })} />
    </li>
  );
};

export const ProgressTab = (props: ViewProps) => {
  const { state, dispatch } = props;
  const { progress, reviewing, list } = state.own;
  const [measure, show] = useState<'accuracy' | 'rating'>('accuracy');
  useEffect(() => {
    if (!reviewing?.running) return;
    const timer = setInterval(() => {
      if (!document.hidden) dispatch({ on: 'own refresh' });
    }, REFRESH);
    return () => clearInterval(timer);
  }, [reviewing?.running]);
  return (
    <>
      <p class="soft">{words.progressAbout}</p>
      <Names {...props} />
      <div class="actions">
        <Button
          icon="bulb"
          text
          id="own-review"
          label={reviewing?.running ? words.stopReview : words.review}
          disabled={!reviewing?.running && (list?.names.length ?? 0) === 0}
          onClick={() => dispatch({ on: 'own review' })}
        />
      </div>
      {reviewing?.running && (
        <p class="soft" role="status">
          {words.reviewing(reviewing.done, reviewing.total)}
          <progress max={Math.max(reviewing.total, 1)} value={reviewing.done} aria-label={words.review} />
        </p>
      )}
      {progress === null || progress.points.length === 0 ? (
        <p class="panel">{words.nothingReviewed}</p>
      ) : (
        <>
          <Choice
            label={words.plot}
            name="progress-measure"
            value={measure}
            options={[
              ['accuracy', words.accuracy],
              ['rating', words.rating],
            ]}
            onChange={(next) => show(next)}
          />
          <ProgressChart points={progress.points} measure={measure} onGo={(id) => dispatch({ on: 'own open', id, flipped: false })} />
          <Errors title={words.byPhase} rows={progress.phases.map((row) => ({ ...row, name: words.phases[row.name] ?? row.name }))} />
          <Errors title={words.byOpening} rows={progress.openings} />
          <table class="report">
            <caption>{words.byTheme}</caption>
            <tbody>
              {progress.themes.map(({ name, errors }) => (
                <tr>
                  <th scope="row">{words.themes[name] ?? name}</th>
                  <td>{errors}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </>
  );
};

const Errors = ({ title, rows }: { title: string; rows: PhaseErrors[] }) => (
  <div class="wide" role="region" aria-label={title} tabIndex={0}>
    <table class="report">
      <caption>{title}</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">{words.moves}</th>
          <th scope="col">{words.errors}</th>
          <th scope="col">{words.perHundred}</th>
          <th scope="col">{words.lossPerMove}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, moves, errors, loss }) => (
          <tr>
            <th scope="row">{name}</th>
            <td>{moves}</td>
            <td>{errors}</td>
            <td>{moves > 0 ? ((100 * errors) / moves).toFixed(1) : '–'}</td>
            <td>{moves > 0 ? `${((100 * loss) / moves).toFixed(1)} %` : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

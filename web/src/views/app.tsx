// The page: one function from the state to what is shown.
import { useEffect } from 'preact/hooks';
import { isSite } from '../host';
import { PAGES, type State } from '../state';
import { Backup } from './backup';
import type { Input } from '../input';
import { type Language, LANGUAGES } from '../language';
import { strings } from '../strings';
import { Button, Check, Choice, Dialog, Trouble } from './parts';
import { PlayPage } from './play';
import { lazy } from './lazy';

export type Dispatch = (input: Input) => void;

export interface ViewProps {
  state: State;
  dispatch: Dispatch;
}

export const App = ({ state, dispatch }: ViewProps) => {
  // On a phone the row of pages is wider than the screen.
  useEffect(() => document.querySelector('nav a[aria-current]')?.scrollIntoView({ inline: 'center', block: 'nearest' }), [state.page]);
  return (
  <>
    <a class="skip" href="#main">
      {strings.skip}
    </a>
    <header class="top">
      <a class="brand" href="#/play">
        <img src="/icon.svg" alt="" width="28" height="28" />
        <span>{strings.brand}</span>
      </a>
      <nav aria-label={strings.brand}>
        {PAGES.filter((page) => !isSite || page !== 'lab').map((page) => (
          <a href={`#/${page}`} aria-current={page === state.page ? 'page' : undefined}>
            {strings.nav[page]}
          </a>
        ))}
      </nav>
      <div class="tools">
        <Button
          icon={state.preferences.sound ? 'sound' : 'mute'}
          label={state.preferences.sound ? strings.mute : strings.unmute}
          kind="quiet"
          onClick={() => dispatch({ on: 'preferences', change: { sound: !state.preferences.sound } })}
        />
        <Button
          icon="settings"
          label={strings.settings}
          kind="quiet"
          onClick={() => dispatch({ on: 'dialog', dialog: 'settings' })}
        />
        <Button
          icon="help"
          label={strings.help}
          kind="quiet"
          onClick={() => dispatch({ on: 'dialog', dialog: 'help' })}
        />
      </div>
    </header>
    {state.connection !== 'open' && (
      <div class={`banner ${state.connection}`} role="status">
        {strings.connection[state.connection]}
      </div>
    )}
    <main id="main" tabIndex={-1} class={`page ${state.page}`}>
      {!(state.play.setup || state.analyse.importing || state.laser.setup) && <Trouble state={state} dispatch={dispatch} />}
      <PageView state={state} dispatch={dispatch} />
    </main>
    <div class="hidden" role="status" aria-live="polite" id="announcer">
      {state.announcement}
    </div>
    {state.dialog === 'help' && <Help dispatch={dispatch} />}
    {state.dialog === 'settings' && <Settings state={state} dispatch={dispatch} />}
  </>
  );
};

/// The first page comes with the program; the others when they are opened.
const AnalysePage = lazy(async () => (await import('./analyse')).AnalysePage);
const PuzzlesPage = lazy(async () => (await import('./puzzles')).PuzzlesPage);
const RepertoirePage = lazy(async () => (await import('./repertoire')).RepertoirePage);
const GamesPage = lazy(async () => (await import('./games')).GamesPage);
const LaserPage = lazy(async () => (await import('./laser')).LaserPage);
const LabPage = lazy(async () => (await import('./lab')).LabPage);

const PageView = (props: ViewProps) => {
  switch (props.state.page) {
    case 'play':
      return <PlayPage {...props} />;
    case 'analyse':
      return <AnalysePage {...props} />;
    case 'puzzles':
      return <PuzzlesPage {...props} />;
    case 'repertoire':
      return <RepertoirePage {...props} />;
    case 'games':
      return <GamesPage {...props} />;
    case 'laser':
      return <LaserPage {...props} />;
    case 'lab':
      return <LabPage {...props} />;
  }
};

const Help = ({ dispatch }: { dispatch: Dispatch }) => (
  <Dialog title={strings.help} onClose={() => dispatch({ on: 'dialog', dialog: null })}>
    <dl class="keys">
      {strings.helpText.map(([key, text]) => (
        <div>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
    <p class="soft">{strings.helpMore}</p>
  </Dialog>
);

const Settings = ({ state, dispatch }: ViewProps) => {
  const { preferences } = state;
  const set = (change: Partial<State['preferences']>) => dispatch({ on: 'preferences', change });
  return (
    <Dialog title={strings.settings} onClose={() => dispatch({ on: 'dialog', dialog: null })}>
      <div class="form">
        <Choice
          label={strings.theme.label}
          name="theme"
          value={preferences.theme}
          options={[
            ['auto', strings.theme.auto],
            ['light', strings.theme.light],
            ['dark', strings.theme.dark],
          ]}
          onChange={(theme) => set({ theme })}
        />
        <label class="field">
          <span>{strings.language.label}</span>
          <select
            id="language"
            value={preferences.language}
            title={strings.language.reload}
            onChange={(event) => dispatch({ on: 'language', language: event.currentTarget.value as Language | 'auto' })}
          >
            <option value="auto">{strings.language.auto}</option>
            {Object.entries(LANGUAGES).map(([language, name]) => (
              <option value={language} lang={language}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Check label={strings.sound} checked={preferences.sound} onChange={(sound) => set({ sound })} />
        <Check
          label={strings.coordinates}
          checked={preferences.coordinates}
          onChange={(coordinates) => set({ coordinates })}
        />
        <Choice
          label={strings.boardTheme.label}
          name="board-theme"
          value={preferences.board}
          options={(['green', 'brown', 'blue', 'grey'] as const).map((name) => [name, strings.boardTheme[name]])}
          onChange={(board) => set({ board })}
        />
        <Choice
          label={strings.pieceTheme.label}
          name="piece-theme"
          value={preferences.pieces}
          options={(['standard', 'wood', 'slate'] as const).map((name) => [name, strings.pieceTheme[name]])}
          onChange={(pieces) => set({ pieces })}
        />
        <label class="slider">
          <span>
            {strings.boardSize} <strong>{preferences.size} %</strong>
          </span>
          <input
            type="range"
            id="board-size"
            min={50}
            max={100}
            step={5}
            value={preferences.size}
            onInput={(event) => set({ size: Number(event.currentTarget.value) })}
          />
        </label>
        <Check label={strings.autoQueen} checked={preferences.autoQueen} onChange={(autoQueen) => set({ autoQueen })} />
        <Check label={strings.noMotion} checked={preferences.still} onChange={(still) => set({ still })} />
        <Check label={strings.textMode} checked={preferences.textMode} onChange={(textMode) => set({ textMode })} />
        {isSite && <Backup />}
      </div>
    </Dialog>
  );
};

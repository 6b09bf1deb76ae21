// Wires the one state to the socket, the address bar, the keyboard and the screen.
import { render } from 'preact';
import { App } from './views/app';
import type { Effect, Input } from './input';
import type { Imported, OpenedGame, PuzzleFacts, StudySummary, StudyView } from './messages';
import type { PuzzleRecord } from './puzzles';
import type { RepertoireRecord } from './repertoire';
import { languageOf, speak } from './language';
import { Saver } from './saver';
import { inLanguage } from './server';
import { connect, request, takeToken, type Line } from './host';
import { play as playSound } from './sound';
import { defaultPreferences, initial, PAGES, type Page, type Preferences, type State } from './state';
import { strings } from './strings';
import { update } from './update';
import './style.css';

const PREFERENCES = 'tabiya-preferences';
const GAME = 'tabiya-game';
const STUDY = 'tabiya-study';
const LASER = 'tabiya-laser';
const PUZZLES = 'tabiya-puzzles';
const OWN_PUZZLES = 'tabiya-own-puzzles';
const REPERTOIRE = 'tabiya-repertoire';
/// Puzzles of own games that are kept, the latest.
const MOST_OWN_PUZZLES = 300;
const LARGEST_FILE = 200_000_000;
/// Larger files are sent as they are, without being read here.
const LARGEST_TEXT = 5_000_000;
const LARGEST_KEPT_ALIVE = 16_000;

const readPreferences = (): Preferences => {
  try {
    return { ...defaultPreferences(), ...(JSON.parse(localStorage.getItem(PREFERENCES) ?? '{}') as object) };
  } catch {
    return defaultPreferences();
  }
};

const pageNow = (): Page => {
  const name = location.hash.replace(/^#\//, '');
  return PAGES.find((page) => page === name) ?? 'play';
};

takeToken();
/// What this tab remembers, or else the last one anywhere: two tabs may hold two games.
const recall = <T,>(name: string): T | null => {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? localStorage.getItem(name) ?? 'null') as T | null;
  } catch {
    return null;
  }
};

/// Storage that is full or refused does not stop what a person is doing.
const put = (storage: Storage, name: string, value: unknown) => {
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch {
    console.warn(`${name} was not kept: the browser's storage is full or refused`);
  }
};

const remember = (name: string, value: unknown) => {
  for (const storage of [sessionStorage, localStorage]) {
    if (value === null) storage.removeItem(name);
    else put(storage, name, value);
  }
};

/// What belongs to the person, not to the tab.
const readKept = <T,>(name: string): T | null => {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') as T | null;
  } catch {
    return null;
  }
};

const first = initial(pageNow(), readPreferences());
let state: State = {
  ...first,
  analyse: { ...first.analyse, remembered: recall(STUDY) },
  laser: { ...first.laser, earlier: recall(LASER) },
  puzzles: { ...first.puzzles, record: readKept<PuzzleRecord>(PUZZLES) ?? first.puzzles.record },
  repertoire: { ...first.repertoire, record: readKept<RepertoireRecord>(REPERTOIRE) ?? {} },
};
let line: Line | null = null;
let waiting = false;
let pressed: ReturnType<typeof setTimeout> | undefined;

const show = () => {
  waiting = false;
  if (pressed !== undefined) return;
  const root = document.documentElement;
  root.dataset['theme'] = state.preferences.theme;
  root.dataset['board'] = state.preferences.board;
  root.dataset['pieces'] = state.preferences.pieces;
  root.style.setProperty('--size', `${state.preferences.size / 100}`);
  root.classList.toggle('still', state.preferences.still);
  document.title = `${strings.nav[state.page]} · ${strings.brand}`;
  render(<App state={state} dispatch={dispatch} />, document.getElementById('app')!);
};

const showSoon = () => {
  if (waiting) return;
  waiting = true;
  // Many events may come in one frame; they are shown once. A hidden tab gets no frames and needs none.
  if (document.hidden) setTimeout(show, 250);
  else requestAnimationFrame(show);
};

const dispatch = (input: Input): void => {
  const [next, effects] = update({ ...state, now: Date.now() }, input);
  state = next;
  for (const effect of effects) perform(effect);
  showSoon();
};

const problem = (what: string, next: string) => dispatch({ on: 'problem', what, next });

/// An answer of the server, its words in the language of the page.
const read = async <T,>(answer: Response): Promise<T> => inLanguage((await answer.json()) as T);

const ask = async (path: string, options: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response | null> => {
  try {
    const answer = await request(path, options);
    if (answer.ok) return answer;
    if (answer.status === 422) {
      const said = await read<{ what: string; next: string }>(answer);
      problem(said.what, said.next);
    } else if (answer.status === 413) problem(strings.problems.fileTooLarge, strings.problems.fileTooLargeNext);
    else problem(strings.problems.unreadable, strings.problems.reload);
  } catch {
    problem(strings.problems.unreachable, strings.problems.unreachableNext);
  }
  return null;
};

const saver = new Saver({
  write: async (text, known) => {
    // A browser finishes a small request even when its page is gone.
    const keepalive = text.length < LARGEST_KEPT_ALIVE;
    if (known === null) {
      const made = await ask('/api/studies', { method: 'POST', body: text, keepalive });
      if (!made) return null;
      const { id, revision } = await read<StudyView>(made);
      return { id, revision };
    }
    const headers = { 'x-tabiya-revision': `${known.revision}` };
    const answer = await ask(`/api/studies/${known.id}`, { method: 'PUT', body: text, headers, keepalive });
    return answer && { id: known.id, revision: await read<number>(answer) };
  },
  done: (key, saved) => dispatch({ on: 'study saved', key, ...saved }),
  failed: (key) => dispatch({ on: 'study not saved', key }),
});

const upload = (body: string | File) =>
  void ask('/api/pgn', { method: 'POST', body }).then(async (answer) => {
    if (answer) dispatch({ on: 'imported', imported: await read<Imported>(answer) });
  });

const perform = (effect: Effect): void => {
  switch (effect.do) {
    case 'send':
      if (line && !line.send(effect.command) && state.connection === 'open') {
        problem(strings.problems.unreachable, strings.problems.unreachableNext);
      }
      return;
    case 'save':
      put(localStorage, PREFERENCES, effect.preferences);
      return;
    case 'sound':
      void playSound(effect.sound);
      return;
    case 'remember game':
      remember(GAME, effect.id);
      return;
    case 'download': {
      const address = URL.createObjectURL(new Blob([effect.text], { type: 'application/x-chess-pgn' }));
      const link = Object.assign(document.createElement('a'), { href: address, download: effect.name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      return;
    }
    case 'upload':
      upload(effect.text);
      return;
    case 'read file':
      void loadFile(effect.file);
      return;
    case 'fetch imported':
      void ask(`/api/pgn/${effect.collection}/${effect.index}`).then(async (answer) => {
        if (answer) dispatch({ on: 'opened game', game: await read<OpenedGame>(answer), index: effect.index });
      });
      return;
    case 'fetch report':
      void ask(`/api/lab/${effect.id}`).then(async (answer) => {
        if (answer) dispatch({ on: 'report', text: await answer.text() });
      });
      return;
    case 'save study':
      saver.save(effect.key, effect.id, effect.revision, effect.chapters);
      return;
    case 'add study':
      void ask('/api/studies', { method: 'POST', body: effect.text }).then(async (answer) => {
        if (answer) dispatch({ on: 'study', study: await read<StudyView>(answer) });
      });
      return;
    case 'fetch studies':
      void saver.flushAll().then(async () => {
        const answer = await ask('/api/studies');
        if (answer) dispatch({ on: 'studies', studies: await read<StudySummary[]>(answer) });
      });
      return;
    case 'fetch study':
      void saver.flushAll().then(async () => {
        const answer = await ask(`/api/studies/${effect.id}`);
        if (answer) dispatch({ on: 'study', study: await read<StudyView>(answer) });
        else if (state.analyse.remembered?.id === effect.id) dispatch({ on: 'study gone' });
      });
      return;
    case 'delete study':
      void ask(`/api/studies/${effect.id}`, { method: 'DELETE' });
      return;
    case 'remember study':
      remember(STUDY, effect.place);
      return;
    case 'remember laser':
      remember(LASER, effect.game);
      return;
    case 'fetch puzzles':
      void ask('/api/puzzles').then(async (answer) => {
        if (!answer) return;
        const shipped = await read<PuzzleFacts[]>(answer);
        const own = readKept<PuzzleFacts[]>(OWN_PUZZLES) ?? [];
        dispatch({ on: 'puzzles', puzzles: [...shipped, ...own.filter(({ id }) => !shipped.some((one) => one.id === id))] });
      });
      return;
    case 'remember puzzles':
      put(localStorage, PUZZLES, effect.record);
      return;
    case 'keep puzzles': {
      const known = readKept<PuzzleFacts[]>(OWN_PUZZLES) ?? [];
      const fresh = effect.puzzles.filter(({ id }) => !known.some((one) => one.id === id));
      put(localStorage, OWN_PUZZLES, [...known, ...fresh].slice(-MOST_OWN_PUZZLES));
      return;
    }
    case 'remember repertoire':
      put(localStorage, REPERTOIRE, effect.record);
      return;
    case 'request': {
      const body = effect.body === undefined ? undefined : JSON.stringify(effect.body);
      void ask(effect.path, { method: effect.method, body }).then(async (answer) => {
        const input = answer && effect.answer(await read<never>(answer));
        if (input) dispatch(input);
      });
      return;
    }
    case 'send file':
      if (effect.file.size > LARGEST_FILE) problem(strings.problems.fileTooLarge, strings.problems.fileTooLargeNext);
      else {
        void ask(effect.path, { method: 'POST', body: effect.file }).then(async (answer) => {
          if (answer) dispatch(effect.answer(await read<never>(answer)));
        });
      }
      return;
    case 'save answer':
      void ask(effect.path, { method: 'POST', body: JSON.stringify(effect.body) }).then(async (answer) => {
        if (answer) perform({ do: 'download', name: effect.name, text: await answer.text() });
      });
      return;
    case 'later':
      setTimeout(() => dispatch(effect.input), effect.milliseconds);
      return;
    case 'go':
      if (pageNow() !== effect.page) location.hash = `#/${effect.page}`;
      return;
    case 'copy':
      void navigator.clipboard?.writeText(effect.text);
      return;
    case 'reload':
      void saver.flushAll().then(() => location.reload());
      return;
    case 'focus input':
      document.getElementById('move')?.focus();
      return;
  }
};

addEventListener('hashchange', () => {
  if (/token=/.test(location.hash)) location.reload();
  else if (location.hash.startsWith('#/')) dispatch({ on: 'page', page: pageNow() });
});

/// What a pointer brought the focus to; the keyboard takes it over with Tab.
let clicked: EventTarget | null = null;
addEventListener('click', (event) => {
  const byPointer = event.detail > 0;
  clicked = byPointer ? (event.target as Element).closest('button, a, summary') : null;
});

addEventListener('keydown', (event) => {
  if (event.key === 'Tab') clicked = null;
  const target = event.target as HTMLElement;
  const typing = target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select');
  const undo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z';
  if (undo && !typing && state.page === 'analyse') {
    event.preventDefault();
    dispatch({ on: 'undo' });
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector('dialog[open]') && event.key !== '?') return;
  if (typing && event.key !== 'Escape') return;
  // A button reached by keyboard keeps its own keys; one that was clicked does not keep the space bar.
  const own = target.matches('button, a, summary, input') && target !== clicked;
  if (own && (event.key === ' ' || event.key === 'Enter')) return;
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Escape', '?', '/', ' ', 'f', 'm', 'n', 'b', 'h', 'l', 'x'];
  if (!keys.includes(event.key)) return;
  // Only the analysis has variations to go up and down in; elsewhere these keys scroll.
  const vertical = event.key === 'ArrowUp' || event.key === 'ArrowDown';
  if (vertical && (state.page !== 'analyse' || target.matches('.scroll'))) return;
  event.preventDefault();
  dispatch({ on: 'key', key: event.key });
});

// What is under a pointer stays there until it is let go: engines move the page many times a second, and a browser makes no
// click of a press and a release on two different things. The board is drawn on meanwhile: there a press may be long. Lists of
// choices open at the press, and some browsers never tell of the release; a second is the longest wait in any case.
addEventListener(
  'pointerdown',
  (event) => {
    const target = event.target as Element;
    if (target.closest('button, summary, a, label') === null || target.closest('select') !== null) return;
    clearTimeout(pressed);
    pressed = setTimeout(letGo, 1000);
  },
  true,
);
const letGo = () => {
  if (pressed === undefined) return;
  clearTimeout(pressed);
  pressed = undefined;
  showSoon();
};
// The click itself comes after the release, with a finger a little later.
addEventListener('pointerup', () => setTimeout(letGo, 50), true);
for (const end of ['click', 'pointercancel']) addEventListener(end, () => setTimeout(letGo), true);
addEventListener('blur', () => letGo()); // the window's own

// A change of the last moment is saved before the page goes.
addEventListener('visibilitychange', () => {
  if (document.hidden) void saver.flushAll();
});
addEventListener('beforeunload', (event) => {
  void saver.flushAll();
  if (saver.behind) event.preventDefault();
});

// A game or a position pasted anywhere is opened; in a field it is text.
addEventListener('paste', (event) => {
  const target = event.target as HTMLElement;
  if (target.matches('input, textarea') || document.querySelector('dialog[open]')) return;
  const text = event.clipboardData?.getData('text') ?? '';
  if (text.trim() === '') return;
  event.preventDefault();
  dispatch({ on: 'load', text });
});

addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file) void loadFile(file);
});

const loadFile = async (file: File): Promise<void> => {
  if (file.size > LARGEST_FILE) problem(strings.problems.fileTooLarge, strings.problems.fileTooLargeNext);
  else if (file.size > LARGEST_TEXT) upload(file);
  else dispatch({ on: 'load', text: await file.text() });
};

await speak(languageOf(state.preferences.language, navigator.languages));
// The drawings of the pieces come in a file of their own, beside the program.
void import('@lichess-org/chessground/assets/chessground.cburnett.css');
show();
line = connect(
  (event) => dispatch({ on: 'event', event: inLanguage(event), now: performance.now() }),
  (connection) => dispatch({ on: 'connection', connection, game: connection === 'open' ? recall(GAME) : null }),
);

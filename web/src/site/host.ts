// The board without a server: the session runs in a worker of this page, and everything is kept in the browser's storage.
import type { Command, Event } from '../messages';
import type { Connection, Line } from '../socket';
import { strings } from '../strings';
import { showProgress, showWarning } from './progress';

type Problems = keyof typeof strings.site.problems;

type Message =
  | { kind: 'open' | 'lost' | 'full' | 'pong' }
  | { kind: 'event'; json: string }
  | { kind: 'answer'; number: number; status: number; body: string }
  | { kind: 'problem'; code: Problems }
  | { kind: 'progress'; loaded: number; total: number };

const ENGINE = new URL('engine/board-worker.js', document.baseURI);
const RELOADED = 'tabiya-reloaded';
const KEEP_AFTER = 5000;
const READY_AFTER = 3000;
/// Milliseconds between two questions to the worker, which never waits, and how many without a word from it mean that it is gone. They
/// are counted, because a page that was given no time has not asked either.
const BEAT = 2000;
const SILENCE = 6;
const MOST_RESTARTS = 3;

/// Problems whose sentence stays until it is closed, by their subject. That of storage holds for everything that follows. An engine that is
/// there again opens the game again, which takes every other sentence away, often before it can be read.
const LASTING: Partial<Record<Problems, string>> = { storageRefused: 'storage', engineFailed: 'engine', engineMissing: 'engine' };

// For tests and the curious: everything is there for a visit without a network.
navigator.serviceWorker?.addEventListener('message', ({ data }) => {
  if (data === 'kept') document.documentElement.dataset['offline'] = 'ready';
});

let worker: Worker | null = null;
/// Until the first worker is there requests wait.
let startedFirst: () => void;
const started = new Promise<void>((resolve) => (startedFirst = resolve));
let numbers = 0;
const waiting = new Map<number, (answer: Response) => void>();

/// Registers the service worker. A page that may not share memory yet is loaded once more, with the service worker's headers; where
/// it still may not, the engine has one thread.
const becomeIsolated = async (): Promise<void> => {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return;
  try {
    await workers.register(new URL('service-worker.js', document.baseURI));
    if (crossOriginIsolated) {
      sessionStorage.removeItem(RELOADED);
      return;
    }
    if (sessionStorage.getItem(RELOADED)) return;
    // Where registering is blocked without an error it is never ready.
    await Promise.race([workers.ready, new Promise((late) => setTimeout(late, READY_AFTER))]);
    sessionStorage.setItem(RELOADED, 'yes');
  } catch {
    return;
  }
  location.reload();
  await new Promise(() => {});
};

/// What ends searches that were asked for before. Everything else waits for their end, but for that of an analysis.
const ENDING: ReadonlySet<Command['type']> = new Set<Command['type']>([
  'new_game',
  'open_game',
  'leave_game',
  'move',
  'take_back',
  'resign',
  'switch_sides',
  'hint',
  'review',
  'stop_review',
  'coach',
  'stop_coach',
  'laser_new',
  'laser_move',
  'laser_take_back',
]);

/// Addresses that a worker without threads looks at while it searches: see `web/site/single-board.js`.
let addresses: string[] = [];
/// A search on the only thread lets messages in.
const hearsMessages = 'Suspending' in WebAssembly && 'promising' in WebAssembly;

/// Sends to the worker. One that searches on its only thread hears of it at once, or because its addresses are gone.
const post = (message: object, endsSearches: boolean) => {
  if (crossOriginIsolated || hearsMessages) return worker?.postMessage({ ...message, ends: endsSearches });
  const [any, ending] = addresses;
  if (any) URL.revokeObjectURL(any);
  if (ending && endsSearches) URL.revokeObjectURL(ending);
  const fresh = () => URL.createObjectURL(new Blob(['.']));
  addresses = [fresh(), !ending || endsSearches ? fresh() : ending];
  return worker?.postMessage({ ...message, addresses });
};

export const connect = (hear: (event: Event) => void, change: (connection: Connection) => void): Line => {
  let open = false;
  let restarts = 0;
  let unanswered = 0;
  let beat: ReturnType<typeof setInterval> | undefined;
  const tell = (code: Problems) => {
    const { what, next } = strings.site.problems[code];
    const subject = LASTING[code];
    if (subject) showWarning(subject, what, next);
    else hear({ type: 'problem', what, next });
  };
  const start = () => {
    worker = new Worker(ENGINE, { type: 'module' });
    startedFirst();
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      unanswered = 0;
      if (data.kind === 'event') hear(JSON.parse(data.json) as Event);
      if (data.kind === 'problem') tell(data.code);
      if (data.kind === 'progress') showProgress(data.loaded, data.total);
      if (data.kind === 'answer') {
        waiting.get(data.number)?.(new Response(data.body, { status: data.status }));
        waiting.delete(data.number);
      }
      if (data.kind === 'open' || data.kind === 'lost' || data.kind === 'full') {
        open = data.kind === 'open';
        change(data.kind);
      }
    };
    worker.onerror = () => fail();
    clearInterval(beat);
    unanswered = 0;
    beat = setInterval(() => {
      // A hidden page is given little time, and so is its worker.
      unanswered = document.hidden ? 0 : unanswered + 1;
      if (unanswered > SILENCE) fail();
      worker?.postMessage({ kind: 'ping' });
    }, BEAT);
  };
  /// The worker is gone. What was played is in the storage: the page opens its game again.
  const fail = () => {
    clearInterval(beat);
    worker?.terminate();
    for (const [number, resolve] of waiting) {
      waiting.delete(number);
      resolve(new Response('', { status: 503 }));
    }
    open = false;
    change('lost');
    restarts += 1;
    tell(restarts > MOST_RESTARTS ? 'engineMissing' : 'engineFailed');
    if (restarts <= MOST_RESTARTS) start();
  };
  void becomeIsolated().then(() => {
    start();
    // Everything else that a visit without a network needs, once the page is up.
    setTimeout(() => navigator.serviceWorker?.controller?.postMessage('keep'), KEEP_AFTER);
  });
  return {
    send: (command: Command) => {
      if (!open || !worker) return false;
      post({ kind: 'command', json: JSON.stringify(command) }, ENDING.has(command.type));
      return true;
    },
  };
};

/// What the server answers below `/api`, from the worker.
export const request = async (path: string, options: RequestInit & { headers?: Record<string, string> }): Promise<Response> => {
  const { method = 'GET', body = null, headers } = options;
  const bytes = body === null ? new Uint8Array() : new Uint8Array(await new Response(body).arrayBuffer());
  await started;
  const number = ++numbers;
  const message = { kind: 'request', number, method, path, revision: headers?.['x-tabiya-revision'] ?? null, body: bytes };
  post(message, method === 'DELETE' && path === '/api/own/review');
  return new Promise((resolve) => waiting.set(number, resolve));
};

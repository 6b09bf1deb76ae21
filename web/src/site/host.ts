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
/// Milliseconds between two questions to the worker, which never waits, and until it counts as gone.
const BEAT = 2000;
const SILENCE = 12_000;
const MOST_RESTARTS = 3;

// For tests and the curious: everything is there for a visit without a network.
navigator.serviceWorker?.addEventListener('message', ({ data }) => {
  if (data === 'kept') document.documentElement.dataset['offline'] = 'ready';
});

let worker: Worker | null = null;
let numbers = 0;
const waiting = new Map<number, (answer: Response) => void>();

/// Registers the service worker. A page that may not share memory yet is loaded once more, with the service worker's headers.
const becomeIsolated = async (): Promise<boolean> => {
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!workers) return crossOriginIsolated;
  try {
    await workers.register(new URL('service-worker.js', document.baseURI));
    if (crossOriginIsolated) {
      sessionStorage.removeItem(RELOADED);
      return true;
    }
    await workers.ready;
  } catch {
    return crossOriginIsolated;
  }
  if (sessionStorage.getItem(RELOADED)) return false;
  sessionStorage.setItem(RELOADED, 'yes');
  location.reload();
  return new Promise(() => {});
};

export const connect = (hear: (event: Event) => void, change: (connection: Connection) => void): Line => {
  let open = false;
  let restarts = 0;
  let alive = 0;
  let beat: ReturnType<typeof setInterval> | undefined;
  const tell = (code: Problems) => {
    const { what, next } = strings.site.problems[code];
    if (code === 'storageRefused') showWarning(what, next);
    else hear({ type: 'problem', what, next });
  };
  const start = () => {
    worker = new Worker(ENGINE, { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Message>) => {
      alive = performance.now();
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
    alive = performance.now();
    beat = setInterval(() => {
      // A hidden page is given little time, and so is its worker.
      if (document.hidden) alive = performance.now();
      else if (performance.now() - alive > SILENCE) fail();
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
  void becomeIsolated().then((isolated) => {
    if (isolated) start();
    else tell('notIsolated');
    // Everything else that a visit without a network needs, once the page is up.
    setTimeout(() => navigator.serviceWorker?.controller?.postMessage('keep'), KEEP_AFTER);
  });
  return {
    send: (command: Command) => {
      if (!open || !worker) return false;
      worker.postMessage({ kind: 'command', json: JSON.stringify(command) });
      return true;
    },
  };
};

/// What the server answers below `/api`, from the worker.
export const request = async (path: string, options: RequestInit & { headers?: Record<string, string> }): Promise<Response> => {
  const { method = 'GET', body = null, headers } = options;
  const bytes = body === null ? new Uint8Array() : new Uint8Array(await new Response(body).arrayBuffer());
  if (!worker) throw new Error('no worker');
  const number = ++numbers;
  worker.postMessage({ kind: 'request', number, method, path, revision: headers?.['x-tabiya-revision'] ?? null, body: bytes });
  return new Promise((resolve) => waiting.set(number, resolve));
};

// A real server, a real browser. Both end with the test file.
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test as run } from 'node:test';
import { chromium } from 'playwright-core';
import { serveFiles } from './files.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

const first = (candidates) => candidates.find((path) => path && existsSync(path)) ?? null;

/// See `fromDist`.
const fromFiles = process.env.TABIYA_PAGE === 'dist';

export const browserPath = first([
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]);

export const program = first([process.env.TABIYA, join(root, 'target/debug/tabiya'), join(root, 'target/quick/tabiya'), join(root, 'target/release/tabiya')]);

/// With TABIYA_HOST=site the tests run against the plain files of `make site`, in TABIYA_SITE or dist/site, in place of a server.
/// With TABIYA_HOST=site-single the page may not share memory, so that the engine has one thread.
export const isSingle = process.env.TABIYA_HOST === 'site-single';
export const isSite = isSingle || process.env.TABIYA_HOST === 'site';

/// What a page without a server does not have, or what a test asks the server itself for.
const NOT_ON_SITE = new Map([
  ...[
    'a lost server is said, and the game is there when it is back',
    'without a server no move is made; a new link in another tab brings this one back',
    'a connection that breaks is made again by itself, and the game goes on',
  ].map((name) => [name, 'there is no server to lose']),
  ...[
    'an experiment is listed with its progress and opens as a report',
    'a match is started, watched, stopped and continued; a game is replayed',
    'nothing is started by a page of another origin, without the token, or by a forged message',
    'an experiment is started and stopped by keyboard, and by touch on a phone',
  ].map((name) => [name, 'there is no lab']),
  ['an engine that the operator allowed analyses, compares, and takes its options', 'there are no other engines'],
  ['a file of 12 MB is read while it is sent; one of more than 200 MB is refused with a sentence', 'the browser keeps less'],
  ...['two engines side by side', 'engines rest when their page is left'].map((name) => [name, 'the test asks the server how many engines search']),
  ['the first page loads at most 100 kB; other pages come when they are opened', 'a service worker loads everything for a visit without a network'],
  ['a part that cannot be fetched says so and is fetched on demand', 'a service worker has every part'],
]);

/// What a page does not have that may not share memory.
const NOT_ON_ONE_THREAD = new Map([['two schedulers side by side, and how their workers share', 'the engine has one thread']]);

/// Tabs of the test that runs.
const tabs = new Set();

/// A browser on a machine that is short of time may show something later than a test can know. In CI a test that fails is therefore run
/// a second time, in new tabs; the first failure is printed, and the last line of `make test` names the test.
const twice = (name, body) => async (...given) => {
  tabs.clear();
  try {
    return await body(...given);
  } catch (error) {
    console.log(`${name}: failed, and is run a second time: ${error.stack ?? error}`);
    for (const context of tabs) await context.close().catch(() => {});
  }
  await body(...given);
  appendFileSync(process.env.TABIYA_TEST_NOTES ?? join(root, 'target/skipped-tests'), `browser test '${name}': passed at its second run only\n`);
};

/// As `test` of Node, but what the site does not have is skipped by its name.
export const test = (name, options, work) => {
  const [settings, body] = typeof options === 'function' ? [{}, options] : [options, work];
  const reason = (isSite ? NOT_ON_SITE.get(name) : undefined) ?? (isSingle ? NOT_ON_ONE_THREAD.get(name) : undefined);
  return run(name, reason ? { ...settings, skip: `on the site ${reason}` } : settings, process.env.CI ? twice(name, body) : body);
};

/// A server that answers what tests ask about the program itself, such as the solutions of its puzzles.
const serveSite = async (port) => {
  const files = await serveFiles(process.env.TABIYA_SITE ?? join(root, 'dist/site'));
  // Another port than the served board's, so that both can be tested at a time.
  // A server of files that is left open would keep the tests from ending.
  const reference = await serveProgram(port + 700, []).catch(async (error) => {
    await files.end();
    throw error;
  });
  const end = async () => {
    await files.end();
    await reference.end();
  };
  return { url: `${files.base}/`, base: files.base, api: reference.base, token: reference.token, data: null, pid: null, hello: async () => ({}), end };
};

/// Answers the address to open, and how to end the server.
export const serve = (port, extra = []) => (isSite ? serveSite(port) : serveProgram(port, extra));

const serveProgram = async (port, extra) => {
  const data = mkdtempSync(join(tmpdir(), 'tabiya-board-'));
  const server = spawn(program, ['serve', '--no-open', '--port', `${port}`, '--data', data, '--lab', data, ...extra], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (chunk) => {
      text += chunk;
      const found = /(http:\/\/\S+)\n/.exec(text);
      if (found) resolve(found[1]);
    });
    server.on('exit', (code) => reject(new Error(`tabiya serve ended with ${code}: was the page built (make board)?`)));
  });
  const token = /token=(\w+)/.exec(url)[1];
  const base = url.replace(/\/#.*/, '');
  return {
    url,
    base,
    api: base,
    token,
    data,
    pid: server.pid,
    hello: async () => (await fetch(`${base}/api/hello`, { headers: { 'x-tabiya-token': token } })).json(),
    end: async () => {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await gone;
      rmSync(data, { recursive: true, force: true });
    },
  };
};

export const launch = () =>
  chromium.launch({
    executablePath: browserPath,
    // The last one: a page that a test has put in place of the server's counts as a page from elsewhere.
    args: ['--no-sandbox', '--disable-dev-shm-usage', ...(fromFiles ? ['--disable-features=LocalNetworkAccessChecks'] : [])],
  });

const KINDS = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };

/// With TABIYA_PAGE=dist the page comes from web/dist, under the server's headers: a change of the page alone then needs
/// no new build of the server.
const fromDist = (context) =>
  context.route(/^http:\/\/127\.0\.0\.1:\d+\/(?!api\/|ws$)/, async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = join(root, 'web/dist', pathname === '/' ? 'index.html' : pathname);
    if (!existsSync(file)) return route.continue();
    const response = await route.fetch();
    const { 'content-length': _, 'content-encoding': __, ...rest } = response.headers();
    const headers = { ...rest, 'content-type': KINDS[file.split('.').pop()] };
    return route.fulfill({ status: 200, headers, body: readFileSync(file) });
  });

/// A server keeps games and studies from one tab to the next; on the site the browser has to, without what a tab remembers.
const storage = new WeakMap();
const kept = (browser) => (storage.has(browser) ? { storageState: storage.get(browser) } : {});
const keepFiles = (browser, context) => {
  const close = context.close.bind(context);
  context.close = async () => {
    const state = await context.storageState({ indexedDB: true }).catch(() => null);
    const origins = state?.origins.map((origin) => ({ ...origin, localStorage: [] }));
    if (origins) storage.set(browser, { cookies: [], origins });
    await close();
  };
};

/// A tab in which any error on the console fails the test that looks.
export const tab = async (browser, url, options = {}) => {
  const single = isSingle ? { serviceWorkers: 'block' } : {};
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...kept(browser), ...single, ...options });
  tabs.add(context);
  if (isSite) keepFiles(browser, context);
  if (fromFiles) await fromDist(context);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.errors = [];
  page.on('console', (message) => message.type() === 'error' && page.errors.push(message.text()));
  page.on('pageerror', (error) => page.errors.push(error.message));
  await page.goto(url);
  await page.locator('#quick-start:not([disabled])').waitFor();
  return page;
};

/// Adds a study, past the page.
export const addStudy = async (browser, server, text) => {
  if (!isSite) return (await fetch(`${server.base}/api/studies`, { method: 'POST', body: text, headers: { 'x-tabiya-token': server.token } })).json();
  const page = await tab(browser, server.url);
  await page.evaluate(
    (text) =>
      new Promise((done, failed) => {
        indexedDB.open('tabiya', 1).onsuccess = ({ target }) => {
          const transaction = target.result.transaction('files', 'readwrite');
          transaction.objectStore('files').put({ text, saved: Date.now() / 1000 }, 'studies/901.pgn');
          transaction.oncomplete = done;
          transaction.onerror = failed;
        };
      }),
    text,
  );
  await page.context().close();
};

/// Where a square is on the screen.
export const place = async (page, square) => {
  const board = await page.locator('.board cg-board').first().boundingBox();
  const black = (await page.locator('.board .orientation-black').count()) > 0;
  const file = square.charCodeAt(0) - 97;
  const rank = Number(square[1]) - 1;
  const [x, y] = black ? [7 - file, rank] : [file, 7 - rank];
  return { x: board.x + ((x + 0.5) * board.width) / 8, y: board.y + ((y + 0.5) * board.height) / 8 };
};

export const click = async (page, ...squares) => {
  for (const square of squares) {
    const { x, y } = await place(page, square);
    await page.mouse.click(x, y);
  }
};

export const drag = async (page, from, to) => {
  const [start, end] = [await place(page, from), await place(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
};

export const tap = async (page, ...squares) => {
  for (const square of squares) {
    const { x, y } = await place(page, square);
    await page.touchscreen.tap(x, y);
  }
};

/// Waits until so many engines search; answers how many do when the time is up.
export const searching = async (server, wanted, milliseconds = 20_000) => {
  const end = Date.now() + milliseconds;
  let { searches } = await server.hello();
  while (searches !== wanted && Date.now() < end) {
    await new Promise((done) => setTimeout(done, 50));
    ({ searches } = await server.hello());
  }
  return searches;
};

/// After a test that failed its tab is still open, its engine runs, and the next test would fail for that reason alone.
export const tidy = async (browser, server) => {
  for (const context of browser?.contexts() ?? []) await context.close();
  if (server?.pid) await searching(server, 0);
};

export const status = (page, kind) => page.locator(`.status-line[data-status=${kind}]`);

/// Starts a game by its settings, through the dialog a person uses. The engine moves at once.
export const newGame = async (page, { fen, arrangement, full = true } = {}) => {
  const dialog = page.locator('dialog');
  // A page that is still being shown does not hear its keys yet: again, as a person would.
  for (let tries = 0; tries < 10 && (await dialog.count()) === 0; tries += 1) {
    await page.keyboard.press('n');
    await dialog.waitFor({ timeout: 1000 }).catch(() => {});
  }
  if (full) await dialog.getByLabel('Full strength').check();
  if (fen) {
    await dialog.getByText('Position (FEN)').click();
    await dialog.locator('input[name=fen]').fill(fen);
  }
  if (arrangement !== undefined) {
    await dialog.getByText('Chess960', { exact: true }).click();
    await dialog.locator('input[name=arrangement]').fill(`${arrangement}`);
  }
  await dialog.getByText('More options').click();
  await dialog.getByLabel('Thinks at human speed').uncheck();
  await page.locator('#start-game').click();
  await dialog.waitFor({ state: 'detached' });
};

export const moves = (page) => page.locator('.moves .move').allTextContents();

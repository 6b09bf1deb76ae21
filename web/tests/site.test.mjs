// The board as plain files: no server but one that hands out files, and none at all after the first visit.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, afterEach, before, describe, test } from 'node:test';
import { browserPath, click, isSingle, launch, moves, newGame, tab, tap, tidy } from './harness.mjs';
import { serveFiles } from './files.mjs';

const folder = process.env.TABIYA_SITE ?? join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/site');
const skip = !browserPath
  ? 'no browser'
  : isSingle
    ? 'each test says itself whether the page may share memory'
    : !existsSync(join(folder, 'engine/tabiya-board.wasm'))
      ? 'make site was not run'
      : false;
const played = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll('.moves .move').length >= count, count, { timeout: 120_000 });
const GAME = '[White "A"]\n[Black "B"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n';
/// What "Save everything as a file" gives.
const saved = async (page) => {
  await page.getByRole('button', { name: 'Settings' }).click();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save everything as a file' }).click()]);
  return readFileSync(await download.path(), 'utf8');
};
/// Errors of the network are the point of some tests.
const own = (page) => page.errors.filter((text) => !/Failed to load resource|net::ERR/.test(text));

describe('the site', { skip, timeout: 900_000 }, () => {
  let browser;
  const servers = new Set();
  const serve = async (options) => {
    const server = await serveFiles(folder, options);
    servers.add(server);
    return server;
  };
  before(async () => {
    browser = await launch();
  });
  // After a test that failed, too: a server that stays keeps this file from its end.
  afterEach(async () => {
    await tidy(browser);
    for (const server of servers) await server.end();
    servers.clear();
  });
  after(() => browser?.close());

  test('site: a game against people of 1500, and the same game after a reload without a network', async () => {
    const server = await serve();
    const start = performance.now();
    const page = await tab(browser, `${server.base}/`);
    const ready = performance.now();
    assert.ok(await page.evaluate(() => crossOriginIsolated), 'the service worker lets the page share memory');
    assert.equal(await page.getByRole('link', { name: 'Lab' }).count(), 0, 'what needs a server is absent');
    await newGame(page, { full: false });
    const before = performance.now();
    await click(page, 'e2', 'e4');
    await played(page, 2);
    const now = performance.now();
    console.log(`site: ready after ${Math.round(ready - start)} ms, reply ${Math.round(now - before)} ms after the first move`);
    await page.locator('html[data-offline=ready]').waitFor({ state: 'attached' });
    await server.end();
    await page.reload();
    await page.locator('.moves .move').nth(1).waitFor();
    const kept = await moves(page);
    assert.ok(kept.length >= 2);
    await click(page, 'd2', 'd3');
    await played(page, 4);
    assert.deepEqual(own(page), []);
  });

  for (const [how, note] of [
    ['lets messages in', ''],
    ['looks at addresses', 'delete WebAssembly.Suspending;'],
  ]) {
    test(`site: a page that may not share memory, whose search ${how}, has a game, an analysis that pauses for a question, and a review`, async () => {
      const change = (name, bytes) => (/lib.wasi\.js$|assets.index.*\.js$/.test(name) ? Buffer.concat([Buffer.from(note), bytes]) : bytes);
      const server = await serve({ change });
      const page = await tab(browser, `${server.base}/`, { serviceWorkers: 'block' });
      assert.equal(await page.evaluate(() => crossOriginIsolated), false);
      await page.evaluate(() => {
        const make = URL.createObjectURL;
        globalThis.addresses = 0;
        URL.createObjectURL = (...given) => ((globalThis.addresses += 1), make.apply(URL, given));
      });
      await newGame(page, { full: false });
      await click(page, 'e2', 'e4');
      await played(page, 2);
      await click(page, 'd2', 'd3');
      await played(page, 4);
      // A search without an end, and the page is heard all the same.
      await page.getByRole('link', { name: 'Analyse', exact: true }).click();
      await page.keyboard.press('l');
      await page.locator('.lines .worth').first().waitFor();
      for (const [index, squares] of [['e2', 'e4'], ['e7', 'e5']].entries()) {
        await click(page, ...squares);
        await page.locator('.tree .move').nth(index).waitFor();
        await page.locator('.lines .worth').first().waitFor();
      }
      const facts = await page.locator('.engine-facts').first().textContent();
      await page.waitForFunction((old) => (document.querySelector('.engine-facts')?.textContent ?? old) !== old, facts);
      await page.locator('#review').click();
      await page.locator('#engine-0[aria-pressed=false]').waitFor();
      await page.waitForFunction(() => /%/.test(document.querySelector('.report')?.textContent ?? ''), null, { timeout: 120_000 });
      assert.equal((await page.evaluate(() => globalThis.addresses)) > 0, note !== '');
      assert.deepEqual(own(page), []);
    });
  }

  test('site: weights load while the only thread has an analysis to do', async () => {
    const server = await serve();
    const page = await tab(browser, `${server.base}/`, { serviceWorkers: 'block' });
    await page.getByRole('link', { name: 'Analyse', exact: true }).click();
    await page.keyboard.press('l');
    await page.locator('.lines .worth').first().waitFor();
    await page.locator('#people').click();
    await page.locator('.people tr').first().waitFor();
    assert.deepEqual(own(page), []);
  });

  test('site: what is imported before the engine is there waits for it', async () => {
    const server = await serve();
    const page = await tab(browser, `${server.base}/`, { serviceWorkers: 'block' });
    await page.goto(`${server.base}/#/analyse`);
    await page.reload();
    await page.locator('#open-import').click();
    await page.locator('#paste').fill('1. e4 e5 *');
    await page.locator('dialog button[type=submit]').click();
    await page.locator('.tree .move').nth(1).waitFor();
    assert.deepEqual(own(page), []);
  });

  test('site: without the weights a sentence says so, and the engine at full strength plays', async () => {
    const server = await serve({ refuse: (name) => name.endsWith('reply.bin') });
    const page = await tab(browser, `${server.base}/`);
    await page.keyboard.press('n');
    await page.locator('#start-game').click();
    await page.getByText('The model of people could not be loaded.').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await newGame(page);
    await click(page, 'e2', 'e4');
    await played(page, 2);
    assert.deepEqual(own(page), []);
  });

  test('site: damaged weights are said', async () => {
    const change = (name, bytes) => (name.endsWith('reply.bin') ? Buffer.from(bytes.map((byte, at) => (at % 1000 === 0 ? byte ^ 85 : byte))) : bytes);
    const server = await serve({ change });
    const page = await tab(browser, `${server.base}/`);
    await page.keyboard.press('n');
    await page.locator('#start-game').click();
    await page.getByText('The model of people is damaged.').first().waitFor();
  });

  for (const [how, script] of [
    ['refused', "Object.defineProperty(self, 'indexedDB', { value: { open() { throw new Error('refused') } } })"],
    ['full', "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }"],
  ]) {
    test(`site: storage that is ${how} is said, the game goes on, and everything can be saved as a file`, async () => {
      const change = (name, bytes) => (name.endsWith('engine/storage.js') ? Buffer.concat([Buffer.from(`${script};`), bytes]) : bytes);
      const server = await serve({ change });
      const page = await tab(browser, `${server.base}/`);
      await newGame(page);
      await click(page, 'e2', 'e4');
      await played(page, 2);
      await page.getByText('The browser refuses to keep games and studies.').first().waitFor();
      const hidden = await page.evaluate(() => {
        scrollTo(0, document.documentElement.scrollHeight);
        return document.getElementById('app').getBoundingClientRect().bottom - document.querySelector('.site-foot').getBoundingClientRect().top;
      });
      assert.ok(hidden <= 1, `nothing stays below the sentence, but ${hidden} pixels do`);
      const { files } = JSON.parse(await saved(page));
      assert.match(Object.values(files)[0].text, /e2e4/);
    });
  }

  test('site: a worker that the browser ends is started again, and the game is there', async () => {
    const server = await serve();
    const page = await tab(browser, `${server.base}/`);
    await newGame(page);
    await click(page, 'e2', 'e4');
    await played(page, 2);
    const before = await moves(page);
    const worker = page.workers().find((one) => one.url().endsWith('board-worker.js'));
    // A worker that is gone may answer late or never.
    worker.evaluate(() => self.close()).catch(() => {});
    const told = page.locator('.site-warning', { hasText: 'The browser ended the engine.' });
    await told.waitFor();
    // The page shows at its next frame that the engine is gone. Until the next worker has the session, no move is made.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.locator('.banner').waitFor({ state: 'detached' });
    await page.locator('.status-line[data-status=your_move]').waitFor();
    assert.equal(await told.count(), 1, 'the sentence stays when the game is there again');
    await told.getByRole('button', { name: 'Close' }).click();
    assert.equal(await told.count(), 0);
    assert.deepEqual(await moves(page), before);
    await click(page, 'd2', 'd3');
    await played(page, 4);
  });

  test('site: the memory of the module does not grow while its threads run', async () => {
    // In Chromium a thread does not know at once that another one has made the memory larger, and fails when it fills the new part.
    const note = 'const Plain = WebAssembly.Memory; WebAssembly.Memory = class extends Plain { constructor(how) { super(how); self.sharedMemory = this } };';
    const change = (name, bytes) => (name.endsWith('lib/threaded.js') ? Buffer.concat([Buffer.from(note), bytes]) : bytes);
    const server = await serve({ change });
    const page = await tab(browser, `${server.base}/`);
    const worker = page.workers().find((one) => one.url().endsWith('board-worker.js'));
    const size = () => worker.evaluate(() => self.sharedMemory.buffer.byteLength);
    const before = await size();
    await newGame(page);
    await click(page, 'e2', 'e4');
    await played(page, 2);
    await page.getByRole('link', { name: 'Analyse', exact: true }).click();
    await page.keyboard.press('l');
    await page.locator('.lines .worth').first().waitFor();
    assert.equal(await size(), before);
  });

  test('site: a worker makes one instance of the module for all the threads that it runs', async () => {
    const note = "const plain = WebAssembly.instantiate; WebAssembly.instantiate = (...given) => (new BroadcastChannel('made').postMessage(1), plain(...given));";
    const change = (name, bytes) => (name.endsWith('lib/search-worker.js') ? Buffer.concat([Buffer.from(note), bytes]) : bytes);
    const server = await serve({ change });
    const page = await tab(browser, `${server.base}/`);
    await page.evaluate(() => {
      globalThis.made = 0;
      new BroadcastChannel('made').onmessage = () => (globalThis.made += 1);
    });
    const workers = () => page.workers().filter((one) => one.url().endsWith('search-worker.js')).length;
    // Each game has a thread, which ends with it.
    for (let game = 0; game < 6; game += 1) {
      await newGame(page);
      await page.locator('.status-line[data-status=your_move]').waitFor();
    }
    const made = await page.evaluate(() => globalThis.made);
    assert.ok(made >= 1 && made <= workers(), `${made} instances in ${workers()} workers`);
  });

  test('site: games, studies and settings go out as one file and come in again', async () => {
    const server = await serve();
    const page = await tab(browser, `${server.base}/`);
    await newGame(page);
    await click(page, 'e2', 'e4');
    await played(page, 2);
    const before = await moves(page);
    const text = await saved(page);
    await page.context().close();
    const other = await tab(browser, `${server.base}/`);
    await other.getByRole('button', { name: 'Settings' }).click();
    await other.getByLabel('Read such a file').setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{}') });
    await other.getByText('This file was not made by').waitFor();
    const loaded = other.waitForEvent('load');
    await other.getByLabel('Read such a file').setInputFiles({ name: 'tabiya.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await loaded;
    await played(other, 2);
    assert.deepEqual(await moves(other), before);
  });

  test('site: a game, a review and a report of the coach by touch on a screen of 390 pixels', async () => {
    const server = await serve();
    const page = await tab(browser, `${server.base}/`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const picture = async (name) => process.env.SCREENSHOTS && page.screenshot({ path: join(process.env.SCREENSHOTS, `site-${name}-390.png`) });
    await page.locator('#quick-start').tap();
    await page.locator('.status-line').waitFor();
    await tap(page, 'e2', 'e4');
    await played(page, 2);
    await picture('game');
    await page.goto(`${server.base}/#/analyse`);
    await page.locator('#edit-position').waitFor();
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.setData('text', text);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, GAME);
    await page.locator('.tree .move').nth(5).waitFor();
    await page.locator('#review').tap();
    await page.waitForFunction(() => /%/.test(document.querySelector('.report')?.textContent ?? ''), null, { timeout: 120_000 });
    await page.locator('.report').scrollIntoViewIfNeeded();
    await picture('review');
    await page.locator('#people').tap();
    await page.locator('#coach').tap();
    await page.getByText(/played like/).waitFor({ timeout: 120_000 });
    await page.locator('.remarks li').first().scrollIntoViewIfNeeded();
    await picture('coach');
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, 'nothing is wider than the screen');
    await page.getByRole('button', { name: 'Settings' }).tap();
    const hidden = await page.locator('dialog').evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
    assert.equal(hidden, 0, 'nothing of the settings is cut off');
    assert.deepEqual(own(page), []);
  });
});

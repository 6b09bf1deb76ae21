// The board as plain files: no server but one that hands out files, and none at all after the first visit.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { browserPath, click, launch, moves, newGame, tab, tap } from './harness.mjs';
import { serveFiles } from './files.mjs';

const folder = process.env.TABIYA_SITE ?? join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/site');
const skip = !browserPath ? 'no browser' : !existsSync(join(folder, 'engine/tabiya-board.wasm')) ? 'the page without a server is unfinished' : false;
const played = (page, count) =>
  page.waitForFunction((count) => document.querySelectorAll('.moves .move').length >= count, count, { timeout: 120_000 });
/// Errors of the network are the point of some tests.
const own = (page) => page.errors.filter((text) => !/Failed to load resource|net::ERR/.test(text));

describe('the site', { skip, timeout: 900_000 }, () => {
  let browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser?.close());

  test('site: a game against people of 1500, and the same game after a reload without a network', async () => {
    const server = await serveFiles(folder);
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
    await page.context().close();
  });

  test('site: without the weights a sentence says so, and the engine at full strength plays', async () => {
    const server = await serveFiles(folder, { refuse: (name) => name.endsWith('reply.bin') });
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
    await page.context().close();
    await server.end();
  });

  test('site: a game by touch on a screen of 390 pixels', async () => {
    const server = await serveFiles(folder);
    const page = await tab(browser, `${server.base}/`, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await page.locator('#quick-start').tap();
    await page.locator('.status-line').waitFor();
    await tap(page, 'e2', 'e4');
    await played(page, 1);
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, 'site-game-390.png') });
    assert.deepEqual(own(page), []);
    await page.context().close();
    await server.end();
  });
});

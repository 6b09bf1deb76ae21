// Every page: for everyone, in both colour schemes, quickly.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, describe } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { browserPath, click, isSite, launch, newGame, serve, status, tab, test, tidy } from './harness.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const dist = fileURLToPath(new URL('../dist', import.meta.url));

describe('pages', { skip: !browserPath }, () => {
  let server;
  let browser;
  before(async () => {
    server = await serve(8103);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`nothing serious for axe, ${colorScheme}`, async () => {
      // The page's own policy forbids foreign scripts; the checker is let in for this test only.
      const page = await tab(browser, server.url, { colorScheme, bypassCSP: true });
      await newGame(page);
      await status(page, 'your_move').waitFor();
      await click(page, 'e2', 'e4');
      await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
      await page.evaluate(axe);
      const look = async (where) => {
        const { violations } = await page.evaluate(() => globalThis.axe.run(document));
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        const found = serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 3).join(' ')}`);
        assert.deepEqual(found, [], where);
      };
      await look('play');
      for (const [key, where] of [['n', 'new game'], ['?', 'help']]) {
        await page.keyboard.press(key);
        await page.locator('dialog[open]').waitFor();
        await look(where);
        await page.keyboard.press('Escape');
        await page.locator('dialog').waitFor({ state: 'detached' });
      }
      await page.getByRole('button', { name: 'Settings' }).click();
      await look('settings');
      await page.keyboard.press('Escape');
      for (const name of ['puzzles', 'repertoire', 'analyse', 'games', 'laser', ...(isSite ? [] : ['lab'])]) {
        await page.locator(`nav a[href="#/${name}"]`).click();
        await page.waitForFunction((page) => document.querySelector(`main.page.${page}`)?.innerText.trim(), name);
        await page.waitForLoadState('networkidle');
        if (name === 'analyse') {
          await page.keyboard.press('l');
          await page.locator('.lines .worth').first().waitFor();
          await page.locator('#people').click();
          await page.locator('.people tr').first().waitFor();
          await page.locator('#annotation summary').click();
          await look('annotations');
          await page.locator('#open-studies').click();
          await page.locator('dialog h2', { hasText: 'Studies' }).waitFor();
          await look('studies');
          await page.keyboard.press('Escape');
          await page.locator('dialog').waitFor({ state: 'detached' });
          await page.locator('#edit-position').click();
          await page.locator('#editor-fen').waitFor();
          await look('set-up board');
          await page.keyboard.press('Escape');
          await page.locator('#edit-position').waitFor();
        }
        if (name === 'games') {
          for (const tab of ['All my games', 'Progress']) {
            await page.getByText(tab, { exact: true }).click();
            await page.waitForLoadState('networkidle');
            await look(tab);
          }
        }
        if (name === 'lab') await page.locator('#lab-new summary').click();
        await look(name);
      }
      assert.deepEqual(page.errors, []);
      await page.context().close();
    });
  }

  test('first paint within a second', async () => {
    const page = await tab(browser, server.url);
    const times = [];
    for (let run = 0; run < 3; run += 1) {
      await page.reload();
      const paint = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
      times.push(await paint.jsonValue());
    }
    console.log(`first contentful paint: ${times.map((time) => `${Math.round(time)} ms`).join(', ')}`);
    assert.ok(Math.min(...times) < 1000, `${times}`);
    await page.context().close();
  });

  test('Leiserchess: a swap in two clicks, the beam drawn', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/laser`);
    await page.locator('.laser-board').waitFor();
    await page.getByRole('button', { name: 'New game' }).click();
    await page.locator('dialog input[name=laser-fen]').fill('ss7/8/8/3nw4/3NW4/8/8/7NN W');
    await page.locator('dialog button[type=submit]').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.locator('.status-line[data-status=your_move]').waitFor();
    const square = (name) => page.locator(`.laser-board rect[data-square=${name}]`);
    await square('d3').click();
    await page.locator('.laser-board .swap').waitFor();
    await square('d4').click();
    await page.getByText('Swapped.').first().waitFor();
    await square('d5').click();
    await page.locator('.laser-moves .move').first().waitFor();
    assert.match(await page.locator('.laser-moves .move').first().textContent(), /^d3d4d5/);
    await page.locator('polyline.beam').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.laser-moves .move').length === 0);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('settings survive a reload; text mode says the board', async () => {
    const page = await tab(browser, server.url);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Text mode').check();
    await page.getByText('Dark', { exact: true }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await page.locator('.text-board').waitFor();
    assert.equal(await page.locator('.text-board td').nth(4).textContent(), 'Black king');
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('another language: the browser’s, or the one chosen; the choice survives a reload', async () => {
    const page = await tab(browser, server.url, { locale: 'de-DE' });
    await page.getByRole('button', { name: 'Jetzt spielen' }).waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    await page.getByRole('button', { name: 'Einstellungen' }).click();
    await Promise.all([page.waitForEvent('load'), page.locator('#language').selectOption('es')]);
    await page.getByRole('button', { name: 'Jugar ahora' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Jugar ahora' }).waitFor();
    await page.locator('nav a[href="#/puzzles"]').click();
    await page.locator('.status-line[data-status="your move"]', { hasText: 'Encuentre la mejor jugada' }).waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the page is small', () => {
    const files = readdirSync(`${dist}/assets`).map((name) => `${dist}/assets/${name}`);
    // Pieces are drawings and do not count.
    const counted = files.filter((name) => !/chessground[^/]*\.css$/.test(name));
    assert.ok(counted.length < files.length, 'the pieces are in a file of their own');
    const size = [...counted, `${dist}/index.html`].reduce((sum, name) => sum + gzipSync(readFileSync(name)).length, 0);
    console.log(`page: ${(size / 1000).toFixed(1)} kB gzipped without pieces`);
    assert.ok(size < 150_000, `${size} bytes`);
  });

  test('the first page loads at most 100 kB; other pages come when they are opened', async () => {
    const page = await tab(browser, server.url);
    await page.waitForLoadState('networkidle');
    const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/assets/')));
    const first = (await loaded()).filter((name) => !/chessground[^/]*\.css$/.test(name));
    assert.ok(first.some((name) => name.endsWith('.js')));
    const texts = await page.evaluate((names) => Promise.all(names.map(async (name) => (await fetch(name)).text())), first);
    const size = texts.reduce((sum, text) => sum + gzipSync(text).length, 0);
    console.log(`first page: ${(size / 1000).toFixed(1)} kB gzipped without pieces, ${first.length} files`);
    assert.ok(size < 100_000, `${size} bytes`);
    await page.locator('nav a[href="#/lab"]').click();
    await page.locator('#lab-new').waitFor();
    assert.ok((await loaded()).some((name) => /\/lab-/.test(name) && !first.includes(name)), 'the page of experiments came later');
    await page.context().close();
  });
});

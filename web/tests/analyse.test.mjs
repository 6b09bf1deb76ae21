// Analysis: files of games, lines, review, stopping.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe } from 'node:test';
import { browserPath, click, launch, searching, serve, tab, test, tidy } from './harness.mjs';

const PGN = `[White "Anderssen"]
[Black "Kieseritzky"]
[Event "London"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 {a <b id="evil">gambit</b>} 5. Bxb5 Nf6 (5... Bb7 6. Nc3) 6. Nf3 1-0

[White "<img src=x onerror=alert(1)>"]
[Black "Second"]

1. d4 d5 2. c4 *
`;

const open = async (page, text) => {
  await page.locator('#open-import').click();
  await page.locator('#paste').fill(text);
  await page.locator('dialog button[type=submit]').click();
};

describe('analyse', { skip: !browserPath }, () => {
  let server;
  let browser;
  before(async () => {
    server = await serve(8102);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
  });

  test('a PGN of two games: listed, found, stepped through, analysed, reviewed', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await open(page, PGN);
    await page.getByText('2 of 2 games').waitFor();
    await page.locator('#filter').fill('london');
    await page.getByText('1 of 2 games').waitFor();
    await page.locator('.tree .move').first().waitFor();
    assert.equal(await page.locator('.tree .move').count(), 13, 'the game and its variation');
    // Rule 12: what a file says is text.
    assert.equal(await page.locator('#evil').count(), 0);
    assert.ok(await page.getByText('<b id="evil">gambit</b>').isVisible());
    await page.locator('#filter').blur();
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
    await page.getByText("King's Gambit").first().waitFor();
    await page.keyboard.press('l');
    await page.locator('.lines .worth').nth(2).waitFor();
    assert.ok((await page.locator('.board svg.cg-shapes g').count()) > 0, 'arrows on the board');
    const shown = await page.locator('.tree [aria-current]').textContent();
    await page.keyboard.press(' ');
    await page.waitForFunction((old) => document.querySelector('.tree [aria-current]')?.textContent !== old, shown);
    await page.keyboard.press('x');
    await page.getByText('what the other side threatens').waitFor();
    await page.locator('#review').click();
    await page.waitForFunction(() => /%/.test(document.querySelector('.report')?.textContent ?? ''), null, { timeout: 120_000 });
    await page.locator('.graph canvas').waitFor();
    // A game of the list, far down in the panel, is opened: the board stays.
    const board = await page.locator('.board').first().boundingBox();
    await page.locator('#filter').fill('');
    await page.locator('.collection .entry').nth(1).click();
    await page.locator('.tree .move', { hasText: 'd4' }).waitFor();
    assert.deepEqual(await page.locator('.board').first().boundingBox(), board);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a file of 12 MB is read while it is sent; one of more than 200 MB is refused with a sentence', { timeout: 240_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tabiya-file-'));
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    const note = 'A long remark about this move. '.repeat(200);
    const game = (number) => `[White "Player ${number}"]\n[Black "Other"]\n\n1. e4 {${note}} e5 2. Nf3 Nc6 1-0\n\n`;
    writeFileSync(join(folder, 'large.pgn'), Array.from({ length: 2000 }, (_, index) => game(index + 1)).join(''));
    assert.ok(statSync(join(folder, 'large.pgn')).size > 12_000_000);
    writeFileSync(join(folder, 'huge.pgn'), '');
    truncateSync(join(folder, 'huge.pgn'), 200_000_001);
    const choose = async (name) => {
      await page.locator('#open-import').click();
      await page.locator('dialog input[type=file]').setInputFiles(join(folder, name));
    };
    await choose('large.pgn');
    await page.getByText('2000 of 2000 games').waitFor();
    await page.locator('#filter').fill('Player 1999');
    await page.getByText('1 of 2000 games').waitFor();
    await page.locator('.collection .entry').first().click();
    await page.getByText('Player 1999 – Other').first().waitFor();
    await choose('huge.pgn');
    await page.getByRole('alert').filter({ hasText: 'larger than 200 MB' }).first().waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a graph that is gone listens to nothing', async () => {
    const page = await tab(browser, server.url);
    await page.addInitScript(() => {
      const { addEventListener: add, removeEventListener: remove } = MediaQueryList.prototype;
      globalThis.listening = new Map();
      const count = (query, by) => globalThis.listening.set(query, (globalThis.listening.get(query) ?? 0) + by);
      MediaQueryList.prototype.addEventListener = function (...given) {
        count(this, 1);
        add.apply(this, given);
      };
      MediaQueryList.prototype.removeEventListener = function (...given) {
        count(this, -1);
        remove.apply(this, given);
      };
    });
    await page.goto(`${server.base}/#/analyse`);
    await page.reload();
    await page.locator('#open-import').waitFor();
    // The library that draws has a listener of its own, for the size of a pixel.
    const heard = () => page.evaluate(() => [...globalThis.listening].filter(([query, count]) => /scheme/.test(query.media) && count !== 0).length);
    const before = await heard();
    await open(page, '1. e4 e5 *');
    await page.locator('.tree .move').nth(1).waitFor();
    await page.locator('#review').click();
    await page.locator('.graph canvas').waitFor({ timeout: 120_000 });
    assert.equal(await heard(), before + 1, 'it follows the scheme of colours');
    await page.locator('nav a[href="#/play"]').click();
    await page.locator('.graph').waitFor({ state: 'detached' });
    assert.equal(await heard(), before);
    await page.context().close();
  });

  test('nothing is kept of the head of a table whose style was asked for', async () => {
    const page = await tab(browser, server.url);
    const developer = await page.context().newCDPSession(page);
    const alive = async () => {
      await developer.send('HeapProfiler.collectGarbage');
      return (await developer.send('Runtime.getHeapUsage')).embedderHeapUsedSize;
    };
    const ask = (times) =>
      page.evaluate((times) => {
        const table = document.createElement('table');
        const head = table.createTHead();
        document.body.append(table);
        for (let time = 0; time < times; time += 1) {
          head.style.order = `${time}`;
          getComputedStyle(head).order;
        }
        table.remove();
      }, times);
    await ask(100);
    const before = await alive();
    await ask(20_000);
    const kept = (await alive()) - before;
    assert.ok(kept < 1_000_000, `${kept} bytes`);
    await page.context().close();
  });

  test('what people play, and the coach', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await open(page, '1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. Nxg5 *');
    await page.locator('.tree .move').nth(6).waitFor();
    await page.locator('#people').click();
    await page.locator('#rating').fill('1200');
    await page.locator('#rating').blur();
    await page.getByText(/Players rated 1200: \d+ games/).waitFor();
    assert.match(await page.locator('.people tr').first().textContent(), /^e4.*%/);
    // The moves go along with the position.
    await page.keyboard.press('ArrowRight');
    await page.locator('.people tr').filter({ hasText: 'e5' }).first().waitFor();
    await page.locator('#coach').click();
    await page.getByText(/played like/).waitFor({ timeout: 120_000 });
    const remark = page.locator('.remarks li').filter({ hasText: 'Qg5' }).first();
    assert.match(await remark.textContent(), /Winning chances fall from \d+ % to \d+ %/);
    await remark.locator('button.move').click();
    await page.locator('.remarks li[aria-current]').waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('two engines side by side', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.getByRole('button', { name: 'Compare two engines' }).click();
    await page.locator('#engine-0').click();
    await page.locator('#engine-1').click();
    await page.locator('.engine').nth(1).locator('.lines .worth').first().waitFor();
    await page.locator('.graph canvas').waitFor();
    assert.equal(await searching(server, 2), 2);
    // Closing the tab ends both.
    assert.deepEqual(page.errors, []);
    await page.context().close();
    assert.equal(await searching(server, 0, 5000), 0, 'a closed tab stops its engines');
  });

  test('two schedulers side by side, and how their workers share', { skip: cpus().length < 2 }, async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.getByRole('button', { name: 'Compare two engines' }).click();
    for (const [slot, way] of ['ybwc', 'abdada'].entries()) {
      const engine = page.locator('.engine').nth(slot);
      await engine.locator('summary').first().click();
      // What few people need is one level deeper.
      await engine.locator('summary', { hasText: 'Expert' }).click();
      await engine.getByLabel('Threads', { exact: true }).fill('2');
      await engine.getByLabel('Threads', { exact: true }).blur();
      await engine.getByLabel('Parallel search').selectOption(way);
      await page.locator(`#engine-${slot}`).click();
    }
    const [ybwc, abdada] = [page.locator('.engine').nth(0), page.locator('.engine').nth(1)];
    await ybwc.getByText(/2 threads · .* split points · .* joined · .* idle/).waitFor();
    await abdada.getByText(/2 threads · .* moves deferred/).waitFor();
    // A number can be typed while engines search and the page is drawn again and again.
    await abdada.getByLabel('Hash (MB)').fill('3');
    // Reports come with iterations, and deep ones take long: either engine's will do.
    const facts = () => [...document.querySelectorAll('.engine-facts')].map((part) => part.textContent).join();
    for (let drawn = 0; drawn < 2; drawn += 1) {
      const old = await page.evaluate(facts);
      await page.waitForFunction(
        (old) => [...document.querySelectorAll('.engine-facts')].map((part) => part.textContent).join() !== old,
        old,
        { timeout: 180_000 },
      );
    }
    await abdada.getByLabel('Hash (MB)').press('End');
    await page.keyboard.type('2');
    await page.keyboard.press('Tab');
    // The field shows what was accepted once the page is drawn again.
    const field = await abdada.getByLabel('Hash (MB)').elementHandle();
    await page.waitForFunction((input) => input.value === '32', field, { timeout: 10_000 });
    // The numbers go on by themselves, line or no line.
    const before = await ybwc.locator('.sharing').textContent();
    await page.waitForFunction((old) => document.querySelector('.sharing')?.textContent !== old, before);
    // While a button is pressed the page keeps still; then it goes on, and the click counts.
    await page.evaluate(() => {
      const facts = () => document.querySelector('.engine-facts').textContent;
      const watch = () => {
        const pressed = facts();
        setTimeout(() => (window.keptStill = facts() === pressed), 500);
      };
      addEventListener('pointerdown', watch, { once: true });
    });
    await ybwc.locator('summary').first().hover();
    await page.mouse.down();
    const keptStill = await page.waitForFunction(() => window.keptStill !== undefined && [window.keptStill]);
    assert.deepEqual(await keptStill.jsonValue(), [true], 'the page moved under a pressed button');
    await page.mouse.up();
    await ybwc.getByLabel('Threads', { exact: true }).waitFor({ state: 'hidden' });
    const released = await ybwc.locator('.engine-facts').textContent();
    await page.waitForFunction((old) => (document.querySelector('.engine-facts')?.textContent ?? old) !== old, released);
    await page.locator('#measure').selectOption('takes');
    await page.getByRole('img', { name: 'Split points joined over time' }).locator('canvas').waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('bad and hostile input is answered with a sentence', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    for (const [text, sentence] of [
      ['this is no game', /There is no game|No game in this text/],
      ['8/8/8/8/8/8/8/8 w - - 0 1', /cannot be read|not a valid FEN|needs? (exactly )?one king/],
    ]) {
      await open(page, text);
      await page.getByRole('alert').filter({ hasText: sentence }).first().waitFor();
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    // A request the server answers with "cannot": the browser notes it, and that is right.
    assert.deepEqual(page.errors.filter((text) => !text.includes('422')), []);
    await page.context().close();
  });

  test('moves on the board make variations', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.waitForFunction(() => document.querySelector('.board cg-board'));
    // The board learns its moves from the server first: until then nothing can be picked up.
    const move = async (from, to) => {
      const targets = page.locator('.board square.move-dest');
      do await click(page, from);
      while (!await targets.first().waitFor({ timeout: 1000 }).then(() => true, () => false));
      await click(page, to);
    };
    await move('e2', 'e4');
    await page.waitForFunction(() => document.querySelectorAll('.tree .move').length === 1);
    await page.keyboard.press('Home');
    await move('d2', 'd4');
    await page.waitForFunction(() => document.querySelectorAll('.tree .move').length === 2);
    assert.equal(await page.locator('.variation').count(), 1);
    await page.locator('#move').fill('Nf6');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.tree .move').length === 3);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });
});

// What the server says on a page in another language, and a part of the page that cannot be fetched.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { browserPath, launch, moves, serve, status, tab, test, tidy } from './harness.mjs';

/// Words that only an English sentence has.
const ENGLISH = /\b(the|this|that|move|chances|better|found|players|choose|needs|easy|expected|wins|mate in|trap|level|of)\b/i;

describe('another language', { skip: !browserPath }, () => {
  let server;
  let browser;
  before(async () => {
    server = await serve(8121);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
  });

  const german = async () => tab(browser, server.url, { locale: 'de-DE' });
  const open = async (page, text) => {
    await page.locator('#open-import').click();
    await page.locator('#paste').fill(text);
    await page.locator('dialog button[type=submit]').click();
  };

  test('the coach and the errors of the analysis speak German', { timeout: 300_000 }, async () => {
    const page = await german();
    await page.goto(`${server.base}/#/analyse`);
    await open(page, 'rnbqkbnr/pppppppp/8/8/9/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
    const alert = page.locator('dialog [role=alert]', { hasText: /\w/ });
    await alert.waitFor();
    assert.match(await alert.textContent(), /Reihe 4/);
    assert.doesNotMatch(await alert.textContent(), ENGLISH);
    await page.keyboard.press('Escape');
    await open(page, '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Qh4 3. Ke3 Nc6 *');
    const fault = page.locator('#fault', { hasText: /\w/ });
    await fault.waitFor();
    assert.match(await fault.textContent(), /Zug „Ke3“ ist nicht möglich/);
    assert.doesNotMatch(await fault.textContent(), ENGLISH);
    await open(page, '1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. Nxg5 *');
    await page.locator('.tree .move', { hasText: 'Nxg5' }).waitFor();
    await page.locator('#coach').click();
    const remark = page.locator('.remarks li', { hasText: 'Qg5' }).first();
    await remark.waitFor({ timeout: 240_000 });
    const said = (await page.locator('.remarks li p').allTextContents()).join('\n');
    assert.match(said, /Die Gewinnaussichten fallen von \d+ % auf \d+ %/);
    assert.match(said, /Besser: /);
    assert.doesNotMatch(said, ENGLISH);
    // The browser notes the refused text (422); nothing else goes wrong.
    assert.deepEqual(page.errors.filter((text) => !text.includes('422')), []);
    await page.context().close();
  });

  test('a game, its end and its refusals are told in German', async () => {
    const page = await german();
    await page.locator('#quick-start').click();
    await status(page, 'your_move').waitFor();
    await page.locator('#move').fill('Ke3');
    await page.keyboard.press('Enter');
    const problem = page.locator('.trouble');
    await problem.waitFor();
    assert.doesNotMatch(await problem.textContent(), ENGLISH);
    await page.keyboard.press('Escape');
    await page.locator('#move').fill('e4');
    await page.keyboard.press('Enter');
    const remark = page.locator('.status-line .remark');
    await remark.waitFor();
    assert.match(await remark.textContent(), / % der Spieler mit Wertung \d+ wählen /);
    // What was said about a move goes away with it.
    await page.locator('#move').blur();
    await page.keyboard.press('b');
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 0);
    assert.equal(await remark.count(), 0);
    assert.deepEqual(await moves(page), []);
    await page.getByRole('button', { name: 'Aufgeben' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Aufgeben' }).click();
    await status(page, 'over').waitFor();
    assert.match(await status(page, 'over').locator('h1').textContent(), /gibt auf/);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a part that cannot be fetched says so and is fetched on demand', async () => {
    const page = await tab(browser, server.url);
    let blocked = true;
    await page.route(/assets\/lab-.*\.js$/, (route) => (blocked ? route.abort() : route.fallback()));
    await page.locator('nav a[href="#/lab"]').click();
    const missing = page.locator('.part-missing');
    await missing.getByText('This part of the page could not be loaded.').waitFor();
    await missing.getByRole('button', { name: 'Try again' }).click();
    await missing.waitFor();
    blocked = false;
    await missing.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Experiments found below').waitFor();
    assert.equal(await missing.count(), 0);
    // The browser notes the blocked file; nothing else goes wrong.
    assert.deepEqual(page.errors.filter((text) => !/Failed to (load resource|fetch)/.test(text)), []);
    await page.context().close();
  });
});

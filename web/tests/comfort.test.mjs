// Settings that hold at once, opponents, captured material, and notations as people write them.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { browserPath, click, launch, newGame, serve, status, tab, test, tidy } from './harness.mjs';

describe('comfort', { skip: !browserPath }, () => {
  let server;
  let browser;
  before(async () => {
    server = await serve(8123);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
  });

  const open = async (page, text) => {
    await page.locator('#open-import').click();
    await page.locator('#paste').fill(text);
    await page.locator('dialog button[type=submit]').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
  };
  const type = async (page, text) => {
    await page.locator('#move').fill(text);
    await page.keyboard.press('Enter');
  };

  test('board, pieces, size, theme and animations change while the dialog is open, and stay', async () => {
    const page = await tab(browser, server.url);
    const width = async () => (await page.locator('.board').first().boundingBox()).width;
    const looks = () =>
      page.evaluate(() => ({ ...document.documentElement.dataset, still: document.documentElement.classList.contains('still') }));
    const before = await width();
    await page.getByRole('button', { name: 'Settings' }).click();
    const dialog = page.locator('dialog');
    for (const name of ['Blue', 'Slate', 'Dark', 'No animations']) await dialog.getByText(name, { exact: true }).click();
    await page.locator('#board-size').fill('60');
    await page.waitForFunction(() => document.documentElement.dataset.board === 'blue' && document.documentElement.classList.contains('still'));
    const wanted = { board: 'blue', pieces: 'slate', theme: 'dark', still: true };
    assert.deepEqual(await looks(), wanted);
    assert.ok((await width()) < 0.8 * before, `${await width()} of ${before} pixels`);
    await page.reload();
    await page.locator('#quick-start').waitFor();
    assert.deepEqual(await looks(), wanted);
    assert.ok((await width()) < 0.8 * before);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a pawn becomes a queen without a question where that is wished', async () => {
    const page = await tab(browser, server.url);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.locator('dialog').getByText('Promote to queen automatically').click();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await newGame(page, { fen: '8/P6k/8/8/8/8/8/K7 w - - 0 1' });
    await status(page, 'your_move').waitFor();
    await click(page, 'a7', 'a8');
    await page.locator('.moves .move', { hasText: 'a8=Q' }).waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('an opponent with a name and a taste; what each side has captured', async () => {
    const page = await tab(browser, server.url);
    await page.keyboard.press('n');
    const dialog = page.locator('dialog');
    const greta = dialog.locator('.characters label', { hasText: 'Greta' });
    assert.match(await greta.textContent(), /King’s Gambit/);
    await greta.click();
    // The names stand below each other, all as wide as the list.
    const widths = await dialog.locator('.characters label').evaluateAll((labels) => labels.map((label) => Math.round(label.getBoundingClientRect().width)));
    assert.equal(new Set(widths).size, 1, widths.join(' '));
    await dialog.getByText('Position (FEN)').click();
    await dialog.locator('input[name=fen]').fill('4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1');
    await dialog.getByText('White', { exact: true }).click();
    await page.locator('#start-game').click();
    await status(page, 'your_move').waitFor();
    await page.locator('.player .name', { hasText: /^Greta \(\d+\)$/ }).waitFor();
    await page.locator('.material[role=img]').first().waitFor();
    assert.match(await page.locator('.material[role=img]').first().getAttribute('aria-label'), /^8 points/);
    await click(page, 'e4', 'd5');
    await page.waitForFunction(() => document.querySelector('.material[role=img]')?.getAttribute('aria-label')?.startsWith('1 '));
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('moves as people type them: nc3, 0-0, e8Q, e8=Q', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await open(page, 'r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 1');
    const last = (san) => page.locator('.tree .move[aria-current]', { hasText: san }).waitFor();
    for (const [text, san] of [['nc3', 'Nc3'], ['0-0', 'O-O'], ['0-0', 'O-O']]) {
      await type(page, text);
      await last(san);
    }
    for (const text of ['e8Q', 'e8=Q', 'e7e8q']) {
      await open(page, '8/4P2k/8/8/8/8/8/K7 w - - 0 1');
      await type(page, text);
      await last('e8=Q');
    }
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('every glyph from 10 to 23 has a sign', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    const line = 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6'.split(' ');
    await open(page, `${line.map((san, index) => `${san} $${10 + index}`).join(' ')} *`);
    await page.locator('.tree .glyph').nth(13).waitFor();
    const signs = await page.locator('.tree .glyph').allTextContents();
    assert.equal(signs.length, 14);
    assert.deepEqual(signs.filter((sign) => /^\$|^$/.test(sign)), []);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a game pasted on any page is opened in the analysis', async () => {
    for (const name of ['play', 'puzzles', 'games']) {
      const page = await tab(browser, server.url);
      await page.goto(`${server.base}/#/${name}`);
      await page.locator(`main.page.${name}`).waitFor();
      await page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData('text', text);
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      }, '1. c4 e5 *');
      await page.locator('.tree .move', { hasText: 'c4' }).waitFor();
      assert.deepEqual(page.errors, []);
      await page.context().close();
    }
  });

  test('text mode and sounds change at once', async () => {
    const page = await tab(browser, server.url);
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Text mode').check();
    await page.locator('.text-board').waitFor();
    await page.getByLabel('Text mode').uncheck();
    await page.locator('.text-board').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Turn sounds on' }).waitFor();
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Turn sounds off' }).waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('glyphs 10 to 23, shapes, an EPD with operations, names of a single game', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await open(page, '[White "Anna"]\n[Black "Bert"]\n[WhiteElo "2100"]\n\n1. e4 $14 {[%cal Ge2e4][%csl Rd5] good} e5 $10 2. Nf3 $18 Nc6 $22 *');
    await page.getByText(/Anna.* – Bert/).first().waitFor();
    const tree = page.locator('.tree');
    for (const sign of ['+=', '=', '+−', '⨀']) await tree.getByText(sign, { exact: false }).first().waitFor();
    await page.keyboard.press('ArrowRight');
    await page.locator('.board svg.cg-shapes line, .board svg line').first().waitFor({ state: 'attached' });
    await page.locator('.board svg circle').first().waitFor({ state: 'attached' });
    await open(page, '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";');
    await page.getByText('Qd1+').first().waitFor();
    assert.match(await page.locator('.tree').textContent(), /BK\.01|Qd1\+/);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the list of a Leiserchess game follows the game', async () => {
    const page = await tab(browser, server.url, { viewport: { width: 1280, height: 420 } });
    await page.goto(`${server.base}/#/laser`);
    await status(page, 'your_move').waitFor();
    await page.getByRole('button', { name: 'New game' }).click();
    await page.locator('dialog input[type=number]').fill('0.05');
    await page.locator('dialog button[type=submit]').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    // So low that only scrolling shows the last move, as in a long game.
    await page.locator('.moves.scroll').evaluate((element) => Object.assign(element.style, { maxHeight: '60px', minHeight: '0' }));
    const count = () => page.locator('.laser-moves .move').count();
    for (let move = 1; move <= 6; move += 1) {
      await status(page, 'your_move').waitFor();
      // Whichever piece is still there and may turn.
      for (const square of ['g4', 'h3', 'f4', 'f3', 'g3', 'h2', 'e3', 'd2', 'h0']) {
        await page.locator('#move').fill(`${square}R`);
        await page.keyboard.press('Enter');
        const taken = await page.waitForFunction((plies) => document.querySelectorAll('.laser-moves .move').length >= plies ? 'played' : document.querySelector('.trouble') && 'refused', 2 * move);
        if ((await taken.jsonValue()) === 'played') break;
        await page.keyboard.press('Escape');
        await page.locator('.trouble').waitFor({ state: 'detached' });
      }
      assert.ok((await count()) >= 2 * move);
    }
    const [list, last] = [await page.locator('.moves.scroll').boundingBox(), await page.locator('.laser-moves .move').last().boundingBox()];
    assert.ok(last.y >= list.y - 1 && last.y + last.height <= list.y + list.height + 1, `move at ${last.y}, list from ${list.y}, ${list.height} high`);
    assert.ok(await page.locator('.moves.scroll').evaluate((element) => element.scrollTop > 0));
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });
});

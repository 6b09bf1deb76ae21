// Games as people play them: by mouse, by touch, by keyboard.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { browserPath, click, drag, launch, moves, newGame, serve, status, tab, tap, test, tidy } from './harness.mjs';

if (!browserPath) console.log('skipped: no Chromium on this machine (set CHROMIUM to its path)');

/// Squares of what is shown of a kind.
const keys = (page, what) =>
  page.locator(`.board ${what}:visible`).evaluateAll((all) => all.map((one) => one.cgKey).filter(Boolean));

describe('play', { skip: !browserPath }, () => {
  let server;
  let browser;
  before(async () => {
    server = await serve(8101);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
  });

  test('a whole game by mouse, from the first move to the last', async () => {
    const page = await tab(browser, server.url);
    await newGame(page);
    // A player who moves at random against full strength is mated before long.
    let seed = 7;
    const random = (count) => (seed = (seed * 16807) % 2147483647) % count;
    let over = false;
    for (let turn = 0; turn < 150 && !over; turn += 1) {
      await page.locator('.status-line:not([data-status=thinking])').waitFor();
      over = (await status(page, 'over').count()) > 0;
      if (over) break;
      const before = (await moves(page)).length;
      for (let attempt = 0; attempt < 200; attempt += 1) {
        // The board keeps elements it no longer needs and hides them.
        const pieces = await keys(page, 'piece.white');
        const from = pieces[random(pieces.length)];
        await click(page, from);
        // Squares are drawn in the next frame.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        const goals = await keys(page, 'square.move-dest');
        if (goals.length === 0) continue;
        const to = goals[random(goals.length)];
        if (turn % 2 === 0) await click(page, to);
        else await drag(page, from, to);
        // A pawn on the last rank asks what to become.
        const asked = page.locator('.promotion-piece').first();
        const went = page.waitForFunction((count) => document.querySelectorAll('.moves .move').length > count, before);
        await Promise.race([asked.waitFor().then(() => asked.click()), went]);
        break;
      }
      await page.waitForFunction((count) => document.querySelectorAll('.moves .move').length > count, before);
    }
    assert.ok(over, 'the game ends');
    const words = await page.locator('.status-line h1').textContent();
    assert.match(words, /^(0-1|1\/2-1\/2|1-0): /);
    const played = (await moves(page)).length;
    assert.ok(played >= 4);
    // From the board where it ended to its review, which goes on to the end.
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.waitForFunction(() => /%/.test(document.querySelector('.report')?.textContent ?? ''), null, { timeout: 120_000 });
    assert.equal(await page.locator('.tree .move').count(), played);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a game by touch, with a promotion', async () => {
    const page = await tab(browser, server.url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    await newGame(page, { fen: '7k/8/5PK1/8/8/8/8/8 w - - 0 1' });
    await status(page, 'your_move').waitFor();
    await tap(page, 'f6', 'f7');
    // The black king has one place to go, and none after that.
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length >= 1);
    await page.locator('.status-line:not([data-status=thinking])').waitFor();
    if ((await status(page, 'over').count()) === 0) {
      await tap(page, 'f7', 'f8');
      await page.locator('.promotion').getByLabel('queen').tap();
      await page.waitForFunction(() => document.querySelectorAll('.moves .move').length >= 3);
    }
    assert.match((await moves(page)).join(' '), /f7/);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a game by keyboard alone: typed moves, then the cursor on the board', async () => {
    const page = await tab(browser, server.url);
    await newGame(page, { fen: 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1' });
    await status(page, 'your_move').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Ra6');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
    const reply = (await moves(page))[1];
    // 1... bxa6 2. b7#, anything else 2. Rxa7#.
    const [from, to] = reply === 'bxa6' ? ['b6', 'b7'] : ['a6', 'a7'];
    await page.locator('.board').focus();
    let at = 'e2';
    const walk = async (square) => {
      const files = square.charCodeAt(0) - at.charCodeAt(0);
      const ranks = Number(square[1]) - Number(at[1]);
      for (let i = 0; i < Math.abs(files); i += 1) await page.keyboard.press(files > 0 ? 'ArrowRight' : 'ArrowLeft');
      for (let i = 0; i < Math.abs(ranks); i += 1) await page.keyboard.press(ranks > 0 ? 'ArrowUp' : 'ArrowDown');
      at = square;
      await page.keyboard.press('Enter');
    };
    await walk(from);
    await page.waitForFunction(() => /picked up/.test(document.querySelector('#announcer')?.textContent));
    await walk(to);
    await status(page, 'over').waitFor();
    assert.match(await page.locator('.status-line h1').textContent(), /1-0: Checkmate: White wins/);
    assert.match(await page.locator('#announcer').textContent(), /checkmate/);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('Chess960: the king castles by taking its rook', async () => {
    const page = await tab(browser, server.url);
    await newGame(page, { fen: '4k3/pppppppp/8/8/8/8/PPPPPPPP/5K1R w H - 0 1' });
    await status(page, 'your_move').waitFor();
    await click(page, 'f1', 'h1');
    await page.waitForFunction(() => document.querySelector('.moves .move')?.textContent === 'O-O');
    await newGame(page, { arrangement: 0 });
    await status(page, 'your_move').waitFor();
    await page.locator('.board piece.white.bishop').first().waitFor();
    const bishops = await keys(page, 'piece.white.bishop');
    assert.deepEqual(bishops.sort(), ['a1', 'b1'], 'arrangement 0 begins with both bishops');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('take back, hint, reload, another tab', async () => {
    const page = await tab(browser, server.url);
    await newGame(page);
    await status(page, 'your_move').waitFor();
    await click(page, 'e2', 'e4');
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
    const played = await moves(page);
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
    assert.deepEqual(await moves(page), played, 'a reload keeps the game');
    await page.getByRole('button', { name: 'Hint' }).click();
    await page.locator('.note', { hasText: 'Hint: ' }).waitFor();
    // The same game in a second tab: it moves there, and the first says so.
    const other = await page.context().newPage();
    await other.goto(`${server.base}/#/play`);
    await other.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
    await page.getByText('open in another tab').waitFor();
    await page.getByRole('button', { name: 'Continue here' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
    await page.getByRole('button', { name: 'Take back' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 0);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a move made ahead is played in its turn', async () => {
    const page = await tab(browser, server.url);
    await newGame(page, { full: true });
    await status(page, 'your_move').waitFor();
    await click(page, 'g1', 'f3');
    await click(page, 'b1', 'c3');
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length >= 3);
    assert.equal((await moves(page))[2], 'Nc3');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a wrong position is refused with a sentence', async () => {
    const page = await tab(browser, server.url);
    await page.keyboard.press('n');
    await page.locator('dialog').getByText('Position (FEN)').click();
    await page.locator('input[name=fen]').fill('9/8 w - -');
    await page.locator('#start-game').click();
    await page.getByRole('alert').getByText('This is not a valid FEN').waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a lost server is said, and the game is there when it is back', async () => {
    const own = await serve(8109);
    const page = await tab(browser, own.url);
    await own.end();
    await page.locator('.banner', { hasText: 'Connection lost' }).waitFor();
    const again = await serve(8109);
    await page.locator('.banner', { hasText: 'The server was restarted' }).waitFor();
    await page.goto(again.url);
    await page.locator('#quick-start:not([disabled])').waitFor();
    await page.context().close();
    await again.end();
  });
});

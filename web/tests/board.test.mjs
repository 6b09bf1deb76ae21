// The board and what is around it: in sight, in its place, telling the truth.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { browserPath, click, launch, newGame, place, searching, serve, status, tab, test, tidy } from './harness.mjs';

const LONG = `[White "A"]
[Black "B"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. c4 c6
12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15. Nb1 h6 16. Bh4 c5 17. dxe5 Nxe4 18. Bxe7 Qxe7 19. exd6 Qf6 20. Nbd2 Nxd6
21. Nc4 Nxc4 22. Bxc4 Nb6 23. Ne5 Rae8 24. Bxf7+ Rxf7 25. Nxf7 Rxe1+ 26. Qxe1 Kxf7 27. Qe3 Qg5 1/2-1/2
`;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const open = async (page, text) => {
  await page.locator('#open-import').click();
  await page.locator('#paste').fill(text);
  await page.locator('dialog button[type=submit]').click();
};
const analyse = async (browser, server, text, options) => {
  const page = await tab(browser, server.url, options);
  await page.goto(`${server.base}/#/analyse`);
  if (text) {
    await open(page, text);
    await page.locator('dialog').waitFor({ state: 'detached' });
  }
  return page;
};
const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const box = (page) => page.locator('.board').first().boundingBox();
const nowIs = (page, text) => page.waitForFunction((wanted) => document.querySelector('.stepper .now')?.textContent === wanted, text);

describe('board', { skip: !browserPath }, () => {
  let server;
  let browser;
  before(async () => {
    server = await serve(8107);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
  });

  test('the list of moves follows the game, move by move', async () => {
    const page = await analyse(browser, server, LONG);
    await page.locator('.tree .move').nth(53).waitFor();
    const hidden = [];
    for (let ply = 1; ply <= 54; ply += 1) {
      await page.keyboard.press('ArrowRight');
      await frames(page);
      const inSight = await page.evaluate(() => {
        const list = document.querySelector('.tree').getBoundingClientRect();
        const move = document.querySelector('.tree [aria-current]').getBoundingClientRect();
        return move.top >= list.top - 1 && move.bottom <= list.bottom + 1;
      });
      if (!inSight) hidden.push(ply);
    }
    assert.deepEqual(hidden, []);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  for (const [name, options] of [['wide', {}], ['phone', PHONE]]) {
    test(`the board stays on the screen: ${name}`, async () => {
      const page = await analyse(browser, server, LONG, options);
      await page.locator('.tree .move').nth(53).waitFor();
      const height = page.viewportSize().height;
      // To the end of everything, and a move clicked there.
      await page.locator('#open-studies').scrollIntoViewIfNeeded();
      await page.mouse.move(name === 'wide' ? 1100 : 200, height - 200);
      await page.mouse.wheel(0, 5000);
      await frames(page);
      const { y, height: size } = await box(page);
      assert.ok(y >= -1 && y + size <= height + 1, `board from ${y} to ${y + size} of ${height}`);
      await page.locator('.tree .move').nth(30).click();
      const after = await box(page);
      assert.ok(after.y >= -1 && after.y + after.height <= height + 1, `board at ${after.y} after a click`);
      assert.deepEqual(page.errors, []);
      await page.context().close();
    });
  }

  test('on a phone board, step bar and current move fit together; a sweep steps', async () => {
    const page = await analyse(browser, server, LONG, PHONE);
    await page.locator('.tree .move').nth(53).waitFor();
    const bar = await page.locator('.stepper').boundingBox();
    const board = await box(page);
    assert.ok(board.y >= 0 && board.y + board.height <= bar.y, 'the board is above the bar');
    assert.ok(bar.y + bar.height <= 845, 'the bar is on the screen');
    const sweep = async (from, to) => {
      const [start, end] = [await place(page, from), await place(page, to)];
      const client = await page.context().newCDPSession(page);
      const touch = (type, { x, y }) => client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
      await touch('touchStart', start);
      for (let step = 1; step <= 4; step += 1) await touch('touchMove', { x: start.x + ((end.x - start.x) * step) / 4, y: start.y });
      await touch('touchEnd', end);
    };
    await sweep('g5', 'c5');
    await nowIs(page, '1. e4');
    await sweep('g5', 'c5');
    await nowIs(page, '1… e5');
    // To the right the browser would go back to the page before.
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).overscrollBehaviorX), 'none');
    await sweep('c6', 'g6');
    await nowIs(page, '1. e4');
    assert.equal(await page.evaluate(() => location.hash), '#/analyse');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the evaluation bar of positions that are decided', async () => {
    const page = await analyse(browser, server, '1. f3 e5 2. g4 Qh4# 0-1');
    const bar = page.getByRole('meter');
    await page.locator('.tree .move').nth(3).waitFor();
    await page.keyboard.press('End');
    await page.locator('.bar', { hasText: '0-1' }).waitFor();
    assert.equal(await bar.getAttribute('aria-valuenow'), '0');
    await open(page, '7k/5Q2/6K1/8/8/8/8/8 b - - 0 1');
    await page.locator('.bar', { hasText: '½' }).waitFor();
    assert.equal(await bar.getAttribute('aria-valuenow'), '50');
    // After a review the mate still belongs to who gave it.
    await open(page, '1. f3 e5 2. g4 Qh4# 0-1');
    await page.locator('.tree .move').nth(3).waitFor();
    await page.locator('#review').click();
    await page.waitForFunction(() => /%/.test(document.querySelector('.report')?.textContent ?? ''), null, { timeout: 120_000 });
    await page.locator('.tree .move').nth(3).click();
    await page.locator('.bar', { hasText: '0-1' }).waitFor();
    assert.equal(await bar.getAttribute('aria-valuenow'), '0');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  for (const [name, fen, from, to, options] of [
    ['white, last file', '7k/P6P/8/8/8/8/8/K7 w - - 0 1', 'a7', 'a8', {}],
    ['black, seen by White, phone', '7k/8/8/8/8/8/p6p/4K3 b - - 0 1', 'h2', 'h1', PHONE],
  ]) {
    test(`promotion opens on its square: ${name}`, async () => {
      const page = await analyse(browser, server, fen, options);
      await page.locator('.board piece.pawn').first().waitFor();
      await click(page, from, to);
      const queen = page.locator('.promotion-piece').first();
      await queen.waitFor();
      const [{ x, y }, board] = [await place(page, to), await box(page)];
      const first = await queen.boundingBox();
      assert.ok(Math.abs(first.x + first.width / 2 - x) < 6 && Math.abs(first.y + first.height / 2 - y) < 6, 'the queen is on the square');
      for (const piece of await page.locator('.promotion-piece').all()) {
        const at = await piece.boundingBox();
        assert.ok(at.x >= board.x - 1 && at.x + at.width <= board.x + board.width + 1 && at.y >= board.y - 1 && at.y + at.height <= board.y + board.height + 1);
      }
      // Escape changes nothing; the keyboard chooses.
      await page.keyboard.press('Escape');
      await queen.waitFor({ state: 'detached' });
      await click(page, from, to);
      await queen.waitFor();
      await page.waitForFunction(() => document.activeElement?.classList.contains('promotion-piece'));
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('.tree .move', { hasText: /=N/ }).waitFor();
      assert.deepEqual(page.errors, []);
      await page.context().close();
    });
  }

  test('the space bar plays the best move even after a button was clicked', async () => {
    const page = await analyse(browser, server);
    await page.locator('#engine-0').click();
    await page.locator('.lines .worth').first().waitFor();
    await page.keyboard.press(' ');
    await page.locator('.tree .move').first().waitFor();
    assert.equal(await page.locator('#engine-0').getAttribute('aria-pressed'), 'true', 'the engine was not switched off');
    // A button reached by keyboard keeps its key.
    await page.locator('body').press('Tab');
    await page.locator('#engine-0').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => document.querySelector('#engine-0')?.getAttribute('aria-pressed') === 'false');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a wrong FEN keeps its dialog open and marks the field', async () => {
    const page = await tab(browser, server.url);
    await page.keyboard.press('n');
    await page.locator('dialog').getByText('Position (FEN)').click();
    await page.locator('input[name=fen]').fill('9/8 w - -');
    await page.locator('#start-game').click();
    await page.locator('dialog [role=alert]', { hasText: /\w/ }).waitFor();
    assert.equal(await page.locator('input[name=fen]').getAttribute('aria-invalid'), 'true');
    await page.locator('input[name=fen]').fill('7k/8/8/8/8/8/8/KQ6 w - - 0 1');
    await page.locator('#start-game').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await status(page, 'your_move').waitFor();
    // The same in the analysis.
    await page.goto(`${server.base}/#/analyse`);
    await open(page, '8/8/8/8/8/8/8/8 w - - 0 1');
    await page.locator('dialog [role=alert]', { hasText: /\w/ }).waitFor();
    assert.equal(await page.locator('#paste').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a threat is numbered as a move of the other side; the best move has the strongest arrow', async () => {
    const page = await analyse(browser, server, '1. e4 e5 *');
    // The dialog closes before the game has come.
    await page.locator('.tree .move').nth(1).waitFor();
    await page.keyboard.press('End');
    await nowIs(page, '1… e5');
    await page.keyboard.press('l');
    await page.locator('.lines .worth').nth(2).waitFor();
    const lines = page.locator('.board svg.cg-shapes line');
    await lines.nth(1).waitFor({ state: 'attached' });
    const arrows = await lines.evaluateAll((all) =>
      all.map((line) => ({ width: Number(line.getAttribute('stroke-width')), opacity: Number(line.getAttribute('opacity')) })),
    );
    const best = arrows.at(-1);
    for (const other of arrows.slice(0, -1)) assert.ok(best.width > other.width && best.opacity >= other.opacity, JSON.stringify(arrows));
    assert.equal(await page.locator('.lines .number').first().textContent(), '2.');
    await page.keyboard.press('x');
    await page.getByText('what the other side threatens').waitFor();
    await page.waitForFunction(() => document.querySelector('.lines .number')?.textContent === '2…');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('nothing jumps when a line is hovered, an error shows, a panel opens or an engine starts', async () => {
    // Tall enough for everything: a test scrolls to what it touches.
    const page = await analyse(browser, server, LONG, { viewport: { width: 1280, height: 2200 } });
    await page.locator('.tree .move').nth(53).waitFor();
    await page.keyboard.press('l');
    await page.locator('.lines .move').first().waitFor();
    const places = () =>
      page.evaluate(() => ['.board', '.lines', '.tree', '.stepper', '#move'].map((name) => Math.round(document.querySelector(name).getBoundingClientRect().top)));
    const before = await places();
    const still = async (where, names) => {
      const now = await places();
      for (const at of names) assert.equal(now[at], before[at], where);
    };
    for (let ply = 0; ply < 16; ply += 1) {
      await page.keyboard.press('ArrowRight');
      await frames(page);
      await still('another opening name', [0, 1, 2, 3, 4]);
    }
    // What is opened pushes down what is below it, and nothing else.
    await page.locator('#annotation summary').click();
    await still('comments open', [0, 1, 2, 3]);
    await page.locator('#annotation summary').click();
    await page.locator('#explorer').click();
    await page.locator('.explorer caption').waitFor();
    await still('the explorer opens', [0, 1, 2, 3, 4]);
    await page.locator('#explorer').click();
    await page.locator('.engine-settings summary').first().click();
    await still('settings open', [0, 1]);
    await page.locator('.engine-settings summary').first().click();
    await page.locator('.lines .move').first().hover();
    await page.locator('.mini').waitFor();
    assert.deepEqual(await places(), before, 'a line is hovered');
    await page.locator('#move').fill('Zz9');
    await page.keyboard.press('Enter');
    await page.locator('.trouble').waitFor();
    assert.deepEqual(await places(), before, 'an error shows');
    await page.keyboard.press('Escape');
    // The head of an engine keeps its height, and with it everything above the lines.
    const head = () => page.locator('.engine-head').first().boundingBox();
    const running = await head();
    await page.locator('#engine-0').click();
    await page.locator('#engine-0[aria-pressed=false]').waitFor();
    assert.deepEqual(await head(), running, 'the engine stops');
    await page.context().close();
  });

  test('coordinates go and come at once', async () => {
    const page = await tab(browser, server.url);
    await page.locator('.board coords').first().waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByLabel('Coordinates').uncheck();
    await page.locator('.board coords').first().waitFor({ state: 'detached' });
    await page.getByLabel('Coordinates').check();
    await page.locator('.board coords').first().waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('engines rest when their page is left', async () => {
    const page = await analyse(browser, server);
    await page.locator('#engine-0').click();
    await page.locator('.lines .worth').first().waitFor();
    assert.equal(await searching(server, 1), 1);
    await page.locator('nav a[href="#/games"]').click();
    assert.equal(await searching(server, 0), 0, 'it rests');
    await page.locator('nav a[href="#/analyse"]').click();
    assert.equal(await searching(server, 1), 1, 'it goes on with its page');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a Leiserchess game survives a reload; f flips it', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/laser`);
    await page.locator('.status-line[data-status=your_move]').waitFor();
    const king = page.locator('.laser-board .laser-piece.white.king');
    const before = await king.getAttribute('transform');
    await page.keyboard.press('f');
    await page.waitForFunction((old) => document.querySelector('.laser-board .laser-piece.white.king').getAttribute('transform') !== old, before);
    await page.locator('#move').fill('g4R');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.laser-moves .move').length === 2);
    const played = await page.locator('.laser-moves .move').allTextContents();
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('.laser-moves .move').length === 2);
    assert.deepEqual(await page.locator('.laser-moves .move').allTextContents(), played);
    // A position that is refused leaves the game where it was.
    await page.getByRole('button', { name: 'New game' }).click();
    await page.locator('dialog input[name=laser-fen]').fill('nonsense');
    await page.locator('dialog button[type=submit]').click();
    await page.locator('dialog [role=alert]', { hasText: /\w/ }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.laser-moves .move').count(), 2);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a connection that breaks is made again by itself, and the game goes on', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const sockets = [];
    await page.routeWebSocket(/\/ws$/, (socket) => {
      socket.connectToServer();
      sockets.push(socket);
    });
    await page.goto(server.url);
    await page.locator('#quick-start:not([disabled])').waitFor();
    await newGame(page);
    await status(page, 'your_move').waitFor();
    await click(page, 'e2', 'e4');
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
    const before = sockets.length;
    await sockets.at(-1).close();
    await page.locator('.banner', { hasText: 'Connection lost' }).waitFor();
    await page.locator('.banner').waitFor({ state: 'detached' });
    assert.ok(sockets.length > before, 'another socket was opened, with the same link');
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
    await status(page, 'your_move').waitFor();
    await click(page, 'd2', 'd4');
    await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 4);
    await context.close();
  });

  test('without a server no move is made; a new link in another tab brings this one back', async () => {
    const own = await serve(8110);
    const page = await tab(browser, own.url);
    await newGame(page);
    await status(page, 'your_move').waitFor();
    await own.end();
    await page.locator('.banner', { hasText: 'Connection lost' }).waitFor();
    await click(page, 'e2', 'e4');
    await frames(page);
    assert.equal(await page.locator('.board piece.white.pawn').count(), 8);
    const onE2 = await page.locator('.board piece.white.pawn').evaluateAll((all) => all.some((one) => one.cgKey === 'e2'));
    assert.ok(onE2, 'the pawn is where it was');
    const again = await serve(8110);
    const other = await page.context().newPage();
    await other.goto(again.url);
    await page.locator('.banner').waitFor({ state: 'detached' });
    await page.context().close();
    await again.end();
  });
});

// What is done by mouse elsewhere, by touch on a phone and by keyboard alone.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { browserPath, launch, moves, serve, status, tab, tap, test, tidy } from './harness.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe('touch and keyboard', { skip: !browserPath }, () => {
  let server;
  let browser;
  before(async () => {
    server = await serve(8124);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
  });

  const paste = (page, text) =>
    page.evaluate((given) => {
      const data = new DataTransfer();
      data.setData('text', given);
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    }, text);
  const analyse = async (text, options) => {
    const page = await tab(browser, server.url, options);
    await page.goto(`${server.base}/#/analyse`);
    await page.locator('#edit-position').waitFor();
    if (text) await paste(page, text);
    return page;
  };
  const mainReply = (page, san) => page.waitForFunction((wanted) => document.querySelectorAll('.tree .move')[1]?.textContent === wanted, san);
  /// Keyboard only: Tab until the focus is there, as someone without a mouse does.
  const reach = async (page, id) => {
    for (let step = 0; step < 120; step += 1) {
      if (await page.evaluate((wanted) => document.activeElement?.id === wanted, id)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${id} is not reached by Tab`);
  };

  test('a study by touch: a long touch opens the menu of a move; glyph, comment, demoting, undo', async () => {
    const page = await analyse('1. e4 e5 (1... c5) (1... e6) 2. Nf3 *', PHONE);
    const move = page.locator('.tree .move', { hasText: 'c5' });
    await move.waitFor();
    await page.locator('#saving', { hasText: 'Saved' }).waitFor();
    // Below the board, above the bar at the bottom.
    await move.evaluate((element) => scrollBy(0, element.getBoundingClientRect().top - 650));
    const box = await move.boundingBox();
    const client = await page.context().newCDPSession(page);
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
    await page.getByRole('menuitem', { name: 'Make main line' }).waitFor();
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await page.getByRole('menuitem', { name: 'Make main line' }).tap();
    await mainReply(page, 'c5');
    await page.locator('#annotation summary').tap();
    await page.getByRole('button', { name: 'Move variation down' }).tap();
    await mainReply(page, 'e5');
    await page.getByRole('button', { name: 'Brilliant move' }).tap();
    await page.locator('.tree .glyph', { hasText: '!!' }).waitFor();
    await page.locator('#comment').fill('Sicilian');
    await page.locator('#comment').blur();
    await page.locator('.tree .comment', { hasText: 'Sicilian' }).waitFor();
    // Comment, glyph, order: each is one step back.
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.locator('.tree .comment').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).tap();
    await page.locator('.tree .glyph').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).tap();
    await mainReply(page, 'c5');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a study by keyboard: moves, a comment, a glyph, the menu, opening another study', async () => {
    const page = await analyse();
    await page.keyboard.press('/');
    for (const text of ['e4', 'e5']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
      await page.locator('.tree .move', { hasText: text }).waitFor();
    }
    await page.locator('#move').blur();
    await page.locator('.tree .move', { hasText: 'e5' }).focus();
    await page.keyboard.press('Shift+F10');
    const menu = page.getByRole('menu');
    // Where the browser has no key for it, the same message comes from the system.
    if (!(await menu.isVisible())) await page.locator('.tree .move', { hasText: 'e5' }).dispatchEvent('contextmenu');
    await menu.waitFor();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.tree .move').length === 1);
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => document.querySelectorAll('.tree .move').length === 2);
    await page.locator('#saving', { hasText: 'Saved' }).waitFor();
    await reach(page, 'open-studies');
    await page.keyboard.press('Enter');
    await page.locator('dialog .studies .entry').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    // The focus comes back to where it was.
    await page.waitForFunction(() => document.activeElement?.id === 'open-studies');
    assert.deepEqual(await moves(page), ['e4', 'e5']);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the opening explorer by touch and by keyboard, with the names of openings', async () => {
    const phone = await analyse(null, PHONE);
    await phone.locator('#explorer').tap();
    const row = phone.locator('.explorer tbody tr').filter({ hasText: "King's Pawn Game" }).first();
    await row.getByRole('button').tap();
    await phone.locator('.tree .move', { hasText: 'e4' }).waitFor();
    await phone.locator('.explorer tbody tr').filter({ hasText: 'Sicilian Defense' }).first().waitFor();
    assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    assert.deepEqual(phone.errors, []);
    await phone.context().close();
    const page = await analyse();
    await reach(page, 'explorer');
    await page.keyboard.press('Enter');
    await page.locator('.explorer tbody tr').first().waitFor();
    await reach(page, 'band');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.tree .move').first().waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('learning from mistakes by touch', async () => {
    const page = await analyse('1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. Nxg5 *', PHONE);
    await page.locator('.tree .move').nth(6).waitFor();
    await page.locator('#review').tap();
    await page.locator('#practice-black').tap({ timeout: 120_000 });
    await page.locator('.practice[data-status=try]').waitFor();
    await tap(page, 'g8', 'f6');
    await page.locator('.practice[data-status=solved]').waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('Leiserchess by touch, and by the cursor on its board', async () => {
    const phone = await tab(browser, server.url, PHONE);
    await phone.goto(`${server.base}/#/laser`);
    await status(phone, 'your_move').waitFor();
    await phone.locator('.laser-board rect[data-square=g4]').tap();
    await phone.getByRole('button', { name: 'Turn right' }).tap();
    await phone.waitForFunction(() => document.querySelectorAll('.laser-moves .move').length === 2);
    assert.equal(await phone.locator('.laser-moves .move').first().textContent().then((text) => text.slice(0, 3)), 'g4R');
    assert.deepEqual(phone.errors, []);
    await phone.context().close();
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/laser`);
    await page.getByRole('button', { name: 'New game' }).click();
    await page.locator('dialog button[type=submit]').click();
    await page.waitForFunction(() => document.querySelectorAll('.laser-moves .move').length === 0);
    await status(page, 'your_move').waitFor();
    await page.locator('.laser-board').focus();
    // The cursor begins on e4.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.keyboard.press('r');
    await page.waitForFunction(() => document.querySelectorAll('.laser-moves .move').length === 2);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('an experiment is started and stopped by keyboard, and by touch on a phone', { timeout: 240_000 }, async () => {
    for (const options of [{}, PHONE]) {
      const page = await tab(browser, server.url, options);
      await page.goto(`${server.base}/#/lab`);
      const summary = page.locator('#lab-new summary');
      const start = page.locator('#lab-start');
      const stop = page.locator('.experiments li').getByRole('button', { name: 'Stop' });
      if (options === PHONE) {
        await summary.tap();
        await start.tap();
        await stop.tap();
      } else {
        await summary.focus();
        await page.keyboard.press('Enter');
        await reach(page, 'lab-start');
        await page.keyboard.press('Enter');
        await stop.waitFor();
        await stop.focus();
        await page.keyboard.press('Enter');
      }
      await page.locator('.experiments li').getByRole('button', { name: 'Continue' }).first().waitFor();
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, 'nothing is wider than the window');
      assert.deepEqual(page.errors, []);
      await page.context().close();
    }
  });
});

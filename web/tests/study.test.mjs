// Studies in the browser: nothing is lost, whatever is done.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, afterEach, before, describe } from 'node:test';
import { browserPath, drag, launch, moves, place, serve, tab, test, tidy } from './harness.mjs';

const PGN = `[Event "London"]
[White "Anderssen"]
[Black "Kieseritzky"]
[WhiteElo "2600"]
[Result "1-0"]

1. e4 {[%csl Ge4] best} e5 2. f4 $1 $14 exf4 (2... d5 {Falkbeer} 3. exd5) 3. Bc4 1-0
`;

const open = async (page, text) => {
  await page.locator('#open-import').click();
  await page.locator('#paste').fill(text);
  await page.locator('dialog button[type=submit]').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
};
const saved = (page) => page.locator('#saving', { hasText: 'Saved' }).waitFor();
const download = async (page, button) => {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFileSync(await file.path(), 'utf8');
};
const type = async (page, ...texts) => {
  for (const text of texts) {
    const before = await page.locator('.stepper .now').textContent();
    await page.locator('#move').fill(text);
    await page.keyboard.press('Enter');
    await page.waitForFunction((old) => (document.querySelector('.stepper .now')?.textContent ?? old) !== old, before);
  }
};

describe('studies', { skip: !browserPath }, () => {
  let server;
  let browser;
  before(async () => {
    server = await serve(8106);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
  });

  test('a reload keeps moves, variations, comments and the place; export gives all of it back', async () => {
    const page = await tab(browser, server.url, { acceptDownloads: true });
    await page.goto(`${server.base}/#/analyse`);
    await open(page, PGN);
    await page.getByText('Anderssen (2600) – Kieseritzky').first().waitFor();
    await page.locator('.tree .move', { hasText: 'd5' }).first().click();
    await type(page, 'Nc3');
    await saved(page);
    await page.reload();
    await page.locator('.tree .move', { hasText: 'Nc3' }).first().waitFor();
    assert.equal(await page.locator('.tree [aria-current]').textContent(), 'Nc3');
    assert.ok(await page.locator('.tree .comment', { hasText: 'Falkbeer' }).isVisible());
    assert.equal(await page.locator('.tree .glyph').first().textContent(), '! +=');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.locator('.board svg.cg-shapes circle').first().waitFor({ state: 'attached' });
    const text = await download(page, page.locator('#export'));
    for (const part of ['[WhiteElo "2600"]', '1. e4 {[%csl Ge4] best}', '2. f4 $1 $14', '{Falkbeer}', '3. Nc3)', '1-0']) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a new analysis does not take the old one away', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.getByRole('button', { name: 'New analysis' }).click();
    await type(page, 'd4', 'd5', 'c4');
    await saved(page);
    await page.getByRole('button', { name: 'New analysis' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.tree .move').length === 0);
    await page.locator('#open-studies').click();
    const entries = page.locator('dialog .studies .entry');
    await entries.first().waitFor();
    await entries.first().click();
    await page.waitForFunction(() => document.querySelectorAll('.tree .move').length === 3);
    assert.deepEqual(await moves(page), ['d4', 'd5', 'c4']);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('comments, glyphs, arrows, promoting, deleting, undo', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.getByRole('button', { name: 'New analysis' }).click();
    await type(page, 'e4', 'e5');
    await page.keyboard.press('Escape');
    await page.locator('#move').blur();
    await page.keyboard.press('ArrowLeft');
    await type(page, 'c5', 'Nf3');
    await page.locator('.tree .move').nth(3).waitFor();
    assert.deepEqual(await moves(page), ['e4', 'e5', 'c5', 'Nf3']);
    await page.locator('#annotation summary').click();
    await page.locator('#comment').fill('The Open Sicilian.');
    await page.locator('#comment').blur();
    await page.locator('.tree .comment', { hasText: 'The Open Sicilian.' }).waitFor();
    await page.getByRole('button', { name: 'Good move' }).click();
    await page.locator('.tree .glyph', { hasText: '!' }).waitFor();
    // An arrow by dragging with the right button.
    const [from, to] = [await place(page, 'f3'), await place(page, 'e5')];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down({ button: 'right' });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up({ button: 'right' });
    await page.locator('.board svg.cg-shapes g g').first().waitFor({ state: 'attached' });
    // A circle by a right click, in another colour with Shift.
    const circle = await place(page, 'd4');
    await page.keyboard.down('Shift');
    await page.mouse.click(circle.x, circle.y, { button: 'right', delay: 100 });
    await page.keyboard.up('Shift');
    await page.locator('.board svg.cg-shapes circle').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Promote variation' }).click();
    await page.waitForFunction(() => document.querySelector('.tree .variation')?.textContent.includes('e5'));
    assert.deepEqual(await moves(page), ['e4', 'c5', 'e5', 'Nf3!']);
    await page.getByRole('button', { name: 'Move variation down' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.tree .move')[1].textContent === 'e5');
    await page.getByRole('button', { name: 'Make main line' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.tree .move')[1].textContent === 'c5');
    await saved(page);
    await page.reload();
    await page.locator('.tree .comment', { hasText: 'The Open Sicilian.' }).waitFor();
    await page.locator('.board svg.cg-shapes g g').first().waitFor({ state: 'attached' });
    await page.locator('.board svg.cg-shapes circle').first().waitFor({ state: 'attached' });
    await page.locator('#annotation summary').click();
    await page.getByRole('button', { name: 'Delete from here' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.tree .move').length === 3);
    await page.locator('#move').blur();
    await page.keyboard.press('Control+z');
    await page.waitForFunction(() => document.querySelectorAll('.tree .move').length === 4);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the menu of a move: right button and keyboard', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await open(page, '1. e4 e5 (1... c5) 2. Nf3 *');
    const reply = page.locator('.tree .move', { hasText: 'c5' });
    await reply.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Make main line' }).click();
    await page.waitForFunction(() => document.querySelector('.tree .variation')?.textContent.includes('e5'));
    await reply.click({ button: 'right' });
    await page.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await page.locator('.menu').waitFor({ state: 'detached' });
    await reply.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Delete from here' }).click();
    await reply.waitFor({ state: 'detached' });
    assert.deepEqual(await moves(page), ['e4', 'e5', 'Nf3']);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('chapters: a study of Lichess comes with its chapters and goes out with them', async () => {
    const page = await tab(browser, server.url, { acceptDownloads: true });
    await page.goto(`${server.base}/#/analyse`);
    await open(page, '[StudyName "Endings"]\n[ChapterName "Pawn"]\n\n1. e4 *\n\n[StudyName "Endings"]\n[ChapterName "Rook"]\n[FEN "8/8/8/8/8/k7/8/K6R w - - 0 1"]\n\n1. Rh3+ *\n');
    await page.locator('.chapters .entry').nth(1).waitFor();
    assert.deepEqual(await page.locator('.chapters .names').allTextContents(), ['1. Pawn', '2. Rook']);
    await page.locator('.chapters .entry').nth(1).click();
    await page.locator('.tree .move', { hasText: 'Rh3+' }).waitFor();
    await page.getByRole('button', { name: 'Add chapter' }).click();
    await page.locator('.chapters .entry').nth(2).waitFor();
    // The board learns its moves from the server first.
    await page.waitForFunction(() => document.querySelectorAll('.tree .move').length === 0);
    await drag(page, 'e2', 'e4');
    await page.locator('.tree .move', { hasText: 'e4' }).waitFor();
    await saved(page);
    const text = await download(page, page.getByRole('button', { name: 'Study PGN' }));
    assert.equal(text.match(/\[StudyName "Endings"\]/g).length, 2);
    assert.ok(text.includes('1. Rh3+ *') && text.endsWith('1. e4 *\n\n'), text);
    await page.reload();
    await page.locator('.chapters .entry[aria-current]', { hasText: 'Chapter 3' }).waitFor();
    // A name for it, then it goes.
    await page.locator('.study summary', { hasText: 'Names' }).click();
    await page.locator('#chapter-name').fill('Third');
    await page.keyboard.press('Tab');
    await page.locator('.chapters .names', { hasText: '3. Third' }).waitFor();
    await page.getByRole('button', { name: 'Delete chapter' }).click();
    await page.waitForFunction(() => document.querySelectorAll('.chapters .entry').length === 2);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a name can be typed while an engine writes to the page', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await open(page, '[StudyName "Openings"]\n[ChapterName "First"]\n\n1. e4 *\n\n[StudyName "Openings"]\n[ChapterName "Second"]\n\n1. d4 *\n');
    await page.locator('.chapters .entry').nth(1).waitFor();
    await page.locator('.study summary', { hasText: 'Names' }).click();
    await page.locator('#engine-0').click();
    const facts = () => page.locator('.engine').first().textContent();
    await page.locator('#chapter-name').fill('Third');
    // What the engine says draws the page again.
    for (let turn = 0; turn < 2; turn++) {
      const before = await facts();
      await page.waitForFunction((old) => (document.querySelector('.engine')?.textContent ?? old) !== old, before);
    }
    await page.keyboard.press('Tab');
    await page.locator('.chapters .names', { hasText: '1. Third' }).waitFor();
    assert.equal(await page.locator('#chapter-name').inputValue(), 'Third');
    await page.locator('#engine-0').click();
    await page.locator('.chapters .entry').nth(1).click();
    await page.waitForFunction(() => document.querySelector('#chapter-name')?.value === 'Second');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('another study begins at the top of the panel', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.getByRole('button', { name: 'New analysis' }).click();
    await type(page, 'g3');
    await saved(page);
    const panel = () => page.locator('.panel-side').evaluate((element) => element.scrollTop);
    await page.locator('#open-studies').scrollIntoViewIfNeeded();
    await page.mouse.move(1100, 500);
    await page.mouse.wheel(0, 3000);
    await page.waitForFunction(() => document.querySelector('.panel-side').scrollTop > 50);
    await page.locator('#open-studies').click();
    await page.locator('dialog .studies .entry').nth(1).click();
    await page.locator('.tree .move', { hasText: 'g3' }).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.querySelector('.panel-side').scrollTop === 0);
    assert.equal(await panel(), 0);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a study is deleted only when that was meant', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.locator('#open-studies').click();
    await page.locator('dialog .studies li').first().waitFor();
    const before = await page.locator('dialog .studies li').count();
    await page.locator('dialog .studies li').last().getByRole('button', { name: /^Delete/ }).click();
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.waitForFunction((count) => document.querySelectorAll('dialog .studies li').length === count - 1, before);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });
});

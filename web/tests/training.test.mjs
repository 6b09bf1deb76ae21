// Setting up a position, puzzles, and learning from mistakes, by mouse, touch and keyboard.
import assert from 'node:assert/strict';
import { after, afterEach, before, describe } from 'node:test';
import { browserPath, click, drag, launch, place, program, searching, serve, tab, tap, test, tidy } from './harness.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe('training', { skip: !browserPath }, () => {
  let server;
  let browser;
  before(async () => {
    server = await serve(8108);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
  });

  const editor = async (options) => {
    const page = await tab(browser, server.url, options);
    await page.goto(`${server.base}/#/analyse`);
    await page.locator('#edit-position').click();
    await page.locator('#editor-fen').waitFor();
    return page;
  };
  const fen = (page) => page.locator('#editor-fen').inputValue();
  const fenIs = (page, text) => page.waitForFunction((wanted) => document.querySelector('#editor-fen')?.value === wanted, text);

  test('a position is set up by mouse and analysed', async () => {
    const page = await editor();
    assert.equal(await fen(page), 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
    // A piece is dragged, one off the board, one is put down.
    await drag(page, 'e2', 'e4');
    await fenIs(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1');
    await page.getByRole('button', { name: 'Clear board' }).click();
    await fenIs(page, '8/8/8/8/8/8/8/8 w - - 0 1');
    assert.ok(await page.locator('#editor-analyse').isDisabled(), 'no kings');
    await page.getByRole('button', { name: 'White king' }).click();
    await click(page, 'e1');
    await page.getByRole('button', { name: 'White rook' }).click();
    await click(page, 'h1', 'a1');
    await page.getByRole('button', { name: 'Black king' }).click();
    await click(page, 'e8');
    await fenIs(page, '4k3/8/8/8/8/8/8/R3K2R w - - 0 1');
    await page.getByLabel('White O-O', { exact: true }).check();
    await fenIs(page, '4k3/8/8/8/8/8/8/R3K2R w K - 0 1');
    await page.locator('.rights').getByLabel('Black O-O', { exact: true }).isDisabled();
    await page.getByRole('button', { name: 'Swap colours' }).click();
    await fenIs(page, 'r3k2r/8/8/8/8/8/8/4K3 b k - 0 1');
    await page.locator('#editor-analyse').click();
    await page.locator('#edit-position').waitFor();
    await click(page, 'e8', 'g8');
    await page.locator('.tree .move', { hasText: 'O-O' }).waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('by keyboard, from a FEN, with en passant; then a game from it', async () => {
    const page = await editor();
    await page.locator('#editor-fen').fill('4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1');
    await page.locator('#editor-fen').blur();
    await page.locator('#en-passant').selectOption('d6');
    await fenIs(page, '4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1');
    // The cursor begins on e4.
    await page.locator('.board').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('R');
    await fenIs(page, '4k3/8/8/3pP3/3R4/8/8/4K3 w - d6 0 1');
    await page.keyboard.press('Delete');
    await page.locator('#editor-fen').fill('this is no position');
    await page.locator('#editor-fen[aria-invalid=true]').waitFor();
    await page.locator('#editor-fen').fill('4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1');
    await page.locator('#editor-play').click();
    await page.locator('#start-game').click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.locator('.status-line[data-status=your_move]').waitFor();
    await click(page, 'e5', 'd6');
    await page.locator('.moves .move', { hasText: 'exd6' }).waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the position shown, mirrored, flipped, back to the start, with rights of Chess960', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.getByRole('button', { name: 'New analysis' }).click();
    await page.locator('#move').fill('e4');
    await page.keyboard.press('Enter');
    await page.locator('.tree .move', { hasText: 'e4' }).waitFor();
    await page.locator('#edit-position').click();
    await fenIs(page, 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1');
    await page.getByRole('button', { name: 'Mirror left and right' }).click();
    await page.waitForFunction(() => document.querySelector('#editor-fen')?.value.startsWith('rnbkqbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBKQBNR b'));
    await page.getByRole('button', { name: 'Flip board' }).click();
    await page.locator('.board .orientation-black').waitFor();
    await page.locator('label', { hasText: /^White$/ }).click();
    await page.waitForFunction(() => / w /.test(document.querySelector('#editor-fen')?.value));
    await page.getByRole('button', { name: 'Starting position' }).click();
    await fenIs(page, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
    // King and rook where only Chess960 has them.
    await page.locator('#editor-fen').fill('4k3/8/8/8/8/8/8/1R3K2 w - - 0 1');
    await page.locator('#editor-fen').blur();
    const right = page.getByLabel('White O-O-O', { exact: true });
    assert.ok(await right.isDisabled());
    await page.getByLabel('Chess960', { exact: true }).check();
    await right.check();
    await page.locator('#editor-analyse').click();
    await page.locator('#edit-position').waitFor();
    await page.locator('#move').fill('O-O-O');
    await page.keyboard.press('Enter');
    await page.locator('.tree .move', { hasText: 'O-O-O' }).waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('by touch on a phone', async () => {
    const page = await editor(PHONE);
    await page.getByRole('button', { name: 'Remove pieces' }).first().tap();
    await tap(page, 'd8');
    await fenIs(page, 'rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
    await page.getByRole('button', { name: 'Black queen' }).tap();
    await tap(page, 'd5');
    await fenIs(page, 'rnb1kbnr/pppppppp/8/3q4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  const puzzles = async () => (await fetch(`${server.api}/api/puzzles`, { headers: { 'x-tabiya-token': server.token } })).json();
  const shown = async (page, known) => {
    const line = page.locator('.status-line[data-status="your move"]');
    await line.waitFor();
    const id = await line.getAttribute('data-puzzle');
    return known.find((one) => one.id === id);
  };
  const rating = async (page) => Number(await page.locator('#puzzle-rating').textContent());

  test('a puzzle is solved by mouse, the rating rises, another comes, a reload keeps it all', async () => {
    const known = await puzzles();
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/puzzles`);
    const puzzle = await shown(page, known);
    const before = await rating(page);
    for (let at = 0; at < puzzle.solution.length; at += 2) {
      await page.locator('.status-line[data-status="your move"]').waitFor();
      const move = puzzle.solution[at];
      await click(page, move.slice(0, 2), move.slice(2, 4));
      if (move.length === 5) await page.locator('.promotion-piece').nth('qnrb'.indexOf(move[4])).click();
      await page.waitForFunction(() => document.querySelector('.status-line').dataset.status !== 'your move');
    }
    await page.locator('.status-line[data-status=solved]').waitFor();
    const after = await rating(page);
    assert.ok(after > before, `${before} to ${after}`);
    await page.locator('#next-puzzle').click();
    const next = await shown(page, known);
    assert.notEqual(next.id, puzzle.id);
    await page.reload();
    await shown(page, known);
    assert.equal(await rating(page), after);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a wrong move is said, the solution can be seen, by keyboard and on a phone', async () => {
    const known = await puzzles();
    const page = await tab(browser, server.url, PHONE);
    await page.goto(`${server.base}/#/puzzles`);
    await page.locator('#puzzle-theme').selectOption('mateIn1');
    // The puzzle before the choice is shown until the next one is described.
    const mates = known.filter((one) => one.themes.includes('mateIn1')).map((one) => one.id);
    await page.waitForFunction((ids) => ids.includes(document.querySelector('.status-line[data-status="your move"]')?.dataset['puzzle']), mates);
    const puzzle = await shown(page, known);
    assert.ok(puzzle.themes.includes('mateIn1'));
    const before = await rating(page);
    // A legal move that is not the solution, found by trying pieces until one can go somewhere.
    const from = puzzle.solution[0].slice(0, 2);
    const own = await page.locator(`.board piece.${puzzle.fen.includes(' w ') ? 'white' : 'black'}`).evaluateAll((all) => all.map((one) => one.cgKey));
    for (const square of own.filter((one) => one !== from)) {
      await tap(page, square);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const goals = await page.locator('.board square.move-dest:visible').evaluateAll((all) => all.map((one) => one.cgKey));
      if (goals.length === 0) continue;
      await tap(page, goals[0]);
      break;
    }
    await page.locator('.status-line:not([data-status="your move"]):not([data-status=checking])').waitFor();
    assert.equal(await page.locator('.status-line').getAttribute('data-status'), 'wrong');
    await page.getByRole('button', { name: 'View the solution' }).click();
    await page.locator('.status-line[data-status=shown]').waitFor();
    assert.ok((await rating(page)) < before);
    await page.getByRole('button', { name: 'Analyse this position' }).click();
    await page.locator('#engine-0').waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the quiz finds a level, and a game at this level is offered', { timeout: 300_000 }, async () => {
    const known = await puzzles();
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/puzzles`);
    await shown(page, known);
    await page.locator('#quiz-start').click();
    const met = new Set();
    for (let at = 1; at <= 12; at += 1) {
      await page.locator('#quiz', { hasText: `puzzle ${at} of 12` }).waitFor();
      await page.waitForFunction((old) => !old.includes(document.querySelector('.status-line[data-status="your move"]')?.dataset['puzzle'] ?? old[0]), [...met, '']);
      const puzzle = await shown(page, known);
      met.add(puzzle.id);
      // The first by keyboard, the others are given up.
      if (at === 1) {
        for (let move = 0; move < puzzle.solution.length; move += 2) {
          await page.locator('.status-line[data-status="your move"]').waitFor();
          await page.locator('#move').fill(puzzle.solution[move]);
          await page.keyboard.press('Enter');
          await page.waitForFunction(() => document.querySelector('.status-line').dataset.status !== 'your move');
        }
        await page.locator('.status-line[data-status=solved]').waitFor();
      } else await page.getByRole('button', { name: 'View the solution' }).click();
      if (at < 12) await page.locator('#next-puzzle').click();
    }
    const level = page.locator('#quiz-level');
    await level.waitFor();
    const found = Number(/about (\d+) \(/.exec(await level.textContent())[1]);
    assert.ok(found < 1200, `one of twelve solved: ${found}`);
    assert.equal(await rating(page), found);
    await page.getByRole('button', { name: `Play an opponent of ${found}` }).click();
    await page.locator('.player .name', { hasText: /\(\d+\)/ }).waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('after a review a better move is to be found for each mistake', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.locator('#open-import').click();
    await page.locator('#paste').fill('1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. Nxg5 *');
    await page.locator('dialog button[type=submit]').click();
    await page.locator('.tree .move').nth(6).waitFor();
    await page.locator('#review').click();
    await page.locator('#practice-black').click({ timeout: 120_000 });
    const panel = (status) => page.locator(`.practice[data-status=${status}]`);
    await panel('try').waitFor();
    assert.match(await panel('try').textContent(), /3… Qg5 was a mistake\. Find a better move\./);
    await page.locator('#move').fill('Qh4');
    await page.keyboard.press('Enter');
    await panel('wrong').waitFor();
    await click(page, 'g8', 'f6');
    await panel('solved').waitFor();
    await page.locator('#practice-next').click();
    await panel('done').waitFor();
    assert.match(await panel('done').textContent(), /1 of 1 solved/);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the wheel steps, arrows go through variations, a paste is opened', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.locator('#edit-position').waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text', '1. e4 e5 (1... c5) (1... e6) 2. Nf3 *');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    });
    await page.locator('.tree .move').nth(4).waitFor();
    const now = (text) => page.waitForFunction((wanted) => document.querySelector('.stepper .now')?.textContent === wanted, text);
    const { x, y } = await place(page, 'e4');
    await page.mouse.move(x, y);
    await page.mouse.wheel(0, 100);
    await now('1. e4');
    await page.mouse.wheel(0, 100);
    await now('1… e5');
    await page.keyboard.press('ArrowDown');
    await now('1… c5');
    await page.keyboard.press('ArrowDown');
    await now('1… e6');
    await page.keyboard.press('ArrowUp');
    await now('1… c5');
    await page.mouse.wheel(0, -100);
    await now('1. e4');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the opening explorer counts games of each rating and follows the board', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.locator('#explorer').click();
    const rows = page.locator('.explorer tbody tr');
    await rows.filter({ hasText: 'e4' }).first().waitFor();
    const all = await rows.first().locator('td').nth(1).textContent();
    const shares = (await rows.first().locator('.outcomes').textContent()).match(/\d+/g).map(Number);
    assert.equal(shares.length, 3, 'won by White, drawn, won by Black');
    assert.equal(shares[0] + shares[1] + shares[2], 100);
    await page.locator('#band').selectOption({ index: 1 });
    await page.waitForFunction((old) => document.querySelector('.explorer tbody tr td:nth-of-type(2)').textContent !== old, all);
    await rows.filter({ hasText: 'e4' }).first().getByRole('button').click();
    await page.locator('.tree .move', { hasText: 'e4' }).waitFor();
    await rows.filter({ hasText: 'e5' }).first().waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a game with a fault is shown up to it, and a link is explained', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    const open = async (text) => {
      await page.locator('#open-import').click();
      await page.locator('#paste').fill(text);
      await page.locator('dialog button[type=submit]').click();
    };
    await open('[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Qh4 3. Zz9 Nc6 *');
    await page.locator('#fault', { hasText: /\w/ }).waitFor();
    assert.equal(await page.locator('.tree .move').count(), 4);
    await page.getByText('A – B').first().waitFor();
    await open('https://lichess.org/abcdefgh');
    await page.locator('dialog [role=alert]', { hasText: 'This is a link' }).waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('an engine that the operator allowed analyses, compares, and takes its options', async () => {
    // Tabiya itself, as another engine would be.
    const own = await serve(8111, ['--engine', `Other=${program}`]);
    const page = await tab(browser, own.url);
    await page.goto(`${own.base}/#/analyse`);
    await page.locator('.engine-settings summary').first().click();
    await page.locator('#which-engine-0').selectOption('Other');
    await page.locator('#engine-0').click();
    await page.locator('.lines .worth').first().waitFor();
    assert.equal(await page.locator('.engine-facts strong').first().textContent(), 'Other');
    // Its options are known now; no text and nothing that the page sets itself is among them.
    const options = page.locator('.other-options').first();
    await options.locator('summary').click();
    assert.equal(await options.locator('input[type=text], input:not([type])').count(), 0);
    await options.getByLabel('Contempt').fill('25');
    await options.getByLabel('Contempt').blur();
    await page.waitForFunction(() => JSON.parse(localStorage.getItem('tabiya-preferences')).analysis[0].options.some(([name, value]) => name === 'Contempt' && value === '25'));
    await page.locator('.lines .worth').first().waitFor();
    // Beside the own engine, both at work.
    await page.getByRole('button', { name: 'Compare two engines' }).click();
    await page.locator('#engine-1').click();
    await page.locator('.engine').nth(1).locator('.lines .worth').first().waitFor();
    assert.equal(await searching(own, 2), 2);
    assert.deepEqual(page.errors, []);
    await page.context().close();
    await own.end();
  });
});

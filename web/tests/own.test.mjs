// Own games and the repertoire trainer, by mouse, touch and keyboard.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe } from 'node:test';
import { addStudy, browserPath, click, launch, serve, tab, tap, test, tidy } from './harness.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/// As Lichess and chess.com export games.
const GAMES = `[Event "Rated blitz game"]
[Site "https://lichess.org/abcdefgh"]
[Date "2026.01.05"]
[White "annchess"]
[Black "someone"]
[Result "1-0"]
[WhiteElo "1510"]
[BlackElo "1490"]
[TimeControl "300+3"]

1. e4 { [%eval 0.2] [%clk 0:05:00] } e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 1-0

[Event "Live Chess"]
[Site "Chess.com"]
[Date "2026.02.07"]
[White "other"]
[Black "AnnChess"]
[Result "1-0"]
[WhiteElo "1600"]
[BlackElo "1530"]
[TimeControl "600"]

1. f3 e5 2. g4 d6 (2... Qh4#) 3. e4 Qh4+ 4. Ke2 1-0

[Event "Rated bullet game"]
[Date "2026.03.09"]
[White "annchess"]
[Black "third"]
[Result "1/2-1/2"]
[TimeControl "60+0"]

1. d4 d5 2. c4 e6 1/2-1/2
`;

const REPERTOIRE = `[Event "?"]
[StudyName "My white lines"]
[ChapterName "Open games"]
[Result "*"]

1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 {The main idea} Nc6 3. Bb5 *
`;

describe('own games', { skip: !browserPath }, () => {
  let server;
  let browser;
  let folder;
  let file;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabiya-own-'));
    file = join(folder, 'games.pgn');
    writeFileSync(file, GAMES);
    server = await serve(8109);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (options) => {
    const page = await tab(browser, server.url, options);
    await page.goto(`${server.base}/#/games`);
    await page.getByText('All my games', { exact: true }).click();
    await page.locator('#own-total').waitFor();
    return page;
  };
  const total = (page, text) => page.locator('#own-total', { hasText: text }).waitFor();

  test('files of Lichess and chess.com are imported, filtered, opened and exported', async () => {
    const page = await open();
    await page.locator('#own-file').setInputFiles(file);
    await page.locator('#own-imported', { hasText: '3 added' }).waitFor();
    await total(page, '3 games');
    await page.getByRole('button', { name: 'annchess is me' }).click();
    await total(page, '3 games · +1 =1 −1');
    // The same file again adds nothing.
    await page.locator('#own-file').setInputFiles(file);
    await page.locator('#own-imported', { hasText: '0 added, 3 already there' }).waitFor();
    await page.locator('#own-side').selectOption('false');
    await total(page, '1 of 3 games');
    await page.locator('#own-clear').click();
    await total(page, '3 games');
    await page.locator('#own-opening').fill('ruy lopez');
    await total(page, '1 of 3 games');
    await page.locator('#own-clear').click();
    await page.locator('#own-result').selectOption('0');
    await total(page, '1 of 3 games');
    await page.locator('#own-clear').click();
    await page.locator('#own-speed').selectOption('bullet');
    await total(page, '1 of 3 games');
    await page.locator('#own-clear').click();
    await page.locator('#own-from').fill('2026-02-01');
    await total(page, '2 of 3 games');
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#own-export').click()]);
    const text = readFileSync(await download.path(), 'utf8');
    assert.match(text, /\(2\.\.\. Qh4#\)/);
    assert.ok(!text.includes('abcdefgh'));
    await page.locator('.own-game').first().click();
    await page.locator('.tree .move', { hasText: 'd4' }).first().waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('games with the position on the analysis board are found', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.getByRole('button', { name: 'New analysis' }).click();
    await click(page, 'e2', 'e4');
    await page.locator('.tree .move', { hasText: 'e4' }).waitFor();
    await click(page, 'e7', 'e5');
    await page.locator('.tree .move', { hasText: 'e5' }).waitFor();
    await page.locator('#own-position').click();
    await total(page, '1 of 3 games');
    await page.locator('.own-game', { hasText: 'annchess' }).waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the opening explorer counts own games beside those of others', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.getByRole('button', { name: 'New analysis' }).click();
    await page.locator('#explorer').click();
    const row = (san) => page.locator('.explorer tbody tr').filter({ has: page.getByRole('button', { name: san, exact: true }) });
    await row('e4').getByText('+1 =0 −0').waitFor();
    await row('d4').getByText('+0 =1 −0').waitFor();
    await row('f3').getByText('+0 =0 −1').waitFor();
    assert.ok(Number(await row('e4').locator('td').nth(1).textContent()) > 1000, 'games of others');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('progress: games are reviewed, accuracy and errors are shown', { timeout: 300_000 }, async () => {
    const page = await open();
    await page.getByText('Progress', { exact: true }).click();
    await page.locator('#own-review:not([disabled])').click();
    await page.locator('#progress-chart').waitFor({ timeout: 240_000 });
    await page.waitForFunction(() => document.querySelectorAll('#progress-chart circle').length >= 1);
    for (const table of ['Errors by phase', 'Errors by opening', 'Errors by theme']) await page.locator('table', { hasText: table }).locator('tbody tr').first().waitFor();
    const chart = page.locator('#progress-chart [role=img], #progress-chart[role=img]').first();
    assert.match(await chart.getAttribute('aria-label'), /^Accuracy/);
    await page.getByText('Estimated rating', { exact: true }).click();
    await page.waitForFunction(() => /^Estimated rating/.test(document.querySelector('#progress-chart [role=img], #progress-chart[role=img]')?.getAttribute('aria-label')));
    // On a phone tables scroll by themselves and nothing reaches the edge.
    await page.setViewportSize({ width: 390, height: 844 });
    // The numbers beside the chart are not cut off.
    assert.equal(await page.locator('#progress-chart').evaluate((chart) => getComputedStyle(chart).overflow), 'visible');
    const edges = await page.locator('.reading > *').evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().right)));
    assert.ok(Math.max(...edges) <= 384, `right edges ${edges.join(' ')}`);
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('on a phone the list fits and opens by touch', async () => {
    const page = await open(PHONE);
    await page.locator('.own-game').first().waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${wide} pixels wide`);
    const { width } = await page.locator('.own-games').getByRole('button', { name: /^Delete/ }).first().boundingBox();
    assert.ok(width >= 44, `a finger needs 44 pixels, the button has ${width}`);
    await page.getByRole('button', { name: 'Progress' }).or(page.getByText('Progress', { exact: true })).first().tap();
    await page.locator('.report').first().waitFor();
    const right = await page.evaluate(() => Math.max(...[...document.querySelectorAll('.report')].map((table) => table.getBoundingClientRect().right)));
    assert.ok(right <= 390, `tables end at ${right} pixels`);
    await page.getByText('All my games', { exact: true }).tap();
    await page.locator('.own-game').first().tap();
    await page.locator('.tree .move').first().waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('the coach: a remark jumps to its move, its lines are played on the board, puzzles of the game are solved', { timeout: 300_000 }, async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/analyse`);
    await page.locator('#open-import').click();
    await page.locator('dialog textarea').fill('1. f3 e5 2. g4 d6 3. e4 Qh4+ 4. Ke2 Nc6 *');
    await page.locator('dialog').getByRole('button', { name: 'Import', exact: true }).click();
    await page.locator('.tree .move', { hasText: 'Ke2' }).waitFor();
    await page.locator('#coach').click();
    // Lines of other remarks may have the move, too.
    const remark = page.locator('.remarks li', { has: page.locator('.move', { hasText: 'd6' }) }).first();
    await remark.waitFor({ timeout: 240_000 });
    const board = await page.locator('.board').first().boundingBox();
    await remark.locator('.move').click();
    await page.locator('.tree .move[aria-current]', { hasText: 'd6' }).waitFor();
    assert.deepEqual(await page.locator('.board').first().boundingBox(), board, 'the board stays');
    await page.locator('.board svg.cg-shapes line, .board svg line').first().waitFor({ state: 'attached' });
    await remark.getByRole('button', { name: 'Play the better line' }).click();
    await page.locator('.tree .move[aria-current]', { hasText: 'Qh4#' }).waitFor();
    // The puzzle of this game, at once, solved by keyboard.
    await page.locator('#coach-puzzles').click();
    await page.locator('.status-line[data-status="your move"]').waitFor();
    await page.locator('#move').fill('Qh4');
    await page.keyboard.press('Enter');
    await page.locator('.status-line[data-status=solved]').waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  describe('repertoire', () => {
    const begin = async (options) => {
      const page = await tab(browser, server.url, options);
      await page.goto(`${server.base}/#/repertoire`);
      await page.locator('li', { hasText: 'My white lines' }).first().getByRole('button', { name: 'Train White' }).click();
      await page.locator('.status-line[data-status="your move"]').waitFor();
      return page;
    };
    before(() => addStudy(browser, server, REPERTOIRE));

    test('own moves are asked, replies are played, what is known is not asked again', async () => {
      const page = await begin();
      await page.locator('#repertoire-due', { hasText: '5 of 5' }).waitFor();
      await click(page, 'd2', 'd4');
      await page.locator('.status-line[data-status=wrong]').waitFor();
      await click(page, 'e2', 'e4');
      // The reply comes by itself.
      await page.locator('.status-line[data-status="your move"]').waitFor();
      await page.locator('#repertoire-due', { hasText: '4 of 5' }).waitFor();
      await page.locator('#move').fill('Nf3');
      await page.keyboard.press('Enter');
      await page.locator('#repertoire-due', { hasText: '3 of 5' }).waitFor();
      // A popular reply that the study does not have.
      await page.locator('#repertoire-gaps li').first().waitFor();
      await page.locator('#repertoire-solution').click();
      await page.locator('#repertoire-due', { hasText: '2 of 5' }).waitFor();
      await page.reload();
      await page.locator('li', { hasText: 'My white lines' }).first().getByRole('button', { name: 'Train White' }).click();
      await page.locator('#repertoire-due', { hasText: '2 of 5' }).waitFor();
      assert.deepEqual(page.errors, []);
      await page.context().close();
    });

    test('by touch on a phone, and building a new one with the explorer', async () => {
      const page = await begin(PHONE);
      await tap(page, 'e2', 'e4');
      await page.locator('#repertoire-due', { hasText: '4 of 5' }).waitFor();
      await page.locator('#repertoire-leave').tap();
      await page.locator('#build-black').tap();
      await page.locator('.explorer, #explorer').first().waitFor();
      assert.equal(await page.locator('.board .orientation-black').count(), 1);
      assert.deepEqual(page.errors, []);
      await page.context().close();
    });
  });
});

// The Lab page with a real experiment: played here, listed, opened.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe } from 'node:test';
import { browserPath, launch, program, serve, tab, test, tidy } from './harness.mjs';

const BOOK = `rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
`;

describe('lab', { skip: !browserPath }, () => {
  let server;
  let browser;
  let folder;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tabiya-lab-'));
    writeFileSync(join(folder, 'book.epd'), BOOK);
    const engine = (name, option) => ['--engine', 'proto=internal', `name=${name}`, 'nodes=500', 'option.Hash=1', ...option];
    const match = [
      'lab', 'match', '--name', 'Null move <b>or not</b>',
      ...engine('with', []), ...engine('without', ['option.Techniques=all,-null-move']),
      '--openings', `file=${join(folder, 'book.epd')}`, '--games', '4', '--out', join(folder, 'match'),
    ];
    const { status, stderr } = spawnSync(program, match, { encoding: 'utf8', timeout: 120_000 });
    assert.equal(status, 0, stderr);
    server = await serve(8104, ['--lab', folder]);
    browser = await launch();
  });
  afterEach(() => tidy(browser, server));
  after(async () => {
    await browser?.close();
    await server?.end();
    rmSync(folder, { recursive: true, force: true });
  });

  test('an experiment is listed with its progress and opens as a report', async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/lab`);
    const row = page.locator('main').getByText('Null move <b>or not</b>').first();
    await row.waitFor();
    await page.getByText(/4 of 4/).first().waitFor();
    await page.getByRole('button', { name: /Report/ }).first().click();
    await page.locator('.report-host').getByText('without').first().waitFor();
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await row.waitFor();
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('a match is started, watched, stopped and continued; a game is replayed', { timeout: 240_000 }, async () => {
    const page = await tab(browser, server.url);
    await page.goto(`${server.base}/#/lab`);
    await page.locator('#lab-new summary').click();
    await page.locator('#lab-games').fill('2000');
    await page.locator('#lab-nodes').fill('200');
    await page.locator('#lab-nodes').blur();
    await page.locator('#lab-start').click();
    const row = page.locator('.experiments li', { hasText: 'lab-match-1' });
    await row.locator('[data-running]').waitFor();
    await row.getByText(/[1-9]\d* of 2000/).first().waitFor();
    assert.ok(await page.locator('#lab-start').isDisabled(), 'one at a time');
    await row.getByRole('button', { name: 'Stop' }).click();
    await row.getByRole('button', { name: 'Continue' }).waitFor();
    await row.getByRole('button', { name: 'Continue' }).click();
    await row.locator('[data-running]').waitFor();
    await row.getByRole('button', { name: 'Stop' }).click();
    await row.getByRole('button', { name: 'Continue' }).waitFor();
    await row.getByRole('button', { name: 'Games' }).click();
    await page.locator('.tree .move').first().waitFor();
    await page.keyboard.press('End');
    assert.deepEqual(page.errors, []);
    await page.context().close();
  });

  test('nothing is started by a page of another origin, without the token, or by a forged message', async () => {
    const start = (headers, body) => fetch(`${server.base}/api/lab/start`, { method: 'POST', headers, body });
    const match = (engine) => JSON.stringify({ kind: 'match', first: { engine, level: null }, second: { engine: null, level: null }, games: 2, nodes: 100 });
    assert.equal((await start({}, match(null))).status, 403);
    assert.equal((await start({ 'x-tabiya-token': 'wrong' }, match(null))).status, 403);
    const headers = { 'x-tabiya-token': server.token };
    assert.equal((await start(headers, match('/bin/sh'))).status, 422, 'not on the operator’s list');
    assert.equal((await start(headers, '{"kind":"match","cmd":"/bin/sh"}')).status, 422);
    assert.equal((await start(headers, '{"kind":"study","name":"../x","quick":true}')).status, 422);
    assert.equal((await start(headers, 'x'.repeat(100_000))).status, 413);
    const listed = await fetch(`${server.base}/api/own/list`, { method: 'POST', body: '{}' });
    assert.equal(listed.status, 403);
  });
});

// The Lab page with a real experiment: played here, listed, opened.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { browserPath, launch, program, serve, tab } from './harness.mjs';

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
});

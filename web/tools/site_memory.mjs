// Does the site keep growing? One tab starts games against people, plays a move, analyses, reviews and asks the coach, again and again.
//   TABIYA_SITE=FOLDER node tools/site_memory.mjs [minutes] > site-memory.csv
// Columns: minutes, rounds, resident kB of all of the browser's processes, of those that run pages and workers, kB of the page's scripts.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { browserPath, click, newGame } from '../tests/harness.mjs';
import { serveFiles } from '../tests/files.mjs';

const minutes = Number(process.argv[2] ?? 60);
const folder = process.env.TABIYA_SITE ?? join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/site');

/// Resident memory of this process's children, the browser: all of them, and those that run pages.
const resident = () => {
  const processes = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const text = readFileSync(`/proc/${name}/status`, 'utf8');
      processes.set(Number(name), { parent: Number(/PPid:\s+(\d+)/.exec(text)[1]), size: Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0), command: readFileSync(`/proc/${name}/cmdline`, 'utf8') });
    } catch {
      // Ended while we looked.
    }
  }
  const members = [process.pid];
  for (const member of members) for (const [child, { parent }] of processes) if (parent === member) members.push(child);
  const children = members.slice(1).map((member) => processes.get(member));
  const sum = (some) => some.reduce((kilobytes, { size }) => kilobytes + size, 0);
  return [sum(children), sum(children.filter(({ command }) => command.includes('--type=renderer')))];
};

const server = await serveFiles(folder);
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--js-flags=--expose-gc'] });
const page = await browser.newPage();
page.setDefaultTimeout(120_000);
await page.goto(`${server.base}/`);
await page.locator('#quick-start:not([disabled])').waitFor();
const start = Date.now();
let [rounds, told] = [0, 0];
console.log('minutes,rounds,browser_kb,renderer_kb,script_kb');
while (Date.now() - start < minutes * 60_000) {
  await page.locator('nav a[href="#/play"]').click();
  await newGame(page, { full: rounds % 2 === 0 });
  await page.locator('.status-line[data-status=your_move]').waitFor();
  await click(page, 'e2', 'e4');
  await page.waitForFunction(() => document.querySelectorAll('.moves .move').length === 2);
  await page.locator('nav a[href="#/analyse"]').click();
  await page.locator('#edit-position').waitFor();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text', '1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. Nxg5 *');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  });
  await page.locator('.tree .move').nth(6).waitFor();
  await page.locator('#engine-0').click();
  await page.waitForTimeout(4000);
  await page.locator('#engine-0').click();
  await page.locator('#review').click();
  await page.waitForFunction(() => /%/.test(document.querySelector('.report')?.textContent ?? ''));
  rounds += 1;
  if (Date.now() - told > 30_000) {
    told = Date.now();
    const script = await page.evaluate(() => {
      globalThis.gc?.();
      return Math.round(performance.memory.usedJSHeapSize / 1000);
    });
    console.log(`${((told - start) / 60_000).toFixed(1)},${rounds},${resident().join(',')},${script}`);
  }
}
await browser.close();
await server.end();

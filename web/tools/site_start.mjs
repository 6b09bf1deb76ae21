// The first visit to the site: what it loads, and how soon the opponent of level 1500 has moved.
//   TABIYA_SITE=FOLDER node tools/site_start.mjs [visits]
// Each visit has a browser profile of its own. Sizes are those of the files that were asked for, compressed as a host would send them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { click, launch } from '../tests/harness.mjs';
import { serveFiles } from '../tests/files.mjs';

const visits = Number(process.argv[2] ?? 5);
const folder = process.env.TABIYA_SITE ?? join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/site');

const asked = new Set();
const change = (name, bytes) => {
  asked.add(name);
  return bytes;
};
const server = await serveFiles(folder, { change });
const browser = await launch();
for (let visit = 0; visit < visits; visit += 1) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const start = performance.now();
  const since = () => `${Math.round(performance.now() - start)} ms`;
  await page.goto(`${server.base}/`);
  // At every frame: waiting for a locator looks only every half second.
  const shown = (selector, count = 1) =>
    page.waitForFunction(([selector, count]) => document.querySelectorAll(selector).length >= count, [selector, count]);
  await shown('#quick-start:not([disabled])');
  const ready = since();
  await page.locator('#quick-start').click();
  await shown('.status-line[data-status=your_move]');
  const open = since();
  await click(page, 'e2', 'e4');
  await shown('.moves .move', 2);
  console.log(`visit ${visit + 1}: engine ready after ${ready}, game open after ${open}, its first move after ${since()}`);
  await context.close();
}
await browser.close();
await server.end();

const sums = {};
for (const name of asked) {
  const part = name.endsWith('reply.bin') ? 'weights' : name.startsWith('/engine/') ? 'engine' : 'page';
  const bytes = readFileSync(join(folder, name));
  const sum = (sums[part] ??= { files: 0, bytes: 0, gzip: 0, brotli: 0 });
  sum.files += 1;
  sum.bytes += bytes.length;
  sum.gzip += gzipSync(bytes, { level: 9 }).length;
  sum.brotli += brotliCompressSync(bytes).length;
}
for (const [part, { files, bytes, gzip, brotli }] of Object.entries(sums)) {
  console.log(`${part}: ${files} files, ${bytes} bytes, ${gzip} with gzip, ${brotli} with brotli`);
}

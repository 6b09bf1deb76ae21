// How long an analysis on the site goes on after it was stopped: from the page's message to the answer that the engine rests.
//   TABIYA_SITE=FOLDER node tools/site_stop.mjs [stops]    (TABIYA_HOST=site-single: in a page that may not share memory)
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, tab } from '../tests/harness.mjs';
import { serveFiles } from '../tests/files.mjs';

const stops = Number(process.argv[2] ?? 20);
const folder = process.env.TABIYA_SITE ?? join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/site');

/// Runs in the page, before its scripts.
const listen = () => {
  globalThis.delays = [];
  let asked = null;
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.json?.includes('"stop_analysis"')) asked = performance.now();
    return postMessage.call(this, message, ...rest);
  };
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        if (asked === null || data.kind !== 'event') return;
        const event = JSON.parse(data.json);
        if (event.type !== 'analysis' || event.running) return;
        globalThis.delays.push(performance.now() - asked);
        asked = null;
      });
    }
  };
};

const server = await serveFiles(folder);
const browser = await launch();
const page = await tab(browser, `${server.base}/`);
await page.addInitScript(listen);
await page.reload();
await page.locator('#quick-start:not([disabled])').waitFor();
await page.locator('nav a[href="#/analyse"]').click();
await page.locator('#engine-0').waitFor();
for (let round = 0; round < stops; round += 1) {
  await page.locator('#engine-0').click();
  await page.locator('.lines .worth').first().waitFor();
  await page.waitForTimeout(200 + 13 * round);
  await page.locator('#engine-0').click();
  await page.waitForFunction((count) => globalThis.delays.length > count, round);
}
const delays = (await page.evaluate(() => globalThis.delays)).sort((one, other) => one - other);
console.log(`stop median ${delays[delays.length >> 1].toFixed(1)} ms, most ${delays.at(-1).toFixed(1)} ms of ${delays.length}`);
await browser.close();
await server.end();

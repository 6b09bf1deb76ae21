// The npm package in a real browser: isolated, and not.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { browserPath, launch } from './harness.mjs';
import { ISOLATED, serveFiles } from './files.mjs';

const folder = process.env.TABIYA_NPM ?? join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/npm');
const missing = !browserPath ? 'no browser' : !existsSync(join(folder, 'tabiya-single.wasm')) ? 'make npm was not run' : false;

/// Runs in the page: a worker used as people use other engines.
const inPage = async ({ build, bench }) => {
  const engine = new Worker(`/tabiya.js${build ? `?build=${build}` : ''}`);
  const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
  const until = (test) =>
    new Promise((resolve) => {
      engine.addEventListener('message', function listen({ data }) {
        if (!test(data)) return;
        engine.removeEventListener('message', listen);
        resolve(data);
      });
    });
  const ask = (line, test) => {
    const answer = until(test);
    engine.postMessage(line);
    return answer;
  };
  await ask('uci', (line) => line === 'uciok');
  const delays = [];
  for (let round = 0; round < 5; round++) {
    const best = ask('go infinite', (line) => line.startsWith('bestmove'));
    await wait(150);
    const before = performance.now();
    engine.postMessage('stop');
    await best;
    delays.push(performance.now() - before);
  }
  const nodes = bench ? await ask('bench', (line) => / nodes /.test(line) && /^\d/.test(line)) : '';
  engine.terminate();
  return { isolated: crossOriginIsolated, delays: delays.sort((a, b) => a - b), nodes };
};

/// A browser that cannot suspend a search.
const withoutSuspending = (name, bytes) => (name.endsWith('lib/wasi.js') ? Buffer.concat([Buffer.from('delete WebAssembly.Suspending;'), bytes]) : bytes);

const counts = [];
for (const { build, headers, change } of [
  { build: 'single', headers: ISOLATED },
  { build: 'single', headers: {} },
  { build: 'single', headers: {}, change: withoutSuspending },
  { build: 'scalar', headers: {} },
]) {
  const isolated = headers === ISOLATED;
  const how = `${isolated ? 'isolated' : 'not isolated'}${change ? ', by addresses' : ''}`;
  const name = `npm package in the browser: ${build}, ${how}: bench and stop`;
  test(name, { skip: missing, timeout: 600_000 }, async () => {
    const [server, browser] = [await serveFiles(folder, { headers, change }), await launch()];
    try {
      const page = await browser.newPage();
      await page.goto(`${server.base}/example/index.html`);
      const found = await page.evaluate(inPage, { build, bench: true });
      console.log(`${name}: stop ${found.delays.map((delay) => delay.toFixed(1)).join(' ')} ms, ${found.nodes}`);
      assert.equal(found.isolated, isolated);
      counts.push(Number.parseInt(found.nodes));
      assert.ok(counts[0] > 100_000 && counts.every((count) => count === counts[0]), `all builds search the same nodes: ${counts}`);
    } finally {
      await browser.close();
      await server.end();
    }
  });
}

// An hour of endless analysis in eight tabs: does the server, or the page, keep growing?
//   node tools/memory.mjs [minutes] [tabs] > memory.csv
// Columns: minutes since the tabs were ready, resident kB of the server, of the browser's processes, kB of the tabs' scripts.
import { readFileSync, readdirSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { browserPath, serve } from '../tests/harness.mjs';

const [minutes, tabs] = [Number(process.argv[2] ?? 60), Number(process.argv[3] ?? 8)];
const POSITIONS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3',
  'rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5',
  'r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 0 9',
  '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  '4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19',
  '2r3k1/pp3ppp/2n5/3p4/3P4/2P2N2/P4PPP/4R1K1 w - - 0 20',
];

const resident = (pid) => {
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return line ? Number(line[1]) : 0;
};

/// A process and all it started.
const family = (root) => {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      parents.set(Number(name), Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8'))[1]));
    } catch {
      // Ended while we looked.
    }
  }
  const members = [root];
  for (const member of members) for (const [child, parent] of parents) if (parent === member) members.push(child);
  return members;
};

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const safely = (look) => {
  try {
    return look();
  } catch {
    return 0;
  }
};

const server = await serve(8110);
const host = await chromium.launchServer({
  executablePath: browserPath,
  timeout: 300_000,
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--enable-precise-memory-info'],
});
const browser = await chromium.connect(host.wsEndpoint());
const pages = [];
for (let index = 0; index < tabs; index += 1) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(600_000);
  await page.goto(server.url, { timeout: 600_000 });
  await page.locator('#quick-start:not([disabled])').waitFor();
  await page.locator('nav a[href="#/analyse"]').click();
  // As a person would: paste a position, start the engine.
  await page.locator('#open-import').click();
  await page.locator('#paste').fill(POSITIONS[index % POSITIONS.length]);
  await page.locator('dialog button[type=submit]').click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  pages.push(page);
}
// All tabs first: engines that already run would only slow the others' start.
for (const page of pages) await page.keyboard.press('l');
for (const page of pages) await page.locator('.lines .worth').first().waitFor();

const start = Date.now();
const sample = async () => {
  const scripts = [];
  for (const page of pages) scripts.push(await page.evaluate(() => performance.memory.usedJSHeapSize / 1024));
  const row = [
    ((Date.now() - start) / 60_000).toFixed(1),
    resident(server.pid),
    sum(family(host.process().pid).map((pid) => safely(() => resident(pid)))),
    Math.round(sum(scripts)),
  ];
  console.log(row.join(','));
  return row;
};
console.log('minutes,server_kb,browser_kb,scripts_kb');
const { searches } = await server.hello();
console.error(`${searches} searches run`);
// The first minute fills tables and caches.
await new Promise((resolve) => setTimeout(resolve, 60_000));
const first = await sample();
let last = first;
while (Date.now() - start < minutes * 60_000) {
  await new Promise((resolve) => setTimeout(resolve, 30_000));
  last = await sample();
}
const growth = 100 * (last[1] / first[1] - 1);
console.error(`${(await server.hello()).searches} searches run at the end`);
console.error(`server: ${first[1]} kB to ${last[1]} kB, ${growth.toFixed(2)} %`);
await browser.close();
await host.close();
await server.end();
process.exit(growth < 10 ? 0 : 1);

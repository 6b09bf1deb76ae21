// Does the site keep growing? One tab starts games against people and the engine, plays a move, analyses and reviews, again and again.
//   TABIYA_SITE=FOLDER node tools/site_memory.mjs [minutes] [seconds a round, at least] [thousands of nodes a move of a review] > site-memory.csv
// Columns: minutes, rounds, resident kB of all of the browser's processes, of those that run pages and workers, of the memory of the
// module (the largest piece of any process), of the page's process that belong to no file, the same without the module, kB that the page
// itself keeps alive: objects of its scripts, objects of the browser that belong to it (elements, styles, events), texts and buffers outside
// of both; elements of the page. The browser keeps free room between objects, so its processes are larger than what is alive. A round leaves
// a game: their size in the end goes to standard error.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serveFiles } from '../tests/files.mjs';
import { PlainBrowser } from './plain_browser.mjs';

const [minutes, seconds, kilonodes] = [60, 12, 5].map((usual, at) => Number(process.argv[2 + at] ?? usual));
const folder = process.env.TABIYA_SITE ?? join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/site');
const TELL = 30_000;
const ANALYSIS = 4000;
const GAME = '1. e4 e5 2. Nf3 Nc6 3. Bc4 Qg5 4. Nxg5 *';

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/// Resident kB of the largest piece of memory of a process.
const largest = (number) => {
  const pieces = readFileSync(`/proc/${number}/smaps`, 'utf8').matchAll(/^Rss:\s+(\d+)/gm);
  return [...pieces].reduce((most, [, size]) => Math.max(most, Number(size)), 0);
};

/// Resident memory of this process's children, the browser: see the columns.
const resident = () => {
  const processes = new Map();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const text = readFileSync(`/proc/${name}/status`, 'utf8');
      const [parent, size] = [Number(/PPid:\s+(\d+)/.exec(text)[1]), Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0)];
      const anonymous = Number(/RssAnon:\s+(\d+)/.exec(text)?.[1] ?? 0);
      processes.set(Number(name), { number: Number(name), parent, size, anonymous, command: readFileSync(`/proc/${name}/cmdline`, 'utf8') });
    } catch {
      // Ended while we looked.
    }
  }
  const members = [process.pid];
  for (const member of members) for (const [child, { parent }] of processes) if (parent === member) members.push(child);
  const children = members.slice(1).map((member) => processes.get(member));
  const pages = children.filter(({ command }) => command.includes('--type=renderer'));
  const sum = (some) => some.reduce((kilobytes, { size }) => kilobytes + size, 0);
  const page = pages.reduce((one, other) => (other.anonymous > one.anonymous ? other : one));
  const module = largest(page.number);
  return [sum(children), sum(pages), module, page.anonymous, page.anonymous - module];
};

const server = await serveFiles(folder);
const browser = await PlainBrowser.launch();
await browser.watchWorkers();

const play = async (full) => {
  await browser.press('nav a[href="#/play"]');
  // A page that is still being shown does not hear its keys yet.
  for (let tries = 0; tries < 10 && !(await browser.run(() => !!document.querySelector('dialog'))); tries += 1) {
    await browser.key('n');
    await wait(300);
  }
  const choose = (text, wanted) => {
    const label = [...document.querySelectorAll('dialog label')].find((one) => one.textContent.includes(text));
    const field = label.querySelector('input') ?? label.control;
    if (field.checked !== wanted) field.click();
  };
  if (full) await browser.run(choose, 'Full strength', true);
  await browser.run(choose, 'Thinks at human speed', false);
  await browser.press('#start-game');
  await browser.gone('dialog');
  await browser.shown('.status-line[data-status=your_move]');
  await browser.gone('.moves .move');
  await browser.square('e2');
  await browser.square('e4');
  await browser.shown('.moves .move', 2);
};

const analyse = async () => {
  await browser.press('nav a[href="#/analyse"]');
  await browser.shown('#edit-position');
  await browser.run((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, GAME);
  await browser.shown('.tree .move', 7);
  await browser.press('#engine-0');
  await wait(ANALYSIS);
  await browser.press('#engine-0');
  await browser.press('#review');
  await browser.until(() => /%/.test(document.querySelector('.report')?.textContent ?? ''));
};

await browser.open(`${server.base}/`);
await browser.shown('#quick-start:not([disabled])');
await browser.run((kilonodes) => {
  localStorage.setItem('tabiya-preferences', JSON.stringify({ ...JSON.parse(localStorage.getItem('tabiya-preferences') ?? '{}'), kilonodes }));
}, kilonodes);
await browser.open(`${server.base}/#/play`);
await browser.run(() => location.reload());
await wait(1000);
await browser.shown('#quick-start:not([disabled])');
const start = Date.now();
let [rounds, told] = [0, 0];
console.log('minutes,rounds,browser_kb,renderer_kb,module_kb,anonymous_kb,own_kb,script_kb,object_kb,backing_kb,elements');
while (Date.now() - start < minutes * 60_000) {
  const began = Date.now();
  await play(rounds % 2 === 0);
  await analyse();
  rounds += 1;
  await wait(Math.max(0, seconds * 1000 - (Date.now() - began)));
  if (Date.now() - told < TELL) continue;
  told = Date.now();
  // Garbage is not what is measured, nor what the browser gives back when memory is short. The session's worker keeps each message that it
  // has handled until its heap is full, once in half an hour.
  await browser.send('Memory.simulatePressureNotification', { level: 'critical' });
  await browser.collect('board-worker.js');
  await wait(1000);
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await browser.send('Runtime.getHeapUsage');
  const alive = [usedSize, embedderHeapUsedSize, backingStorageSize].map((bytes) => Math.round(bytes / 1024));
  const { nodes } = await browser.send('Memory.getDOMCounters');
  console.log([((told - start) / 60_000).toFixed(1), rounds, ...resident(), ...alive, nodes].join(','));
}
const kept = await browser.run(async () => {
  const base = await new Promise((done) => (indexedDB.open('tabiya', 1).onsuccess = ({ target }) => done(target.result)));
  const files = await new Promise((done) => (base.transaction('files').objectStore('files').getAll().onsuccess = ({ target }) => done(target.result)));
  return { files: files.length, bytes: files.reduce((sum, { text }) => sum + text.length, 0) };
});
console.error(`kept: ${kept.files} files of ${kept.bytes} bytes`);
await browser.end();
await server.end();

// Does the site keep growing? One tab starts games against people, plays a move, analyses, reviews and asks the coach, again and again.
//   TABIYA_SITE=FOLDER node tools/site_memory.mjs [minutes] > site-memory.csv
// Columns: minutes, rounds, resident kB of all of the browser's processes, of those that run pages and workers, of the memory of the
// module (the largest piece of any process), kB of the page's scripts, how many of the page and its workers collected their garbage, how
// many there are, and resident kB of the page's process that belong to no file.
// Before each reading the page and its workers are made to collect their garbage, by the browser's debugger: the workers that are
// threads never come to rest, so the browser would leave theirs until it grows short of memory. A thread that waits does it when it wakes.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { browserPath, click, newGame } from '../tests/harness.mjs';
import { serveFiles } from '../tests/files.mjs';

const minutes = Number(process.argv[2] ?? 60);
const folder = process.env.TABIYA_SITE ?? join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/site');

/// Resident kB of the largest piece of memory of a process.
const largest = (number) => {
  const pieces = readFileSync(`/proc/${number}/smaps`, 'utf8').matchAll(/^Rss:\s+(\d+)/gm);
  return [...pieces].reduce((most, [, size]) => Math.max(most, Number(size)), 0);
};

/// Resident memory of this process's children, the browser: all of them, those that run pages, and the module; and what belongs to no file.
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
  const most = (value) => Math.max(...pages.map(value));
  return { sizes: [sum(children), sum(pages), most(({ number }) => largest(number))], anonymous: most(({ anonymous }) => anonymous) };
};

/// The debugger of a page or worker, with those of the workers that it has started.
class Debugged {
  #post;
  #number = 0;
  #answers = new Map();
  #workers = new Map();

  constructor(post) {
    this.#post = post;
    this.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  }

  /// Answers true, or false when nobody answers for a second.
  send(method, params = {}) {
    const id = ++this.#number;
    const answered = new Promise((resolve) => {
      this.#answers.set(id, () => resolve(true));
      setTimeout(() => resolve(false), 1000).unref();
    });
    this.#post({ id, method, params });
    return answered;
  }

  hear({ id, method, params }) {
    this.#answers.get(id)?.();
    this.#answers.delete(id);
    if (method === 'Target.attachedToTarget') {
      const { sessionId } = params;
      this.#workers.set(sessionId, new Debugged((message) => this.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify(message) })));
    }
    if (method === 'Target.receivedMessageFromTarget') this.#workers.get(params.sessionId)?.hear(JSON.parse(params.message));
    if (method === 'Target.detachedFromTarget') this.#workers.delete(params.sessionId);
  }

  /// Collects garbage here and in all workers; answers how many of how many did.
  async collect() {
    const below = await Promise.all([...this.#workers.values()].map((worker) => worker.collect()));
    const here = await this.send('HeapProfiler.collectGarbage');
    return below.reduce(([done, all], [moreDone, more]) => [done + moreDone, all + more], [Number(here), 1]);
  }
}

const debugged = async (page) => {
  const session = await page.context().newCDPSession(page);
  const root = new Debugged(({ id, method, params }) => session.send(method, params).then(() => root.hear({ id }), () => {}));
  for (const method of ['Target.attachedToTarget', 'Target.receivedMessageFromTarget', 'Target.detachedFromTarget']) {
    session.on(method, (params) => root.hear({ method, params }));
  }
  return root;
};

const server = await serveFiles(folder);
const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--js-flags=--expose-gc', '--enable-precise-memory-info'] });
const page = await browser.newPage();
page.setDefaultTimeout(120_000);
await page.goto(`${server.base}/`);
await page.locator('#quick-start:not([disabled])').waitFor();
const root = await debugged(page);
const start = Date.now();
let [rounds, told] = [0, 0];
console.log('minutes,rounds,browser_kb,renderer_kb,module_kb,script_kb,collected,threads,anonymous_kb');
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
    const [collected, all] = await root.collect();
    const { sizes, anonymous } = resident();
    const script = await page.evaluate(() => Math.round(performance.memory.usedJSHeapSize / 1000));
    console.log([((told - start) / 60_000).toFixed(1), rounds, ...sizes, script, collected, all, anonymous].join(','));
  }
}
await browser.close();
await server.end();

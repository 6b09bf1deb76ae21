// A browser that is watched as little as possible: commands over a pipe, and none of the debugger's parts that keep what they report.
// (Playwright has the browser keep every answer of the network and every line of the console, which grows with the time.)
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserPath } from '../tests/harness.mjs';

const FLAGS = ['--headless=new', '--remote-debugging-pipe', '--no-sandbox', '--disable-dev-shm-usage', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-extensions'];
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const LOOK = 30;

export class PlainBrowser {
  #child;
  #profile = mkdtempSync(join(tmpdir(), 'tabiya-profile-'));
  #number = 0;
  #answers = new Map();
  #page;
  /// Sessions of the page's workers, by their addresses.
  #workers = new Map();

  static async launch() {
    const browser = new PlainBrowser();
    await browser.#attach();
    return browser;
  }

  constructor() {
    this.#child = spawn(browserPath, [...FLAGS, `--user-data-dir=${this.#profile}`, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    let rest = '';
    this.#child.stdio[4].setEncoding('utf8').on('data', (part) => {
      const texts = (rest + part).split('\0');
      rest = texts.pop();
      for (const { id, result, error, method, params } of texts.map((text) => JSON.parse(text))) {
        if (method === 'Target.attachedToTarget') this.#workers.set(params.targetInfo.url, params.sessionId);
        this.#answers.get(id)?.(result ?? { error });
        this.#answers.delete(id);
      }
    });
  }

  async #attach() {
    const { targetInfos } = await this.send('Target.getTargets');
    const { targetId } = targetInfos.find(({ type }) => type === 'page');
    this.#page = (await this.send('Target.attachToTarget', { targetId, flatten: true })).sessionId;
    await this.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
  }

  /// From now on `collect` finds workers that start.
  watchWorkers() {
    return this.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true });
  }

  /// Collects the garbage of the page, and of the worker whose address ends so.
  async collect(worker) {
    await this.send('HeapProfiler.collectGarbage');
    const found = [...this.#workers].find(([url]) => url.endsWith(worker));
    if (!found) throw new Error(`no worker ${worker}`);
    await this.send('HeapProfiler.collectGarbage', {}, found[1]);
  }

  send(method, params = {}, sessionId = this.#page) {
    const id = ++this.#number;
    this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((done) => this.#answers.set(id, done));
  }

  open(url) {
    return this.send('Page.navigate', { url });
  }

  /// Runs a function in the page.
  async run(work, ...given) {
    const expression = `(${work})(...${JSON.stringify(given)})`;
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result?.value;
  }

  async until(work, ...given) {
    for (const end = Date.now() + 120_000; Date.now() < end; await wait(LOOK)) {
      // A page that is being loaded answers nothing.
      if (await this.run(work, ...given).catch(() => false)) return;
    }
    throw new Error(`never: ${work} ${given}`);
  }

  shown(selector, count = 1) {
    return this.until((selector, count) => document.querySelectorAll(selector).length >= count, selector, count);
  }

  gone(selector) {
    return this.until((selector) => !document.querySelector(selector), selector);
  }

  async press(selector) {
    await this.shown(selector);
    await this.run((selector) => document.querySelector(selector).click(), selector);
  }

  async key(key) {
    for (const type of ['keyDown', 'keyUp']) await this.send('Input.dispatchKeyEvent', { type, key, text: key });
  }

  /// Clicks on a square of the board, seen from White's side.
  async square(square) {
    const { x, y, width } = await this.run(() => document.querySelector('.board cg-board').getBoundingClientRect().toJSON());
    const [file, rank] = [square.charCodeAt(0) - 97, 8 - Number(square[1])];
    const at = { x: x + ((file + 0.5) * width) / 8, y: y + ((rank + 0.5) * width) / 8, button: 'left', clickCount: 1 };
    for (const type of ['mousePressed', 'mouseReleased']) await this.send('Input.dispatchMouseEvent', { type, ...at });
  }

  async end() {
    const over = new Promise((done) => this.#child.once('exit', done));
    this.send('Browser.close');
    await over;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

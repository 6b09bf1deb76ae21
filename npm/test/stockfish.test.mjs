// The package where the package `stockfish` is used in Node: `require`, a program for standard input, a worker thread.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { Worker } from 'node:worker_threads';

const built = resolve(process.env.TABIYA_NPM ?? 'dist/npm');
const options = existsSync(join(built, 'tabiya-single.wasm')) ? {} : { skip: 'make npm was not run' };
let folder;
let installed;

/// As npm installs it: only what the package lists.
before(() => {
  if (options.skip) return;
  folder = mkdtempSync(join(tmpdir(), 'tabiya-npm-'));
  const pack = ['pack', '--json', '--pack-destination', folder];
  const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: built, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
  installed = join(folder, 'node_modules/tabiya');
  cpSync(join(folder, 'package'), installed, { recursive: true });
});
after(() => folder && rmSync(folder, { recursive: true, force: true }));

const until = (listen, last) => new Promise((done) => listen((line) => line.startsWith(last) && done(line)));

test('npm: require gives a function that starts an engine, as with stockfish', options, async () => {
  const initEngine = createRequire(join(folder, 'index.js'))('tabiya');
  for (const start of [() => initEngine(), () => initEngine('lite-single'), () => new Promise((done) => initEngine((_, engine) => done(engine)))]) {
    const engine = await start();
    const best = until((hear) => (engine.listener = hear), 'bestmove');
    engine.sendCommand('position startpos moves e2e4');
    engine.sendCommand('go depth 3');
    assert.match(await best, /^bestmove [a-h][78][a-h]\d/);
    engine.terminate();
  }
  const engine = await initEngine.createEngine();
  assert.equal((await engine.ask('uci', 'uciok')).at(-1), 'uciok');
  engine.terminate();
});

test('npm: import gives the same function', options, () => {
  writeFileSync(
    join(folder, 'use.mjs'),
    "import initEngine, { createEngine } from 'tabiya';\nconst engine = await initEngine();\nengine.listener = (line) => line === 'uciok' && (console.log(line, typeof createEngine), engine.terminate());\nengine.sendCommand('uci');\n",
  );
  assert.equal(execFileSync(process.execPath, [join(folder, 'use.mjs')], { encoding: 'utf8' }), 'uciok function\n');
});

test('npm: the worker script is a program that speaks UCI, and ends with its input or by quit', options, async () => {
  const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const link = join(folder, 'tabiya');
  symlinkSync(join(installed, bin.tabiya), link);
  for (const script of [join(installed, 'tabiya.js'), link]) {
    const engine = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] });
    const closed = new Promise((done) => engine.once('close', done));
    let text = '';
    const best = new Promise((done) => engine.stdout.on('data', (part) => /^bestmove/m.test((text += part)) && done()));
    engine.stdin.write('uci\nposition startpos\ngo depth 3\n');
    await best;
    engine.stdin.write('quit\n');
    assert.equal(await closed, 0);
    assert.match(text, /^uciok$/m);
  }
  const { stdout, status } = spawnSync(process.execPath, [join(installed, 'tabiya.js')], { input: 'uci\n', encoding: 'utf8', timeout: 60_000 });
  assert.equal(status, 0);
  assert.match(stdout, /^id name Tabiya/);
});

test('npm: the worker script in a worker thread of Node takes and gives messages', options, async () => {
  const engine = new Worker(join(installed, 'tabiya.js'));
  const best = until((hear) => engine.on('message', hear), 'bestmove');
  engine.postMessage('go depth 3');
  assert.match(await best, /^bestmove [a-h]\d[a-h]\d/);
  const ended = new Promise((done) => engine.once('exit', done));
  engine.postMessage('quit');
  assert.equal(await ended, 0);
});

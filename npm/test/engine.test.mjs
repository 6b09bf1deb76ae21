// The engine package in Node, every build: the bench number, orders during a search, people, a worker that dies.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';

const folder = resolve(process.env.TABIYA_NPM ?? 'dist/npm');
/// The native engine, as `cargo test` leaves it: its bench is the one to equal.
const native = ['target/debug/tabiya', 'target/quick/tabiya', 'target/release/tabiya'].find((path) => existsSync(path));
const nativeBench = (evaluation) => {
  const lines = [`setoption name Evaluation value ${evaluation}`, 'bench', 'quit'];
  const output = execFileSync(native, lines, { encoding: 'utf8' });
  return Number(/^(\d+) nodes/m.exec(output)[1]);
};
/// The builds to test; `make test` makes and tests one of them.
const BUILDS = (process.env.TABIYA_NPM_BUILDS ?? 'single,scalar').split(',');
const has = (build) => existsSync(`${folder}/tabiya-${build}.wasm`);
const options = (build) => (has(build) ? {} : { skip: `make npm has not built tabiya-${build}.wasm` });
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const engine = async (build) => {
  const { createEngine } = await import(pathToFileURL(`${folder}/index.js`).href);
  return createEngine({ build });
};

/// Runs `use` with an engine that is ended whatever happens.
const withEngine = async (build, use) => {
  const one = await engine(build);
  try {
    await use(one);
  } finally {
    one.terminate();
  }
};

/// The lines of a bench end with one that has no keyword in front: "1042835 nodes 500000 nps".
const bench = (one) =>
  new Promise((resolve) => {
    const forget = one.onLine((line) => {
      const found = /^(\d+) nodes/.exec(line);
      if (!found) return;
      forget();
      resolve(Number(found[1]));
    });
    one.send('bench');
  });

for (const build of BUILDS) {
  const comparable = native ? options(build) : { skip: 'no native engine: cargo build -p tabiya' };
  test(`npm ${build}: bench searches the nodes of the native engine`, comparable, () =>
    withEngine(build, async (one) => {
      for (const evaluation of ['network', 'hce']) {
        one.send(`setoption name Evaluation value ${evaluation}`);
        assert.equal(await bench(one), nativeBench(evaluation), evaluation);
      }
    }));

  test(`npm ${build}: stop ends an infinite search, and ponderhit a ponder search`, options(build), () =>
    withEngine(build, async (one) => {
      await one.ask('isready', 'readyok');
      one.send('position startpos moves e2e4');
      const delays = [];
      for (let round = 0; round < 5; round++) {
        const ended = one.ask('go infinite', 'bestmove');
        await wait(120);
        const before = performance.now();
        one.send('stop');
        assert.match((await ended).at(-1), /^bestmove [a-h]\d[a-h]\d/);
        delays.push(performance.now() - before);
      }
      // Told, not judged: a busy machine may hold any of them up.
      console.log(`npm ${build}: stop took ${delays.map((delay) => delay.toFixed(1)).join(' ')} ms`);
      const pondered = one.ask('go ponder movetime 50', 'bestmove');
      await wait(150);
      let isOver = false;
      pondered.then(() => (isOver = true));
      await wait(50);
      assert.ok(!isOver, 'a ponder search does not end by itself');
      one.send('ponderhit');
      await pondered;
    }));

  test(`npm ${build}: a stop or a ponderhit right behind go is not lost`, { ...options(build), timeout: 120_000 }, () =>
    withEngine(build, async (one) => {
      for (let round = 0; round < 5; round++) {
        const ended = one.ask('go ponder movetime 20', 'bestmove');
        one.send('ponderhit');
        assert.match((await ended).at(-1), /^bestmove [a-h]\d[a-h]\d/);
      }
      for (let round = 0; round < 5; round++) {
        const ended = one.ask('go infinite', 'bestmove');
        one.send('stop');
        assert.match((await ended).at(-1), /^bestmove [a-h]\d[a-h]\d/);
      }
    }));

  test(`npm ${build}: a search that has nothing left to do waits for stop`, options(build), () =>
    withEngine(build, async (one) => {
      one.send('position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1');
      let isOver = false;
      const ended = one.ask('go infinite', 'bestmove').then((lines) => ((isOver = true), lines));
      await one.ask('isready', 'readyok');
      await wait(200);
      assert.ok(!isOver);
      one.send('stop');
      assert.match((await ended).at(-1), /^bestmove/);
    }));

  test(`npm ${build}: plays like people once the reply network is there`, options(build), () =>
    withEngine(build, async (one) => {
      one.send('setoption name RandomSeed value 7');
      one.send('setoption name UCI_LimitStrength value true');
      one.send('setoption name UCI_Elo value 1500');
      // Past the openings that the table of counted games knows.
      one.send('position fen r2q1rk1/pp2bppp/2n1bn2/3p4/3N4/2N1B3/PPP1BPPP/R2Q1RK1 w - - 6 11');
      const lines = await one.ask('go nodes 2000', 'bestmove');
      assert.ok(lines.some((line) => line.includes('of 1500-rated players')), lines.join('\n'));
    }));
}

test('npm: an unknown line and a bad position are answered, not fatal', options('single'), () =>
  withEngine('single', async (one) => {
    const answer = await one.ask('no such command\nposition fen 8/8 w\nisready', 'readyok');
    assert.ok(answer.some((line) => line.startsWith('info string')));
    assert.match((await one.ask('go depth 3', 'bestmove')).at(-1), /^bestmove/);
  }));

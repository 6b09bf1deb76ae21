// Nodes a second of the npm package beside the npm package `stockfish`, in one run in the browser, and of native engines in the same run.
//
//   node tools/wasm_speed.mjs TABIYA_NPM STOCKFISH_NPM [NATIVE_ENGINE...]
//
// One thread, 16 MB of hash. The engines take turns at each position, ROUNDS times, so that a load of the machine falls on all of them; the
// best of the rounds counts. Also: bench in the browser and in Node, stop latencies.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createInterface } from 'node:readline';
import { launch } from '../tests/harness.mjs';
import { ISOLATED, serveFiles } from '../tests/files.mjs';

const [tabiya, stockfish, ...natives] = process.argv.slice(2).map((path) => resolve(path));
if (!stockfish) {
  console.error('usage: node tools/wasm_speed.mjs TABIYA_NPM STOCKFISH_NPM [NATIVE_ENGINE...]');
  process.exit(2);
}
const MILLISECONDS = 1000;
const ROUNDS = 3;
const STOPS = 20;
const POSITIONS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
  'r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9',
  '4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19',
];

/// Runs in the page: makes an engine of it.
const inPage = async (url) => {
  const engine = new Worker(url);
  const ask = (line, test) =>
    new Promise((done) => {
      const heard = [];
      engine.addEventListener('message', function listen({ data }) {
        heard.push(data);
        if (!test(data)) return;
        engine.removeEventListener('message', listen);
        done(heard);
      });
      engine.postMessage(line);
    });
  const ready = () => ask('isready', (line) => line === 'readyok');
  await ask('uci', (line) => line === 'uciok');
  engine.postMessage('setoption name Hash value 16');
  await ready();
  globalThis.search = async (fen, milliseconds) => {
    engine.postMessage('ucinewgame');
    await ready();
    engine.postMessage(`position fen ${fen}`);
    const heard = await ask(`go movetime ${milliseconds}`, (line) => line.startsWith('bestmove'));
    return Number(/ nps (\d+)/.exec(heard.findLast((line) => / nodes \d+ nps /.test(line)))[1]);
  };
  globalThis.stops = async (count) => {
    const delays = [];
    for (let round = 0; round < count; round += 1) {
      const best = ask('go infinite', (line) => line.startsWith('bestmove'));
      await new Promise((done) => setTimeout(done, 100 + 13 * round));
      const before = performance.now();
      engine.postMessage('stop');
      await best;
      delays.push(performance.now() - before);
    }
    return delays.sort((one, other) => one - other);
  };
  globalThis.bench = async () => (await ask('bench', (line) => /^\d+ nodes /.test(line))).at(-1);
};

const native = async (path) => {
  const engine = spawn(path, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
  const hear = async (start) => {
    let last = '';
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${path} ended`);
      if (/ nodes \d+ nps /.test(value)) last = value;
      if (value.startsWith(start)) return last;
    }
  };
  const say = (text) => engine.stdin.write(`${text}\n`);
  say('uci');
  await hear('uciok');
  say('setoption name Hash value 16');
  const search = async (fen, milliseconds) => {
    say('ucinewgame');
    say('isready');
    await hear('readyok');
    say(`position fen ${fen}`);
    say(`go movetime ${milliseconds}`);
    return Number(/ nps (\d+)/.exec(await hear('bestmove'))[1]);
  };
  return { name: `native ${path.split('/').pop()}`, search, end: () => say('quit') };
};

const mean = (speeds) => Math.round(Math.exp(speeds.reduce((sum, speed) => sum + Math.log(speed), 0) / speeds.length));
const browser = await launch();
const servers = [];
const inBrowser = async (name, folder, headers, url) => {
  const server = await serveFiles(folder, { headers });
  servers.push(server);
  const page = await browser.newPage();
  await page.goto(`${server.base}/package.json`);
  await page.evaluate(inPage, `${server.base}${url}`);
  const search = (fen, milliseconds) => page.evaluate(([fen, milliseconds]) => globalThis.search(fen, milliseconds), [fen, milliseconds]);
  return { name, page, search, end: () => page.close() };
};
const OURS = [
  ['Tabiya, SIMD, isolated page', ISOLATED, '/tabiya.js?build=single'],
  ['Tabiya, SIMD, page that is not isolated', {}, '/tabiya.js?build=single'],
  ['Tabiya, without SIMD', {}, '/tabiya.js?build=scalar'],
];
const engines = [];
for (const [name, headers, url] of OURS) engines.push(await inBrowser(name, tabiya, headers, url));
for (const name of ['single', 'lite-single']) engines.push(await inBrowser(`Stockfish 19 ${name}`, stockfish, ISOLATED, `/bin/stockfish-19-${name}.js`));
for (const path of natives) engines.push(await native(path));
const best = engines.map(() => POSITIONS.map(() => 0));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [at, fen] of POSITIONS.entries()) {
    for (const [number, engine] of engines.entries()) best[number][at] = Math.max(best[number][at], await engine.search(fen, MILLISECONDS));
  }
}
for (const [number, engine] of engines.entries()) console.log(`${engine.name}: ${mean(best[number])} nodes a second (${best[number].join(' ')})`);
for (const engine of engines) await engine.end();
// One page at a time: browsers give hidden ones less.
for (const [name, headers, url] of OURS) {
  const { page, end } = await inBrowser(name, tabiya, headers, url);
  const delays = await page.evaluate((count) => globalThis.stops(count), STOPS);
  console.log(`${name}: stop median ${delays[delays.length >> 1].toFixed(1)} ms, most ${delays.at(-1).toFixed(1)} ms of ${STOPS}; bench ${await page.evaluate(() => globalThis.bench())}`);
  await end();
}
await browser.close();
for (const server of servers) await server.end();
const { createEngine } = await import(pathToFileURL(`${tabiya}/index.js`).href);
for (const build of ['single', 'scalar']) {
  const engine = await createEngine({ build });
  const bench = await new Promise((done) => {
    engine.onLine((line) => /^\d+ nodes /.test(line) && done(line));
    engine.send('bench');
  });
  console.log(`Node ${process.version}, ${build}: bench ${bench}`);
  engine.terminate();
}
process.exit(0);

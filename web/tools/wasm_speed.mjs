// Nodes a second of the npm package beside the npm package `stockfish`, in one run in the browser, and of native engines in the same run.
//
//   node tools/wasm_speed.mjs TABIYA_NPM STOCKFISH_NPM [NATIVE_ENGINE...]
//
// Each engine searches the same positions in turn, one thread, 16 MB of hash. Also: bench in the browser and in Node, stop latencies.
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
const MILLISECONDS = 2000;
const STOPS = 20;
const POSITIONS = [
  'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
  'r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9',
  '4rrk1/pp1n3p/3q2pQ/2p1pb2/2PP4/2P3N1/P2B2PP/4RRK1 b - - 7 19',
];

/// Runs in the page: one engine as a worker; answers the nodes a second of each position.
const inPage = async ({ url, positions, milliseconds, stops, bench }) => {
  const engine = new Worker(url);
  const until = (test) =>
    new Promise((done) => {
      engine.addEventListener('message', function listen({ data }) {
        if (!test(data)) return;
        engine.removeEventListener('message', listen);
        done(data);
      });
    });
  const ask = (line, test) => {
    const answer = until(test);
    engine.postMessage(line);
    return answer;
  };
  await ask('uci', (line) => line === 'uciok');
  engine.postMessage('setoption name Hash value 16');
  await ask('isready', (line) => line === 'readyok');
  const speeds = [];
  for (const fen of positions) {
    await ask('isready', (line) => line === 'readyok');
    engine.postMessage('ucinewgame');
    await ask('isready', (line) => line === 'readyok');
    engine.postMessage(`position fen ${fen}`);
    let last = '';
    const listen = ({ data }) => {
      if (/ nodes \d+ nps /.test(data)) last = data;
    };
    engine.addEventListener('message', listen);
    await ask(`go movetime ${milliseconds}`, (line) => line.startsWith('bestmove'));
    engine.removeEventListener('message', listen);
    speeds.push(Number(/ nps (\d+)/.exec(last)[1]));
  }
  const delays = [];
  for (let round = 0; round < stops; round += 1) {
    const best = ask('go infinite', (line) => line.startsWith('bestmove'));
    await new Promise((done) => setTimeout(done, 100 + 13 * round));
    const before = performance.now();
    engine.postMessage('stop');
    await best;
    delays.push(performance.now() - before);
  }
  const nodes = bench ? await ask('bench', (line) => /^\d+ nodes /.test(line)) : '';
  engine.terminate();
  return { speeds, delays: delays.sort((one, other) => one - other), bench: nodes };
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
      if (value.startsWith(start)) return [value, last];
    }
  };
  const say = (text) => engine.stdin.write(`${text}\n`);
  say('uci');
  await hear('uciok');
  say('setoption name Hash value 16');
  const speeds = [];
  for (const fen of POSITIONS) {
    say('ucinewgame');
    say('isready');
    await hear('readyok');
    say(`position fen ${fen}`);
    say(`go movetime ${MILLISECONDS}`);
    const [, last] = await hear('bestmove');
    speeds.push(Number(/ nps (\d+)/.exec(last)[1]));
  }
  say('quit');
  return { speeds };
};

const mean = (speeds) => Math.round(Math.exp(speeds.reduce((sum, speed) => sum + Math.log(speed), 0) / speeds.length));
const show = (name, { speeds, delays = [], bench = '' }) => {
  const stop = delays.length > 0 ? `; stop median ${delays[delays.length >> 1].toFixed(1)} ms, most ${delays.at(-1).toFixed(1)} ms of ${delays.length}` : '';
  console.log(`${name}: ${mean(speeds)} nodes a second (${speeds.join(' ')})${stop}${bench ? `; bench ${bench}` : ''}`);
};

const browser = await launch();
const options = { positions: POSITIONS, milliseconds: MILLISECONDS, stops: STOPS };
const page = async (folder, headers, url, more = {}) => {
  const server = await serveFiles(folder, { headers });
  const one = await browser.newPage();
  await one.goto(`${server.base}/package.json`);
  const found = await one.evaluate(inPage, { url: `${server.base}${url}`, ...options, ...more });
  await one.close();
  await server.end();
  return found;
};
for (const [name, folder, headers, url, more] of [
  ['Tabiya, SIMD, isolated page', tabiya, ISOLATED, '/tabiya.js?build=single', { bench: true }],
  ['Stockfish single-thread', stockfish, ISOLATED, '/bin/stockfish-19-single.js', { stops: 0 }],
  ['Stockfish lite single-thread', stockfish, ISOLATED, '/bin/stockfish-19-lite-single.js', { stops: 0 }],
  ['Tabiya, SIMD, page that is not isolated', tabiya, {}, '/tabiya.js?build=single', { bench: true }],
  ['Tabiya, without SIMD', tabiya, {}, '/tabiya.js?build=scalar', { bench: true }],
]) {
  try {
    show(name, await page(folder, headers, url, more));
  } catch (error) {
    console.log(`${name}: ${error.message}`);
  }
}
await browser.close();
for (const path of natives) show(`native ${path.split('/').pop()}`, await native(path));
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

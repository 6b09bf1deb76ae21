// Judges a file of puzzles by another engine: node tools/puzzle_judge.mjs PUZZLES.tsv [ENGINE] [NODES]
// Every own move must be the engine's choice and the only one that wins (the maker's bars); a mate must be as long as its
// theme says, and an advantage decisive or not as its theme says. One line for each puzzle; ends with 1 if one is refused.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file, path = 'stockfish', nodes = '3000000'] = process.argv.slice(2);
if (!file) {
  console.error('usage: node tools/puzzle_judge.mjs PUZZLES.tsv [ENGINE] [NODES]');
  process.exit(2);
}
/// The bars of crates/coach/src/puzzle_maker, without what the maker leaves to spare.
const LEAST = 0.7;
const GAP = 0.25;
/// Decisive is 0.90; the two engines may differ by this.
const CRUSHING = 0.9;
const BLUR = 0.07;

const engine = spawn(path, [], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
const say = (text) => engine.stdin.write(`${text}\n`);
const hear = async (start, each = () => {}) => {
  for (;;) {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${path} ended`);
    if (value.startsWith(start)) return value;
    each(value);
  }
};

/// Lichess's curve from centipawns to the score people can expect.
const expected = ({ kind, value }) => (kind === 'mate' ? (value > 0 ? 1 : 0) : 1 / (1 + Math.exp(-0.00368208 * value)));

const ask = async (fen, moves) => {
  say('ucinewgame');
  say('isready');
  await hear('readyok');
  say(`position fen ${fen} moves ${moves.join(' ')}`.replace(/ moves $/, ''));
  say(`go nodes ${nodes}`);
  const found = [];
  await hear('bestmove', (line) => {
    const match = /multipv (\d) score (cp|mate) (-?\d+) (?!upper|lower).*? pv (\S+)/.exec(line);
    if (match) found[Number(match[1]) - 1] = { move: match[4], kind: match[2], value: Number(match[3]) };
  });
  return found;
};

const objections = async ({ fen, solution, themes }) => {
  const said = [];
  const theme = (name) => themes.includes(name);
  for (let ply = 0; ply < solution.length; ply += 2) {
    const [best, second] = await ask(fen, solution.slice(0, ply));
    const number = ply / 2 + 1;
    const inOne = (line) => line?.kind === 'mate' && line.value === 1;
    const unique = inOne(best) ? !inOne(second) : expected(best) >= LEAST && (!second || expected(best) - expected(second) >= GAP);
    if (best.move !== solution[ply]) said.push(`move ${number}: ${best.move} is better`);
    else if (!unique) {
      const [one, other] = [best, second].map((line) => `${line.move} ${line.kind} ${line.value}`);
      said.push(`move ${number}: ${one}, ${other}`);
    }
    if (ply > 0) continue;
    const length = (solution.length + 1) / 2;
    const mates = best.kind === 'mate' && best.value > 0;
    if (theme('mate') && !(mates && best.value === length && theme(`mateIn${length}`))) said.push(`mate: ${best.kind} ${best.value}`);
    if (theme('crushing') && expected(best) < CRUSHING - BLUR) said.push(`not crushing: ${best.kind} ${best.value}`);
    if (theme('advantage') && expected(best) > CRUSHING + BLUR) said.push(`more than an advantage: ${best.kind} ${best.value}`);
  }
  return said;
};

say('uci');
await hear('uciok');
say('setoption name MultiPV value 2');
say('setoption name Hash value 64');
const puzzles = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))
  .map((line) => line.split('\t'))
  .map(([rating, fen, solution, themes]) => ({ rating, fen, solution: solution.split(' '), themes: themes.split(' ') }));
let confirmed = 0;
for (const [index, puzzle] of puzzles.entries()) {
  const said = await objections(puzzle);
  if (said.length === 0) confirmed += 1;
  console.log(`${index + 1}\t${puzzle.rating}\t${puzzle.themes.join(' ')}\t${said.join('; ') || 'confirmed'}`);
}
console.log(`${confirmed} of ${puzzles.length} puzzles confirmed by ${path} at ${nodes} nodes a move`);
say('quit');
process.exitCode = confirmed === puzzles.length ? 0 : 1;

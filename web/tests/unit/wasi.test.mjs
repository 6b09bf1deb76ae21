// What a WebAssembly module of the engine asks its host for, without a module that asks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imports, pause } from '../../../npm/lib/wasi.js';

const NAMES = [
  ['wasi_snapshot_preview1', 'clock_time_get'],
  ['wasi_snapshot_preview1', 'poll_oneoff'],
  ['wasi_snapshot_preview1', 'fd_write'],
  ['tabiya', 'emit'],
];

/// A module that imports functions of these names and does nothing.
const emptyModule = () => {
  const text = (name) => [name.length, ...new TextEncoder().encode(name)];
  const section = (kind, bytes) => [kind, (bytes.length & 127) | 128, bytes.length >> 7, ...bytes];
  const wanted = NAMES.flatMap(([from, name]) => [...text(from), ...text(name), 0, 0]);
  return new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...section(1, [1, 96, 0, 0]), ...section(2, [NAMES.length, ...wanted])]));
};

const host = (options = {}) => {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 64, shared: true });
  const said = [];
  const { object, state } = imports(emptyModule(), { memory, emit: (line) => said.push(line), ...options });
  return { memory, said, state, wasi: object.wasi_snapshot_preview1, emit: object.tabiya.emit };
};

test('the time is written as nanoseconds', () => {
  const { memory, wasi } = host();
  const before = Date.now();
  assert.equal(wasi.clock_time_get(0, 0n, 64), 0);
  const found = Number(new DataView(memory.buffer).getBigUint64(64, true) / 1_000_000n);
  assert.ok(found >= before - 1 && found <= Date.now() + 1, `${found} and ${before}`);
});

test('a wait has the length that was asked for and tells which wait it was', () => {
  const waits = [];
  const { memory, wasi } = host({ sleep: (milliseconds) => waits.push(milliseconds) });
  const view = new DataView(memory.buffer);
  view.setBigUint64(8, 0x0123456789abcdefn, true);
  view.setBigUint64(8 + 24, 7_500_000_000n, true);
  assert.equal(wasi.poll_oneoff(8, 256, 1, 512), 0);
  assert.deepEqual(waits, [7500]);
  assert.equal(view.getBigUint64(256, true), 0x0123456789abcdefn);
  assert.equal(view.getUint32(512, true), 1);
});

test('texts of any length arrive, also after the memory has grown', () => {
  const { memory, said, emit } = host();
  const put = (text) => {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(memory.buffer).set(bytes, 100);
    emit(100, bytes.length);
    assert.ok(said.pop() === text, `a text of ${bytes.length} bytes`);
  };
  put('Qh5\u2009?! \u265b');
  put('a'.repeat(60_000));
  memory.grow(30);
  put('\u00e9'.repeat(800_000));
  put('short');
});

test('a thread that waits, looks at the clock and speaks makes no lasting things for it', () => {
  const { memory, wasi, emit } = host();
  new Uint8Array(memory.buffer).set(new TextEncoder().encode('info depth 1'), 100);
  const work = () => {
    wasi.clock_time_get(1, 0n, 64);
    wasi.poll_oneoff(8, 256, 1, 512);
    pause(0.01);
    emit(100, 12);
  };
  work();
  const made = [];
  const kept = {};
  for (const name of ['SharedArrayBuffer', 'ArrayBuffer', 'DataView', 'TextDecoder', 'BigInt']) {
    kept[name] = globalThis[name];
    const count = { construct: (target, given) => (made.push(name), new target(...given)), apply: (target, self, given) => (made.push(name), target(...given)) };
    globalThis[name] = new Proxy(kept[name], count);
  }
  try {
    for (let turn = 0; turn < 20; turn++) work();
  } finally {
    Object.assign(globalThis, kept);
  }
  assert.deepEqual(made, []);
});

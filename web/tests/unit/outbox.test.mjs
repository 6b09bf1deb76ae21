// Texts of threads through shared memory: none lost, in the order in which they were sent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { OutboxReceiver, OutboxSender } from '../../../npm/lib/outbox.js';

const bytes = (text) => new TextEncoder().encode(text);
const collected = () => {
  const texts = [];
  return [texts, new OutboxReceiver((text) => texts.push(text))];
};

test('texts of every length come in order, also over the end of the ring', () => {
  const [texts, receiver] = collected();
  const sender = new OutboxSender(receiver.buffer);
  const sent = [];
  for (let round = 0; round < 5000; round += 1) {
    const text = `${round} é♞ ${'x'.repeat((round * 7919) % 3001)}`;
    sent.push(text);
    assert.equal(sender.send(bytes(text)), null);
    if (round % 100 === 99) receiver.drain();
  }
  receiver.end();
  receiver.drain();
  assert.deepEqual(texts, sent);
});

test('an empty text is a text', () => {
  const [texts, receiver] = collected();
  assert.equal(new OutboxSender(receiver.buffer).send(bytes('')), null);
  receiver.end();
  receiver.drain();
  assert.deepEqual(texts, ['']);
});

test('what does not fit keeps its place in the order', () => {
  const [texts, receiver] = collected();
  const sender = new OutboxSender(receiver.buffer);
  const large = 'x'.repeat(2 << 20);
  assert.equal(sender.send(bytes('first')), null);
  const number = sender.send(bytes(large));
  assert.equal(number, 1);
  assert.equal(sender.send(bytes('third')), null);
  receiver.drain();
  assert.deepEqual(texts, ['first']);
  receiver.posted(number, large);
  receiver.end();
  assert.deepEqual(texts, ['first', large, 'third']);
});

test('a text that makes another one come does not overtake it', () => {
  const texts = [];
  let sender = null;
  const receiver = new OutboxReceiver((text) => {
    texts.push(text);
    if (text === 'one') sender.send(bytes('three'));
    receiver.drain();
  });
  sender = new OutboxSender(receiver.buffer);
  sender.send(bytes('one'));
  sender.send(bytes('two'));
  receiver.drain();
  receiver.drain();
  receiver.end();
  assert.deepEqual(texts, ['one', 'two', 'three']);
});

test('threads send at the same time, each in its order, without a message', { timeout: 60_000 }, async () => {
  const TEXTS = 3000;
  const THREADS = 3;
  const heard = new Map();
  let count = 0;
  let done;
  const all = new Promise((resolve) => (done = resolve));
  const receiver = new OutboxReceiver((text) => {
    const [thread, number] = text.split(' ').map(Number);
    heard.set(thread, [...(heard.get(thread) ?? []), number]);
    if ((count += 1) === TEXTS * THREADS) done();
  });
  const source = `
    import { OutboxSender } from ${JSON.stringify(new URL('../../../npm/lib/outbox.js', import.meta.url).href)};
    import { parentPort, workerData } from 'node:worker_threads';
    const sender = new OutboxSender(workerData.buffer);
    for (let number = 0; number < ${TEXTS}; number += 1) {
      const text = workerData.thread + ' ' + number + ' ' + 'x'.repeat(number % 700);
      const place = sender.send(new TextEncoder().encode(text));
      if (place !== null) parentPort.postMessage({ place, text });
    }`;
  const workers = Array.from({ length: THREADS }, (_, thread) => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), { workerData: { buffer: receiver.buffer, thread } });
    worker.on('message', ({ place, text }) => receiver.posted(place, text));
    return worker;
  });
  await all;
  receiver.end();
  await Promise.all(workers.map((worker) => worker.terminate()));
  for (const numbers of heard.values()) assert.deepEqual(numbers, Array.from({ length: TEXTS }, (_, number) => number));
});

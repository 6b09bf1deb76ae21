// When sounds are heard: at once, or not at all.
import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { page } from './page.mjs';

let modules;
const started = [];
let allow;

class FakeContext {
  state = 'suspended';
  currentTime = 0;
  destination = {};
  resume() {
    return new Promise((done) => {
      allow = () => {
        this.state = 'running';
        done();
      };
    });
  }
}

const parameter = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };

class FakeNode {
  frequency = parameter;
  gain = parameter;
  connect(to) {
    return to;
  }
  start(at) {
    started.push(at);
  }
  stop() {}
}

before(async () => {
  Object.assign(globalThis, { AudioContext: FakeContext, OscillatorNode: FakeNode, GainNode: FakeNode });
  modules = await page();
});
after(() => modules.close());

test('sounds that a browser held back until the first click are left out, later ones are heard', async () => {
  const now = mock.method(performance, 'now', () => 0);
  const { play, TONES } = await modules.load('sound.ts');
  const held = play('move');
  now.mock.mockImplementation(() => 5000);
  allow();
  await held;
  assert.deepEqual(started, []);
  await play('capture');
  assert.equal(started.length, TONES.capture.length);
});

test('a sound is not lost while the browser starts its audio', async () => {
  [started.length, allow] = [0, null];
  mock.method(performance, 'now', () => 0);
  const { play } = await modules.load('sound.ts?another');
  const first = play('move');
  performance.now.mock.mockImplementation(() => 40);
  allow();
  await first;
  assert.equal(started.length, 1);
});

// Bytes as text, and what makes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeText } from '../../../npm/lib/text.js';

const encoder = new TextEncoder();

test('text of every kind and length comes out as it went in', () => {
  for (const text of ['', 'a', 'e2e4\n'.repeat(5000), 'Müller', '棋'.repeat(3000), 'a😀b', '\u0000\u007f']) {
    assert.equal(decodeText(encoder.encode(text)), text);
  }
});

test('plain letters are not left to a decoder, whose texts a browser keeps outside of the heap that it cleans', (context) => {
  const decode = context.mock.method(TextDecoder.prototype, 'decode');
  decodeText(encoder.encode('{"type":"analysis"}'));
  assert.equal(decode.mock.callCount(), 0);
  decodeText(encoder.encode('é'));
  assert.equal(decode.mock.callCount(), 1);
});

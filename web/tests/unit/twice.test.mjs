// A browser test that fails in CI gets a second run, and only one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

const harness = new URL('../harness.mjs', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'tabiya-twice-'));
const notes = join(folder, 'notes');
after(() => rmSync(folder, { recursive: true }));

/// Runs a test that fails so many times; answers whether it passed and what was noted.
const outcome = (failures, environment) => {
  const file = join(folder, 'one.test.mjs');
  writeFileSync(file, `import { test } from ${JSON.stringify(harness.href)};\nlet left = ${failures};\ntest('shaky', () => { if (left-- > 0) throw new Error('late'); });\n`);
  writeFileSync(notes, '');
  const { NODE_TEST_CONTEXT: _, CI: __, ...rest } = process.env;
  const { status } = spawnSync(process.execPath, ['--test', file], { env: { ...rest, TABIYA_TEST_NOTES: notes, ...environment }, stdio: 'ignore' });
  return { passed: status === 0, noted: readFileSync(notes, 'utf8') };
};

describe('a test that fails', () => {
  test('fails', () => assert.deepEqual(outcome(1, {}), { passed: false, noted: '' }));
  test('in CI passes at its second run, with a note', () =>
    assert.deepEqual(outcome(1, { CI: 'true' }), { passed: true, noted: "browser test 'shaky': passed at its second run only\n" }));
  test('in CI fails at its second run', () => assert.deepEqual(outcome(2, { CI: 'true' }), { passed: false, noted: '' }));
  test('that passes needs no note', () => assert.deepEqual(outcome(0, { CI: 'true' }), { passed: true, noted: '' }));
});

// What ordinary users did not understand is not said any more.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { page } from './page.mjs';

/// What the page used to say, and what it says now.
const REPLACED = [
  [/start the game/i, 'Play now'],
  [/^either$/i, 'Random'],
  [/the engine gives/i, 'Handicap'],
  [/the usual position/i, 'Standard'],
  [/seconds a move/i, 'Increment (s)'],
  [/minutes, if other/i, 'Engine’s minutes (time odds)'],
  [/^(\.\.\.|…)$/, 'Custom'],
  [/believable time/i, 'Thinks at human speed'],
  [/thinks while you think/i, 'Ponder (thinks on your time)'],
  [/worse than nothing/i, 'Contempt: avoids draws'],
  [/points in a hundred/i, 'Adapt level: target score for you (%)'],
  [/0 reads it from/i, 'Your rating (0 = estimate)'],
  [/^speculative$/i, 'Set traps'],
  [/thousandths/i, 'Trap budget per game'],
  [/share of the decision/i, 'Caution (%)'],
  [/^table, mb$/i, 'Hash (MB)'],
  [/as released/i, 'Default'],
  [/^draw$/i, 'Plot'],
  [/on one move/i, 'Next move'],
  [/no game fits/i, 'No matching games.'],
  [/looking in/i, 'Folder: 7'],
];

describe('words', () => {
  let modules;
  let strings;
  before(async () => {
    modules = await page();
    ({ strings } = await modules.load('strings.ts'));
  });
  after(() => modules.close());

  /// Every sentence, those with numbers in them with this one.
  const said = (words, number) =>
    Object.values(words).flatMap((value) => {
      if (typeof value === 'string') return [value];
      if (typeof value === 'function') return [value(...Array(value.length).fill(number))];
      return typeof value === 'object' && value !== null ? said(value, number) : [];
    });

  test('replaced words are gone, and what stands for them is there', () => {
    const all = said(strings, 7);
    for (const [old, now] of REPLACED) {
      assert.deepEqual(all.filter((text) => old.test(text)), [], `${old}`);
      assert.ok(all.includes(now), now);
    }
    assert.deepEqual(['off', 'seed', 'bounded'].map((value) => strings.optionValues.Speculative[value]), ['off', 'classic', 'careful']);
    for (const name of ['Parallel', 'SplitDepth', 'Techniques']) assert.ok(strings.expertOptions.includes(name), name);
  });

  test('one of a thing is not said in the plural', async () => {
    const plural = {
      strings: /\b1 (games|puzzles|chapters|positions|moves|comments|threads|mistakes|blunders|studies)\b/i,
      'strings.de': /\b1 (Partien|Aufgaben|Kapiteln|Stellungen|Züge|Kommentare|Fehler gefunden|Studien)\b/,
      'strings.es': /\b1 (partidas|ejercicios|capítulos|posiciones|jugadas|comentarios|estudios)\b/i,
    };
    for (const [name, pattern] of Object.entries(plural)) {
      const module = await modules.load(`${name}.ts`);
      const words = module.strings ?? module.translation;
      // These are never said of one: a search on one thread shares nothing, and a quiz has its length.
      const never = [words.analyse.sharing.workers(1), words.puzzles.quiz(1)];
      const found = said(words, 1).filter((text) => !never.includes(text) && pattern.test(text.replace(/1 (of|von|de) 1\b/g, '')));
      assert.deepEqual(found, [], name);
    }
  });
});

// The puzzle trainer, without a browser.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { node, page } from './page.mjs';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('puzzles', () => {
  let modules;
  let trainer;
  let update;
  let state;
  before(async () => {
    modules = await page();
    trainer = await modules.load('puzzles.ts');
    ({ update } = await modules.load('update/index.ts'));
    state = await modules.load('state.ts');
  });
  after(() => modules.close());

  const puzzle = (id, rating, themes = ['fork']) => ({ id, rating, themes, fen: `fen ${id}`, solution: ['e2e4', 'e7e5', 'g1f3'] });
  const list = [puzzle('easy', 900), puzzle('even', 1500), puzzle('hard', 2100, ['pin'])];

  describe('the choice', () => {
    test('the nearest to the rating first, and not the same twice', () => {
      const record = trainer.newRecord(1600);
      assert.equal(trainer.nextPuzzle(record, list, null, 0, null).id, 'even');
      assert.equal(trainer.nextPuzzle(record, list, null, 0, 'even').id, 'hard');
      assert.equal(trainer.nextPuzzle(record, list, 'pin', 0, null).id, 'hard');
      assert.equal(trainer.nextPuzzle(record, list, 'none', 0, null), null);
    });
    test('what was failed comes again after an hour, before anything new', () => {
      const record = trainer.recorded(trainer.newRecord(1500), list[2], false, 0);
      assert.equal(trainer.nextPuzzle(record, list, null, HOUR / 2, null).id, 'even');
      assert.equal(trainer.nextPuzzle(record, list, null, HOUR, null).id, 'hard');
      assert.equal(trainer.dueCount(record, list, HOUR), 1);
    });
    test('the time until it comes again grows with each solution', () => {
      let record = trainer.newRecord(1500);
      let now = 0;
      const pauses = [];
      for (const solved of [false, true, true, true]) {
        record = trainer.recorded(record, list[1], solved, now);
        pauses.push(record.seen.even.due - now);
        now = record.seen.even.due;
      }
      assert.deepEqual(pauses, [HOUR, DAY, 3 * DAY, 7 * DAY]);
    });
  });

  test('the rating follows the first meeting only', () => {
    const start = trainer.newRecord(1500);
    const won = trainer.recorded(start, list[1], true, 0);
    assert.equal(won.rating, 1520);
    assert.equal(trainer.recorded(start, list[1], false, 0).rating, 1480);
    assert.equal(trainer.recorded(won, list[1], false, 0).rating, 1520);
    assert.ok(trainer.recorded(start, list[2], true, 0).rating > 1530, 'a harder one counts more');
  });

  test('the quiz finds players of any level', async () => {
    const quiz = await modules.load('quiz.ts');
    const many = Array.from({ length: 600 }, (_, index) => puzzle(`p${index}`, 600 + 3 * index));
    for (const truth of [900, 1500, 2200]) {
      let [now, met, seed] = [quiz.newQuiz(), new Set(), truth];
      const random = () => (seed = (seed * 16807) % 2147483647);
      for (let at = 0; at < 40; at += 1) {
        const next = quiz.quizPuzzle(now, many, (id) => met.has(id), random());
        met.add(next.id);
        now = quiz.answered(now, next.rating, random() / 2147483647 < 1 / (1 + 10 ** ((next.rating - truth) / 400)));
      }
      const { low, middle, high } = quiz.levelOf(now);
      assert.ok(Math.abs(middle - truth) < 250 && low < middle && middle < high, `${truth}: ${low} ${middle} ${high}`);
    }
    assert.equal(quiz.quizPuzzle(quiz.newQuiz(), list, () => true, 1), null, 'all were met');
  });

  describe('solving', () => {
    const fresh = () => ({ ...state.initial('puzzles', state.defaultPreferences()), connection: 'open' });
    const nodes = () => [
      node(null, null, 0, { fen: 'fen even' }),
      node(0, 'e4', 1, { uci: 'e2e4', from_to: ['e2', 'e4'] }),
      node(1, 'e5', 2, { uci: 'e7e5', from_to: ['e7', 'e5'] }),
      node(2, 'Nf3', 3, { uci: 'g1f3', from_to: ['g1', 'f3'] }),
    ];
    const follow = (start, ...inputs) =>
      inputs.reduce(([now, effects], input) => {
        const [next, more] = update(now, typeof input === 'function' ? input(now) : input);
        return [next, [...effects, ...more]];
      }, [start, []]);
    const described = (list) => (now) => ({ on: 'event', now: 0, event: { type: 'described', request: now.puzzles.request, from: 0, nodes: list } });
    const begun = () => follow(fresh(), { on: 'puzzles', puzzles: list }, described(nodes()))[0];

    test('the right moves solve it, however they are written', () => {
      const [first, effects] = follow(begun(), { on: 'board move', from: 'e2', to: 'e4' });
      assert.equal(first.puzzles.status, 'reply');
      assert.ok(effects.some((effect) => effect.do === 'later' && effect.input.on === 'puzzle reply'));
      const [done, more] = follow(first, { on: 'puzzle reply' }, { on: 'typed move', text: 'nf3' });
      assert.equal(done.puzzles.status, 'solved');
      assert.equal(done.puzzles.record.rating, 1520);
      assert.equal(more.filter((effect) => effect.do === 'remember puzzles').length, 1);
    });

    test('a wrong move counts once, and the puzzle can still be solved', () => {
      const wrong = [{ on: 'board move', from: 'd2', to: 'd4' }, described([node(null, null, 0), node(0, 'd4', 1)])];
      const [missed] = follow(begun(), ...wrong);
      assert.deepEqual([missed.puzzles.status, missed.puzzles.record.rating], ['wrong', 1480]);
      const [again] = follow(missed, ...wrong);
      assert.equal(again.puzzles.record.failed, 1);
      const [late] = follow(again, { on: 'board move', from: 'e2', to: 'e4' }, { on: 'puzzle reply' }, { on: 'board move', from: 'g1', to: 'f3' });
      assert.deepEqual([late.puzzles.status, late.puzzles.record.rating, late.puzzles.record.solved], ['solved', 1480, 0]);
    });

    test('another mate is as good', () => {
      const mate = node(0, 'Qh7#', 1, { over: 'mate', check: true });
      const [done] = follow(begun(), { on: 'board move', from: 'd1', to: 'h7' }, described([node(null, null, 0), mate]));
      assert.equal(done.puzzles.status, 'solved');
    });

    test('the quiz: 12 first meetings, then the rating is what it found', () => {
      const many = Array.from({ length: 40 }, (_, index) => puzzle(`p${index}`, 600 + 50 * index));
      let [now] = follow(fresh(), { on: 'puzzles', puzzles: many }, { on: 'quiz', start: true }, described(nodes()));
      const met = new Set();
      for (let at = 1; at <= 12; at += 1) {
        assert.equal(now.puzzles.quiz.tried, at - 1);
        assert.ok(!met.has(now.puzzles.current.id), 'no puzzle twice');
        met.add(now.puzzles.current.id);
        // A wrong move counts once, whatever follows.
        const wrong = [{ on: 'board move', from: 'd2', to: 'd4' }, described([node(null, null, 0), node(0, 'd4', 1)])];
        [now] = follow(now, ...wrong, { on: 'puzzle solution' });
        if (at < 12) [now] = follow(now, { on: 'next puzzle' }, described(nodes()));
      }
      assert.equal(now.puzzles.quiz, null);
      assert.ok(now.puzzles.level.middle < 900, JSON.stringify(now.puzzles.level));
      assert.equal(now.puzzles.record.rating, now.puzzles.level.middle);
      const [, effects] = follow(now, { on: 'play at level', level: now.puzzles.level.middle });
      const started = effects.find((effect) => effect.do === 'send').command;
      assert.deepEqual([started.type, started.settings.opponent.level], ['new_game', now.puzzles.level.middle]);
    });

    test('who looks at the solution has not solved it', () => {
      const [shown] = follow(begun(), { on: 'puzzle solution' });
      assert.deepEqual([shown.puzzles.status, shown.puzzles.record.failed, shown.puzzles.shown], ['shown', 1, 1]);
      const [stepped] = follow(shown, { on: 'key', key: 'ArrowRight' }, { on: 'key', key: 'ArrowRight' });
      assert.equal(stepped.puzzles.shown, 3);
    });
  });
});

// What the page does about what happens, without a browser or a server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { node, page } from './page.mjs';

describe('updates', () => {
  let modules;
  let update;
  let state;
  let format;
  before(async () => {
    modules = await page();
    ({ update } = await modules.load('update/index.ts'));
    state = await modules.load('state.ts');
    format = await modules.load('format.ts');
  });
  after(() => modules.close());

  /// A page with its server.
  const fresh = (name = 'play') => ({ ...state.initial(name, state.defaultPreferences()), connection: 'open' });
  /// Inputs one after the other; answers the last state and all effects.
  const follow = (start, ...inputs) =>
    inputs.reduce(
      ([now, effects], input) => {
        const [next, more] = update(now, input);
        return [next, [...effects, ...more]];
      },
      [start, []],
    );
  const sent = (effects) => effects.filter((effect) => effect.do === 'send').map((effect) => effect.command);
  const event = (event) => ({ on: 'event', event, now: 0 });
  const view = (moves, change = {}) => ({
    id: 1,
    settings: state.defaultPreferences().game,
    you: 'white',
    opponent: 'Tabiya',
    chess960: false,
    nodes: [node(null, null, 0), ...moves.map((san, index) => node(index, san, index + 1))],
    status: { kind: 'your_move' },
    clocks: null,
    opening: null,
    ...change,
  });

  describe('the evaluation bar', () => {
    test('mate on the board belongs to who gave it', () => {
      const mated = (turn) => node(0, 'Qh4#', 4, { over: 'mate', check: true, turn });
      assert.equal(format.finalShare(mated('white')), 0);
      assert.equal(format.finalShare(mated('black')), 1);
      assert.equal(format.shareText(0), '0-1');
    });
    test('stalemate and other draws are in the middle', () => {
      assert.equal(format.finalShare(node(0, 'Kc6', 9, { over: 'draw by stalemate' })), 0.5);
      assert.equal(format.finalShare(node(0, 'Kc6', 9, { over: 'draw', dests: { e1: 'e2' }, check: true })), 0.5);
      assert.equal(format.shareText(0.5), '½');
    });
    test('a game that goes on has no result', () => assert.equal(format.finalShare(node(0, 'e4', 1)), null));
    test('a draw by an endgame table is no win', () => {
      const share = (value, kind = 'table') => format.winShare({ kind, value });
      assert.deepEqual([share(1), share(0), share(-1)], [1, 0.5, 0]);
      assert.deepEqual([share(3, 'mate'), share(-3, 'mate')], [1, 0]);
    });
  });

  test('every language has every word', async () => {
    const { strings } = await modules.load('strings.ts');
    const names = (words, prefix = '') =>
      Object.entries(words).flatMap(([name, value]) =>
        typeof value === 'object' && !Array.isArray(value) ? names(value, `${prefix}${name}.`) : [`${prefix}${name}:${typeof value}${Array.isArray(value) ? value.length : ''}`],
      );
    for (const language of ['de', 'es']) {
      const { translation } = await modules.load(`strings.${language}.ts`);
      assert.deepEqual(names(translation).sort(), names(strings).sort(), language);
    }
    const { languageOf, replaceWords } = await modules.load('language.ts');
    assert.equal(languageOf('auto', ['fr-FR', 'es-MX', 'de']), 'es');
    assert.equal(languageOf('auto', ['fr']), 'en');
    assert.equal(languageOf('de', ['es']), 'de');
    // Parts that other modules hold change with the whole.
    const words = { part: { word: 'one', list: ['a'] } };
    const { part } = words;
    replaceWords(words, { part: { word: 'eins', list: ['b', 'c'] } });
    assert.deepEqual(part, { word: 'eins', list: ['b', 'c'] });
  });

  test('moves are understood as people type them', async () => {
    const { typedMove } = await modules.load('typed.ts');
    for (const [typed, move] of [
      ['nc3', 'Nc3'],
      ['Nc3', 'Nc3'],
      [' qxf7# ', 'Qxf7#'],
      ['n1d2', 'N1d2'],
      ['bxc3', 'bxc3'],
      ['b4', 'b4'],
      ['0-0', 'O-O'],
      ['o-o-o', 'O-O-O'],
      ['00', 'O-O'],
      ['0-0-0+', 'O-O-O+'],
      ['e8Q', 'e8=Q'],
      ['e8=q', 'e8=Q'],
      ['dxe8/N+', 'dxe8=N+'],
      ['e2-e4', 'e2e4'],
      ['E7E8Q', 'e7e8q'],
      ['e7xf8=N', 'e7f8n'],
      ['e4!?', 'e4'],
      ['O-O', 'O-O'],
    ]) assert.equal(typedMove(typed), move, typed);
  });

  test('what was said about a move goes away when the move is taken back', () => {
    const [said] = follow(fresh(), event({ type: 'game', view: view(['e4', 'e5']) }), event({ type: 'remark', text: 'A trap.' }));
    assert.equal(said.play.remark, 'A trap.');
    const [same] = follow(said, event({ type: 'game', view: view(['e4', 'e5']) }));
    assert.equal(same.play.remark, 'A trap.', 'news about the same move keeps it');
    const [back] = follow(said, event({ type: 'game', view: view([]) }));
    assert.equal(back.play.remark, null);
  });

  test('a remark comes before the opponent’s move it is about and stays until the next own move', () => {
    const turn = (moves) => {
      const game = view(moves);
      const nodes = game.nodes.map((node, ply) => ({ ...node, turn: ply % 2 === 0 ? 'white' : 'black' }));
      return event({ type: 'game', view: { ...game, you: 'white', nodes } });
    };
    const [replied] = follow(fresh(), turn(['e4']), event({ type: 'remark', text: 'e5 is the only move' }), turn(['e4', 'e5']));
    assert.equal(replied.play.remark, 'e5 is the only move');
    const [moved] = follow(replied, turn(['e4', 'e5', 'Nf3']));
    assert.equal(moved.play.remark, null);
  });

  test('a refused position keeps the dialog open; a game closes it', () => {
    const settings = state.defaultPreferences().game;
    const [asked, effects] = follow(fresh(), { on: 'setup', open: true }, { on: 'new game', settings });
    assert.equal(asked.play.setup, true);
    assert.deepEqual(sent(effects).map(({ type }) => type), ['new_game']);
    const [refused] = follow(asked, event({ type: 'problem', what: 'No king.', next: 'Check.' }));
    assert.equal(refused.play.setup, true);
    assert.equal(refused.problem.what, 'No king.');
    const [begun] = follow(asked, event({ type: 'game', view: view([]) }));
    assert.equal(begun.play.setup, false);
  });

  test('without a server no move is pretended', () => {
    const [lost] = follow(fresh('analyse'), { on: 'connection', connection: 'lost', game: null });
    const inputs = [
      { on: 'board move', from: 'e2', to: 'e4' },
      { on: 'typed move', text: 'e4' },
      { on: 'laser typed', text: 'g4R' },
    ];
    for (const input of inputs) {
      const [next, effects] = update(lost, input);
      assert.deepEqual(sent(effects), [], input.on);
      assert.ok(next.problem, input.on);
      assert.equal(next.redraw, lost.redraw + 1, 'the piece goes back to where it was');
    }
  });

  test('engines rest while another page is shown, and go on with theirs', () => {
    const [running] = follow(fresh('analyse'), { on: 'engine', slot: 0 });
    const [away, rest] = update(running, { on: 'page', page: 'games' });
    assert.deepEqual(sent(rest).filter(({ type }) => type === 'stop_analysis'), [{ type: 'stop_analysis', slot: 'first' }]);
    const [, again] = update(away, { on: 'page', page: 'analyse' });
    assert.equal(sent(again).filter(({ type }) => type === 'analyse').length, 1);
    const [, idle] = update(fresh('analyse'), { on: 'page', page: 'games' });
    assert.equal(sent(idle).some(({ type }) => type === 'stop_analysis'), false);
  });

  describe('Leiserchess', () => {
    const laser = (...moves) => ({
      you: 'black',
      turn: 'white',
      plies: [null, ...moves].map((text) => ({ text, pieces: [], beam: [], exit: null, zapped: null, fen: 'start W' })),
      moves: [],
      result: null,
      reason: null,
      thinking: false,
    });
    test('a game is remembered after every move and taken up again', () => {
      const [, effects] = follow(fresh('laser'), event({ type: 'laser', view: laser('g4R', 'c2L') }));
      const game = effects.find((effect) => effect.do === 'remember laser').game;
      assert.deepEqual(game, { black: true, milliseconds: 1000, fen: 'start W', moves: ['g4R', 'c2L'] });
      const start = fresh('play');
      const [, again] = update({ ...start, laser: { ...start.laser, earlier: game } }, { on: 'page', page: 'laser' });
      assert.deepEqual(sent(again), [{ type: 'laser_new', ...game }]);
    });
    test('a game of an earlier visit that cannot be read gives way to a new one', () => {
      const [, effects] = follow(fresh('laser'), event({ type: 'problem', what: 'No.', next: '' }));
      assert.deepEqual(sent(effects), [{ type: 'laser_new', black: false, milliseconds: 1000, fen: null, moves: [] }]);
    });
    test('a reopened server gets the game that is on the board', () => {
      const [shown] = follow(fresh('laser'), event({ type: 'laser', view: laser('g4R') }));
      const [, effects] = follow(shown, { on: 'connection', connection: 'lost', game: null }, { on: 'connection', connection: 'open', game: null });
      assert.deepEqual(sent(effects).map(({ moves }) => moves), [['g4R']]);
    });
    test('f flips the board', () => {
      const [flipped] = follow(fresh('laser'), { on: 'key', key: 'f' });
      assert.equal(flipped.laser.flipped, true);
    });
  });

  describe('the study on the board', () => {
    const game = (...moves) => ({ tags: [['White', 'A']], result: '*', nodes: view(moves).nodes });
    const opened = (...moves) => follow(fresh('analyse'), { on: 'opened game', game: game(...moves), index: 0 });
    const saves = (effects) => effects.filter((effect) => effect.do === 'save study');

    test('a move, a comment, a glyph and a shape are saved', () => {
      const [start] = opened('e4', 'e5');
      const inputs = [
        { on: 'comment', text: 'Best.' },
        { on: 'shapes', shapes: [{ brush: 'green', from: 'e2', to: 'e4' }] },
      ];
      const [next, effects] = follow(start, ...inputs);
      assert.equal(saves(effects).length, 2);
      assert.deepEqual(next.analyse.nodes[0].comments, ['[%cal Ge2e4] Best.']);
      assert.deepEqual(saves(effects)[1].chapters[0].nodes, next.analyse.nodes);
      const [judged, more] = follow(next, { on: 'node', index: 1 }, { on: 'nag', nag: 1 });
      assert.deepEqual([judged.analyse.nodes[1].nags, saves(more).length], [[1], 1]);
      assert.equal(judged.analyse.study.saving, 'waiting');
    });

    test('the dialog of a pasted game stays until the game is on the board', () => {
      const imported = { collection: 3, games: [{ problem: null, plies: 2 }] };
      const [waiting, effects] = follow(fresh('analyse'), { on: 'import', open: true }, { on: 'imported', imported });
      assert.equal(waiting.analyse.importing, true, 'a move typed now would be played in the position before');
      assert.ok(effects.some((effect) => effect.do === 'fetch imported'));
      const [there] = follow(waiting, { on: 'opened game', game: game('e4', 'e5'), index: 0 });
      assert.deepEqual([there.analyse.importing, there.analyse.nodes.length], [false, 3]);
    });

    test('undo brings back what was deleted', () => {
      const [start] = opened('e4', 'e5', 'Nf3');
      const [less] = follow(start, { on: 'node', index: 2 }, { on: 'delete from here' });
      assert.deepEqual(less.analyse.nodes.map(({ san }) => san), [null, 'e4']);
      assert.equal(less.analyse.current, 1);
      const [back, effects] = follow(less, { on: 'undo' });
      assert.deepEqual(back.analyse.nodes.map(({ san }) => san), [null, 'e4', 'e5', 'Nf3']);
      assert.equal(back.analyse.current, 2);
      assert.equal(saves(effects).length, 1);
    });

    test('a new board leaves the study in the list, a board only looked at gives its place', () => {
      const [looked] = opened('e4');
      const saved = follow(looked, { on: 'study saved', key: looked.analyse.study.key, id: 7, revision: 1 })[0];
      assert.equal(follow(saved, { on: 'opened game', game: game('d4'), index: 1 })[0].analyse.study.id, 7);
      const [kept] = follow(saved, { on: 'comment', text: 'Mine.' });
      const [anew] = follow(kept, { on: 'reset board' });
      assert.equal(anew.analyse.study.id, null);
      assert.equal(anew.analyse.nodes.length, 1);
      // The number of the old study does not stick to the new one.
      const [late] = follow(anew, { on: 'study saved', key: kept.analyse.study.key, id: 7, revision: 2 });
      assert.equal(late.analyse.study.id, null);
    });

    test('an empty board is not saved', () => {
      const [, effects] = follow(fresh('analyse'), { on: 'reset board' });
      assert.deepEqual(saves(effects), []);
    });

    test('chapters are added, named, gone through and deleted', () => {
      const [two, effects] = follow(opened('e4')[0], { on: 'rename', what: 'study', name: 'Mine' }, { on: 'add chapter' }, { on: 'rename', what: 'chapter', name: 'Two' });
      assert.equal(two.analyse.study.chapter, 1);
      assert.equal(two.analyse.nodes.length, 1);
      assert.equal(saves(effects).at(-1).chapters.length, 2);
      const [one] = follow(two, { on: 'chapter', index: 0 });
      assert.deepEqual(one.analyse.nodes.map(({ san }) => san), [null, 'e4']);
      const [left] = follow(one, { on: 'delete chapter' });
      assert.deepEqual(left.analyse.study.chapters.map(({ tags }) => tags), [[['ChapterName', 'Two'], ['StudyName', 'Mine']]]);
      assert.equal(follow(left, { on: 'delete chapter' })[0].analyse.study.chapters.length, 1, 'the last chapter stays');
    });

    test('a study of an earlier visit opens where it was left', () => {
      const start = fresh('play');
      const remembered = { id: 3, chapter: 1, moves: 'd4 d5' };
      const [, ask] = update({ ...start, analyse: { ...start.analyse, remembered } }, { on: 'page', page: 'analyse' });
      assert.ok(ask.some((effect) => effect.do === 'fetch study' && effect.id === 3));
      const study = { id: 3, revision: 9, chapters: [game('e4'), game('d4', 'd5', 'c4')] };
      const [open] = follow({ ...start, page: 'analyse', analyse: { ...start.analyse, remembered } }, { on: 'study', study });
      assert.deepEqual([open.analyse.study.chapter, open.analyse.nodes[open.analyse.current].san], [1, 'd5']);
    });
  });

  test('a study is saved once for many changes, one request at a time', async () => {
    const { Saver } = await modules.load('saver.ts');
    const calls = [];
    let finish;
    const saver = new Saver({
      write: (text, known) => new Promise((done) => {
        calls.push([text.trim(), known]);
        finish = () => done({ id: 5, revision: calls.length });
      }),
      done: (key, saved) => calls.push(['done', key, saved.revision]),
      failed: () => calls.push(['failed']),
    });
    const chapters = (san) => [{ tags: [], result: '*', nodes: [node(null, null, 0, { fen: state.START }), node(0, san, 1)] }];
    saver.save(1, null, 0, chapters('e4'));
    saver.save(1, null, 0, chapters('d4'));
    const first = saver.flushAll();
    assert.deepEqual(calls, [['1. d4 *', null]]);
    // A change meanwhile waits, and knows the number that the first request brought.
    saver.save(1, null, 0, chapters('c4'));
    await saver.flushAll();
    assert.equal(calls.length, 1);
    finish();
    await new Promise((done) => setTimeout(done));
    assert.deepEqual(calls[1], ['1. c4 *', { id: 5, revision: 1 }]);
    finish();
    await first;
    assert.deepEqual(calls[2], ['done', 1, 2]);
  });

  describe('learning from mistakes', () => {
    const label = (label, best = null) => ({ worth: { kind: 'centipawns', value: 0 }, win: 50, label, best, best_line: best ? [best] : [], accuracy: null });
    const side = { accuracy: null, inaccuracies: 0, mistakes: 0, blunders: 0, loss: null };
    const review = (...moves) => ({ total: moves.length, moves, white: side, black: side, finished: true });
    /// 1. e4 e5 2. Qh5?? Nc6: White's third position was reached by a mistake.
    const reviewed = () => {
      const [opened] = follow(fresh('analyse'), { on: 'opened game', game: { tags: [], result: '*', nodes: view(['e4', 'e5', 'Qh5', 'Nc6']).nodes }, index: 0 });
      return follow(opened, { on: 'review' }, event({ type: 'reviewed', review: review(label(null), label(null), label(null), label('mistake', 'Nf3'), label(null)) }))[0];
    };

    test('the position before the mistake is shown; a good move is accepted, a bad one is not', () => {
      const [task] = follow(reviewed(), { on: 'practice', side: 'white' });
      assert.deepEqual([task.analyse.current, task.analyse.practice.mistakes], [2, [3]]);
      const [checking, effects] = follow(task, { on: 'typed move', text: 'Nc3' });
      assert.deepEqual(sent(effects), [{ type: 'review', line: { start: 'e5 2', moves: ['Nc3'] }, kilonodes: 200 }]);
      assert.equal(checking.analyse.practice.status, 'checking');
      const [wrong] = follow(checking, event({ type: 'reviewed', review: review(label(null), label('inaccuracy')) }));
      assert.equal(wrong.analyse.practice.status, 'wrong');
      const [again] = follow(wrong, { on: 'typed move', text: 'Nf3' });
      const [right, played] = follow(again, event({ type: 'reviewed', review: review(label(null), label(null)) }));
      assert.equal(right.analyse.practice.status, 'solved');
      assert.deepEqual(sent(played).map(({ type }) => type), ['describe'], 'the move is played on the board');
      assert.equal(right.analyse.review.total, 5, 'the review of the game is still there');
      const [done] = follow(right, { on: 'practice next' });
      assert.deepEqual([done.analyse.practice.at, done.analyse.practice.solved], [1, 1]);
    });

    test('a move that is judged when the connection is lost can be tried again', () => {
      const [task] = follow(reviewed(), { on: 'practice', side: 'white' });
      const [lost] = follow(task, { on: 'typed move', text: 'Nc3' }, { on: 'connection', connection: 'lost', game: null });
      assert.equal(lost.analyse.practice.status, 'try');
      assert.ok(lost.redraw > task.redraw, 'the piece goes back');
    });

    test('a side without mistakes has nothing to learn from', () => {
      const [none] = follow(reviewed(), { on: 'practice', side: 'black' });
      assert.deepEqual(none.analyse.practice.mistakes, []);
    });

    test('the solution is played on the board', () => {
      const [, effects] = follow(reviewed(), { on: 'practice', side: 'white' }, { on: 'practice solution' });
      assert.deepEqual(sent(effects).at(-1).line.moves.at(-1), 'Nf3');
    });
  });
});

// The repertoire trainer and the sounds, without a browser.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { node, page } from './page.mjs';

const DAY = 86_400_000;

describe('repertoire', () => {
  let modules;
  let repertoire;
  before(async () => {
    modules = await page();
    repertoire = await modules.load('repertoire.ts');
  });
  after(() => modules.close());

  const fen = (name, turn) => `${name} ${turn} - - 0 1`;
  /// 1. e4 e5 (1... c5 2. Nf3) 2. Nf3
  const chapter = () => ({
    tags: [],
    result: '*',
    nodes: [
      node(null, null, 0, { fen: fen('start', 'w'), turn: 'white' }),
      node(0, 'e4', 1, { fen: fen('e4', 'b'), turn: 'black' }),
      node(1, 'e5', 2, { fen: fen('e5', 'w'), turn: 'white' }),
      node(1, 'c5', 2, { fen: fen('c5', 'w'), turn: 'white', main: false }),
      node(2, 'Nf3', 3, { fen: fen('e5nf3', 'b'), turn: 'black' }),
      node(3, 'Nf3', 3, { fen: fen('c5nf3', 'b'), turn: 'black' }),
    ],
  });

  test('own positions with a move are cards, each once', () => {
    const cards = repertoire.cardsOf([chapter(), chapter()], 'white');
    assert.deepEqual(cards.map(({ chapter: at, node: index }) => [at, index]), [[0, 0], [0, 2], [0, 3]]);
    assert.deepEqual(repertoire.cardsOf([chapter()], 'black').map(({ node: index }) => index), [1]);
  });

  test('games of a position that come after the trainer was left change nothing', async () => {
    const { repertoireEvent, nodesOf } = await modules.load('update/repertoire.ts');
    const { initial, defaultPreferences } = await modules.load('state.ts');
    const state = initial('repertoire', defaultPreferences());
    const [{ fen: start }] = nodesOf(state.repertoire);
    assert.deepEqual(repertoireEvent(state, { type: 'explored', fen: start, bands: [], moves: [] }), [state, []]);
  });

  test('what is known waits longer each time, what is not comes back soon', () => {
    const [card] = repertoire.cardsOf([chapter()], 'white');
    let record = repertoire.answered({}, card.key, true, 0);
    assert.equal(record[card.key].due, DAY);
    record = repertoire.answered(record, card.key, true, DAY);
    assert.equal(record[card.key].due, 4 * DAY);
    record = repertoire.answered(record, card.key, false, 4 * DAY);
    assert.ok(record[card.key].due < 4.1 * DAY);
  });

  test('new positions come in the order of the study, due ones before them', () => {
    const cards = repertoire.cardsOf([chapter()], 'white');
    assert.equal(repertoire.nextCard(cards, {}, 0).node, 0);
    const record = { [cards[2].key]: { box: 1, due: 5 } };
    assert.equal(repertoire.nextCard(cards, record, 10).node, 3);
    const all = Object.fromEntries(cards.map(({ key }) => [key, { box: 1, due: 100 }]));
    assert.equal(repertoire.nextCard(cards, all, 10), null);
  });

  test('the reply leads to what waits longest', () => {
    const cards = repertoire.cardsOf([chapter()], 'white');
    const record = { [cards[1].key]: { box: 1, due: 100 } };
    assert.equal(repertoire.replyTo(chapter(), 1, cards, record), 3);
    assert.equal(repertoire.replyTo(chapter(), 4, cards, record), null, 'the line ends');
  });

  test('frequent replies outside the study are gaps', () => {
    const move = (uci, games) => ({ uci, san: uci, games: [games], own: { wins: 0, draws: 0, losses: 0 }, opening: null });
    const moves = [move('e5', 50), move('c6', 20), move('h6', 1)];
    assert.deepEqual(repertoire.gapsIn(chapter(), 1, moves).map(({ uci }) => uci), ['c6']);
  });
});

describe('sounds', () => {
  let modules;
  before(async () => {
    modules = await page();
  });
  after(() => modules.close());

  test('no two are alike, and none lasts longer than a second', async () => {
    const { TONES } = await modules.load('sound.ts');
    const shapes = Object.values(TONES).map((tones) => JSON.stringify(tones));
    assert.equal(new Set(shapes).size, shapes.length);
    for (const tones of Object.values(TONES)) assert.ok(Math.max(...tones.map(({ after: pause, length }) => pause + length)) <= 1);
  });

  test('a move sounds like what it is', async () => {
    const { moveSound } = await modules.load('update/play.ts');
    const sounds = [['Nf3', {}], ['exd5', { capture: true }], ['O-O', {}], ['e8=Q', {}], ['Qh5+', { check: true }]].map(([san, change]) =>
      moveSound(node(0, san, 1, change)),
    );
    assert.deepEqual(sounds, ['move', 'capture', 'castle', 'promote', 'check']);
  });
});

// Trees, annotations and the PGN that is written of them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { node, page } from './page.mjs';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

describe('studies', () => {
  let modules;
  let tree;
  let annotation;
  let pgn;
  before(async () => {
    modules = await page();
    tree = await modules.load('tree.ts');
    annotation = await modules.load('annotation.ts');
    pgn = await modules.load('pgn.ts');
  });
  after(() => modules.close());

  /// 1. e4 e5 (1... c5 2. Nf3) (1... e6) 2. Nf3
  const small = () => [
    node(null, null, 0, { fen: START }),
    node(0, 'e4', 1),
    node(1, 'e5', 2),
    node(1, 'c5', 2, { main: false }),
    node(1, 'e6', 2, { main: false }),
    node(2, 'Nf3', 3),
    node(3, 'Nf3', 3),
  ];
  const write = (nodes, change = {}) => pgn.writeGame({ tags: [], result: '*', nodes, ...change }).trim();

  test('a tree is written with its variations', () => {
    assert.equal(write(small()), '1. e4 e5 (1... c5 2. Nf3) (1... e6) 2. Nf3 *');
  });

  test('a variation goes up, down, becomes the main line, goes away', () => {
    const at = ([nodes]) => write(nodes);
    assert.equal(at(tree.movedVariation(small(), 6, -1)), '1. e4 c5 (1... e5 2. Nf3) (1... e6) 2. Nf3 *');
    assert.equal(at(tree.movedVariation(small(), 6, 1)), '1. e4 e5 (1... e6) (1... c5 2. Nf3) 2. Nf3 *');
    assert.equal(tree.movedVariation(small(), 4, 1), null, 'the last one stays');
    assert.equal(at(tree.asMainLine(small(), 4)), '1. e4 e6 (1... e5 2. Nf3) (1... c5 2. Nf3) *');
    assert.equal(tree.asMainLine(small(), 5), null, 'the main line is one already');
    const [nodes, places] = tree.withoutNode(small(), 3);
    assert.equal(write(nodes), '1. e4 e5 (1... e6) 2. Nf3 *');
    assert.equal(nodes[places.get(5)].san, 'Nf3');
    assert.equal(places.has(6), false);
    assert.equal(at(tree.withoutNode(small(), 2)), '1. e4 c5 (1... e6) 2. Nf3 *', 'a variation takes the place of the main line');
  });

  test('tags, glyphs and comments are written as PGN has them', () => {
    const nodes = small();
    nodes[0].comments = ['Before the game.'];
    nodes[1] = { ...nodes[1], nags: [1, 14], comments: ['[%clk 0:05:00] best'] };
    nodes[3] = { ...nodes[3], comments_before: ['or'] };
    const text = write(nodes, { tags: [['White', 'A "B" \\ C'], ['WhiteElo', '2700'], ['Result', '?']], result: '1-0' });
    assert.equal(
      text,
      '[White "A \\"B\\" \\\\ C"]\n[WhiteElo "2700"]\n[Result "1-0"]\n\n{Before the game.} 1. e4 $1 $14 {[%clk 0:05:00] best} 1... e5 ({or} 1... c5 2.\nNf3) (1... e6) 2. Nf3 1-0',
    );
  });

  test('a brace in a comment is told in a comment to the end of the line', () => {
    const nodes = [node(null, null, 0, { fen: START }), node(0, 'e4', 1, { comments: ['a } b'] }), node(1, 'e5', 2)];
    assert.equal(write(nodes), '1. e4 ;a } b\n1... e5 *');
  });

  test('a position of its own and Chess960 are told by tags', () => {
    const text = (fen, tags = []) => write([node(null, null, 0, { fen })], { tags });
    assert.equal(text('8/8/8/8/8/8/8/K1k5 w - - 0 1'), '[SetUp "1"]\n[FEN "8/8/8/8/8/8/8/K1k5 w - - 0 1"]\n\n*');
    const random = 'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1';
    assert.match(text(random), /\[FEN "bbqnnrkr[^"]*KQkq[^"]*"\]\n\[Variant "Chess960"\]/);
    assert.match(text('4k3/8/8/8/8/8/8/RK5R w HA - 0 1'), /Chess960/);
    assert.doesNotMatch(text(random, [['Variant', 'Fischerandom']]), /"Chess960"/);
    assert.doesNotMatch(text(START), /Chess960/);
  });

  test('words, arrows and circles are kept apart in a comment', () => {
    const one = node(0, 'e4', 1, { comments: ['[%clk 0:05:00] [%csl Ge4,Rd5] good [%cal Bg1f3]', 'and more'] });
    assert.equal(annotation.commentText(one), 'good and more');
    assert.deepEqual(annotation.shapesOf(one), [
      { brush: 'green', from: 'e4', to: 'e4' },
      { brush: 'red', from: 'd5', to: 'd5' },
      { brush: 'blue', from: 'g1', to: 'f3' },
    ]);
    assert.equal(annotation.commandOf(one, 'clk'), '0:05:00');
    assert.deepEqual(annotation.withCommentText(one, ' better }\n').comments, ['[%clk 0:05:00] [%csl Ge4,Rd5] [%cal Bg1f3] better )']);
    assert.deepEqual(annotation.withShapes(one, [{ brush: 'yellow', from: 'a1', to: 'a8' }]).comments, [
      '[%cal Ya1a8] [%clk 0:05:00] good',
      'and more',
    ]);
    assert.deepEqual(annotation.withShapes(one, []).comments, ['[%clk 0:05:00] good', 'and more']);
  });

  test('of the glyphs for a move one is given, of those for a position another', () => {
    const glyphs = (...nags) => nags.reduce((one, nag) => annotation.withNag(one, nag), node(0, 'e4', 1)).nags;
    assert.deepEqual(glyphs(1, 2), [2]);
    assert.deepEqual(glyphs(14, 1), [1, 14]);
    assert.deepEqual(glyphs(1, 1), []);
    for (let nag = 1; nag <= 23; nag += 1) assert.doesNotMatch(annotation.nagSign(nag), /\$/);
    assert.equal(annotation.nagSign(200), '$200');
  });

  test('a line behind a null move begins there', () => {
    const nodes = [
      node(null, null, 0, { fen: START }),
      node(0, 'e4', 1),
      node(1, '--', 2, { uci: '0000', fen: 'passed' }),
      node(2, 'd4', 3),
    ];
    assert.deepEqual(tree.lineTo(nodes, 3), { start: 'passed', moves: ['d4'] });
    assert.deepEqual(tree.lineTo(nodes, 1), { start: null, moves: ['e4'] });
  });
});

// Setting up a position.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { page } from './page.mjs';

const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

describe('set-up board', () => {
  let modules;
  let editor;
  before(async () => {
    modules = await page();
    editor = await modules.load('editor.ts');
  });
  after(() => modules.close());

  const again = (fen) => editor.toFen(editor.fromFen(fen));

  test('a FEN is read and written', () => {
    for (const fen of [
      START,
      '8/8/8/8/8/8/8/K1k5 b - - 12 40',
      'rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3',
      'bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1',
    ]) assert.equal(again(fen), fen);
  });

  test('what is missing is the usual', () => {
    assert.equal(again('8/8/8/8/8/8/8/K1k5'), '8/8/8/8/8/8/8/K1k5 w - - 0 1');
    for (const fen of ['', '8/8', '9/8/8/8/8/8/8/8 w', 'x7/8/8/8/8/8/8/8 w']) assert.equal(editor.fromFen(fen), null, fen);
  });

  test('rights are granted only where king and rook stand', () => {
    assert.equal(again('4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1'), '4k3/8/8/8/8/8/8/4K2R w K - 0 1');
    const random = editor.fromFen('4k3/8/8/8/8/8/8/1R1K2R1 w GB - 0 1');
    assert.equal(random.chess960, true);
    assert.equal(editor.toFen(random), '4k3/8/8/8/8/8/8/1R1K2R1 w KQ - 0 1');
    assert.deepEqual(editor.possibleRights({ ...random, chess960: false }), []);
  });

  test('en passant is offered behind a pawn that may have moved two steps', () => {
    const position = editor.fromFen('4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1');
    assert.deepEqual(editor.possibleEnPassant(position), ['d6']);
    assert.deepEqual(editor.possibleEnPassant({ ...position, turn: 'b' }), []);
    // The square in front of the pawn's start must be empty.
    assert.deepEqual(editor.possibleEnPassant(editor.fromFen('4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1')), []);
  });

  test('mirrored twice and swapped twice it is the same', () => {
    const position = editor.fromFen('r3k2r/pp6/8/3n4/8/8/PPP5/R3K3 b kq - 3 9');
    assert.equal(editor.placement(editor.mirrored(position).pieces), 'r2k3r/6pp/8/4n3/8/8/5PPP/3K3R');
    assert.equal(editor.placement(editor.mirrored(editor.mirrored(position)).pieces), editor.placement(position.pieces));
    const swapped = editor.colorsSwapped(position);
    assert.equal(editor.toFen(swapped), 'r3k3/ppp5/8/8/3N4/8/PP6/R3K2R w KQ - 3 9');
    assert.equal(editor.toFen(editor.colorsSwapped(swapped)), editor.toFen(position));
  });

  test('kings and pawns out of place are noticed', () => {
    const fault = (fen) => editor.faultOf(editor.fromFen(fen));
    assert.equal(fault('8/8/8/8/8/8/8/K7'), 'kings');
    assert.equal(fault('k7/8/8/8/8/8/8/K6P'), 'pawns');
    assert.equal(fault(START), null);
  });

  test('material: what one side has more of', async () => {
    const { material } = await modules.load('material.ts');
    assert.deepEqual(material(START).white, { more: '', ahead: 0 });
    const { white, black } = material('1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w - - 0 1');
    assert.deepEqual([white, black], [{ more: 'r', ahead: 2 }, { more: 'n', ahead: 0 }]);
  });
});

// What the server says has a translation in every language of the page.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { page } from './page.mjs';

const crates = fileURLToPath(new URL('../../../crates/', import.meta.url));
const LANGUAGES = ['de', 'es'];

/// Every text of a source file outside comments and tests, each value in it as `{}`.
const texts = (path) => {
  const source = readFileSync(crates + path, 'utf8').split(/#\[cfg\(test\)\]\s*mod tests/)[0].replace(/^\s*\/\/.*$/gm, '').replace(/b?'\\?"'/g, ' ');
  return [...source.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) =>
    text.replaceAll('{{', '').replaceAll('}}', '').replace(/\\\n\s*/g, '').replaceAll('\\"', '"').replaceAll('\\\\', '\\').replace(/\{[^}']*\}/g, '{}'),
  );
};

const sources = (folder) =>
  readdirSync(crates + folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? sources(`${folder}/${entry.name}`) : entry.name.endsWith('.rs') && !entry.name.includes('test') ? [`${folder}/${entry.name}`] : [],
  );

/// Files whose texts with 2 words or more are all said to people: errors that the server passes on, remarks, motifs, plans.
const PASSED_ON = [
  'chess/src/fen/error.rs',
  'chess/src/fen/validate.rs',
  'chess/src/san/error.rs',
  'chess/src/san/read.rs',
  'chess/src/uci.rs',
  'chess/src/game.rs',
  'chess/src/pgn/error.rs',
  'chess/src/epd/error.rs',
  'coach/src/drawback.rs',
  'coach/src/plan.rs',
  'coach/src/visible_depth.rs',
  'coach/src/report/sentences.rs',
  'engine/src/play_mode/human_like.rs',
  'engine/src/play_mode/speculative.rs',
  'engine/src/play_mode/expectimax.rs',
  'laser/src/notation.rs',
  'laser/src/fen.rs',
  'laser/src/game.rs',
];
/// Said elsewhere: to the terminal, or put together with the text around it.
const PARTS = new Set([
  '{} mates',
  "move '{}' is ambiguous: the {}s on ",
  ' can both go to {}',
  'column {}: ',
  'of ',
  ' (mate in {})',
  ' ({})',
  ' and ',
  "'{}' {}",
  '{}{} {}{}',
  '{}. ',
  '{}... ',
  '{} {}{}',
  '{} {}{}-rated players',
  'leads to {}',
  'Allows mate in {}: {}',
  'Misses mate in {}. Winning chances fall {}: {}',
  'Winning chances fall {}: {}',
  'Better: {}',
  '{} %',
]);

describe('words of the server', () => {
  let modules;
  let server;
  let whole;
  const catalogues = {};
  before(async () => {
    modules = await page();
    server = await modules.load('server.ts');
    ({ catalogue: whole } = await modules.load('server.words.ts'));
    LANGUAGES.forEach((language, index) => (catalogues[language] = whole.map((row) => [row[0], row[index + 1]])));
  });
  after(() => modules.close());

  /// A text with values is known when a key has its words, and whatever the key says of the values.
  const isKnown = (catalogue, text) => {
    const escaped = text.split('{}').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const pattern = new RegExp(`^${escaped.join('.*?')}$`);
    return catalogue.some(([key]) => key === text || pattern.test(key));
  };

  for (const language of LANGUAGES) {
    test(`every error of the server is in ${language}`, () => {
      const said = sources('web/src').flatMap((path) =>
        texts(path)
          .filter((text) => /^["'{A-Z]/.test(text) && /[A-Za-z]{2}.* .*\.$/.test(text))
          .map((text) => [path, text]),
      );
      assert.ok(said.length > 60, `${said.length} texts found`);
      const missing = said.filter(([, text]) => !isKnown(catalogues[language], text));
      assert.deepEqual(missing, []);
    });

    test(`every fault and remark that is passed on is in ${language}`, () => {
      const said = PASSED_ON.flatMap((path) =>
        texts(path)
          .filter((text) => /[A-Za-z]{2}/.test(text) && / /.test(text) && !PARTS.has(text) && !/^[rnbqkpRNBQKP1-8/]+ [wb] /.test(text))
          .map((text) => [path, text]),
      );
      assert.ok(said.length > 90, `${said.length} texts found`);
      const missing = said.filter(([, text]) => !isKnown(catalogues[language], text) && !isKnown(catalogues[language], `${text}.`));
      assert.deepEqual(missing, []);
    });

    test(`every motif of the coach is in ${language}`, () => {
      const shown = readFileSync(`${crates}coach/src/motif.rs`, 'utf8').match(/impl fmt::Display for Motif \{[\s\S]*?\n\}\n/)[0];
      const motifs = [...shown.matchAll(/"([^"]+)"/g)].map(([, text]) => text.replace(/\{[^}]*\}/g, '{}'));
      assert.ok(motifs.length >= 14, motifs.join());
      const missing = motifs.filter((text) => !['pawn', 'pawns'].includes(text) && !isKnown(catalogues[language], text));
      assert.deepEqual(missing, []);
    });
  }

  test('every sentence stands once, in all languages, with all its values', () => {
    assert.equal(new Set(whole.map(([key]) => key)).size, whole.length);
    for (const row of whole) assert.ok(row.length === 3 && row.every((text) => text.length > 0), row[0]);
    for (const language of LANGUAGES) {
      for (const [key, translation] of catalogues[language]) {
        const values = (text) => text.split('{}').length - 1;
        if (!/\{\d\}/.test(translation) && !key.endsWith('intended')) assert.equal(values(translation), values(key), key);
      }
    }
  });

  test('sentences are translated with all that stands in them', () => {
    server.useCatalogue(whole, 'de');
    for (const [english, german] of [
      ['This is not a valid FEN: pieces field, rank 4: 9 squares, expected 8.', 'Das ist keine gültige FEN: Figuren, Reihe 4: 9 Felder, erwartet 8.'],
      [
        "No game in this text can be read: game 1, line 3, column 7: move 'Ke3' is illegal: no such king can go to e3.",
        'Keine Partie in diesem Text ist lesbar: Partie 1, Zeile 3, Spalte 7: der Zug „Ke3“ ist nicht möglich: der König kann nicht nach e3.',
      ],
      [
        'Winning chances fall from 51 % to 28 %: 12... Qxd4 13. Nf3 Qd8 (hanging queen, wins 9 pawns of material).',
        'Die Gewinnaussichten fallen von 51 % auf 28 %: 12... Qxd4 13. Nf3 Qd8 (ungedeckte Dame, gewinnt Material: 9 Bauern).',
      ],
      [
        'Winning chances fall from 51 % to 28 %: 12... Qxd4 13. Nf3 Qd8 (hanging queen, wins a rook and 2 pawns for a knight).',
        'Die Gewinnaussichten fallen von 51 % auf 28 %: 12... Qxd4 13. Nf3 Qd8 (ungedeckte Dame, gewinnt einen Turm und 2 Bauern für einen Springer).',
      ],
      ['A common trap: no move is chosen more often here.', 'Eine häufige Falle: kein Zug wird hier öfter gewählt.'],
      ['Misses mate in 2. Winning chances fall from 100 % to 55 %: 3. Nf3 (leads to less space).', 'Verpasst Matt in 2. Die Gewinnaussichten fallen von 100 % auf 55 %: 3. Nf3 (führt zu weniger Raum).'],
      ['The plan is to bring the knight by e2 and g3 to f5.', 'Der Plan: den Springer über e2 und g3 nach f5 bringen.'],
      ['Found by 41 % of 1500-rated players; fewer than 1 % choose Nf3.', 'Das finden 41 % der Spieler mit Wertung 1500; weniger als 1 % wählen Nf3.'],
      ['Found by nearly all 1500-rated players; 3 % choose Nf3.', 'Das finden fast alle Spieler mit Wertung 1500; 3 % wählen Nf3.'],
      [
        'A trap avoided: 30 % of 1500-rated players choose Nxe5, which lets winning chances fall from 60 % to 20 % after 5... Qa5+ 6. c3 Qxe5.',
        'Eine Falle vermieden: 30 % der Spieler mit Wertung 1500 wählen Nxe5; das lässt die Gewinnaussichten von 60 % auf 20 % fallen nach 5... Qa5+ 6. c3 Qxe5.',
      ],
      ['34 % of 1500-rated players choose Nf3', '34 % der Spieler mit Wertung 1500 wählen Nf3'],
      ['Greta: fewer than 1 % of 1500-rated players choose Nf3 in this opening', 'Greta: weniger als 1 % der Spieler mit Wertung 1500 wählen Nf3 in dieser Eröffnung'],
      ['Checkmate: White wins', 'Schachmatt: Weiß gewinnt'],
      ['A positional error: no tactics.', 'Ein Stellungsfehler ohne Taktik.'],
      ['Needs 4+ moves of calculation.', 'Dazu rechnet man 4 Züge weit oder mehr.'],
      ['Nobody has said this.', 'Nobody has said this.'],
    ])
      assert.equal(server.translated(english), german);
    server.useCatalogue([], 'de');
  });

  test('only words for people are translated', () => {
    server.useCatalogue(whole, 'de');
    const node = { comments: ['pin'], over: 'draw by stalemate', san: 'Nf3' };
    assert.deepEqual(server.inLanguage({ type: 'described', nodes: [node] }).nodes, [{ ...node, over: 'remis durch Patt' }]);
    assert.equal(server.inLanguage({ type: 'remark', text: 'e4 is the only move' }).text, 'e4 ist der einzige Zug');
    assert.equal(server.inLanguage({ plies: [{ text: 'king' }] }).plies[0].text, 'king');
    server.useCatalogue([], 'de');
    const message = { what: 'Try again.' };
    assert.equal(server.inLanguage(message), message);
  });
});

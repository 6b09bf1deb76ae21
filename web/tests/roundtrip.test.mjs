// Whatever a PGN says is still there after the page has written it: tags, moves, variations, comments, glyphs, shapes, clocks.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { program, serve } from './harness.mjs';
import { page } from './unit/page.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/// Files of games in the repository, and those of TABIYA_PGN.
const files = (folder) =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (['target', 'node_modules', '.git', 'dist'].includes(name)) return [];
    return statSync(path).isDirectory() ? files(path) : name.endsWith('.pgn') ? [path] : [];
  });

const SUFFIXES = { '!': '$1', '?': '$2', '!!': '$3', '??': '$4', '!?': '$5', '?!': '$6' };

/// Commands and words of a comment, in an order of their own: where a command stands says nothing.
const commentParts = (text) => {
  const commands = text.match(/\[%[a-z]+ [^\]]*\]/gi) ?? [];
  const words = commands.reduce((rest, command) => rest.replace(command, ' '), text).replace(/\s+/g, ' ').trim();
  return [...commands.map((one) => one.replace(/\s+/g, ' ')).sort(), words].join(' ').trim();
};

/// Tags, moves, glyphs, comments and brackets of every game as a plain list, read without the program.
const parts = (text) => {
  const pattern = /\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]|\{([^}]*)\}|;([^\n]*)|\$(\d+)|[()]|[^\s(){};$]+/g;
  const games = [];
  let game = null;
  for (const [whole, tag, value, comment, line, nag] of text.replace(/^%.*$/gm, '').matchAll(pattern)) {
    if (!game || (tag && game.moves.length > 0)) games.push((game = { tags: [], moves: [] }));
    // Tags that are implied by others may be added.
    if (tag) game.tags.push(`${tag} ${value}`);
    else if (comment !== undefined || line !== undefined) {
      const said = commentParts(comment ?? line);
      if (said) game.moves.push(`{${said}}`);
    } else if (nag !== undefined) game.moves.push(`$${nag}`);
    else {
      const move = whole.replace(/^\d+\.+/, '');
      const [, bare, suffix] = /^(.*?)([!?]*)$/.exec(move);
      if (/^(\d+|\.*)$/.test(move) && suffix === '') continue;
      if (bare) game.moves.push(bare.replace(/^(0|O)-?(0|O)(-?(0|O))?/, (castles) => castles.replaceAll('0', 'O')).replace(/[+#]$/, ''));
      if (suffix) game.moves.push(SUFFIXES[suffix] ?? suffix);
    }
  }
  // Glyphs and comments of one move may stand in either order.
  for (const one of games) {
    const sorted = [];
    let run = [];
    const flush = () => {
      sorted.push(...run.sort());
      run = [];
    };
    for (const part of one.moves) {
      if (/^[{$]/.test(part)) run.push(part);
      else {
        flush();
        sorted.push(part);
      }
    }
    flush();
    one.moves = sorted;
    one.tags = one.tags.filter((tag) => !/^(SetUp|Variant|Result) /.test(tag)).sort();
  }
  return games;
};

const EVERYTHING = `[Event "Study: \\"Quotes\\" and \\\\"]
[Site "https://lichess.org/study/x"]
[White "Anderssen, A"]
[Black "Kieseritzky, L"]
[WhiteElo "2600"]
[Result "1-0"]
[Annotator "<script>"]
[UTCDate "1851.06.21"]

{ The Immortal Game. [%csl Ge4] } 1. e4 { [%clk 1:59:58] [%eval 0.25,22] [%cal Ge2e4,Rg8f6] good } $1 $14 1... e5
( { or else } 1... c5 $5 2. Nf3 ( 2. c3 { Alapin } d5 ( 2... Nf6 3. e5 $16 ) 3. exd5 ) 2... d6 $10 ) ( 1... -- 2. d4 ; a comment } with a brace
)
2. f4 exf4 3. Bc4 { [%emt 0:00:07.5] } Qh4+ 4. Kf1 b5 $6 { first } { second [%unknown 1] } 5. Bxb5 Nf6 $146 $22 1-0

[Event "Chess960"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "1r2k3/8/8/8/8/8/8/5K1R w Hb - 0 1"]

1. O-O Ke7 *

[White "Endgame"]
[FEN "8/8/8/8/4k3/8/4P3/4K3 b - - 5 60"]

60... Kd4 { comment to the start of a line } 61. Kd2 1/2-1/2
`;

describe('round trip of PGN', { skip: !program }, () => {
  let server;
  let modules;
  let writeGame;
  before(async () => {
    server = await serve(8105);
    modules = await page();
    ({ writeGame } = await modules.load('pgn.ts'));
  });
  after(async () => {
    await modules?.close();
    await server?.end();
  });

  const ask = async (path, options) => {
    const answer = await fetch(server.api + path, { ...options, headers: { 'x-tabiya-token': server.token } });
    assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
    return answer.json();
  };
  const read = async (text) => {
    const { collection, games } = await ask('/api/pgn', { method: 'POST', body: text });
    for (const [index, { problem }] of games.entries()) assert.equal(problem, null, `game ${index + 1}`);
    const read = [];
    // A few at a time: the server bounds its connections.
    for (let at = 0; at < games.length; at += 16) {
      const some = games.slice(at, at + 16).map((_, index) => ask(`/api/pgn/${collection}/${at + index}`));
      read.push(...(await Promise.all(some)));
    }
    return read;
  };
  /// A game with its `Result` tag and everything else in the order of its lines.
  const compare = async (text, where) => {
    const before = await read(text);
    assert.ok(before.length > 0, where);
    const written = before.map(writeGame).join('');
    // By the test's own reading of both texts: a tag or comment that the server's reader loses is missed too.
    assert.deepEqual(parts(written), parts(text.toString()), where);
    const after = await read(written);
    assert.equal(after.length, before.length, where);
    before.forEach((game, index) => assert.deepEqual(after[index], game, `${where}, game ${index + 1}`));
    return before;
  };

  test('a game that says everything', async () => {
    const [first, random, ending] = await compare(EVERYTHING, 'everything');
    const named = (san) => first.nodes.find((node) => node.san === san);
    assert.match(named('e4').comments[0], /\[%eval 0\.25,22\].*\[%clk 1:59:58\].*\[%cal Ge2e4,Rg8f6\] good/);
    assert.deepEqual(named('e4').nags, [1, 14]);
    assert.deepEqual(named('c5').comments_before, ['or else']);
    assert.ok(first.nodes.some((node) => node.comments.some((comment) => comment.includes('}'))), 'a brace in a comment');
    assert.deepEqual(named('b5').comments, ['first', 'second [%unknown 1]']);
    assert.ok(named('--'));
    assert.match(writeGame(random), /\[Variant "Chess960"\]/);
    assert.match(writeGame(random), /1\. O-O\+? Ke7/);
    assert.match(writeGame(ending), /60\.\.\. Kd4/);
  });

  test('a Chess960 game without tags for it gets them', async () => {
    const [game] = await read('[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]\n\n1. f4 *');
    const text = writeGame({ ...game, tags: [] });
    assert.match(text, /\[FEN "bbqnnrkr\/pppppppp\/8\/8\/8\/8\/PPPPPPPP\/BBQNNRKR w [KHQFhfkq]+ - 0 1"\]\n\[Variant "Chess960"\]/);
    const [again] = await read(text);
    assert.deepEqual(again.nodes, game.nodes);
  });

  const folders = [root, ...(process.env.TABIYA_PGN ? [process.env.TABIYA_PGN] : [])];
  for (const path of folders.flatMap(files)) {
    // The upload takes 5 MB; what is larger is looked at as far as that.
    test(path.replace(root, ''), { skip: statSync(path).size > 5_000_000 }, async () => {
      await compare(readFileSync(path), path);
    });
  }
});

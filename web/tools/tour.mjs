// Pictures of every page for docs/board.md: 1280, 1920 and 390 pixels wide, light and dark, six views on one sheet.
// node tools/tour.mjs [PAGE...]; the folder is docs/pictures. Also says whether anything is wider than the window.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { click, launch, serve, tab } from '../tests/harness.mjs';

const out = fileURLToPath(new URL('../../docs/pictures', import.meta.url));
const VIEWS = [
  { width: 1920, height: 1080, scheme: 'light' },
  { width: 1280, height: 800, scheme: 'light' },
  { width: 390, height: 844, scheme: 'light' },
  { width: 1920, height: 1080, scheme: 'dark' },
  { width: 1280, height: 800, scheme: 'dark' },
  { width: 390, height: 844, scheme: 'dark' },
];
const SCALE = 0.42;

const GAME = `[White "Anderssen"]\n[Black "Kieseritzky"]\n[Result "1-0"]\n[StudyName "Immortal"]\n\n1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 {[%cal Gb7b5] A gambit.} (4... d6 5. Nf3 Qh5) 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 $1 cxb5 *\n`;
const OWN = ['1-0', '0-1', '1/2-1/2', '1-0', '1-0', '0-1']
  .map((result, index) => {
    const sides = index % 2 ? ['guest', 'ann'] : ['ann', 'guest'];
    const moves = ['e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7', 'd4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O', 'e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6'][index % 3];
    return `[Event "Rated blitz game"]\n[Date "2026.0${index + 1}.12"]\n[White "${sides[0]}"]\n[Black "${sides[1]}"]\n[WhiteElo "${1480 + 17 * index}"]\n[BlackElo "${1500 + 9 * index}"]\n[TimeControl "300+3"]\n[Result "${result}"]\n\n1. ${moves} ${6 + index}. h3 h6 ${result}\n`;
  })
  .join('\n');

const wait = (page, milliseconds) => page.waitForTimeout(milliseconds);
const go = async (page, name) => {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${name}`);
  await wait(page, 900);
};

const PAGES = {
  play: async (page) => {
    await page.locator('#quick-start').click();
    await page.locator('.status-line[data-status=your_move]').waitFor();
    await click(page, 'e2', 'e4');
    await page.locator('.moves .move').nth(1).waitFor();
    await page.waitForFunction(() => !document.querySelector('.board piece.anim'));
  },
  opponents: async (page) => {
    await page.keyboard.press('n');
    await wait(page, 500);
  },
  puzzles: async (page) => {
    await go(page, 'puzzles');
    await page.locator('.status-line[data-status="your move"]').waitFor();
  },
  repertoire: async (page) => {
    await go(page, 'repertoire');
    await page.getByRole('button', { name: 'Train White' }).first().click();
    await page.locator('.status-line[data-status="your move"]').waitFor();
  },
  analyse: async (page) => {
    await go(page, 'analyse');
    await page.locator('#open-studies').click();
    await page.locator('dialog').getByText('Immortal').first().click();
    await page.locator('.tree .move').first().waitFor();
    for (let ply = 0; ply < 8; ply += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('l');
    await wait(page, 2500);
  },
  setup: async (page) => {
    await go(page, 'analyse');
    await page.locator('#edit-position').click();
    await page.locator('#editor-fen').waitFor();
  },
  games: async (page) => {
    await go(page, 'games');
    await page.getByText('All my games', { exact: true }).click();
    await page.locator('.own-game').first().waitFor();
  },
  progress: async (page) => {
    await go(page, 'games');
    await page.getByText('Progress', { exact: true }).click();
    await page.locator('#progress-chart').waitFor();
  },
  laser: async (page) => {
    await go(page, 'laser');
    await page.locator('.laser-board').waitFor();
  },
  lab: async (page) => {
    await go(page, 'lab');
    await page.locator('#lab-new summary').click();
    await wait(page, 600);
  },
};

const capture = async (page, format = 'png', quality) => {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format, quality });
  await session.detach();
  return Buffer.from(data, 'base64');
};

const server = await serve(8190);
const browser = await launch();
const call = (path, method, body) => fetch(server.base + path, { method, body, headers: { 'x-tabiya-token': server.token } });
await call('/api/studies', 'POST', GAME);
await call('/api/own', 'POST', OWN);
await call('/api/own/names', 'POST', '["ann"]');
await call('/api/own/review', 'POST');
await call('/api/lab/start', 'POST', JSON.stringify({ kind: 'match', first: { engine: null, level: null }, second: { engine: null, level: 1800 }, games: 6, nodes: 500 }));
for (;;) {
  const { running } = await (await call('/api/own/review', 'GET')).json();
  if (!running) break;
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'tabiya-tour-'));
for (const [name, open] of Object.entries(PAGES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const shots = [];
  for (const { width, height, scheme } of VIEWS) {
    const phone = width < 500 ? { hasTouch: true, isMobile: true } : {};
    const page = await tab(browser, server.url, { viewport: { width, height }, colorScheme: scheme, ...phone });
    await open(page);
    // The way to a page may have scrolled its panel.
    await page.evaluate(() => {
      scrollTo(0, 0);
      for (const panel of document.querySelectorAll('.panel-side')) panel.scrollTo(0, 0);
    });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) console.log(`${name} at ${width}: ${over} pixels too wide`);
    if (page.errors.length > 0) console.log(`${name} at ${width}: ${page.errors.join('; ')}`);
    const picture = await capture(page);
    writeFileSync(join(folder, `${name}-${width}-${scheme}.png`), picture);
    shots.push({ width, height, picture });
    await page.context().close();
  }
  const sheet = await browser.newPage({ viewport: { width: Math.ceil((1920 + 1280 + 390) * SCALE) + 32, height: Math.ceil(2 * 1080 * SCALE) + 24 } });
  const images = shots.map(({ width, height, picture }) => `<img width="${width * SCALE}" height="${height * SCALE}" src="data:image/png;base64,${picture.toString('base64')}">`);
  await sheet.setContent(`<body style="margin:8px;background:#888"><div style="display:grid;grid-template-columns:auto auto auto;gap:8px;align-items:start">${images.join('')}</div>`);
  await sheet.waitForTimeout(300);
  writeFileSync(join(out, `tour-${name}.webp`), await capture(sheet, 'webp', 45));
  await sheet.close();
  console.log(`${name} done; the views are in ${folder}`);
}
await browser.close();
await server.end();

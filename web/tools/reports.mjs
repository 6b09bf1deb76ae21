// Every report of the laboratory at 800 and 1280 pixels, light and dark, and printed: what is wider than the window or the paper, outside of its
// chart, written over another text, or hardly to be told from what is behind it.
//   node tools/reports.mjs [--pictures FOLDER] [REPORT.html ...]        (all reports under results when none is named; exit code 1 with findings)
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { launch } from '../tests/harness.mjs';

const WIDTHS = [800, 1280];
const SCHEMES = ['light', 'dark'];
/// A4 at 96 pixels an inch, less margins of 10 mm.
const PAPER = 718;
/// Contrast of large text by WCAG 2.2 AA; the texts of charts are small, so less is a finding in any case.
const CONTRAST = 3;

const root = fileURLToPath(new URL('../../results', import.meta.url));
const args = process.argv.slice(2);
const at = args.indexOf('--pictures');
const pictures = at < 0 ? undefined : args.splice(at, 2)[1];
const all = () => readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.html')).sort().map((name) => join(root, name));
const files = args.length ? args : all();

/// Runs in the page: sentences about what is wrong with it.
const look = (least) => {
  const found = [];
  const name = (element) => `"${element.textContent.trim().slice(0, 40)}"`;
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (wide > 1) found.push(`${wide} pixels wider than the window`);
  // "rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)" or, of a mixed colour, "color(srgb 0.1 0.2 0.3)".
  const numbers = (colour) => {
    const parts = (colour.match(/[\d.]+/g) ?? []).map(Number);
    return colour.startsWith('color(') ? parts.map((part, place) => (place < 3 ? 255 * part : part)) : parts;
  };
  const light = ([red, green, blue]) => {
    const linear = (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = numbers(getComputedStyle(one).backgroundColor);
      if (colour.length === 3 || colour[3] > 0.9) return colour;
    }
    return [255, 255, 255];
  };
  /// The colour of the topmost filled shape of the chart below a text, else what is behind the chart.
  const below = (chart, text, box) => {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const shapes = [...chart.querySelectorAll('rect, circle')].filter((shape) => {
      const { left, right, top, bottom } = shape.getBoundingClientRect();
      const before = shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
      const { fill, fillOpacity, opacity } = getComputedStyle(shape);
      return before && left <= x && x <= right && top <= y && y <= bottom && numbers(fill).length === 3 && fillOpacity * opacity > 0.9;
    });
    return shapes.length ? numbers(getComputedStyle(shapes.at(-1)).fill) : behind(chart);
  };
  for (const chart of document.querySelectorAll('svg')) {
    const frame = chart.getBoundingClientRect();
    if (!frame.width || !frame.height) continue;
    const texts = [...chart.querySelectorAll('text')].filter((text) => text.textContent.trim() && getComputedStyle(text).visibility !== 'hidden' && text.getBoundingClientRect().width);
    const boxes = texts.map((text) => ({ text, box: text.getBoundingClientRect(), turned: /rotate/.test(text.getAttribute('transform') ?? '') }));
    for (const { text, box } of boxes) {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1) found.push(`${name(text)} is outside of its chart`);
      const [front, back] = [light(numbers(getComputedStyle(text).fill)), light(below(chart, text, box))];
      const contrast = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
      if (contrast < least) found.push(`${name(text)} has a contrast of ${contrast.toFixed(1)}`);
    }
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        // Boxes of letters have free room above and below, and those of slanted texts at their corners.
        if (one.turned || other.turned) continue;
        const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (across > 1 && down > 0.35 * Math.min(one.box.height, other.box.height)) found.push(`${name(one.text)} lies over ${name(other.text)}`);
      }
    }
  }
  return found;
};

const browser = await launch();
let findings = 0;
if (pictures) mkdirSync(pictures, { recursive: true });
const picture = (file, view) => join(pictures, `${basename(file, '.html')}-${view}`);
const tell = (file, view, found) => {
  findings += found.length;
  for (const sentence of found) console.log(`${basename(file)}, ${view}: ${sentence}`);
};
for (const file of files) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.on('pageerror', (error) => tell(file, 'script', [String(error)]));
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ media: 'screen', colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(pathToFileURL(file).href);
      for (const folded of await page.locator('details:not([open]) > summary').all()) await folded.click();
      tell(file, `${width} pixels, ${colorScheme}`, await page.evaluate(look, CONTRAST));
      if (pictures) await page.screenshot({ path: `${picture(file, `${width}-${colorScheme}`)}.png`, fullPage: true });
    }
    // Paper is white: what is printed must be readable there, whatever the screen's scheme.
    await page.emulateMedia({ media: 'print', colorScheme });
    await page.setViewportSize({ width: PAPER, height: 1000 });
    tell(file, `printed, ${colorScheme}`, await page.evaluate(look, CONTRAST));
    if (pictures) await page.pdf({ path: `${picture(file, `print-${colorScheme}`)}.pdf`, format: 'A4', printBackground: false, margin: { top: '10mm', bottom: '10mm', left: '10mm', right: '10mm' } });
  }
  await context.close();
}
await browser.close();
console.log(`${files.length} reports, ${findings} findings`);
process.exitCode = findings ? 1 : 0;

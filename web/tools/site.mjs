// Writes the board as plain files: the page, the session and the engine as a module, the weights, a service worker, a manifest.
//
//   node web/tools/site.mjs FOLDER    (FOLDER/engine has tabiya-board.wasm and tabiya-board-single.wasm already)
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('..', import.meta.url));
const root = join(web, '..');
const folder = resolve(process.argv[2] ?? join(root, 'dist/site'));
const engine = join(folder, 'engine');

mkdirSync(engine, { recursive: true });
// Files of an earlier build have other names.
rmSync(join(folder, 'assets'), { recursive: true, force: true });
const vite = ['vite', 'build', '--mode', 'site', '--base', './', '--outDir', folder, '--emptyOutDir', 'false', '--logLevel', 'warn'];
execFileSync('npx', vite, { cwd: web, stdio: 'inherit' });

cpSync(join(root, 'npm/lib'), join(engine, 'lib'), { recursive: true });
for (const name of ['board-worker.js', 'single-board.js', 'storage.js']) copyFileSync(join(web, 'site', name), join(engine, name));
copyFileSync(join(root, 'crates/human-model/weights/reply.bin'), join(engine, 'reply.bin'));
copyFileSync(join(web, 'site/manifest.webmanifest'), join(folder, 'manifest.webmanifest'));

const page = join(folder, 'index.html');
const html = readFileSync(page, 'utf8').replace(/\s*<link rel="manifest"[^>]*>/, '');
writeFileSync(page, html.replace('</head>', '  <link rel="manifest" href="./manifest.webmanifest" />\n  </head>'));

const files = (at) =>
  readdirSync(at, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? files(join(at, entry.name)) : [relative(folder, join(at, entry.name)).replaceAll('\\', '/')],
  );
/// Loaded when they are needed, and kept from then on.
const later = ['engine/reply.bin', 'engine/tabiya-board-single.wasm'];
const all = files(folder).filter((name) => name !== 'service-worker.js').sort();
const core = ['./', ...all.filter((name) => !later.includes(name))];
const version = createHash('sha256');
for (const name of all) version.update(name).update(readFileSync(join(folder, name)));
const worker = readFileSync(join(web, 'site/service-worker.js'), 'utf8')
  .replace('/* CORE */ []', JSON.stringify(core))
  .replace('/* LATER */ []', JSON.stringify(later))
  .replace('/* VERSION */', version.digest('hex').slice(0, 16));
writeFileSync(join(folder, 'service-worker.js'), worker);

const bytes = all.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
console.log(`${all.length + 1} files, ${(bytes / 1e6).toFixed(1)} MB: serve the folder with any file server`);

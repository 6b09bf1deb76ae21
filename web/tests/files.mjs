// A plain file server, as any static host is: no headers but the kind of file.
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

const KINDS = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/// Serves a folder on loopback. `headers` go with every answer; `refuse(path)` makes a file missing, `change(path, bytes)` gives other
/// bytes in its place.
export const serveFiles = async (folder, { headers = {}, refuse = () => false, change = (_, bytes) => bytes } = {}) => {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://host').pathname));
    const name = path.endsWith('/') ? `${path}index.html` : path;
    const file = refuse(name) ? Promise.reject(new Error('refused')) : readFile(join(folder, name));
    file.then(
      (read) => {
        const bytes = change(name, read);
        response.writeHead(200, { 'content-type': KINDS[extname(name)] ?? 'application/octet-stream', 'content-length': bytes.length, ...headers }).end(bytes);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    base: `http://127.0.0.1:${server.address().port}`,
    end: () => new Promise((done) => (server.closeAllConnections(), server.close(done))),
  };
};

export const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

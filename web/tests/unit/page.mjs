// The page's own modules, as the page has them, without a browser.
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const page = async () => {
  const vite = await createServer({
    root,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  return { load: (path) => vite.ssrLoadModule(`/src/${path}`), close: () => vite.close() };
};

/// A node of a tree, by what matters for a test.
export const node = (parent, san, ply, change = {}) => ({
  parent,
  main: true,
  ply,
  fen: `${san ?? 'start'} ${ply}`,
  turn: ply % 2 === 0 ? 'white' : 'black',
  check: false,
  uci: san,
  san,
  from_to: null,
  capture: false,
  dests: {},
  opening: null,
  over: null,
  comments: [],
  comments_before: [],
  nags: [],
  ...change,
});

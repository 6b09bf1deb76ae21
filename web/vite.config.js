import { defineConfig } from 'vite';

// Pieces are drawings, kept apart from the program so that its size can be watched.
export default defineConfig({
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
  },
});

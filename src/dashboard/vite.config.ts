import { defineConfig } from 'vite'

/** Builds the page into `dist/dashboard`. Relative URLs make it work under any path. */
export default defineConfig({
  base: './',
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy of the page blocks data: URLs, which inlined files would need.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
})

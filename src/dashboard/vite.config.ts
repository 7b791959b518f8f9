import { defineConfig } from 'vite'

/** Builds the page into `dist/dashboard`, wherever it will be mounted. */
export default defineConfig({
  base: './',
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // An inlined file would be a data: URL, which the page's policy does not let in.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licenses.md' },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
})

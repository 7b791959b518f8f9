import { brotliCompressSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'

/** The package contains the largest file, CodeMirror, compressed. The server decompresses it. */
const compressEditor: Plugin = {
  name: 'compress-editor',
  generateBundle(_, bundle) {
    for (const [fileName, chunk] of Object.entries(bundle)) {
      if (!fileName.startsWith('assets/code-mirror-') || chunk.type !== 'chunk') continue
      this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(chunk.code) })
      delete bundle[fileName]
    }
  },
}

/** Builds the page into `dist/dashboard`. Relative URLs make it work under any path. */
export default defineConfig({
  base: './',
  plugins: [compressEditor],
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

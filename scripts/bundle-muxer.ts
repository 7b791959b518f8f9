/** Bundles the parts of Mediabunny that `mp4.ts` imports into the compiled library, for Node and browsers. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = new URL('../', import.meta.url)
const { version } = JSON.parse(readFileSync(new URL('node_modules/mediabunny/package.json', root), 'utf8'))

await build({
  configFile: false,
  root: fileURLToPath(root),
  publicDir: false,
  logLevel: 'warn',
  build: {
    lib: {
      entry: fileURLToPath(new URL('src/media/video/mp4.ts', root)),
      formats: ['es'],
      fileName: () => 'mp4.js',
    },
    outDir: fileURLToPath(new URL('dist/media/video', root)),
    emptyOutDir: false,
    target: 'es2022',
    license: { fileName: 'mp4.licenses.md' },
    rolldownOptions: {
      output: {
        // The Mozilla Public License requires a reference to the source.
        postBanner: `/*! Mediabunny ${version}, MPL-2.0, see mp4.licenses.md; source: https://www.npmjs.com/package/mediabunny/v/${version} */`,
      },
    },
  },
})

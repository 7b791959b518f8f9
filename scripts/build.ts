/**
 * Builds `dist`, without the declarations. All steps run in one process, because a process that starts takes as long as a
 * step.
 */
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

await import('./clean.js')
await import('./compile-data.js')
await import('./bundle-library.js')
await import('./bundle-muxer.js')
for (const part of ['cli', 'dashboard'])
  await build({ root: fileURLToPath(new URL(`../src/${part}`, import.meta.url)), logLevel: 'warn' })

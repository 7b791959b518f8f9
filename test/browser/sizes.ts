import { gzipSync } from 'node:zlib'
import type { Bundle, Chunk } from './bundle.js'

/**
 * Returns the sizes of the parts of a bundle: the part that loads at the start, and each part that loads on first
 * use.
 */
export function sizes(name: string, { chunks }: Bundle): string {
  const start = chunks.filter(({ initial }) => initial)
  const later = chunks
    .filter(({ initial }) => !initial)
    .map((chunk) => line(`on first use: ${partOf(chunk)}`, [chunk]))
  return [`${name}, minified`, line('at the start', start), ...later].join('\n')
}

function line(what: string, chunks: readonly Chunk[]): string {
  const code = chunks.map((chunk) => Buffer.from(chunk.code))
  const plain = code.reduce((sum, { length }) => sum + length, 0)
  const zipped = code.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0)
  return `  ${what.padEnd(48)} ${kilobytes(plain)} kB ${kilobytes(zipped)} kB gzipped`
}

function kilobytes(bytes: number): string {
  return (bytes / 1_000).toFixed(1).padStart(8)
}

/** Returns the package of the module that caused the chunk, or the module itself if it belongs to tasksim. */
function partOf({ facade, file }: Chunk): string {
  const path = (facade ?? file).replaceAll('\\', '/')
  const [, inPackage] = path.split(/.*\/node_modules\//)
  if (inPackage === undefined) return path.replace(/.*\/dist\//, 'tasksim/')
  return inPackage.split('/', inPackage.startsWith('@') ? 2 : 1).join('/')
}

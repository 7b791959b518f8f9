import { gzipSync } from 'node:zlib'
import { type Bundle, bundle, type Chunk } from '../browser/bundle.js'
import type { Check } from '../support/check.js'

/**
 * In bytes. All code that answers requests to the main dialect loads at the start, however rarely it is used: an answer
 * that waits for a module would arrive late on a clock that a test advances meanwhile. This includes the interpreter of
 * dialect files, about 20 kB, because the main dialect is such a file. What only other dialects need loads with the first
 * of them, except their names and hosts.
 */
const MOST_AT_THE_START = 118_000

/** Checks the size of a page with a simulator. It excludes MSW, which users install themselves. */
export function bundleSizeChecks(): Record<string, Check['run']> {
  let made: Promise<Bundle> | undefined
  const bundled = () => {
    made ??= bundle(new URL('./bundled.ts', import.meta.url), ['msw'])
    return made
  }
  return {
    async 'a bundle for browsers is small at the start'(figure) {
      const { chunks } = await bundled()
      const start = chunks.filter((chunk) => chunk.initial && !isTheBundlers(chunk))
      const zipped = sizeOf(start)
      figure(`${kilobytes(zipped)} gzipped at the start, without MSW; about:`)
      for (const [part, share] of sharesOf(start)) figure(`${kilobytes(share * zipped).padStart(9)}  ${part}`)
      for (const chunk of chunks.filter(({ initial }) => !initial))
        figure(
          `${kilobytes(sizeOf([chunk])).padStart(9)}  on first use: ${chunk.file.replace('assets/', '')}`,
        )
      if (zipped > MOST_AT_THE_START) throw new Error(`expected at most ${kilobytes(MOST_AT_THE_START)}`)
    },

    async 'a page that reads no YAML and no control API carries neither along'() {
      const { chunks } = await bundled()
      const start = chunks.filter(({ initial }) => initial).flatMap(({ modules }) => modules)
      const carried = ['/node_modules/yaml/', '/node_modules/@faker-js/', '/control/operations.js'].filter(
        (part) => start.some((path) => path.replaceAll('\\', '/').includes(part)),
      )
      if (carried.length > 0) throw new Error(`at the start there is ${carried.join(', ')}`)
    },
  }
}

/** Returns the parts of some chunks with their share of the length before minification, the largest first. */
function sharesOf(chunks: readonly Chunk[]): [string, number][] {
  const parts = new Map<string, number>()
  let sum = 0
  for (const [path, length] of chunks.flatMap(({ lengths }) => [...lengths])) {
    parts.set(partOf(path), (parts.get(partOf(path)) ?? 0) + length)
    sum += length
  }
  const shares = [...parts].map(([part, length]): [string, number] => [part, length / sum])
  return shares.filter(([, share]) => share >= 0.01).sort(([, one], [, other]) => other - one)
}

/** Returns the package of a module, or its folder in tasksim. */
function partOf(path: string): string {
  const normalized = path.replaceAll('\\', '/')
  const [, inPackage] = normalized.split(/.*\/node_modules\//)
  if (inPackage !== undefined) return inPackage.split('/', inPackage.startsWith('@') ? 2 : 1).join('/')
  const [, folder = 'the bundler'] = /\/dist\/((?:engine\/|http\/)?[\w-]+)/.exec(normalized) ?? []
  return `tasksim/${folder}`
}

/** Returns whether the bundler added a chunk itself: the chunk loader, which a page has once for all packages. */
function isTheBundlers({ lengths }: Chunk): boolean {
  return [...lengths.keys()].every((path) => path.startsWith('\0'))
}

/** Returns the size of the chunks as one file, because bundlers split the start of a page differently. */
function sizeOf(chunks: readonly Chunk[]): number {
  return gzipSync(chunks.map(({ code }) => code).join('\n')).length
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`
}

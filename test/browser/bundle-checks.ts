import { isBuiltin } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import { type Check, expectEqual } from '../support/check.js'
import type { Bundle, Chunk } from './bundle.js'

const ON_FIRST_USE = {
  'the fake prose': '/node_modules/@faker-js/faker/',
  'the estimator of tokens': '/node_modules/tokenx/',
  'the media clips': '/dist/media/clips/video-1280x720.generated.js',
  'the outlines of letters': '/dist/media/picture/glyphs.generated.js',
  'the canvas': '/dist/media/platform.browser.js',
  'the muxer': '/dist/media/video/mp4.js',
}

/** Returns the checks of a bundle that do not need a browser. */
export function bundleChecks(name: string, { chunks, warnings }: Bundle): Check[] {
  return [
    {
      title: `${name}: holds no Node module`,
      run() {
        const files = chunks.map(({ file }) => file)
        const left = chunks.flatMap(({ imports }) => imports).filter((path) => !files.includes(path))
        expectEqual('what is imported from outside the bundle', left, [])
        expectEqual(
          'the Node modules',
          modulesOf(chunks).filter((path) => isBuiltin(path)),
          [],
        )
      },
    },
    {
      title: `${name}: gets no warning from the bundler, such as of a module that is externalized`,
      run() {
        expectEqual('the warnings', warnings.map(stripVTControlCharacters), [])
      },
    },
    {
      title: `${name}: draws on the canvas of the browser, and leaves out what Node draws with`,
      run() {
        for (const part of ['/dist/media/platform.js', '/node_modules/sharp/'])
          expectEqual(`the presence of ${part}`, contains(modulesOf(chunks), part), false)
      },
    },
    {
      title: `${name}: comes from the package's own exports, valibot included`,
      run() {
        const start = modulesOf(chunks.filter(({ initial }) => initial))
        for (const part of ['/dist/index.js', '/dist/shared/handlers.js', '/node_modules/valibot/']) {
          expectEqual(`the presence of ${part} at the start`, contains(start, part), true)
        }
      },
    },
    ...Object.entries(ON_FIRST_USE).map(([what, part]) => ({
      title: `${name}: loads ${what} on first use`,
      run() {
        const holders = chunks.filter(({ modules }) => contains(modules, part))
        expectEqual(`whether ${what} is anywhere`, holders.length > 0, true)
        expectEqual(
          `whether ${what} is loaded at the start`,
          holders.some(({ initial }) => initial),
          false,
        )
      },
    })),
  ]
}

function modulesOf(chunks: readonly Chunk[]): string[] {
  return chunks.flatMap(({ modules }) => modules)
}

/** Also matches Windows paths. */
function contains(modules: readonly string[], part: string): boolean {
  return modules.some((path) => path.replaceAll('\\', '/').includes(part))
}

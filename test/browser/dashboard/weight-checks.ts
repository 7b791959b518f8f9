import { readdirSync, readFileSync } from 'node:fs'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { type Check, expectEqual } from '../../support/check.js'

const FOLDER = new URL('../../../dist/dashboard/', import.meta.url)

/** In bytes, gzipped: what the browser loads with the page, and what it has loaded after a visit to all views. */
const MOST_AT_START = 67_000
const MOST_WITH_ALL_VIEWS = 100_000
/** CodeMirror, which is loaded with the first body or editor. */
const EDITOR = /^assets\/code-mirror-/
const MOST_OF_EDITOR = 135_000

/** Checks what the page loads. */
export function weightChecks(): readonly Check[] {
  return [
    {
      title: `the page weighs less than ${MOST_AT_START / 1_000} kB gzipped, and ${MOST_WITH_ALL_VIEWS / 1_000} kB with all views`,
      run(figure) {
        const files = filesOfPage()
        const page = files.get('index.html')?.toString() ?? ''
        const atStart = [...files].filter(([name]) => name === 'index.html' || page.includes(name))
        const start = weightOf(atStart)
        const all = weightOf([...files].filter(([name]) => !EDITOR.test(name)))
        const editor = weightOf([...files].filter(([name]) => EDITOR.test(name)))
        figure(
          `${kilobytes(start)} kB gzipped, ${kilobytes(all)} kB with all views, ${kilobytes(editor)} kB of CodeMirror`,
        )
        const isLight = [start < MOST_AT_START, all < MOST_WITH_ALL_VIEWS, editor < MOST_OF_EDITOR]
        expectEqual('whether it is light', isLight, [true, true, true])
      },
    },
    {
      title: 'the page asks no other server for anything',
      run() {
        const others = [...filesOfPage().values()].flatMap(
          (file) => String(file).match(/(?:src|href|url\()\s*=?\s*["'(]?https?:\/\/[^"')\s]+/g) ?? [],
        )
        expectEqual('other servers', others, [])
      },
    },
  ]
}

function filesOfPage(): ReadonlyMap<string, Buffer> {
  const assets = readdirSync(new URL('assets/', FOLDER)).map((name) => `assets/${name}`)
  return new Map(['index.html', ...assets].map((name) => [name, read(name)]))
}

function read(name: string): Buffer {
  const bytes = readFileSync(new URL(name, FOLDER))
  return name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes
}

function weightOf(files: readonly (readonly [name: string, bytes: Buffer])[]): number {
  return files.reduce((sum, [, bytes]) => sum + gzipSync(bytes).length, 0)
}

function kilobytes(bytes: number): string {
  return (bytes / 1_000).toFixed(1)
}

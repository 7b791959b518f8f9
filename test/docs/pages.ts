import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The README and every page in docs, by their paths from the root. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md'))
    .sort(),
]

export function readPage(path: string): string {
  return readFileSync(ROOT + path, 'utf8')
}

/** A fenced block of a page. */
export interface Snippet {
  /** The page and the line that it begins in. */
  readonly place: string
  readonly language: string
  readonly text: string
  /** What stands in a comment before it: `<!-- snippet: NAME WHAT -->`. */
  readonly marker: { readonly name: string; readonly what: string } | undefined
}

const FENCE =
  /(?:^<!-- snippet: (?<name>[\w-]+) ?(?<what>.*?) -->\n+)?^(?<indent> *)```(?<language>\w*)\n(?<text>[\s\S]*?)^\k<indent>```$/gm

/** Every fenced block of every page. */
export function snippets(...languages: readonly string[]): Snippet[] {
  return PAGES.flatMap((path) => {
    const page = readPage(path)
    return [...page.matchAll(FENCE)].map(({ index, groups = {} }) => ({
      place: `${path}:${page.slice(0, index).split('\n').length}`,
      language: groups['language'] ?? '',
      text: groups['text'] ?? '',
      marker: groups['name'] === undefined ? undefined : { name: groups['name'], what: groups['what'] ?? '' },
    }))
  }).filter(({ language }) => languages.includes(language))
}

/** Those that are tried, and not left out with a reason. */
export function triedSnippets(...languages: readonly string[]): Snippet[] {
  return snippets(...languages).filter(({ marker }) => marker?.name !== 'skip')
}

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The README, the skill of assistants and every page in docs, by their paths from the root. */
export const PAGES: readonly string[] = [
  'README.md',
  'skills/tasksim/SKILL.md',
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
  /** The page and its line number. */
  readonly place: string
  /** The text after the fence; may be empty. */
  readonly language: string
  readonly text: string
  /** The comment before the block: `<!-- snippet: NAME WHAT -->`. */
  readonly marker: { readonly name: string; readonly what: string } | undefined
}

const FENCE = /^(?<indent> *)```(?<language>.*)$/
const MARKER = /^ *<!-- snippet: (?<name>[\w-]+) ?(?<what>.*?) -->$/

/** Returns every fenced block of a page. Throws if a fence is never closed. */
export function snippetsOf(path: string, page: string): Snippet[] {
  const lines = page.split('\n')
  const found: Snippet[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const { indent = '', language = '' } = FENCE.exec(lines[at] ?? '')?.groups ?? {}
    if (!FENCE.test(lines[at] ?? '')) continue
    const end = lines.indexOf(`${indent}\`\`\``, at + 1)
    if (end < 0) throw new Error(`${path}:${at + 1} opens a block that is never closed`)
    const text = lines.slice(at + 1, end).map((line) => `${line}\n`)
    found.push({ place: `${path}:${at + 1}`, language, text: text.join(''), marker: markerOver(lines, at) })
    at = end
  }
  return found
}

function markerOver(lines: readonly string[], at: number): Snippet['marker'] {
  const before = lines.slice(0, at).findLast((line) => line.trim() !== '')
  const { name, what = '' } = MARKER.exec(before ?? '')?.groups ?? {}
  return name === undefined ? undefined : { name, what }
}

/** Returns the fenced blocks of every page, optionally only of some languages. */
export function snippets(...languages: readonly string[]): Snippet[] {
  return PAGES.flatMap((path) => snippetsOf(path, readPage(path))).filter(
    ({ language }) => languages.length === 0 || languages.includes(language),
  )
}

/** Returns the blocks without a marker. */
export function plainSnippets(...languages: readonly string[]): Snippet[] {
  return snippets(...languages).filter(({ marker }) => marker === undefined)
}

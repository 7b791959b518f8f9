import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cliReference } from '../../scripts/docs/cli-reference.js'
import { SHIPPED_NAMES } from '../../src/index.js'
import { PAGES, ROOT, readPage, snippets } from './pages.js'

const reference = await cliReference()

/** The options of each command by its name, from the definitions of the commands. `serve` has no name. */
const OPTIONS = new Map(
  reference.split(/^## /m).map((section) => {
    const [, name = 'serve'] = /^`tasksim (\w+)/.exec(section) ?? []
    return [name, new Set([...section.matchAll(/^\| `(--[\w-]+)`/gm)].map(([, option = '']) => option))]
  }),
)

/** The options of every command. */
const GENERAL = ['--help', '--version']

/** A command on its own line or in a code span. Headings and lists may spell commands otherwise. */
const IN_BLOCK = /^ *(?:- run: |\$ )?(?:npx )?tasksim(?= |$)(?<words>[^|&#>\n]*)/gm
const IN_TEXT = /`(?:npx )?tasksim(?<words> [^`[<{]+)?`/g

function commandsIn(path: string): string[][] {
  const page = readPage(path).replaceAll(/^#.*$/gm, '')
  const texts = [
    ...snippets('sh', 'yaml', 'text')
      .filter(({ place, marker }) => place.startsWith(`${path}:`) && marker?.name !== 'report')
      .map(({ text }) => text),
  ].map((text) => text.replaceAll(/\\\n\s*/g, ' '))
  const found = [...texts.flatMap((text) => [...text.matchAll(IN_BLOCK)]), ...page.matchAll(IN_TEXT)]
  return found.map(({ groups }) => groups?.['words']?.match(/"[^"]*"|'[^']*'|\S+/g) ?? [])
}

/** Returns the words of a command line that `tasksim` does not know. */
function unknownIn(words: readonly string[]): string[] {
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  const isNamed = OPTIONS.has(own[0] ?? '')
  const name = isNamed ? (own[0] ?? '') : 'serve'
  const known = [...GENERAL, ...(OPTIONS.get(name) ?? [])]
  const options = own.flatMap((word) => /^--[\w-]+/.exec(word) ?? [])
  const [scenario = ''] = own.slice(isNamed ? 1 : 0)
  const isScenario = /^$|^-|[./A-Z]/.test(scenario) || SHIPPED_NAMES.includes(scenario)
  return [
    ...options.filter((option) => !known.includes(option)),
    ...(['serve', 'exec', 'preview', 'probe'].includes(name) && !isScenario ? [scenario] : []),
  ]
}

const lines = PAGES.flatMap((path) => commandsIn(path).map((words) => [path, words] as const))

test('every command line in the docs uses existing commands, options and scenarios', () => {
  expect(lines.length).toBeGreaterThan(30)
  expect(lines.filter(([, words]) => unknownIn(words).length > 0)).toEqual([])
})

test.each(['flakey', 'serve --prot 1', 'exec --fail-n never -- npm test --x', 'listen --spead 3'])(
  'a mistake in a command line is detected: tasksim %s',
  (line) => {
    expect(unknownIn(line.split(' '))).toHaveLength(1)
  },
)

test.each(['README.md', 'CONTRIBUTING.md'])('every script that %s runs is in package.json', (path) => {
  const { scripts } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  const named = [...readPage(path).matchAll(/\bnpm (?:run ([\w:]+)|(start|test)\b)/g)]
  expect(named.length).toBeGreaterThan(1)
  expect(named.map(([, run, own]) => run ?? own).filter((name) => scripts[name ?? ''] === undefined)).toEqual(
    [],
  )
})

import { expect, test } from 'vitest'
import { PAGES, readPage, type Snippet, snippets, snippetsOf } from './pages.js'

/** The test that checks a block, by its language: it runs the block or parses it. */
const CHECKED_BY: Readonly<Record<string, string>> = {
  ts: 'run.test.ts, typescript.deep.test.ts',
  js: 'run.test.ts, typescript.deep.test.ts',
  sh: 'shell.test.ts, commands.test.ts',
  yaml: 'data.test.ts',
  json: 'data.test.ts',
  jsonl: 'recordings.test.ts',
  python: 'examples.test.ts, which holds it against a file that is run',
}

/** Returns whether no test checks a block. */
function isUnchecked({ language, marker, place }: Snippet): boolean {
  if (language === 'python') return marker?.name !== 'file'
  if (language === 'text')
    return (
      !['mistakes', 'report', 'guide'].includes(marker?.name ?? '') && !place.startsWith('docs/reference/')
    )
  return CHECKED_BY[language] === undefined
}

test('a test checks every block of every page', () => {
  expect(snippets().filter(isUnchecked)).toEqual([])
})

test.each(['tsx', 'dockerfile', 'jsonc', 'ts title="a"', 'python', 'text', ''])(
  'a block of an unknown language is detected: %j',
  (language) => {
    const page = `Text.\n\n  \`\`\`${language}\n  anything\n  \`\`\`\n`
    expect(snippetsOf('docs/new.md', page).filter(isUnchecked)).toHaveLength(1)
  },
)

test.each(PAGES)('no code fence of %s is overlooked', (path) => {
  const fences = readPage(path).match(/^\s*(?:```|~~~)/gm) ?? []
  expect(fences).toHaveLength(2 * snippetsOf(path, readPage(path)).length)
})

test('a test knows every block with special treatment', () => {
  const ways = new Map([
    ['file', /^examples\/\S+$/],
    ['schema', /^(?:service|control) \w+$/],
    ['mistakes', /^$/],
    ['report', /^$/],
    ['guide', /^(?:run|fail|server|receiver|received|output)$/],
    ['part', /^of a dialect file$/],
    ['assistant', /^(?:mcpServers|servers)$/],
    ['settings', /^of VS Code$/],
    ['unrun', /^.{20,}$/],
  ])
  const unknown = snippets().filter(({ marker }) => marker && !ways.get(marker.name)?.test(marker.what))
  expect(unknown).toEqual([])
})

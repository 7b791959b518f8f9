import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { anchorOf } from '../../scripts/docs/markdown.js'
import { PAGES, ROOT, readPage } from './pages.js'

const LINK = /\[(?:[^\]\\]|\\.)*\]\((?<target>[^)\s]+)\)/g

/** Returns a page without its code. */
function proseOf(path: string): string {
  return readPage(path).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '')
}

function headingsOf(path: string): string[] {
  return [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}

function brokenLinks(path: string): string[] {
  const targets = [...proseOf(path).matchAll(LINK)].map(({ groups }) => groups?.['target'] ?? '')
  return targets.filter((target) => {
    if (/^https?:/.test(target)) return !URL.canParse(target)
    const [file = '', anchor] = target.split('#')
    const aim = file === '' ? path : join(dirname(path), file)
    if (!existsSync(ROOT + aim)) return true
    if (anchor === undefined || statSync(ROOT + aim).isDirectory()) return anchor !== undefined
    return !headingsOf(aim).includes(anchor)
  })
}

test.each([...PAGES, 'CONTRIBUTING.md'])('every link in %s leads somewhere', (path) => {
  expect(brokenLinks(path)).toEqual([])
})

test.each(PAGES.filter((path) => path.startsWith('docs/reference/')))(
  'no two headings of %s have the same anchor',
  (path) => {
    const headings = headingsOf(path)
    expect(headings.filter((heading, index) => headings.indexOf(heading) !== index)).toEqual([])
  },
)

test('every page in docs can be reached from the README', () => {
  const reached = new Set(['README.md'])
  for (const path of reached) {
    for (const { groups } of proseOf(path).matchAll(LINK)) {
      const [file = ''] = (groups?.['target'] ?? '').split('#')
      const aim = join(dirname(path), file)
      if (PAGES.includes(aim)) reached.add(aim)
    }
  }
  expect(PAGES.filter((path) => !reached.has(path))).toEqual([])
})

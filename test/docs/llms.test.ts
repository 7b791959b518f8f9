import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PAGES, ROOT } from './pages.js'

const text = readFileSync(`${ROOT}llms.txt`, 'utf8')
const linked = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, path = '']) => path)

test('llms.txt has the form that llmstxt.org describes', () => {
  expect(text).toMatch(/^# tasksim\n\n> /)
  expect(text.match(/^## .*$/gm)).toEqual(['## Guides', '## Reference', '## Optional'])
})

test('llms.txt leads to every page of the documentation, and to nothing else', () => {
  expect(linked.filter((path) => !existsSync(ROOT + path))).toEqual([])
  // The table of contents has the same links.
  expect(linked.sort()).toEqual(PAGES.filter((path) => path !== 'docs/README.md').toSorted())
})

import { expect, test } from 'vitest'
import { cliReference } from '../../scripts/docs/cli-reference.js'
import { TOOLS } from '../../src/cli/mcp/tools/tools.js'
import { readPage, snippets } from './pages.js'

const PAGE = 'docs/mcp.md'

test('the settings of assistants start the command', () => {
  const settings = snippets('json').filter(({ marker }) => marker?.name === 'assistant')
  expect(settings).toHaveLength(2)
  for (const { text, marker } of settings) {
    const { command, args } = JSON.parse(text)[marker?.what ?? ''].tasksim
    expect([command, ...args]).toEqual(['npx', 'tasksim', 'mcp'])
  }
})

test('the page names only tools that exist', () => {
  const [, section = ''] = readPage(PAGE).split('## Tools')
  const named = [...section.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((name) => !TOOLS.some((tool) => tool.name === name))).toEqual([])
})

test('the page names only options that the command has', async () => {
  const [, options = ''] = (await cliReference()).split('## `tasksim mcp')
  for (const [option] of readPage(PAGE).matchAll(/--(?:http|port|server|clock)\b/g))
    expect(options).toContain(option)
})

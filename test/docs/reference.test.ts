import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedPages } from '../../scripts/docs/pages.js'
import { folderWith, start } from '../cli/run.js'

const folder = new URL('../../docs/reference/', import.meta.url)
const pages = await generatedPages()

test.each(Object.entries(pages))('docs/reference/%s equals the output of `npm run docs`', (name, text) => {
  expect(readFileSync(new URL(name, folder), 'utf8') === text, 'It is stale: npm run docs').toBe(true)
})

test('docs/reference contains nothing else', () => {
  expect(readdirSync(folder).sort()).toEqual([...Object.keys(pages), 'official-clients.md'].sort())
})

test('the command line reference has every command that `tasksim --help` lists', async () => {
  const running = start(folderWith(), ['--help'])
  await running.ended
  const [, list = ''] = /Commands:\n([\s\S]*?)\n\n/.exec(running.stdout()) ?? []
  const listed = [...list.matchAll(/^ {2}tasksim (\w+)/gm)].map(([, name]) => name ?? '')
  const described = [...(pages['cli.md'] ?? '').matchAll(/^## `tasksim (\w+)/gm)].map(
    ([, name]) => name ?? '',
  )
  expect([...described, 'serve'].sort()).toEqual(listed.filter((name) => name !== '').sort())
})

import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT, readPage } from './pages.js'

const PATH = 'skills/tasksim/SKILL.md'
const page = readPage(PATH)

/** The longest description that assistants accept. */
const LONGEST_DESCRIPTION = 1024

test('the skill starts with the fields by which assistants choose it', () => {
  const [, frontMatter = ''] = /^---\n([\s\S]+?)\n---\n/.exec(page) ?? []
  const { name, description, ...others } = parse(frontMatter)
  expect(name).toBe(basename(dirname(PATH)))
  expect(description).toMatch(/^Tests .* Use it to /s)
  expect(description.length).toBeLessThanOrEqual(LONGEST_DESCRIPTION)
  expect(others).toEqual({ license: 'MIT' })
})

test('every page that the skill names exists', () => {
  const named = [...page.matchAll(/`(?:node_modules\/tasksim\/)?((?:docs\/[\w-]+\.md)|llms\.txt)`/g)]
  expect(named.length).toBeGreaterThan(5)
  expect(named.map(([, path = '']) => path).filter((path) => !existsSync(ROOT + path))).toEqual([])
})

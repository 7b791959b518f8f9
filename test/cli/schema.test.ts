import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { scenarioStarter } from '../../src/cli/init/starters.js'
import { scenarioJsonSchema } from '../../src/scenario/schema/json-schema.js'
import { strictAjv } from '../support/ajv.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = resolve(root, 'scenarios')
const shipped = readdirSync(folder).map(
  (name) => [name, readFileSync(resolve(folder, name), 'utf8')] as const,
)
const MODELINE = /^# yaml-language-server: \$schema=(\S+)\n/
const accepts = strictAjv().compile(scenarioJsonSchema())

test('`tasksim schema` prints the JSON Schema of scenario files', async () => {
  const running = runInProcess(folderWith(), ['schema'])
  expect(await running.ended).toBe(0)
  expect(JSON.parse(running.stdout())).toEqual(scenarioJsonSchema())
})

test.each(shipped)('%s names the schema in its first line, at its real location', (_, text) => {
  const [, path = ''] = MODELINE.exec(text) ?? []
  expect(resolve(folder, path)).toBe(resolve(root, 'dist/scenario.schema.json'))
})

test.each([
  ['tasksim.yaml', '.'],
  ['scenarios/slow.yaml', '.'],
  ['packages/app/tasksim.yaml', '.'],
  ['packages/app/tasksim.yaml', 'packages/app'],
])('`tasksim init %s` names the location of the schema, with tasksim installed in %s', async (file, home) => {
  const { exports } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))
  const project = folderWith()
  const schema = resolve(project, home, 'node_modules/tasksim', exports['./scenario.schema.json'])
  for (const folder of [dirname(schema), dirname(resolve(project, file))])
    mkdirSync(folder, { recursive: true })
  writeFileSync(schema, '{}')
  expect(await runInProcess(project, ['init', file]).ended).toBe(0)
  const [, named = ''] = MODELINE.exec(readFileSync(resolve(project, file), 'utf8')) ?? []
  expect(resolve(project, dirname(file), named)).toBe(schema)
})

test('`tasksim init` names no schema, and how to get one, where tasksim is not installed', async () => {
  const project = folderWith()
  const running = runInProcess(project, ['init', 'slow.yaml'])
  expect(await running.ended).toBe(0)
  expect(readFileSync(resolve(project, 'slow.yaml'), 'utf8')).toMatch(/^# The behavior of /)
  expect(running.stdout()).toContain('npm install --save-dev tasksim')
})

test.each([...shipped, ['the starter', scenarioStarter('')] as const])('the schema accepts %s', (_, text) => {
  expect(accepts(parse(text, { merge: true })) ? [] : accepts.errors).toEqual([])
})

test('the schema rejects invalid scenario files', () => {
  for (const text of [
    'kinds: { vidoe: {} }',
    'kinds: { video: { delay: 3 } }',
    'outputs: { lifetime: 1w }',
    'seed: {}',
    'rules: {}',
  ])
    expect(accepts(parse(text, { merge: true })), text).toBe(false)
})

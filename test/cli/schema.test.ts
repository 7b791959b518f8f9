import { readdirSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { STARTER } from '../../src/cli/starter.js'
import { scenarioJsonSchema } from '../../src/core/scenario/json-schema.js'
import { folderWith, start } from './run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = resolve(root, 'scenarios')
const shipped = readdirSync(folder).map(
  (name) => [name, readFileSync(resolve(folder, name), 'utf8')] as const,
)
const accepts = new Ajv2020({ strict: false }).compile(scenarioJsonSchema())

test('`tasksim schema` prints the JSON Schema of scenario files', async () => {
  const running = start(folderWith(), ['schema'])
  expect(await running.ended).toBe(0)
  expect(JSON.parse(running.stdout())).toEqual(scenarioJsonSchema())
})

test.each(shipped)('%s names the schema in its first line, where it is found', (_, text) => {
  const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? []
  expect(resolve(folder, path)).toBe(resolve(root, 'dist/scenario.schema.json'))
})

test('the starter names the schema where a project that installed tasksim has it', () => {
  const { exports } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))
  const path = resolve('/project/node_modules/tasksim', exports['./scenario.schema.json'])
  const [, named = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(STARTER) ?? []
  expect(resolve(dirname('/project/tasksim.yaml'), named)).toBe(path)
})

test.each([...shipped, ['the starter', STARTER] as const])('the schema accepts %s', (_, text) => {
  expect(accepts(parse(text, { merge: true })) ? [] : accepts.errors).toEqual([])
})

test('the schema refuses what a scenario file may not hold', () => {
  for (const text of ['kinds: { vidoe: {} }', 'kinds: { video: { delay: 3 } }', 'seed: {}', 'rules: {}'])
    expect(accepts(parse(text, { merge: true })), text).toBe(false)
})

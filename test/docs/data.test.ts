import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseScenario, ScenarioError } from '../../src/index.js'
import { controlDocument } from '../../src/openapi/control-document.js'
import { serviceDocument } from '../../src/openapi/service/document.js'
import { scenarioJsonSchema } from '../../src/scenario/schema/json-schema.js'
import { folderWith } from '../cli/run.js'
import { runInProcess } from '../cli/run-in-process.js'
import { ajvWith } from '../support/ajv.js'
import { isDeep } from '../support/deep.js'
import { plainSnippets, ROOT, snippets } from './pages.js'

const { properties } = scenarioJsonSchema() as { properties: object }
const yaml = plainSnippets('yaml').map(({ place, text }) => [place, text] as const)

/** Returns whether a text is a scenario: it has only scenario fields, or none at all. */
function isScenario(text: string): boolean {
  const value = parse(text, { merge: true })
  return Object.keys(value ?? {}).some((field) => field in properties)
}

test.each(yaml)('the YAML at %s parses', (_, text) => {
  expect(() => parse(text, { merge: true })).not.toThrow()
})

/** Checks that need a thousand tasks or more take too long for `npm test`. */
const isLarge = (text: string) => /repeat: \d{4}/.test(text)

test.each(yaml.filter(([, text]) => isScenario(text) && (isDeep || !isLarge(text))))(
  'the scenario at %s is valid, and meets its expectations',
  async (_, text) => {
    const folder = folderWith({ 'scenario.yaml': text, 'result.json': '{}' })
    for (const file of ['my-images/one.png', 'clips/one.mp4', 'clips/two.mp4']) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), '')
    }
    const running = runInProcess(folder, ['validate', 'scenario.yaml'])
    await running.ended
    expect(running.stdout()).toMatch(/^scenario\.yaml: valid/)
  },
)

test.each(snippets('json').map(({ place, text }) => [place, text] as const))(
  'the JSON at %s parses',
  (_, text) => {
    expect(() => JSON.parse(text)).not.toThrow()
  },
)

const ajv = ajvWith()
ajv.addSchema(serviceDocument('http://127.0.0.1:4010'), 'service')
ajv.addSchema(controlDocument('http://127.0.0.1:4010'), 'control')

/** Settings of assistants and editors are not messages of an API. mcp.test.ts checks those of assistants. */
const SETTINGS = ['assistant', 'settings']
const byHand = snippets('json').filter(
  ({ place, marker }) => !place.startsWith('docs/reference/') && !SETTINGS.includes(marker?.name ?? ''),
)

test.each(byHand.map(({ place, text, marker }) => [place, marker, text] as const))(
  'the JSON at %s matches the API',
  (_, marker, text) => {
    expect(marker?.name, 'Say which schema: <!-- snippet: schema service Task -->').toBe('schema')
    const [document = '', name = ''] = marker?.what.split(' ') ?? []
    const accepts = ajv.getSchema(`${document}#/components/schemas/${name}`)
    expect(accepts?.(JSON.parse(text)) === true ? [] : (accepts?.errors ?? 'no such schema')).toEqual([])
  },
)

test('the settings of VS Code name the schemas that the package exports', () => {
  const [settings] = snippets('json').filter(({ marker }) => marker?.name === 'settings')
  const { exports } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
  const named = Object.keys(JSON.parse(settings?.text ?? '{}')['yaml.schemas'] ?? {})
  expect(named.map((path) => path.replace('./node_modules/tasksim/', './'))).toEqual([
    exports['./scenario.schema.json'],
    exports['./dialect.schema.json'],
  ])
})

test('the mistakes on a page are those that the reader sees', () => {
  const [shown] = snippets('text').filter(({ marker }) => marker?.name === 'mistakes')
  const scenario = '# mine\nkinds:\n  vidoe: { delay: 3s }\n  image: { delay: soon }\n'
  const read = () => parseScenario(scenario, 'tasksim.yaml')
  expect(read).toThrow(ScenarioError)
  expect(read).toThrow(expect.objectContaining({ message: shown?.text.trimEnd() }))
})

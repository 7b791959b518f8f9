import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkExpectations } from '../../src/cli/expectations/check-expectations.js'
import { readScenarioFile } from '../../src/cli/scenario-files.js'
import { scenarioJsonSchema } from '../../src/core/scenario/json-schema.js'
import { folderWith } from '../cli/run.js'
import { snippets, triedSnippets } from './pages.js'

const { properties } = scenarioJsonSchema() as { properties: object }
const yaml = triedSnippets('yaml').map(({ place, text }) => [place, text] as const)

/** Whether a text is meant as a scenario: all that it holds are fields of one, or it holds none at all. */
function isScenario(text: string): boolean {
  const value = parse(text, { merge: true })
  return Object.keys(value ?? {}).some((field) => field in properties)
}

test.each(yaml)('the YAML at %s parses', (_, text) => {
  expect(() => parse(text, { merge: true })).not.toThrow()
})

test.each(yaml.filter(([, text]) => isScenario(text)))(
  'the scenario at %s is valid, and keeps its word',
  async (_, text) => {
    const folder = folderWith({ 'scenario.yaml': text, 'result.json': '{}' })
    for (const file of ['my-images/one.png', 'clips/one.mp4', 'clips/two.mp4']) {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), '')
    }
    const { scenario } = readScenarioFile(join(folder, 'scenario.yaml'))
    expect(await checkExpectations(scenario)).toEqual([])
  },
)

test.each(triedSnippets('json').map(({ place, text }) => [place, text] as const))(
  'the JSON at %s parses',
  (_, text) => {
    expect(() => JSON.parse(text)).not.toThrow()
  },
)

test('every block that is not tried says why', () => {
  const silent = snippets('yaml', 'json', 'sh', 'ts', 'js', 'python').filter(
    ({ marker }) => marker?.name === 'skip' && marker.what.length < 10,
  )
  expect(silent).toEqual([])
})

test('no block is of a language that no test knows', () => {
  const known = ['yaml', 'json', 'sh', 'ts', 'js', 'python', 'text', 'dockerfile', '']
  const other = snippets('bash', 'shell', 'javascript', 'typescript', 'yml', 'jsonc', 'console', 'tsx')
  expect(other.filter(({ language }) => !known.includes(language))).toEqual([])
})

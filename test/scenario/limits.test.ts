import { expect, test } from 'vitest'
import { parseScenario } from '../../src/index.js'
import { buildScenario } from '../../src/scenario/build-scenario.js'
import { patchScenario } from '../../src/scenario/patch-scenario.js'
import type { ScenarioInput } from '../../src/scenario/scenario-input.generated.js'
import { deepTest, sampleOf } from '../support/deep.js'
import { scenarioErrorOf } from '../support/scenario-error.js'

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('')

test('a text of 100,000 characters is read, and a longer one is rejected with the limit', () => {
  const text = (length: number) => 'seed: 7\n'.padEnd(length, '#')
  expect(parseScenario(text(100_000)).seed).toBe('7')
  expect(scenarioErrorOf(() => parseScenario(text(100_001), 'f.yaml')).message).toBe(
    'f.yaml:1:1: the text has 100,001 characters; a scenario and the scenarios that it extends may have 100,000 characters in total',
  )
})

test('of many mistakes the first hundred are reported, in the order of the text, with the number of the others', () => {
  const error = scenarioErrorOf(() => parseScenario(lines(1_234, (index) => `key${index}: 1\n`)))
  expect(error.mistakes.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  expect(error.more).toBe(1_134)
  expect(error.message.split('\n')).toHaveLength(101)
  expect(error.message).toMatch(/\n\.\.\. and 1134 more$/)
})

test.each([
  ['duplicate fields', `models:\n${lines(300, () => '  a: {}\n')}`],
  ['unknown aliases', `seed: [${lines(300, () => '*a,')}]`],
  ['syntax', lines(300, (index) => `a${index}: @b\n`)],
])('the same applies to mistakes of other kinds: %s', (_, text) => {
  const { mistakes, more } = scenarioErrorOf(() => parseScenario(text))
  expect([mistakes.length, mistakes.length + more]).toEqual([100, expect.toSatisfy((count) => count >= 299)])
})

test('a field of a webhook that becomes null is at most 99 levels deep', () => {
  const scenario = (nulls: string) => `webhooks: { faults: [{ then: { nulls: ['${nulls}'] } }] }`
  expect(() => parseScenario(scenario(`a${'.a'.repeat(98)}`))).not.toThrow()
  for (const nulls of [`a${'.a'.repeat(99)}`, 'a..b', '.', 'a.'])
    expect(() => parseScenario(scenario(nulls))).toThrow('expected a field, such as output or error.message')
})

test('of many mistakes in code the first hundred are reported, with the number of the others', () => {
  const input = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`key${index}`, 1]))
  const { mistakes, more } = scenarioErrorOf(() => buildScenario(input as ScenarioInput))
  expect([mistakes.length, more]).toEqual([100, 50])
})

// A few hundred characters that expand to a billion values.
const BOMB = lines(
  10,
  (level) => `l${level}: &l${level} [${Array(9).fill(level === 0 ? 'x' : `*l${level - 1}`)}]\n`,
)
const WIDE = `a: &a { ${lines(2_000, (index) => `k${index}: 1, `)} }\n`

test.each(
  sampleOf(2, [
    ['aliases in lists', BOMB],
    ['many aliases of one large list', `a: &a [${'1,'.repeat(2_000)}]\nb: [${'*a,'.repeat(2_000)}]`],
    ['merged mappings', `${WIDE}b:\n${lines(2_000, () => '  - { <<: *a }\n')}`],
  ] as const),
)('a text that grows when its aliases are expanded is rejected: %s', (_, text) => {
  expect(scenarioErrorOf(() => parseScenario(text)).mistakes).toEqual([
    expect.objectContaining({
      line: 1,
      message: expect.stringMatching(
        /^the (?:scenario has|names and texts have) more than .* after the expansion of aliases; remove some$/,
      ),
    }),
  ])
})

test.each([
  ['brackets', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
  ['braces', `${'{ a: '.repeat(101)}1${' }'.repeat(101)}`],
  ['dashes', `${'- '.repeat(200)}a`],
])('a text that is nested too deeply is rejected with the position: %s', (_, text) => {
  expect(scenarioErrorOf(() => parseScenario(text)).mistakes).toEqual([
    expect.objectContaining({ message: 'the nesting is deeper than 100 levels; reduce it' }),
  ])
})

test('a scenario in code has the same limits', () => {
  const endless: ScenarioInput = { defaults: { output: {} } }
  Object.assign(endless.defaults?.output ?? {}, { again: endless.defaults?.output })
  expect(scenarioErrorOf(() => buildScenario(endless)).message).toContain(
    'the nesting is deeper than 100 levels',
  )
  const output = { numbers: Array(60_000).fill(1) }
  expect(scenarioErrorOf(() => buildScenario({ defaults: { output } })).message).toContain(
    'more than 60,000 values',
  )
  const long = { description: 'x'.repeat(100_001) }
  expect(scenarioErrorOf(() => buildScenario(long)).message).toContain(
    'the names and texts have more than 100,000 characters',
  )
})

deepTest('patches cannot make a scenario grow without bound', () => {
  const patch = { rules: Array.from({ length: 20_000 }, () => ({ then: {} })) }
  let scenario = patchScenario(buildScenario({}), patch)
  expect(
    scenarioErrorOf(() => {
      for (let count = 0; count < 10; count++) scenario = patchScenario(scenario, patch)
    }).message,
  ).toContain('with the scenarios that it extends, the')
})

test('a merge key supplies only the fields that its mapping does not have', () => {
  const text = `
models:
  base: &base { delay: 1s, kind: video }
  other: &other { delay: 2s, price: { per_task: 1 } }
  both: { <<: [*base, *other], kind: image }
`
  expect(parseScenario(text).models['both']).toEqual({ delay: 1_000, kind: 'image', price: { per_task: 1 } })
})

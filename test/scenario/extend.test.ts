import { expect, test } from 'vitest'
import { parseScenario, ScenarioError, SHIPPED_NAMES } from '../../src/index.js'
import { buildScenario } from '../../src/scenario/build-scenario.js'
import { assemble } from '../../src/scenario/layers/assemble.js'
import { parseLayer } from '../../src/scenario/parse-layer.js'
import { shippedScenario } from '../../src/scenario/shipped.js'

/** Builds a scenario from files given as text, starting with the first one. */
function assembled(files: Record<string, string>) {
  const layers = Object.entries(files).map(([source, text]) => parseLayer(text, source))
  const [top] = layers
  if (top === undefined) throw new Error('Expected a file')
  return assemble(top.source, top, (name) => layers.find(({ source }) => source === name))
}

test('the upper layer overrides the lower one, field by field', () => {
  const scenario = assembled({
    upper: `
extends: lower
kinds: { image: { delay: 1s } }
api: { cancel: false }
webhooks: { timeout: 2s, signature: { encoding: base64 } }
outputs: { renew: false }
`,
    lower: `
description: the lower one
seed: 5
kinds: { image: { delay: 9s, price: { per_image: 0.5 } }, video: { delay: 8s } }
api: { create_status: 201, cancel: true }
webhooks: { timeout: 9s, retries: [3s], secret: lower, signature: { encoding: hex, prefix: "v1=" } }
outputs: { renew: true, lifetime: 1h }
`,
  })
  expect(scenario).toMatchObject({
    seed: '5',
    kinds: { image: { delay: 1_000, price: { per_image: 0.5 } }, video: { delay: 8_000 } },
    api: { create_status: 201, cancel: false },
    webhooks: {
      timeout: 2_000,
      retries: [3_000],
      secret: 'lower',
      signature: { header: 'X-Service-Signature', encoding: 'base64', prefix: 'v1=' },
    },
    outputs: { renew: false, lifetime: 3_600_000 },
  })
})

test('models and rules of the upper layer come before those of the lower one', () => {
  const scenario = assembled({
    upper: 'extends: middle\nmodels: { b: { delay: 1s }, c: {} }\nrules: [{ name: upper, then: {} }]',
    middle: 'extends: lower\nrules: [{ name: middle, then: {} }]',
    lower: 'models: { a: {}, b: { delay: 2s, kind: video } }\nrules: [{ name: lower, then: {} }]',
  })
  expect(scenario.rules.map(({ name }) => name)).toEqual(['upper', 'middle', 'lower'])
  expect(Object.keys(scenario.models)).toEqual(['b', 'c', 'a'])
  expect(scenario.models['b']).toEqual({ delay: 1_000, kind: 'video' })
})

test('the expected results of explorations in the upper layer come before those of the lower one', () => {
  const entry = (place: string) =>
    `explore: [{ place: ${place}, deviation: lost, expect: reported, because: the service has no list }]`
  const scenario = assembled({ upper: `extends: lower\n${entry('task#1')}`, lower: entry('task#2') })
  expect(scenario.explore).toEqual([
    { place: 'task#1', deviation: 'lost', expect: 'reported', because: 'the service has no list' },
    { place: 'task#2', deviation: 'lost', expect: 'reported', because: 'the service has no list' },
  ])
  expect(assembled({ empty: '{}' }).explore).toEqual([])
})

test('an expected result of an exploration needs its reason', () => {
  const text = 'explore: [{ place: task#1, deviation: lost, expect: reported }]'
  expect(() => assembled({ upper: text })).toThrow('explore[0].because: is missing')
})

test('the expectations of a layer are not inherited', () => {
  const lower = 'expect: [{ create: { model: a, input: {} } }]'
  expect(assembled({ lower }).expect).toHaveLength(1)
  expect(assembled({ upper: 'extends: lower', lower }).expect).toEqual([])
})

test('a list is replaced as a whole', () => {
  const scenario = assembled({
    upper: 'extends: lower\nauth: { keys: [one] }\nwebhooks: { retries: [] }',
    lower: 'auth: { keys: [two, three] }\nwebhooks: { retries: [1s, 2s] }',
  })
  expect([scenario.auth.keys, scenario.webhooks.retries]).toEqual([[{ key: 'one' }], []])
})

test('a field that is undefined in code does not override the layer below', () => {
  const scenario = buildScenario({
    extends: 'default',
    description: undefined,
    kinds: { image: { delay: '1s', price: undefined } },
    webhooks: { timeout: undefined },
  })
  expect(scenario.description).toBe('')
  expect(scenario.kinds.image).toMatchObject({ delay: 1_000, price: { per_image: 0.04 } })
  expect(scenario.webhooks.timeout).toBe(15_000)
})

test('a scenario that extends itself is rejected, and the error shows the cycle', () => {
  const files = { a: 'extends: b', b: 'extends: c', c: 'extends: a' }
  expect(() => assembled(files)).toThrow(ScenarioError)
  expect(() => assembled(files)).toThrow('cannot extend "a": it extends itself: a -> b -> c -> a')
})

test.each([
  ['instnat', 'did you mean `instant`?'],
  ['nothing-like-it', 'expected `default`'],
  ['constructor', 'expected `default`'],
])('a scenario that extends the unknown %s is rejected with the list of names', (name, help) => {
  expect(() => parseScenario(`extends: ${name}`)).toThrow(`cannot extend "${name}": ${help}`)
})

test('an error about a base scenario has the position of its name', () => {
  const parse = () => parseScenario('seed: 1\nextends: instnat\n', 'file.yaml')
  expect(parse).toThrow(
    expect.objectContaining({ mistakes: [expect.objectContaining({ line: 2, column: 10 })] }),
  )
})

test('a shipped scenario is found only by its name', () => {
  expect(SHIPPED_NAMES).toContain('flaky')
  expect(shippedScenario('flaky').name).toBe('flaky')
  expect(() => shippedScenario('flakey')).toThrow(
    'There is no shipped scenario "flakey": did you mean `flaky`?',
  )
  expect(() => shippedScenario('toString')).toThrow('There is no shipped scenario "toString"')
})

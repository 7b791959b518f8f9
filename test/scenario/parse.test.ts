import { expect, test } from 'vitest'
import { type Mistake, parseScenario } from '../../src/index.js'
import { buildScenario } from '../../src/scenario/build-scenario.js'
import type { ScenarioInput } from '../../src/scenario/scenario-input.generated.js'
import { scenarioErrorOf } from '../support/scenario-error.js'

function mistakesIn(text: string): readonly Mistake[] {
  return scenarioErrorOf(() => parseScenario(text, 'file.yaml')).mistakes
}

const places = (text: string) => mistakesIn(text).map(({ line, column, path }) => `${line}:${column} ${path}`)

test.each(['', '\n\n', '# only a comment\n', 'null', '---\n'])('an empty file is a scenario: %j', (text) => {
  const scenario = parseScenario(text)
  expect(scenario).toMatchObject({ seed: '1', rules: [], models: {}, expect: [] })
  expect(scenario.webhooks).toMatchObject({ timeout: 15_000, retries: [1_000, 5_000, 25_000] })
  expect(scenario.outputs).toEqual({ lifetime: undefined, renew: true, retention: undefined })
})

test('YAML and JSON have the same meaning', () => {
  const yaml = 'seed: 7\nkinds:\n  image: { delay: 2s, failures: { rate: 0.5 } }\n'
  const json = '{\n\t"seed": 7,\n\t"kinds": { "image": { "delay": "2s", "failures": { "rate": 0.5 } } }\n}'
  expect(parseScenario(json)).toEqual({ ...parseScenario(yaml), text: json })
  expect(parseScenario(yaml)).toMatchObject({
    seed: '7',
    kinds: { image: { delay: 2_000, failures: { rate: 0.5 } } },
  })
})

test('every mistake is reported at once, in the order of the file, with its position', () => {
  const text = `
kinds:
  image: { failures: { rate: 2 } }
webhooks:
  retries: [1s, soon]
  signature: { encoding: hax, foo: 1, bar: 2 }
`
  expect(places(text)).toEqual([
    '3:30 kinds.image.failures.rate',
    '5:17 webhooks.retries[1]',
    '6:26 webhooks.signature.encoding',
    '6:31 webhooks.signature.foo',
    '6:39 webhooks.signature.bar',
  ])
})

test('the message has a line for every mistake, with file, line, column, field and reason', () => {
  expect(
    scenarioErrorOf(() => parseScenario('kind: {}\nseed: []\n', 'file.yaml')).message.split('\n'),
  ).toEqual([
    'file.yaml:1:1: kind: unknown field `kind`; did you mean `kinds`?',
    expect.stringMatching(/^file\.yaml:2:7: seed: got \[\]/),
  ])
})

test('lines are counted correctly in a file with CRLF', () => {
  expect(places('seed: 1\r\nkinds:\r\n  image: { delay: bad }\r\n')).toEqual(['3:19 kinds.image.delay'])
})

test.each(['- a\n- b\n', 'hello', '3', '[]'])('a file that is not a mapping is rejected: %j', (text) => {
  expect(mistakesIn(text)).toMatchObject([
    { line: 1, column: 1, path: '', message: expect.stringContaining('expected a mapping with `extends`') },
  ])
})

test.each([
  ['seed: 1\nseed: 2\n', '2:1 ', /the field `seed` occurs twice: remove one/],
  ['seed: 1\n---\nseed: 2\n', '2:1 ', /one YAML document: remove the line `---`/],
  ['kinds: { image: { delay: 3s }\n', '2:1 ', /./],
])('text that is not one YAML document is rejected: %j', (text, place, message) => {
  expect(places(text)).toContain(place)
  expect(mistakesIn(text)[0]?.message).toMatch(message)
})

test.each([
  ['models:\n  */video: { delay: 3s }\n', '2:3 ', 'text that starts with `*` must be in quotes: "*/video"'],
  ['models: { */video: { delay: 3s } }', '1:11 ', 'text that starts with `*` must be in quotes: "*/video"'],
  ['models:\n  */a:\n    delay: 2s\n', '2:3 ', 'text that starts with `*` must be in quotes: "*/a"'],
  ['rules: [{ when: { model: */a }, then: {} }]', '1:26 ', 'must be in quotes: "*/a"'],
  ['rules: [{ when: { model: * }, then: {} }]', '1:26 ', 'must be in quotes: "*/video"'],
  ['description: @home', '1:14 ', 'text that starts with `@` must be in quotes'],
  ['description: a: b', '1:14 ', 'put a text with a colon in quotes'],
  ['description: "a', '1:16 ', 'a closing quote is missing'],
  ['kinds:\n\timage: {}', '2:1 ', 'a tab cannot indent a line: use spaces'],
  ['{ "seed": 1 "rules": [] }', '1:11 ', 'expected a `,` between two entries'],
  ['seed: [1', '1:9 ', 'a closing `]` is missing'],
  ['{ a: 1 }: 2', '1:1 ', 'a field name must be a text'],
  // To write such a name as a text would take time and memory that double with each level.
  ['{'.repeat(40) + '}'.repeat(40), '1:2 ', 'a field name must be a text'],
  ['? '.repeat(40), '1:3 ', 'a field name must be a text'],
  ['a: &a [*a]', '1:8 ', 'the alias *a is inside its own anchor'],
  ['models: { a: {}, b: {}, a: {} }', '1:25 ', 'the field `a` occurs twice: remove one'],
  ['kinds: { image: { <<: 3 } }', '1:23 ', '`<<` needs an alias of a mapping'],
])('invalid YAML is reported once, in plain words: %j', (text, place, message) => {
  expect(places(text)).toEqual([place])
  expect(mistakesIn(text)[0]?.message).toContain(message)
})

test.each([
  ['defaults: { rate: 0.2 }', 'unknown field `rate`; it belongs under `failures`'],
  ['rules: [{ rate: 0.5, then: {} }]', 'it belongs under `then.failures`'],
  ['faults: [{ rate: 0.5, then: 503 }]', 'it belongs under `when`'],
  ['delay: 3s', 'it belongs under `defaults`'],
  ['timeout: 5s', 'it belongs under `webhooks`'],
  ['webhooks: { create_status: 201 }', 'it belongs under `api`'],
  ['kinds: { image: { seed: 3 } }', 'it belongs at the top of the scenario'],
  ['defaults: { failures: { rate: 1, code: x } }', 'it belongs under `errors[]`'],
  [
    'defaults: { delay: { median: 5s, p95: 9s, p50: 8s } }',
    'unknown field `p50`; it belongs under `percentiles`',
  ],
  ['models: { a: { prompt: x } }', 'unknown field `prompt`; expected `kind`, `delay`, `queueing`'],
])('a field in the wrong place is reported with its correct place: %s', (text, message) => {
  expect(mistakesIn(text)).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })])
})

test.each([
  ['defaults: { delay: { p50: 8s } }', 'median: 20s, p95: 60s } or { percentiles: { p50: 8s, p99: 60s } }'],
  ['defaults: { failures: { rate: 5% } }', 'got "5%"; expected a number from 0 to 1, such as 0.05'],
  ['webhooks: { timeout: 60 }', 'got 60; expected a duration such as 250ms, 3s, 5m, 1h30m or 30d'],
  ['rate_limits: [{ requests: 1, per: 0s }]', 'got "0s"; expected a duration above 0s'],
])('a value is quoted as written, with the allowed values: %s', (text, message) => {
  expect(mistakesIn(text)).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })])
})

test('an alias without an anchor is rejected at its position', () => {
  expect(places('description: a\nseed: *nothing\n')).toEqual(['2:7 '])
})

test.each([
  ['webhooks: { canceled_event: task.cancel }', 'did you mean `task.canceled`?'],
  ['api: { create_status: 418 }', '200'],
  ['rules: [{ then: { outcome: suceeded } }]', 'did you mean `succeeded`?'],
  ['rules: [{ when: { kind: vidoe }, then: {} }]', 'did you mean `video`?'],
  ['rules: [{ when: { modle: x }, then: {} }]', 'did you mean `model`?'],
  ['models: { acme/a: { prize: {} } }', 'did you mean `price`?'],
  ['models: { acme/a: { price: { per_imege: 1 } } }', 'did you mean `per_image`?'],
  ['kinds: { vidio: {} }', 'did you mean `video`?'],
  ['api: { errors: xml }', 'expected `envelope`, `problem` or `detail`'],
])('%s is reported with the nearest valid word', (text, help) => {
  expect(mistakesIn(text)).toHaveLength(1)
  expect(mistakesIn(text)[0]?.message).toContain(help)
})

test('a mistake under a numeric field name is reported with its position', () => {
  expect(places('models:\n  acme/a: {}\n  2: { delay: bad }\n')).toEqual(['3:15 models["2"].delay'])
})

test('a scenario in code has the same mistakes, by field', () => {
  const input = { kinds: { image: { delay: '3' } }, modles: {} } as unknown as ScenarioInput
  expect(
    scenarioErrorOf(() => buildScenario(input))
      .message.split('\n')
      .sort(),
  ).toEqual([
    'inline: kinds.image.delay: got "3"; expected a duration such as 250ms, 3s, 5m, 1h30m or 30d',
    'inline: modles: unknown field `modles`; did you mean `models`?',
  ])
})

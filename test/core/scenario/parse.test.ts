import { expect, test } from 'vitest'
import { buildScenario } from '../../../src/core/scenario/load.js'
import { type Mistake, ScenarioError } from '../../../src/core/scenario/mistake.js'
import { parseScenario } from '../../../src/core/scenario/parse-scenario.js'
import type { ScenarioInput } from '../../../src/core/scenario/schema.js'

function mistakesIn(text: string): readonly Mistake[] {
  return caught(() => parseScenario(text, 'file.yaml')).mistakes
}

function caught(action: () => unknown): ScenarioError {
  try {
    action()
  } catch (error) {
    if (error instanceof ScenarioError) return error
    throw error
  }
  throw new Error('Expected a ScenarioError, got none')
}

// A billion strings in 250 characters: nine lists, each of nine times the one before.
const BOMB = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  .map((level) => `l${level}: &l${level} [${Array(9).fill(level === 0 ? 'x' : `*l${level - 1}`)}]`)
  .join('\n')

const places = (text: string) => mistakesIn(text).map(({ line, column, path }) => `${line}:${column} ${path}`)

test.each(['', '\n\n', '# only a comment\n', 'null', '---\n'])(
  'a file with nothing in it is a scenario: %j',
  (text) => {
    const scenario = parseScenario(text)
    expect(scenario).toMatchObject({ seed: '1', rules: [], models: {}, expect: [] })
    expect(scenario.webhooks).toMatchObject({ timeout: 15_000, retries: [1_000, 5_000, 25_000] })
    expect(scenario.outputs).toEqual({ lifetime: 86_400_000, renew: true, retention: 2_592_000_000 })
  },
)

test('YAML and JSON say the same thing', () => {
  const yaml = 'seed: 7\nkinds:\n  image: { delay: 2s, failures: { rate: 0.5 } }\n'
  const json = '{\n\t"seed": 7,\n\t"kinds": { "image": { "delay": "2s", "failures": { "rate": 0.5 } } }\n}'
  expect(parseScenario(json)).toEqual({ ...parseScenario(yaml), text: json })
  expect(parseScenario(yaml)).toMatchObject({
    seed: '7',
    kinds: { image: { delay: 2_000, failures: { rate: 0.5 } } },
  })
})

test('every mistake is reported at once, in the order of the file, each where it stands', () => {
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
  expect(caught(() => parseScenario('kind: {}\nseed: []\n', 'file.yaml')).message.split('\n')).toEqual([
    'file.yaml:1:1: kind: unknown field `kind`; did you mean `kinds`?',
    expect.stringMatching(/^file\.yaml:2:7: seed: got \[\]/),
  ])
})

test('lines are counted right in a file with CRLF', () => {
  expect(places('seed: 1\r\nkinds:\r\n  image: { delay: bad }\r\n')).toEqual(['3:19 kinds.image.delay'])
})

test.each(['- a\n- b\n', 'hello', '3', '[]'])('a file that is no mapping is refused: %j', (text) => {
  expect(mistakesIn(text)).toMatchObject([
    { line: 1, column: 1, path: '', message: expect.stringContaining('expected a mapping with `extends`') },
  ])
})

test.each([
  ['seed: 1\nseed: 2\n', '2:1 ', /unique/],
  ['seed: 1\n---\nseed: 2\n', '2:1 ', /multiple documents/],
  ['kinds: { image: { delay: 3s }\n', '2:1 ', /./],
])('text that is not one YAML document is refused: %j', (text, place, message) => {
  expect(places(text)).toContain(place)
  expect(mistakesIn(text)[0]?.message).toMatch(message)
})

test('a file that would grow without bound is refused, not read', () => {
  expect(mistakesIn(BOMB)).toMatchObject([{ message: expect.stringContaining('alias') }])
})

test('an alias without an anchor is refused where it stands', () => {
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
])('%s is answered with the word that was meant', (text, help) => {
  expect(mistakesIn(text)).toHaveLength(1)
  expect(mistakesIn(text)[0]?.message).toContain(help)
})

test('a field by a number is found like any other', () => {
  expect(places('models:\n  acme/a: {}\n  2: { delay: bad }\n')).toEqual(['3:15 models["2"].delay'])
})

test('a scenario in code has the same mistakes, by field', () => {
  const input = { kinds: { image: { delay: '3' } }, modles: {} } as ScenarioInput
  expect(
    caught(() => buildScenario(input))
      .message.split('\n')
      .sort(),
  ).toEqual([
    'inline: kinds.image.delay: got "3"; expected a duration such as 250ms, 3s, 5m, 24h or 30d',
    'inline: modles: unknown field `modles`; did you mean `models`?',
  ])
})

import { expect, test } from 'vitest'
import { defineScenario, parseScenario, type ScenarioError } from '../../src/index.js'

/** Returns the mistakes in a setting with several forms, without the position in the file. */
function mistakesIn(text: string): string[] {
  try {
    parseScenario(text)
    return []
  } catch (error) {
    return (error as ScenarioError).mistakes.map(({ path, message }) => `${path}: ${message}`)
  }
}

const DELAY = 'expected a duration such as 3s, a range { min: 2s, max: 5s }'
const DURATION = 'expected a duration such as 250ms, 3s, 5m, 1h30m or 30d'

test.each([
  ['soon', `: got "soon"; ${DURATION}`],
  ['3', `: got 3; ${DELAY}`],
  ['[1s]', `: got ["1s"]; ${DELAY}`],
  ['{ min: 5s, max: 3s }', ': got {"min":"5s","max":"3s"}; `min` must not be greater than `max`'],
  ['{ median: 9s, p95: 3s }', ': got {"median":"9s","p95":"3s"}; `median` must not be greater than `p95`'],
  ['{ median: 0s, p95: 3s }', ': got {"median":"0s","p95":"3s"}; `median` must be greater than 0s'],
  ['{ median: 5s, p95: later }', `.p95: got "later"; ${DURATION}`],
  ['{ min: 1s, max: 2s, maxx: 1s }', '.maxx: unknown field `maxx`; did you mean `max`?'],
  ['{ median: 5s }', `.p95: is missing; ${DURATION}`],
  [
    '{ mean: 1s, min: 5s, max: 2s }',
    ': got {"mean":"1s","min":"5s","max":"2s"}; `min` must not be greater than `max`',
  ],
  ['{ percentiles: { p50: 8s, p90: 9s, 99: 10s } }', '.percentiles["99"]: expected a percentile'],
  ['{ percentile: { p50: 8s } }', `: got {"percentile":{"p50":"8s"}}; ${DELAY}`],
  ['{ poll: 3 }', `: got {"poll":3}; ${DELAY}`],
  ['{}', `: got {}; ${DELAY}`],
])('the delay %s is rejected with the rules of the nearest form', (delay, mistake) => {
  expect(mistakesIn(`defaults: { delay: ${delay} }`)).toEqual([
    expect.stringContaining(`defaults.delay${mistake}`),
  ])
})

test.each([
  ['{ matches: "(" }', /prompt\.matches: .*Invalid regular expression/],
  ['{ matches: 3 }', /prompt\.matches: got 3; expected text/],
  ['{ min: 5, max: 3 }', /prompt: .*`min` must not be greater than `max`/],
  [
    '{ matches: a, ignorecase: true }',
    /prompt\.ignorecase: unknown field `ignorecase`; did you mean `ignore_case`\?/,
  ],
  ['[a]', /prompt: got \["a"\]; expected a value to equal, \{ matches: regular expression \} or/],
])('the field condition %s is rejected with the rules of the nearest form', (field, mistake) => {
  expect(mistakesIn(`rules: [{ when: { input: { prompt: ${field} } }, then: {} }]`)).toEqual([
    expect.stringMatching(mistake),
  ])
})

test.each([
  ['calls: alwyas', '.calls: got "alwyas"; did you mean `always`?'],
  ['calls: 5', '.calls: got 5; expected `auto`, `always` or `never`'],
  ['calls: { tol: x }', '.calls.tol: unknown field `tol`; did you mean `tool`?'],
  ['calls: [search]', '.calls: got ["search"]; expected auto, always, never, or { tool: NAME }'],
  ['calls: { tool: "" }', '.calls.tool: got "";'],
  ['txt: Hello', '.txt: unknown field `txt`; did you mean `text`?'],
  ['text: 5', '.text: got 5; expected text'],
  ['finish_reason: ""', '.finish_reason: got "";'],
])('the reply { %s } is rejected with the rules of the nearest form', (reply, mistake) => {
  expect(mistakesIn(`kinds: { llm: { reply: { ${reply} } } }`)).toContainEqual(
    expect.stringContaining(`kinds.llm.reply${mistake}`),
  )
})

test.each([
  [
    'kinds: []',
    'kinds: got []; expected a mapping with `image`, `video`, `audio`, `tool`, `llm` or `transcript`',
  ],
  ['models: [acme/a]', 'models: got ["acme/a"]; expected a mapping'],
  ['models: { "": {} }', 'models[""]: expected 1 or more characters'],
  ['defaults: { output: { n: .inf } }', 'defaults.output.n: got Infinity; expected a JSON value'],
  ['expect: [{ create: { model: a, input: {} }, every: 5 }]', `expect[0].every: got 5; ${DURATION}`],
  ['defaults: { output: [1] }', 'defaults.output: got [1]; expected a mapping'],
])('%s is rejected in the terms of scenario files', (text, mistake) => {
  expect(mistakesIn(text)).toEqual([mistake])
})

test.each([
  [{ models: new Map([['acme/a', {}]]) }, 'models: got {}; expected a mapping'],
  [
    { defaults: { output: { at: new Date(0) } } },
    'defaults.output.at: got "1970-01-01T00:00:00.000Z"; expected a JSON value',
  ],
  [{ defaults: { output: { of: new Array(1) } } }, 'defaults.output.of: got [null]; expected a JSON value'],
])('in code, an object that only resembles a mapping or JSON is rejected: %j', (scenario, mistake) => {
  expect(() => defineScenario(scenario as never)).toThrow(mistake)
})

test('the names of Object.prototype properties are valid for a model, a key or a field', () => {
  const names = '{ constructor: { running: 1 }, prototype: { running: 2 }, toString: { running: 3 } }'
  const { capacity } = parseScenario(`capacity: { models: ${names} }`)
  expect(Object.keys(capacity.models ?? {})).toEqual(['constructor', 'prototype', 'toString'])
})

test.each(['0', '1.5', 'first', '{ min: 0 }'])('the occurrence %s is rejected', (occurrence) => {
  expect(mistakesIn(`rules: [{ when: { occurrence: ${occurrence} }, then: {} }]`)).toHaveLength(1)
})

test.each([
  'failures: { rate: -0.1 }',
  'failures: { rate: 1.1 }',
  'failures: { errors: [{ code: a, message: b }] }',
  'failures: { rate: 1, errors: [] }',
  'failures: { rate: 1, errors: [{ code: a, message: b, weight: 0 }] }',
  'price: { per_task: -1 }',
  'output: text',
])('the behavior %s is rejected', (behavior) => {
  expect(mistakesIn(`defaults: { ${behavior} }`)).toHaveLength(1)
})

test.each(['ftp://host/', 'not a url', '/hooks'])(
  'a receiver must be reachable over HTTP: %s',
  (receiver) => {
    expect(mistakesIn(`webhooks: { receivers: [${receiver}] }`)).toEqual([
      `webhooks.receivers[0]: got "${receiver}"; expected a URL that starts with http:// or https://, with no user name and no port 0 in it`,
    ])
  },
)

test('the times of an expectation are durations', () => {
  const text = 'expect: [{ create: { model: acme/a, input: {} }, at: { soon: { status: succeeded } } }]'
  expect(mistakesIn(text)).toEqual([expect.stringContaining(DURATION)])
})

test('an expected share has a lower bound below its upper one', () => {
  const text = 'expect: [{ create: { model: a, input: {} }, outcomes: { failed: { min: 1, max: 0 } } }]'
  expect(mistakesIn(text)).toEqual([expect.stringContaining('`min` must not be greater than `max`')])
})

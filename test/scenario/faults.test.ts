import { expect, test } from 'vitest'
import { parseScenario, ScenarioError } from '../../src/index.js'
import { assemble } from '../../src/scenario/layers/assemble.js'
import { parseLayer } from '../../src/scenario/parse-layer.js'

/** Returns the printed mistakes in a text. */
function said(text: string): string[] {
  try {
    parseScenario(text, 'f.yaml')
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n')
    throw error
  }
  return []
}

const when = (conditions: string) => `faults:\n  - when: { ${conditions} }\n    then: 503\n`
const fault = (then: string) => `faults:\n  - then: ${then}\n`

test('every form of a fault is read, with durations in milliseconds', () => {
  const { faults } = parseScenario(`
faults:
  - name: rush hour
    when: { operation: [tasks.create, tasks.list], method: POST, model: "acme/*", kind: video, key: sk_*, per: key }
    then: [503, pass, lost, { status: 429, retry_after: 5s }, { status: 503, retry_after: { date: 1m } }]
  - when: { window: { from: 1m, to: 2m }, rate: { from: 0.1, to: 1 }, nth: { every: 3 }, per: task }
    then: { delay: { min: 1s, max: 2s }, bytes_per_second: 10, cut: 0.2, headers: { X-A: b }, content_type: text/plain }
  - then: { reset: after, headers: { X-A: b } }
`)
  expect(faults[0]?.then).toEqual([
    { status: 503 },
    'pass',
    { reset: 'before', executed: true },
    { status: 429, retry_after: 5_000 },
    { status: 503, retry_after: { date: 60_000 } },
  ])
  expect(faults[1]).toMatchObject({
    when: { window: { from: 60_000, to: 120_000 }, nth: { every: 3 } },
    then: { delay: { min: 1_000, max: 2_000 } },
  })
  expect(faults).toHaveLength(3)
})

test.each([
  [
    'operation: task.create',
    '2:24: faults[0].when.operation: got "task.create"; did you mean `tasks.create`?',
  ],
  [
    'operation: [tasks.list, files.downlod]',
    '2:37: faults[0].when.operation[1]: got "files.downlod"; did you mean `files.download`?',
  ],
  ['operation: sim.clock', '2:24: faults[0].when.operation: got "sim.clock"; expected `tasks.create`, '],
  ['methd: GET', '2:13: faults[0].when.methd: unknown field `methd`; did you mean `method`?'],
  ['kind: vidoe', '2:19: faults[0].when.kind: got "vidoe"; did you mean `video`?'],
  ['per: user', '2:18: faults[0].when.per: got "user"; expected `task` or `key`'],
  ['rate: 1.5', '2:19: faults[0].when.rate: got 1.5; expected a number from 0 to 1, such as 0.05'],
  ['rate: -0.1', '2:19: faults[0].when.rate: got -0.1; expected a number from 0 to 1, such as 0.05'],
  [
    'rate: 50%',
    '2:19: faults[0].when.rate: got "50%"; expected a number from 0 to 1, such as 0.05, or { from, to }',
  ],
  [
    'rate: { from: 0, to: 2 }, window: { to: 5s }',
    '2:34: faults[0].when.rate.to: got 2; expected a number from 0 to 1, such as 0.05',
  ],
  ['nth: 0', '2:18: faults[0].when.nth: got 0; expected a number from 1 up'],
  ['nth: { min: 3, max: 2 }', '2:18: faults[0].when.nth: got {"min":3,"max":2}; `min` must not be greater'],
  ['nth: { evry: 2 }', '2:20: faults[0].when.nth.evry: unknown field `evry`; did you mean `every`?'],
  ['window: { from: 5s, to: 2s }', '; the window ends before it starts: `from` must be less than `to`'],
  ['window: { from: 5s, to: 5s }', '2:21: faults[0].when.window: got '],
  ['window: { from: 5 }', '2:29: faults[0].when.window.from: got 5; expected a duration such as 250ms'],
  ['rate: { from: 0, to: 1 }', '2:19: faults[0].when.rate: '],
  [
    'rate: { from: 0, to: 1 }, window: { from: 1s }',
    'a rate with `from` and `to` needs a `window` with a `to`',
  ],
])('an invalid condition is rejected at its position: %s', (conditions, message) => {
  expect(said(when(conditions))).toEqual([expect.stringContaining(message)])
  expect(said(when(conditions))[0]).toMatch(/^f\.yaml:2:\d+: faults\[0\]\.when\./)
})

test.each([
  ['200', '2:11: faults[0].then: got 200; expected a status from 400 to 599, `pass`, `reset`'],
  ['"503"', '2:11: faults[0].then: got "503"; expected a status from 400 to 599, `pass`'],
  ['[]', '2:11: faults[0].then: got []; expected 1 or more entries'],
  ['[503, rset]', '2:17: faults[0].then[1]: got "rset"; did you mean `reset`?'],
  ['[503, { cut: half }]', '2:24: faults[0].then[1].cut: got "half"; expected a number'],
  ['{ cut: 1.5 }', '2:18: faults[0].then.cut: got 1.5; expected a number from 0 to 1, such as 0.05'],
  ['{ bytes_per_second: 0 }', '2:31: faults[0].then.bytes_per_second: got 0; expected a number from 1 up'],
  ['{ status: 200 }', '2:21: faults[0].then.status: got 200; expected a number from 400 up'],
  [
    '{ headers: { X-A: "b\\nc" } }',
    '2:29: faults[0].then.headers["X-A"]: got "b\\nc"; expected printable ASCII',
  ],
])('an invalid fault is rejected at its position: %s', (then, message) => {
  expect(said(fault(then))).toEqual([expect.stringContaining(`f.yaml:${message}`)])
})

test.each([
  ['rset', '2:11: faults[0].then: got "rset"; did you mean `reset`?'],
  ['{ body: xml }', '2:19: faults[0].then.body: got "xml"; did you mean `html`?'],
  ['{ reset: befor }', '2:20: faults[0].then.reset: got "befor"; did you mean `before`?'],
  ['{ delay: soon }', '2:20: faults[0].then.delay: got "soon"; expected a duration such as'],
  [
    '{ status: 503, retry_after: 5 }',
    '2:39: faults[0].then.retry_after: got 5; expected a duration such as 5s',
  ],
  ['{ headers: { "X A": b } }', '2:24: faults[0].then.headers["X A"]: expected the name of a header'],
  [
    '{ headers: { Transfer-Encoding: chunked } }',
    '2:24: faults[0].then.headers["Transfer-Encoding"]: tasksim sets this header: choose another one',
  ],
  [
    '{ headers: { X-Request-Id: a } }',
    '2:24: faults[0].then.headers["X-Request-Id"]: tasksim sets this header',
  ],
  ['{ content_type: "text/plain; a=→" }', '2:27: faults[0].then.content_type: '],
  ['{ content_type: "text/plain\\nX-A: b" }', '2:27: faults[0].then.content_type: '],
  ['{ staus: 503 }', '2:13: faults[0].then.staus: unknown field `staus`; did you mean `status`?'],
])('a fault with one wrong value is rejected at that value, with the nearest word: %s', (then, message) => {
  expect(said(fault(then))).toEqual([expect.stringContaining(`f.yaml:${message}`)])
})

test.each([
  ['{}', 'the fault is empty: set `status`'],
  ['{ hang: true, reset: before }', '`hang` and `reset` exclude each other: set one of them'],
  [
    '{ hang: true, body: html }',
    '`body` has no effect with `hang`, which sends no response: remove one of them',
  ],
  ['{ reset: before, cut: 0.5 }', '`cut` has no effect with `reset`'],
  ['{ reset: during, headers: { X-A: b } }', '`headers` has no effect with `reset`'],
  ['{ reset: after, bytes_per_second: 5 }', '`bytes_per_second` has no effect with `reset: after`'],
  ['{ status: 503, patch: { status: done } }', '`patch` has no effect with `status`'],
  ['{ status: 503, stale: true }', '`stale` has no effect with `status`'],
  ['{ retry_after: 5s }', '`retry_after` needs a `status`'],
  ['{ code: busy, delay: 1s }', '`code` needs a `status`'],
  ['{ executed: false, cut: 0.5 }', '`executed` needs a fault that replaces the response'],
])('incompatible fields are rejected with advice: %s', (then, message) => {
  expect(said(fault(then))).toEqual([expect.stringContaining(message)])
  expect(said(fault(then))[0]).toMatch(/^f\.yaml:2:11: faults\[0\]\.then: /)
})

test.each([
  '{ hang: true, status: 503 }',
  '{ hang: true, stale: true }',
  '{ reset: before, status: 503 }',
  '{ reset: during, patch: { status: done } }',
  '{ body: html, patch: { status: done } }',
  '{ executed: true }',
])('a field of a fault without effect is rejected: %s', (then) => {
  expect(said(fault(then))).toEqual([expect.stringMatching(/^f\.yaml:2:11: faults\[0\]\.then: /)])
})

test('a list of faults excludes nth, which also counts', () => {
  expect(said('faults:\n  - when: { nth: 2 }\n    then: [503, pass]\n')).toEqual([
    expect.stringMatching(/^f\.yaml:2:11: faults\[0\]\.when: .*remove `nth`, or use one fault$/),
  ])
})

test('the faults of a scenario come before those of its base scenario', () => {
  const lower = parseLayer('faults: [{ name: lower, then: 500 }]', 'lower')
  const upper = parseLayer('extends: lower\nfaults: [{ name: upper, then: 503 }]', 'upper')
  expect(assemble('upper', upper, () => lower).faults.map(({ name }) => name)).toEqual(['upper', 'lower'])
})

test('one error lists every mistake in a list of faults', () => {
  const text =
    'faults:\n  - { when: { rate: 2 }, then: 503 }\n  - { then: 700 }\n  - { when: { pre: key }, then: 503 }\n'
  expect(said(text).map((line) => line.split(' ', 2).join(' '))).toEqual([
    'f.yaml:2:21: faults[0].when.rate:',
    'f.yaml:3:13: faults[1].then:',
    'f.yaml:4:15: faults[2].when.pre:',
  ])
})

test.each([
  [
    'rate_limits: [{ requests: 0, per: 1s }]',
    '1:27: rate_limits[0].requests: got 0; expected a number from 1 up',
  ],
  ['rate_limits: [{ requests: 1, per: 0s }]', 'rate_limits[0].per: got "0s"; expected a duration above 0s'],
  ['rate_limits: [{ requests: 1 }]', 'rate_limits[0].per: is missing; expected a duration'],
  [
    'rate_limits: [{ requests: 1, per: 1s, brust: 3 }]',
    '1:39: rate_limits[0].brust: unknown field `brust`; did you mean',
  ],
  ['rate_limits: [{ requests: 1, per: 1s, operation: task.list }]', 'did you mean `tasks.list`?'],
  [
    'api: { rate_limit_headers: x-rate }',
    '1:28: api.rate_limit_headers: got "x-rate"; did you mean `x-ratelimit`?',
  ],
  ['auth: { keys: [{ expires: 1s }] }', '1:16: auth.keys[0].key: is missing'],
  [
    'auth: { keys: [{ key: a, expire: 1s }] }',
    'auth.keys[0].expire: unknown field `expire`; did you mean `expires`?',
  ],
  ['auth: { credits: -1 }', '1:18: auth.credits: got -1; expected a number from 0 up'],
  ['directives: maybe', '1:13: directives: got "maybe"; expected `on` or `off`'],
])('%s is rejected at the position of the mistake', (text, message) => {
  expect(said(text)).toEqual([expect.stringContaining(message)])
})

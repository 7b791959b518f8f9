import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseDialect } from '../../src/dialects/language/parse-dialect.js'
import type { DialectTable } from '../../src/dialects/table/dialect-table.generated.js'
import { createSimulator } from '../../src/index.js'
import { ScenarioError } from '../../src/scenario/check/mistake.js'
import { ask } from '../ledger/use-state.js'
import { isDeep } from '../support/deep.js'

const FOLDER = new URL('../../src/dialects/files/', import.meta.url)
const FILES = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml') && file !== 'tasks.yaml')

/** Gives files in every way. */
const OWN = `
title: Acme
hosts: [https://api.acme.example]
ids: { characters: hex }
statuses: { queued: waiting, processing: running, succeeded: done, failed: error, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}", url: "{{file}}", echo: "{{input.prompt}}" }
headers: { X-Job-Id: "{{id}}" }
error: { body: { reason: "{{message}}" } }
operations:
  POST /speech: { action: create, kind: audio, model: a, wait: 60000, gives: file, states: { failed: { status: 422, answer: { reason: "{{error.message}}" } } } }
  POST /jobs: { action: create, kind: image, model: b, states: { queued: { status: 303, headers: { Location: "{{base}}/jobs/{{id}}" } } } }
  GET /jobs/{task_id}: retrieve
  GET /jobs: { action: list, answer: { data: "{{tasks}}" } }
  GET /jobs/{task_id}/file: { action: file, redirect: 302 }
  GET /jobs/{task_id}/raw/{name}: { action: file }
webhook: { url: "{{body.hook}}", events: { succeeded: done, failed: failed }, body: { job: "{{id}}" }, headers: { X-Hook: "{{id}}" } }
`
const BASES: readonly object[] = [
  OWN,
  OWN,
  ...FILES.map((file) => readFileSync(new URL(file, FOLDER), 'utf8')),
].map((text) => ({ ...parse(text, { merge: true, maxAliasCount: -1 }), name: 'acme' }))

const many = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value)
const VALUES: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e308, 99, 204, 304, 600, '', ' ', 'x', [], {}, [null], [{}], { toString: 1 }],
  ...[
    '__proto__',
    'constructor',
    '{{__proto__}}',
    '{{body.constructor}}',
    '{{query.__proto__}}',
    '{{',
    '{{}}',
  ],
  ...[
    '{{id | map}}',
    '{{id | nope}}',
    '{{input}}',
    '{{body}}',
    '{{body.evil}}',
    '{{body | without __proto__}}',
  ],
  ...['a\r\nX-Evil: 1', '\u0000', '\ud800', '../../etc/passwd', '/{a}/{a}', 'file:///etc/passwd', 'http://['],
  ...['36500d', '1e300s', '(a+)+$', 'text/html', 'image/png\r\nx: y', 'x'.repeat(200_000)],
  ...[
    many(4_000, '{{input}}'),
    many(4_000, '{{input.prompt}}').join(''),
    JSON.parse('{"__proto__":{"a":1}}'),
  ],
  { headers: { 'Content-Length': '5' } },
  { status: 301, headers: { Location: '{{body.evil}}' } },
  Object.fromEntries(many(3_000, '{{input.prompt}}').map((value, index) => [`k${index}`, value])),
]
const NAMES = [
  ...[
    '__proto__',
    'constructor',
    'gives',
    'wait',
    'states',
    'headers',
    'answer',
    'status',
    'redirect',
    'X Y',
  ],
  ...['a\r\nb', 'Content-Length', 'x'.repeat(900), 'GET /{a}/{b}', 'POST /%2e%2e/', 'GET *', 'CONNECT /x'],
]

const change = fc.record({
  place: fc.nat(),
  other: fc.nat(),
  what: fc.constantFrom('set', 'set', 'set', 'add', 'copy', 'delete'),
  value: fc.constantFrom(...VALUES),
  name: fc.constantFrom(...NAMES),
})
const mutation = fc.record({
  base: fc.constantFrom(...BASES),
  changes: fc.array(change, { minLength: 1, maxLength: 3 }),
})

const RUNS = isDeep ? 300 : 12

test('a dialect file with mistakes is rejected with their places, or its server never fails', async () => {
  await fc.assert(
    fc.asyncProperty(mutation, async ({ base, changes }) => {
      const dialect = JSON.parse(JSON.stringify(base))
      for (const each of changes) apply(dialect, each)
      let table: DialectTable
      try {
        table = parseDialect(JSON.stringify(dialect), 'acme.yaml')
      } catch (error) {
        expect(error).toBeInstanceOf(ScenarioError)
        expect((error as Error).message).toMatch(/^acme\.yaml(?::\d+:\d+)?: /)
        expect((error as Error).message.length).toBeLessThan(30_000)
        return
      }
      if (table.name === 'acme') await use(table)
    }),
    { numRuns: RUNS, seed: 11 },
  )
})

function apply(
  dialect: object,
  { place, other, what, value, name }: typeof change extends fc.Arbitrary<infer T> ? T : never,
) {
  const places = placesIn(dialect)
  const [holder, key] = places[place % places.length] ?? [{}, '']
  const [source, from] = places[other % places.length] ?? [{}, '']
  const given = structuredClone(what === 'copy' ? Reflect.get(source, from) : value)
  if (what === 'delete') Reflect.deleteProperty(holder, key)
  else if (what !== 'add') Reflect.set(holder, key, given)
  else if (!Array.isArray(holder))
    Object.defineProperty(holder, name, {
      value: given,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

/** Every value of a dialect: where it is. */
function placesIn(holder: object): [object, string][] {
  return Object.entries(holder).flatMap(([key, inner]): [object, string][] => [
    [holder, key],
    ...(typeof inner === 'object' && inner !== null ? placesIn(inner) : []),
  ])
}

/** Calls every operation, before and after the end of tasks. `ask` throws at a failure, and at a header that cannot be sent. */
async function use(table: DialectTable): Promise<void> {
  const sim = createSimulator({
    clock: 'manual',
    patience: '1ms',
    dialects: [table],
    renderer: { render: async () => new Uint8Array([1]) },
    transport: async () => ({ status: 200 }),
  })
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  const body = JSON.stringify({
    ...{ prompt: 'p'.repeat(20_000), model: 'a\r\nb: c', hook: 'http://h.test/', evil: 'a\r\nX-Evil: 1' },
    ...{ text: 'hello', input: { prompt: 'x' }, instances: [{ prompt: 'x' }], background: true },
  })
  for (const end of ['5s', '5m'] as const) {
    for (const { method, path } of table.operations) {
      const [task] = [...sim.tasks.all()].slice(-1)
      const target = path.replace(/\{(\w+)[^}]*\}/g, (_, name) =>
        /id$/.test(name) ? (task?.id ?? 'x') : '__proto__',
      )
      await ask(sim, method, `/acme${target}?limit=5&page=__proto__`, method === 'GET' ? {} : { body }).catch(
        (error: Error) => {
          // Such as the status that a file gives a failed task.
          if (!/: 5\d\d/.test(error.message) || /tasksim itself failed/.test(error.message)) throw error
        },
      )
    }
    await sim.clock.advance(end)
  }
  for (const path of ['tasks', 'dialects', 'findings', 'overview', 'openapi.json'])
    await ask(sim, 'GET', `/_sim/${path}`)
  sim.close()
  expect(errors).toEqual([])
}

import { CONTROL_PATHS } from '../../../src/control/paths.js'
import { type Check, expectThat } from '../../support/check.js'
import type { Server } from '../../support/server.js'
import { withServer } from '../with-server.js'

/** JSON in place of instants, durations and speeds: `JSON.stringify` would not write all of it. */
const VALUES = [
  ...[
    'null',
    'true',
    '[]',
    '{}',
    '[2026]',
    '0',
    '-0',
    '-1',
    '0.5',
    '1e-320',
    '1e21',
    '1e308',
    '1e999',
    '-1e999',
  ],
  ...['253402300799999', '253402300800000', '-62135596800001', '8640000000000001', '1000001', '"NaN"', '"0"'],
  ...['""', '" "', '"x"', '"1s"', '"-1s"', '"1e300s"', '"36500d"', '"36501d"', '"999999999999999999999d"'],
  ...[
    '"2026"',
    '"2026-02-30"',
    '"0000-12-31"',
    '"0001-01-01"',
    '"9999-12-31"',
    '"10000-01-01"',
    '"Jan 1 2030"',
  ],
  ...[
    '"9999-12-31T23:59:59.999Z"',
    '"9999-12-31T24:00:00Z"',
    '"9999-12-31T23:59:59-14:00"',
    '"+275760-09-13"',
  ],
  ...[
    '"0001-01-01T00:00:00+14:00"',
    '"-000001-01-01T00:00:00Z"',
    '"2030-06-30T23:59:60Z"',
    '"2030-01-01T25:00Z"',
  ],
  ...[
    '"2030-01-01T00:00:00+99:00"',
    '"2030-01-01T00:00:00.1234567891Z"',
    '"2030-01-01t00:00:00z"',
    '"٢٠٣٠-01-01"',
  ],
]
const CLOCK_FIELDS = ['advance', 'to', 'run_until_idle', 'speed', 'mode']
const SANDBOX_FIELDS = ['start', 'speed', 'clock', 'idle']
const DURATION_FIELDS = ['delay', 'queueing', 'url_ttl']

const KINDS = ['image', 'video', 'audio', 'llm', 'transcript']
/** A year that has not four digits, or what is not a date. */
const LATE = /[+-]\d{6}-\d\d-\d\d|\b\d{5,}-\d\d-\d\d[T ]|Invalid Date|"(?:NaN|Infinity)"/
const READS = Object.entries(CONTROL_PATHS).flatMap(([id, path]) =>
  path.startsWith('GET ') && !path.includes('{') && id !== 'sim.journal.stream'
    ? [path.slice('GET '.length)]
    : [],
)

const values: Check = {
  title: 'a clock, a sandbox and a scenario take any value, or name it in an error',
  run: (figure) =>
    withServer(async (server) => {
      const statuses = new Map<number, number>()
      const send = async (method: string, path: string, value: string, name: string, body: string) => {
        const { status, text } = await ask(server, method, path, body)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expectThat(status < 500, `Expected no failure of ${path} ${body}, got ${status} ${text}`)
        // An error shows the value in quotation marks, in a string.
        const own = text.replaceAll(JSON.stringify(value).slice(1, -1), '')
        expectThat(!LATE.test(own), `Expected a date for ${path} ${body}, got ${text}`)
        if (status === 400)
          expectThat(/year 9999/.test(text) || text.includes(name), `Expected the name in ${text}`)
      }
      for (const value of VALUES) {
        await ask(server, 'POST', 'reset')
        await ask(server, 'POST', 'clock', '{"mode":"manual"}')
        for (const field of CLOCK_FIELDS) await send('POST', 'clock', value, field, `{"${field}":${value}}`)
        for (const field of SANDBOX_FIELDS) {
          const manual = field === 'start' ? '"clock":"manual",' : ''
          await send('POST', 'sandboxes', value, field, `{${manual}"${field}":${value}}`)
        }
        for (const field of DURATION_FIELDS)
          await send('PATCH', 'scenario', value, field, `{"defaults":{"${field}":${value}}}`)
      }
      const counts = [...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')
      figure(
        `${VALUES.length} values in ${CLOCK_FIELDS.length + SANDBOX_FIELDS.length + DURATION_FIELDS.length} fields: ${counts}`,
      )
    }),
}

const edge: Check = {
  title: 'no answer, webhook or export shows a date after the year 9999',
  run: (figure) =>
    withServer(async (server) => {
      const rules = [
        { when: { input: { prompt: 'long' } }, then: { delay: '36500d' } },
        { when: { input: { prompt: 'stuck' } }, then: { outcome: 'stuck' } },
        { when: { input: { prompt: 'polled' } }, then: { delay: { polls: 3 } } },
      ]
      const scenario = { ended: 'as-today', defaults: { delay: '3s', url_ttl: '36500d' }, rules }
      await ask(server, 'PUT', 'scenario', JSON.stringify({ scenario }))
      const bodies: string[] = []
      for (const start of ['9999-12-31T23:59:50Z', '9999-12-31T23:59:59.999Z']) {
        await ask(server, 'POST', 'clock', '{"mode":"manual"}')
        await ask(server, 'POST', 'clock', JSON.stringify({ to: start }))
        bodies.push(...(await createEverywhere(server)))
        for (const change of [
          '{"advance":"5s"}',
          '{"run_until_idle":true}',
          '{"advance":"1d"}',
          '{"mode":"real"}',
        ])
          bodies.push((await ask(server, 'POST', 'clock', change)).text)
        for (const path of READS) bodies.push((await ask(server, 'GET', path.slice('/_sim/'.length))).text)
        bodies.push(...(await readTasks(server)))
      }
      const late = bodies.flatMap((body) => LATE.exec(body) ?? [])
      figure(`${bodies.length} answers, ${late.length} with other dates`)
      expectThat(late.length === 0, `Expected years of four digits, got ${late.slice(0, 3).join(', ')}`)
      expectThat((await server.status('/_sim/health')) === 200, 'Expected that the server still answers')
    }),
}

export const clock: readonly Check[] = [values, edge]

/** Creates tasks of every dialect and kind, with a receiver that nobody reaches. */
async function createEverywhere(server: Server): Promise<string[]> {
  const bodies: string[] = []
  const { data }: { data: readonly { name: string }[] } = JSON.parse(
    (await ask(server, 'GET', 'dialects')).text,
  )
  for (const { name } of data)
    for (const kind of KINDS)
      for (const prompt of ['a', 'long', 'stuck', 'polled']) {
        const order = { dialect: name, kind, prompt, webhook_url: 'http://127.0.0.1:9/hook' }
        const written = await ask(server, 'POST', 'requests', JSON.stringify(order))
        const { kind: actual, request } = JSON.parse(written.text)
        // Not every service creates tasks of every kind.
        if (actual !== kind) continue
        const isHeld = /\/(?:interactions|responses)$/.test(request.url)
        const body = { ...request.body, ...(isHeld && { background: true }) }
        const { pathname, search } = new URL(request.url)
        const answer = await fetch(server.origin + pathname + search, {
          method: request.method,
          headers: request.headers,
          body: JSON.stringify(body),
        })
        bodies.push(JSON.stringify([...answer.headers]) + (await answer.text()))
      }
  return bodies
}

/** What the control API and the clients of the tasks can read of them. */
async function readTasks(server: Server): Promise<string[]> {
  const { data } = JSON.parse((await ask(server, 'GET', 'tasks?limit=100')).text)
  const bodies: string[] = []
  for (const { id } of data)
    for (const end of ['', '/answer', '/test'])
      bodies.push((await ask(server, 'GET', `tasks/${id}${end}`)).text)
  return bodies
}

async function ask({ origin }: Server, method: string, path: string, body?: string) {
  const response = await fetch(`${origin}/_sim/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  expectThat(response.status < 500, `Expected no failure of ${method} ${path} ${body}, got ${text}`)
  return { status: response.status, text }
}

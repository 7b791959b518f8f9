import { expect, it } from 'vitest'
import { readHar } from '../../src/cli/learn/read-history.js'
import type { RequestEntryShape } from '../../src/client/index.js'
import { curlOf } from '../../src/control/code/curl.js'
import { deepTest } from '../support/deep.js'
import { type Bench, code, describeClients, IMAGE, KEY, refusal } from './describe-clients.js'

const POOR = 'sk_live_of_a_poor_account'
const SCENARIO = {
  defaults: { delay: '1s' },
  auth: { keys: [{ key: KEY }, { key: POOR, credits: 0 }] },
  rate_limits: [{ name: 'reads', operation: 'tasks.list', requests: 1, per: '60s' }],
  faults: [
    { name: 'outage', when: { operation: 'tasks.cancel' }, then: { status: 503 } },
    { name: 'gone', when: { operation: 'tasks.create', model: 'lost' }, then: 'lost' },
    { name: 'typed', when: { operation: 'tasks.retrieve' }, then: { headers: { 'X-Note': 'odd' } } },
  ],
} as const

/** Sends a request, and returns the entry of the journal. */
async function sent(
  { control, origin }: Bench,
  method: string,
  path: string,
  { key = KEY, body, headers = {} }: { key?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<RequestEntryShape> {
  const authorization = key === '' ? undefined : { authorization: `Bearer ${key}` }
  const type = body === undefined ? undefined : { 'content-type': 'application/json' }
  await fetch(`${origin}${path}`, {
    method,
    headers: { ...authorization, ...type, ...headers },
    ...(body !== undefined && { body }),
  }).then(
    (response) => response.text(),
    () => undefined,
  )
  const [entry] = (await control.journal.list({ type: 'request', limit: 1 })).data
  if (entry?.type !== 'request') throw new Error('Expected a request')
  return entry
}

const create = (model: string, more = {}) => JSON.stringify({ ...IMAGE, model, ...more })

describeClients('an answered request', (open) => {
  it('shows who decided its answer', async () => {
    const bench = await open({ scenario: SCENARIO })
    const tasks = '/api/v1/tasks'
    const id = await bench.order()
    const decided = async (...request: [string, string, Parameters<typeof sent>[3]?]) => {
      const { what, name, field } = (await sent(bench, ...request)).decided_by ?? { what: undefined }
      return [what, name ?? field].filter(Boolean).join(' ')
    }
    expect(await decided('GET', tasks)).toBe('')
    expect(await decided('GET', tasks)).toBe('rate_limit reads')
    expect(await decided('POST', `${tasks}/${id}/cancel`)).toBe('fault outage')
    expect(await decided('POST', tasks, { body: create('lost') })).toBe('fault gone')
    expect(await decided('GET', `${tasks}/${id}`)).toBe('fault typed')
    expect(await decided('GET', `${tasks}/none`)).toBe('not_found unknown_task')
    expect(await decided('POST', tasks, { key: '' })).toBe('api_key missing_key')
    expect(await decided('POST', tasks, { key: 'sk_unknown_key_of_mine', body: create('m') })).toBe(
      'api_key refused_key',
    )
    expect(await decided('POST', tasks, { key: POOR, body: create('m') })).toBe('credits')
    expect(await decided('POST', tasks, { body: '{' })).toBe('validation')
    expect(await decided('POST', tasks, { body: create('m', { webhook_url: 7 }) })).toBe(
      'validation webhook_url',
    )
    expect(await decided('DELETE', tasks)).toBe('routing')
    expect(await decided('GET', '/api/v1/nothing')).toBe('routing')
    expect(await decided('GET', tasks, { headers: { 'x-sim': 'fault=500' } })).toBe('rate_limit reads')
    const directed = { headers: { 'x-sim': 'fault=500' }, body: create('m') }
    expect(await decided('POST', tasks, directed)).toBe('fault directive')
  })

  it('has the reason as a sentence, its headers and its bodies, without secrets', async () => {
    const bench = await open({ scenario: SCENARIO })
    const headers = {
      cookie: 'session=top-secret; theme=dark',
      'x-own-token': 'another-top-secret',
      'x-callback': 'https://example.com/?token=top-secret&page=2',
      'idempotency-key': 'order-17-of-today',
      'x-sim': 'fault=500',
    }
    const entry = await sent(bench, 'POST', '/api/v1/tasks', { headers, body: create('m') })
    expect(entry).toMatchObject({
      status: 500,
      fault: 'directive',
      held_ms: 0,
      decided_by: { what: 'fault', reason: 'The directive in the request answers 500.' },
      request_headers: {
        authorization: 'Bearer sk_...ocal',
        'x-own-token': 'ano...cret',
        'x-callback': 'https://example.com/?token=***&page=2',
        'idempotency-key': 'order-17-of-today',
        'content-type': 'application/json',
      },
      response_headers: { 'content-type': 'application/json', 'x-request-id': entry.id },
      request_body: create('m'),
      response_body: expect.stringContaining('500'),
    })
    expect(JSON.stringify(entry)).not.toContain('top-secret')
    expect(JSON.stringify([bench.sim.journal.entries()])).not.toContain('top-secret')
    expect(await bench.control.journal.request(entry.id)).toEqual(entry)
    const [brief] = (await bench.control.journal.brief({ limit: 1 })).data
    expect(brief).toMatchObject({ id: entry.id, decided_by: entry.decided_by })
    expect(Object.keys(brief ?? {}).filter((name) => /headers|body/.test(name))).toEqual([])
    expect(await code(bench.control.journal.request('req_none'))).toBe('404 not_found')
  })

  it('can be repeated with a key that the simulator accepts', async () => {
    const bench = await open()
    const { control } = bench
    const first = await sent(bench, 'POST', '/api/v1/tasks?x=1', {
      key: 'sk_mine_of_today',
      body: create('m'),
    })
    const repeated = await control.journal.repeat(first.id)
    expect(curlOf(repeated).replace(/https?:\/\/[^/]*/, '')).toBe(
      [
        `curl -s '/api/v1/tasks?x=1'`,
        `-H 'authorization: Bearer ${KEY}'`,
        `-H 'content-type: application/json'`,
        `-d '{"model": "m", "input": {"prompt": "a lighthouse at dawn"}}'`,
      ].join(' \\\n  '),
    )
    const broken = await sent(bench, 'POST', '/api/v1/tasks', { key: '', body: `{"it's` })
    expect(broken.decided_by?.what).toBe('api_key')
    const invalid = await sent(bench, 'POST', '/api/v1/tasks', { body: `{"it's` })
    expect(await control.journal.repeat(invalid.id)).toMatchObject({ text: `{"it's` })
  })

  it('is found by the class of its status, its dialect and words', async () => {
    const bench = await open({ scenario: SCENARIO })
    await sent(bench, 'POST', '/api/v1/tasks', { body: create('m') })
    await sent(bench, 'POST', '/api/v1/tasks', { body: create('lost') })
    await sent(bench, 'GET', '/api/v1/tasks/none')
    await sent(bench, 'POST', '/api/v1/tasks', { key: '' })
    const found = async (query: Parameters<typeof bench.control.journal.list>[0]) =>
      (await bench.control.journal.list(query)).data
        .flatMap((entry) => (entry.type === 'request' ? [`${entry.status}`] : []))
        .reverse()
    expect(await found({ status: '4xx' })).toEqual(['404', '401'])
    expect(await found({ status: 'lost' })).toEqual(['200'])
    expect(await found({ status: '2xx' })).toEqual(['200'])
    expect(await found({ status: 200, text: 'lost' })).toEqual([])
    expect(await found({ status: 'refused' })).toEqual(['200', '404', '401'])
    expect(await found({ status: 401 })).toEqual(['401'])
    expect(await found({ dialect: 'luma' })).toEqual([])
    expect(await found({ dialect: 'tasks', status: 404 })).toEqual(['404'])
    expect(await found({ text: 'API key Bearer' })).toEqual(['401'])
    expect(await found({ text: 'lighthouse lost' })).toEqual(['200'])
    const { details } = await refusal(bench.control.journal.list({ status: '6xx' }))
    expect(details['param']).toBe('status')
  })
})

describeClients('the HAR file of the requests', (open) => {
  it('has every request, and shows the tasks to `tasksim learn`', async () => {
    const bench = await open({ scenario: SCENARIO })
    const { control, sim } = bench
    const id = await bench.order()
    await control.clock.advance('2s')
    await sent(bench, 'GET', `/api/v1/tasks/${id}`)
    await sent(bench, 'POST', '/api/v1/tasks', { body: create('lost') })
    const har = JSON.stringify(await control.journal.har())
    expect(har).not.toContain(KEY)
    const { log } = JSON.parse(har)
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'tasksim' } })
    expect(log.entries.map(({ response }: { response: object }) => Object(response).status)).toEqual([
      200, 200, 0,
    ])
    expect(log.entries[0]).toMatchObject({
      startedDateTime: '2026-01-01T00:00:00.000Z',
      time: 0,
      request: { method: 'POST', postData: { mimeType: 'application/json' }, queryString: [], cookies: [] },
      response: { content: { mimeType: 'application/json' } },
      timings: { send: 0, wait: 0, receive: 0 },
    })
    const tasks = []
    const pieces = (async function* () {
      yield har
    })()
    const dialect = await sim.dialects.load('tasks')
    for await (const task of readHar(pieces, dialect, (error) => expect(error).toBeUndefined()))
      tasks.push(task)
    expect(tasks).toMatchObject([{ id, model: IMAGE.model }])
    expect(Object((await control.journal.har({ status: 'lost' })) as never).log.entries).toHaveLength(1)
  })

  deepTest('are exported as JSON without pages', async () => {
    const bench = await open({ scenario: SCENARIO })
    const id = await bench.order()
    await sent(bench, 'GET', '/api/v1/nothing')
    for (let count = 1; count <= 1_001; count++) await bench.get(`/api/v1/tasks/${id}`)
    const requests = await bench.control.journal.requests({ operation: 'tasks.retrieve' })
    expect(requests).toHaveLength(1_001)
    const all = await bench.control.journal.requests()
    expect(all.map(({ number }) => number)).toEqual(all.map(({ number }) => number).sort((a, b) => a - b))
    expect(all[0]?.request_body).toContain(IMAGE.model)
  })
})

import { expect, it, test } from 'vitest'
import { compileTemplate } from '../../../../src/dialects/table/template/compile.js'
import type { JsonValue } from '../../../../src/engine/json.js'
import { createSimulator, parseDialect } from '../../../../src/index.js'
import { describeDialect } from '../../describe-dialect.js'

const PROMPT = 'x'.repeat(200_000)
const MANY = Array.from({ length: 4_000 }, (_, index) => index)
const fields = Object.fromEntries(MANY.map((index) => [`field${index}`, '{{input}}']))

test.each<[string, JsonValue]>([
  ['a text', MANY.map(() => '{{input}}').join(' ')],
  ['a list', MANY.map(() => '{{input}}')],
  ['a mapping', fields],
  ['lists in lists', MANY.slice(0, 70).map(() => MANY.slice(0, 70).map(() => ['{{input.prompt}}']))],
])('%s with 4,000 placeholders and a prompt of 200 KB is an error', (_, template) => {
  const scope = { until: Infinity, input: { prompt: PROMPT, tags: ['a'] } }
  const values = { input: ({ input }: typeof scope) => input }
  const message = 'A template of the dialect would become larger than 32 MB'
  expect(() => compileTemplate(template, values)(scope)).toThrow(message)
})

const dialectWith = (task: string, webhook: string) =>
  parseDialect(`
name: acme
title: Acme
hosts: [https://api.acme.example]
key: { scheme: Bearer }
ids: { characters: hex }
poll_interval: 1s
statuses: { queued: waiting, processing: running, succeeded: done, failed: broken, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}", echo: ${task} }
error: { body: { message: "{{message}}" } }
operations:
  POST /jobs: { action: create, kind: image, model: m, input: "{{body}}" }
  GET /jobs/{task_id}: retrieve
webhook: { url: "{{body.hook}}", events: { succeeded: job.done }, body: { job: "{{id}}", echo: ${webhook} } }
`)
const ECHO = JSON.stringify(MANY.map(() => '{{input.prompt}}'))

describeDialect('acme', 'https://api.acme.example', { authorization: 'Bearer key' }, (open) => {
  it('answers with an error if a task would be too large, and continues', async () => {
    const { post } = await open({ dialects: [dialectWith(ECHO, '1')] })
    const { status, body } = await post('/jobs', { prompt: PROMPT })
    expect([status, body.message]).toEqual([500, expect.stringContaining('larger than 32 MB')])
    expect((await post('/jobs', { prompt: 'waves' })).status).toBe(200)
  })
})

test('a webhook that would be too large is reported, and its task ends', async () => {
  const received: Request[] = []
  const take = (request: Request) => {
    received.push(request)
    return new Response()
  }
  const dialects = [dialectWith('1', ECHO)]
  const sim = createSimulator({ clock: 'manual', dialects, receivers: [take] })
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  await sim.dialects.load('acme')
  const order = { owner: 'key', dialect: 'acme', model: 'm', input: { prompt: PROMPT } }
  const { id } = await sim.create({ ...order, webhookUrl: undefined, origin: '' })
  await sim.clock.advance('1h')
  expect([sim.tasks.get(id)?.status, received, String(errors)]).toEqual([
    'succeeded',
    [],
    expect.stringContaining('larger than 32 MB'),
  ])
  sim.close()
})

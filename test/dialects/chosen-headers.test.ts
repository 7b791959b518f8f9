import { expect, it } from 'vitest'
import { parseDialect } from '../../src/index.js'
import { startReceiver } from '../http/receiver.js'
import { describeDialect } from './describe-dialect.js'

const KEY = { authorization: 'Bearer key' }

/** A service that repeats inputs in headers, and lets clients choose one. */
const ECHO = parseDialect(`
name: echo
title: Echo
hosts: [https://api.echo.example]
key: { scheme: Bearer }
ids: { prefix: job_, characters: hex }
statuses: { queued: waiting, processing: running, succeeded: done, failed: broken, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}" }
headers: { X-Prompt: "{{input.prompt}}" }
error: { body: { message: "{{message}}" }, headers: { X-Message: "{{message}}" } }
operations:
  POST /jobs: { action: create, kind: video, model: m, input: "{{body}}", reject: [{ if: "{{body.bad}}", message: "{{body.bad}}" }] }
  GET /jobs/{task_id}: retrieve
  GET /jobs/{task_id}/text: { action: result, text: "{{input.prompt}}" }
webhook:
  url: "{{body.hook}}"
  events: { succeeded: job.done }
  retries: [1m]
  body: { event: "{{event}}" }
  headers: { X-Prompt: "{{input.prompt}}", "X-{{input.header}}": a, "{{input.name}}": b }
`)

const PROMPTS = [
  ['a\r\nSet-Cookie: b=c', 'a%0D%0ASet-Cookie: b=c'],
  ['\u0000\u001b[2J', '%00%1B[2J'],
  ['ein Löwe', 'ein L%C3%B6we'],
  ['灯台 \ud800', '%E7%81%AF%E5%8F%B0 %EF%BF%BD'],
  ['x'.repeat(200_000), 'x'.repeat(8_000)],
] as const

describeDialect('echo', 'https://api.echo.example', KEY, (open) => {
  it.each(PROMPTS)('a header repeats any input so that it can be sent: %.20j', async (prompt, sent) => {
    const { sim, get, post } = await open({ dialects: [ECHO] })
    const receiver = await startReceiver()
    const created = await post('/jobs', { prompt, hook: receiver.url, header: 'own', name: 'x-b' })
    const { id } = created.body
    await sim.clock.advance('1h')
    for (const { status, headers } of [created, await get(`/jobs/${id}`)]) {
      expect([status, headers.get('x-prompt'), headers.get('set-cookie')]).toEqual([200, sent, null])
    }
    expect((await post('/jobs', { bad: prompt })).headers.get('x-message')).toBe(sent)
    const [webhook] = receiver.received
    expect(webhook?.headers).toMatchObject({ 'x-prompt': sent, 'x-own': 'a', 'x-b': 'b' })
  })

  it.each([
    { name: 'Transfer-Encoding' },
    { header: 'a\r\nb' },
    { name: 'Proxy-Connection' },
    { header: ' ' },
  ])('a request cannot choose the header of %j', async (choice) => {
    const { post } = await open({ dialects: [ECHO] })
    const { status, body } = await post('/jobs', { prompt: 'a', hook: 'http://127.0.0.1:9/', ...choice })
    expect([status, body.message]).toEqual([
      400,
      expect.stringContaining(`The field \`${Object.keys(choice)[0]}\`: `),
    ])
  })

  it('a saved state cannot give a webhook a header of the connection', async () => {
    const { sim, post } = await open({ dialects: [ECHO] })
    const receiver = await startReceiver((number, response) =>
      response.writeHead(number === 1 ? 503 : 204).end(),
    )
    await post('/jobs', { prompt: 'a', hook: receiver.url, name: 'x-b' })
    await sim.clock.advance('30s')
    const state = (await sim.control.exportState()).replaceAll(
      '"x-b":"b"',
      '"Transfer-Encoding":"chunked\\r\\n"',
    )
    expect(state).toContain('Transfer-Encoding')
    await sim.control.importState(state).catch(() => {})
    await sim.clock.advance('1h')
    expect(receiver.received.map(({ headers }) => headers['transfer-encoding'])).toEqual([
      undefined,
      undefined,
    ])
  })
})

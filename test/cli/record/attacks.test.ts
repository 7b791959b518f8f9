import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { exchangeBytes } from '../../support/exchange-bytes.js'
import { RECORDER_ATTACKS, SWITCHING } from '../../support/recorder-attacks.js'
import { startService } from './service.js'
import { startRecorder } from './start-recorder.js'

/** A recorder in front of a service that counts its requests. */
async function startCounted(base: string) {
  const targets: string[] = []
  const service = await startService((request, response) => {
    targets.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const started = await startRecorder('tasks', service + base)
  return { ...started, targets }
}

it.each(RECORDER_ATTACKS)(
  'the recorder sends no more than the request to the service: $title',
  async (attack) => {
    const { origin, targets, recorded } = await startCounted('/base')
    expect(await exchangeBytes(origin, attack.bytes)).toMatch(attack.answer)
    expect(targets).toEqual(attack.targets)
    const answered = (await recorded()).exchanges.filter(({ response }) => response !== undefined)
    expect(answered).toHaveLength(attack.targets.length)
  },
)

it.each(['localhost', '127.0.0.1:4010', '[::1]', 'app.localhost'])(
  'the recorder accepts the Host %s',
  async (host) => {
    const { origin, targets } = await startCounted('/api/v1')
    const bytes = `GET /api/v1/tasks HTTP/1.1\r\nConnection: close\r\nHost: ${host}\r\n\r\n`
    expect(await exchangeBytes(origin, bytes)).toMatch(/^HTTP\/1\.1 200 /)
    expect(targets).toEqual(['/api/v1/tasks'])
  },
)

it.each(SWITCHING)('the recorder answers at once if the service answers %j', async (bytes) => {
  const service = createServer().on('connection', (socket) => socket.once('data', () => socket.write(bytes)))
  await once(service.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    service.closeAllConnections()
    service.close()
  })
  const { origin, recorded } = await startRecorder(
    'tasks',
    `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  )
  const answer = await fetch(`${origin}/api/v1/tasks`)
  expect([answer.status, await answer.text()]).toEqual([
    502,
    expect.stringContaining('101 Switching Protocols'),
  ])
  const [exchange] = (await recorded()).exchanges
  expect(exchange?.response).toBeUndefined()
})

it('the recorder records JSON with two million levels, and both sides get it unchanged', async () => {
  const deep = `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`
  const bodies: string[] = []
  const service = await startService(async (incoming, response) => {
    bodies.push(await text(incoming))
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":"task_1","deep":${deep}}`)
  })
  const { origin, recorded } = await startRecorder('tasks', service)
  const answer = await fetch(`${origin}/api/v1/tasks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"model":"acme/image-1","input":${deep}}`,
  })
  expect(await answer.text()).toBe(`{"id":"task_1","deep":${deep}}`)
  expect(bodies).toEqual([`{"model":"acme/image-1","input":${deep}}`])
  const [exchange] = (await recorded()).exchanges
  const placeholder = `${'['.repeat(99)}"[nested more than 100 levels deep]"${']'.repeat(99)}`
  expect(JSON.stringify(exchange?.request.body)).toContain(placeholder)
  expect(JSON.stringify(exchange?.response?.body)).toContain(placeholder)
})

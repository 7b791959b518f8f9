import { connect } from 'node:net'
import fc from 'fast-check'
import { listen } from '../../src/hosts/express/index.js'
import { type WildRequest, wildRequest } from './requests.js'
import { describe, filled, type StormResult, stormySimulator } from './storm.js'

const AT_ONCE = 25

/** Sends generated requests over real connections, one each. */
export async function socketStorm(count: number, seed: number): Promise<StormResult> {
  const sim = stormySimulator()
  const statuses = new Map<number, number>()
  const failures: string[] = []
  sim.on('error', (error) => failures.push(`error event: ${error instanceof Error ? error.stack : error}`))
  let asked = 0
  sim.on('request.answered', ({ fault, status }) => {
    if (fault !== undefined && status >= 500) asked += 1
  })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  const port = Number(new URL(baseUrl).port)
  for (let done = 0; done < count; done += AT_ONCE) {
    const { identity, sim: inner } = sim.createSandbox()
    inner.on('request.answered', ({ fault, status }) => {
      if (fault !== undefined && status >= 500) asked += 1
    })
    const { id } = await sim.tasks.create({
      owner: 'sk_live_local',
      model: 'm',
      input: {},
      webhookUrl: undefined,
      origin: '',
    })
    const names = { $task: id, $sandbox: identity.id, $key: identity.key }
    const batch = fc.sample(wildRequest, { numRuns: Math.min(AT_ONCE, count - done), seed: seed + done })
    const answers = batch.map((wild) => send(port, filled(wild, names)))
    // A reset ends all requests that wait for the clock.
    const calm = setInterval(() => void sim.reset().then(() => sim.sandboxes.clear()), 50)
    for (const [index, status] of (await Promise.all(answers)).entries()) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status < 500 || status === 503) continue
      if (asked === 0) failures.push(`${status} ${describe(batch[index] as WildRequest)}`)
      else asked -= 1
    }
    clearInterval(calm)
    sim.sandboxes.clear()
    await sim.reset()
  }
  const health = await fetch(`${new URL(baseUrl).origin}/_sim/health`)
  if (health.status !== 200) failures.push('It does not answer any more.')
  sim.close()
  await close()
  return { statuses, failures }
}

/** Sends one request as bytes. @returns the status; 0 without an answer */
async function send(port: number, { method, path, query, headers, body }: WildRequest): Promise<number> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  const all = { host: 'localhost', ...headers, connection: 'close', 'content-length': String(body.length) }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  let received = ''
  socket.on('data', (text: string) => {
    received += text
    // A stream does not end, so its beginning is enough.
    if (received.includes('text/event-stream') || received.includes('\r\n\r\n')) socket.destroySoon()
  })
  socket.on('error', () => {})
  // A fault may withhold an answer forever.
  socket.setTimeout(500, () => socket.destroy())
  socket.write(`${method} ${path}?${query} HTTP/1.1\r\n${head.join('')}\r\n`, 'latin1')
  socket.write(body)
  await new Promise((resolve) => socket.once('close', resolve))
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)
}

import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { listen } from '../../src/hosts/express/index.js'
import type { Simulator } from '../../src/simulator/simulator.js'
import { type WildRequest, wildRequest } from './requests.js'
import { describe, filled, type StormResult, stormySimulator, until, waitingAnswersIn } from './storm.js'

const AT_ONCE = 25

/** The requests that the faults of a scenario or a directive affect. */
interface Faulty {
  /** The answers with a server error. */
  asked: number
  /** The requests without an answer, whose connection stays open. */
  hanging: number
}

/** Sends generated requests over real connections, one each. */
export async function socketStorm(count: number, seed: number): Promise<StormResult> {
  const sim = stormySimulator()
  const statuses = new Map<number, number>()
  const failures: string[] = []
  sim.on('error', (error) => failures.push(`error event: ${error instanceof Error ? error.stack : error}`))
  const faulty: Faulty = { asked: 0, hanging: 0 }
  watch(sim, faulty)
  const { baseUrl, close } = await listen(sim, { port: 0 })
  const port = Number(new URL(baseUrl).port)
  for (let done = 0; done < count; done += AT_ONCE) {
    const { identity, sim: inner } = sim.createSandbox()
    watch(inner, faulty)
    faulty.hanging = 0
    const { id } = await sim.tasks.create({
      owner: 'sk_live_local',
      model: 'm',
      input: {},
      webhookUrl: undefined,
      origin: '',
    })
    const names = { $task: id, $sandbox: identity.id, $key: identity.key }
    const batch = fc.sample(wildRequest, { numRuns: Math.min(AT_ONCE, count - done), seed: seed + done })
    const open = new Set<Socket>()
    const answers = batch.map((wild) => send(port, filled(wild, names), open))
    await until(() => open.size <= faulty.hanging + waitingAnswersIn(sim))
    // A reset ends all requests that wait for the clock.
    sim.sandboxes.clear()
    await sim.reset()
    await until(() => open.size <= faulty.hanging)
    for (const socket of open) socket.destroy()
    for (const [index, status] of (await Promise.all(answers)).entries()) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status < 500 || status === 503) continue
      if (faulty.asked === 0) failures.push(`${status} ${describe(batch[index] as WildRequest)}`)
      else faulty.asked -= 1
    }
  }
  const health = await fetch(`${new URL(baseUrl).origin}/_sim/health`)
  if (health.status !== 200) failures.push('It does not answer any more.')
  sim.close()
  await close()
  return { statuses, failures }
}

/** Counts the faulty requests of a simulator. */
function watch(sim: Simulator, faulty: Faulty): void {
  sim.on('request.answered', ({ fault, status, note }) => {
    if (fault !== undefined && status >= 500) faulty.asked += 1
    if (note.cause !== undefined && 'fault' in note.cause && note.cause.fault.hang) faulty.hanging += 1
  })
}

/**
 * Sends one request as bytes.
 * @param open contains the connection while it is open
 * @returns the status; 0 without an answer
 */
async function send(
  port: number,
  { method, path, query, headers, body }: WildRequest,
  open: Set<Socket>,
): Promise<number> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  open.add(socket)
  const all = { host: 'localhost', ...headers, connection: 'close', 'content-length': String(body.length) }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  let received = ''
  socket.on('data', (text: string) => {
    received += text
    // A stream does not end, so its beginning is enough.
    if (received.includes('text/event-stream') || received.includes('\r\n\r\n')) socket.destroySoon()
  })
  socket.on('error', () => {})
  socket.write(`${method} ${path}?${query} HTTP/1.1\r\n${head.join('')}\r\n`, 'latin1')
  socket.write(body)
  await new Promise((resolve) => socket.once('close', resolve))
  open.delete(socket)
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(received)?.[1] ?? 0)
}

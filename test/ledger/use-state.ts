import { validateHeaderName, validateHeaderValue } from 'node:http'
import { CONTROL_PATHS } from '../../src/control/paths.js'
import type { Reply } from '../../src/exchange/exchange.js'
import { answer } from '../../src/hosts/api.js'
import type { Simulator } from '../../src/index.js'
import type { Simulator as BareSimulator } from '../../src/simulator/simulator.js'

const encoder = new TextEncoder()

/** The operations that only read. A stream would not end. */
const READS = Object.entries(CONTROL_PATHS)
  .filter(([id, path]) => path.startsWith('GET ') && id !== 'sim.journal.stream')
  .map(([, path]) => path.slice('GET '.length))

const LISTS = [
  '/v1/tasks?limit=100',
  '/v1/tasks?status=succeeded',
  '/replicate/v1/predictions',
  '/google/v1beta/files',
]

/** Sends a request. Throws if the answer is not one that a host could send, or is a failure of the simulator. */
export async function ask(
  sim: BareSimulator,
  method: string,
  target: string,
  {
    key = 'sk_one',
    headers = {},
    body = '',
  }: { key?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  const [path = '', query = ''] = target.split('?')
  const all: Record<string, string> = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...headers,
  }
  const reply = await answer(sim as Simulator, {
    method,
    path,
    query,
    origin: 'http://localhost',
    header: (name) => all[name],
    headers: () => all,
    body: async () => encoder.encode(body),
  })
  const { status, headers: answered, body: sent } = reply
  const text = typeof sent === 'string' ? sent : ''
  const isPlanned = status === 503 && /busy|retry/i.test(JSON.stringify([answered, text]))
  if (status >= 500 && !isPlanned) throw new Error(`${method} ${target}: ${status} ${text.slice(0, 300)}`)
  for (const [name, value] of Object.entries(answered)) {
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  const late = /[+-]\d{6}-\d\d-\d\dT/.exec(text)
  if (late !== null && !target.includes('.jsonl')) throw new Error(`${method} ${target}: ${late[0]}`)
  return reply
}

/** Reads everything that a simulator shows, and everything that the clients of its tasks can read. */
async function readEverything(sim: BareSimulator): Promise<void> {
  const ids = {
    tasks: [...sim.tasks.all()].map(({ id }) => id),
    deliveries: [...sim.webhooks.log.pending(), ...sim.webhooks.log.ended()].map(({ id }) => id),
    requests: sim.journal.entries().flatMap((entry) => (entry.type === 'request' ? [entry.request.id] : [])),
    sandboxes: sim.sandboxes.list().map(({ identity }) => identity.id),
  }
  for (const path of READS) {
    if (!path.includes('{')) await ask(sim, 'GET', path)
    for (const id of idsFor(path, ids))
      await ask(sim, 'GET', path.replace('{id}', encodeURIComponent(id)).replace('{file}', '0'))
  }
  for (const query of ['status=succeeded', 'kind=image', 'key=sk_one', 'model=acme*', 'text=a'])
    await ask(sim, 'GET', `/_sim/tasks?${query}`)
  for (const { rule } of (await sim.findings()).map((finding) => ({ rule: finding.id })))
    await ask(sim, 'GET', `/_sim/findings/${rule}/test`)
  for (const path of LISTS) await ask(sim, 'GET', path)
}

function idsFor(
  path: string,
  ids: Record<'tasks' | 'deliveries' | 'requests' | 'sandboxes', string[]>,
): string[] {
  const some = (all: readonly string[]) => [...all.slice(0, 1), ...all.slice(-1)]
  // Writing a test takes ten times as long as any other answer.
  if (path.endsWith('/test')) return (path.includes('/tasks/') ? ids.tasks : ids.requests).slice(-1)
  if (path === '/_sim/tasks/{id}/answer') return ids.tasks
  if (path.startsWith('/_sim/tasks/{id}')) return some(ids.tasks)
  if (path.startsWith('/_sim/deliveries/{id}')) return some(ids.deliveries)
  if (path.startsWith('/_sim/journal/{id}')) return some(ids.requests)
  if (path.startsWith('/_sim/sandboxes/{id}')) return some(ids.sandboxes)
  return []
}

/** Uses a simulator for a day: reads everything, lets time pass, and reads everything again. */
export async function useForADay(sim: BareSimulator): Promise<void> {
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  await readEverything(sim)
  for (const task of [...sim.tasks.all()].slice(0, 50))
    await ask(sim, 'GET', `/v1/tasks/${task.id}`, { key: task.owner })
  await ask(sim, 'POST', '/v1/tasks', {
    body: JSON.stringify({ model: 'acme/image-1', input: { prompt: 'new' } }),
  })
  const { status } = await ask(sim, 'POST', '/_sim/clock', { body: '{"advance":"1d"}' })
  if (status !== 200) throw new Error(`The clock does not advance: ${status}`)
  await readEverything(sim)
  for (const { sim: sandbox } of sim.sandboxes.list()) {
    sandbox.on('error', (error) => errors.push(error))
    await readEverything(sandbox)
    await sandbox.clock.advance('1d')
    await readEverything(sandbox)
  }
  if (errors.length > 0) throw errors[0]
}

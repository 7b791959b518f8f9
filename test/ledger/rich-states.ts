import {
  createSimulator,
  type ScenarioInput,
  type Simulator,
  type SimulatorOptions,
} from '../../src/index.js'
import { persist } from '../../src/ledger/attach.js'
import { stateLines } from '../../src/ledger/state-file.js'
import { MemoryLedger } from './memory-ledger.js'
import { EXAMPLES, Player, SCENARIO as WEBHOOKS } from './webhook-commands.js'
import { openWorld, type World } from './world.js'

/** A saved state. */
export interface RichState {
  readonly name: string
  /** The state file. */
  readonly text: string
  /** The settings of a simulator that can continue from it. */
  readonly options: SimulatorOptions
}

const KINDS = ['image', 'video', 'audio', 'tool', 'llm', 'transcript']
const PROMPTS = ['waves', 'fails', 'stuck', 'polled', 'own output']
const encoder = new TextEncoder()

const BASE: ScenarioInput = {
  defaults: { delay: { min: '1s', max: '6s' }, price: { per_task: 0.01 } },
  rules: [
    { name: 'fails', when: { input: { prompt: 'fails' } }, then: { outcome: 'failed' } },
    { name: 'stuck', when: { input: { prompt: 'stuck' } }, then: { outcome: 'stuck' } },
    { when: { input: { prompt: 'polled' } }, then: { delay: { polls: 4 } } },
    { when: { input: { prompt: 'own output' } }, then: { output: { url: '{{file}}', n: 1 } } },
  ],
}

/** Tasks of every dialect and kind: running, held, polled and ended. */
async function dialects(): Promise<RichState> {
  const options: SimulatorOptions = { scenario: { ...BASE, capacity: { running: 12 } } }
  const world = await openWorld(options, 'none')
  const { control } = world.sim
  let number = 0
  for (const { name } of await control.dialects.list())
    for (const kind of KINDS) {
      number += 1
      const prompt = PROMPTS[number % PROMPTS.length]
      const hook = number % 2 === 0 ? 'http://own.test/hook' : null
      const body = { dialect: name, kind, prompt, webhook_url: hook }
      const written = await world.send({ method: 'POST', path: '/_sim/requests', body })
      // Not every service creates tasks of every kind.
      if (written.kind !== kind) continue
      const { request } = written
      const path = request.url.replace('http://localhost', '')
      // A client that waits for the end would wait on a clock that stands still.
      const inBackground = /\/(?:interactions|responses)$/.test(path) && { background: true }
      const order = { ...(request.body as object), ...inBackground }
      await world.send({ method: request.method, path, headers: request.headers, body: order })
      if (number % 4 === 0) await control.clock.advance('1s')
    }
  for (const [index, { id }] of [...world.sim.tasks.all()].entries()) {
    await control.tasks.answer(id)
    if (index % 5 === 0) world.sim.tasks.hold(id)
  }
  return savedIn(world, 'tasks of every dialect and kind', options)
}

/** Webhooks that wait for every reason, retries, and receivers of every origin. */
async function webhooks(): Promise<RichState> {
  const options: SimulatorOptions = { scenario: WEBHOOKS }
  const world = await openWorld(options, 'none')
  const ledger = new MemoryLedger()
  const onDeposed = () => {
    throw new Error('Nobody else leads')
  }
  const writer = await persist(world.sim, ledger, ledger.lead(), { defer: setImmediate, onDeposed })
  const player = new Player(world)
  await world.send({ method: 'POST', path: '/_sim/receivers', body: { url: 'http://added.test/flaky' } })
  await world.send({ method: 'DELETE', path: '/_sim/receivers/rcv_1' })
  for (const command of EXAMPLES.flatMap((commands) => commands.slice(0, 7))) await player.play(command)
  await writer.flush()
  world.sim.close()
  // A ledger has rows of later changes, which an export does not need.
  return { name: 'webhooks', text: [...stateLines(ledger.rows())].join(''), options }
}

/** Faults, limits, credits, uploads, sandboxes, observations, directives, streams, and a patched scenario. */
async function policies(): Promise<RichState> {
  const scenario: ScenarioInput = {
    ...BASE,
    auth: { credits: 5 },
    capacity: { running: 2, queued: 9, keys: { 'sk_*': { running: 2 } } },
    rate_limits: [
      { name: 'window', requests: 60, per: '1m' },
      { operation: 'tasks.create', requests: 3, per: '1s', burst: 6 },
    ],
    faults: [
      { name: 'busy', when: { nth: { every: 7 } }, then: { status: 503, retry_after: '2s' } },
      { name: 'twice', when: { operation: 'tasks.retrieve', per: 'task' }, then: ['pass', 'stale', 'cut'] },
    ],
    webhooks: { receivers: ['http://all.test/'], faults: [{ when: { rate: 0.3 }, then: 'duplicate' }] },
    dialects: { luma: { secret: 'luma secret' } },
  }
  const options: SimulatorOptions = { scenario, keepTasks: 3 }
  const world = await openWorld(options, 'none')
  const { control } = world.sim
  const create = (prompt: string, more: object = {}, key?: string) =>
    world.send({
      method: 'POST',
      path: '/v1/tasks',
      key,
      headers: prompt === 'b' ? { 'x-sim': 'outcome=failed after=1s webhook=duplicate' } : {},
      body: { model: 'acme/image-1', input: { prompt }, webhook_url: 'http://own.test/flaky', ...more },
    })
  const poll = (id: string) => world.send({ method: 'GET', path: `/v1/tasks/${id}` })
  for (const prompt of ['a', 'a', 'fails', 'polled', 'b', 'a', 'own output']) {
    const { id } = await create(prompt)
    if (id !== undefined) await poll(id)
    await control.clock.advance('2s')
    if (id !== undefined) await poll(id)
  }
  await world.send({ method: 'POST', path: '/v1/tasks', body: { model: 5 } })
  await create('stuck')
  await create('', { model: 'acme/composer-2.5', input: { messages: [{ role: 'user', content: 'Hello' }] } })
  await world.send({ method: 'GET', path: '/v1/tasks?limit=2' })
  const uploaded = async (bytes: string): Promise<string> => {
    const part = `Content-Disposition: form-data; name="content"; filename="f"\r\n\r\n${bytes}`
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const body = encoder.encode(`--x\r\n${part}\r\n--x--\r\n`)
    return (await world.send({ method: 'POST', path: '/replicate/v1/files', headers, body })).id
  }
  await uploaded('kept')
  await world.send({ method: 'DELETE', path: `/replicate/v1/files/${await uploaded('gone')}` })
  await world.send({
    method: 'POST',
    path: '/fal/rest/storage/upload/initiate',
    headers: { authorization: 'Key fal_key' },
    body: { file_name: 'f.png', content_type: 'image/png' },
  })
  await inParts(world)
  world.sim.observe('webhook.processed', { taskId: 'task_none', by: 'worker' })
  const sandbox = await control.sandboxes.create({ name: 'worker', clock: 'manual' })
  await create('a', { webhook_url: null }, sandbox.api_key)
  await control.sandboxes.control(sandbox.id).clock.advance('20s')
  await control.scenario.patch({ kinds: { image: { failures: { rate: 0.5 } } } })
  await create('c')
  return savedIn(world, 'faults, limits, uploads and sandboxes', options)
}

/** Sends the first part of a file that arrives in parts. */
async function inParts(world: World): Promise<void> {
  const command = (name: string, more: Readonly<Record<string, string>> = {}) => ({
    'x-goog-api-key': 'sk_one',
    'x-goog-upload-protocol': 'resumable',
    'x-goog-upload-command': name,
    ...more,
  })
  await world.send({
    method: 'POST',
    path: '/google/upload/v1beta/files',
    headers: command('start'),
    body: {},
  })
  const { headers } = world.seen.at(-1) as { headers: Record<string, string> }
  const { pathname, search } = new URL(headers['x-goog-upload-url'] ?? '')
  await world.send({
    method: 'POST',
    path: pathname + search,
    headers: command('upload', { 'x-goog-upload-offset': '0' }),
    body: encoder.encode('half'),
  })
}

async function savedIn(world: World, name: string, options: SimulatorOptions): Promise<RichState> {
  const text = await world.sim.control.exportState()
  world.sim.close()
  return { name, text, options }
}

/** Builds states that have rows of every kind. */
export async function richStates(): Promise<readonly RichState[]> {
  return [await dialects(), await webhooks(), await policies()]
}

/** A simulator that can continue from a state. Its receivers accept every webhook. */
export function simulatorFor({ options }: RichState): Simulator {
  return createSimulator({
    clock: 'manual',
    renderer: { render: async () => new Uint8Array([1, 2, 3]) },
    transport: async () => ({ status: 200 }),
    ...options,
  })
}

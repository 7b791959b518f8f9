import { expect, onTestFinished, test, vi } from 'vitest'
import { answer } from '../../src/hosts/api.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/index.js'
import { persist } from '../../src/ledger/attach.js'
import type { Row } from '../../src/ledger/ledger.js'
import type { LedgerWriter } from '../../src/ledger/ledger-writer.js'
import { MemoryLedger } from './memory-ledger.js'

const encoder = new TextEncoder()

interface Setup {
  readonly sim: Simulator
  readonly ledger: MemoryLedger
  readonly writer: LedgerWriter
  readonly webhooks: string[]
  /** Ends the turn of the event loop. */
  readonly endTurn: () => void
  readonly errors: unknown[]
}

/** Delays the commits of a ledger. @returns the function that lets them finish */
function delayCommits(ledger: MemoryLedger): () => void {
  let finish = () => {}
  ledger.delay = new Promise((resolve) => {
    finish = resolve
  })
  return finish
}

/** A simulator whose turns end when the test says so. */
async function setUp(ledger = new MemoryLedger(), options: SimulatorOptions = {}): Promise<Setup> {
  const webhooks: string[] = []
  const errors: unknown[] = []
  const turns: (() => void)[] = []
  const sim = createSimulator({
    clock: 'manual',
    scenario: { defaults: { delay: '1s' } },
    receivers: ['http://app.test/hook'],
    transport: async ({ headers }) => {
      webhooks.push(headers['webhook-id'] ?? '')
      return { status: 200 }
    },
    ...options,
  })
  onTestFinished(() => sim.close())
  sim.on('error', (error) => errors.push(error))
  const defer = (run: () => void) => turns.push(run)
  const onDeposed = () => errors.push('deposed')
  const writer = await persist(sim, ledger, ledger.lead(), { defer, onDeposed })
  const endTurn = () => {
    for (const run of turns.splice(0)) run()
  }
  endTurn()
  return { sim, ledger, writer, webhooks, errors, endTurn }
}

/** Sends a request; `status` is undefined until it is answered. */
function send(sim: Simulator, method: string, path: string, body: unknown = {}) {
  const sent: { status?: number; text?: string; headers?: Readonly<Record<string, unknown>> } = {}
  const reply = answer(sim, {
    method,
    path,
    query: '',
    origin: 'http://localhost',
    header: (name) => ({ authorization: 'Bearer sk_one', 'content-type': 'application/json' })[name],
    body: async () => encoder.encode(JSON.stringify(await body)),
  })
  const answered = Promise.resolve(reply).then(({ status, body, headers }) =>
    Object.assign(sent, { status, headers, text: String(body) }),
  )
  return Object.assign(sent, { answered })
}

const ORDER = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }
const microtasks = () => new Promise((resolve) => setTimeout(resolve, 5))

test('a response leaves after its commit, and a webhook after that of its delivery', async () => {
  const { sim, endTurn, webhooks } = await setUp()
  const created = send(sim, 'POST', '/v1/tasks', ORDER)
  await microtasks()
  expect(created.status).toBeUndefined()
  endTurn()
  await created.answered
  expect(created.status).toBe(200)
  const advanced = sim.clock.advance('1s')
  await microtasks()
  expect(webhooks).toEqual([])
  endTurn()
  await advanced
  expect(webhooks).toHaveLength(1)
})

test('a read waits for the changes that it may show, and for nothing else', async () => {
  const { sim, endTurn } = await setUp()
  const created = send(sim, 'POST', '/v1/tasks', ORDER)
  await microtasks()
  const list = send(sim, 'GET', '/v1/tasks')
  await microtasks()
  expect(list.status).toBeUndefined()
  endTurn()
  await Promise.all([created.answered, list.answered])
  const again = send(sim, 'GET', '/v1/tasks')
  await again.answered
  expect(again.status).toBe(200)
})

test('a request that has begun before the ledger was attached waits for its commit', async () => {
  const sim = createSimulator({ clock: 'manual' })
  onTestFinished(() => sim.close())
  let arrive = (_body: object) => {}
  const body = new Promise<object>((resolve) => {
    arrive = resolve
  })
  const created = send(sim, 'POST', '/v1/tasks', body)
  const turns: (() => void)[] = []
  const ledger = new MemoryLedger()
  const options = { defer: (run: () => void) => turns.push(run), onDeposed: () => {} }
  await persist(sim, ledger, ledger.lead(), options)
  arrive(ORDER)
  await microtasks()
  expect(created.status).toBeUndefined()
  for (const run of turns) run()
  await created.answered
  expect(created.status).toBe(200)
  expect(ledger.rows().filter(({ kind }) => kind === 'task')).toHaveLength(1)
})

test('the stream of the journal shows a task after its commit', async () => {
  const { sim, endTurn } = await setUp()
  const { transmission } = await answer(sim, {
    ...{ method: 'GET', path: '/_sim/stream', query: '', origin: 'http://localhost' },
    header: () => undefined,
    body: async () => new Uint8Array(),
  })
  if (transmission === undefined || !('pieces' in transmission)) throw new Error('Expected a stream')
  const pieces = transmission.pieces[Symbol.asyncIterator]()
  onTestFinished(async () => void (await pieces.return?.()))
  await pieces.next()
  let text = ''
  const shown = pieces.next().then(({ value }) => {
    text = new TextDecoder().decode(value)
  })
  const created = send(sim, 'POST', '/v1/tasks', ORDER)
  await microtasks()
  expect(text).toBe('')
  endTurn()
  await Promise.all([shown, created.answered])
  expect(text).toContain('event: task')
})

test('what could not be stored is answered with 503, and stored with the next commit', async () => {
  const ledger = new MemoryLedger()
  const { sim, endTurn, errors } = await setUp(ledger)
  ledger.isBroken = true
  const created = send(sim, 'POST', '/v1/tasks', ORDER)
  await microtasks()
  endTurn()
  await created.answered
  expect(created).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  expect(errors.map(String)).toEqual(['Error: The disk is full'])
  ledger.isBroken = false
  await expect.poll(() => ledger.rows().filter(({ kind }) => kind === 'task').length).toBe(1)
  const list = send(sim, 'GET', '/v1/tasks')
  await list.answered
  expect(list.status).toBe(200)
})

test('a webhook that could not be stored is sent after the next commit', async () => {
  const ledger = new MemoryLedger()
  const { sim, endTurn, webhooks } = await setUp(ledger)
  const created = send(sim, 'POST', '/v1/tasks', ORDER)
  await microtasks()
  endTurn()
  await created.answered
  ledger.isBroken = true
  const advanced = sim.clock.advance('1s')
  await microtasks()
  endTurn()
  await advanced
  expect(webhooks).toEqual([])
  ledger.isBroken = false
  const later = sim.clock.advance('10s')
  await until(() => webhooks.length > 0, endTurn)
  await later
  expect(webhooks).toHaveLength(1)
})

test('a task that ends before its first commit has one row, and one that ends later has two', async () => {
  const { sim, ledger, endTurn } = await setUp(undefined, { receivers: [] })
  const kinds = () => ledger.rows().flatMap(({ kind }) => (/^(?:task|course)$/.test(kind) ? [kind] : []))
  const first = await sim.tasks.create({ ...NEW_TASK, input: { prompt: 'first' } })
  await sim.tasks.finish(first.id)
  endTurn()
  expect(kinds()).toEqual(['task'])
  const second = await sim.tasks.create({ ...NEW_TASK, input: { prompt: 'second' } })
  endTurn()
  await sim.tasks.finish(second.id)
  endTurn()
  expect(kinds()).toEqual(['course', 'task', 'task'])
  const next = createSimulator({ clock: 'manual', seed: sim.seed })
  onTestFinished(() => next.close())
  await persist(next, ledger, ledger.lead(), { defer: setImmediate, onDeposed: () => {} })
  expect([...next.tasks.all()]).toEqual([...sim.tasks.all()])
})

test('a report about a task is made after a crash while its result was being produced', async () => {
  const scenario = { kinds: { llm: { delay: '10s' as const } } }
  const { sim, ledger, endTurn } = await setUp(undefined, { scenario })
  await sim.dialects.load('replicate')
  const chat = { model: 'acme/composer-2.5', input: { prompt: 'Hello' }, dialect: 'replicate' }
  await sim.tasks.create({ ...NEW_TASK, ...chat, follow: { logs: 1_000, outputs: undefined } })
  // As if the code of the kind was still being loaded.
  vi.spyOn(sim.tasks.results, 'produce').mockReturnValue(new Promise(() => {}))
  expect(sim.time.schedule.catchUp()).toBeInstanceOf(Promise)
  endTurn()
  const crashed = new MemoryLedger()
  crashed.commit(crashed.lead(), ledger.rows())
  const next = createSimulator({ clock: 'manual', scenario, seed: sim.seed })
  onTestFinished(() => next.close())
  const reported: string[] = []
  next.events.on('task.progressed', (_, what) => reported.push(what))
  await persist(next, crashed, crashed.lead(), { defer: setImmediate, onDeposed: () => {} })
  await next.clock.advance('1s')
  expect(reported).toContain('logs')
})

test('nothing leaves a simulator after another process has taken the lead', async () => {
  const ledger = new MemoryLedger()
  const { sim, endTurn, webhooks, errors } = await setUp(ledger)
  const before = send(sim, 'POST', '/v1/tasks', ORDER)
  await microtasks()
  endTurn()
  await before.answered
  ledger.lead()
  const read = send(sim, 'GET', '/v1/tasks')
  const created = send(sim, 'POST', '/v1/tasks', ORDER)
  await microtasks()
  endTurn()
  await Promise.all([read.answered, created.answered])
  expect([read.status, created.status]).toEqual([503, 503])
  const advanced = sim.clock.advance('1s')
  await microtasks()
  endTurn()
  await advanced
  expect(webhooks).toEqual([])
  expect(errors).toEqual(['deposed'])
  expect(ledger.rows().filter(({ kind }) => kind === 'task')).toHaveLength(1)
})

test('changes during an open commit are in the next one', async () => {
  const ledger = new MemoryLedger()
  const { sim, endTurn } = await setUp(ledger)
  const finish = delayCommits(ledger)
  const first = send(sim, 'POST', '/v1/tasks', ORDER)
  await microtasks()
  endTurn()
  const second = send(sim, 'POST', '/v1/tasks', ORDER)
  await microtasks()
  endTurn()
  await microtasks()
  expect([first.status, second.status]).toEqual([undefined, undefined])
  finish()
  await first.answered
  expect([first.status, second.status]).toEqual([200, undefined])
  endTurn()
  await second.answered
  expect(second.status).toBe(200)
})

test('a response waits at most four seconds, also behind another commit, and its change is stored later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const ledger = new MemoryLedger()
  const { sim, endTurn } = await setUp(ledger)
  const finish = delayCommits(ledger)
  const first = send(sim, 'POST', '/v1/tasks', ORDER)
  await vi.advanceTimersByTimeAsync(0)
  endTurn()
  await vi.advanceTimersByTimeAsync(3_000)
  const second = send(sim, 'POST', '/v1/tasks', ORDER)
  await vi.advanceTimersByTimeAsync(999)
  expect([first.status, second.status]).toEqual([undefined, undefined])
  await vi.advanceTimersByTimeAsync(1)
  expect([first.status, second.status]).toEqual([503, undefined])
  await vi.advanceTimersByTimeAsync(2_999)
  expect(second.status).toBeUndefined()
  await vi.advanceTimersByTimeAsync(1)
  expect(second).toMatchObject({ status: 503, headers: { 'retry-after': '1' } })
  finish()
  await vi.advanceTimersByTimeAsync(0)
  endTurn()
  await vi.advanceTimersByTimeAsync(0)
  expect(ledger.rows().filter(({ kind }) => kind === 'task')).toHaveLength(2)
})

test('a writer whose ledger was taken over closes, even if changes are left', async () => {
  const ledger = new MemoryLedger()
  const sim = createSimulator()
  onTestFinished(() => sim.close())
  let isDeposed = false
  const onDeposed = () => {
    isDeposed = true
  }
  const writer = await persist(sim, ledger, ledger.lead(), { defer: setImmediate, onDeposed })
  const finish = delayCommits(ledger)
  writer.rows.touch()
  await microtasks()
  writer.rows.touch()
  ledger.lead()
  finish()
  await microtasks()
  expect(isDeposed).toBe(true)
  expect(await writer.close()).toBe(false)
})

test('a reset deletes the rows of the tasks, also during a commit', async () => {
  const ledger = new MemoryLedger()
  const { sim, endTurn } = await setUp(ledger)
  const finish = delayCommits(ledger)
  const created = send(sim, 'POST', '/v1/tasks', ORDER)
  await microtasks()
  endTurn()
  const reset = send(sim, 'POST', '/_sim/reset')
  await microtasks()
  endTurn()
  finish()
  await created.answered
  await until(() => reset.status !== undefined, endTurn)
  expect(reset.status).toBeLessThan(300)
  expect(ledger.rows().filter(({ kind }) => kind === 'task')).toEqual([])
})

test('tasks that a smaller limit evicts at the start lose their rows', async () => {
  const ledger = new MemoryLedger()
  const { sim, endTurn } = await setUp(ledger)
  for (let task = 0; task < 3; task++) await sim.tasks.create({ ...NEW_TASK, input: { task } })
  await endAll(sim, endTurn)
  sim.close()
  const next = createSimulator({ clock: 'manual', keepTasks: 1 })
  onTestFinished(() => next.close())
  const options = { defer: setImmediate, onDeposed: () => {} }
  const writer = await persist(next, ledger, ledger.lead(), options)
  await writer.flush()
  const kinds = ledger.rows().map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'task')).toHaveLength(1)
  expect(kinds.filter((kind) => kind === 'occurrences')).toHaveLength(2)
})

test('a reset deletes the rows of orders whose tasks were evicted', async () => {
  const ledger = new MemoryLedger()
  const { sim, endTurn } = await setUp(ledger, { keepTasks: 1 })
  for (let task = 0; task < 3; task++) await sim.tasks.create({ ...NEW_TASK, input: { task } })
  await endAll(sim, endTurn)
  const occurrences = () => ledger.rows().filter(({ kind }) => kind === 'occurrences')
  expect(occurrences()).toHaveLength(2)
  const reset = sim.reset()
  await microtasks()
  endTurn()
  await reset
  expect(occurrences()).toEqual([])
})

const NEW_TASK = { owner: 'sk_one', model: 'acme/image-1', webhookUrl: undefined, origin: 'http://localhost' }

async function endAll(sim: Simulator, endTurn: () => void): Promise<void> {
  let isDone = false
  const ended = sim.clock.runUntilIdle().then(() => {
    isDone = true
  })
  await until(() => isDone, endTurn)
  endTurn()
  await ended
}

async function until(isDone: () => boolean, endTurn: () => void): Promise<void> {
  for (let turn = 0; turn < 2_000 && !isDone(); turn++) {
    endTurn()
    await microtasks()
  }
}

const MB = 1024 * 1024
const FILE = { owner: 'sk_one', name: 'film.mp4', contentType: 'video/mp4' }
const filled = (size: number, value: number) => new Uint8Array(size).fill(value)

/** The uploads that a server finds in a ledger, each with its size and its first byte. */
async function uploadsIn(rows: readonly Row[]): Promise<unknown[]> {
  const ledger = new MemoryLedger()
  ledger.commit(ledger.lead(), rows)
  const { sim, endTurn } = await setUp(ledger)
  const uploads = await sim.uploads()
  endTurn()
  const parts = ledger.rows().filter(({ kind }) => kind === 'upload part')
  expect(parts.map(({ seq }) => seq)).toEqual([...uploads.parts.numbers()])
  return [...uploads.all()].map(({ id, bytes, isComplete }) => [
    ...[id, isComplete, bytes.length, bytes[0]],
    uploads.parts.arrivedOf(id).size,
  ])
}

test('a large file is stored in several commits, and a crash between them leaves the state before or after it', async () => {
  const { sim, ledger, writer, endTurn } = await setUp()
  const uploads = await sim.uploads()
  const crashes: Row[][] = []
  ledger.onCommit = (rows) => {
    expect(rows.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)).toBeLessThanOrEqual(8 * MB)
    crashes.push(ledger.rows())
  }
  /** Makes a change, whose commits leave only one of two states. @returns the number of commits */
  const change = async (make: () => unknown) => {
    const before = await uploadsIn(ledger.rows())
    crashes.length = 0
    await make()
    const stored = writer.stored()
    for (let turns = 1; ; turns++) {
      endTurn()
      if ((await Promise.race([stored, microtasks().then(() => 'waits')])) !== 'waits') break
      expect(crashes).toHaveLength(turns)
    }
    const states = await Promise.all(crashes.map(uploadsIn))
    const after = states.pop()
    expect(after).not.toEqual(before)
    for (const state of states) expect(state).toEqual(before)
    return crashes.length
  }
  expect(await change(() => uploads.add({ ...FILE, bytes: filled(17 * MB, 1) }))).toBe(3)
  const announced = uploads.announce(FILE)
  expect(await change(() => uploads.receive(announced, filled(9 * MB, 2)))).toBe(2)
  expect(await change(() => uploads.receive(announced, filled(9 * MB, 3)))).toBe(2)
  const inParts = uploads.announce({ ...FILE, isInParts: true })
  expect(await change(() => uploads.append(inParts, filled(9 * MB, 4)))).toBe(2)
  expect(await change(() => uploads.finish(inParts))).toBe(1)
  expect(await change(() => uploads.delete(announced.id))).toBe(1)
})

test('a large file that could not be stored is answered with 503 at once, and stored later', async () => {
  const { sim, ledger, writer, endTurn, errors } = await setUp()
  const uploads = await sim.uploads()
  await uploads.add({ ...FILE, bytes: filled(20 * MB, 1) })
  const stored = writer.stored()
  ledger.isBroken = true
  endTurn()
  expect(await stored).toBe(false)
  expect(errors.map(String)).toEqual(['Error: The disk is full'])
  ledger.isBroken = false
  await until(() => ledger.rows().some(({ kind }) => kind === 'upload'), endTurn)
  expect(await uploadsIn(ledger.rows())).toHaveLength(1)
})

test('the state is complete when the writer is closed while large files wait', async () => {
  const { sim, ledger, writer } = await setUp()
  const uploads = await sim.uploads()
  await uploads.add({ ...FILE, bytes: filled(20 * MB, 1) })
  expect(await writer.flush()).toBe(true)
  expect(await uploadsIn(ledger.rows())).toHaveLength(1)
})

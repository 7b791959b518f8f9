import { expect, onTestFinished, test } from 'vitest'
import { answer } from '../../src/hosts/api.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/index.js'
import { persist } from '../../src/ledger/attach.js'
import { rowsOf } from '../../src/ledger/spaces.js'
import { MemoryLedger } from './memory-ledger.js'
import { restoreSimulator } from './restore-simulator.js'

const OPTIONS: SimulatorOptions = { clock: 'manual', scenario: 'instant' }

function open(options: SimulatorOptions = {}): Simulator {
  const sim = createSimulator({ ...OPTIONS, ...options })
  onTestFinished(() => sim.close())
  return sim
}

async function persisted(sim: Simulator, ledger: MemoryLedger) {
  return persist(sim, ledger, ledger.lead(), { defer: setImmediate, onDeposed: () => {} })
}

/** Polls a task that does not exist. The path is long, so that few requests fill the memory. */
async function poll(sim: Simulator, headers: Record<string, string> = {}): Promise<void> {
  const all: Record<string, string> = { authorization: 'Bearer sk_one', ...headers }
  await answer(sim, {
    method: 'GET',
    path: `/v1/tasks/${'x'.repeat(30_000)}`,
    query: '',
    origin: 'http://localhost',
    header: (name) => all[name],
    headers: () => Object.entries(all),
    body: async () => new Uint8Array(0),
  })
}

const journalRows = (ledger: MemoryLedger) => ledger.rows().filter(({ kind }) => kind === 'journal')

test('rows of evicted entries are deleted, and the others are the journal after a restart', async () => {
  const ledger = new MemoryLedger()
  const sim = open({ keepBytes: '1MB' })
  const writer = await persisted(sim, ledger)
  for (let commit = 0; commit < 20; commit++) {
    for (let request = 0; request < 3; request++) await poll(sim)
    await writer.flush()
  }
  const { oldest, newest, lastEvicted } = sim.journal
  expect(oldest).toBeGreaterThan(3)
  // The oldest row may contain evicted entries.
  expect(journalRows(ledger)[0]?.seq).toBeGreaterThan(oldest - 3)
  const after = open({ keepBytes: '1MB' })
  const next = await persisted(after, ledger)
  expect(after.journal).toMatchObject({ oldest, newest, lastEvicted })
  expect(after.journal.entries().map(({ number }) => number)).toEqual(
    sim.journal.entries().map(({ number }) => number),
  )
  for (let request = 0; request < 30; request++) await poll(after)
  await next.flush()
  expect(journalRows(ledger)[0]?.seq).toBeGreaterThan(newest - 3)
})

test('a commit that failed is repeated with the same entries', async () => {
  const ledger = new MemoryLedger()
  const sim = open()
  const writer = await persisted(sim, ledger)
  ledger.isBroken = true
  await poll(sim)
  await writer.flush()
  ledger.isBroken = false
  await poll(sim)
  await writer.flush()
  const entries = journalRows(ledger).flatMap(({ json = '' }) => JSON.parse(json).entries)
  expect(entries.map(({ number }) => number)).toEqual([1, 2])
})

test('the headers of a restored entry show no secret', async () => {
  const before = open()
  await poll(before, { 'x-api-key': 'sk_live_0123456789' })
  const after = open()
  await restoreSimulator(after, rowsOf(before))
  const { data } = await after.control.journal.list()
  expect(data).toEqual((await before.control.journal.list()).data)
  expect(JSON.stringify(data)).toContain('x-api-key')
  expect(JSON.stringify(data)).not.toContain('0123456789')
})

test('webhooks in restored entries have their bytes once', async () => {
  const before = open({ receivers: [() => new Response(null, { status: 204 })] })
  const order = { model: 'acme/image-1', input: {}, owner: 'sk_one', origin: '', webhookUrl: undefined }
  await before.create(order)
  await before.clock.advance('1m')
  const after = open()
  await restoreSimulator(after, rowsOf(before))
  const [entry] = after.journal.entries().filter(({ type }) => type === 'delivery')
  if (entry?.type !== 'delivery') throw new Error('There is no webhook')
  const { payload, attempts } = entry.delivery
  expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({ event: 'task.succeeded' })
  expect(attempts[0]?.sent.body).toBe(payload)
  expect(entry.attempt).toBe(attempts[0])
})

import { expect, onTestFinished, test } from 'vitest'
import { createSimulator } from '../../src/index.js'
import { attach } from '../../src/ledger/attach.js'
import type { Row } from '../../src/ledger/ledger.js'
import { LedgerError } from '../../src/ledger/ledger-error.js'
import { SavedState } from '../../src/ledger/saved-state.js'
import { MemoryLedger } from './memory-ledger.js'

const row = (kind: string, json: string, space = ''): Row => ({ space, kind, seq: 0, json })

const SANDBOX = '{"identity":{"id":"sbx_1","name":"","key":"k","root":"r"},"idle":1000,"own":{}}'

test.each<[string, Row[], string]>([
  ['a task without its fields', [row('task', '{"dialect":"tasks"}')], 'The row task 0 in the saved state'],
  ['a task without an object', [row('task', 'null')], 'The row task 0 in the saved state'],
  ['a clock without a time', [row('meta', '{"seed":"1","clock":{}}')], 'The row meta 0 in the saved state'],
  [
    'a delivery without attempts',
    [row('delivery', '{"course":{}}')],
    'The row delivery 0 in the saved state',
  ],
  ['counters of another shape', [row('counters', '{"faults":1}')], 'The row counters 0 in the saved state'],
  [
    'a sandbox without an identity',
    [{ ...row('sandbox', '{}'), seq: 1 }],
    'The row sandbox 1 in the saved state',
  ],
  [
    'a row of a sandbox',
    [{ ...row('sandbox', SANDBOX), seq: 1 }, row('meta', 'null', 'sbx_1')],
    'The row meta 0 of the sandbox sbx_1 in the saved state',
  ],
])('a ledger with %s cannot be read, and the error names the row', async (_, rows, start) => {
  const error = await SavedState.read([rows]).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(LedgerError)
  const { message } = error as LedgerError
  expect(message.slice(0, start.length)).toBe(start)
  expect(message).toMatch(/ cannot be used: .+\. Use a backup, or delete the saved state of a ledger/)
})

test('a ledger whose rows contradict each other cannot be attached, and the error names the row', async () => {
  const ledger = new MemoryLedger()
  const epoch = ledger.lead()
  const upload = {
    ...{
      id: 'a'.repeat(24),
      owner: 'k',
      name: 'f',
      contentType: 'text/plain',
      sha256: '',
      size: 0,
      identity: 1,
    },
    ...{ isAnnounced: true, isComplete: false, createdAt: 0, expiresAt: 1 },
  }
  const json = JSON.stringify(upload)
  ledger.commit(
    epoch,
    [1, 2].map((seq) => ({ space: '', kind: 'upload', seq, json })),
  )
  const sim = createSimulator({ clock: 'manual' })
  onTestFinished(() => sim.close())
  const saved = await SavedState.read(ledger.load())
  const led = { ledger, epoch, shown: 'state.db', isTakeover: false, saved }
  await expect(attach(sim, led, { onDeposed: () => {} })).rejects.toThrow(
    /^The row upload 2 in the saved state cannot be used: `id` must differ/,
  )
})

test('a ledger with a row that is not JSON cannot be read, and the error names the row', async () => {
  await expect(SavedState.read([[row('task', '{')]])).rejects.toThrow(
    /^The row task 0 in the saved state cannot be used: .*JSON/,
  )
})

import { expect, onTestFinished, test } from 'vitest'
import { answer } from '../../src/hosts/api.js'
import { createSimulator } from '../../src/index.js'
import { persist } from '../../src/ledger/attach.js'
import { MemoryLedger } from './memory-ledger.js'

test('a server whose ledger another process leads runs, but is not ready', async () => {
  const sim = createSimulator()
  onTestFinished(() => sim.close())
  const statusOf = async (path: string) => {
    const request = { method: 'GET', path, query: '', origin: 'http://localhost', header: () => undefined }
    return (await answer(sim, { ...request, body: async () => undefined })).status
  }
  const statuses = async () => [await statusOf('/_sim/health'), await statusOf('/_sim/ready')]
  expect(await statuses()).toEqual([200, 200])
  const ledger = new MemoryLedger()
  await persist(sim, ledger, ledger.lead(), { defer: setImmediate, onDeposed: () => {} })
  expect(await statuses()).toEqual([200, 200])
  ledger.lead()
  expect(await statuses()).toEqual([200, 503])
})

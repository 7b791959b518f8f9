import { expect, onTestFinished, test, vi } from 'vitest'
import { Standby, serveStandby } from '../../src/cli/ledger/standby.js'
import { createSimulator } from '../../src/index.js'
import type { Ledger } from '../../src/ledger/ledger.js'
import { waitForLead } from '../../src/ledger/wait-for-lead.js'
import { MemoryLedger } from './memory-ledger.js'

test('a standby answers every request with 503 in the form of its service, and says that it runs', async () => {
  const server = await serveStandby(createSimulator(), { port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  const answerTo = async (path: string, method = 'GET') => {
    const response = await fetch(server.url + path, { method })
    return {
      status: response.status,
      retry: response.headers.get('retry-after'),
      body: await response.text(),
    }
  }
  const message = expect.stringContaining('This server is a standby')
  expect(await answerTo('/_sim/health')).toMatchObject({ status: 200, body: '{"status":"ok"}' })
  for (const path of ['/_sim/ready', '/_sim/state', '/openai/v1/videos']) {
    const { status, retry, body } = await answerTo(path)
    expect({ status, retry, ...JSON.parse(body) }).toMatchObject({
      status: 503,
      retry: '1',
      error: { message },
    })
  }
  expect(await answerTo('/runway/v1/tasks/x', 'DELETE')).toMatchObject({
    status: 503,
    body: expect.stringMatching(/^{"error":"This server is a standby/),
  })
  expect(await answerTo('/api/v1/tasks', 'HEAD')).toMatchObject({ status: 503, body: '' })
})

test.each([
  ['@other', '@other'],
  ['/_sim/state', null],
  ['@', null],
])('a standby redirects nginx to the location %s that it names: %s', async (location, redirection) => {
  const server = await serveStandby(createSimulator(), { port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  const { headers } = await fetch(server.url, { headers: { 'x-sim-standby': location } })
  expect(headers.get('x-accel-redirect')).toBe(redirection)
})

test('a standby sends no telemetry, because no request reaches its simulator', async () => {
  // Telemetry that starts would reject this protocol.
  vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc')
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onTestFinished(() => void vi.unstubAllEnvs())
  onTestFinished(() => void vi.restoreAllMocks())
  const standby = new Standby({ ...ARGUMENTS, otel: true }, 'json', () => new Promise(() => {}))
  const led = await standby.standBy(
    ledgerWith(() => 7),
    'state.db',
  )
  expect(led?.epoch).toBe(7)
  expect(await standby.leave()).toBeGreaterThan(0)
})

/** The arguments of a server. */
const ARGUMENTS = {
  ...{ port: 0, host: '127.0.0.1', scenario: undefined, seed: undefined, clock: undefined, speed: undefined },
  ...{ webhook: [], 'webhook-secret': undefined, 'webhook-allow': undefined, handlers: undefined },
  ...{ 'keep-tasks': 1, 'keep-bytes': undefined, dialect: [], 'root-dialect': undefined },
}

test('a standby asks again until it leads, and reports a series of errors once', async () => {
  const outcomes = [new Error('gone'), new Error('gone'), undefined, new Error('gone again'), 7]
  const ledger = ledgerWith(() => {
    const outcome = outcomes.shift()
    if (outcome instanceof Error) throw outcome
    return outcome
  })
  const errors: unknown[] = []
  const never = new AbortController().signal
  expect(await waitForLead(ledger, never, (error) => errors.push(error), 1)).toMatchObject({
    epoch: 7,
  })
  expect(errors.map(String)).toEqual(['Error: gone', 'Error: gone again'])
})

test('a signal ends the wait for the lead', async () => {
  const stop = new AbortController()
  const waiting = waitForLead(
    ledgerWith(() => undefined),
    stop.signal,
    () => {},
  )
  stop.abort()
  expect(await waiting).toBeUndefined()
})

function ledgerWith(lead: Ledger['lead']): Ledger {
  return Object.assign(new MemoryLedger(), { lead })
}

test.each([
  { stored: 'nothing', commit: 5, count: 1 },
  { stored: 'something', commit: 6, count: undefined },
])(
  'a standby reads the rows once while the leader is late, in case $stored is stored afterwards',
  async ({ commit, count }) => {
    const ledger = new MemoryLedger()
    await ledger.commit(ledger.lead(), [{ space: '', kind: 'requests', seq: 0, json: '1' }])
    const load = vi.fn(() => MemoryLedger.prototype.load.call(ledger))
    const seen = [
      { commit: 5, isLate: false },
      { commit: 5, isLate: true },
      { commit: 5, isLate: true },
    ]
    const lead = () => (seen.length > 0 ? undefined : 7)
    const observe = async () => seen.shift() ?? { commit, isLate: true }
    const standby: Ledger = Object.assign(ledger, { load, lead, observe })
    const led = await waitForLead(standby, new AbortController().signal, () => {}, 1)
    expect(load).toHaveBeenCalledTimes(1)
    expect(led?.saved?.count('requests')).toBe(count)
  },
)

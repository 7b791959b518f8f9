import { getResponse } from 'msw'
import { expect, it, onTestFinished, vi } from 'vitest'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator } from '../../src/index.js'
import { describeHosts } from './hosts.js'

const LIST = '/api/v1/tasks'
const NOON = Date.UTC(2026, 5, 1, 12)

/** Freezes the machine's clock. The clock of a simulator with a speed still runs. */
function atNoon(): void {
  vi.useFakeTimers({ now: NOON, toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

describeHosts('the times in the headers of an answer', (open) => {
  const faults = [{ then: { status: 429, retry_after: { date: '10s' } } }] as const
  const secondsOf = (headers: Headers, name: string) => Date.parse(headers.get(name) ?? '') / 1_000

  it.each([1, 20, 1_000])('are those of the machine at speed %d', async (speed) => {
    atNoon()
    const { sim, get } = await open({ clock: 'real', speed, scenario: { faults: [...faults] } })
    await sim.clock.advance('1h')
    const { headers } = await get(LIST)
    expect(headers.get('date')).toBe('Mon, 01 Jun 2026 12:00:00 GMT')
    expect(secondsOf(headers, 'retry-after') - NOON / 1_000).toBe(10)
  })

  it('are those of the simulator on a manual clock', async () => {
    const { sim, get } = await open({ scenario: { faults: [...faults] } })
    await sim.clock.advance('1h')
    const { headers } = await get(LIST)
    expect(headers.get('date')).toBe('Thu, 01 Jan 2026 01:00:00 GMT')
    expect(headers.get('retry-after')).toBe('Thu, 01 Jan 2026 01:00:10 GMT')
  })

  it('agree in a rate limit, whose reset comes when Retry-After says', async () => {
    atNoon()
    const scenario = { rate_limits: [{ requests: 1, per: '30s' as const, burst: 1 }] }
    const { sim, get } = await open({ clock: 'real', speed: 20, scenario })
    await sim.clock.advance('7s')
    await get(LIST)
    const { headers } = await get(LIST)
    expect([headers.get('retry-after'), headers.get('x-ratelimit-reset')]).toEqual([
      '30',
      String(NOON / 1_000 + 30),
    ])
  })
})

it('the time in the signature of a webhook is that of the machine, if the clock runs', async () => {
  atNoon()
  const times: (string | undefined)[] = []
  const sim = createSimulator({
    clock: 'real',
    speed: 60,
    transport: async ({ headers }) => {
      times.push(headers['webhook-timestamp'])
      return { status: 200 }
    },
  })
  onTestFinished(() => sim.close())
  const body = JSON.stringify({ input: { prompt: 'waves' }, webhook: 'https://app.example/hook' })
  const headers = { authorization: 'Bearer r8_local', 'content-type': 'application/json' }
  const url = 'https://api.replicate.com/v1/models/acme/model/predictions'
  await getResponse(
    handlers(sim, { dialect: 'replicate' }),
    new Request(url, { method: 'POST', headers, body }),
  )
  await sim.clock.advance('1h')
  expect(new Set(times)).toEqual(new Set([String(NOON / 1_000)]))
})

import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { deliveriesOf } from './faulty-webhooks.js'
import { describeHosts, IMAGE } from './hosts.js'
import { startRawReceiver } from './raw-receiver.js'

const scenario = (honors: boolean | undefined): ScenarioInput => ({
  defaults: { delay: '1s' },
  webhooks: { retries: ['5s'], ...(honors !== undefined && { honor_retry_after: honors }) },
})

describeHosts('a receiver that answers with Retry-After', (open) => {
  /** Returns the wait before the second attempt, in milliseconds. */
  const waitAfter = async (headers: Record<string, string>, honors?: boolean) => {
    const receiver = await startRawReceiver((number, response) =>
      response.writeHead(number === 1 ? 503 : 204, headers).end(),
    )
    const { sim, post } = await open({ scenario: scenario(honors) })
    await post('/api/v1/tasks', { ...IMAGE, webhook_url: receiver.url })
    await sim.clock.advance('2h')
    const [delivery] = deliveriesOf(sim)
    const [first, second] = delivery?.attempts ?? []
    expect([delivery?.state, delivery?.attempts.length]).toEqual(['delivered', 2])
    expect(first?.retryAt).toBe(second?.startedAt)
    return (second?.startedAt ?? 0) - (first?.startedAt ?? 0)
  }

  it('gets its retry on schedule by default', async () => {
    expect(await waitAfter({ 'retry-after': '60' })).toBe(5_000)
    expect(await waitAfter({ 'retry-after': '60' }, false)).toBe(5_000)
  })

  it('gets its retry no earlier than requested, if the scenario honours the header', async () => {
    expect(await waitAfter({ 'retry-after': '60' }, true)).toBe(60_000)
    expect(await waitAfter({ 'retry-after': '1' }, true)).toBe(5_000)
    expect(await waitAfter({ 'retry-after': '999999999' }, true)).toBe(3_600_000)
    expect(await waitAfter({}, true)).toBe(5_000)
  })

  it('may send a date, which is compared with the Date of its answer', async () => {
    const headers = { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT', date: 'Sun, 06 Nov 1994 08:49:00 GMT' }
    expect(await waitAfter(headers, true)).toBe(37_000)
  })
})

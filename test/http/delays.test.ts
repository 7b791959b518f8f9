import { expect, it, vi } from 'vitest'
import type { AnsweredRequest } from '../../src/index.js'
import { describeHosts, IMAGE } from './hosts.js'

const START = Date.parse('2026-01-01T00:00:00Z')

describeHosts('on a manual clock that nobody advances,', (open) => {
  it('a delayed answer comes after the patience, and the clock has moved by the delay', async () => {
    const client = await open({ patience: 0, scenario: { faults: [{ then: { delay: '10m' } }] } })
    const answered: AnsweredRequest[] = []
    client.sim.on('request.answered', (request) => answered.push(request))
    expect((await client.post('/api/v1/tasks', IMAGE)).status).toBe(200)
    expect(client.sim.clock.now()).toBe(START + 600_000)
    expect(answered).toMatchObject([{ at: START, answeredAt: START + 600_000, delivered: true }])
  })

  it('a slow body arrives as a whole, and the clock has moved by its time', async () => {
    const client = await open({ patience: 0, scenario: { faults: [{ then: { bytes_per_second: 1 } }] } })
    const headers = { authorization: 'Bearer sk_live_local' }
    const text = await (await client.send('/api/v1/tasks', { headers })).text()
    expect(JSON.parse(text).data).toEqual([])
    expect(client.sim.clock.now()).toBe(START + (text.length - 1) * 1_000)
  })

  it('a client that leaves does not move it, and its request is in the journal', async () => {
    const client = await open({
      patience: '1h',
      scenario: { faults: [{ name: 'slow', then: { delay: '1m' } }] },
    })
    const giveUp = new AbortController()
    const headers = { authorization: 'Bearer sk_live_local' }
    const answer = client.send('/api/v1/tasks', { headers, signal: giveUp.signal }).catch(() => {})
    await vi.waitUntil(() => client.sim.waitingAnswers === 1)
    giveUp.abort()
    await answer
    await vi.waitUntil(() => client.sim.journal.newest === 1)
    expect(client.sim.waitingAnswers).toBe(0)
    expect(client.sim.clock.now()).toBe(START)
    expect(client.sim.journal.entries()).toMatchObject([{ request: { fault: 'slow', delivered: false } }])
  })
})

import { expect, it } from 'vitest'
import { defineScenario, type ScenarioInput } from '../../src/index.js'
import { describeHosts, IMAGE, type Open } from './hosts.js'

const SLOW: ScenarioInput = { defaults: { delay: '1h' } }

async function openSandbox(open: Open, scenario = SLOW) {
  const client = await open()
  const sandbox = client.sim.createSandbox({ scenario: defineScenario(scenario), clock: 'manual' })
  const headers = { authorization: `Bearer ${sandbox.identity.key}`, 'content-type': 'application/json' }
  const created = await client.send('/api/v1/tasks', { method: 'POST', headers, body: JSON.stringify(IMAGE) })
  const { id } = (await created.json()) as { id: string }
  const poll = async () => {
    const response = await client.send(`/api/v1/tasks/${id}`, { headers })
    return { status: response.status, text: await response.text() }
  }
  return { ...sandbox, poll }
}

describeHosts('a poll loop without any wait, in a sandbox on a manual clock,', (open) => {
  it('is rejected and then cut off, and is found', async () => {
    const { sim, poll } = await openSandbox(open)
    for (let polls = 0; polls < 1_000; polls++) expect((await poll()).status).toBe(200)
    const rejected = await poll()
    expect(rejected.status).toBe(400)
    expect(rejected.text).toMatch(/1000 times without a wait, while the clock stood still/)
    for (let polls = 1; polls < 100; polls++) expect((await poll()).status).toBe(400)
    expect(await poll().catch(() => ({ status: 0 }))).toMatchObject({ status: 0 })
    const [loop] = (await sim.findings({ final: true })).filter(({ id }) => id === 'polls-too-fast')
    expect(loop?.evidence).toMatchObject([
      { seen: expect.stringMatching(/^1000 polls came within .+ stood still/) },
    ])
  })

  it('is rejected also for a task that is stuck', async () => {
    const { poll } = await openSandbox(open, { extends: 'stuck', defaults: { delay: { polls: 2 } } })
    for (let polls = 0; polls < 1_000; polls++) await poll()
    expect((await poll()).status).toBe(400)
  })

  it('goes on after an advance of the clock', async () => {
    const { sim, poll } = await openSandbox(open)
    for (let polls = 0; polls < 1_001; polls++) await poll()
    await sim.clock.advance(1)
    expect((await poll()).status).toBe(200)
  })

  it('may wait for a task that ends at a poll', async () => {
    const { poll } = await openSandbox(open, { defaults: { delay: { polls: 1_100 } } })
    let status = 'processing'
    while (status === 'processing') status = JSON.parse((await poll()).text).status
    expect(status).toBe('succeeded')
  })
})

import { expect, it } from 'vitest'
import type { ScenarioInput } from '../../src/index.js'
import { statuses } from './create-directly.js'
import { describeHosts, IMAGE } from './hosts.js'
import { startReceiver } from './receiver.js'

const LIST = '/api/v1/tasks'
const EXPENSIVE: ScenarioInput = { defaults: { delay: '2s', price: { per_task: 0.5 } } }

const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } })
const createAs = (key: string) => ({
  method: 'POST',
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify(IMAGE),
})

describeHosts('the credits of an API key', (open) => {
  it('decrease with each success, and create answers 402 when they are spent', async () => {
    const { sim, get, post } = await open({ scenario: { ...EXPENSIVE, auth: { credits: 1 } } })
    for (let task = 1; task <= 2; task++) {
      expect((await post(LIST, IMAGE)).status).toBe(200)
      await sim.clock.advance('2s')
    }
    const refused = await post(LIST, IMAGE)
    expect(refused).toMatchObject({ status: 402, body: { error: { code: 'insufficient_credits' } } })
    expect(refused.body.error.message).toContain('0.00 USD')
    const { body } = await get(LIST)
    expect(body.data.map((task: { cost_usd: number }) => task.cost_usd)).toEqual([0.5, 0.5])
  })

  it('do not decrease for failed or canceled tasks', async () => {
    const rules: ScenarioInput['rules'] = [{ when: { occurrence: 1 }, then: { outcome: 'failed' } }]
    const { sim, post } = await open({ scenario: { ...EXPENSIVE, rules, auth: { credits: 0.5 } } })
    await post(LIST, IMAGE)
    await sim.clock.advance('2s')
    const { body: canceled } = await post(LIST, IMAGE)
    await post(`${LIST}/${canceled.id}/cancel`)
    expect((await post(LIST, IMAGE)).status).toBe(200)
    await sim.clock.advance('2s')
    expect((await post(LIST, IMAGE)).status).toBe(402)
  })

  it('can become negative through running tasks, which end normally', async () => {
    const { sim, get, post } = await open({ scenario: { ...EXPENSIVE, auth: { credits: 0.75 } } })
    expect(await statuses(3, () => post(LIST, IMAGE))).toEqual([200, 200, 200])
    await sim.clock.advance('2s')
    const refused = await post(LIST, IMAGE)
    expect(refused.status).toBe(402)
    expect(refused.body.error.message).toContain('-0.75 USD')
    expect((await get(`${LIST}?status=succeeded`)).body.data).toHaveLength(3)
  })

  it('belong to each key, and the amount for a key overrides the default', async () => {
    const keys = ['sk_plain', { key: 'sk_poor', credits: 0 }, { key: 'sk_rich', credits: 100 }]
    const { sim, send } = await open({ scenario: { ...EXPENSIVE, auth: { credits: 0.5, keys } } })
    const round = () =>
      statuses(3, (time) => send(LIST, createAs(['sk_plain', 'sk_poor', 'sk_rich'][time - 1] ?? '')))
    expect(await round()).toEqual([200, 402, 200])
    await sim.clock.advance('2s')
    expect(await round()).toEqual([402, 402, 200])
  })

  it('are restored by a reset, but not by a change of scenario', async () => {
    const { sim, post } = await open({ scenario: { ...EXPENSIVE, auth: { credits: 0.5 } } })
    await post(LIST, IMAGE)
    await sim.clock.advance('2s')
    sim.useScenario(sim.scenario)
    expect((await post(LIST, IMAGE)).status).toBe(402)
    await sim.reset()
    expect((await post(LIST, IMAGE)).status).toBe(200)
  })
})

describeHosts('an API key that expires', (open) => {
  it.each([
    ['expires', 'has expired'],
    ['revoked', 'was revoked'],
  ])(
    '(%s) is rejected from then on, while its tasks continue and their webhooks arrive',
    async (end, message) => {
      const { url, received } = await startReceiver()
      const keys = [{ key: 'sk_live_ending', [end]: '3s' }, 'sk_live_other']
      const { sim, send } = await open({
        scenario: { defaults: { delay: '5s' }, auth: { keys }, webhooks: { receivers: [url] } },
      })
      const { id } = JSON.parse(await (await send(LIST, createAs('sk_live_ending'))).text())
      await sim.clock.advance('2999ms')
      expect((await send(`${LIST}/${id}`, as('sk_live_ending'))).status).toBe(200)
      await sim.clock.advance('1ms')
      const refused = await send(`${LIST}/${id}`, as('sk_live_ending'))
      expect(refused.status).toBe(401)
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
      const { error } = JSON.parse(await refused.text())
      expect(error).toMatchObject({ code: 'unauthorized', message: expect.stringContaining(message) })
      expect(error.message).not.toContain('sk_live_ending')
      expect((await send(`${LIST}/${id}`, as('sk_live_other'))).status).toBe(404)
      await sim.clock.advance('2s')
      expect(received.map(({ json }) => [json.event, json.task.id])).toEqual([['task.succeeded', id]])
      expect(await sim.tasks.get(id)).toMatchObject({ status: 'succeeded', owner: 'sk_live_ending' })
      expect((await send(LIST, createAs('sk_live_ending'))).status).toBe(401)
    },
  )

  it('is rejected from the start unless the scenario lists it', async () => {
    const { send } = await open({
      scenario: { auth: { keys: ['sk_one', { key: 'sk_two', expires: '0s' }] } },
    })
    expect(
      await statuses(3, (time) => send(LIST, as(['sk_one', 'sk_two', 'sk_three'][time - 1] ?? ''))),
    ).toEqual([200, 401, 401])
  })
})

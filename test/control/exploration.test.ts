import { expect, it } from 'vitest'
import { describeHosts, IMAGE } from '../http/hosts.js'

const TASKS = '/api/v1/tasks'

describeHosts('a run of an exploration', (open) => {
  it('needs a baseline, whose places say what can go wrong', async () => {
    const { get, post } = await open({ scenario: 'instant' })
    expect(await get('/_sim/places')).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('POST /_sim/deviations') } },
    })
    expect((await post('/_sim/deviations', { id: 'tasks.create#1:503' })).status).toBe(409)
    expect((await post('/_sim/deviations', {})).body).toEqual({ id: 'baseline', deviations: [] })
    await post(TASKS, IMAGE)
    const { body } = await get('/_sim/places')
    expect(body.data).toEqual(
      expect.arrayContaining([
        { id: 'tasks.create#1', runs: expect.arrayContaining(['tasks.create#1:lost', 'tasks.create#1:503']) },
        { id: 'task#1', runs: expect.arrayContaining(['task#1:stuck']) },
        { id: 'service@tasks.create#1', runs: expect.arrayContaining(['service@tasks.create#1:outage']) },
      ]),
    )
  })

  it('resets the simulator, and applies the deviation once', async () => {
    const { sim, get, post } = await open({ scenario: 'instant' })
    await post('/_sim/deviations', {})
    await post(TASKS, IMAGE)
    const { status, body } = await post('/_sim/deviations', { id: 'tasks.create#1:503' })
    expect([status, body]).toEqual([
      200,
      {
        id: 'tasks.create#1:503',
        deviations: [{ place: 'tasks.create#1', word: '503', class: 'transient' }],
      },
    ])
    expect([...sim.tasks.all()]).toEqual([])
    expect((await post(TASKS, IMAGE)).status).toBe(503)
    expect((await post(TASKS, IMAGE)).status).toBe(200)
    expect((await get('/_sim/places')).body.applied).toEqual(['tasks.create#1:503'])
  })

  it.each([
    ['tasks.create#9:lost', 'tasks.create#9'],
    ['nonsense', 'nonsense'],
    ['tasks.create#1:lots', 'lots'],
  ])('rejects %s, and keeps the present run', async (id, named) => {
    const { sim, get, post } = await open({ scenario: 'instant' })
    await post('/_sim/deviations', {})
    await post(TASKS, IMAGE)
    const { status, body } = await post('/_sim/deviations', { id })
    expect([status, body.error.param]).toEqual([400, 'id'])
    expect(body.error.message).toContain(named)
    expect([...sim.tasks.all()]).toHaveLength(1)
    expect((await get('/_sim/places')).status).toBe(200)
  })
})

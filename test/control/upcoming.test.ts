import { expect, it } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeClients, IMAGE, QUICK, VIDEO } from './describe-clients.js'

const HOOK = 'http://127.0.0.1:9/hook'
const at = (time: string, date = '2026-01-01') => `${date}T${time}.000Z`

describeClients('what happens next, in the control API', (open) => {
  it('is empty without tasks', async () => {
    const { control } = await open()
    expect(await control.clock.upcoming()).toEqual({})
  })

  it('is the start and the end of a task, and the webhook of its end', async () => {
    const scenario = { defaults: { queueing: '5s', delay: '10s' } } as const
    const { control, order } = await open({ scenario })
    const quiet = await order(IMAGE)
    await control.clock.advance('1s')
    const announced = await order({ ...VIDEO, webhook_url: HOOK })
    expect(await control.clock.upcoming()).toEqual({
      event: { what: 'task_start', at: at('00:00:05'), task_id: quiet },
      webhook: { what: 'webhook', at: at('00:00:16'), task_id: announced },
    })
    await control.clock.advance('5s')
    expect(await control.clock.upcoming()).toMatchObject({
      event: { what: 'task_end', at: at('00:00:15'), task_id: quiet },
      webhook: { what: 'webhook', at: at('00:00:16'), task_id: announced },
    })
    await control.tasks.hold(quiet)
    expect(await control.clock.upcoming()).toMatchObject({ event: { what: 'webhook', task_id: announced } })
  })

  it('is the retry of a webhook', async () => {
    const { control, order } = await open({ scenario: QUICK })
    const { url } = await startReceiver((_, response) => response.writeHead(500).end())
    const id = await order({ ...IMAGE, webhook_url: url })
    await control.clock.advance('1s')
    const { data } = await control.deliveries.list()
    const retry = { what: 'webhook', at: at('00:00:02'), task_id: id, delivery_id: data[0]?.id }
    expect(await control.clock.upcoming()).toMatchObject({ event: retry, webhook: retry })
  })

  it('is the expiry of the latest URLs that a client got', async () => {
    const { control, order, get } = await open({ scenario: { ...QUICK, outputs: { lifetime: '1h' } } })
    const id = await order(IMAGE)
    await control.clock.advance('1s')
    expect(await control.clock.upcoming()).toEqual({
      url_expiry: { what: 'url_expiry', at: at('01:00:01'), task_id: id },
    })
    await control.clock.advance('1m')
    const { output } = await get(`/api/v1/tasks/${id}`)
    expect(output.images[0]).toContain(`expires=${Date.parse(at('01:01:01')) / 1_000}`)
    expect(await control.clock.upcoming()).toMatchObject({ url_expiry: { at: at('01:01:01') } })
    await control.clock.advance('1h')
    expect(await control.clock.upcoming()).toEqual({})
  })

  it('is something else, such as a delayed answer', async () => {
    const { control, order, sim } = await open({
      scenario: { faults: [{ name: 'slow', when: { operation: 'tasks.create' }, then: { delay: '2s' } }] },
    })
    const answered = order(IMAGE)
    await expect.poll(() => sim.clock.next).toBeDefined()
    expect(await control.clock.upcoming()).toEqual({ event: { what: 'other', at: at('00:00:02') } })
    await control.clock.advance('2s')
    await answered
  })
})

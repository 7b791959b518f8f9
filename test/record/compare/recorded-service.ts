import type { RecordingEntry } from '../../../src/record/recording/recording.js'
import { headersFor, idIn } from '../../support/services.js'
import { HOOK, record } from '../replay/real-service.js'
import { CANCEL, RECORDED_SERVICES, STREAM } from '../replay/recorded-services.js'

/** A recording of everything that a client can do: tasks in all states, lists, streams, webhooks and rejections. */
export async function recordService(dialect: string, seed: string): Promise<readonly RecordingEntry[]> {
  const service = RECORDED_SERVICES[dialect]
  if (service === undefined) throw new Error(`There is no service ${dialect}.`)
  const { sim, send, entries } = record(dialect, {
    seed,
    scenario: {
      defaults: {
        queueing: '2s',
        delay: '3s',
        failures: { rate: 0.3, errors: [{ code: 'content_policy', message: 'The prompt was refused.' }] },
      },
    },
  })
  const request = async (method: string, path: string, body?: object) => {
    const headers = headersFor(service)
    const response = await send(service.origin + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return response
  }
  const order = async (more: object) => {
    const response = await request('POST', service.create, { ...service.body, ...more })
    return idIn(service, await response.json())
  }
  const hook = service.hook === undefined ? {} : { [service.hook]: HOOK }
  const ids = [await order(hook), await order({}), await order(hook), await order({})]
  const canceled = await order(hook)
  const cancel = CANCEL[dialect]
  for (let step = 0; step < 4; step++) {
    for (const id of ids) {
      await request('GET', service.task(id))
      if (service.result !== undefined) await request('GET', service.result(id))
    }
    if (service.list !== undefined) await request('GET', service.list.replace('limit=1', 'limit=10'))
    if (step === 1 && cancel !== undefined) await request(...cancel(canceled))
    await sim.clock.advance('2s')
  }
  await request('GET', service.task(canceled))
  await request('GET', service.task('unknown_task_000000000000000'))
  await request('POST', service.invalid?.path ?? service.create, service.invalid?.body ?? {})
  const stream = STREAM[dialect]
  if (stream !== undefined) {
    const id = await order({})
    const [response] = await Promise.all([request(...stream(id)), sim.clock.advance('1s')])
    const text = response.text()
    await sim.clock.advance('20s')
    await text
  }
  await sim.clock.advance('1m')
  await sim.settled()
  sim.close()
  return [...entries]
}

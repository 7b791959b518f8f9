import type { RecordingEntry } from '../../../src/record/recording/recording.js'
import { HOOK, record } from '../replay/real-service.js'
import { headersFor, RECORDED_SERVICES } from '../replay/recorded-services.js'

/** How a client cancels or deletes a task. */
const CANCEL: Readonly<Record<string, (id: string) => readonly [method: string, path: string]>> = {
  tasks: (id) => ['POST', `/api/v1/tasks/${id}/cancel`],
  fal: (id) => ['PUT', `/fal-ai/flux/requests/${id}/cancel`],
  openai: (id) => ['POST', `/v1/responses/${id}/cancel`],
  replicate: (id) => ['POST', `/v1/predictions/${id}/cancel`],
  runpod: (id) => ['POST', `/v2/flux-image/cancel/${id}`],
  runway: (id) => ['DELETE', `/v1/tasks/${id}`],
}

/** How a client reads a stream. */
const STREAM: Readonly<Record<string, (id: string) => readonly [string, string, object?]>> = {
  fal: (id) => ['GET', `/fal-ai/flux/requests/${id}/status/stream`],
  openai: () => ['POST', '/v1/responses', { model: 'o3', input: 'Write.', stream: true }],
}

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
    return String((await response.json())[service.id ?? 'id']).replace(/^.*\//, '')
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
  await request('POST', service.create, service.invalid?.body ?? {})
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

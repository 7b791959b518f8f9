import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator, parseRecording, type ScenarioInput, type Simulator } from '../../src/index.js'
import { startSimulated } from '../cli/record/service.js'
import { startTunneled } from '../cli/record/start-recorder.js'
import { startReceiver } from '../http/receiver.js'
import { headersFor, idIn, type Service } from '../support/services.js'
import { unsigned } from './replay/real-service.js'
import { CANCEL, RECORDED_SERVICES, STREAM } from './replay/recorded-services.js'

/** How the real service behaves. */
const HIDDEN: ScenarioInput = {
  seed: 'hidden',
  defaults: {
    queueing: { min: '50ms', max: '200ms' },
    delay: { min: '500ms', max: '900ms' },
    price: { per_task: 0.0375 },
  },
}

/** Sends a request to the service below its origin, and reads the whole answer. */
type Send = (method: string, path: string, body?: object) => Promise<string>

/** Everything that a client does: it creates, polls and lists tasks, cancels one, and reads a stream. */
async function useService(name: string, service: Service, receiver: string, send: Send) {
  const { create, body, hook, task, result, list } = service
  const order = async (more: object = {}) => {
    const created = JSON.parse(
      await send('POST', create, { ...body, ...(hook && { [hook]: receiver }), ...more }),
    )
    return idIn(service, created)
  }
  const ids = [await order(), await order({ seed: 7 })]
  for (let step = 0; step < 10; step++) {
    for (const id of ids) {
      await send('GET', task(id))
      if (result !== undefined) await send('GET', result(id))
    }
    if (list !== undefined) await send('GET', list.replace('limit=1', 'limit=10'))
    await sleep(120)
  }
  const cancel = CANCEL[name]
  if (cancel !== undefined) {
    const id = await order()
    await send(...cancel(id))
    await send('GET', task(id))
  }
  const stream = STREAM[name]
  if (stream !== undefined) await send(...stream(stream.length === 0 ? '' : await order()))
}

/** An answer as its client gets it. */
interface Got {
  readonly status: number
  readonly type: string | null
  readonly body: string
}

async function request(url: string, service: Service, method: string, body?: object): Promise<Got> {
  const headers = headersFor(service)
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const type = response.headers.get('content-type')
  return { status: response.status, type, body: await response.text() }
}

/** Serves a recording on a manual clock, at the address of the proxy that has recorded it. */
async function replay(text: string, start: string, origin: string) {
  const sim = createSimulator({ scenario: await parseRecording(text), clock: 'manual', start })
  const { hostname, port } = new URL(origin)
  const { close } = await listen(sim, { port: Number(port), host: hostname.replace(/^\[|\]$/g, '') })
  onTestFinished(async () => {
    await close()
    sim.close()
  })
  return sim
}

/** Advances the clock in small steps until an answer has arrived. */
async function advanceUntil<Value>(sim: Simulator, work: Promise<Value>): Promise<Value> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (await Promise.race([done.then(() => false), sleep(20, true)]))
    if (!isDone) await sim.clock.advance(20)
  return done
}

describe.each(Object.entries(RECORDED_SERVICES))('a recording of %s', (name, service) => {
  test('repeats the bytes of all answers and webhooks', async () => {
    const { url: receiver, received } = await startReceiver()
    const { origin: real } = await startSimulated(HIDDEN)
    const mount = name === 'tasks' ? '' : `/${name}`
    const { origin, recorded } = await startTunneled(name, real + mount)
    const base = origin + mount + (service.host ?? '')
    const asked: { readonly parts: Parameters<Send>; readonly got: Got }[] = []
    await useService(name, service, receiver, async (...parts) => {
      const [method, path, body] = parts
      const got = await request(base + path, service, method, body)
      asked.push({ parts, got })
      return got.body
    })
    await sleep(1_200)
    const { text, exchanges } = await recorded()
    expect(exchanges).toHaveLength(asked.length)

    // Webhooks contain the addresses at which the service was reached, and which it was given.
    const shown = (body: string) =>
      unsigned(body)
        .replace(/"(?:data:|\[redacted |[\w+/]{201})[^"]+"/g, '"DATA"')
        .replaceAll(real, origin)
        .replace(/https?:[^"]*\/_sim\/webhooks\/[\w-]+/g, receiver)
    const webhooks = received.splice(0).map(({ body }) => shown(body.toString()))
    const sim = await replay(text, exchanges[0]?.at ?? '', origin)
    for (const [index, { parts, got }] of asked.entries()) {
      const [method, path, body] = parts
      await sim.clock.advanceTo(Math.max(Date.parse(exchanges[index]?.at ?? ''), sim.clock.now()))
      const answer = request(base + path, service, method, body)
      // The clock must not run ahead of the recording while a slow machine answers, because tasks would be created later.
      const again = await (got.type?.startsWith('text/event-stream') ? advanceUntil(sim, answer) : answer)
      expect({ ...again, body: shown(again.body) }, `${index} ${method} ${path}`).toEqual({
        ...got,
        body: shown(got.body),
      })
    }
    await sim.clock.advance('1.2s')
    await sim.settled()
    expect(received.map(({ body }) => shown(body.toString())).sort()).toEqual(webhooks.sort())
  })
})

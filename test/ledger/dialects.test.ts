import { expect, test } from 'vitest'
import { BUILT_IN_DIALECTS } from '../../src/dialects/built-in.js'
import { sampleOf } from '../support/deep.js'
import { headersFor, idIn, SERVICES, type Service } from '../support/services.js'
import { openWorld, type Restarts, type Sent, type World } from './world.js'

// The dialects for which there is an example of a client.
const [MAIN, ...OTHERS] = ['tasks', ...[...BUILT_IN_DIALECTS.keys()].filter((name) => name in SERVICES)]

const TASKS: Service = {
  origin: '',
  create: '/v1/tasks',
  body: { model: 'acme/image-1', input: { prompt: 'a lighthouse' } },
  task: (id) => `/v1/tasks/${id}`,
  hook: 'webhook_url',
  list: '/v1/tasks?limit=1',
  interval: 1,
}

/** Streams of ended tasks. */
const STREAMS: Readonly<Record<string, (id: string) => string>> = {
  fal: (id) => `/fal-ai/flux/requests/${id}/status/stream`,
  runpod: (id) => `/v2/flux-image/stream/${id}`,
}

/** Requests that end a task early. */
const CANCELS: Readonly<Record<string, (id: string) => Omit<Sent, 'headers'>>> = {
  tasks: (id) => ({ method: 'POST', path: `/v1/tasks/${id}/cancel` }),
  fal: (id) => ({ method: 'PUT', path: `/fal-ai/flux/requests/${id}/cancel` }),
  luma: (id) => ({ method: 'DELETE', path: `/dream-machine/v1/generations/${id}` }),
  runway: (id) => ({ method: 'DELETE', path: `/v1/tasks/${id}` }),
  openai: (id) => ({ method: 'POST', path: `/v1/responses/${id}/cancel` }),
  assemblyai: (id) => ({ method: 'DELETE', path: `/v2/transcript/${id}` }),
  replicate: (id) => ({ method: 'POST', path: `/v1/predictions/${id}/cancel` }),
  runpod: (id) => ({ method: 'POST', path: `/v2/flux-image/cancel/${id}` }),
}

type Step = (world: World) => Promise<void>

/** The steps of a client of a service: two tasks, of which the second one is canceled if the service can do that. */
function stepsOf(name: string, service: Service): readonly Step[] {
  const base = name === MAIN ? '' : `/${name}${service.host ?? ''}`
  const headers = headersFor(service, service.key ?? 'Bearer sk_one')
  const ids: string[] = []
  const get = (path: (id: string) => string, task: number): Step => {
    return (world) => world.send({ method: 'GET', path: base + path(ids[task] ?? ''), headers })
  }
  const send = (request: (id: string) => Omit<Sent, 'headers'>, task: number): Step => {
    return (world) => {
      const { path, ...rest } = request(ids[task] ?? '')
      return world.send({ ...rest, path: base + path, headers })
    }
  }
  const create: Step = async (world) => {
    const hook = service.hook === undefined ? {} : { [service.hook]: 'https://example.com/flaky' }
    const body = { ...service.body, ...hook }
    const made = await world.send({
      method: 'POST',
      path: base + service.create,
      headers,
      body,
    })
    const id = idIn(service, made)
    ids.push(id.split('/').at(-1) ?? id)
  }
  const advance: Step = async (world) => {
    await world.sim.clock.advance('3s')
  }
  const download: Step = async (world) => {
    const text = world.seen.map((seen) => String((seen as { text?: unknown }).text)).join()
    const [url] = /http:\/\/localhost\/[^"\\]*files\/[^"\\]+/.exec(text) ?? []
    if (url === undefined) return
    const path = url.replace('http://localhost', '')
    await world.send({ method: 'GET', path, headers: path.startsWith('/google') ? headers : {} })
  }
  const stream = STREAMS[name]
  const cancel = CANCELS[name]
  const result = service.result ?? service.task
  return [
    create,
    get(service.task, 0),
    create,
    ...(cancel === undefined ? [] : [send(cancel, 1)]),
    advance,
    get(service.task, 0),
    ...(service.list === undefined ? [] : [get(() => service.list ?? '', 0)]),
    advance,
    advance,
    get(service.task, 0),
    get(result, 0),
    ...(stream === undefined ? [] : [get(stream, 0)]),
    download,
    get(service.task, 1),
  ]
}

async function play(steps: readonly Step[], restartAt: number, restarts: Restarts): Promise<unknown> {
  const world = await openWorld({ scenario: { defaults: { delay: '6s', queueing: '2s' } } }, restarts)
  for (const [index, step] of steps.entries()) {
    if (index === restartAt) await world.restart()
    await step(world)
  }
  await world.restart()
  const state = await world.state()
  world.sim.close()
  return [world.seen, state]
}

test.each([MAIN, ...OTHERS])('clients of %s notice no restart', async (name = '') => {
  const service = name === MAIN ? TASKS : SERVICES[name]
  if (service === undefined) throw new Error(`${name} has no client`)
  const expected = await play(stepsOf(name, service), 0, 'none')
  const { length } = stepsOf(name, service)
  for (const restartAt of sampleOf(2, [...Array(length).keys()])) {
    const restarts = restartAt % 2 === 0 ? 'from-save' : 'from-ledger'
    expect(await play(stepsOf(name, service), restartAt, restarts)).toEqual(expected)
  }
})

import { describe, expect, it } from 'vitest'
import { parseRecording, type ScenarioInput } from '../../../src/index.js'
import { sampleOf } from '../../support/deep.js'
import { headersFor, idIn, type Service } from '../../support/services.js'
import { HOOK, record, type Served, serve, unsigned } from './real-service.js'
import { RECORDED_SERVICES } from './recorded-services.js'

/** How the real service behaves; a replay sees only the recording. */
const HIDDEN: ScenarioInput = {
  seed: 'hidden',
  defaults: {
    queueing: { min: '1s', max: '3s' },
    delay: { min: '2s', max: '9s' },
    failures: { rate: 0.4, errors: [{ code: 'content_policy', message: 'The prompt was refused.' }] },
    price: { per_task: 0.0375 },
  },
}

/** Several tasks of a client, with polls at irregular times: everything that it received, in order. */
async function session({ sim, send, webhooks }: Served, service: Service): Promise<string[]> {
  const { origin, hook } = service
  const headers = headersFor(service)
  const received: string[] = []
  const ask = async (path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) }
    const response = await send(origin + path, { headers, ...init })
    const text = await response.text()
    received.push(`${sim.clock.now()} ${path} ${response.status} ${headersOf(response)} ${unsigned(text)}`)
    return text
  }
  const ids: string[] = []
  const order = async (more: object) => {
    const created = JSON.parse(
      await ask(service.create, { ...service.body, ...(hook && { [hook]: HOOK }), ...more }),
    )
    ids.push(idIn(service, created))
  }
  await order({})
  await sim.clock.advance('700ms')
  await order({})
  await order({ seed: 7, parameters: { seed: 7 } })
  for (let step = 0; step < 12; step++) {
    for (const id of ids) {
      await ask(service.task(id))
      if (service.result !== undefined) await ask(service.result(id))
    }
    if (service.list !== undefined) await ask(service.list.replace('limit=1', 'limit=10'))
    await sim.clock.advance(900 + 70 * step)
  }
  await sim.settled()
  return [...received, ...webhooks.map(unsigned)]
}

/** All headers but those that differ in a replay. */
function headersOf({ headers }: Response): string {
  const repeated = [...headers].filter(([name]) => !/^(?:x-request-id|date|etag)$|rate-?limit/.test(name))
  return JSON.stringify(repeated)
}

describe.each(sampleOf(2, Object.entries(RECORDED_SERVICES)))('a recording of %s', (name, service) => {
  it('gives the same requests the same answers', async () => {
    // Google shows a refused prompt as a success without videos, and sends no webhook about it.
    const failures = name === 'google' ? { rate: 0 } : HIDDEN.defaults?.failures
    const real = record(name, { scenario: { ...HIDDEN, defaults: { ...HIDDEN.defaults, failures } } })
    const recorded = await session(real, service)
    const scenario = await parseRecording(real.text())
    const replayed = await session(serve(name, { scenario, seed: 'other' }), service)
    expect(replayed).toEqual(recorded)
  })
})

import { expect, it } from 'vitest'
import type { AnsweredRequest } from '../../../src/index.js'
import type { ExchangeEntry } from '../../../src/record/recording/recording.js'
import { deepTest, sampleOf } from '../../support/deep.js'
import { headersFor, idIn, SERVICES } from '../../support/services.js'
import { call, KEY, startService, startSimulated, until } from './service.js'
import { startRecorder } from './start-recorder.js'

const ORDER = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }
const BRIEF = { defaults: { delay: '80ms' } } as const

const isOwn = ({ own }: ExchangeEntry) => own === true

it.each(sampleOf(1, Object.entries(SERVICES)))(
  'the recorder polls a task of %s that the client does not poll, until it ends',
  async (name, service) => {
    const { host = '', create, body, key = `Bearer ${KEY}`, task, result } = service
    const { sim, origin: upstream } = await startSimulated(BRIEF)
    const answered: AnsweredRequest[] = []
    sim.on('request.answered', (request) => void answered.push(request))
    const { origin, recorded } = await startRecorder(name, `${upstream}/${name}`, { poll: 20 })
    const headers = headersFor(service, key)
    const response = await fetch(`${origin}/${name}${host}${create}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const created = idIn(service, await response.json())
    const expected = [task(created), ...(result === undefined ? [] : [result(created)])]
    const endedAt = await until(async () => (await sim.tasks.get(created))?.completedAt)
    const isPolled = (path: string) =>
      answered.some((each) => each.answeredAt >= endedAt && each.path.endsWith(path.split('?')[0] ?? ''))
    await until(() => (expected.every(isPolled) ? true : undefined))
    const { exchanges } = await recorded()
    const paths = exchanges.filter(isOwn).map(({ request: { url } }) => url.slice(new URL(url).origin.length))
    expect(new Set(paths)).toEqual(new Set(expected.map((path) => `/${name}${host}${path}`)))
    expect(exchanges.filter(isOwn).map(({ response }) => Math.floor((response?.status ?? 0) / 100))).toEqual(
      paths.map(() => 2),
    )
  },
)

it('the recorder stops to poll a task that the client polls', async () => {
  const { origin: service } = await startSimulated({ defaults: { delay: '200ms' } })
  const { origin, recorded } = await startRecorder('tasks', service, { poll: 40 })
  const { json } = await call(origin, '/api/v1/tasks', ORDER)
  await until(async () => {
    const { status } = (await call(origin, `/api/v1/tasks/${json.id}`)).json
    return status === 'succeeded' ? true : undefined
  })
  const { exchanges } = await recorded()
  const first = exchanges.find(({ request: { method }, own }) => method === 'GET' && own === undefined)
  const seenAt = Date.parse(first?.at ?? '') + (first?.took ?? 0)
  const later = exchanges.filter((each) => isOwn(each) && Date.parse(each.at) > seenAt)
  // One may begin while the first poll of the client is being read.
  expect(later.length).toBeLessThanOrEqual(1)
})

deepTest('the recorder waits as long as the service asks, and gives up after a rejected key', async () => {
  const polls: number[] = []
  const service = await startService(({ method }, response) => {
    response.setHeader('content-type', 'application/json')
    if (method === 'POST') response.end('{"id":"task_1","model":"m","status":"queued"}')
    else {
      polls.push(Date.now())
      if (polls.length === 1) response.writeHead(429, { 'retry-after': '1' }).end('{}')
      else response.writeHead(401).end('{}')
    }
  })
  const { origin, recorder } = await startRecorder('tasks', service, { poll: 10 })
  await call(origin, '/api/v1/tasks', ORDER)
  await until(() => (recorder.tally.ownRequests === 2 ? true : undefined))
  expect((polls[1] ?? 0) - (polls[0] ?? 0)).toBeGreaterThan(900)
})

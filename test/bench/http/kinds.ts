import { valueAt } from '../../../src/engine/json.js'
import { Server } from '../../support/server.js'
import { preciseCpuTimeOf } from '../cpu-time.js'
import { type Figure, median } from '../figure.js'
import { REQUESTS, type ServiceRequest } from './requests.js'

/** The number of tasks of each kind, and how often each is polled in a state. */
const TASKS = 60
const POLLS = 10
const ROUNDS = 4
const WARM_UPS = 6
/** The most that a request may cost, in the median of all, without its bytes. */
const MOST = 3
/** The bytes of an answer that is as short as those of other services. */
const SHORT = 8_192

const STEPS = ['create', 'poll before the end', 'poll after the end'] as const

/** The cost of one request. */
interface Cost {
  readonly name: string
  readonly step: (typeof STEPS)[number]
  /** In microseconds of CPU. */
  readonly cpu: number
  /** Of the answer. */
  readonly bytes: number
}

/** Measures the CPU time of a create request and of polls, before and after the end, in every dialect and for every kind. */
export async function kinds(): Promise<Figure[]> {
  const server = await Server.start(['--clock', 'manual'])
  try {
    const costs: Cost[] = []
    // The first requests compile the code for all others.
    for (const request of REQUESTS.slice(0, WARM_UPS)) await costsOf(server, request)
    for (const request of REQUESTS) {
      const rounds: Cost[][] = []
      for (let round = 0; round < ROUNDS; round++) rounds.push(await costsOf(server, request))
      costs.push(...cheapest(rounds))
    }
    const perByte = await costOfByte(server)
    return costs.map((cost) => figure(cost, costs, perByte))
  } finally {
    await server.kill()
  }
}

/** The least cost of each step: other processes, and the compiler, only add to it. */
function cheapest([first = [], ...others]: readonly Cost[][]): Cost[] {
  return first.map((cost, step) => ({
    ...cost,
    cpu: Math.min(cost.cpu, ...others.map((round) => round[step]?.cpu ?? Infinity)),
  }))
}

function figure({ name, step, cpu, bytes }: Cost, costs: readonly Cost[], perByte: number): Figure {
  const others = costs.filter((other) => other.step === step && other.name !== name).map(({ cpu }) => cpu)
  const size = bytes > SHORT ? `, ${Math.round(bytes / 1_024)} kB` : ''
  return {
    name: `http: CPU per ${step}, ${name}${size}`,
    value: cpu,
    unit: 'us',
    target: { atMost: Math.round(MOST * median(others) + perByte * bytes) },
  }
}

/** Measures with new tasks, which it removes. */
async function costsOf(server: Server, request: ServiceRequest): Promise<Cost[]> {
  const { name, create, body, headers, id: field = 'id', polls, pollBody } = request
  const origin = `http://127.0.0.1:${server.port}`
  const send = async (path: string, body?: object): Promise<string> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(origin + path, { headers, ...init })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${name}: expected a success, got ${answer.status} ${text.slice(0, 300)}`)
    return text
  }
  const control = (path: string, body: object) =>
    fetch(`${origin}/_sim${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((answer) => answer.arrayBuffer())
  let bytes = 0
  const cpuOf = async (count: number, run: () => Promise<string>): Promise<number> => {
    const begin = preciseCpuTimeOf(server.pid)
    for (let number = 0; number < count; number++) bytes = (await run()).length
    return ((preciseCpuTimeOf(server.pid) - begin) * 1_000) / count
  }
  const polled: (() => Promise<string>)[] = []
  const cpu = await cpuOf(TASKS, async () => {
    const text = await send(create, body)
    const id = String(valueAt(JSON.parse(text), field))
    polled.push(() => send(polls(id), pollBody?.(id)))
    return text
  })
  const costs: Cost[] = [{ name, step: 'create', cpu, bytes }]
  const poll = async (number: number) => (await polled[number % TASKS]?.()) ?? ''
  for (const step of ['poll before the end', 'poll after the end'] as const) {
    // An answer may have files, which the first poll renders.
    const some = step === 'poll before the end' ? TASKS : TASKS / 10
    for (let number = 0; number < some; number++) await poll(number)
    let number = 0
    const cpu = await cpuOf(some * POLLS, () => poll(number++ % some))
    costs.push({ name, step, cpu, bytes })
    await control('/clock', { advance: '50m' })
  }
  await control('/reset', {})
  return costs
}

/** The CPU time to send a byte, in microseconds: that of a file, which the server has in memory. */
async function costOfByte(server: Server): Promise<number> {
  const origin = `http://127.0.0.1:${server.port}`
  const headers = { authorization: 'Bearer sk_files', 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves', size: '2048x2048' } })
  const { id } = await (await fetch(`${origin}/api/v1/tasks`, { method: 'POST', headers, body })).json()
  await (await fetch(`${origin}/_sim/clock`, { method: 'POST', headers, body: '{"advance":"1h"}' })).text()
  const text = await (await fetch(`${origin}/api/v1/tasks/${id}`, { headers })).text()
  const [url = ''] = /http[^"]*\/files\/[^"]*/.exec(text) ?? []
  const download = async () => (await (await fetch(url)).arrayBuffer()).byteLength
  const size = await download()
  const begin = preciseCpuTimeOf(server.pid)
  for (let count = 0; count < 100; count++) await download()
  return ((preciseCpuTimeOf(server.pid) - begin) * 1_000) / 100 / size
}

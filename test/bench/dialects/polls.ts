import type { Dialect } from '../../../src/dialects/dialect.js'
import { fillPath, pathValues } from '../../../src/dialects/requests/address.js'
import { isPoll } from '../../../src/dialects/requests/poll-request.js'
import type { ApiRequest } from '../../../src/exchange/exchange.js'
import type { Simulator } from '../../../src/index.js'
import { cpuPerAnswer } from '../filled.js'
import { inputOf, KEY, MODEL } from '../traffic.js'

/** The dialect whose polls the others are compared with. */
export const MAIN = 'tasks'
/** The states of a task whose polls are measured. */
export const STATES = ['running', 'ended'] as const
type State = (typeof STATES)[number]

/** Microseconds of CPU for a poll, by the name of the dialect and the state of the task. */
export type Round = Readonly<Record<State, Readonly<Record<string, number>>>>

const TASKS = 100
const SWEEPS = 40
/** In milliseconds. It changes the progress of every task, as between the polls of a client. */
const BETWEEN_SWEEPS = 100
/** So long that no task ends while it is polled. */
const DURATION = '10m'

/** The scenario of the measurement. */
export const SCENARIO = { defaults: { delay: DURATION } } as const

/** Polls tasks of all dialects in turn, while they run and after they have ended. */
export async function measurePolls(sim: Simulator): Promise<Round> {
  const polls = new Map<string, ApiRequest[]>()
  for (const name of sim.dialects.names) polls.set(name, await pollsOfNewTasks(sim, name))
  const running = await sweep(sim, polls)
  await sim.clock.advance(DURATION)
  const ended = await sweep(sim, polls)
  await sim.reset()
  return { running, ended }
}

async function pollsOfNewTasks(sim: Simulator, name: string): Promise<ApiRequest[]> {
  const dialect = await sim.dialects.load(name)
  const pathOf = pollPath(dialect)
  const polls: ApiRequest[] = []
  for (let number = 0; number < TASKS; number++) {
    const order = { owner: KEY, dialect: name, model: MODEL, input: inputOf(number) }
    const { id } = await sim.create({ ...order, webhookUrl: undefined, origin: '' })
    polls.push(pollRequest(pathOf(id), dialect))
  }
  return polls
}

/** The order changes from sweep to sweep, so that a machine that slows down affects all dialects equally. */
async function sweep(sim: Simulator, polls: ReadonlyMap<string, ApiRequest[]>) {
  const costs: Record<string, number> = {}
  const names = [...polls.keys()]
  for (let count = 0; count < SWEEPS; count++) {
    await sim.clock.advance(BETWEEN_SWEEPS)
    for (const name of names.reverse()) {
      const requests = (polls.get(name) ?? []).values()
      const cost = await cpuPerAnswer(sim, TASKS, () => requests.next().value as ApiRequest)
      costs[name] = (costs[name] ?? 0) + cost / SWEEPS
    }
  }
  return costs
}

/** The path of the first operation that reads a task and does not wait. */
function pollPath(dialect: Dialect): (id: string) => string {
  const { name, table } = dialect
  const poll = table.operations.find(isPoll)
  if (poll === undefined) throw new Error(`The dialect ${name} has no operation that reads a task.`)
  const path = (name === MAIN ? '' : `/${name}`) + (table.prefix ?? '') + poll.path
  const values = pathValues(dialect, {})
  return (id) => fillPath(path, { ...values, task_id: id })
}

function pollRequest(path: string, { key, requiredHeaders = new Map() }: Dialect): ApiRequest {
  const others = [...requiredHeaders.keys()].map((name) => [name, 'any'])
  const headers: Readonly<Record<string, string>> = {
    ...Object.fromEntries(others),
    [key.header.toLowerCase()]: key.scheme === undefined ? KEY : `${key.scheme} ${KEY}`,
  }
  return {
    method: 'GET',
    path,
    query: '',
    // Over plain HTTP, some dialects answer with the files themselves instead of their URLs.
    origin: 'https://tasksim.test',
    header: (name) => headers[name],
    body: async () => new Uint8Array(),
  }
}

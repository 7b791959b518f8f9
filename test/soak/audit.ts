import type { StateShape } from '../../src/api/control/shapes.js'
import type { Control } from '../../src/client/index.js'
import type { Tally } from '../bench/webhooks/receiver.js'
import { allTasks, type Listed } from './all-tasks.js'
import type { Clients } from './clients.js'

const TERMINAL = ['succeeded', 'failed', 'canceled']
const MICRO = 1_000_000

/** What came of it all, counted from outside. */
export interface Audit {
  readonly counts: Readonly<Record<string, number>>
  /** What does not add up. */
  readonly wrong: readonly string[]
}

/** A sentence that is true where all is well, and what to say where it is not. */
type Check = readonly [isWell: boolean, complaint: string]

/** Counts what there is against what clients and receiver were told. */
export async function audit(
  port: number,
  control: Control,
  clients: Clients,
  receiver: Tally,
): Promise<Audit> {
  const lists = new Map<string, readonly Listed[]>()
  for (const key of clients.told.keys()) lists.set(key, await allTasks(port, key))
  const all = [...lists.values()].flat()
  const state = await control.state()
  const checks = [...checksOfTasks(lists, clients), ...checksOfState(all, state, receiver)]
  return {
    counts: {
      tasks: all.length,
      'creations without an answer': clients.lost,
      'requests without an answer': clients.disturbed,
      'webhooks received': receiver.received,
      'forged ones': receiver.forged,
      ...state.deliveries,
      'US dollars': state.spent_usd,
    },
    wrong: checks.filter(([isWell]) => !isWell).map(([, complaint]) => complaint),
  }
}

/** Whether there is every task that clients were told of, in its key's list, and none that nobody asked for. */
function checksOfTasks(lists: ReadonlyMap<string, readonly Listed[]>, { told, lost }: Clients): Check[] {
  const all = [...lists.values()].flat()
  const known = [...told.values()].reduce((sum, { size }) => sum + size, 0)
  const missing = [...told].flatMap(([key, ids]) => {
    const listed = new Set(lists.get(key)?.map(({ id }) => id))
    return [...ids].filter((id) => !listed.has(id))
  })
  const open = all.filter(({ status }) => !TERMINAL.includes(status))
  const extra = all.length - (known - missing.length)
  return [
    [missing.length === 0, `${missing.length} tasks that clients were told of are in no list`],
    [new Set(all.map(({ id }) => id)).size === all.length, 'a task is listed twice'],
    [open.length === 0, `${open.length} tasks have not ended`],
    [extra <= lost, `${extra} tasks that no client was told of; ${lost} creations had no answer`],
  ]
}

/** Whether the control API and the receiver have counted the same. */
function checksOfState(all: readonly Listed[], state: StateShape, receiver: Tally): Check[] {
  const { delivered = 0, given_up: givenUp = 0, lost = 0, pending = 0 } = state.deliveries
  const ended = TERMINAL.reduce((sum, status) => sum + (state.tasks[status] ?? 0), 0)
  const heard = new Set(receiver.ids)
  const untold = all.filter(({ id }) => !heard.has(id)).length
  const cost = all.reduce((sum, task) => sum + Math.round((task.cost_usd ?? 0) * MICRO), 0) / MICRO
  return [
    [ended === all.length, `${all.length} tasks are listed, but ${ended} are said to have ended`],
    [pending === 0, `${pending} webhooks have come to no end`],
    [receiver.accepted === delivered, `${receiver.accepted} webhooks were accepted, but ${delivered} count`],
    [untold <= lost + givenUp, `${untold} tasks were never told; ${lost} webhooks were lost on purpose`],
    [cost === state.spent_usd, `the tasks cost ${cost}, but ${state.spent_usd} is said to be spent`],
  ]
}

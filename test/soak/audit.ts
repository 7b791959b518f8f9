import type { Control, StateShape, TaskBriefShape } from '../../src/client/index.js'
import type { Tally } from '../bench/webhooks/receiver.js'
import { allTasks } from './all-tasks.js'
import { type Census, ENDED } from './census.js'
import type { Clients } from './clients.js'

const MICRO = 1_000_000

/** Whoever has something to say of what came of it all. */
export interface Witnesses {
  readonly port: number
  readonly control: Control
  readonly clients: Clients
  readonly census: Census
  readonly receiver: Tally
}

/** What came of it all, counted from outside. */
export interface Audit {
  readonly counts: Readonly<Record<string, number>>
  /** What does not add up. */
  readonly wrong: readonly string[]
}

/** A sentence that is true where all is well, and what to say where it is not. */
type Check = readonly [isWell: boolean, complaint: string]

/**
 * Counts what there is, and was, against what clients and receiver were told.
 * @param keep how many tasks the server is to have left
 */
export async function audit(witnesses: Witnesses, keep: number): Promise<Audit> {
  const { port, control, clients, census, receiver } = witnesses
  const listed = await census.take({ isWhole: true })
  const all = [...census.tasks.values()]
  const state = await control.state()
  const checks = [
    ...checksOfTasks(census, clients),
    ...checksOfState(all, state, receiver),
    ...(await checksOfLists(port, clients, listed)),
    [listed === Math.min(keep, all.length), `${listed} of ${all.length} tasks are kept, and not ${keep}`],
  ] satisfies Check[]
  return {
    counts: {
      tasks: all.length,
      'of them kept': listed,
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

/** Whether there was every task that clients were told of, and none that nobody asked for. */
function checksOfTasks({ tasks, open }: Census, { told, lost }: Clients): Check[] {
  const known = [...told.values()].flatMap((ids) => [...ids])
  const missing = known.filter((id) => !tasks.has(id)).length
  const extra = tasks.size - (known.length - missing)
  return [
    [missing === 0, `${missing} tasks that clients were told of were in no list`],
    [new Set(known).size === known.length, 'two creations were answered with the same task'],
    [open.length === 0, `${open.length} tasks have not ended`],
    [extra <= lost, `${extra} tasks that no client was told of; ${lost} creations had no answer`],
  ]
}

/** Whether each key lists its own tasks, as far as they are kept, and all of them together what there is. */
async function checksOfLists(port: number, { told }: Clients, listed: number): Promise<Check[]> {
  const lists = await Promise.all([...told.keys()].map((key) => allTasks(port, key)))
  const ids = lists.flat().map(({ id }) => id)
  const strangers = [...told.values()].flatMap((own, place) => {
    const others = new Set(lists.flatMap((list, other) => (other === place ? [] : list.map(({ id }) => id))))
    return [...own].filter((id) => others.has(id))
  })
  return [
    [strangers.length === 0, `${strangers.length} tasks are in the list of a key that did not make them`],
    [new Set(ids).size === ids.length, 'a task is listed twice'],
    [ids.length === listed, `${listed} tasks are kept, but keys list ${ids.length}`],
  ]
}

/** Whether the control API and the receiver have counted the same. */
function checksOfState(all: readonly TaskBriefShape[], state: StateShape, receiver: Tally): Check[] {
  const { delivered = 0, given_up: givenUp = 0, lost = 0, pending = 0 } = state.deliveries
  const ended = ENDED.reduce((sum, status) => sum + (state.tasks[status] ?? 0), 0)
  const heard = new Set(receiver.ids)
  const untold = all.filter(({ id }) => !heard.has(id)).length
  const cost = all.reduce((sum, task) => sum + Math.round((task.cost_usd ?? 0) * MICRO), 0) / MICRO
  return [
    [ended === all.length, `${all.length} tasks were listed, but ${ended} are said to have ended`],
    [pending === 0, `${pending} webhooks have come to no end`],
    [receiver.accepted === delivered, `${receiver.accepted} webhooks were accepted, but ${delivered} count`],
    [untold <= lost + givenUp, `${untold} tasks were never told; ${lost} webhooks were lost on purpose`],
    [cost === state.spent_usd, `the tasks cost ${cost}, but ${state.spent_usd} is said to be spent`],
  ]
}

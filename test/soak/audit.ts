import type { Control, StateShape, TaskBriefShape } from '../../src/client/index.js'
import type { Tally } from '../bench/webhooks/receiver.js'
import { allTasks } from './all-tasks.js'
import { type Census, ENDED } from './census.js'
import type { Clients } from './clients.js'

const MICRO = 1_000_000

/** The parties whose records the audit compares. */
export interface AuditSources {
  readonly port: number
  readonly control: Control
  readonly clients: Clients
  readonly census: Census
  readonly receiver: Tally
}

/** The result of an audit from outside. */
export interface Audit {
  readonly counts: Readonly<Record<string, number>>
  /** The differences. */
  readonly wrong: readonly string[]
}

/** A condition, and the complaint if it does not hold. */
type Check = readonly [isWell: boolean, complaint: string]

/**
 * Compares the tasks of the server with the records of clients and receiver.
 * @param keep the number of ended tasks that the server keeps
 */
export async function audit(sources: AuditSources, keep: number): Promise<Audit> {
  const { port, control, clients, census, receiver } = sources
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
    wrong: checks.filter(([isOk]) => !isOk).map(([, complaint]) => complaint),
  }
}

/** Checks that every task known to clients existed, and that no other did. */
function checksOfTasks({ tasks, open }: Census, { created, lost }: Clients): Check[] {
  const known = [...created.values()].flatMap((ids) => [...ids])
  const missing = known.filter((id) => !tasks.has(id)).length
  const extra = tasks.size - (known.length - missing)
  return [
    [missing === 0, `${missing} tasks that clients were told of were in no list`],
    [new Set(known).size === known.length, 'two creations were answered with the same task'],
    [open.length === 0, `${open.length} tasks have not ended`],
    [extra <= lost, `${extra} tasks that no client was told of; ${lost} creations had no answer`],
  ]
}

/** Checks that each key lists its own stored tasks, and that all keys together list all tasks. */
async function checksOfLists(port: number, { created }: Clients, listed: number): Promise<Check[]> {
  const lists = await Promise.all([...created.keys()].map((key) => allTasks(port, key)))
  const ids = lists.flat().map(({ id }) => id)
  const foreign = [...created.values()].flatMap((own, place) => {
    const others = new Set(lists.flatMap((list, other) => (other === place ? [] : list.map(({ id }) => id))))
    return [...own].filter((id) => others.has(id))
  })
  return [
    [foreign.length === 0, `${foreign.length} tasks are in the list of a key that did not make them`],
    [new Set(ids).size === ids.length, 'a task is listed twice'],
    [ids.length === listed, `${listed} tasks are kept, but keys list ${ids.length}`],
  ]
}

/** Checks that the control API and the receiver have the same counts. */
function checksOfState(all: readonly TaskBriefShape[], state: StateShape, receiver: Tally): Check[] {
  const { delivered = 0, given_up: givenUp = 0, lost = 0, pending = 0 } = state.deliveries
  const ended = ENDED.reduce((sum, status) => sum + (state.tasks[status] ?? 0), 0)
  const receivedIds = new Set(receiver.ids)
  const undelivered = all.filter(({ id }) => !receivedIds.has(id)).length
  const cost = all.reduce((sum, task) => sum + Math.round((task.cost_usd ?? 0) * MICRO), 0) / MICRO
  return [
    [ended === all.length, `${all.length} tasks were listed, but ${ended} count as ended`],
    [pending === 0, `${pending} webhooks are still pending`],
    [
      receiver.accepted === delivered,
      `${receiver.accepted} webhooks were accepted, but ${delivered} count as delivered`,
    ],
    [
      undelivered <= lost + givenUp,
      `${undelivered} tasks had no webhook; ${lost} webhooks were lost on purpose`,
    ],
    [cost === state.spent_usd, `the tasks cost ${cost}, but ${state.spent_usd} counts as spent`],
  ]
}

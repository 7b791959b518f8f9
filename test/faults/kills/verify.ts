import { expectThat } from '../../support/check.js'
import type { Traffic } from './traffic.js'
import type { WebhookReceiver } from './webhook-receiver.js'

/** What a client, its receiver and the ledger show in the end. */
export interface Evidence {
  readonly traffic: Traffic
  readonly receiver: WebhookReceiver
  /** The exported state, as JSON Lines. */
  readonly state: string
}

/** Throws unless every acknowledged task has ended once, was billed once, was announced, and is stored as it was seen. */
export function verify({ traffic, receiver, state }: Evidence): void {
  const { tasks, contradictions } = traffic
  expectThat(contradictions.length === 0, contradictions.slice(0, 5).join('; '))
  const unfinished = tasks.filter(({ seen }) => seen === undefined)
  expectThat(
    unfinished.length === 0,
    `${unfinished.length} tasks have not ended, such as ${unfinished[0]?.id}`,
  )
  const silent = tasks.filter(({ id }) => (receiver.tasks.get(id)?.accepted ?? 0) === 0)
  expectThat(silent.length === 0, `${silent.length} tasks without a webhook, such as ${silent[0]?.id}`)
  const ends = new Map(tasks.map(({ id, seen }) => [id, seen]))
  for (const [id, { bodies, states }] of receiver.tasks) {
    expectThat(bodies.size === 1, `${id} has webhooks with ${bodies.size} bodies`)
    const seen = ends.get(id)
    expectThat(seen === undefined || states.has(seen), `${id} is ${seen}, its webhook says ${[...states]}`)
  }
  const stored = storedTasks(rowsOf(state))
  for (const { id, seen } of tasks)
    expectThat(stored.get(id)?.status === seen, `${id} is ${seen}, and stored as ${stored.get(id)?.status}`)
  verifyBills(rowsOf(state), stored)
}

/** A line of an exported state. */
interface ExportedRow {
  readonly kind?: string
  readonly seq?: number
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own content
  readonly value?: any
}

/** A task in the ledger. */
interface StoredTask {
  readonly owner: string
  readonly status: string
  readonly cost: number
}

/** The tasks in the ledger, by id. */
function storedTasks(rows: readonly ExportedRow[]): Map<string, StoredTask> {
  const courses = new Map(rows.filter(({ kind }) => kind === 'course').map((row) => [row.seq, row.value]))
  return new Map(
    rows
      .filter(({ kind }) => kind === 'task')
      .map(({ seq, value: { id, owner, course } }) => {
        const { status, cost = 0 } = courses.get(seq) ?? course
        return [id, { owner, status, cost }]
      }),
  )
}

/** What the keys have spent must be the sum of the costs of their tasks. */
function verifyBills(rows: readonly ExportedRow[], stored: ReadonlyMap<string, StoredTask>): void {
  const costs = new Map<string, number>()
  for (const { owner, cost } of stored.values()) costs.set(owner, (costs.get(owner) ?? 0) + cost)
  const spent = rows.filter(({ kind }) => kind === 'spent').map(({ value }) => value)
  for (const [, key, amount] of spent) {
    expectThat(costs.get(key) === amount, `${key} was charged ${amount}, its tasks cost ${costs.get(key)}`)
  }
  expectThat(spent.length > 0, 'Expected that keys were charged')
}

function rowsOf(state: string): ExportedRow[] {
  return state
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedRow)
}

import { toDollars } from '../engine/tasks/pricing.js'
import type { Task } from '../engine/tasks/task.js'
import type { Simulator } from '../index.js'

/** A task, as the API shows it or as the simulator keeps it. */
export interface TaskLike {
  readonly id?: unknown
  readonly model?: unknown
  readonly status: string
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null | undefined
  /** US dollars, as the API shows it. */
  readonly cost_usd?: unknown
  /** Micro-dollars, as the simulator keeps it. */
  readonly cost?: unknown
}

export function isSimulator(received: unknown): received is Simulator {
  return isObject(received) && typeof received['findings'] === 'function' && 'journal' in received
}

/**
 * The tasks that an assertion is about: the one given, or all that the simulator has made.
 * @throws TypeError where it is neither
 */
export function tasksIn(received: unknown, matcher: string): readonly TaskLike[] {
  if (isSimulator(received)) return tasksOf(received)
  if (isObject(received) && typeof received['status'] === 'string') return [received as unknown as TaskLike]
  throw new TypeError(
    `${matcher} expects a task, as the API shows it, or a simulator; got ${JSON.stringify(received) ?? String(received)}`,
  )
}

/** The tasks of a simulator in their latest states, oldest first. */
function tasksOf({ journal }: Simulator): readonly Task[] {
  const latest = new Map<string, Task>()
  for (const entry of journal.entries()) if (entry.type === 'task') latest.set(entry.task.id, entry.task)
  return [...latest.values()]
}

/** What a task has cost, in US dollars; undefined where it has not ended. */
export function costOf({ cost, cost_usd: usd }: TaskLike): number | undefined {
  if (typeof usd === 'number') return usd
  return typeof cost === 'number' ? toDollars(cost) : undefined
}

/** A task for a message: which one it is, and how it stands. */
export function describeTask({ id, model, status, error }: TaskLike): string {
  const name = [id, model === undefined ? undefined : `(${model})`].filter((part) => part !== undefined)
  const reason = error ? `: ${error.code}: ${error.message}` : ''
  return `${name.length === 0 ? 'the task' : name.join(' ')} is ${status}${reason}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

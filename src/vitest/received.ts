import { toDollars } from '../engine/tasks/pricing.js'
import type { Task } from '../engine/tasks/task.js'
import type { Simulator } from '../library/build-simulator.js'

/** A task from the API or from the simulator. */
export interface TaskLike {
  readonly id?: unknown
  readonly model?: unknown
  readonly status: string
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null | undefined
  /** US dollars, in a task from the API. */
  readonly cost_usd?: unknown
  /** Micro-dollars, in a task from the simulator. */
  readonly cost?: unknown
}

export function isSimulator(received: unknown): received is Simulator {
  return isObject(received) && typeof received['findings'] === 'function' && 'journal' in received
}

/**
 * The received task, or all tasks of the received simulator.
 * @throws TypeError for any other value
 */
export function tasksIn(received: unknown, matcher: string): readonly TaskLike[] {
  if (isSimulator(received)) return tasksOf(received)
  if (isObject(received) && typeof received['status'] === 'string') return [received as unknown as TaskLike]
  throw new TypeError(`${matcher} expects a task from the API or a simulator; got ${format(received)}`)
}

/** The latest states of all tasks of a simulator, oldest first. */
function tasksOf({ journal }: Simulator): readonly Task[] {
  const latest = new Map<string, Task>()
  for (const entry of journal.entries()) if (entry.type === 'task') latest.set(entry.task.id, entry.task)
  return [...latest.values()]
}

/** The cost of a task in US dollars; undefined while it is running. */
export function costOf({ cost, cost_usd: usd }: TaskLike): number | undefined {
  if (typeof usd === 'number') return usd
  return typeof cost === 'number' ? toDollars(cost) : undefined
}

/** The id, model, status and error of a task, for a message. */
export function describeTask({ id, model, status, error }: TaskLike): string {
  const name = [id, model === undefined ? undefined : `(${model})`].filter((part) => part !== undefined)
  const reason = error ? `: ${error.code}: ${error.message}` : ''
  return `${name.length === 0 ? 'the task' : name.join(' ')} is ${status}${reason}`
}

/** A value as JSON, for a message. */
export function format(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

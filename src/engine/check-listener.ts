import { describeValue, UsageError } from './errors.js'
import type { SimulatorEvents } from './events.js'
import { suggest } from './suggest.js'

/** The names of the events for users. */
const EVENT_NAMES = [
  'task.created',
  'task.started',
  'task.finished',
  'task.erased',
  'task.forgotten',
  'delivery.opened',
  'delivery.attempted',
  'receiver.switched_off',
  'file.downloaded',
  'request.answered',
  'request.refused',
  'error',
] as const

/** The compiler rejects a list without the name of an event. */
type Complete<Names extends readonly string[]> = keyof SimulatorEvents extends Names[number] ? Names : never

/**
 * Checks a listener, for callers without TypeScript.
 * @throws UsageError if there is no such event, or the listener is not a function
 */
export function checkListener(name: string, listener: unknown): void {
  const names: readonly string[] = EVENT_NAMES satisfies Complete<typeof EVENT_NAMES>
  if (!names.includes(name))
    throw new UsageError(`on() knows no event ${describeValue(name)}: ${suggest(String(name), names)}`)
  if (typeof listener !== 'function')
    throw new UsageError(`on() expects a function, got ${describeValue(listener)}`)
}

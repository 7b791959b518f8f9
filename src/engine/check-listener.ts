import { describeValue, UsageError } from './errors.js'
import type { SimulatorEvents } from './events.js'
import { suggest } from './suggest.js'

/** The names of all events. */
const EVENT_NAMES = [
  'task.created',
  'task.placed',
  'task.started',
  'task.polled',
  'task.held',
  'task.released',
  'task.progressed',
  'task.shown',
  'task.finished',
  'task.overdue',
  'task.erased',
  'task.forgotten',
  'delivery.opened',
  'delivery.waits',
  'delivery.attempted',
  'delivery.ended',
  'delivery.forgotten',
  'receivers.changed',
  'receiver.switched_off',
  'upload.changed',
  'upload.part_changed',
  'sandbox.created',
  'sandbox.deleted',
  'file.downloaded',
  'request.answered',
  'request.refused',
  'control.used',
  'client.observed',
  'reset.begins',
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

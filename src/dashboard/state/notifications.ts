import { signal } from '@preact/signals'
import { ControlError } from '../../client/call.js'

/** A message that disappears after a few seconds. */
export interface Notification {
  readonly id: number
  readonly tone: 'good' | 'bad'
  readonly text: string
  /** How often it occurred. */
  readonly times: number
}

const DURATION = 6_000
const MAX_WAITING = 4

/** The messages that have not disappeared, the latest last. */
export const notifications = signal<readonly Notification[]>([])
let last = 0

export function dismiss(id: number): void {
  notifications.value = notifications.value.filter((notification) => notification.id !== id)
}

/** Shows a message. A repeated message is counted instead of being shown again. */
export function notify(tone: Notification['tone'], text: string): void {
  last += 1
  const id = last
  const same = notifications.value.find((each) => each.text === text)
  const others = notifications.value.filter((each) => each !== same)
  notifications.value = [...others, { id, tone, text, times: (same?.times ?? 0) + 1 }].slice(-MAX_WAITING)
  setTimeout(() => dismiss(id), DURATION)
}

/**
 * Runs an action on the server, and shows an error if it fails.
 * @param done the message to show on success
 * @returns the result; undefined after an error
 */
export async function runAction<Value>(
  action: () => Promise<Value>,
  done?: string,
): Promise<Value | undefined> {
  try {
    const value = await action()
    if (done !== undefined) notify('good', done)
    return value
  } catch (error) {
    notify('bad', describeError(error))
    return undefined
  }
}

export function describeError(error: unknown): string {
  if (error instanceof TypeError) return 'The server does not answer. Is it still running?'
  return error instanceof Error ? error.message : String(error)
}

/** Why the server does not accept what a person has given. */
export interface Flaw {
  readonly message: string
  /** The field of the request to the control API, if there is one to blame. */
  readonly field: string | undefined
}

export function flawOf(error: unknown): Flaw {
  const param = error instanceof ControlError ? error.details['param'] : undefined
  return { message: describeError(error), field: typeof param === 'string' ? param : undefined }
}

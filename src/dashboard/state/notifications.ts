import { signal } from '@preact/signals'

/** A message that disappears after a few seconds. */
export interface Notification {
  readonly id: number
  readonly tone: 'good' | 'bad'
  readonly text: string
}

const DURATION = 6_000

export const notifications = signal<readonly Notification[]>([])
let last = 0

export function dismiss(id: number): void {
  notifications.value = notifications.value.filter((notification) => notification.id !== id)
}

export function notify(tone: Notification['tone'], text: string): void {
  last += 1
  const id = last
  notifications.value = [...notifications.value.slice(-3), { id, tone, text }]
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

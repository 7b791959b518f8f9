import { signal } from '@preact/signals'

/** Something that the page has to say for a moment. */
export interface Notice {
  readonly id: number
  readonly tone: 'good' | 'bad'
  readonly text: string
}

const LASTS = 6_000

export const notices = signal<readonly Notice[]>([])
let last = 0

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

export function tell(tone: Notice['tone'], text: string): void {
  last += 1
  const id = last
  notices.value = [...notices.value.slice(-3), { id, tone, text }]
  setTimeout(() => dismiss(id), LASTS)
}

/**
 * Does something on the server, and says what went wrong where something did.
 * @returns what came back; undefined where it failed
 */
export async function attempt<Value>(
  action: () => Promise<Value>,
  done?: string,
): Promise<Value | undefined> {
  try {
    const value = await action()
    if (done !== undefined) tell('good', done)
    return value
  } catch (error) {
    tell('bad', wordsOf(error))
    return undefined
  }
}

/** Why something failed, for a person. */
export function wordsOf(error: unknown): string {
  if (error instanceof TypeError) return 'The server does not answer. Is it still running?'
  return error instanceof Error ? error.message : String(error)
}

/** The body of a webhook. */
export interface TaskEvent {
  readonly event: string
  readonly task: { readonly id: string; readonly status: string; readonly output?: Record<string, unknown> }
}

/** Parses an event; returns undefined if the text is not an event. */
export function parseEvent(text: string): TaskEvent | undefined {
  try {
    const event = JSON.parse(text)
    return typeof event.event === 'string' && typeof event.task.id === 'string' ? event : undefined
  } catch {
    return undefined
  }
}

const stored = new Map<string, TaskEvent>()

/** Stores an event once. In production, use an insert with `on conflict do nothing`. */
export async function storeEvent(event: TaskEvent): Promise<void> {
  const key = `${event.task.id} ${event.event}`
  if (!stored.has(key)) stored.set(key, event)
}

/** Returns all stored events. */
export async function allEvents(): Promise<readonly TaskEvent[]> {
  return [...stored.values()]
}

/** Deletes all stored events. */
export async function deleteAllEvents(): Promise<void> {
  stored.clear()
}

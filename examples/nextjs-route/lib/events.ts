/** What a webhook tells. */
export interface TaskEvent {
  readonly event: string
  readonly task: { readonly id: string; readonly status: string; readonly output?: Record<string, unknown> }
}

/** Reads an event, or gives undefined for what is none. */
export function readEvent(text: string): TaskEvent | undefined {
  try {
    const event = JSON.parse(text)
    return typeof event.event === 'string' && typeof event.task.id === 'string' ? event : undefined
  } catch {
    return undefined
  }
}

const remembered = new Map<string, TaskEvent>()

/** Remembers an event once, however often it comes. Stands for an insert with `on conflict do nothing`. */
export async function remember(event: TaskEvent): Promise<void> {
  const key = `${event.task.id} ${event.event}`
  if (!remembered.has(key)) remembered.set(key, event)
}

/** All events that are remembered. */
export async function allEvents(): Promise<readonly TaskEvent[]> {
  return [...remembered.values()]
}

/** Forgets everything. */
export async function forgetAll(): Promise<void> {
  remembered.clear()
}

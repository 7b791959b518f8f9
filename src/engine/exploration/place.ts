import type { OperationName } from '../requests/operations.js'
import type { Status } from '../tasks/task.js'
import type { TaskEvent } from '../webhooks/events/task-event.js'

/**
 * Where something can go wrong in a run of a client: a request, a webhook event, a task, an output file, or the whole
 * service from a request on.
 */
export type Place =
  | RequestPlace
  | { readonly type: 'webhook'; readonly event: TaskEvent; readonly task: TaskNumber }
  | { readonly type: 'task'; readonly task: TaskNumber }
  | { readonly type: 'file'; readonly task: TaskNumber; readonly file: number }
  | { readonly type: 'service'; readonly from: RequestPlace }

/** A request: by its operation, its task, and the state of the task that the answer would show. */
export interface RequestPlace {
  readonly type: 'request'
  readonly operation: OperationName
  /** The number of its task or, if the request is about no single task, its own among those of the operation. */
  readonly number: TaskNumber | undefined
  /** The state that the answer would show; for a list, the states of the client's tasks, joined by `-`. */
  readonly shows: Status | (string & Record<never, never>) | undefined
  /** From 2, for a request at this place after one with a deviation. */
  readonly again: number | undefined
}

/**
 * The number of a task in the baseline, from 1. A task that exists only because of a deviation has the number of the task
 * that it repeats and, from 2, its own number among the equal ones: `1'2`.
 */
export type TaskNumber = `${number}` | `${number}'${number}`

const NUMBER = "\\d+(?:'\\d+)?"
const FORMS = {
  webhook: new RegExp(`^webhook:(task\\.[a-z]+)#(${NUMBER})$`),
  task: new RegExp(`^task#(${NUMBER})$`),
  file: new RegExp(`^file#(${NUMBER})\\.(\\d+)$`),
  request: new RegExp(`^([a-z]+\\.[a-z_]+)(?:#(${NUMBER}))?(?:\\.([a-z-]+))?(?:'(\\d+))?$`),
}

/**
 * Writes a place, such as `tasks.create#1`, `tasks.retrieve#1.processing`, `webhook:task.succeeded#1`, `task#1` or
 * `file#1.0`.
 */
export function writePlace(place: Place): string {
  switch (place.type) {
    case 'webhook':
      return `webhook:${place.event}#${place.task}`
    case 'task':
      return `task#${place.task}`
    case 'file':
      return `file#${place.task}.${place.file}`
    case 'service':
      return `service@${writePlace(place.from)}`
    case 'request': {
      const { operation, number, shows, again } = place
      return `${operation}${number === undefined ? '' : `#${number}`}${shows === undefined ? '' : `.${shows}`}${again === undefined ? '' : `'${again}`}`
    }
  }
}

/** Reads a place. @returns undefined if the text has another form */
export function readPlace(text: string): Place | undefined {
  if (text.startsWith('service@')) {
    const from = readPlace(text.slice('service@'.length))
    return from?.type === 'request' ? { type: 'service', from } : undefined
  }
  const webhook = FORMS.webhook.exec(text)
  if (webhook !== null)
    return { type: 'webhook', event: webhook[1] as TaskEvent, task: webhook[2] as TaskNumber }
  const task = FORMS.task.exec(text)
  if (task !== null) return { type: 'task', task: task[1] as TaskNumber }
  const file = FORMS.file.exec(text)
  if (file !== null) return { type: 'file', task: file[1] as TaskNumber, file: Number(file[2]) }
  const request = FORMS.request.exec(text)
  if (request === null) return undefined
  const [, operation, number, shows, again] = request
  return {
    type: 'request',
    operation: operation as OperationName,
    number: number as TaskNumber | undefined,
    shows,
    again: again === undefined ? undefined : Number(again),
  }
}

import type { Outputs } from '../../assets/outputs.js'
import { type Awaitable, after } from '../../awaitable.js'
import type { Clock } from '../../clock/clock.js'
import type { LivePart } from '../../progress/live-part.js'
import type { Task } from '../../tasks/task.js'
import type { EventContent } from '../deliveries/delivery.js'
import type { TaskAtEvent, WebhookFormat } from '../webhook-format.js'
import type { TaskEvent } from './task-event.js'

/** An event, and the service's name for it. */
export interface NamedEvent {
  readonly event: TaskEvent
  readonly name: string
}

const encoder = new TextEncoder()

/** Writes the contents of events. */
export class EventContents {
  readonly #clock: Clock
  readonly #outputs: Outputs
  readonly #live: LivePart

  /** @param live shows tasks before their end */
  constructor({ clock, outputs, live }: { clock: Clock; outputs: Outputs; live: LivePart }) {
    this.#clock = clock
    this.#outputs = outputs
    this.#live = live
  }

  /**
   * Writes an event of a task, as the task is now.
   * @returns a promise only if the result of the task must be produced first
   */
  of(named: NamedEvent, task: Task, format: WebhookFormat): Awaitable<EventContent> {
    const { event } = named
    if (event !== 'task.output' && event !== 'task.logs') return this.#contentOf(named, task, format)
    const result = this.#live.of(task.dialect)?.progress.partialResultOf(task)
    return after(result, (result) => this.#contentOf(named, { ...task, result }, format))
  }

  /** @param task with as much of its result as is ready, if it has not ended */
  #contentOf(named: NamedEvent, task: Task, format: WebhookFormat): EventContent {
    const state = this.#stateOf(task)
    if (task.plan.recorded === undefined) return contentOf(named, state, format)
    return contentOf(
      named,
      state,
      format,
      (name, state) => this.#recordedBody(name, state) ?? format.body(name, state),
    )
  }

  /** The body that a real service sent about the task that this one repeats. */
  #recordedBody(name: string, { task, at }: TaskAtEvent): Uint8Array<ArrayBuffer> | undefined {
    const urlOf = (file: number) => this.#outputs.urlOf(task, file, task.origin, at)
    const text = task.plan.recorded?.webhook(name, { task, now: at, urlOf })
    return text === undefined ? undefined : encoder.encode(text)
  }

  #stateOf(task: Task): TaskAtEvent {
    const at = task.completedAt ?? this.#clock.now()
    return {
      task,
      at,
      output: this.#outputs.of(task, task.origin, at),
      progress: () => this.#live.of(task.dialect)?.progress.of(task) ?? 0,
      logs: () => this.#live.of(task.dialect)?.progress.logsOf(task) ?? [],
    }
  }
}

/** Creates a task that does not exist, for an example of its event. */
export type ExampleState = (event: TaskEvent, dialect: string, id: string) => TaskAtEvent

/** Writes an event of a task in the given state. */
export function contentOf(
  { event, name: usual }: NamedEvent,
  state: TaskAtEvent,
  format: WebhookFormat,
  bodyOf: WebhookFormat['body'] = (name, at) => format.body(name, at),
): EventContent {
  const { id: taskId, dialect } = state.task
  const name = format.nameAt?.(usual, state) ?? usual
  return {
    taskId,
    format: dialect,
    event: name,
    taskEvent: event,
    payload: bodyOf(name, state),
    headers: format.headers?.(name, state),
  }
}

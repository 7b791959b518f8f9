import { createNanoEvents } from 'nanoevents'
import type { Task } from './task/task.js'
import type { Attempt, Delivery } from './webhook/delivery.js'

/** One answered request. */
export interface AnsweredRequest {
  readonly id: string
  readonly method: string
  /** The path without its query, as the client sent it. */
  readonly path: string
  readonly status: number
  /** The task that the request was about, where it is known. */
  readonly taskId: string | undefined
  /** How long the answer took, in milliseconds of real time. */
  readonly took: number
}

/** One request for an output file, granted or not. */
export interface Download {
  readonly taskId: string
  /** Its place among the files of the task. */
  readonly file: number
  readonly method: string
  /** 200, 206 or 304 where it was granted; 403 where its URL is no good, 410 where the file is gone. */
  readonly status: number
  /** How many bytes of the file were sent. */
  readonly bytes: number
  /** The Range header, where there was one. */
  readonly range: string | undefined
  /** Whether the request carried an Authorization header, which a file does not need and which others should not see. */
  readonly withAuthorization: boolean
  readonly at: number
}

/** What happens in a simulator, told to whoever listens. Times are epoch milliseconds. */
export interface SimulatorEvents {
  'task.created': (task: Task) => void
  'task.started': (task: Task, at: number) => void
  'task.finished': (task: Task, at: number) => void
  'delivery.attempted': (delivery: Delivery, attempt: Attempt) => void
  'file.downloaded': (download: Download) => void
  'request.answered': (request: AnsweredRequest) => void
  /** Something went wrong inside tasksim itself; the simulator goes on. */
  error: (error: unknown) => void
}

/** Carries events from those who make them to those who listen; nothing comes back. */
export type Events = ReturnType<typeof createEvents>

/**
 * A new carrier of a simulator's events. A listener that throws is reported as an `error` and harms nobody else:
 * whoever tells an event must be able to go on.
 */
export function createEvents() {
  const events = createNanoEvents<SimulatorEvents>()
  return {
    on<Name extends keyof SimulatorEvents>(name: Name, listener: SimulatorEvents[Name]): () => void {
      return events.on(name, listener)
    },
    emit<Name extends keyof SimulatorEvents>(name: Name, ...args: Parameters<SimulatorEvents[Name]>): void {
      for (const listener of events.events[name] ?? []) {
        try {
          ;(listener as (...given: typeof args) => void)(...args)
        } catch (error) {
          // A listener to errors that throws has nobody left to tell.
          if (name !== 'error') this.emit('error', error)
        }
      }
    },
  }
}

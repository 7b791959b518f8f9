import { createNanoEvents } from 'nanoevents'
import type { Observation } from './observation.js'
import type { Task } from './tasks/task.js'
import type { Attempt, Delivery } from './webhooks/delivery.js'
import type { RegisteredReceiver } from './webhooks/receivers.js'

/** One answered request. */
export interface AnsweredRequest {
  /** Such as `req_00000003`; the answer has it as `X-Request-Id`. */
  readonly id: string
  /** When it came, in epoch milliseconds on the simulator's clock. */
  readonly at: number
  /** When it was answered, which may be later where a fault has held it back. */
  readonly answeredAt: number
  /** Such as `POST`. */
  readonly method: string
  /** The path without its query, as the client sent it. */
  readonly path: string
  /** The query without its question mark. */
  readonly query: string
  /** The operation that it asked for, where there is one. */
  readonly operation: string | undefined
  /** 0 where a fault let nothing be answered. */
  readonly status: number
  /** False where a fault kept the answer, or a part of it, from the client. */
  readonly delivered: boolean
  /** Milliseconds after which the client was told to come again. */
  readonly retryAfter: number | undefined
  /** The API key, masked; empty where there was none. */
  readonly key: string
  /** The task that the request created or that its path names; a rejected request may name one that does not exist. */
  readonly taskId: string | undefined
  /** The rule whose fault befell it. */
  readonly fault: string | undefined
  /** How long the answer took, in milliseconds of real time. */
  readonly took: number
  /** What its operation knows of it. */
  readonly note: RequestNote
}

/** What an operation knows of its request that the request line does not tell. */
export interface RequestNote {
  /** The states of tasks that the answer told. */
  observed?: readonly Pick<Task, 'id' | 'status'>[] | undefined
  /** What is the same in two requests with the same body. */
  bodyHash?: number
  /** Fields of the body that the service does not know. */
  unknownFields?: readonly string[]
  /** Where a page of a list goes on. */
  nextCursor?: string | undefined
  /** Whether it carried an Authorization header, good or bad. */
  hasAuthorization?: boolean
  /** Whether it asked for a part of a file only. */
  isPart?: boolean
  /** The body that was sent, as text. */
  requestBody?: string
  /** The body of the answer, where it is text. */
  responseBody?: string | undefined
}

/** One request for an output file, granted or not. */
export interface Download {
  /** The task whose file it is. */
  readonly taskId: string
  /** Its place among the files of the task. */
  readonly file: number
  /** `GET` or `HEAD`. */
  readonly method: string
  /** 200, 206 or 304 where it was granted; 403 where its URL is no good, 410 where the file is gone. */
  readonly status: number
  /** How many bytes of the file were sent. */
  readonly bytes: number
  /** The Range header, where there was one. */
  readonly range: string | undefined
  /** Whether the request carried an Authorization header, which a file does not need and which others should not see. */
  readonly withAuthorization: boolean
  /** When it came, in epoch milliseconds on the simulator's clock. */
  readonly at: number
}

/** A request that was rejected before it reached the API; the journal and the counts do not contain it. */
export interface RefusedRequest {
  /** Its `X-Request-Id`. */
  readonly id: string
  /** When it came, in epoch milliseconds on the simulator's clock. */
  readonly at: number
  /** Empty if it could not be parsed. */
  readonly method: string
  /** Empty if it could not be parsed. */
  readonly path: string
  /** The status of the answer. */
  readonly status: number
  /** The message of the answer. */
  readonly reason: string
  /** Milliseconds of real time until it was answered. */
  readonly took: number
}

/** What happens in a simulator, told to whoever listens. Times are epoch milliseconds. */
export interface SimulatorEvents {
  /** A task was accepted; it is `queued` or `processing`. */
  'task.created': (task: Task) => void
  /** A task has left the queue. */
  'task.started': (task: Task, at: number) => void
  /** A task has reached a terminal state. */
  'task.finished': (task: Task, at: number) => void
  /** A task that had ended was forgotten, to keep no more than there is room for. */
  'task.forgotten': (task: Task) => void
  /** There is a new delivery, of which nothing was sent yet. */
  'delivery.opened': (delivery: Delivery) => void
  /** A POST to a receiver was answered, or has failed. */
  'delivery.attempted': (delivery: Delivery, attempt: Attempt) => void
  /** A delivery has ended: the receiver has accepted it, or nothing more is sent of it. */
  'delivery.ended': (delivery: Delivery) => void
  /** A registered receiver gets nothing any more. */
  'receiver.switched_off': (receiver: RegisteredReceiver, at: number) => void
  /** An output file was asked for. */
  'file.downloaded': (download: Download) => void
  /** A request to the API was answered. */
  'request.answered': (request: AnsweredRequest) => void
  /** A request was rejected before it reached the API: a foreign host or page, or no valid HTTP. */
  'request.refused': (request: RefusedRequest) => void
  /** Somebody has turned the clock, changed the scenario or reset the simulator. */
  'control.used': (what: ControlUse, at: number) => void
  /** The test has told something that cannot be seen from outside the client. */
  'client.observed': (observation: Observation, at: number) => void
  /** The simulator is about to forget what has happened. */
  'reset.begins': () => void
  /** Something went wrong inside tasksim itself; the simulator goes on. */
  error: (error: unknown) => void
}

/** What of a simulator was changed by whoever controls it. */
export type ControlUse = 'clock' | 'scenario' | 'reset'

/** Carries events from those who make them to those who listen; nothing comes back. */
export type Events = ReturnType<typeof createEvents>

/**
 * A new carrier of a simulator's events. A listener that throws is reported as an `error` and harms nobody else:
 * whoever tells an event must be able to go on.
 */
export function createEvents() {
  const events = createNanoEvents<SimulatorEvents>()
  return {
    /** Listens; what it returns ends that. */
    on<Name extends keyof SimulatorEvents>(name: Name, listener: SimulatorEvents[Name]): () => void {
      return events.on(name, listener)
    },
    /** Tells whoever listens. */
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

import { createNanoEvents } from 'nanoevents'
import type { Upload } from './assets/upload.js'
import type { Observation } from './observation.js'
import type {
  AnsweredRequest,
  Download,
  RefusedRequest,
  RequestContext,
} from './requests/answered-request.js'
import type { Task } from './tasks/task.js'
import type { Attempt, Delivery } from './webhooks/deliveries/delivery.js'
import type { RegisteredReceiver } from './webhooks/receivers/receiver.js'

/** The events of a simulator. Times are epoch milliseconds. */
export interface SimulatorEvents {
  /** A task was accepted; it is `queued` or `processing`. */
  'task.created': (task: Task) => void
  /** A task has left the queue. */
  'task.started': (task: Task, at: number) => void
  /** A task has reached a terminal state. */
  'task.finished': (task: Task, at: number) => void
  /** A client has deleted the data of an ended task, which stays. */
  'task.erased': (task: Task) => void
  /** An ended task was evicted, or a client has deleted it. */
  'task.forgotten': (task: Task, reason: ForgetReason, at: number) => void
  /** A delivery was created; nothing was sent yet. */
  'delivery.opened': (delivery: Delivery) => void
  /** An attempt of a delivery has ended, with or without a response. */
  'delivery.attempted': (delivery: Delivery, attempt: Attempt) => void
  /** A registered receiver was switched off. */
  'receiver.switched_off': (receiver: RegisteredReceiver, at: number) => void
  /** An output file was requested. */
  'file.downloaded': (download: Download) => void
  /** A request to the API was answered. A handler of your own has no context. */
  'request.answered': (request: AnsweredRequest, context?: RequestContext) => void
  /**
   * A request was rejected before it reached the API: it came from a foreign host name or page, or was not valid HTTP.
   */
  'request.refused': (request: RefusedRequest) => void
  /** An internal error, or an error in a listener. The simulator continues. */
  error: (error: unknown) => void
}

/** All events, also those between the parts of a simulator, which no user needs. */
export interface InternalEvents extends SimulatorEvents {
  /** A queued task has a slot, and will start after its queueing time. */
  'task.scheduled': (id: string) => void
  /** A task that ends at a poll was polled, and has not ended. */
  'task.polled': (task: Task) => void
  /** A task was held: it does not end until it is released. */
  'task.held': (id: string) => void
  /** A held task was released. */
  'task.released': (id: string) => void
  /** A task whose order asks for it has new log lines, or new parts of its output. */
  'task.progressed': (task: Task, what: 'logs' | 'outputs', at: number) => void
  /** Clients were shown more of a task than before, or the next report about it was scheduled. */
  'task.shown': (id: string) => void
  /** An ended task stays only because a delivery is pending, or that delivery has ended. */
  'task.overdue': (id: string) => void
  /** A pending delivery waits for something else than before. */
  'delivery.waits': (delivery: Delivery) => void
  /** A delivery has ended: the receiver has accepted it, or no further attempt follows. */
  'delivery.ended': (delivery: Delivery) => void
  /** The log of deliveries has evicted an ended delivery. */
  'delivery.forgotten': (delivery: Delivery) => void
  /** A receiver was added, changed or removed. */
  'receivers.changed': () => void
  /** A file that a client has sent or announced is new, has changed or is gone. */
  'upload.changed': (upload: Upload) => void
  /** A part of a file that a client sends in parts is new or gone. */
  'upload.part_changed': (part: number) => void
  /** A sandbox was created. */
  'sandbox.created': (id: string) => void
  /** A sandbox is about to be deleted with everything in it. */
  'sandbox.deleted': (id: string) => void
  /**
   * The clock was changed, the scenario was changed, or the simulator was reset.
   * @param detail the name of the new scenario, or what the clock does: `+1h`, `paused` or `×60`
   */
  'control.used': (use: ControlUse, at: number, taskId?: string, detail?: string) => void
  /** The test reported an observation from inside the client. */
  'client.observed': (observation: Observation, at: number) => void
  /** A reset begins. */
  'reset.begins': () => void
}

/** Why a simulator has forgotten a task. */
export type ForgetReason = 'evicted' | 'deleted'

/** The part of a simulator that was changed. */
export type ControlUse = 'clock' | 'scenario' | 'reset' | 'hold' | 'release'

/** Emits events to listeners. */
export type Events = ReturnType<typeof createEvents>

/**
 * Creates the events of a simulator. An error in a listener is emitted as `error` and does not affect the emitter or
 * the other listeners.
 */
export function createEvents() {
  const events = createNanoEvents<InternalEvents>()
  return {
    /** Adds a listener. @returns a function that removes it */
    on<Name extends keyof InternalEvents>(name: Name, listener: InternalEvents[Name]): () => void {
      return events.on(name, listener)
    },
    /** Calls the listeners. */
    emit<Name extends keyof InternalEvents>(name: Name, ...args: Parameters<InternalEvents[Name]>): void {
      for (const listener of events.events[name] ?? []) {
        try {
          ;(listener as (...given: typeof args) => void)(...args)
        } catch (error) {
          // An error in a listener to `error` is dropped.
          if (name !== 'error') this.emit('error', error)
        }
      }
    },
  }
}

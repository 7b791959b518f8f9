import type { Transport } from '../attempts/transport.js'
import type { Registration } from './registration.js'

/** The settings of one receiver. The scenario supplies the defaults. */
export interface ReceiverSettings {
  /** The URL of the receiver. */
  readonly url: string
  /** Its own signing secret. */
  readonly secret?: string | undefined
  /** Its previous signing secret, for the webhook fault `previous_secret`. */
  readonly previousSecret?: string | undefined
  /** The events that it gets; all events if undefined. */
  readonly events?: readonly string[] | undefined
  /** The waits before each further attempt, in milliseconds. */
  readonly retries?: readonly number[] | undefined
  /** The timeout of an attempt, in milliseconds. */
  readonly timeout?: number | undefined
  /** Whether each delivery waits until the previous one has ended. */
  readonly ordered?: boolean | undefined
}

/** A receiver from the options at the start. */
export interface Receiver extends ReceiverSettings {
  /** Sends the webhooks for its URL; the simulator's transport by default. */
  readonly transport?: Transport
}

/** A receiver of an event. */
export interface Addressee extends ReceiverSettings {
  /** How a client of a service registered it; undefined if none did. */
  readonly registration?: Registration | undefined
  /** Whether the request of the task names it. */
  readonly isOwn?: boolean | undefined
}

/** A receiver that gets the events of every task, or of all tasks of the client that registered it. */
export interface RegisteredReceiver extends Addressee {
  /** Such as `rcv_1`. */
  readonly id: string
  /** The source of the registration: the scenario, an option at the start, the control API, or the API of a service. */
  readonly source: 'scenario' | 'option' | 'control' | 'api'
  /** Why it is switched off; undefined if it is on. */
  readonly off: string | undefined
}

import type { Transport } from '../attempts/transport.js'

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
  /** Whether it gets only the webhooks of tasks that name its URL, if the service lets them name one. */
  readonly isOnlyNamed?: boolean
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
  /** Whether it gets only the webhooks of tasks that name its URL, if the service lets them name one. */
  readonly isOnlyNamed?: boolean
}

/** How a client registered a receiver through the API of a service. Times are epoch milliseconds. */
export interface Registration {
  /** In the form of the service. */
  readonly id: string
  /** The API key of the client. The receiver gets only the webhooks about its tasks. */
  readonly owner: string
  /** The wire format of the request, and of the webhooks. */
  readonly dialect: string
  readonly name: string | undefined
  /** Whether the client wants webhooks at all. */
  readonly isEnabled: boolean
  readonly createdAt: number
  readonly updatedAt: number
  /** Until when webhooks are also signed with the previous secret; undefined if there is none. */
  readonly previousUntil: number | undefined
}

/** The maximum number of characters of a URL. Longer ones would fill the memory, which the budget does not count. */
export const LONGEST_URL = 2_000

/** The URLs that {@link httpUrl} accepts, for error messages. */
export const HTTP_URL_FORM =
  'a URL that starts with http:// or https://, with no user name and no port 0 in it'

/**
 * Normalizes a URL to which a webhook can be sent.
 * @returns undefined if the text is not a URL, is too long, or has another scheme, a user name, a password or port 0
 */
export function httpUrl(text: string): string | undefined {
  if (text.length > LONGEST_URL || !URL.canParse(text)) return undefined
  const { protocol, username, password, port, href } = new URL(text)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  // Node ignores port 0 and would send to the default port.
  return isWeb && username === '' && password === '' && port !== '0' ? href : undefined
}

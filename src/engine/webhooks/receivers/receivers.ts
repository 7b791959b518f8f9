import { UsageError } from '../../errors.js'
import { maskUrl } from '../../mask.js'
import type { Transport } from '../attempts/transport.js'
import { isHandledBy } from './event-receivers.js'
import type { Addressee, Receiver, ReceiverSettings, RegisteredReceiver } from './receiver.js'
import { HTTP_URL_FORM, httpUrl } from './receiver.js'

/** What is saved of the receivers. */
export interface SavedReceivers {
  /** Those that were added by the control API. */
  readonly added: readonly ReceiverSettings[]
  /** The URLs of those that were removed. */
  readonly removed: readonly string[]
  /** Why receivers were switched off, by URL. */
  readonly off: readonly (readonly [url: string, reason: string])[]
  /** The URLs in the order of their ids. */
  readonly urls: readonly string[]
}

/**
 * The receivers of the events of every task, and of those of the clients that registered them. Among the former, a
 * receiver replaces an earlier one with the same URL.
 */
export class Receivers {
  readonly #onChange: () => void
  readonly #fromOptions: readonly Receiver[]
  #fromScenario: readonly Receiver[] = []
  readonly #fromControl = new Map<string, Receiver>()
  /** By id. */
  readonly #fromApi = new Map<string, RegisteredReceiver>()
  readonly #removed = new Set<string>()
  readonly #off = new Map<string, string>()
  /** Ids by URL. A URL keeps its id until a reset. */
  readonly #ids = new Map<string, string>()
  #listed: readonly RegisteredReceiver[] = []

  /**
   * @param given the receivers from the options at the start
   * @param onChange called after each change
   */
  constructor(given: readonly Receiver[] = [], onChange: () => void = () => {}) {
    this.#fromOptions = given
    this.#onChange = onChange
  }

  /** Replaces the receivers of the scenario. */
  configure(named: readonly Receiver[]): void {
    this.#fromScenario = named
    this.#list()
  }

  /** All receivers, including those that are switched off. */
  list(): readonly RegisteredReceiver[] {
    return this.#listed
  }

  /**
   * Registers a receiver.
   * @throws UsageError if its URL is already registered, or no webhook can be sent to it
   */
  add(receiver: Receiver): RegisteredReceiver {
    const given: unknown = Object(receiver).url
    if (typeof given !== 'string' || httpUrl(given) === undefined)
      throw new UsageError(
        `Expected the URL of a receiver to be ${HTTP_URL_FORM}, got ${typeof given === 'string' ? JSON.stringify(maskUrl(given)) : String(given)}`,
      )
    const known = this.#listed.find(({ url }) => url === receiver.url)
    if (known !== undefined) {
      throw new UsageError(
        `${maskUrl(receiver.url)} is already registered as ${known.id}: remove that receiver first`,
      )
    }
    this.#removed.delete(receiver.url)
    this.#off.delete(receiver.url)
    this.#fromControl.set(receiver.url, receiver)
    this.#list()
    return this.#listed.find(({ url }) => url === receiver.url) as RegisteredReceiver
  }

  /** Adds a receiver that a client registered, or replaces the one with its id. */
  register(receiver: RegisteredReceiver): void {
    this.#fromApi.set(receiver.id, receiver)
    this.#list()
  }

  /** @returns the removed receiver; undefined if no receiver has this id */
  remove(id: string): RegisteredReceiver | undefined {
    const known = this.#listed.find((receiver) => receiver.id === id)
    if (known === undefined) return undefined
    if (!this.#fromApi.delete(id)) {
      this.#fromControl.delete(known.url)
      if (this.#isGiven(known.url)) this.#removed.add(known.url)
      // Otherwise the tasks that name the URL would get no webhooks.
      this.#off.delete(known.url)
    }
    this.#list()
    return known
  }

  /**
   * Switches off the registered receivers at a URL.
   * @returns the first of them; undefined if none is registered and on
   */
  switchOff(url: string, reason: string): RegisteredReceiver | undefined {
    const known = this.#listed.find((receiver) => receiver.url === url && receiver.off === undefined)
    if (known === undefined) return undefined
    this.#off.set(url, reason)
    for (const [id, receiver] of this.#fromApi)
      if (receiver.url === url) this.#fromApi.set(id, { ...receiver, off: reason })
    this.#list()
    return { ...known, off: reason }
  }

  /**
   * The receiver at a URL, with its settings if it is registered.
   * @param id the id of its registration through the API of a service
   */
  at(url: string, id?: string): Addressee {
    const known = id === undefined ? undefined : this.#fromApi.get(id)
    return known ?? this.#listed.find((receiver) => receiver.url === url) ?? { url }
  }

  /** A receiver with its present settings, if its client has changed them. */
  latest<Of extends Addressee>(receiver: Of): Of | RegisteredReceiver {
    return this.#fromApi.get(receiver.registration?.id ?? '') ?? receiver
  }

  /** Sends the webhooks for a URL; undefined if the simulator's transport does. */
  transportOf(url: string): Transport | undefined {
    const exact = this.#fromOptions.findLast((receiver) => receiver.url === url)
    return (exact ?? this.#fromOptions.findLast((receiver) => isHandledBy(receiver, url)))?.transport
  }

  /** Why a receiver is switched off; undefined if it is not. */
  whyOff(receiver: Addressee): string | undefined {
    if (receiver.registration !== undefined) return this.#fromApi.get(receiver.registration.id)?.off
    return this.#off.get(receiver.url)
  }

  /** What is to be saved, beside the receivers that clients have registered. */
  get saved(): SavedReceivers {
    return {
      added: [...this.#fromControl.values()],
      removed: [...this.#removed],
      off: [...this.#off],
      urls: [...this.#ids.keys()],
    }
  }

  /**
   * Restores the receivers of a simulator that was saved.
   * @param registered those that clients have registered, in their order
   */
  restore({ added, removed, off, urls }: SavedReceivers, registered: readonly RegisteredReceiver[]): void {
    for (const receiver of added) this.#fromControl.set(receiver.url, receiver)
    for (const url of removed) this.#removed.add(url)
    for (const [url, reason] of off) this.#off.set(url, reason)
    for (const receiver of registered) this.#fromApi.set(receiver.id, receiver)
    this.#ids.clear()
    for (const url of urls) this.#idOf(url)
    this.#list()
  }

  /** Restores the initial receivers and switches all of them on. */
  reset(): void {
    this.#fromControl.clear()
    this.#fromApi.clear()
    this.#removed.clear()
    this.#off.clear()
    this.#ids.clear()
    this.#list()
  }

  /** Whether the scenario or an option has a receiver, which must be hidden once it is removed. */
  #isGiven(url: string): boolean {
    return [...this.#fromScenario, ...this.#fromOptions].some((receiver) => receiver.url === url)
  }

  #list(): void {
    const all = new Map<string, RegisteredReceiver>()
    const put = (source: RegisteredReceiver['source']) => (receiver: Receiver) => {
      const { url } = receiver
      all.delete(url)
      if (!this.#removed.has(url))
        all.set(url, { ...receiver, id: this.#idOf(url), source, off: this.#off.get(url) })
    }
    this.#fromScenario.forEach(put('scenario'))
    this.#fromOptions.forEach(put('option'))
    for (const receiver of this.#fromControl.values()) put('control')(receiver)
    this.#listed = [...all.values(), ...this.#fromApi.values()]
    this.#onChange()
  }

  #idOf(url: string): string {
    const id = this.#ids.get(url) ?? `rcv_${this.#ids.size + 1}`
    this.#ids.set(url, id)
    return id
  }
}

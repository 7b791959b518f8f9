import { UsageError } from '../errors.js'
import { isSameEvent } from './event.js'
import { maskUrl } from './mask-url.js'
import type { Transport } from './transport.js'

/** What may be set of one receiver; what is not given is as the scenario says for all. */
export interface ReceiverSettings {
  /** Where webhooks go. */
  readonly url: string
  /** Its own signing secret. */
  readonly secret?: string | undefined
  /** The secret before a rotation, which the webhook fault `previous_secret` signs with. */
  readonly previousSecret?: string | undefined
  /** The events that it gets; all of them where undefined. */
  readonly events?: readonly string[] | undefined
  /** The waits before each further attempt, in milliseconds. */
  readonly retries?: readonly number[] | undefined
  /** Milliseconds after which an attempt has failed. */
  readonly timeout?: number | undefined
  /** Whether it gets one event after the other, each when the one before it has ended. */
  readonly ordered?: boolean | undefined
}

/** Someone who gets webhooks. */
export interface Receiver extends ReceiverSettings {
  /** How to reach it, where that is not the ordinary way. */
  readonly transport?: Transport
}

/** A receiver that gets the events of every task. */
export interface RegisteredReceiver extends Receiver {
  /** Such as `rcv_1`. */
  readonly id: string
  /** Who registered it: the scenario, an option at the start, or a request to the control API. */
  readonly source: 'scenario' | 'option' | 'control'
  /** Why it gets nothing any more; undefined while it does. */
  readonly off: string | undefined
}

/** The receivers of every task. No two have the same URL; one that was added later takes the place of the other. */
export class Receivers {
  readonly #given: readonly Receiver[]
  #named: readonly Receiver[] = []
  readonly #added = new Map<string, Receiver>()
  readonly #removed = new Set<string>()
  readonly #off = new Map<string, string>()
  /** A URL keeps its id for good. */
  readonly #ids = new Map<string, string>()
  #listed: readonly RegisteredReceiver[] = []

  /** @param given the receivers that were named at the start */
  constructor(given: readonly Receiver[] = []) {
    this.#given = given
  }

  /** Takes what a scenario names in place of what the one before it has named. */
  configure(named: readonly Receiver[]): void {
    this.#named = named
    this.#list()
  }

  /** All of them, those included that are switched off. */
  list(): readonly RegisteredReceiver[] {
    return this.#listed
  }

  /**
   * Registers one more.
   * @throws UsageError where its URL is registered already
   */
  add(receiver: Receiver): RegisteredReceiver {
    const known = this.#listed.find(({ url }) => url === receiver.url)
    if (known !== undefined) {
      throw new UsageError(
        `${maskUrl(receiver.url)} is registered already, as ${known.id}: remove that one first`,
      )
    }
    this.#removed.delete(receiver.url)
    this.#off.delete(receiver.url)
    this.#added.set(receiver.url, receiver)
    this.#list()
    return this.#listed.find(({ url }) => url === receiver.url) as RegisteredReceiver
  }

  /** @returns the one that was removed, or undefined where there is none of this id */
  remove(id: string): RegisteredReceiver | undefined {
    const known = this.#listed.find((receiver) => receiver.id === id)
    if (known === undefined) return undefined
    this.#added.delete(known.url)
    this.#removed.add(known.url)
    this.#list()
    return known
  }

  /** Stops sending to a registered receiver. @returns undefined where it is none, or was off before */
  switchOff(url: string, why: string): RegisteredReceiver | undefined {
    const known = this.#listed.find((receiver) => receiver.url === url)
    if (known === undefined || known.off !== undefined) return undefined
    this.#off.set(url, why)
    this.#list()
    return { ...known, off: why }
  }

  /** The receiver at a URL, with the settings that it is registered with, if it is. */
  at(url: string): Receiver {
    return this.#listed.find((receiver) => receiver.url === url) ?? { url }
  }

  /** Why a URL gets nothing; undefined where it does. */
  whyOff(url: string): string | undefined {
    return this.#off.get(url)
  }

  /**
   * Who gets an event: the registered receivers, and the task's own, which is not sent the same event again
   * because it is registered as well.
   */
  of(event: string, own: string | undefined): readonly Receiver[] {
    const wanting = this.#listed.filter((receiver) => receiver.off === undefined && wants(receiver, event))
    if (own === undefined || this.#listed.some(({ url }) => url === own)) return wanting
    return [{ url: own }, ...wanting]
  }

  /** Goes back to the receivers that were named at the start, all of them switched on. */
  reset(): void {
    this.#added.clear()
    this.#removed.clear()
    this.#off.clear()
    this.#list()
  }

  #list(): void {
    const all = new Map<string, RegisteredReceiver>()
    const put = (source: RegisteredReceiver['source']) => (receiver: Receiver) => {
      const { url } = receiver
      all.delete(url)
      if (!this.#removed.has(url))
        all.set(url, { ...receiver, id: this.#idOf(url), source, off: this.#off.get(url) })
    }
    this.#named.forEach(put('scenario'))
    this.#given.forEach(put('option'))
    for (const receiver of this.#added.values()) put('control')(receiver)
    this.#listed = [...all.values()]
  }

  #idOf(url: string): string {
    const id = this.#ids.get(url) ?? `rcv_${this.#ids.size + 1}`
    this.#ids.set(url, id)
    return id
  }
}

function wants({ events }: ReceiverSettings, event: string): boolean {
  return events === undefined || events.some((wanted) => isSameEvent(wanted, event))
}

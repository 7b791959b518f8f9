import type { Awaitable } from './awaitable.js'

/** A value that is loaded on first use, mostly with the code for it, because few simulators need it. */
export class Lazy<Value> {
  /** The value, once it has been used. */
  loaded: Value | undefined
  readonly #load: () => Promise<Value>
  #loading: Promise<Value> | undefined

  constructor(load: () => Promise<Value>) {
    this.#load = load
  }

  /** @returns the value; a promise until it is loaded */
  get(): Awaitable<Value> {
    if (this.loaded !== undefined) return this.loaded
    this.#loading ??= this.#load().then((value) => {
      this.loaded = value
      return value
    })
    return this.#loading
  }
}

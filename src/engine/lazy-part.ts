import type { Awaitable } from './awaitable.js'

/** A part whose code is loaded on first use, because few simulators need it. */
export class LazyPart<Part> {
  /** The part, once it has been used. */
  loaded: Part | undefined
  readonly #load: () => Promise<Part>
  #loading: Promise<Part> | undefined

  constructor(load: () => Promise<Part>) {
    this.#load = load
  }

  /** @returns the part; a promise on first use */
  get(): Awaitable<Part> {
    if (this.loaded !== undefined) return this.loaded
    this.#loading ??= this.#load().then((part) => {
      this.loaded = part
      return part
    })
    return this.#loading
  }
}

import Queue from 'yocto-queue'

/** Lets so many pieces of work run at a time; further ones wait for their turn. */
export class Gate {
  readonly #waiting = new Queue<() => void>()
  #free: number

  constructor(places: number) {
    this.#free = places
  }

  /** Does the work when it is its turn, and gives what it gives. */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((enter) => this.#waiting.enqueue(enter))
    try {
      return await work()
    } finally {
      const next = this.#waiting.dequeue()
      // A place that is handed on has not been free in between, so nobody can slip in.
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}

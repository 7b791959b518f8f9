import Queue from 'yocto-queue'

/** How many jobs run at the same time. */
export interface KeyedQueueLimits {
  /** Per key; unlimited by default. */
  readonly perKey?: number
  /** For all keys together; unlimited by default. */
  readonly total?: number
}

/** Starts a job; the job calls `release` exactly once, when it has ended. */
export type Start = (release: () => void) => void

interface Line {
  readonly key: string
  readonly waiting: Queue<Start>
  running: number
  isReady: boolean
}

/** How many keys to remember without a job. A receiver mostly gets one webhook after the other. */
const MAX_IDLE = 100

/**
 * Runs jobs in the order in which they were added, up to a limit per key and a limit for all keys. When the limit for
 * all keys is reached, the keys take turns, so a key with many jobs does not delay the others.
 */
export class KeyedQueue {
  readonly #perKey: number
  readonly #total: number
  #lines = new Map<string, Line>()
  /** The lines that may start a job. Each line occurs once. */
  #ready = new Queue<Line>()
  #running = 0
  #generation = 0
  #isStarting = false

  constructor({ perKey = Infinity, total = Infinity }: KeyedQueueLimits) {
    this.#perKey = perKey
    this.#total = total
  }

  /** Whether no job runs or waits. */
  get isIdle(): boolean {
    return this.#running === 0
  }

  /** Starts a job now, or as soon as the limits allow. `release` starts the next job before it returns. */
  add(key: string, start: Start): void {
    const line = this.#lines.get(key) ?? this.#newLine(key)
    line.waiting.enqueue(start)
    this.#markReady(line)
    this.#startNext()
  }

  /** Runs a job as {@link add} does, until its promise settles. @returns the result of the job */
  run<Value>(key: string, job: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.add(key, (release) => {
        job().finally(release).then(resolve, reject)
      })
    })
  }

  /** Drops the waiting jobs, and ignores the end of the running ones. */
  clear(): void {
    this.#generation += 1
    this.#lines = new Map()
    this.#ready = new Queue()
    this.#running = 0
  }

  #newLine(key: string): Line {
    const line = { key, waiting: new Queue<Start>(), running: 0, isReady: false }
    this.#lines.set(key, line)
    return line
  }

  #startNext(): void {
    // A job that ends at once must not start the next one recursively: thousands of jobs would exhaust the stack.
    if (this.#isStarting) return
    this.#isStarting = true
    try {
      while (this.#running < this.#total) {
        const line = this.#ready.dequeue()
        if (line === undefined) return
        this.#start(line)
      }
    } finally {
      this.#isStarting = false
    }
  }

  #start(line: Line): void {
    const generation = this.#generation
    const start = line.waiting.dequeue() as Start
    line.running += 1
    line.isReady = false
    this.#running += 1
    this.#markReady(line)
    start(() => {
      if (generation === this.#generation) this.#end(line)
    })
  }

  #end(line: Line): void {
    line.running -= 1
    this.#running -= 1
    const isIdle = line.running === 0 && line.waiting.size === 0
    if (isIdle && this.#lines.size > MAX_IDLE) this.#lines.delete(line.key)
    this.#markReady(line)
    this.#startNext()
  }

  #markReady(line: Line): void {
    if (line.isReady || line.waiting.size === 0 || line.running >= this.#perKey) return
    line.isReady = true
    this.#ready.enqueue(line)
  }
}

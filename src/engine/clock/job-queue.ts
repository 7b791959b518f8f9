/** The instant of a job in epoch milliseconds, and its place among the jobs of the same instant. */
interface Timed {
  readonly at: number
  readonly order: number
}

/** How many jobs follow each job in the heap. The instants of four are next to each other in memory. */
const WIDTH = 4

/**
 * A priority queue of jobs: the earliest comes first, and jobs of the same instant come in their order.
 *
 * A heap with the instants in an array of their own. Otherwise each comparison would have to load two jobs, and with
 * 100,000 jobs most of them are not in the caches of the processor.
 */
export class JobQueue<Job extends Timed> {
  readonly #instants: number[] = []
  readonly #jobs: Job[] = []

  /** The earliest job; undefined if there is none. */
  get first(): Job | undefined {
    return this.#jobs[0]
  }

  add(job: Job): void {
    let place = this.#jobs.length
    this.#instants.push(job.at)
    this.#jobs.push(job)
    while (place > 0) {
      const parent = Math.floor((place - 1) / WIDTH)
      if (!this.#isBefore(job, parent)) break
      this.#move(parent, place)
      place = parent
    }
    this.#put(job, place)
  }

  /** Removes the earliest job. @returns undefined if there is none */
  take(): Job | undefined {
    const first = this.#jobs[0]
    const last = this.#jobs.pop()
    this.#instants.pop()
    if (last !== undefined && last !== first) this.#insertFromTop(last)
    return first
  }

  /** Puts a job where the first one was, or below the jobs that come before it. */
  #insertFromTop(job: Job): void {
    let place = 0
    for (let child = this.#firstChildOf(0); child !== undefined; child = this.#firstChildOf(place)) {
      if (this.#isBefore(job, child)) break
      this.#move(child, place)
      place = child
    }
    this.#put(job, place)
  }

  /** The earliest of the jobs below a place; undefined if there are none. */
  #firstChildOf(place: number): number | undefined {
    const begin = WIDTH * place + 1
    const end = Math.min(begin + WIDTH, this.#jobs.length)
    if (begin >= end) return undefined
    let first = begin
    for (let child = begin + 1; child < end; child++) {
      const at = this.#instants[child] as number
      const earliest = this.#instants[first] as number
      if (at < earliest || (at === earliest && this.#orderAt(child) < this.#orderAt(first))) first = child
    }
    return first
  }

  #isBefore({ at, order }: Job, place: number): boolean {
    const other = this.#instants[place] as number
    return at < other || (at === other && order < this.#orderAt(place))
  }

  #orderAt(place: number): number {
    return (this.#jobs[place] as Job).order
  }

  #move(from: number, to: number): void {
    this.#instants[to] = this.#instants[from] as number
    this.#jobs[to] = this.#jobs[from] as Job
  }

  #put(job: Job, place: number): void {
    this.#instants[place] = job.at
    this.#jobs[place] = job
  }
}

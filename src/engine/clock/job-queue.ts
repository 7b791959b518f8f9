/** The instant of a job in epoch milliseconds, and its place among the jobs of the same instant. */
interface Timed {
  readonly at: number
  readonly order: number
}

/** A priority queue of jobs, as a binary heap: the earliest comes first, and jobs of the same instant in their order. */
export class JobQueue<Job extends Timed> {
  readonly #jobs: Job[] = []

  /** The earliest job; undefined if there is none. */
  get first(): Job | undefined {
    return this.#jobs[0]
  }

  add(job: Job): void {
    let index = this.#jobs.length
    while (index > 0) {
      const parent = (index - 1) >> 1
      const other = this.#jobs[parent] as Job
      if (!isBefore(job, other)) break
      this.#jobs[index] = other
      index = parent
    }
    this.#jobs[index] = job
  }

  /** Removes the earliest job. @returns undefined if there is none */
  take(): Job | undefined {
    const first = this.#jobs[0]
    const last = this.#jobs.pop()
    if (last !== undefined && last !== first) this.#replaceFirst(last)
    return first
  }

  /** Puts a job where the first one was, or below the jobs that come before it. */
  #replaceFirst(job: Job): void {
    let index = 0
    for (;;) {
      const left = this.#jobs[2 * index + 1]
      const right = this.#jobs[2 * index + 2]
      const isRight = left !== undefined && right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (child === undefined || isBefore(job, child)) break
      this.#jobs[index] = child
      index = 2 * index + (isRight ? 2 : 1)
    }
    this.#jobs[index] = job
  }
}

function isBefore(one: Timed, other: Timed): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}

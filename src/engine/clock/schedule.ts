import TinyQueue from 'tinyqueue'
import { type Awaitable, isPromise } from '../awaitable.js'
import type { Clock } from './clock.js'

/** A function that runs at an instant. */
export interface Job {
  /** Epoch milliseconds. */
  readonly at: number
  /** Its place among the jobs of the same instant. */
  readonly order: number
  /** Removes the job from the schedule; does nothing once it has run. */
  cancel(): void
}

/** The instant of a job, and its place among the jobs of the same instant. */
export type SavedJob = readonly [at: number, order: number]

/** What is saved of a job; undefined if there is none. */
export function savedJob(job: Job | undefined): SavedJob | undefined {
  return job && [job.at, job.order]
}

class ScheduledJob implements Job {
  canceled = false
  constructor(
    readonly at: number,
    readonly order: number,
    readonly run: (at: number) => Awaitable<unknown>,
    readonly onCancel: () => void,
  ) {}
  cancel(): void {
    if (this.canceled) return
    this.canceled = true
    this.onCancel()
  }
}

const byTime = (a: ScheduledJob, b: ScheduledJob): number => a.at - b.at || a.order - b.order

/**
 * Runs jobs at their instants, driven by one alarm of the clock. Jobs run one after the other, in the order of their
 * instants; jobs of the same instant run in the order in which they were added.
 */
export class Schedule {
  #jobs = new TinyQueue<ScheduledJob>([], byTime)
  #order = 0
  /** Pending while a job that is due must be waited for. */
  #catchingUp: Promise<void> | undefined
  /** Whether a job that is due is running in this turn. */
  #isRunning = false
  readonly #clock: Clock
  readonly #onError: (error: unknown) => void

  /** @param onError receives the error of a job that throws; later jobs still run */
  constructor(clock: Clock, onError: (error: unknown) => void) {
    this.#clock = clock
    this.#onError = onError
  }

  /**
   * Adds a job.
   * @param at epoch milliseconds; a job whose instant has passed is due at once
   * @param run receives `at`, which is earlier than now if the timer was late
   */
  at(at: number, run: (at: number) => Awaitable<unknown>): Job {
    return this.#add(new ScheduledJob(at, this.#order++, run, this.#onCancel))
  }

  /**
   * Adds a job of a simulator that was saved.
   * @param order its place among the jobs of the same instant
   */
  restore([at, order]: SavedJob, run: (at: number) => Awaitable<unknown>): Job {
    this.#order = Math.max(this.#order, order + 1)
    return this.#add(new ScheduledJob(at, order, run, this.#onCancel))
  }

  /** The instant of the next job, in epoch milliseconds; undefined if there is none. */
  get next(): number | undefined {
    return this.#first()?.at
  }

  /** Whether no job is due, and none that was due is still running. */
  get isIdle(): boolean {
    return !this.#isBusy && !this.#isDue
  }

  /**
   * Runs all jobs that are due.
   * @returns undefined if there is nothing to wait for
   */
  catchUp(): Promise<void> | undefined {
    if (this.#catchingUp !== undefined) return this.#catchingUp
    if (this.#isRunning) return this.#catchUpLater()
    if (!this.#isDue) return undefined
    const unfinished = this.#runDue()
    if (unfinished === undefined) {
      this.#setAlarm()
      return undefined
    }
    this.#catchingUp = this.#runRest(unfinished).finally(() => {
      this.#catchingUp = undefined
      this.#setAlarm()
    })
    return this.#catchingUp
  }

  /** For a job that catches up: the other jobs that are due run after it. */
  async #catchUpLater(): Promise<void> {
    await undefined
    await this.catchUp()
  }

  /** Removes all jobs. */
  clear(): void {
    this.#jobs = new TinyQueue<ScheduledJob>([], byTime)
    this.#setAlarm()
  }

  #add(job: ScheduledJob): Job {
    this.#jobs.push(job)
    if (this.#jobs.peek() === job && !this.#isBusy) this.#setAlarm()
    return job
  }

  /** Runs jobs that are due, until one must be waited for. @returns its promise; undefined if none is due any more */
  #runDue(): PromiseLike<unknown> | undefined {
    this.#isRunning = true
    try {
      while (this.#isDue) {
        const unfinished = this.#run(this.#jobs.pop() as ScheduledJob)
        if (isPromise(unfinished)) return unfinished
      }
      return undefined
    } finally {
      this.#isRunning = false
    }
  }

  #run(job: ScheduledJob): Awaitable<unknown> {
    try {
      return job.run(job.at)
    } catch (error) {
      this.#onError(error)
      return undefined
    }
  }

  async #runRest(first: PromiseLike<unknown>): Promise<void> {
    for (
      let unfinished: typeof first | undefined = first;
      unfinished !== undefined;
      unfinished = this.#runDue()
    ) {
      try {
        await unfinished
      } catch (error) {
        this.#onError(error)
      }
    }
  }

  get #isBusy(): boolean {
    return this.#isRunning || this.#catchingUp !== undefined
  }

  get #isDue(): boolean {
    const first = this.#first()
    return first !== undefined && first.at <= this.#clock.now()
  }

  #first(): ScheduledJob | undefined {
    while (this.#jobs.peek()?.canceled) this.#jobs.pop()
    return this.#jobs.peek()
  }

  #setAlarm(): void {
    this.#clock.setAlarm(this.next, this.#onAlarm)
  }

  readonly #onAlarm = (): void => {
    this.catchUp()
  }

  readonly #onCancel = (): void => {
    if (!this.#isBusy) this.#setAlarm()
  }
}

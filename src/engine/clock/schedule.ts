import { type Awaitable, isPromise } from '../awaitable.js'
import type { Clock } from './clock.js'
import { JobQueue } from './job-queue.js'

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

/** Runs a job. `at` is the instant of the job, which is earlier than now if the timer was late. */
type Run = (at: number) => Awaitable<unknown>

/** Runs the jobs of many subjects, each with the id of its subject. */
type RunFor = (at: number, id: string) => Awaitable<unknown>

const NOTHING = () => undefined

class ScheduledJob implements Job {
  constructor(
    readonly at: number,
    readonly order: number,
    public run: RunFor,
    /** The id of its subject; empty if it has a function of its own. */
    readonly id: string,
    readonly onCancel: () => void,
  ) {}
  cancel(): void {
    if (this.run === NOTHING) return
    // The job stays in the queue until its instant, and must not keep what its function refers to.
    this.run = NOTHING
    this.onCancel()
  }
}

/**
 * Runs jobs at their instants, driven by one alarm of the clock. Jobs run one after the other, in the order of their
 * instants; jobs of the same instant run in the order in which they were added.
 */
export class Schedule {
  #jobs = new JobQueue<ScheduledJob>()
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
   * @param id the id of its subject, if many jobs share the function: a function for each job costs more than the job
   */
  at(at: number, run: Run): Job
  at(at: number, run: RunFor, id: string): Job
  at(at: number, run: RunFor, id = ''): Job {
    return this.#add(new ScheduledJob(at, this.#order++, run, id, this.#onCancel))
  }

  /**
   * Adds a job of a simulator that was saved.
   * @param id the id of its subject, as in {@link at}
   */
  restore(saved: SavedJob, run: Run): Job
  restore(saved: SavedJob, run: RunFor, id: string): Job
  restore([at, order]: SavedJob, run: RunFor, id = ''): Job {
    this.#order = Math.max(this.#order, order + 1)
    return this.#add(new ScheduledJob(at, order, run, id, this.#onCancel))
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
    this.#jobs = new JobQueue<ScheduledJob>()
    this.#setAlarm()
  }

  #add(job: ScheduledJob): Job {
    this.#jobs.add(job)
    if (this.#jobs.first === job && !this.#isBusy) this.#setAlarm()
    return job
  }

  /** Runs jobs that are due, until one must be waited for. @returns its promise; undefined if none is due any more */
  #runDue(): PromiseLike<unknown> | undefined {
    this.#isRunning = true
    try {
      while (this.#isDue) {
        const unfinished = this.#run(this.#jobs.take() as ScheduledJob)
        if (isPromise(unfinished)) return unfinished
      }
      return undefined
    } finally {
      this.#isRunning = false
    }
  }

  #run(job: ScheduledJob): Awaitable<unknown> {
    try {
      return job.id === '' ? (job.run as Run)(job.at) : job.run(job.at, job.id)
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
    while (this.#jobs.first?.run === NOTHING) this.#jobs.take()
    return this.#jobs.first
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

import { type Awaitable, after, reported, withCleanup } from '../awaitable.js'
import type { Clock } from '../clock/clock.js'
import type { Job, Schedule } from '../clock/schedule.js'
import type { Events } from '../events.js'
import type { MemoryBudget } from '../memory/budget.js'
import { bytesOfTask } from '../memory/bytes-of.js'
import { OverBudgetError } from '../memory/over-budget-error.js'
import { OccurrenceCounter } from '../occurrence-counter.js'
import { base62, type Chance } from '../random.js'
import type { Capacity } from './capacity.js'
import { endingOf } from './ending.js'
import { type Ending, end, start } from './lifecycle.js'
import { type NewTask, newTask } from './new-task.js'
import { NoRoomError } from './no-room-error.js'
import type { Planner } from './planner.js'
import { Retention } from './retention.js'
import type { ListQuery, TaskPage, TaskStore } from './store.js'
import { surveyAtOnce } from './survey-input.js'
import { isTerminal, type Plan, type Task } from './task.js'

/** What the engine is built from. */
export interface EngineParts {
  /** What time it is. */
  readonly clock: Clock
  /** What is due when. */
  readonly schedule: Schedule
  /** Where tasks are kept. */
  readonly store: TaskStore
  /** Whom to tell what happens. */
  readonly events: Events
  /** The root of all chance in this simulator. */
  readonly chance: Chance
  /** How many may run. */
  readonly capacity: Capacity
  /** What becomes of a new task. */
  readonly planner: Planner
  /** How many tasks that have ended are kept. */
  readonly keep: number
  /** The bytes that may be retained. */
  readonly budget: MemoryBudget
}

/** Makes tasks and moves them through their lifecycle by the clock. */
export class Engine {
  readonly #parts: Omit<EngineParts, 'planner'>
  #planner: Planner
  /** How often each model and input was asked for. */
  #occurrences: OccurrenceCounter
  /** The planned ends of the tasks that are processed. */
  #ends = new Map<string, Job>()
  /** How often the tasks that end at a poll were polled. */
  #polls = new Map<string, number>()
  /** Tasks that do not end by themselves. */
  #held = new Set<string>()
  readonly #retention: Retention
  #hasForgotten = false

  constructor({ planner, ...parts }: EngineParts) {
    this.#parts = parts
    this.#planner = planner
    this.#occurrences = new OccurrenceCounter(parts.chance)
    this.#retention = new Retention({ ...parts, forget: (id) => this.#forget(id) })
  }

  /** What becomes of a new task, by the scenario in force. */
  get planner(): Planner {
    return this.#planner
  }

  /** Plans all further tasks by another scenario; tasks that exist keep their plans. */
  set planner(planner: Planner) {
    this.#planner = planner
  }

  /**
   * Makes a task.
   * @throws NoRoomError where it could neither run nor wait; InputError where the model cannot make it;
   *   OverBudgetError if the memory budget has no room for it
   */
  create(order: NewTask): Awaitable<Task> {
    const task = this.#admit(order)
    const ends = this.#ends
    return after(this.#add(task), () => {
      // A reset in between has forgotten the task; nothing may be planned for it.
      if (ends !== this.#ends) return task
      if (task.status === 'processing') this.#planEnd(task)
      this.#parts.events.emit('task.created', task)
      return task
    })
  }

  /** The task of this id, whoever made it. */
  get(id: string): Awaitable<Task | undefined> {
    return this.#parts.store.get(id)
  }

  /**
   * Counts a poll of a task, which may be the one that it ends at.
   * @returns the task as it is then; a promise only where it ends
   */
  poll(task: Task): Awaitable<Task> {
    const { outcome, end } = task.plan
    if (!('polls' in end) || task.status !== 'processing' || outcome === 'stuck') return task
    if (this.#held.has(task.id)) return task
    const polls = (this.#polls.get(task.id) ?? 0) + 1
    this.#polls.set(task.id, polls)
    return polls < end.polls ? task : this.#endAtPoll(task)
  }

  /** @returns a page of tasks, newest first; undefined where `after` is no task of the owner's */
  list(query: ListQuery): Awaitable<TaskPage | undefined> {
    return this.#parts.store.list(query)
  }

  /** @returns the canceled task, or undefined where it had ended already */
  async cancel(id: string): Promise<Task | undefined> {
    return this.#end(id, { status: 'canceled' }, this.#parts.clock.now())
  }

  /**
   * Ends a task now.
   * @param outcome how, with what error; as it was planned where undefined
   * @returns the task that has ended, or undefined where it had ended already
   */
  async finish(id: string, outcome?: Pick<Plan, 'outcome' | 'error'>): Promise<Task | undefined> {
    const ends = this.#ends
    const task = await this.get(id)
    if (task === undefined || isTerminal(task.status)) return undefined
    const ending = await endingOf({ ...task, plan: { ...task.plan, ...outcome } }, this.#report)
    return ends === this.#ends ? this.#end(id, ending, this.#parts.clock.now()) : undefined
  }

  /** Keeps a task from ending by itself until it is released. @returns false where it has ended already */
  async hold(id: string): Promise<boolean> {
    const task = await this.get(id)
    if (task === undefined || isTerminal(task.status)) return false
    this.#held.add(id)
    this.#ends.get(id)?.cancel()
    this.#ends.delete(id)
    return true
  }

  /** Lets a held task go on: to its planned end, or at once where that has passed. */
  async release(id: string): Promise<boolean> {
    const task = await this.get(id)
    if (task === undefined || !this.#held.delete(id)) return false
    if (task.status === 'processing') this.#planEnd(task, this.#parts.clock.now())
    return true
  }

  /** Whether a task is kept from ending by itself. */
  isHeld(id: string): boolean {
    return this.#held.has(id)
  }

  /** How many tasks that have ended are kept. */
  get keep(): number {
    return this.#parts.keep
  }

  /** Whether tasks were forgotten, of which one may be asked for. */
  get hasForgotten(): boolean {
    return this.#hasForgotten
  }

  /** Lets those start who wait and for whom there is room, as after a change of limits. */
  fill(at: number): Awaitable<void> {
    const ids = this.#parts.capacity.fill()
    return ids.length === 0 ? undefined : this.#startAll(ids, at)
  }

  /** Forgets everything. What was planned must be taken off the schedule by its owner. */
  async clear(): Promise<void> {
    this.#occurrences = new OccurrenceCounter(this.#parts.chance)
    this.#ends = new Map()
    this.#polls = new Map()
    this.#held = new Set()
    this.#retention.clear()
    this.#hasForgotten = false
    this.#parts.capacity.clear()
    await this.#parts.store.clear()
  }

  #add(task: Task): Awaitable<void> {
    const ends = this.#ends
    this.#retention.created(task)
    return withCleanup(
      () => this.#parts.store.add(task),
      () => {
        if (ends !== this.#ends) return
        this.#retention.withdrawn(task)
        this.#parts.capacity.leave(task.id)
      },
    )
  }

  /** Gives up what it has of the memory budget; it counts no further task. */
  close(): void {
    this.#retention.close()
  }

  /** Decides what becomes of a task, and gives it a place. */
  #admit(order: NewTask): Task {
    const { clock, capacity, budget } = this.#parts
    const { owner, model, input, directive, survey = surveyAtOnce(input) } = order
    const { canonical, inputBytes } = survey
    if (!budget.fits(bytesOfTask(order, inputBytes))) throw new OverBudgetError(budget.limit)
    const kind = this.#planner.kindOf(model, input)
    const media = this.#planner.order(kind, model, input)
    const applicant = { kind, model, owner }
    const claim = capacity.claim(applicant)
    if (claim.isRefused) throw new NoRoomError()
    const { seed, number: occurrence } = this.#occurrences.retain(JSON.stringify(model) + canonical)
    const chance = occurrence === 1 ? seed : seed.child(String(occurrence))
    const id = `task_${base62(chance.stream('id'), 24)}`
    const runs = capacity.enter(id, applicant, claim)
    const plan = this.#planner.plan({ kind, model, key: owner, input, occurrence }, chance, directive)
    const identity = seed.fingerprint
    return newTask(order, { id, identity, inputBytes, kind, media, plan, runs, now: clock.now() })
  }

  async #startAll(ids: readonly string[], at: number): Promise<void> {
    const ends = this.#ends
    for (const id of ids) {
      // What was under way when a reset came must not act after it.
      if (ends !== this.#ends) return
      // Told in the same moment, so that nobody hears of an end before the start.
      await after(
        this.#parts.store.update(id, (task) => start(task, at)),
        (started) => {
          if (started === undefined || ends !== this.#ends) return
          this.#planEnd(started)
          this.#parts.events.emit('task.started', started, started.startedAt ?? at)
        },
      )
    }
  }

  /** @param earliest when it may end, where it is too late for the instant that was planned */
  #planEnd({ id, plan, createdAt, startedAt = createdAt }: Task, earliest = createdAt): void {
    if (plan.outcome === 'stuck' || 'polls' in plan.end || this.#held.has(id)) return
    const at = Math.max(startedAt + plan.end.after, earliest)
    this.#ends.set(
      id,
      this.#parts.schedule.at(at, (at) => this.#complete(id, at)),
    )
  }

  async #endAtPoll(task: Task): Promise<Task> {
    await this.#complete(task.id, this.#parts.clock.now())
    return (await this.get(task.id)) ?? task
  }

  #complete(id: string, at: number): Awaitable<unknown> {
    const ends = this.#ends
    return after(this.#parts.store.get(id), (task) => {
      if (task === undefined || isTerminal(task.status)) return undefined
      return endingOf(task, this.#report).then((ending) =>
        // A reset while the result was made: the id may belong to another task by now.
        ends === this.#ends ? this.#end(id, ending, at) : undefined,
      )
    })
  }

  #end(id: string, ending: Ending, at: number): Awaitable<Task | undefined> {
    const { store, events, capacity } = this.#parts
    const ends = this.#ends
    return after(
      store.update(id, (task) => end(task, ending, at)),
      (ended) => {
        if (ended === undefined || ends !== this.#ends) return ended
        this.#ends.get(id)?.cancel()
        this.#ends.delete(id)
        this.#polls.delete(id)
        this.#held.delete(id)
        capacity.leave(id)
        events.emit('task.finished', ended, at)
        return after(this.#retention.ended(ended), () => after(this.fill(at), () => ended))
      },
    )
  }

  #forget(id: string): Awaitable<void> {
    const { store, events } = this.#parts
    const occurrences = this.#occurrences
    const forgotten = after(store.delete(id), (task) => {
      if (task === undefined || occurrences !== this.#occurrences) return
      this.#hasForgotten = true
      occurrences.release(task.identity)
      events.emit('task.forgotten', task)
    })
    return reported(forgotten, this.#report)
  }

  readonly #report = (problem: unknown): void => {
    this.#parts.events.emit('error', problem)
  }
}
